//! Finds personal access tokens by their short name: `azure pat x3kq…`, `my PAT for gitea is 5c1a…`.
//!
//! Pat is also a first name, so only words that say which token it is may come between the name and the token.

use super::{Line, trim};
use crate::grammar::is_article;
use crate::identifiers::is_service;
use crate::lexicon::{Part, part};
use crate::words::{folded, lists};
use std::ops::Range;

/// Words for what a token is for.
const PLACES: &str = "devops repo repos registry ci pipeline pipelines git cloud runner bot push new neue nuevo nouveau nuovo novo";
/// The most words between the name and the token.
const BETWEEN: usize = 5;
/// The shortest token, in bytes, and the fewest digits and letters that it has.
const LEAST_BYTES: usize = 20;
const LEAST_OF_EACH: usize = 4;

/// The token behind the name.
pub(super) fn value(line: &Line) -> Option<Range<usize>> {
    if !line.may_have_key || !line.lower.contains("pat") {
        return None;
    }
    let plain = |word: &str| folded(word.trim_matches([':', '=', ',', '(', '"', '`'])).into_owned();
    let at = line.words.iter().position(|word| plain(word) == "pat")?;
    let after = &line.words[at + 1..line.words.len().min(at + 2 + BETWEEN)];
    let next = after.iter().position(|word| is_token(shown(word)))?;
    let tied = after[..next].iter().map(|word| plain(word)).all(|word| {
        matches!(part(&word), Some(Part::Is | Part::Of | Part::When | Part::It))
            || is_service(&word)
            || is_article(&word)
            || lists(PLACES, &word)
            || word.is_empty()
    });
    tied.then(|| line.span(shown(after[next])))
}

fn shown(word: &str) -> &str {
    trim(word.trim_end_matches([',', '.', ';', ')', '!']).trim_start_matches('('))
}

/// Whether a word can be such a token: letters and digits, some of both.
fn is_token(word: &str) -> bool {
    let count = |is: fn(&u8) -> bool| word.bytes().filter(is).count();
    word.len() >= LEAST_BYTES
        && word.trim_end_matches('=').bytes().all(|b| b.is_ascii_alphanumeric())
        && count(u8::is_ascii_digit) >= LEAST_OF_EACH
        && count(u8::is_ascii_alphabetic) >= LEAST_OF_EACH
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn the_short_name_of_a_personal_access_token_announces_it() {
        let (long, hex) = (
            "x3kq7m2v9w5b8n4c6z1a3s5d7f9g2h4j6k8l0q1w3e5r7t9y2u4i",
            "5c1a9e7b3d2f4860a1b2c3d4e5f60718293a4b5c",
        );
        seals(&[
            (&format!("azure pat {long}"), &[long]),
            (&format!("azure devops PAT: {long}"), &[long]),
            (&format!("my pat for gitea is {hex}"), &[hex]),
            (&format!("use my pat {hex} for the push"), &[hex]),
            (&format!("el PAT de gitlab es {hex}"), &[hex]),
        ]);
        for text in [
            format!("Pat, please revert {hex}"),
            format!("pat says commit {hex} is broken"),
            "the azure pat expired on 2026-01-31T10:00:00".to_owned(),
            "azure pat with name build-agent-pool-production-0042".to_owned(),
        ] {
            assert_eq!(redacted(&text), text);
        }
    }
}
