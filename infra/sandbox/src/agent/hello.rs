//! Decides when to send a hello: at once on a new connection, and again until the gateway answers with a welcome.
//!
//! The gateway is a function. If it crashes while handling a hello, the connection stays open, but no other instance
//! gets that message. Without a welcome the agent has no token for its next connection and, the first time, no
//! workspace.

use std::time::Duration;

use tokio::time::Instant;

/// The first pause before the hello is repeated, which is longer than a cold start, and the longest, for an outage.
const PAUSE: (Duration, Duration) = (Duration::from_secs(3), Duration::from_secs(30));

/// The hello of the current connection.
#[derive(Default)]
pub struct Hello {
    /// When to send it and how long to wait for an answer; `None` without a connection, or once it is answered.
    due: Option<(Instant, Duration)>,
}

impl Hello {
    /// A connection was established.
    pub fn begin(&mut self) {
        self.due = Some((Instant::now(), PAUSE.0));
    }

    /// The gateway has answered, or the connection is gone.
    pub fn end(&mut self) {
        self.due = None;
    }

    /// Whether a hello is due now; if so, the caller sends it.
    pub fn is_due(&mut self, now: Instant) -> bool {
        let due = self.due.as_mut().filter(|(at, _)| *at <= now);
        if let Some((at, pause)) = due {
            *at = now + *pause;
            *pause = (*pause * 2).min(PAUSE.1);
            return true;
        }
        false
    }

    /// When it is due next.
    pub fn next_turn(&self) -> Option<Instant> {
        self.due.map(|(at, _)| at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_hello_is_repeated_less_and_less_often_until_it_is_answered() {
        let mut hello = Hello::default();
        assert!(!hello.is_due(Instant::now()), "without a connection");
        hello.begin();
        let mut said = Vec::new();
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(120) {
            if hello.is_due(Instant::now()) {
                said.push(begun.elapsed().as_secs());
            }
            tokio::time::advance(Duration::from_secs(1)).await;
        }
        assert_eq!(said, [0, 3, 9, 21, 45, 75, 105]);
        hello.end();
        assert!(hello.next_turn().is_none() && !hello.is_due(Instant::now()));
        hello.begin();
        assert!(hello.is_due(Instant::now()), "a new connection starts over");
    }
}
