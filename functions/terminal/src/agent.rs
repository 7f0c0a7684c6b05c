//! What a sandbox agent sends.

use crate::{App, MessageError};
use cloud::WorkspaceSync;
use domain::sandbox::SandboxStatus;
use domain::step::LOST;
use domain::{Scope, Timestamp};
use protocol::{FromAgent, ToAgent, ToBrowser};
use store::tokens::{Grant, SANDBOX_TOKEN_SECONDS};
use store::transfers::Transfer;

impl App {
    pub(crate) async fn serve_agent(
        &self,
        connection_id: &str,
        scope: Scope,
        generation: u64,
        message: FromAgent,
    ) -> Result<(), MessageError> {
        match message {
            FromAgent::Hello { .. } => self.welcome(connection_id, scope, generation).await,
            FromAgent::Heartbeat { .. } => self.seen(scope, generation).await,
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
            FromAgent::WorkspaceUploaded { request_id, bytes, error } => {
                self.uploaded(scope, &request_id, Transfer { bytes, error }).await
            }
        }
    }

    /// Takes an agent in: its connection is the sandbox's, and what waited for it is handed over.
    ///
    /// The first connection of a generation is an empty sandbox: it restores the last backup, and
    /// whatever an earlier life was running is lost.
    async fn welcome(
        &self,
        connection_id: &str,
        scope: Scope,
        generation: u64,
    ) -> Result<(), MessageError> {
        let mut first = false;
        let taken = self.sandboxes.change(scope, |sandbox| {
            if sandbox.generation != generation || !sandbox.is_up() {
                return false;
            }
            first = sandbox.status == SandboxStatus::Creating;
            sandbox.status = SandboxStatus::Ready;
            sandbox.connection_id = Some(connection_id.to_owned());
            sandbox.last_seen_at = Some(Timestamp::now());
            true
        });
        let Some((sandbox, true)) = taken.await? else {
            // A task of an earlier life, or one whose owner stopped it while it was starting.
            self.gateway.post(connection_id, &ToAgent::Stop).await?;
            return Ok(());
        };
        if first {
            self.abandon_earlier_runs(scope).await?;
        }
        let grant = Grant::Sandbox { scope, generation };
        let next = self.tokens.issue(grant, SANDBOX_TOKEN_SECONDS).await?;
        let restore_url = match sandbox.last_sync_time.filter(|_| first) {
            Some(_) => Some(self.objects.presign_get(&cloud::backup_key(scope)).await?),
            None => None,
        };
        let welcome = ToAgent::Welcome { next_token: next.expose().to_owned(), restore_url };
        self.gateway.post(connection_id, &welcome).await?;
        Ok(self.handover.hand_over_waiting(scope).await?)
    }

    /// Runs that an earlier sandbox had acknowledged ended with it; those still waiting are this one's.
    async fn abandon_earlier_runs(&self, scope: Scope) -> Result<(), MessageError> {
        Ok(self.progression.abandon_acknowledged_runs(scope, LOST).await?)
    }

    async fn seen(&self, scope: Scope, generation: u64) -> Result<(), MessageError> {
        let noted = self.sandboxes.change(scope, |sandbox| {
            sandbox.last_seen_at = Some(Timestamp::now());
            sandbox.generation == generation
        });
        noted.await?;
        Ok(())
    }

    /// An agent reaches connections of its own project and no others.
    async fn to_browser(
        &self,
        scope: Scope,
        connection_id: &str,
        message: &ToBrowser,
    ) -> Result<(), MessageError> {
        match self.grant_of(connection_id).await {
            Ok(Grant::Browser { scope: of }) if of == scope => {
                self.gateway.post(connection_id, message).await?;
                Ok(())
            }
            // A browser that has just gone is no error; another project's is none of its business.
            Ok(_) | Err(MessageError::Forbidden) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn uploaded(
        &self,
        scope: Scope,
        request_id: &str,
        transfer: Transfer,
    ) -> Result<(), MessageError> {
        if transfer.error.is_none() && WorkspaceSync::is_backup(request_id) {
            let synced = self.sandboxes.change(scope, |sandbox| {
                sandbox.last_sync_time = Some(Timestamp::now());
                true
            });
            synced.await?;
        }
        Ok(self.transfers.finish(scope, request_id, &transfer).await?)
    }
}
