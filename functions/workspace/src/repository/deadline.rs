//! Limits how long a push may take.
//!
//! A browser's call is cut off after a minute, without any explanation. So a push stops earlier and says so. It moves
//! the branch only at its end, so what it made stays invisible until then, and a repeated push continues from there.
//! Some of the time is reserved for the end: the branch and the pull request.

use http_kit::{ApiError, ErrorCode};
use reqwest::StatusCode;
use settings::{ConfigError, count_or};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// The limit of a whole push, in seconds, unless the operator sets another.
const SECONDS: u32 = 40;
/// The share of it in which the commit must be made.
const FOR_THE_COMMIT: f64 = 0.8;

/// The limit of any push.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bound(Duration);

/// The time limits of one push.
#[derive(Debug, Clone, Copy)]
pub(super) struct Deadline {
    within: Duration,
    commit: Instant,
    end: Instant,
}

impl Bound {
    pub fn from_env() -> Result<Self, ConfigError> {
        Ok(Self(Duration::from_secs(count_or("PUSH_SECONDS", SECONDS)?.into())))
    }
}

impl Deadline {
    /// The limits of a push that begins now.
    pub fn begin(Bound(within): Bound) -> Self {
        let now = Instant::now();
        Self { within, commit: now + within.mul_f64(FOR_THE_COMMIT), end: now + within }
    }

    /// Runs work that comes before the branch moves.
    pub async fn before_the_move<T>(
        &self,
        act: impl Future<Output = Result<T, ApiError>>,
    ) -> Result<T, ApiError> {
        timeout_at(self.commit, act).await.unwrap_or_else(|_| Err(self.too_slow()))
    }

    /// Runs work at the end; `None` if it does not finish in time.
    pub async fn at_the_end<T>(&self, act: impl Future<Output = T>) -> Option<T> {
        timeout_at(self.end, act).await.ok()
    }

    fn too_slow(&self) -> ApiError {
        let detail = format!(
            "GitHub could not take all files within {} seconds. The change's branch and its pull request are as they \
             were. Push again: it continues from what GitHub has.",
            self.within.as_secs()
        );
        ApiError::new(StatusCode::GATEWAY_TIMEOUT, ErrorCode::PushTooSlow, detail)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_push_stops_before_its_deadline_and_leaves_time_to_finish() {
        let deadline = Deadline::begin(Bound(Duration::from_secs(40)));
        let begun = Instant::now();
        let never = std::future::pending::<Result<(), ApiError>>();
        let error = deadline.before_the_move(never).await.unwrap_err();
        assert_eq!(begun.elapsed().as_secs(), 32);
        assert!(error.detail().contains("within 40 seconds"), "{}", error.detail());
        assert_eq!(deadline.at_the_end(std::future::ready(1)).await, Some(1));
        assert_eq!(deadline.at_the_end(std::future::pending::<()>()).await, None);
        assert_eq!(begun.elapsed().as_secs(), 40);
    }
}
