//! Recognizes identifiers: random texts that name a thing, such as an event, a parcel or a commit.
//!
//! They look as random as a key, and no list of their forms ends. But people say what an identifier names, and rarely
//! say what a pasted key is for in the same way. So a text that a machine made is an identifier if a noun for a thing
//! comes right before it ("event 50970abd…", "Sendung 1Z…"), if something happens to it right after ("… stuck in
//! retry"), if its line is one of a log, or if its clause goes on about an ordinary noun ("the parcel of the switch …").
//! A key follows a sign, a verb, a pronoun or the name of its service ("datadog 9ad3…"), or stands alone on its line.
//! Some [`forms`] need no words at all.
//!
//! The module judges only texts that no word for a secret announces.

pub mod forms;
mod nouns;

use super::lexicon::part;
use super::talk::says;
use super::weight::is_hex;
use super::words::{OF, Role, folded, lists, role};
use nouns::{happens, is_noun};
pub use nouns::{is_noun as is_thing_noun, is_product, is_service};
use std::ops::Range;

/// How far the line of a text is read before and after it, in bytes.
const LINE_BYTES: usize = 160;
/// The shortest text that may be an identifier, in bytes.
const LEAST_BYTES: usize = 6;
/// The shortest hexadecimal number that a clause makes an identifier, in bytes.
const HEX_BYTES: usize = 7;
/// The shortest text of letters in one case with digits that a clause makes an identifier, in bytes.
const CODE_BYTES: usize = 8;
/// The shortest text of any letters and digits that a clause makes an identifier, in bytes.
const MIXED_BYTES: usize = 16;
/// The shortest number that a clause makes an identifier, in digits.
const NUMBER_DIGITS: usize = 12;
/// The most words of a label before the noun.
const LABEL_WORDS: usize = 3;
/// Words of a clause before a text that leave no doubt that it is a sentence.
const CLAUSE_WORDS: usize = 2;

/// Whether the words around a text say that it is an identifier.
pub fn is_identifier(text: &str, span: &Range<usize>) -> bool {
    let Some(value) = text.get(span.clone()) else { return false };
    if !is_plain(value) {
        return false;
    }
    let from = text.floor_char_boundary(span.start.saturating_sub(LINE_BYTES));
    let before = text[from..span.start].rsplit('\n').next().unwrap_or_default();
    let until = text.floor_char_boundary(span.end + LINE_BYTES);
    let after = text[span.end..until].split('\n').next().unwrap_or_default();
    is_named(before)
        || (is_coined(value) && in_clause(before))
        || is_commit(value, before)
        || (is_made(value) && (happens(after) || in_log(before)))
}

/// Whether a field's name before a text says that an identifier follows, whatever else is said: `trace_id=`, `"req":"`.
pub fn is_field(before: &str, value: &str) -> bool {
    const OTHERS: [&str; 7] = ["key", "token", "secret", "pass", "sess", "csrf", "auth"];
    if !is_plain(value) || !is_made(value) {
        return false;
    }
    let quote = ['"', '\''];
    let bare = before.trim_end_matches(quote);
    // `"trace_id": "…"`
    let bare = if bare.len() < before.len() { bare.trim_end() } else { bare };
    let Some(name) = bare.strip_suffix(['=', ':']) else { return false };
    let name = name.trim_end_matches(quote);
    let rest = name.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_' || c == '-');
    let lower = name[rest.len()..].to_ascii_lowercase();
    let last = lower.rsplit(['_', '-']).next().unwrap_or_default();
    !rest.ends_with([':', '/', '@'])
        && !takes_login(rest.trim_end_matches(quote))
        && (is_key_of_id(last, &lower) || is_noun(last))
        && !OTHERS.iter().any(|part| lower.contains(part))
}

/// Whether the option of a program before a name takes a user with a password: `curl -u deploy:…`, `-auth deploy:…`.
fn takes_login(before: &str) -> bool {
    let option = before.rsplit([' ', '=']).find(|word| !word.is_empty()).unwrap_or_default();
    const LONG_BYTES: usize = 5;
    let long = option
        .strip_prefix("--")
        .or(Some(option).filter(|option| option.len() >= LONG_BYTES && option.starts_with('-')));
    let long = long.unwrap_or_default();
    ["-u", "-U", "-a", "-A"].contains(&option)
        || ["user", "auth", "cred"].iter().any(|part| long.contains(part))
}

/// Whether a value is the number of a thing: "support case 32487281".
pub fn is_number(before: &str, value: &str) -> bool {
    value.len() >= LEAST_BYTES && value.bytes().all(|b| b.is_ascii_digit()) && is_named(before)
}

