//! Handles the messages of a sandbox agent.

use crate::{App, MessageError};
use domain::sandbox::{Sandbox, SandboxStatus};
use domain::{RunId, Scope, Timestamp};
use protocol::{FromAgent, ToAgent, ToBrowser, Toolset};
use store::tokens::{Grant, SANDBOX_TOKEN_SECONDS};
use store::transfers::Transfer;

/// What an agent says of itself when it connects.
struct Able<'a> {
    /// It confines readers.
    reader: bool,
    /// It answers questions.
    answers: bool,
    tools: Option<&'a Toolset>,
}

impl App {
    pub(crate) async fn serve_agent(
        &self,
        connection_id: &str,
        scope: Scope,
        generation: u64,
        message: FromAgent,
    ) -> Result<(), MessageError> {
        match message {
            FromAgent::Hello { reader, answers, tools, .. } => {
                let able = Able { reader, answers: reader && answers, tools: tools.as_ref() };
                self.welcome(connection_id, (scope, generation), able).await
            }
            FromAgent::Heartbeat { seq, idle_seconds } => {
                self.seen(connection_id, (scope, generation), seq, idle_seconds).await
            }
            FromAgent::RunAccepted { run_id, .. } => self.run_accepted(scope, &run_id).await,
            FromAgent::RunProgress { run_id, seq, head, tail, bytes } => {
                self.run_progress(scope, &run_id, seq, &head, &tail, bytes).await
            }
            FromAgent::RunFinished(report) => self.run_finished(connection_id, scope, report).await,
            FromAgent::TerminalOutput { connection, terminal, offset, next, data } => {
                let output = ToBrowser::Output { data, terminal, offset, next };
                self.to_browser(scope, &connection, &output).await
            }
            FromAgent::TerminalExited { connection, terminal, exit_code } => {
                self.to_browser(scope, &connection, &ToBrowser::Exit { terminal, exit_code }).await
            }
            FromAgent::Files { connection, answer } => {
                self.to_browser(scope, &connection, &ToBrowser::Files(answer)).await
            }
            FromAgent::Answered { request_id, answer } => {
                Ok(self.inquiries.answer(scope, &RunId(request_id), &answer).await?)
            }
            FromAgent::Leaving { .. } => self.leaving(connection_id, scope, generation).await,
            FromAgent::WorkspaceUploaded { request_id, bytes, error, workspace } => {
                if let Some(size) = workspace {
                    self.measured(scope, size).await?;
                }
                self.uploaded(scope, &request_id, Transfer { bytes, error }).await
            }
            FromAgent::WorkspaceRestored { request_id, bytes, error } => {
                self.restored(scope, &request_id, bytes, error).await
            }
        }
    }

    /// Accepts an agent: its connection becomes the sandbox's, and the waiting commands are handed over.
    ///
    /// The first connection of a generation comes from an empty sandbox: it restores the last backup, and the runs of
    /// an earlier generation are lost.
    async fn welcome(
        &self,
        connection_id: &str,
        (scope, generation): (Scope, u64),
        able: Able<'_>,
    ) -> Result<(), MessageError> {
        let mut first = false;
        let taken = self.sandboxes.change(scope, |sandbox| {
            if sandbox.generation != generation || !sandbox.is_up() {
                return false;
            }
            first = sandbox.status == SandboxStatus::Creating;
            sandbox.status = SandboxStatus::Ready;
            sandbox.connection_id = Some(connection_id.to_owned());
            sandbox.confines_readers = able.reader;
            sandbox.answers = able.answers;
            sandbox.equipment = able.tools.map(Toolset::in_words);
            sandbox.last_seen_at = Some(Timestamp::now());
            true
        });
        let Some((_, true)) = taken.await? else {
            // A task of an earlier generation, or one whose owner stopped it during its start.
            self.gateway.post(connection_id, &ToAgent::Stop).await?;
            return Ok(());
        };
        if first {
            self.abandon_earlier_runs(scope).await?;
        }
        let grant = Grant::Sandbox { scope, generation };
        let next = self.tokens.issue(grant, SANDBOX_TOKEN_SECONDS).await?;
        let restore_url = if first { self.last_backup(scope).await? } else { None };
        let welcome = ToAgent::Welcome { next_token: next.expose().to_owned(), restore_url };
        self.gateway.post(connection_id, &welcome).await?;
        Ok(self.handover.hand_over_waiting(scope).await?)
    }

    /// Runs that an earlier sandbox had acknowledged ended with it; runs that still wait belong to this one.
    async fn abandon_earlier_runs(&self, scope: Scope) -> Result<(), MessageError> {
        Ok(self.progression.abandon_acknowledged_runs(scope).await?)
    }

    /// Records a heartbeat; one that arrives after its successor is ignored.
    async fn seen(
        &self,
        connection_id: &str,
        (scope, generation): (Scope, u64),
        seq: u64,
        idle_seconds: Option<u64>,
    ) -> Result<(), MessageError> {
        let noted = self.sandboxes.change(scope, |sandbox| {
            let news = sandbox.generation == generation && seq > sandbox.heartbeat;
            if news {
                let now = Timestamp::now();
                sandbox.heartbeat = seq;
                sandbox.last_seen_at = Some(now);
                sandbox.idle_since = idle_seconds
                    .and_then(|seconds| i64::try_from(seconds).ok())
                    .map(|seconds| now.plus_seconds(-seconds));
            }
            news
        });
        let present = |sandbox: &Sandbox| sandbox.generation == generation && sandbox.is_up();
        if noted.await?.is_none_or(|(sandbox, _)| !present(&sandbox)) {
            // The call that recorded the stop got no further.
            self.gateway.post(connection_id, &ToAgent::Stop).await?;
        }
        Ok(())
    }

    /// Sends a message to a browser's connection, if that belongs to the agent's own project.
    async fn to_browser(
        &self,
        scope: Scope,
        connection_id: &str,
        message: &ToBrowser,
    ) -> Result<(), MessageError> {
        match self.grant_of(connection_id).await {
            Ok(Grant::Browser { scope: of, .. }) if of == scope => {
                self.gateway.post(connection_id, message).await?;
                Ok(())
            }
            // A browser that has just disconnected is no error; other projects' connections are off limits.
            Ok(_) | Err(MessageError::Forbidden) => Ok(()),
            Err(error) => Err(error),
        }
    }
}
