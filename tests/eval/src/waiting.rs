//! Waits for a model, which may take minutes.

use std::time::Duration;
use tokio::time::{Instant, sleep};

/// Pause between two checks of a state.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// The pause for waits of minutes, because each check costs the stack some work.
const LOOK_SELDOM: Duration = Duration::from_millis(500);

/// The longest wait for one thing.
#[derive(Clone, Copy, Debug)]
pub struct Patience(pub Duration);

impl Patience {
    /// For operations without a model, and for recorded replies.
    pub const SHORT: Self = Self(Duration::from_secs(180));
    /// For a real model: an agent's turn takes at most ten minutes, and a step may be prepared four times.
    pub const LONG: Self = Self(Duration::from_secs(1_800));

    /// The same, with time for steps that install packages on servers.
    pub fn for_servers(self) -> Self {
        Self(self.0.max(Duration::from_secs(1_200)))
    }
}

/// Checks repeatedly until there is a result.
pub async fn until<T>(
    what: String,
    patience: Patience,
    mut look: impl AsyncFnMut() -> Option<T>,
) -> Result<T, String> {
    let deadline = Instant::now() + patience.0;
    loop {
        if let Some(seen) = look().await {
            return Ok(seen);
        }
        if Instant::now() > deadline {
            return Err(format!("{what}: not within {:?}", patience.0));
        }
        let long = patience.0 > Patience::SHORT.0;
        sleep(if long { LOOK_SELDOM } else { LOOK_EVERY }).await;
    }
}
