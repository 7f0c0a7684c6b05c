//! The API of previews: in the cloud it has a separate domain, here it has every host below `preview.localhost`.

use crate::environment::PREVIEW_HOST;
use axum::Router;
use axum::extract::Request;
use axum::http::header::HOST;
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use tower::ServiceExt;

/// Passes requests for a preview's host to `previews`, and all others to `others`.
pub fn beside(others: Router, previews: Router) -> Router {
    others.layer(from_fn(move |request: Request, next: Next| {
        let previews = previews.clone();
        async move {
            match is_of_preview(&request) {
                true => called(previews, request).await,
                false => next.run(request).await,
            }
        }
    }))
}

async fn called(previews: Router, request: Request) -> Response {
    previews.oneshot(request).await.into_response()
}

/// Whether the host is the previews' host or below it.
fn is_of_preview(request: &Request) -> bool {
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let host = host.split_once(':').map_or(host, |(host, _)| host).to_ascii_lowercase();
    host.strip_suffix(PREVIEW_HOST).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}
