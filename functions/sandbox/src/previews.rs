//! Lists the services that listen inside a sandbox, and opens a preview of one.
//!
//! Each preview has a separate host, so a deployment without a domain for previews offers none, and says so.

use crate::App;
use crate::scope::scope;
use axum::extract::{Path, State};
use domain::preview::{
    ENTRANCE, ListeningPort, Preview, PreviewFailure, PreviewSite, TICKET_SECONDS,
};
use domain::security::{About, SecurityEvent, record};
use flows::PreviewError;
use http_kit::{ApiError, ErrorBody, ErrorCode, Identity, Json, Limited, Lookup};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The services of a sandbox.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct PortsBody {
    /// Whether this deployment has previews.
    pub previews: bool,
    /// Whether the sandbox runs and has answered.
    pub answered: bool,
    /// The ports on which they listen.
    pub ports: Vec<ListeningPort>,
}

/// The service to look at.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct ServiceToPreview {
    /// Its port.
    #[schema(minimum = 1)]
    pub port: u16,
}

/// The link to a preview.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct PreviewBody {
    /// The address to open in a new tab; valid once.
    pub url: String,
    /// Seconds until it expires.
    pub expires_in: i64,
}

/// The ports on which services of the sandbox listen
#[utoipa::path(get, path = "/sandbox/ports/{id}", tag = "sandbox",
    params(("id" = u64, Path, description = "The project")),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = PortsBody), (status = 422, body = ErrorBody)))]
pub(crate) async fn sandbox_ports(
    State(app): State<App>,
    caller: Identity,
    _: Limited<Lookup>,
    Path(id): Path<String>,
) -> Result<axum::Json<PortsBody>, ApiError> {
    let scope = scope(&caller, &id)?;
    app.sandboxes.get(scope).await?.ok_or_else(ApiError::not_found)?;
    let previews = !app.preview_url.is_empty();
    let none = PortsBody { previews, answered: false, ports: Vec::new() };
    if !previews {
        return Ok(axum::Json(none));
    }
    match app.previewing.ports(scope).await {
        Ok(ports) => Ok(axum::Json(PortsBody { previews, answered: true, ports })),
        Err(PreviewError::Store(error)) => Err(error.into()),
        Err(PreviewError::Aws(error)) => Err(ApiError::internal(error)),
        Err(_) => Ok(axum::Json(none)),
    }
}

/// Open a preview of a service
#[utoipa::path(post, path = "/sandbox/previews/{id}", tag = "sandbox",
    request_body = ServiceToPreview,
    params(("id" = u64, Path, description = "The project")),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = PreviewBody), (status = 409, body = ErrorBody),
        (status = 502, body = ErrorBody)))]
pub(crate) async fn open_preview(
    State(app): State<App>,
    caller: Identity,
    Path(id): Path<String>,
    Json(service): Json<ServiceToPreview>,
) -> Result<axum::Json<PreviewBody>, ApiError> {
    let (scope, port) = (scope(&caller, &id)?, service.port);
    app.sandboxes.get(scope).await?.ok_or_else(ApiError::not_found)?;
    let site = PreviewSite::read(&app.preview_url).ok_or_else(switched_off)?;
    let ports = app.previewing.ports(scope).await.map_err(refusal)?;
    if !ports.iter().any(|listening| listening.port == port) {
        return Err(refusal(PreviewError::Failed(PreviewFailure::NotListening)));
    }
    let session = caller.caller.token.hash();
    let ticket = app.previews.issue(&Preview { scope, session, port }).await?;
    let actor = caller.actor();
    let about = About::project(scope).by(&actor);
    record(SecurityEvent::PreviewOpened, about, &format!("port={port}"));
    let url = site.of(ENTRANCE, &format!("/{}", ticket.expose()));
    Ok(axum::Json(PreviewBody { url, expires_in: TICKET_SECONDS }))
}

fn switched_off() -> ApiError {
    let detail = "Previews are not set up here: they need a separate domain.";
    ApiError::conflict(ErrorCode::NoPreviews, detail)
}

fn refusal(error: PreviewError) -> ApiError {
    let detail = match error {
        PreviewError::Store(error) => return error.into(),
        PreviewError::Aws(error) => return ApiError::internal(error),
        PreviewError::Failed(PreviewFailure::NotListening) => {
            "Nothing listens on this port anymore. Start the service and look again.".to_owned()
        }
        PreviewError::Failed(PreviewFailure::Restoring) => {
            "Your files are being restored. Try again in a moment.".to_owned()
        }
        other @ (PreviewError::NotRunning | PreviewError::Unable | PreviewError::Silent) => {
            other.to_string()
        }
        other => return ApiError::bad_gateway("The sandbox did not answer. Try again.", other),
    };
    ApiError::conflict(ErrorCode::NoPreview, detail)
}
