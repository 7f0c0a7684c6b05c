//! Recognizes words with which people begin and end a message, names of people who have a password, and resources that are
//! planned to change.

use super::Place;
use crate::words::{folded, lists};

/// Words at the start of a message.
const GREETINGS: [&str; 26] = [
    "hello",
    "hallo",
    "hey",
    "hola",
    "bonjour",
    "ciao",
    "salut",
    "moin",
    "servus",
    "hoi",
    "cześć",
    "dzień",
    "salve",
    "olá",
    "buenas",
    "buongiorno",
    "bonsoir",
    "goedemorgen",
    "welcome",
    "howdy",
    "greetings",
    "hiya",
    "witam",
    "guten",
    "good",
    "buenos",
];
/// Words at the end of a message.
const CLOSINGS: [&str; 30] = [
    "thanks",
    "thank",
    "cheers",
    "regards",
    "danke",
    "gracias",
    "saludos",
    "merci",
    "cordialement",
    "grazie",
    "saluti",
    "obrigado",
    "obrigada",
    "bedankt",
    "groeten",
    "groetjes",
    "dzięki",
    "dziękuję",
    "pozdrawiam",
    "pozdrowienia",
    "grüße",
    "gruß",
    "abraços",
    "abraço",
    "bisous",
    "amicalement",
    "sincerely",
    "best",
    "cordialmente",
    "atentamente",
];

/// The letters at the start and the end of a value without its signs, in lower case.
fn plain(value: &str) -> Option<String> {
    let word = value.trim_end_matches(['!', '.', ',']);
    let letters = !word.is_empty() && word.chars().all(char::is_alphabetic);
    letters.then(|| word.to_lowercase())
}

/// What people wish a good one of: "Schönen Feierabend!", "¡Buen finde!", folded.
const WISHES: &str = "schonen schones schone gutes guten gute buen buena bon bonne nice great happy good feliz prettige fijne buona";

/// Whether a match greets or wishes something: "Hello! I forgot my password", "… le mot de passe ? Cordialement".
pub(super) fn is_greeting(place: &Place<'_>) -> bool {
    let (first, last) = (place.before.trim().is_empty(), place.after.trim().is_empty());
    let spoken = || place.value.ends_with('!') && place.after.starts_with(' ');
    let ended = || place.before.trim_end().ends_with(['.', '?', '!', ',', ')']);
    let wished = || {
        let wish = folded(place.last().trim_start_matches(['¡', '(', '-'])).into_owned();
        lists(WISHES, &wish) && place.value.chars().all(|c| c.is_alphabetic() || c == '!')
    };
    (last && wished())
        || (first || last)
            && plain(place.value).is_some_and(|word| {
                (first && spoken() && GREETINGS.contains(&word.as_str()))
                    || (last && ended() && CLOSINGS.contains(&word.as_str()))
            })
}

/// Whether a match is a person of whom a sentence says something: "c'est Miguel qui l'a".
pub(super) fn is_somebody(place: &Place<'_>) -> bool {
    const THAT: [&str; 8] =
        [" qui ", " que ", " who ", " che ", " quien ", " quem ", " die ", " der "];
    const IS: [&str; 8] = ["c'est ", "c’est ", "it's ", "it is ", "è ", "es ", "é ", "ist "];
    let Place { value, before, after, .. } = *place;
    let named = value.starts_with(char::is_uppercase) && value.chars().all(char::is_alphabetic);
    named
        && THAT.iter().any(|that| after.starts_with(that))
        && IS.iter().any(|is| before.to_lowercase().ends_with(is))
}

