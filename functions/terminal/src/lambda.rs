//! Two APIs call this function: its REST calls go to the router, WebSocket events to [`handle`].

use crate::{App, handle};
use aws_lambda_events::apigw::ApiGatewayWebsocketProxyRequest;
use axum::Router;
use axum::body::Body;
use axum::response::Response;
use lambda_http::request::RequestContext;
use lambda_http::{Request, RequestExt};
use std::convert::Infallible;
use tower::ServiceExt;

/// Serves one event of either API.
pub async fn serve(app: &App, router: Router, request: Request) -> Result<Response, Infallible> {
    http_kit::learn_site(&request);
    let Some(event) = websocket_event(&request) else { return router.oneshot(request).await };
    let answer = handle(app, event).await;
    let mut response = Response::new(Body::empty());
    let status = u16::try_from(answer.status_code).ok().and_then(|n| n.try_into().ok());
    *response.status_mut() = status.unwrap_or_default();
    Ok(response)
}

fn websocket_event(request: &Request) -> Option<ApiGatewayWebsocketProxyRequest> {
    let Some(RequestContext::WebSocket(context)) = request.request_context_ref() else {
        return None;
    };
    let mut event = ApiGatewayWebsocketProxyRequest::default();
    event.request_context = context.clone();
    event.headers = request.headers().clone();
    event.query_string_parameters = request.query_string_parameters();
    event.body = std::str::from_utf8(request.body()).ok().map(str::to_owned);
    Some(event)
}
