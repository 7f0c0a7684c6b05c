//! What the scorer looks at: the shape of a token, the words around it, and both together.
//!
//! Each feature is hashed to the place of its weight. Two features that share a place share a weight, which costs little
//! as long as there are many more places than features that matter.

use super::class::Class;
use super::tokens::Token;
use crate::bare::is_public;
use crate::talk::says;
use crate::things::{is_named_thing, is_stand_in};
use crate::weight::{Weight, is_wordy};

/// How many weights there are.
pub const WEIGHTS: usize = 1 << 16;

/// How far a word for a secret may be from the token, in tokens.
const CUE_BEFORE: usize = 14;
const CUE_AFTER: usize = 8;
/// The longest way from a word for a secret to the token that is a feature as a whole, in tokens.
const WAY: usize = 6;
/// How many of the words before and after the token are features, in whatever order they come.
const WORDS_BEFORE: usize = 8;
const WORDS_AFTER: usize = 5;
/// How far a token that begins like this one may be, in tokens.
const TWIN: usize = 12;
/// The shortest token that may be a secret, in bytes.
const LEAST_BYTES: usize = 3;
/// The same for a token that the rules would never take for a secret.
const LEAST_THING_BYTES: usize = 5;

/// The least length of a text in letters of both cases with a digit that may be a secret without any sign of one, in
/// bytes.
const MIXED_BYTES: usize = 7;

/// Collects the places of a token's features among the weights.
pub struct Features {
    places: Vec<u16>,
}

impl Features {
    pub fn new() -> Self {
        Self { places: Vec::with_capacity(160) }
    }

    /// Adds a feature: its kind, and its values.
    fn add<const N: usize>(&mut self, kind: u8, values: [u64; N]) {
        let mut hash = u64::from(kind).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for value in values {
            hash = (hash ^ value).wrapping_mul(0xff51_afd7_ed55_8ccd);
            hash ^= hash >> 32;
        }
        self.places.push(u16::try_from(hash & 0xffff).unwrap_or_default());
    }

    /// The features of a token, as places among the weights.
    pub fn of(&mut self, text: &str, tokens: &[Token], at: usize) -> &[u16] {
        self.places.clear();
        let token = &tokens[at];
        let shape = u64::from(group(token));
        self.add(0, []);
        self.add_shape(&text[token.span.clone()], token, shape);
        self.add_edges(token, shape);
        self.add_neighbors(tokens, at, shape);
        self.add_words(tokens, at, shape);
        self.add_cues(tokens, at, shape);
        self.add_hints(tokens, at, shape);
        &self.places
    }

    fn add_shape(&mut self, word: &str, token: &Token, shape: u64) {
        self.add(1, [shape]);
        self.add(2, [token.class as u64, token.weight as u64]);
        if token.is_word() {
            self.add(3, [token.hash]);
        }
        let mut counts = [0_usize; 8];
        let (mut last, mut runs) = (0, 0_u64);
        for c in word.chars() {
            let class = kind(c);
            counts[class as usize] += 1;
            if class != last && runs < 1 << 36 {
                self.add(4, [last, class]);
                runs = runs << 3 | class;
            }
            if class >= JOINT {
                self.add(5, [u64::from(c)]);
            }
            last = class;
        }
        self.add(6, [runs]);
        self.add(7, [word.len().min(48).isqrt() as u64, shape]);
        let count = |class: u64, most: usize| counts[class as usize].min(most) as u64;
        self.add(8, [count(DIGIT, 5), count(UPPER, 2), count(SIGN, 2)]);
        let digits = word.len() - word.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        self.add(9, [digits.min(5) as u64, is_wordy(word).into()]);
        let is_year = digits == 4 && word[word.len() - 4..].starts_with(['1', '2']);
        self.add(10, [is_year.into(), shape]);
        let edge = |c: char| if c.is_alphanumeric() { kind(c) } else { u64::from(c) };
        self.add(11, [word.chars().next().map_or(0, edge)]);
        self.add(12, [word.chars().next_back().map_or(0, edge)]);
        let mut seen = [false; 256];
        word.bytes().for_each(|byte| seen[usize::from(byte)] = true);
        let distinct = seen.iter().filter(|seen| **seen).count();
        self.add(13, [(8 * distinct / word.len().max(1)) as u64, shape]);
    }

    /// The signs around the token, and whether it begins or ends a line.
    fn add_edges(&mut self, token: &Token, shape: u64) {
        let (before, after) = (u64::from(token.before), u64::from(token.after));
        self.add(14, [token.starts_line.into(), token.ends_line.into(), shape]);
        self.add(15, [before, shape]);
        self.add(16, [after, shape]);
        self.add(17, [before, after, shape]);
    }

