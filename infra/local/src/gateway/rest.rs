//! API Gateway's REST API: the functions' own routers under `/api`.

use axum::Router;
use axum::extract::{ConnectInfo, Request};
use axum::http::HeaderValue;
use axum::middleware::{self, Next};
use axum::response::Response;
use lambda_http::request::RequestContext;
use serde_json::json;
use std::net::SocketAddr;
use tower_http::limit::RequestBodyLimitLayer;

/// The largest request body, in bytes: Lambda's limit on an invocation, 6 MB.
const BODY_BYTES: usize = 6 * 1024 * 1024;
/// The header in which API Gateway sends a client the id of its request.
const REQUEST_ID: &str = "x-amzn-requestid";
/// The headers in which the functions receive it.
const REPORTED: [&str; 2] = ["x-request-id", "lambda-runtime-aws-request-id"];

/// Puts the functions' routers under `/api`, as the stage `api` does.
pub fn gateway(functions: Router) -> Router {
    Router::new().nest("/api", finished(functions)).layer(middleware::from_fn(with_context))
}

/// The same for functions that run elsewhere and add their own layers there.
pub fn in_front_of(functions: Router) -> Router {
    Router::new().nest_service("/api", functions).layer(middleware::from_fn(with_context))
}

/// The functions' routers, each wrapped in the layers that its function adds.
pub fn finished(functions: Router) -> Router {
    http_kit::finish(functions.layer(RequestBodyLimitLayer::new(BODY_BYTES)))
}

/// Gives each request a new id, because one that the client sent is not trusted, and puts the client's address into the
/// context that a function gets with its event.
async fn with_context(mut request: Request, next: Next) -> Response {
    if let Some(ConnectInfo(peer)) = request.extensions().get::<ConnectInfo<SocketAddr>>() {
        let context = json!({
            "httpMethod": request.method().as_str(),
            "identity": {"sourceIp": peer.ip().to_string()},
        });
        if let Ok(context) = serde_json::from_value(context) {
            request.extensions_mut().insert(RequestContext::ApiGatewayV1(context));
        }
    }
    let id = crate::ids::request_id();
    let Ok(value) = HeaderValue::from_str(&id) else { return next.run(request).await };
    request.headers_mut().insert(REQUEST_ID, value.clone());
    for name in REPORTED {
        request.headers_mut().insert(name, value.clone());
    }
    let mut response = next.run(request).await;
    response.headers_mut().entry(REQUEST_ID).or_insert(value);
    response
}
