//! Waiting for states and events.

use std::time::Duration;
use tokio::time::{Instant, sleep, timeout};

/// Far longer than anything here takes: an event that has not come by then never will.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// The pause between two checks of a state.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Waits for an event.
///
/// # Panics
///
/// If the event never comes.
pub async fn soon<T>(what: &str, event: impl Future<Output = T>) -> T {
    timeout(PATIENCE, event).await.unwrap_or_else(|_| panic!("{what} never came"))
}

/// Checks repeatedly until there is a result.
///
/// # Panics
///
/// If there never is one.
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
