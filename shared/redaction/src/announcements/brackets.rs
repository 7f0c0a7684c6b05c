//! Finds plain words between brackets: right behind the word for a password, and as the password before the new one:
//! `the password (rainbow) is the same on both`, `new password: thunder (old one was rainbow)`.

use super::{COMPARED_BYTES, Line, NOUNS, fits, trim};
use crate::grammar::{is_article, is_plain, is_tool};
use crate::identifiers::{is_product, is_service, is_thing_noun};
use crate::lexicon::{Part, part};
use crate::words::{FIRST_USERS, folded, lists, role};
use std::ops::Range;

/// Short words for a password.
const SHORT: &str = "pw pwd mdp passe";
/// Words for the password before the new one.
const OLD: &str = "old previous before alt alte altes altem vorher bisher antes antigua anterior vieja ancien ancienne avant vecchia prima \
     precedente antiga velha";
/// What programs and forms have a password for, and what a word may be: not a password.
const FORMS: &str = "argument attribute property input column cell singular plural noun verb lowercase \
     uppercase";
/// The most words of a text about the old password.
const WORDS: usize = 5;

/// The word between the first brackets.
pub(super) fn value(line: &Line) -> Option<Range<usize>> {
    if line.text.len() > COMPARED_BYTES {
        return None;
    }
    let (before, rest) = line.text.split_once(" (")?;
    let (inner, after) = rest.split_once(')')?;
    if after.starts_with('?') {
        return None;
    }
    let mut words = before.split_whitespace().rev();
    let noun = words.next().is_some_and(|word| {
        let lower = word.to_lowercase();
        NOUNS.contains(&lower.as_str()) || lists(SHORT, &lower)
    });
    // "mot de passe": the article comes before all of it.
    let owned = words.find(|word| !matches!(*word, "mot" | "de")).is_some_and(is_article);
    let value = match old(inner) {
        Some(old) => old,
        None if noun && owned => trim(inner),
        None => return None,
    };
    let word = folded(value);
    let thing = is_thing_noun(&word)
        || is_service(&word)
        || is_product(&word)
        || role(&word).is_some()
        || lists(FIRST_USERS, &word)
        || lists(FORMS, &word);
    (is_plain(value) && !is_tool(value) && !thing && fits(value)).then(|| line.span(value))
}

/// The last word of `old one was rainbow`.
fn old(inner: &str) -> Option<&str> {
    let words: Vec<_> = inner.split_whitespace().collect();
    let value = *words.last()?;
    let led = words.iter().any(|word| lists(OLD, &folded(word.trim_end_matches(':'))));
    let tie = words.get(words.len().checked_sub(2)?)?;
    let tied = tie.ends_with([':', '=']) || part(tie) == Some(Part::Is);
    (words.len() <= WORDS && led && tied).then_some(value)
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn a_word_between_brackets_is_the_password_before_them() {
        seals(&[
            ("the password (rainbow) is the same on both", &["rainbow"]),
            ("das Passwort (Regenbogen) gilt für beide", &["Regenbogen"]),
            ("neues Passwort: regenbogen (altes war donner)", &["regenbogen", "donner"]),
            ("new password: thunder (old one was rainbow)", &["thunder", "rainbow"]),
        ]);
        for text in [
            "the password (optional) is not needed",
            "the password (root) does not work",
            "the password (bcrypt) is stored in the table",
            "is the password (rainbow)?",
            "the password (see the vault) is new",
            "the password (grafana) expired",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
