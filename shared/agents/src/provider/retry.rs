//! Decides whether a failed call is made again, and after how long.

use super::error::{Kind, ModelError};
use domain::Timestamp;
use std::time::Duration;

/// How often one call is tried while a person waits for its reply.
pub(crate) const ATTEMPTS: u32 = 3;
/// The first wait between two tries; it doubles with each try.
const BACKOFF: Duration = Duration::from_millis(500);
/// The longest wait between two tries, unless the provider asks for more.
const LONGEST_BACKOFF: Duration = Duration::from_secs(30);
/// The longest wait that a provider may ask of a waiting person; a longer one is an error at once.
const READER_WAIT: Duration = Duration::from_secs(15);
/// How long a call from the queue waits for a busy provider, over all its waits. A turn may take ten minutes, so half
/// of it is left for the work.
const QUEUE_WAIT: Duration = Duration::from_secs(300);
/// The shortest wait of a call from the queue that the user's page mentions: a shorter one is over before they read it.
const TOLD_WAIT: Duration = Duration::from_secs(4);
/// How often a call from the queue is tried if its replies break off: each try costs money.
const BROKEN_REPLIES: u32 = 4;

/// Who waits for a call's reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Patience {
    /// A person reads along: a long wait is reported to them, and they decide.
    Reader,
    /// A message of the queue, for which the result matters more than the minute.
    Queue,
    /// Like [`Patience::Queue`], but a second model can take over: the call tolerates silences, but no long waits.
    Relieved,
}

impl Patience {
    /// How many times longer a silence may last than for a reader, who begins to wonder after a minute.
    pub(super) fn silences(self) -> u32 {
        match self {
            Self::Reader => 1,
            Self::Queue | Self::Relieved => 5,
        }
    }
}

/// The wait before the next try after try number `attempt` (from 1) failed, or `None` to give up. `waited` is the sum
/// of the waits so far; `jitter` in 0..1 spreads callers that failed together.
pub(crate) fn wait(
    error: &ModelError,
    attempt: u32,
    waited: Duration,
    patience: Patience,
    jitter: f64,
) -> Option<Duration> {
    if !error.is_transient() {
        return None;
    }
    let busy = matches!(error.kind, Kind::RateLimited(_) | Kind::Overloaded(_));
    let attempts_left = match patience {
        Patience::Reader | Patience::Relieved => attempt < ATTEMPTS,
        Patience::Queue => busy || attempt < BROKEN_REPLIES,
    };
    let longest = match patience {
        Patience::Reader | Patience::Relieved => READER_WAIT,
        Patience::Queue => QUEUE_WAIT.saturating_sub(waited),
    };
    let next = match error.kind {
        Kind::RateLimited(Some(asked)) | Kind::Overloaded(Some(asked)) => asked,
        _ => {
            let doubled = BACKOFF.saturating_mul(1 << (attempt - 1).min(16));
            doubled.min(LONGEST_BACKOFF).mul_f64(1.0 + jitter)
        }
    };
    (attempts_left && next <= longest).then_some(next)
}

/// The words for the user about the next wait of a call from the queue; `None` if they need not know. The words name
/// the time at which the call gives up.
pub(crate) fn notice(
    error: &ModelError,
    wait: Duration,
    waited: Duration,
    patience: Patience,
) -> Option<String> {
    let busy = matches!(error.kind, Kind::RateLimited(_) | Kind::Overloaded(_));
    if !busy || patience != Patience::Queue || wait < TOLD_WAIT {
        return None;
    }
    let left = i64::try_from(QUEUE_WAIT.saturating_sub(waited).as_secs()).unwrap_or_default();
    let until = Timestamp::now().plus_seconds(left).minute();
    Some(format!("The AI model is busy; trying again until {until}."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::error::{Denied, Field};

    fn after(kind: Kind, attempt: u32) -> Option<Duration> {
        wait(&ModelError::new(kind, ""), attempt, Duration::ZERO, Patience::Reader, 0.0)
    }

    fn queued(kind: Kind, attempt: u32, waited: Duration) -> Option<Duration> {
        wait(&ModelError::new(kind, ""), attempt, waited, Patience::Queue, 0.0)
    }

    #[test]
    fn waits_double_until_the_last_attempt() {
        let kind = Kind::Overloaded(None);
        assert_eq!(after(kind, 1), Some(BACKOFF));
        assert_eq!(after(kind, 2), Some(BACKOFF * 2));
        assert_eq!(after(kind, ATTEMPTS), None);
    }

    #[test]
    fn a_long_wait_ends_a_chat_but_not_a_run_from_the_queue() {
        assert_eq!(after(Kind::RateLimited(Some(READER_WAIT)), 1), Some(READER_WAIT));
        let long = READER_WAIT * 2;
        assert_eq!(after(Kind::RateLimited(Some(long)), 1), None);
        assert_eq!(queued(Kind::RateLimited(Some(long)), 9, Duration::ZERO), Some(long));
    }

    #[test]
    fn the_queue_waits_minutes_for_a_busy_provider_and_no_longer() {
        let (mut waited, mut attempt) = (Duration::ZERO, 1);
        while let Some(wait) = queued(Kind::Overloaded(None), attempt, waited) {
            (waited, attempt) = (waited + wait, attempt + 1);
        }
        assert!(waited > QUEUE_WAIT - LONGEST_BACKOFF && waited <= QUEUE_WAIT, "{waited:?}");
        assert_eq!(queued(Kind::Interrupted, BROKEN_REPLIES, Duration::ZERO), None);
    }

    #[test]
    fn a_second_model_waits_no_longer_than_a_person() {
        let relieved = |kind, attempt| {
            wait(&ModelError::new(kind, ""), attempt, Duration::ZERO, Patience::Relieved, 0.0)
        };
        assert_eq!(relieved(Kind::Overloaded(None), ATTEMPTS), None);
        assert_eq!(relieved(Kind::RateLimited(Some(READER_WAIT * 2)), 1), None);
        assert_eq!(Patience::Relieved.silences(), Patience::Queue.silences());
    }

    #[test]
    fn only_a_long_wait_is_reported_and_only_to_those_who_do_not_read_along() {
        let told = |kind, seconds, patience| {
            let error = ModelError::new(kind, "");
            notice(&error, Duration::from_secs(seconds), Duration::ZERO, patience)
        };
        let busy = Kind::Overloaded(None);
        let said = told(busy, 4, Patience::Queue).unwrap();
        assert!(said.starts_with("The AI model is busy; trying again until "), "{said}");
        assert!(said.ends_with(" UTC."), "{said}");
        assert!(told(Kind::RateLimited(None), 300, Patience::Queue).is_some());
        assert_eq!(told(busy, 3, Patience::Queue), None);
        assert_eq!(told(Kind::Interrupted, 30, Patience::Queue), None);
        assert_eq!(told(busy, 15, Patience::Reader), None);
        assert_eq!(told(busy, 15, Patience::Relieved), None);
    }

    #[test]
    fn a_call_that_would_fail_again_is_not_repeated() {
        for kind in [
            Kind::Refused(Denied::Key),
            Kind::Invalid(Field::Other),
            Kind::ContextOverflow,
            Kind::Filtered,
        ] {
            assert_eq!(after(kind, 1), None);
            assert_eq!(queued(kind, 1, Duration::ZERO), None);
        }
    }
}
