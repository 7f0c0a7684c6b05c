//! Recognizes words of sentences in which a password is on its way, and patterns that are not tokens.

use super::{Place, announces};
use crate::words::lists;

/// How many words of a sentence are read.
const WORDS: usize = 48;
/// Verbs of a password that somebody sends, and what may come between two of them.
const ARRIVES: &str = "comes come came follows follow followed arrives arrive arrived goes went gets sent mailed emailed posted texted \
     handed delivered travels kommt kam folgt folgte geht ging geschickt verschickt versendet gesendet übergeben zugestellt llega llegará llegó \
     viene vendrá sigue va irá enviada enviado envía enviará manda mandado arrive arrivera arrivé suit suivra vient viendra part partira \
     envoyé envoyée transmis transmise choisi choisie chosen gewählt vergeben elegida elegido asked demandé abgefragt";
const AUXILIARIES: &str = "is was will be has been being gets got wird wurde ist se está fue será ha sido est sera a été vous te dir euch ihnen \
     separately getrennt aparte séparément";
/// Words before the way, the receiver or the time of it.
const BY: &str = "by via in to with per on from separately tomorrow later today next mit an am im als morgen später separat getrennt \
     gesondert auf über por al a en aparte con mañana después luego par dans à au avec séparément demain plus ensuite lors beim bei when during durante";
/// Whether a value is such a word or name.
pub(super) fn is_absent(place: &Place<'_>) -> bool {
    arrives(place)
        || is_pattern(place)
        || is_keeper(place)
        || is_of_event(place)
        || is_done(place)
        || is_handed_on(place)
}

/// A word in lower case, without the signs around it.
pub(super) fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

/// Whether a text, in lower case, has a word for a secret.
pub(super) fn speaks(text: &str) -> bool {
    const WORDS: [&str; 9] =
        ["passphrase", "passe", "schlüssel", "phrase", "clé", "llave", "chiave", "sleutel", "code"];
    announces(text) || WORDS.iter().any(|word| text.contains(word))
}

/// "the password comes by separate mail to Ingrid", "das Passwort wird per SMS verschickt".
fn arrives(place: &Place<'_>) -> bool {
    const BEFORE: usize = 4;
    let Place { value, before, after, .. } = *place;
    let small = value.chars().all(|c| c.is_lowercase() || c == ' ');
    let tied = before.trim_end().ends_with([':', '=']);
    if !small || tied || !before.ends_with(' ') {
        return false;
    }
    let mut words = before.split_whitespace().rev().map(bare);
    let last = words.next().unwrap_or_default();
    let linked = speaks(&last)
        || (lists(AUXILIARIES, &last) && words.take(BEFORE).any(|word| speaks(&word)));
    let mut said = value.split_whitespace().chain(after.split_whitespace()).map(bare).take(WORDS);
    let (verb, next) = (said.next().unwrap_or_default(), said.next().unwrap_or_default());
    let mut sent =
        || lists(ARRIVES, &next) || (lists(BY, &next) && said.any(|word| lists(ARRIVES, &word)));
    linked && ((lists(ARRIVES, &verb) && lists(BY, &next)) || (lists(AUXILIARIES, &verb) && sent()))
}

/// "la phrase de passe sera gérée par Nadia": the person who keeps it.
fn is_keeper(place: &Place<'_>) -> bool {
    const KEPT: &str = "gérée géré gardée gardé conservée conservé détenue détenu générée généré choisie choisi fournie fourni managed kept held \
         generated chosen provided known verwaltet aufbewahrt vergeben erzeugt gewählt gestionada gestionado guardada guardado custodiada generada elegida";
    const BY: [&str; 4] = ["par", "by", "von", "por"];
    let Place { value, before, .. } = *place;
    let mut chars = value.trim_end_matches(['.', ',']).chars();
    let named = chars.next().is_some_and(char::is_uppercase) && chars.all(char::is_lowercase);
    let mut words = before.split_whitespace().rev();
    named
        && words.next().is_some_and(|word| BY.contains(&word))
        && words.next().is_some_and(|word| lists(KEPT, word))
}

/// "La rotation des clés est prévue lundi": what is said about an event, not about a secret.
fn is_of_event(place: &Place<'_>) -> bool {
    const EVENTS: &str = "rotation rotación rotacion rotazione changement cambio change wechsel änderung renouvellement renovación erneuerung \
         réinitialisation reset restablecimiento zurücksetzung renewal migration transfer übergabe remise entrega passwortwechsel schlüsselwechsel \
         passwortrotation schlüsselrotation";
    const OF: &str = "de des du del of der von dei delle della di d";
    /// The most words before the event in its clause, and none of these.
    const LEAD: usize = 5;
    const AFTER: &str =
        "after nach après tras después since seit depuis desde dopo with mit avec con seit";
    let Place { value, before, .. } = *place;
    let first = value.split(' ').next().unwrap_or_default();
    if !is_small(first) || !super::IS.contains(&place.last().to_lowercase().as_str()) {
        return false;
    }
    let clause = before.rsplit(['.', '?', '!', ',', ';', ':', '¿', '(']).next().unwrap_or_default();
    let words: Vec<_> = clause.split_whitespace().map(bare).collect();
    let Some(event) = words.iter().position(|word| lists(EVENTS, word)) else { return false };
    let next = words.get(event + 1).map(|word| word.split('\'').next().unwrap_or_default());
    let compound = words[event].len() > "passwort".len() + 4;
    event <= LEAD
        && !words[..event].iter().any(|word| lists(AFTER, word))
        && (compound || next.is_some_and(|next| lists(OF, next)))
        && words.iter().filter(|word| speaks(word)).count() <= 1
}