/// Whether a find is the name under which somebody plays or writes: "my username is CrankyOtter77".
pub(super) fn is_nickname(place: &Place<'_>) -> bool {
    const NOUNS: &str = "username nickname nick pseudo pseudonyme gamertag usuario benutzername spielername nutzername alias handle apodo";
    const NEAR: usize = 5;
    let Place { value, before, .. } = *place;
    // Most finds end here.
    if !value.starts_with(char::is_uppercase) {
        return false;
    }
    let word = value.trim_end_matches(['.', ',', '!', '?']);
    let name = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let plain =
        name.len() >= 4 && word.len() - name.len() <= 4 && name.chars().all(char::is_alphabetic);
    let last = place.last().to_lowercase();
    if !plain || !(super::IS.contains(&last.as_str()) || last == "c'est") {
        return false;
    }
    let near = before.split_whitespace().rev().skip(1).take(NEAR);
    let clause = near.take_while(|word| !word.ends_with(['.', ',', ';', ':']));
    let mut named = false;
    for word in clause {
        named |= lists(NOUNS, &word.to_lowercase());
        if super::announces(word) {
            return false;
        }
    }
    named
}

/// Whether a match is a public key of SSH that someone wrote in lower case, `ssh-ed25519 aaaac3nza…`, or the kind of
/// one.
pub(super) fn is_public_key(place: &Place<'_>) -> bool {
    const MARK: &str = "aaaa";
    const KINDS: [&str; 6] = [
        "ssh-ed25519 ",
        "ssh-rsa ",
        "ssh-dss ",
        "ecdsa-sha2-nistp256 ",
        "ecdsa-sha2-nistp384 ",
        "ecdsa-sha2-nistp521 ",
    ];
    let Place { value, before, after, .. } = *place;
    let marked =
        |text: &str| text.get(..MARK.len()).is_some_and(|mark| mark.eq_ignore_ascii_case(MARK));
    let kind = after.strip_prefix(' ').is_some_and(marked)
        && KINDS.iter().any(|kind| kind.trim_end() == value);
    kind || (marked(value) && KINDS.iter().any(|kind| before.ends_with(kind)))
}

/// Whether a find is the address of a resource that is planned to change: `aws_db_instance.events will be updated`.
pub(super) fn is_planned(place: &Place<'_>) -> bool {
    place.value.contains('.')
        && place.after.starts_with(" will be ")
        && place.before.trim_start().starts_with('#')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place<'a>(before: &'a str, value: &'a str, after: &'a str) -> Place<'a> {
        Place { value, before, after, above: "" }
    }

    #[test]
    fn a_greeting_is_not_a_secret() {
        assert!(is_greeting(&place("", "Hello!", " I forgot my password")));
        assert!(is_greeting(&place("Comment changer le mot de passe ? ", "Cordialement", "")));
        assert!(!is_greeting(&place("the password is ", "Cordialement", "")));
        assert!(is_greeting(&place("genau so. Schönen ", "Feierabend!", "")));
        assert!(is_greeting(&place("está en el gestor. ¡Buen ", "finde!", "")));
        assert!(!is_greeting(&place("", "hello", " is the password")));
        assert!(!is_greeting(&place("the password is ", "Feierabend!", "")));
    }

    #[test]
    fn a_person_who_has_a_password_is_not_a_password() {
        assert!(is_somebody(&place("plus tard, c'est ", "Miguel", " qui l'a.")));
        assert!(!is_somebody(&place("le mot de passe, c'est ", "Miguel7", " qui marche")));
        assert!(!is_somebody(&place("le mot de passe, c'est ", "Miguel", ".")));
    }

    #[test]
    fn a_public_key_in_small_letters_is_not_a_secret() {
        assert!(is_public_key(&place(
            "my key is ssh-ed25519 ",
            "aaaac3nzac1lzdi1nte5aaaai48S",
            ""
        )));
        assert!(!is_public_key(&place("my key is ", "aaaac3nzac1lzdi1nte5aaaai48S", "")));
        let list = "NOPASSWD:ALL ssh_authorized_keys: [\"";
        assert!(is_public_key(&place(list, "ssh-ed25519", " AAAAC3NzaC1lZDI1NTE5AAAAIMjh deploy")));
        assert!(!is_public_key(&place("password: ", "ssh-ed25519", "")));
    }

    #[test]
    fn a_planned_resource_is_not_a_secret() {
        assert!(is_planned(&place("  # ", "aws_db_instance.shop", " will be updated in-place")));
    }
}