    fn add_neighbors(&mut self, tokens: &[Token], at: usize, shape: u64) {
        for back in 1..=4 {
            let far = back as u64;
            let Some(near) = at.checked_sub(back).map(|i| &tokens[i]) else {
                self.add(18, [far, shape]);
                break;
            };
            self.add(19, [far, near.class as u64]);
            if back <= 3 {
                self.add(20, [far, near.class as u64, shape]);
            }
            if back <= 2 {
                self.add(21, [far, near.hash]);
                self.add(22, [far, near.hash, shape]);
            }
        }
        for ahead in 1..=3 {
            let far = ahead as u64;
            let Some(near) = tokens.get(at + ahead) else {
                self.add(23, [far, shape]);
                break;
            };
            self.add(24, [far, near.class as u64, shape]);
            if ahead == 1 {
                self.add(25, [near.hash, shape]);
            }
        }
        if at >= 2 {
            self.add(26, [tokens[at - 2].class as u64, tokens[at - 1].class as u64, shape]);
        }
        if at > 0 && at + 1 < tokens.len() {
            self.add(27, [tokens[at - 1].class as u64, tokens[at + 1].class as u64, shape]);
        }
    }

    /// The words around the token, whatever their order.
    fn add_words(&mut self, tokens: &[Token], at: usize, shape: u64) {
        for near in tokens[at.saturating_sub(WORDS_BEFORE)..at].iter().filter(|t| t.is_word()) {
            self.add(28, [near.hash]);
            self.add(29, [near.stem, shape]);
        }
        for near in tokens[at + 1..].iter().take(WORDS_AFTER).filter(|t| t.is_word()) {
            self.add(30, [near.stem, shape]);
        }
        let from = at.saturating_sub(TWIN);
        let around = &tokens[from..tokens.len().min(at + 1 + TWIN)];
        let token = &tokens[at];
        self.add(31, [around.iter().any(|near| near.is_twin(token)).into(), shape]);
        let same = around.iter().filter(|near| near.hash == token.hash).count();
        self.add(32, [same.min(3) as u64, shape]);
        let hard = around.iter().filter(|t| t.class == Class::Strong).count();
        self.add(33, [hard.min(2) as u64, shape]);
    }

    /// The nearest words that often come with a secret, and references to sealed ones.
    fn add_hints(&mut self, tokens: &[Token], at: usize, shape: u64) {
        for class in [Class::Hint, Class::Known] {
            let is = |token: &Token| token.class == class;
            let from = at.saturating_sub(CUE_BEFORE);
            let before = tokens[from..at].iter().rev().position(is);
            let after = tokens[at + 1..].iter().take(CUE_AFTER).position(is);
            let far = |place: Option<usize>| place.map_or(0, |place| 1 + step(place));
            self.add(48, [class as u64, far(before), shape]);
            self.add(49, [class as u64, far(after), shape]);
        }
    }

    /// The words for a secret around the token, and what is between them and the token.
    fn add_cues(&mut self, tokens: &[Token], at: usize, shape: u64) {
        let (before, after) = cues(tokens, at);
        let ended = |from: usize, to: usize| {
            u64::from(tokens[from..to].iter().any(|t| ".?!;".contains(t.after) || t.ends_line))
        };
        let from = at.saturating_sub(CUE_BEFORE);
        let count = tokens[from..at].iter().filter(|t| t.class.is_cue()).count();
        self.add(34, [count.min(3) as u64, shape]);
        let way = |tokens: &[Token]| {
            tokens.iter().fold(1_u64, |way, t| way << 6 | (t.class as u64 & 0x3f))
        };
        if let Some(place) = before {
            let (class, far) = (tokens[place].class as u64, step(at - place));
            let ended = ended(place, at);
            self.add(35, [class, far]);
            self.add(36, [class, far, shape, ended]);
            self.add(37, [class, shape]);
            self.add(38, [far, shape, ended]);
            self.add(39, [u64::from(tokens[place].after), shape]);
            if at - place <= WAY {
                let way = way(&tokens[place..at]);
                self.add(40, [way]);
                self.add(41, [way, shape]);
                let between = &tokens[place + 1..at];
                let tied = between.iter().any(|t| t.class == Class::Copula);
                let parted = between.iter().any(|t| t.class.parts());
                self.add(42, [tied.into(), parted.into(), shape, far]);
            }
        }
        if let Some(place) = after {
            let (class, far) = (tokens[place].class as u64, step(place - at));
            self.add(43, [class, far, shape, ended(at, place)]);
            self.add(44, [far, shape]);
            if place - at <= 3 {
                self.add(45, [way(&tokens[at + 1..=place]), shape]);
            }
        }
        self.add(46, [before.is_none().into(), after.is_none().into(), shape]);
        if before.is_none() && after.is_none() {
            self.add(47, [shape, tokens[at].weight as u64]);
        }
    }
}

