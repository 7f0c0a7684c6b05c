//! Processes items concurrently, a limited number at a time.

use futures::stream::{self, StreamExt};
use tokio::time::Instant;

/// Works on the items, `at_once` at a time, and begins none when the time is over; returns the results.
pub(crate) async fn worked_on<T, F: Future>(
    at_once: usize,
    until: Option<Instant>,
    items: Vec<T>,
    work: impl Fn(T) -> F,
) -> Vec<F::Output> {
    let in_time = |_: &T| std::future::ready(until.is_none_or(|until| Instant::now() < until));
    stream::iter(items)
        .take_while(in_time)
        .map(work)
        .buffer_unordered(at_once)
        .collect::<Vec<_>>()
        .await
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[tokio::test(start_paused = true)]
    async fn work_on_many_items_ends_in_time() {
        const AT_ONCE: usize = 4;
        let begun = Instant::now();
        let work = async |number: usize| {
            tokio::time::sleep(Duration::from_secs(10)).await;
            number
        };
        let until = || Some(Instant::now() + Duration::from_secs(35));
        let mut worked = worked_on(AT_ONCE, until(), (0..1000).collect(), work).await;
        worked.sort_unstable();
        assert_eq!(worked, (0..4 * AT_ONCE).collect::<Vec<_>>());
        assert_eq!(begun.elapsed(), Duration::from_secs(40));
        assert_eq!(worked_on(AT_ONCE, until(), vec![7], work).await, [7]);
        assert_eq!(worked_on(AT_ONCE, None, (0..100).collect(), work).await.len(), 100);
    }
}
