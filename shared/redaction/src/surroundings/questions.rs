//! Recognizes what questions name, and names no password: a place, an owner, an alternative.

use super::absent::{bare, speaks};
use super::{Place, announces};
use crate::announcements::well_known;
use crate::words::{FOR, OF, lists};

/// How somebody asks about one of two things, before "or"; and the verbs behind it.
const ASKS: &str = "do does is are can could should must will would may braucht brauche brauchen brauchst muss müssen ist sind kann soll \
     sollte reicht genügt gibt necesito necesita necesitamos hace es está basta tiene debo puedo se faut-il ai-je dois-je est-ce avons-nous \
     peut-on y doit-on faut devo serve";
const OR: [&str; 6] = [" or ", " oder ", " o ", " ou ", " oppure ", " of "];
/// Beginnings of a question about how something is done.
const HOW: &str = "how where wie wo cómo como dónde comment où come hoe jak";
/// Words before a new password, or before a place.
const TO: [&str; 9] = ["to", "auf", "a", "à", "en", "in", "naar", "para", "zu"];

/// "Is `changeme` the default password of this chart?": a password that everyone knows.
fn is_default(place: &Place<'_>) -> bool {
    const IS: &str = "is was ist war es era est è é";
    let sentence = sentence(place.before);
    let first = sentence.trim_end_matches(['"', '\'', '`', '„', '“', ' ']);
    let after = place.after.split(['.', '!', '\n']).next().unwrap_or_default().to_lowercase();
    lists(IS, first)
        && well_known::is_common(&place.value.to_lowercase())
        && well_known::DEFAULTS.iter().any(|word| after.contains(word))
}

/// Whether a value is named in a question.
pub(super) fn is_of_question(place: &Place<'_>) -> bool {
    is_place(place)
        || is_inverted(place.value)
        || (place.is_of_question()
            && (is_alternative(place)
                || is_default(place)
                || is_owner(place)
                || is_asked(place)
                || is_to_change(place.before)))
}

/// `Pouvez-vous`, `Faut-il`: a French verb with its subject.
fn is_inverted(value: &str) -> bool {
    const SUBJECTS: [&str; 8] = ["vous", "nous", "il", "elle", "ils", "elles", "tu", "on"];
    value.rsplit_once('-').is_some_and(|(verb, subject)| {
        SUBJECTS.contains(&subject)
            && !verb.is_empty()
            && verb.chars().all(|c| c.is_alphabetic() || c == '-')
    })
}

/// The sentence so far, in lower case.
fn sentence(before: &str) -> String {
    let sentence = before.rsplit(['.', '!', '?', ':', '\n']).next().unwrap_or_default();
    sentence.trim_start_matches([' ', '¿']).to_lowercase()
}

/// "Do I need a passphrase for the repository or is the keyfile enough?": the other of two things.
fn is_alternative(place: &Place<'_>) -> bool {
    let plain = |c: char| c.is_alphabetic() || " -'’?,".contains(c);
    if !place.value.chars().all(plain) {
        return false;
    }
    let sentence = sentence(place.before);
    let first = bare(sentence.split_whitespace().next().unwrap_or_default());
    let either = OR.iter().filter_map(|or| sentence.rfind(or).map(|at| at + or.len())).max();
    lists(ASKS, &first)
        && either.is_some_and(|at| {
            let other = &sentence[at..];
            let verb = bare(other.split_whitespace().next().unwrap_or_default());
            (lists(ASKS, &verb) || is_way(other)) && !speaks(other) && speaks(&sentence[..at])
        })
}

/// "hay que entrar por", "do we go through": the last word before a value says where or how.
fn is_way(clause: &str) -> bool {
    const BY: &str = "by via in at on with from through por en con desde en mit über ueber per im am an auf par sur dans avec depuis";
    let mut words = clause.split_whitespace();
    words.next_back().is_some_and(|last| lists(BY, last)) && words.next().is_some()
}