/// `trace_id`, `qid`: not `sid`, which may be a session.
fn is_key_of_id(last: &str, name: &str) -> bool {
    // A user, a city, a kind of anything
    const WORDS: [&str; 9] =
        ["david", "madrid", "android", "grid", "hybrid", "valid", "sigrid", "ingrid", "astrid"];
    last.ends_with("id")
        && name.len() > 2
        && !last.ends_with("sid")
        && !last.ends_with("ssid")
        && !WORDS.contains(&last)
}

/// Whether a text has only what identifiers are written with, and a digit.
fn is_plain(value: &str) -> bool {
    value.len() >= LEAST_BYTES
        && value.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_+/=.".contains(&b))
        && value.bytes().any(|b| b.is_ascii_digit())
}

/// Whether a text is too random for a word, a name or a password that a person chose.
fn is_made(value: &str) -> bool {
    let any = |f: fn(&u8) -> bool| value.bytes().any(|b| f(&b));
    let (lower, upper) = (any(u8::is_ascii_lowercase), any(u8::is_ascii_uppercase));
    let joined = value.contains(['.', '+', '/', '=']);
    match (lower, upper) {
        (false, false) => value.len() >= NUMBER_DIGITS,
        _ if value.len() >= HEX_BYTES && is_hex(value) => true,
        (false, true) => value.len() >= CODE_BYTES && !joined,
        _ => value.len() >= MIXED_BYTES && turns(value) >= value.len() / 4,
    }
}

/// Whether a text is [`is_made`], or a shorter mixture that people do not choose as a password.
fn is_coined(value: &str) -> bool {
    is_made(value) || (value.len() >= CODE_BYTES && turns(value) >= value.len() / 3)
}

/// How often a digit is next to a letter, or a capital after a small letter.
fn turns(value: &str) -> usize {
    let turned = |pair: &&[u8]| {
        pair[0].is_ascii_digit() != pair[1].is_ascii_digit()
            || (pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
    };
    value.as_bytes().windows(2).filter(turned).count()
}

/// Whether a text and one before it are commits: "reverted 7aa1548 and e67bc57".
fn is_commit(value: &str, before: &str) -> bool {
    let commit = |word: &str| (word.len() == 40 || (7..=12).contains(&word.len())) && is_hex(word);
    let mut words = before.split([' ', ',', '.', ':', '(', ')']);
    let back = ["back to ", "revert to ", "zurück auf "].iter().any(|back| before.ends_with(back));
    commit(value)
        && (back || words.any(|word| commit(word) && word.bytes().any(|b| b.is_ascii_digit())))
}

/// Whether the text before says what is named: "event ", "tracking number: ", "ref=", "engine no. ", "member 2 ".
fn is_named(before: &str) -> bool {
    const SHORT: [&str; 7] = ["id", "no", "nr", "n", "num", "number", "guid"];
    const LEAST_BYTES: usize = 3;
    let mut noun = before.trim_end_matches([' ', '"', '\'', '#', '<', '(', '[', '`', '*', '°']);
    noun = noun.strip_suffix([':', '=', '.']).unwrap_or(noun).trim_end();
    let word = |text: &str| {
        let start = text.rfind(|c: char| !c.is_alphanumeric());
        start.map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8))
    };
    let last = folded(&noun[word(noun)..]).into_owned();
    if is_noun(&last) {
        return true;
    }
    let numbered = last.len() < LEAST_BYTES && last.bytes().all(|b| b.is_ascii_digit());
    if !SHORT.contains(&last.as_str()) && !numbered {
        return false;
    }
    noun = noun[..word(noun)].trim_end_matches([' ', '-', '_']);
    let first = folded(&noun[word(noun)..]).into_owned();
    let thing = || {
        first.len() >= LEAST_BYTES
            && first.bytes().all(|b| b.is_ascii_lowercase())
            && says(&first).is_none()
            && matches!(role(&first), None | Some(Role::Name | Role::Subject))
    };
    is_noun(&first) || (!numbered && thing())
}

/// Whether a label before a colon names the number of a thing of somebody: "Numéro de série du NAS : ", "serial number of the
/// switch: ".
pub fn is_labeled(before: &str, value: &str) -> bool {
    const NUMBERS: &str =
        "serial serie serien seriennummer serienummer numero nummer number matricula";
    let Some(label) = before.trim_end().strip_suffix(':') else { return false };
    let label = label.rsplit([',', ';', '.', ':', '(']).next().unwrap_or_default();
    let words = || label.split_whitespace().map(folded);
    let of = words().position(|word| OF.contains(&word.as_ref()) || word == "for");
    is_plain(value)
        && of.is_some_and(|of| of > 0)
        && words().take(LABEL_WORDS).any(|word| lists(NUMBERS, &word))
        && words().all(|word| {
            matches!(role(&word), None | Some(Role::Name | Role::Subject | Role::Filler))
        })
}

