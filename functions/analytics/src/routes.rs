//! The function's only call.

use crate::{App, PageEvents};
use axum::Router;
use axum::body::to_bytes;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::{HeaderMap, StatusCode};
use http_kit::{Api, ApiError, ErrorBody, ErrorCode, Limited, OwnPage, routes};
use serde_json::error::Category;

/// The largest report, in bytes.
const MAX_BYTES: usize = 4096;

fn api() -> Api<App> {
    Api::new().routes(routes!(events))
}

/// The function's router.
pub fn routes(app: App) -> Router {
    api().router(app)
}

/// The function's part of the contract.
pub fn openapi() -> utoipa::openapi::OpenApi {
    api().openapi()
}

/// Report events of a public page; a beacon may send them as text. With `DNT: 1` or `Sec-GPC: 1` nothing is stored
#[utoipa::path(post, path = "/analytics/events", tag = "analytics",
    request_body(content((PageEvents = "application/json"), (String = "text/plain"))),
    responses((status = 204, description = "Counted, unless the visitor objects"), (status = 403, body = ErrorBody)))]
async fn events(State(app): State<App>, request: Request) -> Result<StatusCode, ApiError> {
    if objects(request.headers()) {
        return Ok(StatusCode::NO_CONTENT);
    }
    let (mut parts, body) = request.into_parts();
    OwnPage::from_request_parts(&mut parts, &app).await?;
    Limited::<http_kit::PageEvents>::from_request_parts(&mut parts, &app).await?;
    let too_large =
        |_| ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, ErrorCode::TooLarge, "This is too large.");
    let body = to_bytes(body, MAX_BYTES).await.map_err(too_large)?;
    let report: PageEvents = serde_json::from_slice(&body).map_err(|error| unclear(&error))?;
    let counts = report.counts()?;
    app.visits.count(report.page.path(), &report.visitor_id, counts).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn unclear(error: &serde_json::Error) -> ApiError {
    match error.classify() {
        Category::Data => {
            ApiError::unprocessable(ErrorCode::InvalidReport, "The body is not a report.")
        }
        _ => ApiError::bad_request(ErrorCode::InvalidJson, "The body is not valid JSON."),
    }
}

/// Whether the visitor asks not to be tracked, by either of the two headers.
fn objects(headers: &HeaderMap) -> bool {
    let says_so =
        |name| headers.get(name).is_some_and(|value| value.as_bytes().trim_ascii() == b"1");
    says_so("dnt") || says_so("sec-gpc")
}