/// "Wie ändere ich den WLAN-Schlüssel für Gast-24 am Controller?": whose key is to be changed.
fn is_owner(place: &Place<'_>) -> bool {
    const ARTICLES: [&str; 10] = ["the", "die", "den", "das", "el", "la", "le", "les", "il", "my"];
    let Place { before, after, .. } = *place;
    let clause = sentence(before);
    let mut words = clause.split_whitespace();
    let first = words.next().map(bare).unwrap_or_default();
    let mut back = words.rev().skip_while(|word| ARTICLES.contains(word));
    let last = back.next().unwrap_or_default();
    let next = after.trim_start().split(' ').next().unwrap_or_default();
    let owner = FOR.contains(&last) || (OF.contains(&last) && !TO.contains(&next));
    lists(HOW, &first) && owner && before.ends_with(' ') && speaks(&clause)
}

/// The place with which the sentence after a question ends: "¿Quién tiene la contraseña? La piden en
/// recepción".
fn is_place(place: &Place<'_>) -> bool {
    const IN: [&str; 12] =
        ["en", "in", "at", "im", "am", "an", "na", "em", "à", "bei", "beim", "chez"];
    const WORDS: usize = 3;
    let Place { value, before, after, .. } = *place;
    let Some((_, sentence)) = before.rsplit_once("? ") else { return false };
    let mut words = sentence.split_whitespace();
    let last = words.next_back().unwrap_or_default();
    value.trim_end_matches('.').chars().all(char::is_lowercase)
        && after.trim().is_empty()
        && IN.contains(&last)
        && words.count() + 1 >= WORDS
        && !announces(sentence)
}

/// A plain word in a question about how something is done: "Wie ändere ich das Passwort von felix auf db-13?"
fn is_asked(place: &Place<'_>) -> bool {
    let clause = sentence(place.before);
    let mut words = clause.split_whitespace();
    let first = words.next().unwrap_or_default();
    place.value.bytes().all(|b| b.is_ascii_lowercase())
        && place.after.split(". ").next().is_some_and(|rest| rest.contains('?'))
        && lists(HOW, first)
        && !words.next_back().is_some_and(|last| TO.contains(&last))
}

/// "change the key of the WLAN: where in the router?"
fn is_to_change(before: &str) -> bool {
    const VERBS: [&str; 12] = [
        "ändern:",
        "wechseln:",
        "zurücksetzen:",
        "change:",
        "reset:",
        "rotate:",
        "cambiar:",
        "restablecer:",
        "changer:",
        "réinitialiser:",
        "changer :",
        "réinitialiser :",
    ];
    let lower = before.to_lowercase();
    VERBS.iter().any(|verb| lower.contains(verb))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn questions_name_no_password() {
        for text in [
            "is `changeme` the default password for this chart?",
            "Ist admin123 das Standardpasswort?",
            "Do I need a passphrase for the borg repo on worker-25 or is the keyfile enough?",
            "¿Hace falta contraseña para el NAS o es suficiente la clave SSH?",
            "Wie ändere ich den WLAN-Schlüssel für FRITZ!Box-7590 am Controller 10.30.36.56?",
            "Comment changer la clé Wi-Fi pour Livebox-A1B2 sur le contrôleur ?",
            "Wo steht der WLAN-Schlüssel für die FRITZ!Box-7530?",
            "¿Puedo cambiar la clave de root desde el panel o hay que entrar por consola?",
            "Kann ich das Passwort hier ändern oder muss ich mich per konsole anmelden?",
            "Passwort vom WLAN ändern: geht das im Router7-Menü?",
        ] {
            assert_eq!(redacted(text), text);
        }
        seals(&[
            ("Is the password Walnut77! or is it Cedar88! ?", &["Walnut77!", "Cedar88!"]),
            ("Wie ändere ich das Passwort Walnut77! für Gast?", &["Walnut77!"]),
        ]);
    }
}
