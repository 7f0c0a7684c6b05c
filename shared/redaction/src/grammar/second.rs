//! Finds the second secret of a sentence, and lists of secrets: "the PIN is 4711 and the phrase of the disk is ⟦walnut
//! grove⟧", "keys: redis ⟦Walnut-4b⟧, rabbit ⟦white.hare.9⟧".
//!
//! Where one clause has given a secret away, the next clause may name another with a word that is too common elsewhere:
//! "phrase", "sentence", "the one". After a word for several secrets and a colon, the names of what they open are
//! enough if one of the texts beside them looks like a password.

use super::Reader;
use super::cues::is_mixed;
use super::numbers::{code, coded};
use super::phrase::Manner;
use super::plain::is_article;
use super::walk::Walk;
use crate::blocks;
use crate::lexicon::{Part, part};
use crate::talk::says;
use crate::weight::{Weight, is_hex};
use crate::words::{folded, is_letter, lists};
use std::ops::Range;

/// Words for a secret of several words, in a sentence that has named a secret before.
const PHRASES: &str = "phrase sentence frase satz kennsatz zin wachtzin wachtwoordzin fraza zdanie";
/// Words for another secret of the same kind, before "of" and its name.
const ONES: &str =
    "that quello quella celui celle el la o a der die das den dat die ten ta to otro otra";
/// Words for several secrets.
const HEADINGS: &str = "keys claves chiavi klucze llaves schlussel cles clefs chaves sleutels passwords passworter kennworter \
     contrasenas senhas wachtwoorden hasla tokens secrets jetons credentials creds logins";
/// The most words between the word for a secret and "is".
const NAME_WORDS: usize = 6;
/// How far a list is read, in bytes.
const LIST_BYTES: usize = 240;
/// The most secrets of a list.
const ENTRIES: usize = 8;

