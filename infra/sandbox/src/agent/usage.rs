//! Measures how long the sandbox has been idle, because the gateway stops idle ones.
//!
//! A running command or an open terminal is continuous use; a key or a file request is a moment of use. The agent
//! reports how long ago the last use was: with each heartbeat, and at once when use begins or ends.

use std::time::Duration;

use tokio::time::Instant;

/// The shortest time between two reports of moments of use.
const TELL_EVERY: Duration = Duration::from_secs(1);

/// The last use of the sandbox, and the last report on it.
pub struct Usage {
    last: Instant,
    /// Whether there was use since the last report.
    noted: bool,
    reported: Option<(Instant, bool)>,
}

impl Usage {
    pub fn begin() -> Self {
        Self { last: Instant::now(), noted: false, reported: None }
    }

    /// Records a moment of use.
    pub fn note(&mut self) {
        self.last = Instant::now();
        self.noted = true;
    }

    /// How long the sandbox has been idle, in whole seconds; `None` while it is in use.
    pub fn idle_seconds(&mut self, in_use: bool, now: Instant) -> Option<u64> {
        if in_use {
            self.last = now;
        }
        self.reported = Some((now, in_use));
        self.noted = false;
        (!in_use).then(|| now.saturating_duration_since(self.last).as_secs())
    }

    /// Whether there is something to report.
    pub fn has_news(&self, in_use: bool, now: Instant) -> bool {
        match self.reported {
            None => true,
            Some((_, reported)) if reported != in_use => true,
            Some((at, _)) => !in_use && self.noted && now >= at + TELL_EVERY,
        }
    }

    /// When the next report is due.
    pub fn next_turn(&self) -> Option<Instant> {
        self.reported.filter(|(_, in_use)| !in_use && self.noted).map(|(at, _)| at + TELL_EVERY)
    }

    /// Makes the report due again: the other end of a new connection may not have the last one.
    pub fn tell_again(&mut self) {
        self.reported = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn use_is_reported_when_it_begins_when_it_ends_and_long_after() {
        let mut usage = Usage::begin();
        let now = Instant::now;
        assert!(usage.has_news(false, now()));
        assert_eq!(usage.idle_seconds(false, now()), Some(0));
        assert!(!usage.has_news(false, now()));
        assert!(usage.has_news(true, now()));
        assert_eq!(usage.idle_seconds(true, now()), None);
        tokio::time::advance(Duration::from_secs(100)).await;
        assert!(!usage.has_news(true, now()));
        usage.idle_seconds(true, now());
        assert!(usage.has_news(false, now()));
        tokio::time::advance(Duration::from_secs(7)).await;
        assert_eq!(
            usage.idle_seconds(false, now()),
            Some(7),
            "it counts from the last recorded use"
        );
        usage.note();
        tokio::time::advance(TELL_EVERY).await;
        assert!(usage.has_news(false, now()));
        assert_eq!(usage.idle_seconds(false, now()), Some(1));
    }
}
