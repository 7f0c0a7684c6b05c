//! Whether anybody uses the sandbox, for a gateway that stops it when nobody does.
//!
//! In use is what runs and what is looked at; a key or a look at a file is a moment of use. The gateway is told how
//! long ago the last use was: with each heartbeat, and at once when that changes from yes to no or back.

use std::time::Duration;

use tokio::time::Instant;

/// How often moments of use are told at most.
const TELL_EVERY: Duration = Duration::from_secs(1);

/// When the sandbox was last used, and what was told of it.
pub struct Usage {
    last: Instant,
    /// Somebody did something that was not told yet.
    noted: bool,
    told: Option<(Instant, bool)>,
}

impl Usage {
    pub fn begin() -> Self {
        Self { last: Instant::now(), noted: false, told: None }
    }

    /// Somebody used it just now.
    pub fn note(&mut self) {
        self.last = Instant::now();
        self.noted = true;
    }

    /// How long it has not been used, in whole seconds; none while it is in use.
    pub fn idle_seconds(&mut self, in_use: bool, now: Instant) -> Option<u64> {
        if in_use {
            self.last = now;
        }
        self.told = Some((now, in_use));
        self.noted = false;
        (!in_use).then(|| now.saturating_duration_since(self.last).as_secs())
    }

    /// Whether there is news to tell.
    pub fn has_news(&self, in_use: bool, now: Instant) -> bool {
        match self.told {
            None => true,
            Some((_, told)) if told != in_use => true,
            Some((at, _)) => !in_use && self.noted && now >= at + TELL_EVERY,
        }
    }

    /// When news that wait are due.
    pub fn next_turn(&self) -> Option<Instant> {
        self.told.filter(|(_, in_use)| !in_use && self.noted).map(|(at, _)| at + TELL_EVERY)
    }

    /// A new connection may lead to somebody who has not been told.
    pub fn tell_again(&mut self) {
        self.told = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_last_use_is_told_when_it_begins_ends_and_while_it_is_long_over() {
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
            "it counts from the last sight of use"
        );
        usage.note();
        tokio::time::advance(TELL_EVERY).await;
        assert!(usage.has_news(false, now()));
        assert_eq!(usage.idle_seconds(false, now()), Some(1));
    }
}