impl Reader<'_> {
    /// The value of the clause that follows a value: "and the phrase of the disk is X", "e quello del router è X".
    pub(super) fn second(&mut self, mut walk: Walk<'_>) -> Option<Range<usize>> {
        walk.skip(|sign| matches!(sign, "," | ";"));
        walk.skip(joins).then_some(())?;
        let mut named = walk.skip(is_article);
        named |= named && walk.skip(is_article);
        let phrase = walk.skip(|word| lists(PHRASES, &folded(word)));
        named |= !phrase && walk.skip(|word| lists(ONES, &folded(word)));
        let of = walk.peek().is_some_and(|next| part(&walk.text[next]) == Some(Part::Of));
        (phrase || (named && of)).then_some(())?;
        let is_polish = self.is_polish;
        let is =
            |word: &str| part(word) == Some(Part::Is) || word == ":" || (is_polish && word == "to");
        for _ in 0..NAME_WORDS {
            let (word, _) = walk.next()?;
            if is(word) {
                walk.skip(|word| part(word) == Some(Part::When));
                let at = walk.value()?;
                let manner = Manner { phrase, signed: phrase || word == ":", ..Manner::default() };
                let code = coded(&walk.text[at..]).map(|length| at..at + length);
                let joined = || {
                    let found = self.values.candidate(self.open(), at)?;
                    let value = &self.text[found.span.clone()];
                    (found.weight >= Weight::Weak && is_mixed(value)).then_some(found.span)
                };
                let found = code.or_else(joined);
                return found.or_else(|| self.value_at(at, manner, false));
            }
            word.starts_with(is_letter).then_some(())?;
        }
        None
    }

    /// The number after a number: "the PIN is 4711 y el de instalador ⟦7788⟧", "and the PUK ⟦44120987⟧".
    pub(super) fn second_number(&self, mut walk: Walk<'_>) -> Option<Range<usize>> {
        walk.skip(|sign| matches!(sign, "," | ";" | "#"));
        walk.skip(joins).then_some(())?;
        let named = walk.skip(|word| is_article(word) || lists(ONES, &folded(word)));
        walk.skip(|word| word == "one" || lists(ONES, &folded(word)));
        walk.skip(|word| part(word) == Some(Part::Of)).then_some(()).filter(|()| named)?;
        for _ in 0..NAME_WORDS {
            let at = walk.value()?;
            if let Some(length) = code(&walk.text[at..]) {
                return Some(at..at + length);
            }
            walk.skip(|word| word.starts_with(|c: char| c.is_alphabetic())).then_some(())?;
        }
        None
    }

    /// The values of a list with the name of what each opens: "keys: redis X, rabbit Y".
    pub(super) fn listed_keys(&mut self) -> Vec<Range<usize>> {
        if !lists(HEADINGS, &folded(&self.text[self.before_span.clone()])) {
            return Vec::new();
        }
        let open = self.open();
        let text = &open[..open.floor_char_boundary(self.at + LIST_BYTES)];
        let mut walk = Walk { text, at: self.at };
        for _ in 0..NAME_WORDS {
            if !walk.skip(|word| word.starts_with(is_letter)) {
                break;
            }
        }
        if !walk.skip(|sign| sign == ":") {
            return Vec::new();
        }
        let (mut all, mut sure) = (Vec::new(), false);
        while all.len() < ENTRIES {
            let own = |word: &str| word.starts_with(is_letter) && says(word).is_none();
            if !walk.skip(own) {
                break;
            }
            walk.skip(|sign| matches!(sign, ":" | "=" | "->" | "→"));
            let Some(found) = walk.value().and_then(|at| self.values.candidate(open, at)) else {
                break;
            };
            let value = &open[found.span.clone()];
            let digit = value.contains(|c: char| c.is_ascii_digit());
            let fits = found.weight >= Weight::Name || (digit && found.weight == Weight::Weak);
            if !fits || is_hex(value) || !blocks::is_password(value) || found.span.end > text.len()
            {
                break;
            }
            sure |= found.weight >= Weight::Fair && is_mixed(value);
            walk.at = found.span.end;
            all.push(found.span);
            let comma = walk.skip(|sign| matches!(sign, "," | ";" | "/"));
            let joined = walk.skip(|word| part(word) == Some(Part::Joins));
            if !comma && !joined {
                break;
            }
        }
        if sure && all.len() > 1 { all } else { Vec::new() }
    }
}

/// Whether a word joins two clauses. "en" in Dutch and "a" in Polish are "and".
fn joins(word: &str) -> bool {
    part(word) == Some(Part::Joins) || matches!(word, "en" | "a")
}

#[cfg(test)]
mod tests {
    use crate::tests::found;

    #[test]
    fn a_sentence_may_have_two_secrets() {
        for (text, secrets) in [
            ("the pin is 4711 and the phrase of the disk is walnut", ["4711", "walnut"]),
            ("il PIN è 70318 e quello del router è Vela-5x", ["70318", "Vela-5x"]),
            ("die PIN ist 4711 und der Satz lautet Dachs im Nebel", ["4711", "Dachs im Nebel"]),
            ("el PIN es 3391 y el de instalador 7788", ["3391", "7788"]),
            ("de code van de kluis is 55102 en die van de deur is 2041", ["55102", "2041"]),
            ("the alarm pin is 7719 and the one for the gate 4420", ["7719", "4420"]),
            ("keys: redis mG5-zzR8pt0, rabbit white.hare.9", ["mG5-zzR8pt0", "white.hare.9"]),
            ("claves: redis mG5-zzR8pt0 , rabbit Walnut77", ["mG5-zzR8pt0", "Walnut77"]),
        ] {
            assert_eq!(found(text), secrets, "{text}");
        }
    }

    #[test]
    fn a_second_clause_may_speak_about_the_first() {
        for text in [
            "the pin is 4711 and the phrase is in the vault",
            "the pin is 4711 and the one for the router is expired",
            "el PIN es 4711 y el de la puerta lo tiene Juan",
        ] {
            assert_eq!(found(text), ["4711"], "{text}");
        }
        for text in ["keys: alpha, beta", "tokens: a, b"] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
