//! Ends sandboxes whose agents have fallen silent.
//!
//! The agent of a ready sandbox sends a heartbeat every 30 seconds. If they stop although ECS says that the task runs, the
//! agent has crashed, hangs, or no longer reaches the gateway: commands, terminals and backups no longer work, and the
//! owner would see a running sandbox and pay for it. The reaper looks twice, because a gateway that failed, or a laptop
//! that slept, leaves all agents silent at once, and these are heard again soon. Then it stops the task, and the owner
//! continues as after a lost task. The running time is charged until the last heartbeat.

use crate::{App, ReaperError};
use domain::sandbox::Sandbox;
use domain::{Scope, Timestamp};

/// The text beside the sandbox's state.
const STOPPED_ANSWERING: &str =
    "The sandbox stopped answering. Start it to continue from the last backup.";

impl App {
    /// Ends a sandbox whose agent has stayed silent, and suspects one that has just been found silent. Returns whether it
    /// ended the sandbox.
    pub(crate) async fn end_if_silent(
        &self,
        scope: Scope,
        sandbox: &Sandbox,
    ) -> Result<bool, ReaperError> {
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
        if !sandbox.is_gone(now) {
            return Ok(false);
        }
        tracing::warn!(%scope, seen = ?sandbox.last_seen_at, "a sandbox's task runs, but its agent is silent");
        // Before the record: a task that is up without a record would run for nobody.
        if let Some(arn) = &sandbox.task_arn {
            self.tasks.stop(arn, "its agent is silent").await?;
        }
        self.lost(scope, sandbox, STOPPED_ANSWERING).await?;
        Ok(true)
    }
}
