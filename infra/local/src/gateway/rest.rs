//! API Gateway's REST API: the functions' own routers under `/api`.

use axum::Router;
use axum::extract::Request;
use axum::http::HeaderValue;
use axum::middleware::{self, Next};
use axum::response::Response;
use tower_http::limit::RequestBodyLimitLayer;

/// The largest request body, in bytes: Lambda's limit on an invocation, 6 MB.
const BODY_BYTES: usize = 6 * 1024 * 1024;
/// Under this header API Gateway tells a client the id of its request.
const REQUEST_ID: &str = "x-amzn-requestid";
/// Under these headers the functions learn it.
const TOLD: [&str; 2] = ["x-request-id", "lambda-runtime-aws-request-id"];

/// Puts the functions' routers under `/api`, as the stage `api` does.
pub fn gateway(functions: Router) -> Router {
    let functions = http_kit::finish(functions).layer(RequestBodyLimitLayer::new(BODY_BYTES));
    Router::new().nest("/api", functions).layer(middleware::from_fn(with_request_id))
}

/// Gives each request an id of ours; one that the client sent is not believed.
async fn with_request_id(mut request: Request, next: Next) -> Response {
    let id = crate::ids::request_id();
    let Ok(value) = HeaderValue::from_str(&id) else { return next.run(request).await };
    request.headers_mut().insert(REQUEST_ID, value.clone());
    for name in TOLD {
        request.headers_mut().insert(name, value.clone());
    }
    let mut response = next.run(request).await;
    response.headers_mut().entry(REQUEST_ID).or_insert(value);
    response
}
