//! Makes the last backup when the sandbox has to end.
//!
//! ECS (or the local stack) ends a task with SIGTERM and, some time later, SIGKILL. Changes since the last backup would
//! be lost, so the agent asks the gateway for an address, uploads the workspace there and then exits: when the backup
//! is recorded, when the gateway says that there is nothing to save, or when the time is up.

use std::time::Duration;

use protocol::FromAgent;
use tokio::time::Instant;

use super::{Agent, Restore};

/// How much of the time between the two signals is reserved for ending all processes and sending the last results.
const WINDING_UP: Duration = Duration::from_secs(10);

/// A shutdown that waits for a backup.
pub(super) struct Leaving {
    /// When the backup is given up.
    pub(super) until: Instant,
    /// The gateway has answered with an address, or the last backup is already recorded.
    begun: bool,
}

/// How long a backup may take, out of the time between the two signals.
fn backup_within(grace: Duration) -> Duration {
    grace.saturating_sub(WINDING_UP).max(grace / 2)
}

impl Agent {
    /// Begins the shutdown; `false` if there is nothing to wait for.
    pub(super) fn leave(&mut self) -> bool {
        // A workspace that was never filled must not replace its backup.
        let worth_it = self.restore == Restore::Done && (self.unsaved || self.is_in_use());
        if (!worth_it && self.is_saved()) || self.leaving.is_some() {
            return false;
        }
        tracing::info!("asked to end; backing up the workspace first");
        let until = Instant::now() + backup_within(self.grace);
        self.leaving = Some(Leaving { until, begun: !worth_it });
        self.ask_to_leave();
        true
    }

    /// Asks for an address, and again on each new connection until one arrives.
    pub(super) fn ask_to_leave(&mut self) {
        if self.leaving.as_ref().is_some_and(|leaving| !leaving.begun) {
            let seq = self.sequence.next();
            self.say_if_up(&FromAgent::Leaving { seq });
        }
    }

    /// A backup was requested.
    pub(super) fn backup_begins(&mut self) {
        // This backup may miss later changes.
        self.unsaved = false;
        if let Some(leaving) = &mut self.leaving {
            leaving.begun = true;
        }
    }

    /// The upload of a backup ended, whether it succeeded or not.
    pub(super) fn backup_ends(&mut self, complete: bool) {
        self.unsaved |= !complete;
    }

    /// When to give up on the last backup; `None` unless the agent is shutting down.
    pub(super) fn leaves_by(&self) -> Option<Instant> {
        self.leaving.as_ref().map(|leaving| leaving.until)
    }

    /// Whether the last backup was made or attempted, and the gateway has recorded the result.
    pub(super) fn may_leave(&self) -> bool {
        self.leaving.as_ref().is_some_and(|leaving| leaving.begun) && self.is_saved()
    }

    /// Whether every backup is finished and recorded by the gateway.
    fn is_saved(&self) -> bool {
        self.backups.is_idle() && self.uploads == 0 && self.reports.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_backup_gets_the_time_that_the_shutdown_leaves() {
        let within = |seconds| backup_within(Duration::from_secs(seconds)).as_secs();
        assert_eq!((within(120), within(10), within(0)), (110, 5, 0));
    }
}
