//! Placeholders in angle brackets where a value would stand: `-p<password> orders`, `DB_PASSWORD=<enter it here>`. They are the
//! value, so neither their words nor what follows is a secret.

use crate::places::bytes;
use std::ops::Range;

/// The longest placeholder, in bytes.
const BYTES: usize = 64;
/// The longest option before one, in bytes.
const OPTION_BYTES: usize = 24;

/// The placeholders of a text.
pub fn find(text: &str) -> Vec<Range<usize>> {
    bytes(text, b'<')
        .filter_map(|at| {
            let rest = &text[at + 1..text.floor_char_boundary(at + 1 + BYTES)];
            let words = &rest[..rest.find('>')?];
            let end = at + words.len() + 2;
            let next = text[end..].chars().next();
            let ends = next.is_none_or(|c| !c.is_alphanumeric() && !"<_@!#$".contains(c));
            let line = text[end..text.floor_char_boundary(end + BYTES)].split('\n').next();
            let element = line.is_some_and(|line| line.contains("</"));
            (ends && !element && is_words(words) && expects(&text[..at])).then_some(at..end)
        })
        .collect()
}

/// Whether one of these placeholders comes right before a place on its line: what follows it is not a value.
pub fn is_before(text: &str, placeholders: &[Range<usize>], at: usize) -> bool {
    let end = text[..at].trim_end_matches(' ').len();
    placeholders.binary_search_by_key(&end, |placeholder| placeholder.end).is_ok()
}

/// Whether a text is made of words: "enter it here", "db-password", "DB_PASSWORD".
fn is_words(text: &str) -> bool {
    let word = |c: char| c.is_alphabetic() || " -_'./,".contains(c);
    let several = text.contains(' ');
    let named = text.chars().all(|c| c.is_lowercase() || "-_".contains(c))
        || text.chars().all(|c| c.is_uppercase() || "-_".contains(c));
    text.starts_with(char::is_alphabetic)
        && !text.ends_with(['/', ' '])
        && text.chars().all(word)
        && (several || named)
}

/// Whether a value follows a text: behind a sign, or as the argument of an option.
fn expects(before: &str) -> bool {
    let bare = before.trim_end_matches([' ', '"', '\'', '`']);
    let from = bare.floor_char_boundary(bare.len().saturating_sub(OPTION_BYTES));
    let last = bare[from..].rsplit([' ', '\t', '\n']).next().unwrap_or_default();
    let option = last.strip_prefix('-').is_some_and(|name| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    });
    bare.ends_with(['=', ':']) || option
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn a_placeholder_is_the_value() {
        for text in [
            "mysql -u kim -p<password> orders < dump.sql",
            "redis-cli -a <redis password> ping",
            "DB_PASSWORT=<bitte hier eintragen>\nDB_HOST=db2.example.org",
            "utilisateur : marie\nmot de passe : <à compléter>",
            "contraseña: <poner aquí>\nusuario: marta",
            "password: <Enter it here>\nhost: web2.example.org",
        ] {
            assert_eq!(redacted(text), text);
        }
    }

    #[test]
    fn other_values_in_brackets_are_found() {
        seals(&[
            ("password: <hunter2!>", &["hunter2!"]),
            ("<password>Walnut77!</password>", &["Walnut77!"]),
            ("DB_PASSWORD=<enter it here>\nDB_ROOT_PASSWORD=Walnut77!", &["Walnut77!"]),
            ("the password for <kim> is Walnut77!", &["Walnut77!"]),
        ]);
    }
}
