//! Limits the messages of a session's connections.
//!
//! Browsers and agents share the gateway's rate and this function's concurrency, so a browser that sends as fast as it can
//! would keep the heartbeats of every sandbox away. A write for each key would be too slow: each instance of the function
//! counts for itself, and only a full batch is added to the table's counter. Who types or pastes fills a few batches.

use crate::{App, MessageError};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// How many messages are counted together.
const BATCH: u32 = 50;
/// The most sessions whose batches are remembered; a full memory is emptied.
const SESSIONS: usize = 4096;

/// For each session, how many messages are not counted yet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pace(Arc<Mutex<HashMap<String, u32>>>);

impl Pace {
    /// Notes a message; returns whether it fills a batch.
    fn fills(&self, session: &str) -> bool {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() >= SESSIONS && !waiting.contains_key(session) {
            waiting.clear();
        }
        let messages = waiting.entry(session.to_owned()).or_default();
        *messages = (*messages + 1) % BATCH;
        *messages == 0
    }
}

impl App {
    /// Counts a message of a session; returns whether the session sends too many.
    pub(crate) async fn is_too_fast(&self, session: &str) -> Result<bool, MessageError> {
        if !self.pace.fills(session) {
            return Ok(false);
        }
        Ok(!self.gatekeeper.admits_messages(BATCH, session).await?)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn every_full_batch_of_a_session_is_counted() {
        let pace = Pace::default();
        let full = (0..10 * BATCH).filter(|_| pace.fills("flood") | pace.fills("other")).count();
        assert_eq!(full, 10);
        for number in 0..SESSIONS {
            pace.fills(&number.to_string());
        }
        assert!(pace.0.lock().unwrap().len() <= SESSIONS);
    }
}
