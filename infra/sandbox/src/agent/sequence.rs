//! Numbers that only grow, even across agents on the same or another machine.

use std::time::{SystemTime, UNIX_EPOCH};

/// Microseconds since 1970: below 2^53 until the year 2255, so a browser can hold it.
pub fn micros_now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| u64::try_from(now.as_micros()).unwrap_or(u64::MAX))
}

/// Assigns message numbers. They begin at the current time, and an agent sends far fewer than a million messages a
/// second, so the next agent's numbers begin higher.
pub struct Sequence(u64);

impl Sequence {
    /// Begins above every number assigned before.
    pub fn start() -> Self {
        Self(micros_now())
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 += 1;
        self.0
    }
}