fn is_small(word: &str) -> bool {
    let word = word.trim_end_matches(['.', ',', '!', '?']);
    !word.is_empty() && word.chars().all(char::is_lowercase)
}

/// "habe das Passwort rausgenommen, …": a participle with which the clause ends.
fn is_done(place: &Place<'_>) -> bool {
    const HAVE: &str = "habe hab haben hat habt hatte hatten wurde wurden";
    const NEAR: usize = 6;
    let Place { value, before, after, .. } = *place;
    let word = value.trim_end_matches(['.', ',', '!', '?']);
    let ended = word.len() < value.len()
        || after.trim_end().is_empty()
        || after.starts_with([',', '.', ';', ')', '!', '?'])
        || after.starts_with(" und ");
    let participle = is_small(word)
        && word.len() > "geht".len()
        && ((word.contains("ge") && word.ends_with(['t', 'n'])) || word.ends_with("iert"));
    let tied = before.trim_end().ends_with([':', '=', '"', '\'']);
    ended
        && participle
        && !tied
        && before.split_whitespace().rev().take(NEAR).any(|word| lists(HAVE, &bare(word)))
}

/// "contraseña: pedírsela a Dani", "la contraseña invéntala tú": a verb with the pronouns for the password and a person.
fn is_handed_on(place: &Place<'_>) -> bool {
    const PRONOUNS: [&str; 12] = [
        "sela", "selas", "selo", "mela", "tela", "rla", "rlas", "ala", "alas", "ela", "dla",
        "dsela",
    ];
    const TO: [&str; 8] = ["a ", "tú", "tu ", "vos", "usted", "con ", "por ", "en "];
    const LEAST: usize = 6;
    let Place { value, before, after, .. } = *place;
    // Nearly all finds end here.
    if !value.contains(['á', 'é', 'í', 'ó', 'ú']) {
        return false;
    }
    let said = [value, after].concat();
    let (verb, next) = said.split_once(' ').unwrap_or((&said, ""));
    let verb = verb.trim_end_matches(['.', ',', '!', '"', ')', ';']);
    let spanish = before.to_lowercase();
    verb.contains(['á', 'é', 'í', 'ó', 'ú'])
        && is_small(verb)
        && verb.len() >= LEAST
        && PRONOUNS.iter().any(|end| verb.ends_with(end))
        && ["contraseña", "contrasena", "clave", "passw"].iter().any(|word| spanish.contains(word))
        && (next.is_empty() || TO.iter().any(|word| next.starts_with(word)))
}

/// `SOURCE_PAT=src/main`: "PAT" is short for a pattern too, and a personal access token is long.
fn is_pattern(place: &Place<'_>) -> bool {
    const LEAST_BYTES: usize = 20;
    let field = place.before.trim_end_matches([' ', '"', '\'']).strip_suffix(['=', ':']);
    let short = place.value.len() < LEAST_BYTES || place.value.contains('/');
    short && field.is_some_and(|field| field.ends_with("_PAT") || field.ends_with("_pat"))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn a_password_that_is_on_its_way_is_not_in_the_text() {
        for text in [
            "the username is root, the password comes by separate mail to Ingrid",
            "the password was mailed to Chloé yesterday",
            "Benutzer ist kim, das Passwort folgt per SMS",
            "el usuario es kim, la contraseña llega por correo aparte a Marta",
            "l'utilisateur est kim, le mot de passe arrive par courrier à Chloé",
            "Compte admin : kim, mot de passe choisi à la première connexion.",
            "La rotation des clés est prévue lundi matin à 8h30, il faudra redémarrer.",
            "Est-ce que la rotation du mot de passe de postgres est faite ?",
            "habe das Passwort rausgenommen, der Rest ist original",
            "Sauvegarde tous les jours à 18:39, chiffrée. La phrase de passe sera gérée par Nadia.",
            "en el README alguien escribió \"contraseña: pedírsela a Dani\"",
            "la contraseña invéntala tú",
            "contraseña: pregúntasela a Rubén",
        ] {
            assert_eq!(redacted(text), text);
        }
        seals(&[
            ("the password: comes by mail", &["comes"]),
            ("après la rotation des clés le mot de passe est noisette", &["noisette"]),
            ("ich habe das Passwort regenmantel gesetzt", &["regenmantel"]),
            ("das Passwort lautet Folgt-per-Brief-7", &["Folgt-per-Brief-7"]),
        ]);
    }

    #[test]
    fn a_pattern_is_not_a_token() {
        assert_eq!(redacted("SOURCE_PAT=src/main"), "SOURCE_PAT=src/main");
        seals(&[("export GH_PAT=qk7zv2md4hxw5tpljbsw", &["qk7zv2md4hxw5tpljbsw"])]);
    }
}
