//! Masks credentials in a run's output, so that they do not leave the sandbox.
//!
//! Output comes in pieces that end anywhere, so the search continues from piece to piece: an Aho-Corasick automaton
//! tracks at each byte how much of the end of the text may be the beginning of a credential, and holds that much back,
//! usually a few bytes. The mask covers *every byte that belongs to a credential anywhere*, and each run of covered
//! bytes becomes one mask. So the result depends on the text alone and not on how it was cut.
//!
//! The search also covers the forms in which programs print a credential: quoted for a shell, a language or markup
//! ([`quoting`]), in base64, base32 and hexadecimal, byte by byte, line by line ([`forms`]), with line ends, colors or a
//! dump's blanks between its characters ([`loose`], [`layout`]), and with any of its characters escaped ([`spelled`]).
//! Values of four and five bytes count only as words of their own ([`words`]), and some short values not at all: the
//! crate `domain` explains which in its module `masking`, and the credentials form tells its user. No mask can find
//! output that a script disguises on purpose (by reversing it, say); that is why an owner approves the script
//! first.

mod automaton;
#[cfg(test)]
mod beside;
mod escapes;
mod forms;
mod further;
mod layout;
mod loose;
#[cfg(test)]
mod printed;
mod quoting;
mod spelled;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod time;
mod words;

use automaton::Automaton;
use loose::{Gaps, Loose};
use protocol::Reach;
use spelled::{Known, Spelled};
use std::collections::VecDeque;
use std::ops::Range;
use words::Words;

use crate::reader::Marks;

/// Values shorter than this, in bytes, occur in ordinary words, so their forms are not searched for.
const MIN_BYTES: usize = protocol::EVERYWHERE_BYTES;

/// Mask characters, in order of preference: the first one that no credential contains is used, so that no mask
/// completes a credential.
const MASKS: [char; 4] = ['*', '•', '█', '▒'];

/// Marks of these values for recognizing them in files, for a reading or a program whose output may show parts of them,
/// which no mask would cover.
pub fn marks(values: &[String]) -> Marks {
    Marks::of(values.iter().flat_map(|value| forms::in_files(value)))
}

/// The marks for a reading, which needs them only if it shows parts of lines.
pub fn marks_for(reach: &Reach, values: &[String]) -> Marks {
    if reach.parts { marks(values) } else { Marks::default() }
}

/// Masks the credentials in one text that comes in pieces.
pub struct Mask {
    automaton: Automaton,
    /// Searches of the same text that skip gaps inside a credential.
    loose: [Loose; 2],
    /// A search of what the text's escapes mean.
    spelled: Spelled,
    /// A search for short values.
    words: Words,
    /// Bytes with which a form of a credential, or an escape, begins.
    begins: Box<[bool; 256]>,
    mask: String,
    /// The automaton's state after the text so far.
    state: u32,
    /// The end of the text, not yet released.
    held: VecDeque<u8>,
    /// The length of the text before `held`.
    said: u64,
    /// The credentials' positions in `held`, sorted and disjoint.
    covered: VecDeque<Range<u64>>,
    /// Whether the last released byte belongs to a credential.
    masking: bool,
    /// What is struck over a credential's last character.
    struck: Struck,
}

/// What `nroff` strikes over a character: a backspace, and the same character again.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Struck {
    Nothing,
    /// A backspace was read.
    Begun,
    /// So many bytes of the character are left.
    Left(usize),
}

