//! Recognizes words of sentences in which a password is on its way, one alternative of a question, or about to be changed, and
//! names of networks and their devices in listings.

use super::{Place, announces};
use crate::redaction::words::{FOR, lists};

/// How many words of a sentence are read.
const WORDS: usize = 48;
/// Verbs of a password that somebody sends, and what may come between two of them.
const ARRIVES: &str = "comes come came follows follow followed arrives arrive arrived goes went gets sent mailed emailed posted texted \
     handed delivered travels kommt kam folgt folgte geht ging geschickt verschickt versendet gesendet übergeben zugestellt llega llegará llegó \
     viene vendrá sigue va irá enviada enviado envía enviará manda mandado arrive arrivera arrivé suit suivra vient viendra part partira \
     envoyé envoyée transmis transmise";
const AUXILIARIES: &str = "is was will be has been being gets got wird wurde ist se está fue será ha sido est sera a été vous te dir euch ihnen \
     separately getrennt aparte séparément";
/// Words before the way, the receiver or the time of it.
const BY: &str = "by via in to with per on from separately tomorrow later today next mit an am im als morgen später separat getrennt \
     gesondert auf über por al a en aparte con mañana después luego par dans à au avec séparément demain plus ensuite";
/// How somebody asks about one of two things, before "or"; and the verbs behind it.
const ASKS: &str = "do does is are can could should must will would may braucht brauche brauchen brauchst muss müssen ist sind kann soll \
     sollte reicht genügt gibt necesito necesita necesitamos hace es está basta tiene debo puedo se faut-il ai-je dois-je est-ce avons-nous \
     peut-on y doit-on faut devo serve";
const OR: [&str; 6] = [" or ", " oder ", " o ", " ou ", " oppure ", " of "];
/// Beginnings of a question about how something is done.
const HOW: &str = "how where wie wo cómo como dónde comment où come hoe jak";
/// Words of a network in a listing.
const NETWORKS: [&str; 4] = ["wlan", "wifi", "wi-fi", "ssid"];
/// How names of network devices begin.
const DEVICES: [&str; 14] = [
    "wlp", "wlan", "wlx", "enp", "eno", "ens", "enx", "eth", "br-", "veth", "wwan", "phy", "tun",
    "bond",
];

/// Whether a value is such a word or name.
pub(super) fn is_absent(place: &Place<'_>) -> bool {
    arrives(place)
        || is_alternative(place)
        || is_owner(place)
        || is_of_network(place)
        || is_pattern(place)
}

/// A word in lower case, without the signs around it.
fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

/// Whether a text, in lower case, has a word for a secret.
fn speaks(text: &str) -> bool {
    const WORDS: [&str; 9] =
        ["passphrase", "passe", "schlüssel", "phrase", "clé", "llave", "chiave", "sleutel", "code"];
    announces(text) || WORDS.iter().any(|word| text.contains(word))
}

