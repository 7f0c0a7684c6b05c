//! Finds keys of a few parts that a sentence says are keys, after what they open: `the api key for the billing service is
//! bill-7712-acme`.

use super::{COMPARED_BYTES, Line, fits};
use crate::lexicon::{Part, part};
use crate::words::{FOR, OF, Role, folded, lists, role};
use std::ops::Range;

/// Words for a key that is a secret without another word, folded.
const TOKENS: &str = "token apikey api-key zugriffstoken api-token api-schlussel jeton";
/// Words for a key that is a secret beside "api" or "access", folded.
const KEYS: &str = "key schlussel clave cle chiave chave sleutel klucz llave";
/// What such words name instead of the key.
const NAMES: &str = "name id title path file label pair type format prefix alias user host node";
/// The most words between the word for the key and "is".
const WORDS: usize = 7;
/// How many parts such a key has, and its least length in bytes.
const PARTS: usize = 3;
const BYTES: usize = 10;

/// The key behind "is".
pub(super) fn value(line: &Line) -> Option<Range<usize>> {
    if line.text.len() > COMPARED_BYTES || line.digits == 0 {
        return None;
    }
    let plain = |word: &str| folded(word.trim_matches([',', '.', ':', ';'])).into_owned();
    let words = &line.words;
    let at =
        words.iter().position(|word| is_labeled(word.trim_end_matches(['.', ',', ';', '!'])))?;
    let is = at.checked_sub(1)?;
    let verb = part(words[is]) == Some(Part::Is) || role(&plain(words[is])) == Some(Role::Copula);
    let from = is.saturating_sub(WORDS);
    let noun = words[from..is].iter().rposition(|word| {
        let word = plain(word);
        lists(TOKENS, &word) || lists(KEYS, &word)
    })? + from;
    let beside = |at: Option<usize>| {
        at.and_then(|at| words.get(at)).is_some_and(|word| {
            matches!(plain(word).as_str(), "api" | "access" | "secret" | "acces" | "acceso")
        })
    };
    let secret =
        lists(TOKENS, &plain(words[noun])) || beside(noun.checked_sub(1)) || beside(Some(noun + 1));
    let between = &words[noun + 1..is];
    let placed = between
        .first()
        .is_none_or(|word| FOR.contains(word) || OF.contains(word) || beside(Some(noun + 1)));
    // "the id of the api key", "the api key id"
    let named =
        words[from..noun].windows(2).any(|of| lists(NAMES, &plain(of[0])) && OF.contains(&of[1]));
    let other = named || between.iter().any(|word| lists(NAMES, &plain(word)));
    let value = words[at].trim_end_matches(['.', ',', ';', '!']);
    (verb && secret && placed && !other && fits(value)).then(|| line.span(value))
}

/// `bill-7712-acme`: several parts of small letters or digits, with both.
fn is_labeled(word: &str) -> bool {
    let mut parts = word.split('-');
    word.len() >= BYTES
        && parts.clone().count() >= PARTS
        && word.contains(|c: char| c.is_ascii_digit())
        && word.contains(|c: char| c.is_ascii_lowercase())
        && parts.all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn a_sentence_says_what_a_key_of_several_parts_opens() {
        seals(&[
            ("the api key for the billing service is bill-7712-acme", &["bill-7712-acme"]),
            ("the token for the deploy bot is dbot-9917-live", &["dbot-9917-live"]),
            ("der API-Key für die Rechnungen ist rech-7712-acme", &["rech-7712-acme"]),
            ("la clave api del servicio de pagos es pagos-7712-x", &["pagos-7712-x"]),
        ]);
        for text in [
            "the name of the api key is bill-7712-acme",
            "the api key id for billing is bill-7712-acme",
            "the key for the sort is acme-7712-bill",
            "the token for node-22-b was sent",
            "the token host is web-7712-acme",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
