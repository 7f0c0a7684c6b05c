//! Cuts a message into tokens.

use super::class::Class;
use crate::references;
use crate::weight::{Weight, weigh};
use crate::words::{Fnv, fold, folded};
use std::hash::Hasher;
use std::ops::Range;

/// The longest token whose shape is read, in bytes. A longer one is not a secret that a person types.
const TOKEN_BYTES: usize = 160;
/// How many bytes the forms of a word, or two tokens of a series, have in common at their beginning.
const STEM_BYTES: usize = 5;
const TWIN_BYTES: usize = 4;
/// How far around a word for a secret, and around a token that is not a word, the tokens are read.
const CUE_REACH: usize = 16;
const ODD_REACH: usize = 6;

/// A piece of a message between spaces, quotes and signs.
#[derive(Debug)]
pub struct Token {
    /// Where it is in the text, in bytes.
    pub span: Range<usize>,
    /// In lower case and without accents; empty if the token is long.
    pub(super) folded: String,
    pub(super) class: Class,
    pub(super) weight: Weight,
    /// The sign between the previous token and this one, or a space.
    pub(super) before: char,
    /// The sign after this token, or a space.
    pub(super) after: char,
    /// Whether the token begins a line.
    pub(super) starts_line: bool,
    /// Whether the token ends a line.
    pub(super) ends_line: bool,
    /// Hashes of the folded token and of its beginning, which the forms of a word share.
    pub(super) hash: u64,
    pub(super) stem: u64,
}

impl Token {
    fn at(span: Range<usize>, signs: [char; 2], starts_line: bool, class: Class) -> Self {
        let [before, after] = signs;
        let (folded, weight) = (String::new(), Weight::None);
        let (ends_line, hash, stem) = (false, 0, 0);
        Self { span, folded, class, weight, before, after, starts_line, ends_line, hash, stem }
    }

    fn read(&mut self, text: &str) {
        let word = &text[self.span.clone()];
        if self.class == Class::Known {
            return;
        }
        if word.len() > TOKEN_BYTES {
            self.class = Class::Thing;
            return;
        }
        fold(word, &mut self.folded);
        self.weight = weigh(word);
        self.class = Class::of(word, &self.folded, self.weight);
        self.hash = hash(&self.folded);
        self.stem = hash(&self.folded[..self.folded.floor_char_boundary(STEM_BYTES)]);
    }

    /// Whether the token was read: it is near a word for a secret, or odd itself.
    pub(super) fn is_read(&self) -> bool {
        self.class != Class::Lower || !self.folded.is_empty()
    }

    /// Whether the token is a word of a sentence.
    pub(super) fn is_word(&self) -> bool {
        self.class <= Class::Title
    }

    /// Whether two tokens begin alike and differ later: a correction, or two things of a series.
    pub(super) fn is_twin(&self, other: &Self) -> bool {
        let (a, b) = (self.folded.as_bytes(), other.folded.as_bytes());
        if self.hash == other.hash || a.len() < TWIN_BYTES || a.first() != b.first() {
            return false;
        }
        let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
        same >= TWIN_BYTES && 2 * same >= a.len().max(b.len())
    }
}

fn hash(text: &str) -> u64 {
    let mut hash = Fnv::default();
    hash.write(text.as_bytes());
    hash.finish()
}

/// Signs that surround tokens.
fn is_outside(c: char) -> bool {
    if c.is_ascii_alphanumeric() {
        return false;
    }
    is_outside_of_word(c) || matches!(c, '\'' | '‚' | '‘' | '’')
}

/// The tokens of a text, in order. A key and its value in `key=value` are two of them.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut all: Vec<Token> = Vec::new();
    let walls = references(text);
    let mut next_wall = 0;
    let mut at = 0;
    let mut before = '\n';
    while at < text.len() {
        let rest = &text[at..];
        let Some(start) = rest.find(|c| !is_outside(c)) else { break };
        let gap = &rest[..start];
        let starts_line = all.is_empty() || gap.contains('\n');
        let quote = gap.chars().rev().find(|c| !c.is_whitespace());
        let gap_sign = if gap.contains('\n') { Some('\n') } else { quote };
        let word = &rest[start..];
        next_wall += walls[next_wall..].iter().take_while(|wall| wall.end <= at + start).count();
        if let Some(wall) = walls.get(next_wall).filter(|wall| wall.start <= at + start) {
            let known = Token::at(at + start..wall.end, [before, ' '], starts_line, Class::Known);
            all.push(known);
            at = wall.end;
            before = ' ';
            continue;
        }
        let wall = walls.get(next_wall).map_or(usize::MAX, |wall| wall.start - (at + start));
        let end = word.find(is_outside_of_word).unwrap_or(word.len()).min(wall);
        // An apostrophe inside a word belongs to it: "c'est".
        let chunk = &word[..end];
        let from = at + start;
        at = from + end;
        let mut first = true;
        let (one, value) = pieces(chunk);
        for (span, sign) in std::iter::once(one).chain(value) {
            let span = from + span.start..from + span.end;
            if span.is_empty() {
                before = sign;
                continue;
            }
            let before_sign = match (first, gap_sign) {
                (true, Some(sign)) if !":=".contains(before) => sign,
                _ => before,
            };
            if let Some(last) = all.last_mut() {
                if first && starts_line {
                    last.ends_line = true;
                }
                if last.after == ' ' && first && gap_sign.is_some_and(|sign| sign != '\n') {
                    last.after = gap_sign.unwrap_or(' ');
                }
            }
            let starts_line = first && starts_line;
            all.push(Token::at(span, [before_sign, sign], starts_line, Class::Lower));
            before = sign;
            first = false;
        }
    }
    if let Some(last) = all.last_mut() {
        last.ends_line = true;
    }
    read(text, &mut all);
    all
}