/// Whether a text is made of words.
fn is_plain(value: &str) -> bool {
    value.chars().all(|c| c.is_alphabetic() || " -'’?,".contains(c))
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

/// "Do I need a passphrase for the repository or is the keyfile enough?": the other of two things.
fn is_alternative(place: &Place<'_>) -> bool {
    let Place { value, before, after, .. } = *place;
    if !is_plain(value) || !(value.ends_with('?') || after.contains('?')) {
        return false;
    }
    let sentence = before.rsplit(['.', '!', '?', ':', '\n']).next().unwrap_or_default();
    let sentence = sentence.trim_start_matches([' ', '¿']).to_lowercase();
    let first = bare(sentence.split_whitespace().next().unwrap_or_default());
    let either = OR.iter().filter_map(|or| sentence.rfind(or).map(|at| at + or.len())).max();
    lists(ASKS, &first)
        && either.is_some_and(|at| {
            let other = &sentence[at..];
            let verb = bare(other.split_whitespace().next().unwrap_or_default());
            lists(ASKS, &verb) && !speaks(other) && speaks(&sentence[..at])
        })
}

/// "Wie ändere ich den WLAN-Schlüssel für Gast-24 am Controller?": whose key is to be changed.
fn is_owner(place: &Place<'_>) -> bool {
    const OF: [&str; 12] =
        ["of", "von", "vom", "der", "des", "de", "del", "du", "van", "di", "do", "da"];
    const ARTICLES: [&str; 10] = ["the", "die", "den", "das", "el", "la", "le", "les", "il", "my"];
    const TO: [&str; 9] = ["to", "auf", "a", "à", "en", "in", "naar", "para", "zu"];
    let Place { value, before, after, .. } = *place;
    if !(value.ends_with('?') || after.contains('?')) {
        return false;
    }
    let clause = before.rsplit(['.', '!', '?', ':', '\n']).next().unwrap_or_default();
    let clause = clause.trim_start_matches([' ', '¿']).to_lowercase();
    let mut words = clause.split_whitespace();
    let first = words.next().map(bare).unwrap_or_default();
    let mut back = words.rev().skip_while(|word| ARTICLES.contains(word));
    let last = back.next().unwrap_or_default();
    let next = after.trim_start().split(' ').next().unwrap_or_default();
    let owner = FOR.contains(&last) || (OF.contains(&last) && !TO.contains(&next));
    lists(HOW, &first) && owner && before.ends_with(' ') && speaks(&clause)
}

/// `Lager-WLAN  244c2d6f-…  wifi  wlp2s0`: a device or another cell of a network's row.
fn is_of_network(place: &Place<'_>) -> bool {
    const BLANKS: &str = "  ";
    let Place { value, before, after, .. } = *place;
    let name = value.trim_end_matches(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
    let device = DEVICES.iter().any(|start| {
        value.strip_prefix(start).is_some_and(|rest| {
            rest.starts_with(|c: char| c.is_ascii_digit())
                && rest.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        })
    });
    let device = device && name.is_empty();
    let first = before.split(BLANKS).next().unwrap_or_default();
    let cell = !first.contains([':', '=', ' '])
        && NETWORKS.iter().any(|network| first.to_lowercase().contains(network));
    let columns = before.matches(BLANKS).count() + after.matches(BLANKS).count();
    let labeled = before.trim_end().ends_with([':', '=']);
    (device && !labeled) || (cell && columns > 1 && first.contains('-') && !labeled)
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
    use crate::redaction::announced::tests::{redacted, seals};

    #[test]
    fn a_password_that_is_on_its_way_is_not_told() {
        for text in [
            "the username is root, the password comes by separate mail to Ingrid",
            "the password was mailed to Chloé yesterday",
            "Benutzer ist kim, das Passwort folgt per SMS",
            "el usuario es kim, la contraseña llega por correo aparte a Marta",
            "l'utilisateur est kim, le mot de passe arrive par courrier à Chloé",
        ] {
            assert_eq!(redacted(text), text);
        }
        seals(&[
            ("the password: comes by mail", &["comes"]),
            ("das Passwort lautet Folgt-per-Brief-7", &["Folgt-per-Brief-7"]),
        ]);
    }

    #[test]
    fn questions_name_no_password() {
        for text in [
            "Do I need a passphrase for the borg repo on worker-25 or is the keyfile enough?",
            "¿Hace falta contraseña para el NAS o es suficiente la clave SSH?",
            "Wie ändere ich den WLAN-Schlüssel für FRITZ!Box-7590 am Controller 10.30.36.56?",
            "Comment changer la clé Wi-Fi pour Livebox-A1B2 sur le contrôleur ?",
            "Wo steht der WLAN-Schlüssel für die FRITZ!Box-7530?",
        ] {
            assert_eq!(redacted(text), text);
        }
        seals(&[
            ("Is the password Walnut77! or is it Cedar88! ?", &["Walnut77!", "Cedar88!"]),
            ("Wie ändere ich das Passwort Walnut77! für Gast?", &["Walnut77!"]),
        ]);
    }

    #[test]
    fn a_pattern_is_no_token() {
        assert_eq!(redacted("SOURCE_PAT=src/main"), "SOURCE_PAT=src/main");
        seals(&[("export GH_PAT=qk7zv2md4hxw5tpljbsw", &["qk7zv2md4hxw5tpljbsw"])]);
    }

    #[test]
    fn rows_of_networks_have_no_key() {
        let text = "NAME  UUID  TYPE  DEVICE\nLager-WLAN  7d1c22f0-99a1-4f0e-8d3c-0be1f6a7c9d2  wifi  wlp2s0";
        assert_eq!(redacted(text), text);
        seals(&[("WLAN: Lager-WLAN, Schlüssel: Walnut77!", &["Walnut77!"])]);
    }
}
