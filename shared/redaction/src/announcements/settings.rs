//! Finds settings whose value has several words without quotes: in YAML, and in a connection string.

use super::{COMPARED_BYTES, Line, PHRASE, fits};
use crate::talk::{Says, says};
use std::ops::Range;

/// How many parts of a connection string are read.
const PARTS: usize = 24;

/// Whether a value of several words may be a password, and does not say anything about one.
fn is_phrase(value: &str) -> bool {
    let words = value.split(' ').filter(|word| !word.is_empty()).count();
    let word = |word: &str| matches!(says(word), None | Some(Says::Joins | Says::Describes));
    (2..=PHRASE.1).contains(&words)
        && value.len() <= PHRASE.0
        && value.split(' ').all(word)
        && !value.contains(['$', '{', '<', '"', '\'', '#', '[', '('])
}

/// `MARIADB_ROOT_PASSWORD: two words`
pub(super) fn yaml(line: &Line) -> Option<Range<usize>> {
    if line.text.len() > COMPARED_BYTES {
        return None;
    }
    let (name, value) = line.text.split_once(": ")?;
    let name = name.trim_start_matches([' ', '-', '"']).trim_end_matches('"');
    let value = value.trim();
    let capitals = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let named = name.contains('_')
        && name.chars().all(capitals)
        && ["PASSWORD", "PASSWD", "PASSPHRASE", "_PASS", "_PWD"]
            .iter()
            .any(|end| name.ends_with(end));
    (named && is_phrase(value)).then(|| line.span(value))
}

/// `Server=sql01;User Id=sa;Password=two words;`
pub(super) fn connection(line: &Line) -> Option<Range<usize>> {
    let mut parts = line.text.split(';').take(PARTS).peekable();
    let first = parts.peek()?;
    if first.len() == line.text.len() {
        return None;
    }
    parts.find_map(|part| {
        let (name, value) = part.split_once('=')?;
        let name = name.trim().to_ascii_lowercase();
        let value = value.trim_end_matches(['"', '\'']);
        (["password", "pwd"].contains(&name.as_str()) && is_phrase(value) && fits(value))
            .then(|| line.span(value))
    })
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn a_setting_may_have_several_words() {
        seals(&[
            ("  MARIADB_ROOT_PASSWORD: grey whale", &["grey whale", "grey", "whale"]),
            ("Server=sql1;User Id=sa;Password=Iron Gnome 5;Encrypt=true", &["Iron", "Gnome 5"]),
        ]);
        for text in ["DB_PASSWORD: see vault", "Server=sql1;Password=$PW of env;Encrypt=true"] {
            assert_eq!(redacted(text), text);
        }
    }
}
