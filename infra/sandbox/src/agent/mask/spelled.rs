//! Credentials with escaped characters: the same search in the text as its escapes mean it.
//!
//! Where the text has no escape, it means itself, so a reading begins at the first byte that may begin an escape, with
//! what the search of the plain text knows there, and ends as soon as it knows nothing else. Texts may be escaped more
//! than once, so a reading applies one or more kinds of escapes, one after the other.

use super::automaton::Automaton;
use super::escapes::{Escapes, Meaning, Number};
use std::collections::VecDeque;
use std::ops::Range;

use Escapes::{
    Backslash, Doubled, Form, Lead, Marked, Markup, Numbered, Percent, Printable, Struck, Unseen,
};

/// How many bytes one credential may be spread over: its characters, at the longest escape each.
const SPREAD_BYTES: u64 = 64 * 1024;

/// The most bytes of an escape that wait for its end: more than the longest escape has.
const OPEN_BYTES: usize = 16;

/// What is read, the outermost escapes first: JSON in JSON, JSON in HTML, a form in JSON, and so on.
const READINGS: &[&[Escapes]] = &[
    &[Backslash],
    &[Markup],
    &[Percent],
    &[Form],
    &[Printable],
    &[Doubled],
    &[Marked],
    &[Unseen],
    &[Struck],
    &[Lead],
    &[Numbered(Number::HASH)],
    &[Numbered(Number::HASH_OCTAL)],
    &[Numbered(Number::BACKSLASH)],
    &[Numbered(Number::BACKSLASH_DECIMAL)],
    &[Backslash, Backslash],
    &[Backslash, Backslash, Backslash],
    &[Backslash, Markup],
    &[Backslash, Percent],
    &[Backslash, Form],
    &[Backslash, Doubled],
    &[Backslash, Numbered(Number::BACKSLASH)],
    &[Backslash, Numbered(Number::BACKSLASH_DECIMAL)],
    &[Markup, Backslash],
    &[Markup, Markup],
    &[Markup, Percent],
    &[Percent, Backslash],
    &[Percent, Percent],
    &[Form, Backslash],
    &[Doubled, Backslash],
    &[Unseen, Backslash],
];

/// A byte as the escapes mean it, and where the text spells it.
#[derive(Debug, Clone)]
struct Meant {
    byte: u8,
    place: Range<u64>,
}

/// One reading of a text.
#[derive(Clone)]
struct Reading {
    escapes: &'static [Escapes],
    /// Per kind of escapes, the beginning of what may be one.
    open: Vec<Vec<Meant>>,
    /// The automaton's state after the bytes that are decided.
    state: u32,
    /// The places of the credential prefix found so far.
    places: VecDeque<Range<u64>>,
    awake: bool,
}

/// Searches a text for credentials with escaped characters.
#[derive(Clone)]
pub struct Spelled(Vec<Reading>);

/// The search of the plain text before a byte.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    pub automaton: &'a Automaton,
    pub state: u32,
    /// The position of the byte.
    pub place: u64,
}

impl Spelled {
    pub fn new() -> Self {
        let reading = |escapes: &&'static [Escapes]| Reading {
            escapes,
            open: vec![Vec::new(); escapes.len()],
            state: Automaton::START,
            places: VecDeque::new(),
            awake: false,
        };
        Self(READINGS.iter().map(reading).collect())
    }

    /// Whether an escape may begin with this byte.
    pub fn begins(byte: u8) -> bool {
        READINGS.iter().any(|escapes| escapes[0] != Lead && escapes[0].begin_with(byte))
    }

    /// Whether the text so far has no effect on the text to come.
    pub fn is_idle(&self) -> bool {
        self.0.iter().all(|reading| !reading.awake)
    }

    /// The start of what may belong to a credential.
    pub fn start(&self) -> Option<u64> {
        self.0.iter().filter(|reading| reading.awake).filter_map(Reading::start).min()
    }

    /// Reads a byte; calls `found` with the places of each credential that it completes.
    pub fn step(&mut self, byte: u8, known: Known<'_>, mut found: impl FnMut(Range<u64>)) {
        for reading in &mut self.0 {
            // Only a credential of several lines goes on behind a line end, so no other line waits for the next one.
            let leads = || known.automaton.follows(known.state, byte);
            let begins = reading.escapes[0].begin_with(byte);
            if reading.awake || begins && (reading.escapes[0] != Lead || leads()) {
                reading.step(byte, known, &mut found);
            }
        }
    }

    /// Ends the text.
    pub fn end(&mut self, automaton: &Automaton, mut found: impl FnMut(Range<u64>)) {
        for reading in self.0.iter_mut().filter(|reading| reading.awake) {
            for level in 0..reading.escapes.len() {
                reading.decide(level, true, automaton, &mut found);
            }
        }
        *self = Self::new();
    }
}

