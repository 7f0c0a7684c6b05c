//! Waiting for a model, which may take minutes.

use std::time::Duration;
use tokio::time::{Instant, sleep};

/// Pause between two looks at a state.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// The same where minutes are waited for: a look takes the stack some work.
const LOOK_SELDOM: Duration = Duration::from_millis(500);

/// The longest wait for one thing.
#[derive(Clone, Copy, Debug)]
pub struct Patience(pub Duration);

impl Patience {
    /// For what takes no model, and for a recorded one.
    pub const SHORT: Self = Self(Duration::from_secs(180));
    /// For a real model: an agent's turn takes ten minutes at most, and a step may be prepared four times.
    pub const LONG: Self = Self(Duration::from_secs(1_800));

    /// The same where steps install packages on servers.
    pub fn for_servers(self) -> Self {
        Self(self.0.max(Duration::from_secs(1_200)))
    }
}

/// Looks again and again until there is something to see.
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
