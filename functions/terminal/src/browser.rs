//! What a browser's terminal sends.

use crate::{App, MessageError};
use cloud::Delivery;
use domain::Scope;
use protocol::{FromBrowser, LinkState, ToAgent, ToBrowser};

impl App {
    pub(crate) async fn serve_browser(
        &self,
        connection_id: &str,
        scope: Scope,
        body: &str,
    ) -> Result<(), MessageError> {
        let connection = connection_id.to_owned();
        let attaching;
        let message = match serde_json::from_str(body)? {
            FromBrowser::Attach { terminal, offset, rows, cols } => {
                attaching = true;
                ToAgent::TerminalAttach { connection, terminal, offset, rows, cols }
            }
            FromBrowser::Input { input, terminal, seq } => {
                attaching = false;
                ToAgent::TerminalInput { connection, terminal, seq, data: input }
            }
            FromBrowser::Resize { rows, cols, terminal } => {
                attaching = false;
                ToAgent::TerminalResize { connection, terminal, rows, cols }
            }
        };
        let state = self.to_agent(scope, &message).await?;
        // Keys are not answered one by one; whoever attaches, or types into nothing, is told.
        if attaching || state != LinkState::Attached {
            let status = ToBrowser::Status { state, detail: explain(state).to_owned() };
            self.gateway.post(connection_id, &status).await?;
        }
        Ok(())
    }

    /// Passes a message to the project's agent; whether there is one.
    pub(crate) async fn to_agent(
        &self,
        scope: Scope,
        message: &ToAgent,
    ) -> Result<LinkState, MessageError> {
        let Some(sandbox) = self.sandboxes.get(scope).await? else { return Ok(LinkState::Lost) };
        let Some(connection) = &sandbox.connection_id else {
            return Ok(if sandbox.is_up() { LinkState::Waiting } else { LinkState::Lost });
        };
        Ok(match self.gateway.post(connection, message).await? {
            Delivery::Delivered => LinkState::Attached,
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
