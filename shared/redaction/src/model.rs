//! A learned second opinion on the words that the rules leave standing.
//!
//! The rules know how secrets are announced. People also write "sorry, meant X", or only X, and no list of phrasings
//! ends. So a small model looks at every token that may be a secret at all: at its shape and at the words around it
//! ([`features`]). It adds up one weight per feature, and treats a token whose sum exceeds a threshold as a secret.
//! `tests/corpus/learning.rs` learns the weights from the corpus, by logistic regression, and writes them to
//! `model/weights.bin`; a test checks that they are what it learns.
//!
//! Of 1,200 messages of 200 kinds by an author who was new to the rules and the model, both together found the secrets
//! of 1,175. They changed 36 of 1,320 harmless ones, of eight kinds, for which [`super::identifiers`] was written. A
//! lower threshold finds a few more secrets and changes several times as many harmless messages.
//!
//! Only what people write to us is read this way. The outputs of commands are full of odd tokens, and taking one for a
//! secret would destroy evidence; what a person wrote is shown before it is sent, and a wrong find can be taken back.

mod class;
mod doubts;
mod features;
mod ordinary;
mod tokens;

use super::Raw;
use super::SecretKind::{self, Password};
use class::Class;
use features::Features;
pub use features::WEIGHTS;
use ordinary::Ordinary;
use std::ops::Range;
pub use tokens::Token;

/// How many units of a stored weight make 1.
pub const UNITS: f32 = 16.0;
/// The least score of a secret.
const THRESHOLD: f32 = 1.0;
/// How much more a token needs without a word for a secret before it.
const UNANNOUNCED: f32 = 0.5;
/// How much less is enough for a word beside one that belongs to a passphrase.
const SLACK: f32 = 2.25;
/// The most words of a passphrase on either side of one.
const WORDS: usize = 12;
/// The most words of a passphrase between two that may belong to it.
const GAP: usize = 3;

static LEARNED: &[u8; WEIGHTS] = include_bytes!("model/weights.bin");

/// A token that may be a secret.
pub struct Candidate {
    /// Which of the text's tokens it is.
    pub token: usize,
    /// The places of its features among the weights.
    pub features: Vec<u16>,
}

/// A text's tokens, and those of them that may be secrets.
pub fn candidates(text: &str) -> (Vec<Token>, Vec<Candidate>) {
    let tokens = tokens::tokens(text);
    let mut features = Features::new();
    let may_be = (0..tokens.len()).filter(|at| features::is_candidate(text, &tokens, *at));
    let all = may_be.map(|token| {
        let features = features.of(text, &tokens, token).to_vec();
        Candidate { token, features }
    });
    let all = all.collect();
    (tokens, all)
}

/// The secrets among the candidates, by their scores. The words of a passphrase are one secret.
pub fn chosen(tokens: &[Token], scored: &[(usize, f32)]) -> Vec<Range<usize>> {
    let mut scores = vec![f32::MIN; tokens.len()];
    for (at, score) in scored {
        scores[*at] = *score;
    }
    let exceeds = |at: usize| scores[at] > THRESHOLD && scores[at] > THRESHOLD + extra(tokens, at);
    let mut taken: Vec<_> = (0..tokens.len()).map(exceeds).collect();
    let phrase = |one: usize| {
        let (word, next) = (&tokens[one], &tokens[one + 1]);
        word.is_word() && next.is_word() && word.after == ' ' && next.before == ' '
    };
    for seed in 0..tokens.len() {
        if !taken[seed] || !tokens[seed].is_word() {
            continue;
        }
        let fits = |at: &usize| scores[*at] > THRESHOLD - SLACK;
        let before = (0..seed).rev().take(WORDS).take_while(|at| phrase(*at) && fits(at)).last();
        let mut end = seed;
        let after = (seed + 1..tokens.len()).take(WORDS).take_while(|at| phrase(at - 1));
        for at in after.take_while(|at| !tokens[*at].class.is_cue()) {
            if at - end > GAP {
                break;
            }
            if fits(&at) {
                end = at;
            }
        }
        taken[before.unwrap_or(seed)..=end].fill(true);
    }
    let mut found: Vec<Range<usize>> = Vec::new();
    for at in (0..tokens.len()).filter(|at| taken[*at]) {
        match found.last_mut() {
            Some(last) if at > 0 && taken[at - 1] && phrase(at - 1) => {
                last.end = tokens[at].span.end;
            }
            _ => found.push(tokens[at].span.clone()),
        }
    }
    found
}

