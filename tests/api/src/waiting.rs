//! Waiting for states and events.

use std::time::Duration;
use tokio::time::{Instant, sleep, timeout};

/// Far longer than anything here takes, so an event that has not come by then never will.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// The shortest and the longest pause between two checks of a state.
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_millis(500));
/// A pause is the time waited so far, divided by this: checks cost the stack work that others wait for.
const PART: u32 = 3;

/// Waits for an event.
///
/// # Panics
///
/// If the event does not come in time.
pub async fn soon<T>(what: &str, event: impl Future<Output = T>) -> T {
    timeout(PATIENCE, event).await.unwrap_or_else(|_| panic!("{what} never came"))
}

/// Checks repeatedly until there is a result.
///
/// # Panics
///
/// If there is none in time.
pub async fn eventually<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(seen) = look().await {
            return seen;
        }
        assert!(begun.elapsed() < PATIENCE, "{what}: not after {PATIENCE:?}");
        sleep((begun.elapsed() / PART).clamp(PAUSES.0, PAUSES.1)).await;
    }
}
