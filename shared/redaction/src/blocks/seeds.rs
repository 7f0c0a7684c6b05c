//! Finds the words from which the keys of a wallet are made: "seed phrase: ⟦bamboo absorb apple …⟧".
//!
//! Their number is known, and all are short and small. Sentences of so many words have shorter ones among them.

use crate::Raw;
use crate::SecretKind::Password;
use crate::places::between_quotes;
use aho_corasick::{AhoCorasick, AhoCorasickKind};
use std::ops::{Range, RangeInclusive};
use std::sync::OnceLock;

/// What announces such words; capitals and accents may come before it.
const SIGNS: [&str; 20] = [
    "hrase",
    "frase",
    "nemonic",
    "nemónic",
    "eed words",
    "eed:",
    "ecovery seed",
    "ecovery words",
    "allet seed",
    "eed of",
    "semilla",
    "2 words",
    "4 words",
    "2 Wörter",
    "2 palabras",
    "2 mots",
    "4 parole",
    "4 Wörter",
    "4 palabras",
    "4 mots",
];
/// How many words there may be, in order.
const NUMBERS: [usize; 5] = [12, 15, 18, 21, 24];
/// The lengths of a word, in bytes.
const WORD_BYTES: RangeInclusive<usize> = 3..=8;
/// The longest line that is read, in bytes.
const LINE_BYTES: usize = 320;
/// Words of a sentence that may come right before them.
const VERBS: [&str; 5] = ["was", "are", "son", "these", "here"];

/// All signs at once.
fn signs() -> Option<&'static AhoCorasick> {
    static FINDER: OnceLock<Option<AhoCorasick>> = OnceLock::new();
    let build = || AhoCorasick::builder().kind(Some(AhoCorasickKind::DFA)).build(SIGNS).ok();
    FINDER.get_or_init(build).as_ref()
}

/// The words of wallets in a text, in order. None crosses a wall.
pub fn find(text: &str, walls: &[Range<usize>]) -> Vec<Raw> {
    // Nearly all texts end here, much sooner than after a search for the signs. Such words end a line, or a quote does.
    if !between_quotes(text).any(end_in_words) {
        return Vec::new();
    }
    let starts: Vec<usize> = match signs() {
        Some(signs) => signs.find_iter(text).map(|sign| sign.end()).collect(),
        None => Vec::new(),
    };
    let mut found: Vec<Raw> = Vec::new();
    for start in starts {
        if found.last().is_some_and(|last| start < last.span.end) {
            continue;
        }
        let until = text.ceil_char_boundary((start + 2 * LINE_BYTES).min(text.len()));
        let mut lines = text[start..until].split_inclusive('\n');
        let rest = lines.next().unwrap_or_default();
        // The words are on the same line, or on the next.
        let next = start + rest.len();
        let span = words(rest, start).or_else(|| quoted(rest, start)).or_else(|| {
            let line = lines.next()?;
            words(line, next).filter(|span| {
                line[..span.start - next].trim_matches([' ', '"', '\'', '`']).is_empty()
            })
        });
        let free = |span: &Range<usize>| {
            let after = walls.partition_point(|wall| wall.end <= span.start);
            walls.get(after).is_none_or(|wall| wall.start >= span.end)
        };
        found.extend(span.filter(free).map(|span| Raw::sure(span, "SEED_PHRASE", Password)));
    }
    found
}

/// Whether a part of a line ends with as many such words as a wallet has at least.
fn end_in_words(part: &str) -> bool {
    let mut rest = trim_end(part);
    (1..=NUMBERS[0]).all(|number| {
        let letters = rest.bytes().rev().take(WORD_BYTES.end() + 1);
        let length = letters.take_while(u8::is_ascii_lowercase).count();
        rest = &rest[..rest.len() - length];
        let space = rest.ends_with(' ');
        rest = rest.strip_suffix(' ').unwrap_or(rest);
        WORD_BYTES.contains(&length) && (space || number == NUMBERS[0])
    })
}

/// A line without the signs after its words.
fn trim_end(line: &str) -> &str {
    line.trim_end().trim_end_matches(['.', '"', '\'', '`', '»', '“', ' '])
}

/// Such words in quotes, in the middle of a line.
fn quoted(line: &str, at: usize) -> Option<Range<usize>> {
    let (before, rest) = line.split_once('"')?;
    let (inner, _) = rest.split_once('"')?;
    words(inner, at + before.len() + 1)
}

/// The words with which a line ends, if there are as many as a wallet has.
fn words(line: &str, at: usize) -> Option<Range<usize>> {
    let line = trim_end(line);
    let small = |b: u8| b.is_ascii_lowercase() || b == b' ';
    let head = line.len() - line.bytes().rev().take_while(|b| small(*b)).count();
    // One space before each word, except the first
    let mut start = line.len() + 1;
    let mut count = 0;
    for word in line[head..].rsplit(' ').take_while(|word| WORD_BYTES.contains(&word.len())) {
        let open = NUMBERS.contains(&count) && VERBS.contains(&word);
        if open || count > NUMBERS[NUMBERS.len() - 1] {
            break;
        }
        count += 1;
        start -= word.len() + 1;
    }
    NUMBERS.contains(&count).then_some(at + start..at + line.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWELVE: &str =
        "bamboo absorb apple ability action access banner album again absent anchor across";

    fn found(text: &str) -> Vec<&str> {
        find(text, &[]).into_iter().map(|raw| &text[raw.span]).collect()
    }

    #[test]
    fn as_many_words_as_a_wallet_has_are_found() {
        for before in [
            "seed phrase: ",
            "my seed phrase is ",
            "the recovery phrase was ",
            "Seed phrase of the test wallet:\n",
            "the mnemonic for the validator: ",
            "la frase semilla es \"",
        ] {
            for after in ["", ".", "\nthanks"] {
                assert_eq!(found(&format!("{before}{TWELVE}{after}")), [TWELVE], "{before}{after}");
            }
        }
        let long = [TWELVE, TWELVE].join(" ");
        for (before, after) in
            [("mnemonic: ", ""), ("Mnemonic:\n\"", "\"\nthanks"), ("Mnemonic:\n\" ", " \"")]
        {
            assert_eq!(found(&format!("{before}{long}{after}")), [long.as_str()]);
        }
    }

    #[test]
    fn a_seed_is_announced_in_several_ways() {
        for head in ["recovery seed of the signing wallet: ", "the wallet seed is ", "semilla: "] {
            assert_eq!(found(&format!("{head}{TWELVE}")), [TWELVE], "{head}");
        }
    }

    #[test]
    fn a_sentence_is_not_found() {
        for text in [
            "a seed phrase has twelve words, and every wallet shows it once at the beginning of its setup",
            "where should the seed phrase of the validator be kept so that only both admins can read it",
            "the phrase is bamboo absorb apple",
            TWELVE,
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn nothing_crosses_a_wall() {
        let text = format!("seed phrase: {TWELVE}");
        let (from, until) = (20, 30);
        assert!(find(&text, &[Range { start: from, end: until }]).is_empty());
    }
}
