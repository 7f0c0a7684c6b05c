//! Handles the messages of a browser's terminal.

use crate::{App, MessageError};
use aws::Delivery;
use domain::Scope;
use domain::report::Chain;
use protocol::{
    FileFailure, FilesAnswer, FilesRequest, FromBrowser, LinkState, ToAgent, ToBrowser,
};
use std::time::Duration;

/// How long an agent's connection is remembered.
const REMEMBERED_FOR: Duration = Duration::from_secs(3);

impl App {
    pub(crate) async fn serve_browser(
        &self,
        connection_id: &str,
        scope: Scope,
        body: &str,
    ) -> Result<(), MessageError> {
        let connection = connection_id.to_owned();
        let message = match serde_json::from_str(body)? {
            FromBrowser::Attach { terminal, offset, rows, cols } => {
                ToAgent::TerminalAttach { connection, terminal, offset, rows, cols }
            }
            FromBrowser::Input { input: data, terminal, seq, run_typed, command, after } => {
                ToAgent::TerminalInput {
                    connection,
                    terminal,
                    seq,
                    data,
                    run_typed,
                    command,
                    after,
                }
            }
            FromBrowser::Resize { rows, cols, terminal } => {
                ToAgent::TerminalResize { connection, terminal, rows, cols }
            }
            FromBrowser::Shown { terminal, offset } => {
                ToAgent::TerminalShown { connection, terminal, offset }
            }
            FromBrowser::Files(request) => return self.pass_on(connection, scope, request).await,
        };
        let attaching = matches!(message, ToAgent::TerminalAttach { .. });
        let state = self.to_agent(scope, &message).await?;
        // Single keys get no answer; a browser that attaches, or types without a sandbox, gets one.
        if attaching || state != LinkState::Attached {
            let detail = explain(state).to_owned();
            let status = ToBrowser::Status { state, detail, announces: true };
            self.gateway.post(connection_id, &status).await?;
        }
        Ok(())
    }

    /// Forwards a request about a file; answers it here if there is no sandbox.
    async fn pass_on(
        &self,
        connection: String,
        scope: Scope,
        request: FilesRequest,
    ) -> Result<(), MessageError> {
        let id = request.id().to_owned();
        let message = ToAgent::Files { connection: connection.clone(), request };
        let state = self.to_agent(scope, &message).await;
        if matches!(state, Ok(LinkState::Attached)) {
            return Ok(());
        }
        let failed = FilesAnswer::Failed {
            request: id,
            code: FileFailure::Unavailable,
            detail: match &state {
                Ok(state) => explain(*state).to_owned(),
                Err(_) => FileFailure::Unavailable.detail().to_owned(),
            },
        };
        self.gateway.post(&connection, &ToBrowser::Files(failed)).await?;
        if let Err(error) = state {
            tracing::warn!(error = %Chain(&error), "a request about a file could not be forwarded");
        }
        Ok(())
    }

    /// Forwards a message to the project's agent; returns whether there is one.
    ///
    /// The agent's connection is remembered for a while: without that, each key would read the table. An agent that has
    /// renewed its connection still reads the former one until it closes it, and from then on the gateway reports that
    /// it is gone.
    pub(crate) async fn to_agent(
        &self,
        scope: Scope,
        message: &ToAgent,
    ) -> Result<LinkState, MessageError> {
        if let Some((connection, age)) = self.agents.get(&scope)
            && age < REMEMBERED_FOR
        {
            match self.gateway.post(&connection, message).await? {
                Delivery::Delivered => return Ok(LinkState::Attached),
                Delivery::Gone => self.agents.forget(&scope),
            }
        }
        let Some(sandbox) = self.sandboxes.get(scope).await? else { return Ok(LinkState::Lost) };
        let Some(connection) = &sandbox.connection_id else {
            return Ok(if sandbox.is_up() { LinkState::Waiting } else { LinkState::Lost });
        };
        Ok(match self.gateway.post(connection, message).await? {
            Delivery::Delivered => {
                self.agents.remember(scope, connection.clone());
                LinkState::Attached
            }
            Delivery::Gone => LinkState::Waiting,
        })
    }
}

fn explain(state: LinkState) -> &'static str {
    match state {
        LinkState::Attached => "",
        LinkState::Waiting => "Waiting for the sandbox to connect.",
        LinkState::Lost => "The sandbox is not running.",
    }
}
