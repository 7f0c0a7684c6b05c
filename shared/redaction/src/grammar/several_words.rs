//! Finds secrets of several words without quotes: "the passphrase is correct horse battery staple", `gezd gnbv gy3t
//! qojq`.

use super::Reader;
use super::context::{Context, Tie};
use crate::things::is_prose;
use crate::value::is_sentence;
use crate::weight::{MIN_BYTES, is_wordy};
use crate::words::{Role, Table, role};
use std::ops::Range;
use std::sync::OnceLock;

/// How many words a passphrase has; 24 words are the longest seed of a wallet.
const WORDS: Range<usize> = 4..25;
/// The length of each word, in bytes.
const WORD_BYTES: Range<usize> = 3..11;
/// The longest passphrase that is read, in bytes.
const SPOKEN_BYTES: usize = 24 * 11;
/// The least groups of a seed in the form that authenticators show.
const GROUPS: usize = 4;

/// The length of four groups of four characters with spaces between them, in bytes.
const QUARTETS_BYTES: usize = 19;

/// Words of sentences about passphrases, in addition to words with a role and to words of quoted sentences.
const TALK: &str = "about above across after again against all almost already also always another any anyone anything \
     anywhere ask asks because been before being below between both but change changes chosen come comes could does done \
     down during each else encrypt encrypts enough ever every everyone everything everywhere except few file files first \
     from gets give given goes had has have held her his how however into itself keep keeps kept key keys known last \
     later least left less like long longer lost made make makes many may might mine more most much must never next nobody \
     none nor nothing nowhere off often once one only onto other others our over own per perhaps quite rather really \
     same see shall she should since some someone something soon still such take taken than their them then there these \
     they thing this those through too twice two under until unless upon use used user uses very via want wants was well \
     were what when where whether which while who whoever why will with within without word words would write \
     written yet you characters letters somewhere elsewhere anymore";

impl Reader<'_> {
    /// The words or groups that begin here, if they are a secret that this context announces.
    pub(super) fn spoken(&self, context: &Context) -> Option<Range<usize>> {
        let tied = matches!(context.tie, Tie::Sign | Tie::Copula | Tie::NextLine);
        let direct = tied || (context.tie == Tie::Direct && context.words == 0);
        if direct && context.values == 0 && context.role == Role::Password {
            let quartets = quartets(&self.open()[self.at..]);
            if quartets.is_some() {
                return quartets.map(|length| self.at..self.at + length);
            }
        }
        let lists = context.code && context.plural && (tied || context.tie == Tie::And);
        if let Some(length) = halves(&self.open()[self.at..]).filter(|_| lists) {
            return Some(self.at..self.at + length);
        }
        if !tied || context.values > 0 || !(context.phrase || context.code) {
            return None;
        }
        let text = self.open();
        let rest = &text[self.at..text.floor_char_boundary(self.at + SPOKEN_BYTES)];
        let part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == ' ';
        let words = rest[..rest.find(|c: char| !part(c)).unwrap_or(rest.len())].trim_end();
        let after = rest[words.len()..].trim_start_matches(' ').chars().next();
        let ends = after.is_none_or(|c| "\n.,:;!)\"'`".contains(c));
        let count = words.split(' ').count();
        let is_secret = if context.phrase {
            {
                let told = words
                    .split(' ')
                    .filter(|word| is_prose(word) || is_verb_or_adverb(word))
                    .count();
                WORDS.contains(&count) && told < 2 && words.split(' ').all(is_own_word)
            }
        } else {
            let group = |word: &str| word.len() == MIN_BYTES && is_base32(word);
            count >= GROUPS
                && words.contains(|c: char| c.is_ascii_digit())
                && words.split(' ').all(group)
        };
        (ends && is_secret).then(|| self.at..self.at + words.len())
    }
}

/// The length of four groups of four letters and digits, as mail services make passwords for programs.
fn quartets(text: &str) -> Option<usize> {
    let value = text.get(..QUARTETS_BYTES)?;
    let ends = text[QUARTETS_BYTES..].chars().next().is_none_or(|c| !c.is_alphanumeric());
    let group =
        |group: &str| group.len() == MIN_BYTES && group.bytes().all(|b| b.is_ascii_alphanumeric());
    let made = value.contains(|c: char| c.is_ascii_digit())
        || value
            .split(' ')
            .filter(|group| !is_wordy(&group.to_lowercase()) || !has_vowel(group))
            .count()
            > 1;
    (ends && made && value.split(' ').count() == GROUPS && value.split(' ').all(group))
        .then_some(QUARTETS_BYTES)
}

/// The length of a code in two groups of four digits: `4821 9930`.
fn halves(text: &str) -> Option<usize> {
    const BYTES: usize = 9;
    let value = text.get(..BYTES)?;
    let fits = |(at, b): (usize, u8)| if at == MIN_BYTES { b == b' ' } else { b.is_ascii_digit() };
    let ends = !text[BYTES..].starts_with(|c: char| c.is_alphanumeric());
    (ends && value.bytes().enumerate().all(fits)).then_some(BYTES)
}

fn has_vowel(text: &str) -> bool {
    text.contains(['a', 'e', 'i', 'o', 'u'])
}

/// Whether a word does not occur in sentences about passphrases.
fn is_own_word(word: &str) -> bool {
    static TABLE: OnceLock<Table<()>> = OnceLock::new();
    let talk = || TABLE.get_or_init(|| Table::listed(TALK)).get(word).is_some();
    WORD_BYTES.contains(&word.len())
        && word.bytes().all(|b| b.is_ascii_lowercase())
        && !talk()
        && !is_sentence(word)
        && matches!(role(word), None | Some(Role::Subject | Role::Qualifier))
}

/// Whether a word is a verb or an adverb; a passphrase has few.
fn is_verb_or_adverb(word: &str) -> bool {
    ["ed", "ing", "ly", "tion"].iter().any(|end| word.len() > 5 && word.ends_with(end))
}

/// Whether a text has only the characters of base32, in one case.
pub fn is_base32(value: &str) -> bool {
    let digit = |b: u8| (b'2'..=b'7').contains(&b);
    value.bytes().all(|b| b.is_ascii_lowercase() || digit(b))
        || value.bytes().all(|b| b.is_ascii_uppercase() || digit(b))
}
