//! Finds one password for each of several machines: `passwords: walnut for web1, hazelnut for web2`.

use super::{COMPARED_BYTES, Line, fits, is_made_up, trim};
use crate::grammar::{is_article, is_plain, is_tool};
use crate::identifiers::is_thing_noun;
use crate::words::{AND, FIRST_USERS, FOR, folded, lists};
use std::ops::Range;

/// Words for several passwords.
const NOUNS: &str = "passwords passphrases passwörter passwoerter kennwörter contraseñas contrasenas claves passe mdps pws password senhas";
/// "on", besides "for".
const ON: &str = "on auf bei en sur su no na em";
/// The most words after "for".
const NAME_WORDS: usize = 3;
/// What a list is about if it does not tell passwords.
const OTHERS: &str = "access accesses keys key logins accounts users rules reset resets rotation policy expiry ssh sudo";

/// The passwords.
pub(super) fn values(line: &Line) -> Vec<Range<usize>> {
    let several = || {
        line.words().any(|word| {
            let word =
                word.strip_prefix('(').unwrap_or(word).trim_end_matches([':', ')', ',', ';']);
            // Most words end here.
            word.starts_with(['p', 'P', 'k', 'K', 'c', 'C', 'm', 'M', 's', 'S'])
                && word.ends_with(['s', 'r', 'e', 'd'])
                && lists(NOUNS, &word.to_lowercase())
        })
    };
    if line.text.len() > COMPARED_BYTES || !line.chars.has_any(b",;") || !several() {
        return Vec::new();
    }
    let parts = line.text.split([',', ';']);
    let read: Vec<_> = parts.map(|part| of_part(part)).collect();
    // A part without a password would make the list one of something else.
    match read.iter().cloned().collect::<Option<Vec<_>>>() {
        Some(values) if values.len() > 1 => {
            values.into_iter().map(|value| line.span(value)).collect()
        }
        _ => Vec::new(),
    }
}

/// The word before "for web1" at the end of a part.
fn of_part(part: &str) -> Option<&str> {
    // "(passwords)"
    let part = part.split(" (").next().unwrap_or(part);
    let words: Vec<_> = part.split_whitespace().collect();
    let words = match words.split_first() {
        Some((first, rest)) if AND.contains(first) => rest,
        _ => &words,
    };
    let at = words.iter().rposition(|word| FOR.contains(word) || lists(ON, word))?;
    let name = words[at + 1..].iter().filter(|word| !is_article(word));
    let named = (1..=NAME_WORDS).contains(&name.count());
    let value = trim(words[..at].last()?);
    let word = folded(value);
    let other = is_thing_noun(&word) || lists(OTHERS, &word) || lists(FIRST_USERS, &word);
    let own = (is_plain(value) && !is_tool(value) && !other) || is_made_up(value);
    (named && own && fits(value)).then_some(value)
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn each_machine_has_its_password() {
        seals(&[
            ("root walnut for web1, hazelnut for web2 (passwords)", &["walnut", "hazelnut"]),
            ("passwords: walnut for web1, hazelnut for the db", &["walnut", "hazelnut"]),
            ("root passwords: walnut on web1, hazelnut on web2", &["walnut", "hazelnut"]),
            ("root Walnuss für web1, Haselnuss für web2 (Passwörter)", &["Walnuss", "Haselnuss"]),
            ("contraseñas: nogal para web1, avellana para web2", &["nogal", "avellana"]),
            ("mots de passe : noix pour web1, noisette pour web2", &["noix", "noisette"]),
        ]);
        for text in [
            "root access for web1, deploy for web2 (passwords)",
            "passwords: reset for web1, rotation for web2",
            "keys for web1, passwords for web2",
            "we need passwords: one for web1, another for web2",
            "passwords are different for web1, identical for web2",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