/// Whether a clause of several words ends with an ordinary noun: "the invoice for the switch ".
fn in_clause(before: &str) -> bool {
    let Some(before) = before.strip_suffix(' ') else { return false };
    let clause = before.rsplit([',', ';', ':', '.', '!', '?', '"', '=', '|', '(']).next();
    let mut words = clause.unwrap_or_default().split(' ').rev().filter(|word| !word.is_empty());
    let Some(last) = words.next().filter(|last| last.chars().all(char::is_alphabetic)) else {
        return false;
    };
    let known = role(&folded(last));
    let ordinary = last.len() >= 3
        && says(last).is_none()
        && part(last).is_none()
        && matches!(known, None | Some(Role::Name))
        && !is_service(&folded(last));
    ordinary
        && words.clone().count() + 1 >= CLAUSE_WORDS
        && !words.any(|word| is_service(&folded(word)))
}

/// Whether a line so far is one of a log: it begins with a full date and a time, or has a level or a process.
fn in_log(before: &str) -> bool {
    const LEVELS: [&str; 13] = [
        " INFO ",
        " WARN ",
        " ERROR ",
        " DEBUG ",
        " TRACE ",
        " WARNING ",
        " FATAL ",
        "[INFO]",
        "[WARN]",
        "[ERROR]",
        "[DEBUG]",
        "level=",
        "\"level\":",
    ];
    let shaped = |form: &str| {
        let line = before.trim_start_matches(['[', '"']);
        line.len() > form.len()
            && line.bytes().zip(form.bytes()).all(|(byte, form)| match form {
                b'0' => byte.is_ascii_digit(),
                b' ' => matches!(byte, b' ' | b'T' | b'_'),
                form => byte == form,
            })
    };
    // `sshd[4711]: `
    let process = before.split_once("]: ").is_some_and(|(head, _)| {
        head.rsplit_once('[').is_some_and(|(name, pid)| {
            !pid.is_empty()
                && pid.bytes().all(|b| b.is_ascii_digit())
                && name.ends_with(|c: char| c.is_ascii_alphanumeric())
        })
    });
    shaped("0000-00-00 00:00:00") || process || LEVELS.iter().any(|level| before.contains(level))
}

#[cfg(test)]
mod tests {
    use crate::{Choices, Taken, redact_with};

    fn redacted(text: &str) -> String {
        redact_with(text, &Choices::default(), &Taken::default()).text
    }

    #[test]
    fn what_names_a_thing_stays() {
        for text in [
            "Sentry event 50970abd1c7f02611ff2c139aba7b1ee since the deploy",
            "the new switch arrives on Friday, tracking number 1Z6Q0ILNKF97269223",
            "elasticsearch node kVCqB2mxNUp4Mq4LUXhOxc left the cluster",
            "Sendung Nr. 3S4O9W02DL155O3 ist unterwegs",
            "número de serie U8IQS6X4WF7 del servidor",
            "Numéro de série du NAS : 2140SBRX4T7QK, modèle RS1221+",
            "2uTQH9IAyuADkJYbkUgDZ4R2Tuc was flushed twice",
            "2025-09-22T02:11:47.669Z WARN auth req=LzDgtGrFNCVIdQVRdfLH3k slow query",
            "please look at this strange widget f31bbc0aa96e4b5a8c1d20e7",
            "Zoom webinar, registrant sF4Av5yasMQSzhP4Ta6DDU",
            "document cgmx9reetptgcyh8cczfcvefs saved",
        ] {
            assert_eq!(redacted(text), text);
        }
    }

    #[test]
    fn a_pasted_key_is_found() {
        for (text, secret) in [
            ("the sendgrid one Lq8mXvLzR2pWyNbKsHdJcGfA4t", "Lq8mXvLzR2pWyNbKsHdJcGfA4t"),
            ("please use kVCqB2mxNUp4Mq4LUXhOxc for it", "kVCqB2mxNUp4Mq4LUXhOxc"),
            ("2uTQH9IAyuADkJYbkUgDZ4R2Tuc", "2uTQH9IAyuADkJYbkUgDZ4R2Tuc"),
            ("the token of the build node kVCqB2mxNUp4Mq4LUXhOxc", "kVCqB2mxNUp4Mq4LUXhOxc"),
        ] {
            assert!(!redacted(text).contains(secret), "{text}");
        }
    }
}
