//! Finds weak passwords in sentences: `create user kim with password example`, "the password is literally password".
//!
//! Such words speak about passwords in most sentences. They are one where a login is complete with them and the clause ends
//! there, and behind "is" where they do not describe a password: "the password is secret" says how it is handled.

use super::weak_values::{is_about_example, is_weak};
use super::{COMPARED_BYTES, Line};
use crate::lexicon::{Part, part};
use crate::talk::{Says, says};
use crate::words::{AND, Role, folded, lists, role};
use std::ops::Range;

/// Words for a user besides those of [`role`], folded.
const USERS: &str =
    "user username usuario utilisateur utente benutzer nutzer usuario login compte konto account";
/// The most words between the word for a user and the one for the password.
const WORDS: usize = 5;
/// The most adverbs behind "is".
const ADVERBS: usize = 2;

/// The last word of the login.
pub(super) fn value(line: &Line<'_>, noun: usize) -> Option<Range<usize>> {
    if line.text.len() > COMPARED_BYTES || line.text.contains('?') {
        return None;
    }
    let words = &line.words;
    let rest = &words[noun + 1..];
    let is = rest.first().is_some_and(|word| part(word) == Some(Part::Is));
    let adverb = |word: &&&str| part(word) == Some(Part::When);
    let passed = if is { 1 + rest[1..].iter().take(ADVERBS).take_while(adverb).count() } else { 0 };
    let shown = *rest.get(passed)?;
    let value = shown.trim_end_matches([',', '.', ';', '!', ')']);
    let next = rest.get(passed + 1);
    let goes_on = |next: &str| {
        AND.contains(&next)
            || (role(value).is_none_or(|role| role != Role::Login)
                && says(next) == Some(Says::Joins))
    };
    let ends = value.len() < shown.len() || next.is_none_or(|next| goes_on(next));
    if !ends || !is_weak(value) {
        return None;
    }
    let at = noun + 1 + passed;
    let about =
        |(other, word): (usize, &&str)| other != at && is_about_example(&word.to_lowercase());
    if words.iter().enumerate().any(about) {
        return None;
    }
    let own = if is {
        !matches!(says(value), Some(Says::Describes)) && role(value) != Some(Role::Token)
    } else {
        names_user(&words[noun.saturating_sub(WORDS)..noun])
    };
    own.then(|| line.span(value))
}

/// Whether some words name a user: "user kim,", "login with admin and".
fn names_user(words: &[&str]) -> bool {
    let plain = |word: &str| folded(word.trim_matches([',', ':', ';', '('])).into_owned();
    let Some(at) = words.iter().position(|word| {
        let word = plain(word);
        lists(USERS, &word) || role(&word) == Some(Role::Login)
    }) else {
        return false;
    };
    let mut rest = words[at + 1..].iter().map(|word| plain(word));
    let name =
        rest.find(|word| !matches!(role(word), Some(Role::With | Role::As)) && word != "named");
    name.is_some_and(|name| {
        !AND.contains(&name.as_str()) && !matches!(name.as_str(), "or" | "the" | "a")
    })
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::redacted;

    #[test]
    fn a_weak_word_completes_a_login() {
        for text in [
            "create user kim with password example",
            "user kim, password secret",
            "login admin password admin",
            "I just used user root and password root in docker compose",
            "login with admin and password password",
            "crea un usuario juan con contraseña secreto",
            "the password is literally password",
            "the db password is example, i know",
        ] {
            assert!(redacted(text).contains("{{secret:"), "{text}");
        }
    }

    #[test]
    fn words_about_a_password_stay() {
        for text in [
            "the password is secret",
            "das Passwort ist geheim",
            "the password is default",
            "log in with user and password",
            "user kim, password login disabled",
            "create a user with password login",
            "is the password admin?",
            "the login form has a user and a password",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
