//! Whether the user agrees, waits, or leaves open questions to the model.

use std::collections::BTreeSet;

use super::Dialogue;
use super::phrases::{AGREED, DEFAULTS, GO_AHEAD, WAIT};
use super::undecided::Undecided;
use crate::words::Words;
use crate::words::language::Weight;

impl Dialogue {
    /// Reads whether the user agrees to everything, wants to wait, or leaves open what is open.
    pub(super) fn read_agreement(&mut self, words: &Words, known_before: bool) {
        if self.latest.stopped {
            return;
        }
        if self.latest.changed.is_empty() && !self.latest.question && words.means_any(WAIT) {
            self.latest.withdrawn = true;
            self.held = true;
            return;
        }
        self.leave_open();
        let agreed = match self.latest.question {
            true => words.means_any(DEFAULTS),
            false => words.means_any(GO_AHEAD) || (known_before && only_agrees(words)),
        };
        self.latest.in_vain = self.goes_on_in_vain(words, agreed) && !known_before;
        let refused = !self.latest.refused.is_empty();
        if self.blueprint.is_some() && !refused && agreed {
            self.latest.confirmed = true;
            self.confirmed = true;
            self.held = false;
            self.stopped = None;
            // The user has not yet seen the new requests in the list, so agreeing in this message does not count.
            self.unagreed &= !self.latest.asked.is_empty();
        }
    }

    /// Accepts the defaults of what the latest message leaves open.
    fn leave_open(&mut self) {
        if self.blueprint.is_none() || self.latest.question {
            return;
        }
        let Undecided { keys, everything } = self.latest.undecided.clone();
        for parameter in self.missing().into_iter().filter(|one| keys.contains(one.key)) {
            self.values.insert(parameter.key, parameter.default.into());
        }
        self.confirmed |= everything;
        self.latest.confirmed |= everything;
    }

    /// Whether the message wants to go on although no deployment is chosen: “go ahead”, “ok”, “whatever”.
    fn goes_on_in_vain(&self, words: &Words, agreed: bool) -> bool {
        let agrees = words.means_any(AGREED) && self.latest.asked.is_empty();
        let goes_on = agreed || agrees || self.latest.undecided.everything;
        goes_on && !self.latest.question && self.blueprint.is_none() && !self.said.is_empty()
    }
}

/// Whether a message says nothing but that the user agrees: “ok, fine”, but not “ok, then with keys”.
fn only_agrees(words: &Words) -> bool {
    let agreed: BTreeSet<usize> = AGREED
        .iter()
        .flat_map(|phrase| words.meant_at(phrase))
        .flatten()
        .map(|at| words.origin(at))
        .collect();
    let idle = |at: usize| agreed.contains(&at) || words.weighs(at) != Weight::Full;
    !agreed.is_empty() && (0..words.count()).all(idle)
}
