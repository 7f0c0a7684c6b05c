//! Recognizes passwords that people only mention: as bad examples, and as what must not be done: "never use passwords like
//! password123", "don't leave the default changeme as the admin password".
//!
//! Only weak passwords are bad examples. A strong one in such a sentence may well be in use.

use super::Place;
use crate::announcements::well_known::is_common;
use crate::weight::{Weight, is_default, weigh};

/// Words for passwords in general, and before a bad example.
const PLURALS: [&str; 11] = [
    "passwords",
    "passphrases",
    "passwörter",
    "kennwörter",
    "contraseñas",
    "contrasenas",
    "claves",
    "mots de passe",
    "mdp",
    "password",
    "senhas",
];
const LIKE: [&str; 8] =
    [" like", " such as", " wie", " como", " comme", " come", " tipo", " du genre"];
/// What advice against something begins with.
const ADVICE: [&str; 26] = [
    "never ",
    "don't ",
    "dont ",
    "do not ",
    "avoid",
    "must not",
    "shouldn't ",
    "should not ",
    "nie ",
    "niemals ",
    "keine ",
    "nicht ",
    "vermeide",
    "nunca ",
    "no uses ",
    "no usar ",
    "no usen ",
    "evit",
    "n'utilis",
    "jamais ",
    "ne pas ",
    "non usare ",
    "mai ",
    "não use",
    "nao use",
    "forbid",
];
/// What a sentence about passwords in general goes on with.
const VERBS: [&str; 8] =
    [" are ", " get ", " sind ", " werden ", " son ", " sont ", " sono ", " são "];
/// What a password should not serve as: "as a password", "als Passwort".
const AS: [&str; 9] = [
    " as a pass",
    " as your pass",
    " as their pass",
    " als passwort",
    " als kennwort",
    " como contraseña",
    " comme mot de passe",
    " come password",
    " como senha",
];
/// Words before what is only an example.
const EXAMPLES: [&str; 8] =
    ["e.g.", "for example", "for instance", "z.b.", "z. b.", "zum beispiel", "p. ej.", "par ex"];

/// Whether a value is only mentioned.
pub(super) fn is_warning(place: &Place<'_>) -> bool {
    let Place { value, before, after, .. } = *place;
    let bare = value.trim_end_matches(['!', '.', ',', '?', '"', '\'']);
    let after = after.trim_start_matches(['!', '"', '\'', '`']);
    let said = before.trim_end_matches([' ', '"', '\'', '`', '„', '“']);
    let like = said.ends_with(['e', 's', 'o']) && LIKE.iter().any(|like| said.ends_with(like));
    let second = after.as_bytes().get(1).map(u8::to_ascii_lowercase);
    let serves = matches!(second, Some(b'a' | b'c')) && AS.iter().any(|end| begins(after, end));
    let start = before.trim_start();
    let first = start.starts_with(['e', 'E', 'f', 'F', 'z', 'Z', 'p', 'P']);
    let mentioned = first && EXAMPLES.iter().any(|example| begins(start, example));
    let default = is_default(bare);
    // Most finds end here.
    if !(like || serves || mentioned || default) {
        return false;
    }
    let common = default || is_common(&bare.to_lowercase());
    let clause = before.rsplit(['.', ';', ':', '!', '?']).next().unwrap_or_default().to_lowercase();
    let advised = || ADVICE.iter().any(|advice| clause.contains(advice));
    let several = || PLURALS.iter().any(|noun| clause.contains(noun));
    let general = || VERBS.iter().any(|verb| after.starts_with(verb));
    // "don't ever leave the default changeme as the admin password"
    let left = default && (after.starts_with(" as ") || clause.contains("default"));
    (common || weigh(bare) <= Weight::Name)
        && ((like && several() && (advised() || general()))
            || ((serves || left) && advised())
            || (common && mentioned))
}

/// Whether a text begins with another, which is in lower case.
fn begins(text: &str, with: &str) -> bool {
    text.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn a_bad_example_stays() {
        for text in [
            "don't ever leave the default changeme as the admin password",
            "never use passwords like password123 in production",
            "never use hunter2 as a password",
            "passwords like Summer2024! are weak",
            "avoid passwords such as Summer2024",
            "bitte keine Passwörter wie hallo123 verwenden",
            "nunca uses contraseñas como hola123",
            "n'utilisez jamais de mots de passe comme azerty123",
            "non usare password come ciao1234",
            "não use senhas como senha123",
            "e.g. password: \"hunter2\" must never be in git",
        ] {
            assert_eq!(redacted(text), text);
        }
    }

    #[test]
    fn a_password_in_use_is_found_in_a_warning_too() {
        seals(&[
            ("never use the root password Tr0ub4dor-Hill9 elsewhere", &["Tr0ub4dor-Hill9"]),
            ("the password is Summer2024 and I never use it elsewhere", &["Summer2024"]),
            ("please don't share it: the password is hunter2", &["hunter2"]),
            ("use a password like Walnut-Grove-77 on all of them", &["Walnut-Grove-77"]),
        ]);
    }
}
