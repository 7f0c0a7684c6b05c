//! Handles one event of the WebSocket API.

use crate::{App, MessageError};
use aws_lambda_events::apigw::{ApiGatewayProxyResponse, ApiGatewayWebsocketProxyRequest};
use domain::Scope;
use domain::report::Chain;
use domain::security::{About, SecurityEvent, record};
use protocol::ToBrowser;
use store::tokens::Grant;

/// Serves a connect, a disconnect or a message.
///
/// The answer's status matters only for `$connect`: anything other than 200 refuses the connection.
pub async fn handle(app: &App, event: ApiGatewayWebsocketProxyRequest) -> ApiGatewayProxyResponse {
    let connection_id = event.request_context.connection_id.clone().unwrap_or_default();
    let route = event.request_context.route_key.as_deref().unwrap_or_default();
    let served = match route {
        "$connect" => {
            let status = Box::pin(app.connect(&connection_id, &event)).await;
            if matches!(status, 401 | 403) {
                let detail = format!("status={status}");
                record(SecurityEvent::ConnectionRefused, About::default(), &detail);
            }
            return answer(status);
        }
        "$disconnect" => Box::pin(app.disconnect(&connection_id)).await,
        _ => Box::pin(app.message(&connection_id, event.body.as_deref().unwrap_or_default())).await,
    };
    if let Err(error) = &served {
        tracing::warn!(error = %Chain(error), connection_id, route, "a WebSocket event was not served");
    }
    answer(200)
}

impl App {
    async fn message(&self, connection_id: &str, body: &str) -> Result<(), MessageError> {
        match self.grant_of(connection_id).await? {
            Grant::Browser { scope, .. } => {
                let served = self.serve_browser(connection_id, scope, body).await;
                if served.is_err() {
                    let detail = "This could not be sent to your sandbox. Try again.".to_owned();
                    self.gateway.post(connection_id, &ToBrowser::Error { detail }).await?;
                }
                served
            }
            Grant::Sandbox { scope, generation } => {
                self.serve_agent(connection_id, scope, generation, serde_json::from_str(body)?)
                    .await
            }
            Grant::Pooled { slot, id } => {
                self.serve_pooled(connection_id, slot, &id, serde_json::from_str(body)?).await
            }
        }
    }

    /// A connection's permissions.
    pub(crate) async fn grant_of(&self, connection_id: &str) -> Result<Grant, MessageError> {
        let grant = match self.grants.get(connection_id) {
            Some((grant, false)) => return Ok(grant),
            Some((grant, true)) => grant,
            None => self.connections.find(connection_id).await?.ok_or(MessageError::Forbidden)?,
        };
        if !self.goes_on(&grant).await? {
            // The call that ended the session may have died before it closed this connection, and the call that
            // deleted the project closes none.
            self.grants.forget(connection_id);
            self.gateway.close(connection_id).await?;
            return Err(MessageError::Forbidden);
        }
        self.grants.remember(connection_id, &grant);
        Ok(grant)
    }

    /// Closes the browsers' connections of a project whose access has ended. A session that expires, or whose end was
    /// lost with the call that recorded it, closes none, and a silent connection makes no call that would be refused.
    pub(crate) async fn close_ended(&self, scope: Scope) -> Result<(), MessageError> {
        for connection in self.connections.of_project(scope).await? {
            let Some(grant) = self.connections.find(&connection).await? else { continue };
            if !self.goes_on(&grant).await? {
                self.grants.forget(&connection);
                self.gateway.close(&connection).await?;
            }
        }
        Ok(())
    }

    /// Whether the session of a grant is still open, and its project not deleted.
    pub(crate) async fn goes_on(&self, grant: &Grant) -> Result<bool, MessageError> {
        let Grant::Browser { scope, session } = grant else { return Ok(true) };
        let (open, exists) =
            tokio::try_join!(self.sessions.is_open(session), self.projects.exists(*scope))?;
        Ok(open && exists)
    }
}

fn answer(status: i64) -> ApiGatewayProxyResponse {
    let mut response = ApiGatewayProxyResponse::default();
    response.status_code = status;
    response
}
