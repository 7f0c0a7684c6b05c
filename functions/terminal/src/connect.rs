//! Opens and closes connections.

use crate::{App, MessageError};
use aws_lambda_events::apigw::ApiGatewayWebsocketProxyRequest;
use axum::http::HeaderValue;
use axum::http::header::ORIGIN;
use domain::report::Chain;
use domain::secret_token::SecretToken;
use protocol::{DIALER_HEADER, ToAgent};
use store::tokens::Grant;

impl App {
    /// Redeems the token of a new connection; returns the status of the answer.
    pub(crate) async fn connect(
        &self,
        connection_id: &str,
        event: &ApiGatewayWebsocketProxyRequest,
    ) -> i64 {
        // Before the token is read, so that no caller can bypass the firewall to guess tokens or use up a stolen one.
        if self.entrance.is_evaded(&event.headers) {
            return 403;
        }
        let query = &event.query_string_parameters;
        let origin = event.headers.get(ORIGIN).map(HeaderValue::as_bytes);
        let token = match (query.first("ticket"), query.first("token")) {
            (Some(ticket), None) if self.is_own(origin) => ticket,
            // A sandbox's agent sends no origin; a browser does.
            (None, Some(token)) if origin.is_none() => token,
            (None, None) => return 401,
            _ => return 403,
        };
        // An agent of an earlier version sends no secret, and its token opens only one connection.
        let dialer = event.headers.get(DIALER_HEADER).and_then(|dialer| dialer.to_str().ok());
        let dialer = dialer.filter(|_| origin.is_none()).map(SecretToken::presented);
        match self.admit(connection_id, &SecretToken::presented(token), dialer.as_ref()).await {
            Ok(true) => 200,
            Ok(false) => 401,
            Err(error) => {
                tracing::error!(error = %Chain(&error), connection_id, "a connection could not be admitted");
                500
            }
        }
    }

    async fn admit(
        &self,
        connection_id: &str,
        token: &SecretToken,
        dialer: Option<&SecretToken>,
    ) -> Result<bool, MessageError> {
        let grant = match dialer {
            Some(dialer) => self.tokens.redeem_for(token, dialer).await?,
            None => self.tokens.redeem(token).await?,
        };
        let Some(grant) = grant else { return Ok(false) };
        // The connection is listed before the session is checked. If the session ends in the meantime, either its end
        // finds this connection, or the check finds it ended.
        self.connections.open(connection_id, grant.clone()).await?;
        if !self.goes_on(&grant).await? {
            self.connections.close(connection_id).await?;
            return Ok(false);
        }
        self.grants.remember(connection_id, &grant);
        for earlier in self.connections.in_excess(&grant).await? {
            // If handling a connection's end failed, the gateway does not report it again, so the work is repeated here.
            self.disconnect(&earlier).await?;
            self.drop_connection(&earlier).await?;
        }
        Ok(true)
    }

    /// Whether the connection comes from one of our own pages, because any page can open a WebSocket to any host.
    fn is_own(&self, origin: Option<&[u8]>) -> bool {
        origin == Some(self.gatekeeper.public_url().as_bytes())
    }

    /// Forgets a closed connection.
    pub(crate) async fn disconnect(&self, connection_id: &str) -> Result<(), MessageError> {
        self.grants.forget(connection_id);
        match self.connections.close(connection_id).await? {
            Some(Grant::Browser { scope, .. }) => {
                let connection = connection_id.to_owned();
                self.to_agent(scope, &ToAgent::TerminalDetach { connection }).await.map(drop)
            }
            Some(Grant::Sandbox { scope, .. }) => {
                // An agent that renews its connection opens the new one before it closes the old.
                let cleared = self.sandboxes.change(scope, |sandbox| {
                    let current = sandbox.connection_id.as_deref() == Some(connection_id);
                    sandbox.connection_id = sandbox.connection_id.take().filter(|_| !current);
                    current
                });
                cleared.await?;
                Ok(())
            }
            Some(Grant::Pooled { slot, id }) => {
                self.pooled_has_left(connection_id, slot, &id).await
            }
            None => Ok(()),
        }
    }
}
