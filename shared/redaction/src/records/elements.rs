//! Finds passwords of several words between the tags of an element: `<password>old grey heron</password>`.

use crate::names;
use crate::talk::{Says, says};
use crate::things::is_placeholder;
use crate::words::{Role, fold};
use std::ops::Range;

/// The most elements of a line that are read.
const ELEMENTS: usize = 8;
/// How many words such a password has, and its greatest length, in bytes.
const WORDS: Range<usize> = 2..9;
const VALUE_BYTES: usize = 96;

/// The first such password of a line. One word is found without its tags.
pub fn phrase(line: &str) -> Option<Range<usize>> {
    // Most lines end here.
    line.contains("</").then_some(())?;
    line.match_indices("</").take(ELEMENTS).find_map(|(end, _)| {
        let name = line[end + 2..].split('>').next()?.trim_end();
        let (before, value) = line[..end].rsplit_once('>')?;
        let same = before.rsplit('<').next()?.split(' ').next()? == name;
        let mut folded = String::new();
        fold(&name[names::last_part(name)..], &mut folded);
        let password = same && names::key(name, &folded, None) == Some(Role::Password);
        let words = || value.split(' ');
        let kept = |c: char| c.is_alphanumeric() || "-_'!?.,".contains(c);
        let told = |word: &str| matches!(says(word), Some(Says::Parts | Says::About));
        let part = |word: &str| {
            !word.is_empty()
                && word.chars().all(kept)
                && !told(word.trim_matches(['.', ',', '!', '?']))
        };
        let whole = WORDS.contains(&words().count())
            && value.len() <= VALUE_BYTES
            && words().all(part)
            && words().any(|word| says(word).is_none());
        let start = end - value.len();
        (password && whole && !is_placeholder(value)).then_some(start..end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_an_element_is_the_whole_password() {
        for (line, secret) in [
            ("<password>walnut river</password>", "walnut river"),
            ("<user>kim</user><password>old grey heron</password>", "old grey heron"),
            ("<adminPassword type=\"x\">walnut river</adminPassword>", "walnut river"),
        ] {
            assert_eq!(phrase(line).map(|span| &line[span]), Some(secret), "{line}");
        }
        for line in [
            "<password>enter your password</password>",
            "<password>see the vault</password>",
            "<password>walnut</password>",
            "<title>walnut river</title>",
            "<b>password</b>walnut river</password>",
        ] {
            assert_eq!(phrase(line), None, "{line}");
        }
    }
}
