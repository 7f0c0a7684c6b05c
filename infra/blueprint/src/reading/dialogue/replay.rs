//! Reads the messages of a conversation in order, with the state of the dialogue after each.

use std::collections::BTreeSet;

use super::Dialogue;
use super::facts::Ledger;
use super::quotes::{Key, Search, keys};

/// The dialogue after some of the messages.
pub(super) struct Moment {
    pub(super) keys: BTreeSet<Key>,
    pub(super) before: Dialogue,
}

/// A conversation that was read.
pub(super) struct Replay {
    pub(super) dialogue: Dialogue,
    /// The dialogue before the first message and after each.
    pub(super) history: Vec<Moment>,
}

impl Replay {
    /// Reads all messages. `finish` is what happens to a dialogue after its last message.
    pub(super) fn of(
        start: Dialogue,
        messages: &[String],
        finish: &impl Fn(&mut Dialogue),
    ) -> Replay {
        let moment =
            |dialogue: &Dialogue| Moment { keys: keys(dialogue, finish), before: dialogue.clone() };
        let mut history = vec![moment(&start)];
        let (mut dialogue, mut ledger) = (start, Ledger::default());
        for (at, message) in messages.iter().enumerate() {
            dialogue.read(message);
            history.push(moment(&dialogue));
            ledger.add(message, &dialogue);
            let said = messages.get(..=at).unwrap_or_default();
            let quotes = || Search::of(said, &history, finish).latest_quotes();
            if ledger.check(&mut dialogue, quotes) {
                history.pop();
                history.push(moment(&dialogue));
            }
        }
        Replay { dialogue, history }
    }
}
