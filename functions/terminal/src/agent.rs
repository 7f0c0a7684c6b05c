//! Handles the messages of a sandbox agent.

use crate::terraform_states::Asker;
use crate::welcome::Hello;
use crate::{App, MessageError};
use domain::output::OutputView;
use domain::sandbox::Sandbox;
use domain::terraform_state::AskedAt;
use domain::{RunId, Scope, Timestamp};
use protocol::{FromAgent, ToAgent, ToBrowser};
use store::tokens::Grant;
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
            FromAgent::Hello { seq, reader, answers, looks_up, previews, tools, .. } => {
                let (answers, looks_up) = (reader && answers, reader && answers && looks_up);
                let tools = tools.as_ref();
                let hello = Hello { seq, reader, answers, looks_up, previews, tools };
                self.welcome(connection_id, (scope, generation), hello).await
            }
            FromAgent::Heartbeat { seq, idle_seconds } => {
                self.seen(connection_id, (scope, generation), seq, idle_seconds).await?;
                self.close_ended(scope).await
            }
            FromAgent::Watched => self.close_ended(scope).await,
            FromAgent::RunAccepted { run_id, .. } => {
                self.run_accepted(connection_id, scope, &run_id).await
            }
            FromAgent::RunProgress { run_id, seq, head, tail, bytes } => {
                // Agents may count from 0, but here 0 means that no view has arrived.
                let seq = seq.saturating_add(1);
                let view = OutputView::from_overlapping(seq, &head, &tail, bytes);
                self.run_progress(connection_id, scope, &run_id, &view).await
            }
            FromAgent::RunFinished(report) => {
                self.run_finished(connection_id, (scope, generation), report).await
            }
            FromAgent::TerminalOutput { connection, terminal, offset, next, data } => {
                let output = ToBrowser::Output { data, terminal, offset, next };
                self.to_browser(scope, &connection, &output).await
            }
            FromAgent::TerminalExited { connection, terminal, exit_code } => {
                self.to_browser(scope, &connection, &ToBrowser::Exit { terminal, exit_code }).await
            }
            FromAgent::TerminalNotTyped { connection, terminal, command } => {
                let refused = ToBrowser::NotTyped { terminal, command };
                self.to_browser(scope, &connection, &refused).await
            }
            FromAgent::Files { connection, answer } => {
                self.to_browser(scope, &connection, &ToBrowser::Files(answer)).await
            }
            FromAgent::Answered { request_id, answer } => {
                Ok(self.inquiries.answer(scope, &RunId(request_id), &answer).await?)
            }
            FromAgent::Previewed { request_id, previewed } => {
                Ok(self.previews.answer(scope, &RunId(request_id), &previewed).await?)
            }
            FromAgent::State { request_id, name, order, ask } => {
                let asker = Asker { connection_id, scope, asked_at: AskedAt { generation, order } };
                self.state_asked(asker, request_id, &name, ask).await
            }
            FromAgent::Leaving { .. } => self.leaving(connection_id, scope, generation).await,
            FromAgent::WorkspaceUploaded { request_id, bytes, error, workspace } => {
                let of = (scope, generation);
                if let Some(size) = workspace {
                    self.measured(of, size).await?;
                }
                self.uploaded(of, &request_id, Transfer { bytes, error }).await?;
                self.workspace_recorded(connection_id, request_id).await
            }
            FromAgent::WorkspaceRestored { request_id, bytes, error } => {
                self.restored((scope, generation), &request_id, bytes, error).await?;
                self.workspace_recorded(connection_id, request_id).await
            }
        }
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
                sandbox.heard(now);
                sandbox.idle_since = idle_seconds
                    .and_then(|seconds| i64::try_from(seconds).ok())
                    .map(|seconds| now.plus_seconds(-seconds));
            }
            news
        });
        let present = |sandbox: &Sandbox| sandbox.generation == generation && sandbox.is_up();
        if noted.await?.is_none_or(|(sandbox, _)| !present(&sandbox)) {
            // The call that recorded the stop died before it sent this.
            self.gateway.post(connection_id, &ToAgent::Stop).await?;
        }
        Ok(())
    }

    /// Sends a message to a browser's connection, if the connection belongs to the agent's own project.
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
            // A browser that has just disconnected is not an error; other projects' connections are off limits.
            Ok(_) | Err(MessageError::Forbidden) => Ok(()),
            Err(error) => Err(error),
        }
    }
}
