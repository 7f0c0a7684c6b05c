//! An Aho-Corasick automaton over bytes, with the depth of each state.
//!
//! There is a crate with a faster one, but it does not expose how much of the text a state remembers, and the mask must
//! hold back exactly that much. Most states have one successor, so successors are lists.

use std::collections::VecDeque;
use std::sync::Arc;

/// Marks the end of a list of successors.
const NONE: u32 = 0;

/// Finds any of a set of words in a text, byte by byte; cheap to clone.
#[derive(Clone)]
pub struct Automaton(Arc<Tables>);

struct Tables {
    states: Vec<State>,
    /// The start state's successors, by byte.
    first: [u32; 256],
}

/// A prefix of a word: the end of the text so far.
#[derive(Clone, Copy, Default)]
struct State {
    /// The prefix's last byte.
    byte: u8,
    /// The first of its successors.
    child: u32,
    /// The next successor of the same predecessor.
    sibling: u32,
    /// The longest other prefix that this one ends with.
    fallback: u32,
    /// The prefix's length.
    depth: u32,
    /// Length of the longest word that the prefix ends with, 0 for none.
    found: u32,
}

impl Automaton {
    /// The state before any text.
    pub const START: u32 = 0;

    /// An automaton for these words.
    pub fn of(words: impl IntoIterator<Item = Vec<u8>>) -> Self {
        let mut tables = Tables { states: vec![State::default()], first: [NONE; 256] };
        for word in words {
            tables.add(&word);
        }
        tables.link();
        Self(Arc::new(tables))
    }

    /// The state after one more byte.
    pub fn next(&self, mut state: u32, byte: u8) -> u32 {
        loop {
            let next = self.0.successor(state, byte);
            if next != NONE || state == Self::START {
                return next;
            }
            state = self.0.states[state as usize].fallback;
        }
    }

    /// Whether `byte` extends the prefix of this state, without a fallback.
    pub fn follows(&self, state: u32, byte: u8) -> bool {
        self.0.successor(state, byte) != NONE
    }

    /// Whether there is no word.
    pub fn is_empty(&self) -> bool {
        self.0.states.len() == 1
    }

    /// Whether a word begins with a byte.
    pub fn begins(&self, byte: u8) -> bool {
        self.0.first[usize::from(byte)] != NONE
    }

    /// How many bytes at the end of the text may be the beginning of a word.
    pub fn depth(&self, state: u32) -> usize {
        self.0.states[state as usize].depth as usize
    }

    /// Length of the longest word that the text ends with, 0 for none.
    pub fn found(&self, state: u32) -> usize {
        self.0.states[state as usize].found as usize
    }
}

impl Tables {
    fn successor(&self, state: u32, byte: u8) -> u32 {
        if state == Automaton::START {
            return self.first[usize::from(byte)];
        }
        let mut child = self.states[state as usize].child;
        while child != NONE && self.states[child as usize].byte != byte {
            child = self.states[child as usize].sibling;
        }
        child
    }

    fn add(&mut self, word: &[u8]) {
        let mut state = Automaton::START;
        for byte in word {
            state = match self.successor(state, *byte) {
                NONE => self.grow(state, *byte),
                next => next,
            };
        }
        let end = &mut self.states[state as usize];
        end.found = end.depth;
    }

    fn grow(&mut self, from: u32, byte: u8) -> u32 {
        // The number of states is far below the bound because credentials are limited.
        let new = u32::try_from(self.states.len()).unwrap_or(u32::MAX);
        let before = &mut self.states[from as usize];
        let (depth, sibling) = (before.depth + 1, before.child);
        before.child = new;
        if from == Automaton::START {
            self.first[usize::from(byte)] = new;
        }
        self.states.push(State { byte, sibling, depth, ..State::default() });
        new
    }

    /// Sets the fallbacks, shorter prefixes first.
    fn link(&mut self) {
        let mut waiting = VecDeque::from([Automaton::START]);
        while let Some(state) = waiting.pop_front() {
            let mut child = self.states[state as usize].child;
            while child != NONE {
                let fallback = self.fallback_of(state, self.states[child as usize].byte);
                let found = self.states[fallback as usize].found;
                let this = &mut self.states[child as usize];
                this.fallback = fallback;
                this.found = this.found.max(found);
                waiting.push_back(child);
                child = this.sibling;
            }
        }
    }

    fn fallback_of(&self, before: u32, byte: u8) -> u32 {
        let mut state = before;
        while state != Automaton::START {
            state = self.states[state as usize].fallback;
            let next = self.successor(state, byte);
            if next != NONE {
                return next;
            }
        }
        Automaton::START
    }
}
