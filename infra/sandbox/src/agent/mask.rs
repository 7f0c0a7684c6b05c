//! Credentials do not leave the sandbox in what a run prints.
//!
//! Output comes in pieces that end anywhere, so the search goes on from piece to piece: an automaton
//! (Aho and Corasick's) knows at each byte how much of the end of the text may be the beginning of a credential, and
//! that much is held back, a few bytes as a rule. *Every byte that belongs to a credential anywhere* is covered, and each
//! run of covered bytes becomes one mask. So what comes out depends on the text alone and not on how it was cut.
//!
//! A credential is also looked for as programs print it: quoted for a shell, a language or markup ([`quoting`]), in
//! base64, base32 and hexadecimal, byte by byte, line by line ([`forms`]), and with line ends, colours or a dump's blanks
//! between its characters ([`loose`]). What a script does on purpose to hide what it prints (reversing it, say) is beyond
//! any mask; that is why an owner approves it first.

mod automaton;
mod forms;
mod loose;
#[cfg(test)]
mod printed;
mod quoting;
#[cfg(test)]
mod tests;

use automaton::Automaton;
use loose::{Gaps, Loose};
use std::collections::VecDeque;
use std::ops::Range;

/// Shorter values are not looked for, in bytes: they would be found in ordinary words.
const MIN_BYTES: usize = 6;

/// Characters to mask with: the first that no credential contains, so that no mask completes one.
const MASKS: [char; 4] = ['*', '•', '█', '▒'];

/// Masks the credentials in one text that comes in pieces.
pub struct Mask {
    automaton: Automaton,
    /// Those who read the same text past what may stand between.
    loose: [Loose; 2],
    /// Bytes that begin a form of a credential.
    begins: Box<[bool; 256]>,
    mask: String,
    /// The automaton's state after all that came.
    state: u32,
    /// The end of the text, not said yet.
    held: VecDeque<u8>,
    /// How much of the text came before `held`.
    said: u64,
    /// Where credentials stand in `held`, in order and apart.
    covered: VecDeque<Range<u64>>,
    /// The last byte that was said belongs to a credential.
    masking: bool,
}

impl Mask {
    /// Masks these values and their usual encodings.
    pub fn of<'a>(values: impl IntoIterator<Item = &'a str>) -> Self {
        let values: Vec<&str> = values.into_iter().collect();
        let free = |c: &char| values.iter().all(|value| !value.contains(*c));
        let others = '\u{2800}'..='\u{28ff}';
        let mask = MASKS.into_iter().chain(others).find(free).unwrap_or(MASKS[0]);
        let automaton = Automaton::of(values.iter().copied().flat_map(forms::of));
        let ink = Automaton::of(values.iter().copied().flat_map(forms::ink));
        let mut begins = Box::new([false; 256]);
        for byte in 0..=u8::MAX {
            begins[usize::from(byte)] = automaton.begins(byte) || ink.begins(byte);
        }
        Self {
            automaton,
            loose: [Gaps::Lines, Gaps::Dump].map(|gaps| Loose::new(gaps, ink.clone())),
            begins,
            mask: mask.to_string().repeat(3),
            state: Automaton::START,
            held: VecDeque::new(),
            said: 0,
            covered: VecDeque::new(),
            masking: false,
        }
    }

    /// Masks nothing.
    pub fn none() -> Self {
        Self::of([])
    }

    /// Takes a piece; what may be said by now.
    pub fn push(&mut self, piece: &str) -> String {
        let bytes = piece.as_bytes();
        let mut out = Vec::with_capacity(bytes.len());
        let mut at = 0;
        while at < bytes.len() {
            if self.state == Automaton::START && self.loose.iter().all(Loose::is_idle) {
                // Nothing is held back here: skip to where a credential could begin.
                let begins = |byte: &u8| self.begins[usize::from(*byte)];
                let plain = bytes[at..].iter().position(begins).unwrap_or(bytes.len() - at);
                if plain > 0 {
                    out.extend_from_slice(&bytes[at..at + plain]);
                    self.said += plain as u64;
                    self.masking = false;
                    at += plain;
                    continue;
                }
            }
            self.step(bytes[at]);
            self.say(self.kept(), &mut out);
            at += 1;
        }
        text(out)
    }

    /// Ends the text; the rest of it.
    pub fn end(&mut self) -> String {
        let mut out = Vec::new();
        self.say(0, &mut out);
        self.state = Automaton::START;
        self.loose = self.loose.each_ref().map(Loose::afresh);
        text(out)
    }

    /// Masks a text that is there as a whole, between others.
    pub fn whole(&self, text: &str) -> String {
        let mut fresh = Self {
            automaton: self.automaton.clone(),
            loose: self.loose.each_ref().map(Loose::afresh),
            begins: self.begins.clone(),
            mask: self.mask.clone(),
            held: VecDeque::new(),
            covered: VecDeque::new(),
            state: Automaton::START,
            said: 0,
            masking: false,
        };
        let said = fresh.push(text);
        said + &fresh.end()
    }

    fn step(&mut self, byte: u8) {
        self.state = self.automaton.next(self.state, byte);
        self.held.push_back(byte);
        let end = self.said + self.held.len() as u64;
        for i in 0..self.loose.len() {
            if let Some(found) = self.loose[i].step(byte, end - 1) {
                self.cover(found);
            }
        }
        let length = self.automaton.found(self.state) as u64;
        if length > 0 {
            self.cover(end - length..end);
        }
    }

    /// Of what is held, how many bytes at its end may still belong to a credential.
    fn kept(&self) -> usize {
        let end = self.said + self.held.len() as u64;
        let starts = self.loose.iter().filter_map(Loose::start);
        let spread = starts.map(|start| end - start.max(self.said)).max().unwrap_or_default();
        let spread = usize::try_from(spread).unwrap_or(usize::MAX);
        self.automaton.depth(self.state).max(spread)
    }

    /// Covers a place; places that touch become one.
    fn cover(&mut self, found: Range<u64>) {
        let Range { mut start, mut end } = found;
        while let Some(last) = self.covered.pop_back() {
            if last.end < start {
                self.covered.push_back(last);
                break;
            }
            start = start.min(last.start);
            end = end.max(last.end);
        }
        self.covered.push_back(start..end);
    }

    /// Says all but the last `keep` bytes: nothing can cover more of them.
    fn say(&mut self, keep: usize, out: &mut Vec<u8>) {
        while self.held.len() > keep
            && let Some(byte) = self.held.pop_front()
        {
            while self.covered.front().is_some_and(|range| range.end <= self.said) {
                self.covered.pop_front();
            }
            let covered = self.covered.front().is_some_and(|range| range.start <= self.said);
            match (covered, self.masking) {
                (true, false) => out.extend_from_slice(self.mask.as_bytes()),
                (true, true) => {}
                (false, _) => out.push(byte),
            }
            self.masking = covered;
            self.said += 1;
        }
    }
}

/// Credentials begin and end with whole characters, and so does what is between them.
fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
}
