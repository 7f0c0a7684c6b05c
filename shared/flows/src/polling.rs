//! Waits for a sandbox's answer, which another function writes into the table.

use std::time::Duration;
use tokio::time::{Instant, sleep};

/// Time between two looks for an answer: it doubles from the first to the longest.
#[derive(Clone, Copy, Debug)]
pub struct Pauses {
    /// After the first look.
    pub first: Duration,
    /// After every look from some point on.
    pub longest: Duration,
}

/// Looks for an answer until it is there, or returns `None` after `patience`.
pub async fn poll<T, E, Look: Future<Output = Result<Option<T>, E>>>(
    patience: Duration,
    pauses: Pauses,
    mut look: impl FnMut() -> Look,
) -> Result<Option<T>, E> {
    let until = Instant::now() + patience;
    let mut pause = pauses.first;
    loop {
        if let Some(answer) = look().await? {
            return Ok(Some(answer));
        }
        if Instant::now() + pause > until {
            return Ok(None);
        }
        sleep(pause).await;
        pause = (pause * 2).min(pauses.longest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::ready;

    const PAUSES: Pauses =
        Pauses { first: Duration::from_millis(10), longest: Duration::from_millis(40) };

    /// Polls until `found` returns true; returns the times of the polls in milliseconds, and whether an answer came.
    async fn looks(patience: u64, found: impl Fn(u128) -> bool) -> (Vec<u128>, bool) {
        let begin = Instant::now();
        let mut moments = Vec::new();
        let look = || {
            let moment = begin.elapsed().as_millis();
            moments.push(moment);
            ready(Ok::<_, ()>(found(moment).then_some(())))
        };
        let answer = poll(Duration::from_millis(patience), PAUSES, look).await;
        (moments, answer.unwrap().is_some())
    }

    #[tokio::test(start_paused = true)]
    async fn pauses_double_up_to_the_longest_and_end_with_the_answer() {
        assert_eq!(looks(1000, |at| at >= 110).await, (vec![0, 10, 30, 70, 110], true));
        assert_eq!(looks(1000, |_| true).await, (vec![0], true));
    }

    #[tokio::test(start_paused = true)]
    async fn polling_stops_once_its_patience_is_over() {
        assert_eq!(looks(100, |_| false).await, (vec![0, 10, 30, 70], false));
        assert_eq!(looks(0, |_| true).await, (vec![0], true), "it polls at least once");
    }

    #[tokio::test]
    async fn an_error_ends_the_wait() {
        let look = || ready(Err::<Option<()>, _>("broken"));
        assert_eq!(poll(Duration::from_secs(9), PAUSES, look).await, Err("broken"));
    }
}
