//! Ends sandboxes whose agents have fallen silent.
//!
//! The agent of a ready sandbox sends a heartbeat every 30 seconds. If they stop although ECS says that the task runs, the
//! agent has crashed, hangs, or no longer reaches the gateway: commands, terminals and backups no longer work, and the
//! owner would see a running sandbox and pay for it. The reaper looks twice, because a gateway that failed, or a laptop
//! that slept, leaves all agents silent at once, and these are heard again soon. Then it stops the task, and the owner
//! continues as after a lost task. The running time is charged until the last heartbeat.
//!
//! The gateway may fail for longer, for example if someone floods it. If most agents are silent, the agents are not the
//! cause: the reaper leaves their tasks, with what they are running, for another [`PATIENCE_SECONDS`].

use crate::{App, ReaperError};
use domain::report::Chain;
use domain::sandbox::{Sandbox, SandboxStatus};
use domain::{Scope, Timestamp};
use std::sync::{Mutex, PoisonError};

/// The text beside the sandbox's state.
const STOPPED_ANSWERING: &str =
    "The sandbox stopped answering. Start it to continue from the last backup.";

/// How many agents must be silent before the gateway may be the cause. So many tasks seldom hang at the same time.
const MANY: usize = 3;
/// How long the agents of [`MANY`] tasks may be silent after they were suspected, in seconds.
const PATIENCE_SECONDS: i64 = 30 * 60;

/// What a sweep finds out about the agents of ready sandboxes.
#[derive(Debug, Default)]
pub(crate) struct Heard(Mutex<Found>);

#[derive(Debug, Default)]
struct Found {
    ready: usize,
    gone: Vec<(Scope, Sandbox)>,
}

impl Found {
    /// Whether the gateway, not the agents, is the cause of a silence that began with a suspicion so long ago.
    fn is_the_gateways(&self, suspected: i64) -> bool {
        let gone = self.gone.len();
        gone >= MANY && 2 * gone > self.ready && suspected < PATIENCE_SECONDS
    }
}

impl App {
    /// Notes whether an agent is silent, and suspects one that has just been found silent. Returns whether it has stayed
    /// silent: then [`Self::end_silent`] decides.
    pub(crate) async fn is_silent(
        &self,
        scope: Scope,
        sandbox: &Sandbox,
        heard: &Heard,
    ) -> Result<bool, ReaperError> {
        let found = || heard.0.lock().unwrap_or_else(PoisonError::into_inner);
        if sandbox.status == SandboxStatus::Ready {
            found().ready += 1;
        }
        let now = Timestamp::now();
        if !sandbox.is_silent(now) {
            return Ok(false);
        }
        if sandbox.suspected_at.is_none() {
            let noted = self.sandboxes.change(scope, |present| {
                let suspect = present.generation == sandbox.generation && present.is_silent(now);
                if suspect {
                    present.suspected_at = Some(now);
                }
                suspect
            });
            noted.await?;
            return Ok(false);
        }
        if sandbox.is_gone(now) {
            found().gone.push((scope, sandbox.clone()));
        }
        Ok(sandbox.is_gone(now))
    }

    /// Ends the sandboxes whose agents have stayed silent, unless the gateway seems to be the cause; a failing one does
    /// not delay the others.
    pub(crate) async fn end_silent(&self, heard: Heard) -> Result<(), ReaperError> {
        let found = heard.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (now, mut outcome, mut left) = (Timestamp::now(), Ok(()), 0);
        for (scope, sandbox) in &found.gone {
            let suspected = sandbox.suspected_at.map_or(0, |since| now.seconds_since(since));
            if found.is_the_gateways(suspected) {
                left += 1;
                continue;
            }
            if let Err(error) = self.end(*scope, sandbox).await {
                tracing::error!(error = %Chain(&error), %scope, "a silent sandbox could not be ended");
                outcome = Err(error);
            }
        }
        if left > 0 {
            tracing::error!(
                silent = left,
                ready = found.ready,
                "most agents are silent, so the gateway may have failed; their sandboxes go on"
            );
        }
        outcome
    }

    async fn end(&self, scope: Scope, sandbox: &Sandbox) -> Result<(), ReaperError> {
        tracing::warn!(%scope, seen = ?sandbox.last_seen_at, "a sandbox's task runs, but its agent is silent");
        // Before the record: a task that runs without a record would belong to no project.
        if let Some(arn) = &sandbox.task_arn {
            self.tasks.stop(arn, "its agent is silent").await?;
        }
        self.lost(scope, sandbox, STOPPED_ANSWERING).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_silence_of_most_agents_is_the_gateways_for_a_while() {
        let silent = |gone: u32, ready, suspected| {
            let project = |number| Scope {
                installation: domain::InstallationId(1),
                project: domain::ProjectId(number),
            };
            let gone = (0..gone).map(|number| (project(number.into()), Sandbox::default()));
            Found { ready, gone: gone.collect() }.is_the_gateways(suspected)
        };
        assert!(silent(3, 3, 120) && silent(3, 5, 120) && silent(500, 999, PATIENCE_SECONDS - 1));
        assert!(!silent(2, 2, 120), "two tasks may hang");
        assert!(!silent(3, 6, 120), "the others are heard");
        assert!(!silent(500, 500, PATIENCE_SECONDS), "it takes too long");
    }
}
