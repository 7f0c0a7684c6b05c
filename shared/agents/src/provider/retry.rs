//! When a call is made again, and after how long.

use super::error::{Kind, ModelError};
use std::time::Duration;

/// How often one call is tried in all.
pub(crate) const ATTEMPTS: u32 = 3;
/// First wait between two tries; it doubles with each.
const BACKOFF: Duration = Duration::from_millis(500);
/// Longest wait asked for by the provider that we sit out rather than tell the reader.
const LONGEST_WAIT: Duration = Duration::from_secs(15);

/// The wait before the next try after try number `attempt` (from 1) failed, or `None` to give up.
/// `jitter` in 0..1 spreads callers that failed together.
pub(crate) fn wait(error: &ModelError, attempt: u32, jitter: f64) -> Option<Duration> {
    if attempt >= ATTEMPTS || !error.is_transient() {
        return None;
    }
    match error.kind {
        Kind::RateLimited(Some(asked)) | Kind::Overloaded(Some(asked)) => {
            (asked <= LONGEST_WAIT).then_some(asked)
        }
        _ => Some(BACKOFF.saturating_mul(1 << (attempt - 1)).mul_f64(1.0 + jitter)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(kind: Kind, attempt: u32) -> Option<Duration> {
        wait(&ModelError::new(kind, ""), attempt, 0.0)
    }

    #[test]
    fn waits_double_and_end() {
        let kind = Kind::Overloaded(None);
        assert_eq!(after(kind, 1), Some(BACKOFF));
        assert_eq!(after(kind, 2), Some(BACKOFF * 2));
        assert_eq!(after(kind, ATTEMPTS), None);
    }

    #[test]
    fn a_long_wait_is_told_to_the_reader_instead_of_sat_out() {
        assert_eq!(after(Kind::RateLimited(Some(LONGEST_WAIT)), 1), Some(LONGEST_WAIT));
        assert_eq!(after(Kind::RateLimited(Some(LONGEST_WAIT * 2)), 1), None);
    }

    #[test]
    fn what_will_fail_again_is_not_tried_again() {
        for kind in [Kind::Refused, Kind::Invalid, Kind::ContextOverflow, Kind::Filtered] {
            assert_eq!(after(kind, 1), None);
        }
    }
}
