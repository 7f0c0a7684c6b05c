//! What the user says under a condition or of an earlier time, and that nothing may be built for now.

use super::Dialogue;
use crate::reading::wishes::{Asked, Fate};
use crate::words::Words;
use crate::words::conditions::Conditions;

/// What happens after a message by which nothing may be built.
const WAITS: &str = "nothing is built before you agree to this list";

impl Dialogue {
    /// The message without its conditions and what it tells of an earlier time, which become rows of their own. A deployment that may not be built stays open
    /// until the user agrees, or asks for another one.
    pub(super) fn read_conditions(&mut self, words: Words) -> Words {
        let (words, Conditions { stated, stop }) = words.without_conditions();
        self.latest.conditional = !stated.is_empty();
        let stated = stated.into_iter().map(|what| Asked { what, fate: Fate::NotUnderstood });
        self.stated.extend(stated);
        if let Some(stop) = stop {
            let fate = Fate::Differently(WAITS.into());
            self.stated.push(Asked { what: stop.clone(), fate });
            self.stopped = Some(stop);
            self.held = true;
            self.latest.stopped = true;
        }
        let (words, told) = words.without_past();
        let told = told.into_iter().map(|what| Asked { what, fate: Fate::NotUnderstood });
        self.stated.extend(told);
        words
    }

    /// Lets a deployment be built that a later message asks for: “then Linux with MySQL”.
    pub(super) fn lift_the_stop(&mut self) {
        if self.latest.stopped {
            return;
        }
        if let Some(stop) = self.stopped.take() {
            self.held = false;
            self.stated.retain(|row| row.what != stop);
            self.asked.retain(|row| row.what != stop);
        }
    }
}