impl Struck {
    /// After the next byte, which follows a byte of a credential or of what is struck over it.
    fn next(self, byte: u8) -> Self {
        match self {
            Self::Nothing | Self::Left(0) if byte == escapes::BACKSPACE => Self::Begun,
            Self::Begun => Self::Left(escapes::width(byte) - 1),
            Self::Left(left) if left > 0 => Self::Left(left - 1),
            _ => Self::Nothing,
        }
    }
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
        let words = Words::of(values.iter().copied());
        let mut begins = Box::new([false; 256]);
        for byte in 0..=u8::MAX {
            let begin = automaton.begins(byte) || ink.begins(byte) || Spelled::begins(byte);
            begins[usize::from(byte)] = (begin && !automaton.is_empty()) || words.begins(byte);
        }
        Self {
            automaton,
            loose: [Gaps::Lines, Gaps::Dump].map(|gaps| Loose::new(gaps, ink.clone())),
            spelled: Spelled::new(),
            words,
            begins,
            mask: mask.to_string().repeat(3),
            state: Automaton::START,
            held: VecDeque::new(),
            said: 0,
            covered: VecDeque::new(),
            masking: false,
            struck: Struck::Nothing,
        }
    }

    /// Masks nothing.
    pub fn none() -> Self {
        Self::of([])
    }

    /// Takes a piece; returns the text that can be released now.
    pub fn push(&mut self, piece: &str) -> String {
        let bytes = piece.as_bytes();
        let mut out = Vec::with_capacity(bytes.len());
        let mut at = 0;
        while at < bytes.len() {
            if self.is_idle() {
                // Nothing is held back here: skip to the next possible beginning of a credential.
                let begins = |byte: &u8| self.begins[usize::from(*byte)];
                let plain = bytes[at..].iter().position(begins).unwrap_or(bytes.len() - at);
                if plain > 0 {
                    out.extend_from_slice(&bytes[at..at + plain]);
                    self.words.skip(&bytes[at..at + plain]);
                    self.loose
                        .iter_mut()
                        .for_each(|loose| loose.skip(&bytes[at..at + plain], self.said));
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

    /// Ends the text; returns the rest of it.
    pub fn end(&mut self) -> String {
        let mut out = Vec::new();
        let mut spelled = std::mem::replace(&mut self.spelled, Spelled::new());
        spelled.end(&self.automaton.clone(), |found| self.cover(found));
        let loose = self.loose.each_mut().map(Loose::end);
        for found in loose.into_iter().flatten().chain(self.words.end()) {
            self.cover(found);
        }
        self.say(0, &mut out);
        self.state = Automaton::START;
        self.loose = self.loose.each_ref().map(Loose::afresh);
        text(out)
    }

    /// Masks a complete text, independently of the stream.
    pub fn whole(&self, text: &str) -> String {
        let mut fresh = self.afresh();
        let said = fresh.push(text);
        said + &fresh.end()
    }

    /// Masks the beginning of a text whose rest is unknown; drops an end that may be part of a credential.
    pub fn beginning(&self, text: &str) -> String {
        self.afresh().push(text)
    }

    /// The same mask for another text.
    fn afresh(&self) -> Self {
        Self {
            automaton: self.automaton.clone(),
            loose: self.loose.each_ref().map(Loose::afresh),
            spelled: Spelled::new(),
            words: self.words.afresh(),
            begins: self.begins.clone(),
            mask: self.mask.clone(),
            held: VecDeque::new(),
            covered: VecDeque::new(),
            state: Automaton::START,
            said: 0,
            masking: false,
            struck: Struck::Nothing,
        }
    }

    /// Whether nothing is held back, and the text so far has no effect on the text to come.
    fn is_idle(&self) -> bool {
        self.state == Automaton::START
            && self.struck == Struck::Nothing
            && self.loose.iter().all(Loose::is_idle)
            && self.spelled.is_idle()
            && self.words.start(self.said + self.held.len() as u64).is_none()
    }

    fn step(&mut self, byte: u8) {
        self.read_escapes(byte);
        self.state = self.automaton.next(self.state, byte);
        self.held.push_back(byte);
        let end = self.said + self.held.len() as u64;
        if let Some(found) = self.words.step(byte, end - 1) {
            self.cover(found);
        }
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

    fn read_escapes(&mut self, byte: u8) {
        let mut found = Vec::new();
        let place = self.said + self.held.len() as u64;
        let known = Known { automaton: &self.automaton, state: self.state, place };
        self.spelled.step(byte, known, |places| found.push(places));
        for places in found {
            self.cover(places);
        }
    }

    /// How many bytes at the end of the held text may still belong to a credential.
    fn kept(&self) -> usize {
        let end = self.said + self.held.len() as u64;
        let starts = self.loose.iter().filter_map(Loose::start);
        let starts = starts.chain(self.spelled.start()).chain(self.words.start(end));
        let spread = starts.map(|start| end - start.max(self.said)).max().unwrap_or_default();
        let spread = usize::try_from(spread).unwrap_or(usize::MAX);
        self.automaton.depth(self.state).max(spread)
    }

    /// Covers a range; adjacent ranges are merged.
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

    /// Releases all but the last `keep` bytes, which later text may still cover.
    fn say(&mut self, keep: usize, out: &mut Vec<u8>) {
        while self.held.len() > keep
            && let Some(byte) = self.held.pop_front()
        {
            while self.covered.front().is_some_and(|range| range.end <= self.said) {
                self.covered.pop_front();
            }
            let own = self.covered.front().is_some_and(|range| range.start <= self.said);
            let over = self.masking && !own;
            self.struck = if over { self.struck.next(byte) } else { Struck::Nothing };
            let covered = own || self.struck != Struck::Nothing;
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

/// Credentials begin and end at character boundaries, so the text between them does too.
fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
}
