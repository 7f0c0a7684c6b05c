//! Remembers from which browsers' connections the sandbox has heard.
//!
//! While there are any, the agent asks the gateway every few seconds to look whether they may still be connected. The
//! gateway has no clock of its own: it runs only when it receives a message.

use std::collections::BTreeMap;
use std::time::Duration;

use protocol::ToAgent;
use tokio::time::Instant;

/// How long a connection may live; API Gateway ends it then, and the message that says so may get lost.
const LIVES: Duration = Duration::from_secs(2 * 3600);

/// The most connections that are remembered; one is enough to look at all of them.
const MOST: usize = 256;

/// Connections, and when each was first heard.
#[derive(Debug, Default)]
pub(super) struct Browsers(BTreeMap<String, Instant>);

impl Browsers {
    /// Notes the browser's connection that a message names.
    pub(super) fn note(&mut self, message: &ToAgent, now: Instant) {
        match message {
            ToAgent::TerminalAttach { connection, .. }
            | ToAgent::TerminalInput { connection, .. }
            | ToAgent::TerminalResize { connection, .. }
            | ToAgent::TerminalShown { connection, .. }
            | ToAgent::Files { connection, .. }
                if self.0.len() < MOST =>
            {
                self.0.entry(connection.clone()).or_insert(now);
            }
            ToAgent::TerminalDetach { connection } => {
                self.0.remove(connection);
            }
            _ => {}
        }
    }

    /// Whether a browser may be connected.
    pub(super) fn any(&mut self, now: Instant) -> bool {
        self.0.retain(|_, since| now.duration_since(*since) < LIVES);
        !self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(connection: &str) -> ToAgent {
        let (connection, terminal) = (connection.to_owned(), "main".to_owned());
        ToAgent::TerminalShown { connection, terminal, offset: 0 }
    }

    fn left(connection: &str) -> ToAgent {
        ToAgent::TerminalDetach { connection: connection.to_owned() }
    }

    #[test]
    fn a_connection_counts_until_it_has_left() {
        let (mut browsers, now) = (Browsers::default(), Instant::now());
        assert!(!browsers.any(now));
        for message in [shown("a"), shown("b"), shown("a"), left("a"), ToAgent::Stop] {
            browsers.note(&message, now);
        }
        assert!(browsers.any(now), "b is connected");
        browsers.note(&left("b"), now);
        assert!(!browsers.any(now));
    }

    #[test]
    fn a_connection_whose_end_was_lost_counts_as_long_as_it_can_live() {
        let (mut browsers, now) = (Browsers::default(), Instant::now());
        browsers.note(&shown("a"), now);
        browsers.note(&shown("a"), now + LIVES / 2);
        assert!(browsers.any(now + LIVES - Duration::from_secs(1)));
        assert!(!browsers.any(now + LIVES));
    }

    #[test]
    fn the_number_of_connections_is_limited() {
        let (mut browsers, now) = (Browsers::default(), Instant::now());
        for n in 0..2 * MOST {
            browsers.note(&shown(&n.to_string()), now);
        }
        assert_eq!(browsers.0.len(), MOST);
    }
}
