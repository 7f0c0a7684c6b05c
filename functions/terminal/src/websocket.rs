//! Handles one event of the WebSocket API.

use crate::{App, MessageError};
use aws_lambda_events::apigw::{ApiGatewayProxyResponse, ApiGatewayWebsocketProxyRequest};
use domain::Scope;
use domain::report::Chain;
use domain::security::{About, SecurityEvent, record};
use protocol::ToBrowser;
use std::collections::BTreeSet;
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
            Grant::Browser { scope, session } => {
                if self.is_too_fast(&session).await? {
                    let detail = "too many messages";
                    record(SecurityEvent::ConnectionRefused, About::project(scope), detail);
                    return self.drop_connection(connection_id).await;
                }
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
            self.drop_connection(connection_id).await?;
            return Err(MessageError::Forbidden);
        }
        self.grants.remember(connection_id, &grant);
        Ok(grant)
    }

    /// Closes the browsers' connections of a project whose access has ended. A session that expires, or whose end was
    /// lost with the call that recorded it, closes none, and a silent connection makes no call that would be refused.
    pub(crate) async fn close_ended(&self, scope: Scope) -> Result<(), MessageError> {
        let (listed, exists) =
            tokio::try_join!(self.connections.browsers(scope), self.projects.exists(scope))?;
        let sessions: BTreeSet<_> = listed.iter().map(|one| one.session.as_str()).collect();
        let open = sessions.into_iter().map(async |session| -> Result<_, MessageError> {
            Ok((exists && self.sessions.is_open(session).await?).then_some(session))
        });
        let open = futures::future::try_join_all(open).await?;
        for ended in listed.iter().filter(|one| !open.contains(&Some(one.session.as_str()))) {
            self.drop_connection(&ended.connection).await?;
        }
        Ok(())
    }

    /// Has the gateway close a connection; its record is deleted when the gateway reports the end.
    pub(crate) async fn drop_connection(&self, connection_id: &str) -> Result<(), MessageError> {
        self.grants.forget(connection_id);
        Ok(self.gateway.close(connection_id).await?)
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