/// How much more than the threshold a token needs: if no word announces a secret, or if harmless tokens often have its
/// shape.
fn extra(tokens: &[Token], at: usize) -> f32 {
    let token = &tokens[at];
    let unannounced = if features::cue(tokens, at).is_none() { UNANNOUNCED } else { 0.0 };
    let shape = match token.class {
        Class::WordDigits | Class::Strong | Class::Hex | Class::Fair | Class::Number => 0.0,
        Class::Kebab if token.folded.contains(|c: char| c.is_ascii_digit()) => 0.0,
        Class::Lower => 0.5,
        // Names, days and products.
        Class::Title => 1.0,
        _ => 1.0,
    };
    unannounced + shape
}

/// The tokens of a text that the model takes for secrets, without those that begin in one of the `known` secrets.
pub(super) fn find(text: &str, known: &[Raw]) -> Vec<Raw> {
    let tokens = tokens::tokens(text);
    let mut features = Features::new();
    let ordinary = Ordinary::new(text, &tokens);
    let mut scored = Vec::new();
    let is_known = |at: usize| {
        let next = known.partition_point(|raw| raw.span.end <= at);
        known.get(next).is_some_and(|raw| raw.span.start <= at)
    };
    for at in 0..tokens.len() {
        // The score of a word also matters to the words beside it.
        if !tokens[at].is_word() && is_known(tokens[at].span.start) {
            continue;
        }
        if features::is_candidate(text, &tokens, at) && !ordinary.is(at) {
            let places = features.of(text, &tokens, at).iter();
            let sum: i32 = places.map(|place| weight(*place)).sum();
            // A sum of a few hundred bytes.
            scored.push((at, sum as f32 / UNITS));
        }
    }
    let token = |span: &Range<usize>| tokens.partition_point(|token| token.span.start < span.start);
    let sure = |span: &Range<usize>| {
        let at = token(span);
        let said = doubts::Evidence::of(&tokens, at, ordinary.is_invited_within(at, 1));
        !doubts::is_doubtful(text, span, &said)
    };
    let named = |span: Range<usize>| {
        let at = token(&span);
        match features::cue(&tokens, at) {
            Some(Class::Token | Class::Key) => Raw::likely(span, "SECRET", SecretKind::Token),
            _ => Raw::likely(span, "PASSWORD", Password),
        }
    };
    let chosen = chosen(&tokens, &scored).into_iter().filter(|span| !is_known(span.start));
    chosen.map(|span| quoted(text, span)).filter(sure).map(named).collect()
}

/// The whole of a quoted passphrase of which the model has taken all but the last words.
fn quoted(text: &str, span: Range<usize>) -> Range<usize> {
    const REST_BYTES: usize = 48;
    const REST_WORDS: usize = 4;
    let quote = text[..span.start].chars().next_back().filter(|c| ['"', '\'', '`'].contains(c));
    let rest = &text[span.end..text.floor_char_boundary(span.end + REST_BYTES)];
    let end = quote.filter(|_| rest.starts_with(' ')).and_then(|quote| rest.find(quote));
    let word = |word: &str| !word.is_empty() && word.chars().all(char::is_alphabetic);
    let fits = |end: &usize| {
        let mut words = rest[1..*end].split(' ');
        words.clone().count() <= REST_WORDS && words.all(word)
    };
    let phrase = text[span.clone()].contains(' ');
    match end.filter(fits).filter(|_| phrase) {
        Some(end) => span.start..span.end + end,
        None => span,
    }
}

fn weight(place: u16) -> i32 {
    i32::from(LEARNED[usize::from(place)].cast_signed())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_passphrase_is_one_secret() {
        let text = "it is \"walnut table stone train cloud\" now";
        assert_eq!(&text[quoted(text, 7..25)], "walnut table stone train cloud");
        let text = "it is \"walnut table, or so\" now";
        assert_eq!(quoted(text, 7..19), 7..19);
    }
}