const UPPER: u64 = 2;
const DIGIT: u64 = 3;
const JOINT: u64 = 5;
const SIGN: u64 = 6;

/// The kind of a character.
fn kind(c: char) -> u64 {
    match c {
        'a'..='z' => 1,
        'A'..='Z' => UPPER,
        '0'..='9' => DIGIT,
        '-' | '_' | '.' | '/' | ':' => JOINT,
        c if c.is_ascii() => SIGN,
        c if c.is_lowercase() => 1,
        c if c.is_uppercase() => UPPER,
        c if c.is_alphanumeric() => 4,
        _ => SIGN,
    }
}

/// What of a token's shape is combined with its context.
fn group(token: &Token) -> u8 {
    match token.class {
        Class::Lower => b'l',
        Class::Title => b't',
        Class::Upper => b'u',
        Class::Number => b'n',
        Class::Hex => b'h',
        Class::WordDigits => b'd',
        Class::Snake | Class::Kebab | Class::Dotted => b'j',
        Class::Fair => b'F',
        Class::Strong => b'S',
        Class::Mixed if token.weight == Weight::Strong => b'S',
        Class::Mixed => b'm',
        _ => b'T',
    }
}

/// The nearest words for a secret before and after a token.
fn cues(tokens: &[Token], at: usize) -> (Option<usize>, Option<usize>) {
    let from = at.saturating_sub(CUE_BEFORE);
    let before = tokens[from..at].iter().rposition(|t| t.class.is_cue());
    let end = tokens.len().min(at + 1 + CUE_AFTER);
    let after = tokens[at + 1..end].iter().position(|t| t.class.is_cue());
    (before.map(|place| from + place), after.map(|place| at + 1 + place))
}

/// The nearest word for a secret before a token.
pub fn cue(tokens: &[Token], at: usize) -> Option<Class> {
    cues(tokens, at).0.map(|place| tokens[place].class)
}

/// Whether a token is near that often comes with a secret.
pub fn is_invited(tokens: &[Token], at: usize) -> bool {
    let from = at.saturating_sub(CUE_BEFORE);
    let end = tokens.len().min(at + 1 + CUE_AFTER);
    let mut near = tokens[from..at].iter().chain(&tokens[at + 1..end]);
    near.any(|token| token.class.invites())
}

/// Whether a token may be a secret at all. Most tokens of a text end here.
pub fn is_candidate(text: &str, tokens: &[Token], at: usize) -> bool {
    let token = &tokens[at];
    let harmless = || {
        let word = &text[token.span.clone()];
        is_stand_in(word)
            || is_public(word)
            || is_named_thing(&token.folded)
            || word.starts_with("0x")
            || word.strip_suffix('!').is_some_and(|said| says(said).is_some())
    };
    match token.class {
        class if class < Class::Lower || !token.is_read() => false,
        Class::Sign | Class::Option | Class::Variable | Class::Url => false,
        Class::Mail | Class::Path | Class::Known => false,
        _ if token.span.len() < LEAST_BYTES => false,
        _ if token.weight >= Weight::Name => !harmless(),
        Class::Snake | Class::Kebab | Class::Dotted | Class::Thing | Class::WordDigits
            if is_mixed(&text[token.span.clone()]) =>
        {
            !harmless()
        }
        Class::Thing | Class::Address => {
            token.span.len() >= LEAST_THING_BYTES && cues(tokens, at).0.is_some() && !harmless()
        }
        _ => is_invited(tokens, at) && !harmless(),
    }
}

/// Whether a text has a letter in each case and a digit.
fn is_mixed(word: &str) -> bool {
    let any = |f: fn(char) -> bool| word.chars().any(f);
    word.len() >= MIXED_BYTES
        && any(char::is_uppercase)
        && any(char::is_lowercase)
        && any(|c| c.is_ascii_digit())
        && !word.contains(['/', ':', '@', '('])
}

/// How far, in steps that grow.
fn step(distance: usize) -> u64 {
    match distance {
        0..=4 => distance as u64,
        5..=6 => 5,
        7..=9 => 6,
        _ => 7,
    }
}
