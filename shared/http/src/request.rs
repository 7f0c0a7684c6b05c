//! What surrounds every call: its id, its log line, and the body of its error.

use crate::{ApiError, ErrorBody};
use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use domain::report::Chain;
use rand::Rng;
use tracing::Instrument;

/// The header that names a call, on the way in (from a gateway) and out.
const REQUEST_ID: &str = "x-request-id";
/// Longest request id that is taken over from a gateway, in bytes.
const MAX_REQUEST_ID_BYTES: usize = 64;

/// Completes a function's router: request ids, errors with bodies, unknown paths.
pub fn finish(router: Router) -> Router {
    router.fallback(async || ApiError::not_found()).layer(from_fn(surround))
}

async fn surround(request: Request, next: Next) -> Response {
    let request_id = request_id(&request);
    let project = request.headers().get("project-id").and_then(|id| id.to_str().ok());
    let span = tracing::info_span!(
        "call",
        request_id,
        method = %request.method(),
        path = request.uri().path(),
        project,
    );
    async {
        let mut response = with_error_body(next.run(request).await, &request_id);
        if let Ok(value) = HeaderValue::from_str(&request_id) {
            response.headers_mut().insert(REQUEST_ID, value);
        }
        tracing::debug!(status = response.status().as_u16(), "answered");
        response
    }
    .instrument(span)
    .await
}

fn request_id(request: &Request) -> String {
    let given = request.headers().get(REQUEST_ID).and_then(|id| id.to_str().ok());
    match given {
        Some(id) if (1..=MAX_REQUEST_ID_BYTES).contains(&id.len()) => id.to_owned(),
        _ => format!("{:032x}", rand::rng().random::<u128>()),
    }
}

/// Writes the body of an [`ApiError`], and of the bare errors that axum's own routing answers.
fn with_error_body(mut response: Response, request_id: &str) -> Response {
    let error = match response.extensions_mut().remove::<ApiError>() {
        Some(error) => error,
        None if response.status() == StatusCode::METHOD_NOT_ALLOWED => {
            let detail = "This method is not allowed here.";
            ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", detail)
        }
        None => return response,
    };
    if let Some(cause) = &error.cause {
        tracing::error!(
            error = %Chain(&**cause),
            code = error.code,
            "call failed"
        );
    }
    let body = ErrorBody {
        detail: error.detail,
        code: error.code.to_owned(),
        request_id: request_id.to_owned(),
    };
    let mut answer = (error.status, axum::Json(body)).into_response();
    // Headers that the handler or the router set (a cleared cookie, `Allow`) still count.
    let length = axum::http::header::CONTENT_LENGTH;
    for (name, value) in response.headers().iter().filter(|(name, _)| **name != length) {
        answer.headers_mut().append(name, value.clone());
    }
    answer
}
