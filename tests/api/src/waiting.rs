//! Waiting for states and events.

use std::time::Duration;
use tokio::time::{Instant, sleep, timeout};

/// Far longer than anything here takes: after it, a missing event will never come.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// Pause between two looks at a state.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Waits for an event.
///
/// # Panics
///
/// If it never comes.
pub async fn soon<T>(what: &str, event: impl Future<Output = T>) -> T {
    timeout(PATIENCE, event).await.unwrap_or_else(|_| panic!("{what} never came"))
}

/// Looks again and again until there is something to see.
///
/// # Panics
///
/// If there never is.
pub async fn eventually<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(seen) = look().await {
            return seen;
        }
        assert!(Instant::now() < deadline, "{what}: not after {PATIENCE:?}");
        sleep(LOOK_EVERY).await;
    }
}
