//! Handles what every call has: its way through the edge, its id, its log line, and the body of its error.

use crate::address::Edge;
use crate::headers::API_HEADERS;
use crate::session_cell::SessionCell;
use crate::site::learn_site;
use crate::telemetry::CALL;
use crate::{ApiError, ErrorBody, ErrorCode};
use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use domain::report::Chain;
use rand::Rng;
use std::sync::Arc;
use tracing::Instrument;

/// The header that names a call, both in requests (from a gateway) and in answers.
const REQUEST_ID: &str = "x-request-id";
/// The longest request id that we accept from a gateway, in bytes.
const MAX_REQUEST_ID_BYTES: usize = 64;

/// Completes a function's router: request ids, errors with bodies, unknown paths; and, where the environment names the
/// proof of our edge, only calls that came through it.
pub fn finish(router: Router) -> Router {
    behind(Edge::from_env(), router)
}

fn behind(edge: Edge, router: Router) -> Router {
    let router = router.fallback(async || ApiError::not_found());
    router.layer(from_fn_with_state(Arc::new(edge), surround))
}

async fn surround(State(edge): State<Arc<Edge>>, mut request: Request, next: Next) -> Response {
    learn_site(&request);
    let session = SessionCell::default();
    request.extensions_mut().insert(session.clone());
    let request_id = request_id(&request);
    let project = request.headers().get("project-id").and_then(|id| id.to_str().ok());
    let span = tracing::info_span!(
        target: CALL,
        "call",
        request_id,
        method = %request.method(),
        path = request.uri().path(),
        project,
    );
    async {
        let call = format!("{} {}", request.method(), request.uri().path());
        let response = match edge.is_evaded(request.headers()) {
            true => around_the_edge().into_response(),
            false => session.bound(next.run(request).await),
        };
        let code = response.extensions().get::<ApiError>().map_or("", |error| error.code.as_str());
        session.log_refusal(response.status(), code, &call);
        let mut response = with_error_body(response, &request_id);
        for (name, value) in API_HEADERS {
            response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
        }
        if let Ok(value) = HeaderValue::from_str(&request_id) {
            response.headers_mut().insert(REQUEST_ID, value);
        }
        tracing::debug!(status = response.status().as_u16(), "answered");
        response
    }
    .instrument(span)
    .await
}

fn around_the_edge() -> ApiError {
    let detail = "Call this API at the address of its site.";
    ApiError::new(StatusCode::FORBIDDEN, ErrorCode::NotThroughTheSite, detail)
}

fn request_id(request: &Request) -> String {
    let given = request.headers().get(REQUEST_ID).and_then(|id| id.to_str().ok());
    match given {
        Some(id) if (1..=MAX_REQUEST_ID_BYTES).contains(&id.len()) => id.to_owned(),
        _ => format!("{:032x}", rand::rng().random::<u128>()),
    }
}

/// Whether axum itself refused the call, with a plain text or an empty body.
fn is_bare(response: &Response) -> bool {
    let status = response.status();
    let kind = response.headers().get(CONTENT_TYPE);
    (status.is_client_error() || status.is_server_error())
        && kind.is_none_or(|kind| kind.as_bytes().starts_with(b"text/plain"))
}

fn in_our_words(status: StatusCode) -> ApiError {
    let (code, detail) = match status {
        StatusCode::NOT_FOUND => return ApiError::not_found(),
        StatusCode::METHOD_NOT_ALLOWED => {
            (ErrorCode::MethodNotAllowed, "This method is not allowed here.")
        }
        StatusCode::PAYLOAD_TOO_LARGE => (ErrorCode::TooLarge, "This is too large."),
        StatusCode::UNPROCESSABLE_ENTITY => return ApiError::invalid_body(None),
        status if status.is_server_error() => {
            (ErrorCode::Internal, "Something went wrong on our side. Try again.")
        }
        _ => (ErrorCode::BadRequest, "The request was not understood."),
    };
    ApiError::new(status, code, detail)
}

/// Writes the body of an [`ApiError`], and of the bare errors of axum's own routing.
fn with_error_body(mut response: Response, request_id: &str) -> Response {
    let error = match response.extensions_mut().remove::<ApiError>() {
        Some(error) => error,
        None if is_bare(&response) => in_our_words(response.status()),
        None => return response,
    };
    if let Some(cause) = &error.cause {
        tracing::error!(
            error = %Chain(&**cause),
            code = error.code.as_str(),
            "call failed"
        );
    }
    let body =
        ErrorBody { detail: error.detail, code: error.code, request_id: request_id.to_owned() };
    let mut answer = (error.status, axum::Json(body)).into_response();
    // Headers that the handler or the router set (a cleared cookie, `Allow`) still count; those of the bare body do
    // not.
    let of_body = [CONTENT_LENGTH, CONTENT_TYPE];
    for (name, value) in response.headers().iter().filter(|(name, _)| !of_body.contains(name)) {
        answer.headers_mut().append(name, value.clone());
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;
    use axum::routing::get;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use tower::ServiceExt;

    /// The status and the code of the answer to a call with this proof, and how often a handler ran.
    async fn answered(edge: Edge, proof: Option<&str>, path: &str) -> (StatusCode, String, usize) {
        let served = Arc::new(AtomicUsize::new(0));
        let counts = served.clone();
        let handler = move || async move {
            counts.fetch_add(1, Ordering::Relaxed);
            "served"
        };
        let router = behind(edge, Router::new().route("/health", get(handler)));
        let mut request = Request::builder().uri(path);
        if let Some(proof) = proof {
            request = request.header("x-groundcrew-edge", proof);
        }
        let answer = router.oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        let status = answer.status();
        let body = axum::body::to_bytes(answer.into_body(), 10_000).await.unwrap();
        let body: serde_json::Value = serde_json::from_slice(&body).unwrap_or_default();
        let code = body["code"].as_str().unwrap_or_default().to_owned();
        (status, code, served.load(Ordering::Relaxed))
    }

    #[tokio::test]
    async fn where_there_is_an_edge_only_calls_through_it_are_served() {
        let edge = || Edge::of(["proof", "spare"].map(|proof| Some(proof.to_owned())));
        let refused = (StatusCode::FORBIDDEN, "not_through_the_site".to_owned(), 0);
        for proof in [None, Some(""), Some("guessed"), Some("proof, spare")] {
            assert_eq!(answered(edge(), proof, "/health").await, refused, "{proof:?}");
            assert_eq!(answered(edge(), proof, "/unknown").await, refused, "{proof:?}");
        }
        for proof in ["proof", "spare"] {
            assert_eq!(answered(edge(), Some(proof), "/health").await.2, 1);
        }
        // On a laptop there is no edge.
        assert_eq!(answered(Edge::default(), None, "/health").await.2, 1);
    }
}
