//! Finds the password that several things share, after the name of one of them: `same pw as grafana (pineapple)`.

use super::{COMPARED_BYTES, Line, NOUNS, SHORT_NOUNS, fits, is_made_up, trim};
use crate::grammar::{is_plain, is_tool};
use crate::identifiers::is_service;
use crate::names::is_opened;
use crate::words::{FIRST_USERS, folded, lists};
use std::ops::Range;

/// "same"
const SAME: &str = "same identical gleiche gleiches selbe dasselbe misma même meme stessa mesma";
/// The most words between "same" and the word for a password, and between that and the value.
const BEFORE: usize = 3;
const BETWEEN: usize = 5;

/// The word between brackets or behind a colon: `same password as for the wiki: pineapple`.
pub(super) fn value(line: &Line) -> Option<Range<usize>> {
    if line.text.len() > COMPARED_BYTES || !(line.text.contains(" (") || line.text.contains(": ")) {
        return None;
    }
    let words = &line.words;
    let is_same = |word: &&str| {
        // Most words end here.
        word.starts_with(['s', 'S', 'i', 'I', 'g', 'G', 'd', 'D', 'm', 'M'])
            && lists(SAME, &folded(word))
    };
    let same = words.iter().position(is_same)?;
    let is_noun = |word: &&str| {
        let word = word.to_lowercase();
        NOUNS.iter().chain(&SHORT_NOUNS).any(|noun| *noun == word) || word == "clave"
    };
    let near = &words[same + 1..words.len().min(same + 2 + BEFORE)];
    let behind = near.iter().position(is_noun).map(|at| at + same + 1);
    // "la password è la stessa di sempre: X"
    let before = || words[..same].iter().any(is_noun).then_some(same);
    let noun = behind.or_else(before)?;
    let after = &words[noun + 1..words.len().min(noun + 2 + BETWEEN)];
    let at = after.iter().position(|word| word.starts_with('(') || word.ends_with(':'))?;
    let shown = match after[at].strip_prefix('(') {
        Some(_) if at == 0 => return None,
        Some(inner) => inner.split_once(')').filter(|(_, rest)| !rest.starts_with('?'))?.0,
        // A word after it would make it the beginning of a sentence.
        None => {
            let shown = words.get(noun + at + 2)?;
            let value = shown.trim_end_matches([',', '.', ';', ')']);
            (value.len() < shown.len() || words.len() == noun + at + 3).then_some(value)?
        }
    };
    let value = trim(shown);
    let name = folded(value);
    let other = is_service(&name) || is_opened(&name) || lists(FIRST_USERS, &name);
    let own = (is_plain(value) && !is_tool(value) && !other) || is_made_up(value);
    (own && fits(value)).then(|| line.span(value))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn a_password_that_is_the_same_for_two_things_follows_the_second() {
        seals(&[
            ("it's the same pw as grafana (pineapple)", &["pineapple"]),
            ("same password as for the wiki: pineapple", &["pineapple"]),
            ("das gleiche Passwort wie bei Grafana (Ananas)", &["Ananas"]),
            ("la misma contraseña que grafana (manzana)", &["manzana"]),
            ("même mot de passe que pour le wiki (ananas)", &["ananas"]),
            ("stessa password di grafana (ananas)", &["ananas"]),
            ("a mesma senha do grafana (abacaxi)", &["abacaxi"]),
            ("a senha é a mesma de sempre: trovao", &["trovao"]),
        ]);
        for text in [
            "same password as grafana (see the vault)",
            "same pw as staging (vault)",
            "is it the same password as for grafana (pineapple)?",
            "same password as the wiki (grafana)",
            "same password as on db1 (production)",
            "the same password policy as before: twelve characters",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