/// Reads the tokens that are near a word for a secret, and those that are not words. The others cannot matter.
fn read(text: &str, tokens: &mut [Token]) {
    let mut read = 0;
    let mut until = 0;
    for at in 0..tokens.len() {
        let word = &text[tokens[at].span.clone()];
        let invites = tokens[at].class == Class::Known || {
            let folded = folded(word.get(..TOKEN_BYTES).unwrap_or(word));
            Class::may_invite(&folded) && !is_journal(&folded, text, tokens.get(at + 1))
        };
        let is_word = word.bytes().all(|b| b.is_ascii_alphabetic() || !b.is_ascii());
        let reach = match (invites, is_word) {
            (true, _) => CUE_REACH,
            (false, true) => 0,
            (false, false) => ODD_REACH,
        };
        if reach > 0 {
            read = read.max(at.saturating_sub(reach));
            until = until.max(at + 1 + reach);
        }
        while read < until.min(at + 1) {
            tokens[read].read(text);
            if is_journal(&tokens[read].folded, text, tokens.get(read + 1)) {
                tokens[read].class = Class::Lower;
            }
            read += 1;
        }
    }
}

/// Whether "log" is what a program wrote, and not a part of "log in".
fn is_journal(folded: &str, text: &str, next: Option<&Token>) -> bool {
    const IN: [&str; 9] = ["in", "into", "on", "onto", "back", "me", "us", "yourself", "as"];
    let follows = |next: &Token| {
        let next = &text[next.span.clone()];
        IN.iter().any(|word| next.eq_ignore_ascii_case(word))
    };
    matches!(folded, "log" | "logs") && !next.is_some_and(follows)
}

fn is_outside_of_word(c: char) -> bool {
    // Nearly all characters end here.
    if c.is_ascii_alphanumeric() {
        return false;
    }
    c.is_whitespace()
        || matches!(c, '"' | '`' | '«' | '»' | '„' | '“' | '”' | '‹' | '›' | ',' | ';' | '|')
}

/// A part of a chunk, and the sign after it.
type Piece = (Range<usize>, char);

/// The pieces of a chunk without spaces: a word, or a key and its value, without the punctuation around.
fn pieces(chunk: &str) -> (Piece, Option<Piece>) {
    if chunk.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return ((0..chunk.len(), ' '), None);
    }
    let trimmed_start =
        chunk.trim_start_matches(['(', '[', '{', '<', '\'', '¿', '¡', ',', ';', '|']);
    let start = chunk.len() - trimmed_start.len();
    let ends = [')', ']', '}', '>', '\'', ',', ';', '|', '’', '‘'];
    let mut body = trimmed_start.trim_end_matches(ends);
    let mut sign = trimmed_start[body.len()..].chars().next().unwrap_or(' ');
    // A call keeps its bracket.
    if sign == ')' && body.contains('(') {
        body = &trimmed_start[..=body.len()];
    }
    // One sign at the end is punctuation.
    if body.len() > 1
        && let Some(last) = body.chars().next_back()
        && ".:?=…".contains(last)
    {
        body = &body[..body.len() - last.len_utf8()];
        sign = last;
    }
    let key = |at: usize| {
        let key = body[..at].trim_start_matches('-');
        let fixed = ["SHA256", "sha256", "MD5", "jdbc", "ext", "sha512"].contains(&key);
        !fixed
            && (key.len() >= 2 || body[at..].starts_with('='))
            && !key.starts_with(|c: char| c.is_ascii_digit())
            && key.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c))
    };
    let cut = body
        .find(['=', ':'])
        .filter(|at| key(*at) && !body[*at..].starts_with("://") && !body[*at..].starts_with("::"));
    match cut {
        Some(at) => {
            let joint = if body[at..].starts_with('=') { '=' } else { ':' };
            let value = at + 1 + body[at + 1..].len()
                - body[at + 1..].trim_start_matches(['\'', '(', '{', '[']).len();
            ((start..start + at, joint), Some((start + value..start + body.len(), sign)))
        }
        None => ((start..start + body.len(), sign), None),
    }
}
