//! Welcomes the agent of a sandbox.
//!
//! If the function dies between two of these calls, the agent says hello again. So each of them can be repeated. The
//! welcome itself, after which the agent is silent, comes after everything except the waiting commands, which are also
//! in a queue.

use crate::{App, MessageError};
use domain::sandbox::SandboxStatus;
use domain::{Scope, Timestamp};
use protocol::{ToAgent, Toolset};
use store::tokens::{Grant, SANDBOX_TOKEN_SECONDS};

/// How an agent describes itself when it connects.
pub(crate) struct Hello<'a> {
    /// The number of the hello.
    pub seq: u64,
    /// Whether the agent confines readers.
    pub reader: bool,
    /// Whether it answers questions.
    pub answers: bool,
    /// Whether it looks up documentation.
    pub looks_up: bool,
    /// Whether it shows services.
    pub previews: bool,
    pub tools: Option<&'a Toolset>,
}

impl App {
    /// Accepts an agent: its connection becomes the sandbox's, and it gets the waiting commands.
    ///
    /// An agent whose workspace is still empty restores the last backup; any other ignores the address.
    pub(crate) async fn welcome(
        &self,
        connection_id: &str,
        (scope, generation): (Scope, u64),
        hello: Hello<'_>,
    ) -> Result<(), MessageError> {
        self.abandon_earlier_runs(scope, generation).await?;
        let taken = self.sandboxes.change(scope, |sandbox| {
            let wanted = sandbox.generation == generation && sandbox.is_up();
            if !wanted || hello.seq < sandbox.hello {
                return false;
            }
            sandbox.status = SandboxStatus::Ready;
            sandbox.hello = hello.seq;
            sandbox.connection_id = Some(connection_id.to_owned());
            sandbox.confines_readers = hello.reader;
            sandbox.answers = hello.answers;
            sandbox.looks_up = hello.looks_up;
            sandbox.previews = hello.previews;
            sandbox.equipment = hello.tools.map(Toolset::in_words);
            sandbox.heard(Timestamp::now());
            true
        });
        match taken.await? {
            Some((_, true)) => {}
            // The agent has said hello since, perhaps on another connection, and that hello is answered.
            Some((sandbox, false)) if sandbox.generation == generation && sandbox.is_up() => {
                return Ok(());
            }
            _ => {
                // The task belongs to an earlier generation, or its owner stopped it during its start.
                self.gateway.post(connection_id, &ToAgent::Stop).await?;
                return Ok(());
            }
        }
        let grant = Grant::Sandbox { scope, generation };
        let next = self.tokens.issue(grant, SANDBOX_TOKEN_SECONDS).await?;
        let restore_url = self.last_backup(scope).await?;
        let next_token = next.expose().to_owned();
        let welcome = ToAgent::Welcome { next_token, restore_url, keeps_state: true };
        self.gateway.post(connection_id, &welcome).await?;
        Ok(self.handover.hand_over_waiting(scope).await?)
    }

    /// Ends the runs that an earlier sandbox had acknowledged, because they ended with it. Runs that still wait belong
    /// to this one.
    async fn abandon_earlier_runs(
        &self,
        scope: Scope,
        generation: u64,
    ) -> Result<(), MessageError> {
        if !self.is_expected(scope, generation).await? {
            return Ok(());
        }
        let runs = self.progression.acknowledged_runs(scope).await?;
        // A sandbox gets no run before it is ready. Until then, none of these runs is its own, but another function may
        // welcome it at the same time.
        if !runs.is_empty() && self.is_expected(scope, generation).await? {
            self.progression.abandon_lost_runs(scope, &runs).await?;
        }
        Ok(())
    }

    /// Whether this generation has not connected yet.
    async fn is_expected(&self, scope: Scope, generation: u64) -> Result<bool, MessageError> {
        let sandbox = self.sandboxes.get(scope).await?;
        Ok(sandbox.is_some_and(|sandbox| {
            sandbox.generation == generation && sandbox.status == SandboxStatus::Creating
        }))
    }
}