impl Reading {
    fn step(&mut self, byte: u8, known: Known<'_>, found: &mut impl FnMut(Range<u64>)) {
        let Known { automaton, state, place } = known;
        if !self.awake {
            let depth = automaton.depth(state) as u64;
            self.state = state;
            self.places = (place - depth..place).map(|at| at..at + 1).collect();
            self.awake = true;
        }
        self.pass(0, Meant { byte, place: place..place + 1 }, automaton, found);
        if self.start().is_some_and(|start| place - start > SPREAD_BYTES) {
            self.state = Automaton::START;
            self.places.clear();
        }
        let state = automaton.next(state, byte);
        let spread = self.places.front().map_or(0, |first| place + 1 - first.start);
        // The plain search knows as much.
        let same = self.state == state && spread == automaton.depth(state) as u64;
        let nothing = self.state == Automaton::START;
        if self.open.iter().all(Vec::is_empty) && (same || nothing) {
            self.places.clear();
            self.awake = false;
        }
    }

    fn start(&self) -> Option<u64> {
        let open = self.open.iter().filter_map(|open| open.first());
        let first = self.places.front().into_iter().chain(open.map(|meant| &meant.place));
        first.map(|place| place.start).min()
    }

    /// Reads the escapes of one kind, and passes on what they mean.
    fn decide(
        &mut self,
        level: usize,
        ended: bool,
        automaton: &Automaton,
        found: &mut impl FnMut(Range<u64>),
    ) {
        loop {
            let open = &mut self.open[level];
            let Some(first) = open.first() else { return };
            let mut text = [0; OPEN_BYTES];
            for (byte, meant) in text.iter_mut().zip(open.iter()) {
                *byte = meant.byte;
            }
            let read = &text[..open.len().min(OPEN_BYTES)];
            let meant = match self.escapes[level].read(read, ended || open.len() >= OPEN_BYTES) {
                Meaning::Open => return,
                Meaning::Plain => vec![open.remove(0)],
                Meaning::Of(read, bytes) => {
                    let place = first.place.start..open[read - 1].place.end;
                    open.drain(..read);
                    bytes.into_iter().map(|byte| Meant { byte, place: place.clone() }).collect()
                }
            };
            for meant in meant {
                self.pass(level + 1, meant, automaton, found);
            }
        }
    }

    /// Passes a byte to the escapes of one kind, or beyond the last kind to the search.
    fn pass(
        &mut self,
        level: usize,
        meant: Meant,
        automaton: &Automaton,
        found: &mut impl FnMut(Range<u64>),
    ) {
        let Some(escapes) = self.escapes.get(level) else {
            return self.take(meant, automaton, found);
        };
        if self.open[level].is_empty() && !escapes.begin_with(meant.byte) {
            return self.pass(level + 1, meant, automaton, found);
        }
        self.open[level].push(meant);
        self.decide(level, false, automaton, found);
    }

    fn take(&mut self, meant: Meant, automaton: &Automaton, found: &mut impl FnMut(Range<u64>)) {
        let end = meant.place.end;
        self.state = automaton.next(self.state, meant.byte);
        self.places.push_back(meant.place);
        let depth = automaton.depth(self.state);
        while self.places.len() > depth {
            self.places.pop_front();
        }
        let length = automaton.found(self.state);
        if length > 0 {
            found(self.places[depth - length].start..end);
        }
    }
}
