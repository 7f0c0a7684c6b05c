//! Finds passwords of several words between the tags of an element, `<password>old grey heron</password>`, and values on
//! the line below a tag.

use crate::names;
use crate::talk::{Says, says};
use crate::things::{is_placeholder, is_stand_in};
use crate::words::{Role, fold};
use std::ops::Range;

/// The most elements of a line that are read.
const ELEMENTS: usize = 8;
/// How many words such a password has, and its greatest length, in bytes.
const WORDS: Range<usize> = 2..9;
const VALUE_BYTES: usize = 96;
/// The longest value on a line of its own, in bytes.
const LINE_VALUE_BYTES: usize = 512;

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

/// The value on a line of its own, if the line above opens an element that is named as a secret:
/// `<apiToken>`, and below it the token.
pub fn below(line: &str, above: &str) -> Option<Range<usize>> {
    // Most lines end here.
    above.ends_with(['>', ' ', '\t', '\r']).then_some(())?;
    let name = above.trim().strip_prefix('<')?.strip_suffix('>')?;
    let value = line.trim();
    let name = name.split([' ', '\t']).next()?;
    let named = name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-.:".contains(&b));
    let one =
        !value.is_empty() && value.len() <= LINE_VALUE_BYTES && !value.contains(['<', '>', ' ']);
    let mut folded = String::new();
    fold(&name[names::last_part(name)..], &mut folded);
    let role = || names::key(name, &folded, None);
    let start = line.len() - line.trim_start().len();
    (named
        && one
        && matches!(role(), Some(Role::Password | Role::Token))
        && says(value).is_none()
        && !is_stand_in(value))
    .then_some(start..start + value.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_may_be_on_the_line_below_its_tag() {
        for (above, line, secret) in [
            (
                "<herokuToken>",
                "    f6d5af6a-809c-d0e4-20f0-d20c3383f6d5",
                "f6d5af6a-809c-d0e4-20f0-d20c3383f6d5",
            ),
            ("  <password>", "    walnut", "walnut"),
            ("<jira-token>", "  pj6joa84qdt9oz7xv80y2dcb", "pj6joa84qdt9oz7xv80y2dcb"),
        ] {
            assert_eq!(below(line, above).map(|span| &line[span]), Some(secret), "{line}");
        }
        for (above, line) in [
            ("<title>", "  walnut"),
            ("<password>", "  <value>walnut</value>"),
            ("<password>", "  ${db.password}"),
            ("<password>", "  see the vault"),
            ("</password>", "  walnut"),
            ("<password/>", "  walnut"),
            ("password", "  walnut"),
        ] {
            assert_eq!(below(line, above), None, "{above} {line}");
        }
    }

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
