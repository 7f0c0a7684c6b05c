//! Issues the ticket with which a browser opens its WebSocket.

use crate::App;
use axum::Router;
use axum::extract::State;
use http_kit::{Api, ApiError, Owner, routes};
use serde::{Deserialize, Serialize};
use store::tokens::{Grant, TICKET_SECONDS};
use utoipa::ToSchema;

fn api() -> Api<App> {
    Api::new().routes(routes!(ticket))
}

/// The function's router.
pub fn routes(app: App) -> Router {
    api().router(app)
}

/// The function's part of the contract.
pub fn openapi() -> utoipa::openapi::OpenApi {
    api().openapi()
}

/// A ticket that opens one WebSocket.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct TicketBody {
    /// The value of the query's `ticket`; valid once.
    pub ticket: String,
    /// WebSocket address to connect to.
    pub url: String,
    /// Seconds until it expires.
    pub expires_in: i64,
}

/// Get a ticket for a project's terminals
#[utoipa::path(post, path = "/terminal/ticket", tag = "terminal",
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = TicketBody)))]
async fn ticket(State(app): State<App>, owner: Owner) -> Result<axum::Json<TicketBody>, ApiError> {
    let (scope, session) = (owner.scope, owner.caller.token.hash());
    app.projects.get(scope).await?.ok_or_else(ApiError::not_found)?;
    let ticket = app.tokens.issue(Grant::Browser { scope, session }, TICKET_SECONDS).await?;
    Ok(axum::Json(TicketBody {
        ticket: ticket.expose().to_owned(),
        url: app.websocket_url.clone(),
        expires_in: TICKET_SECONDS,
    }))
}
