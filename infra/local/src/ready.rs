//! Routers that open once everything is ready.

use axum::Router;
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use std::sync::{Arc, OnceLock};
use tower::ServiceExt;

/// A router that passes requests on once everything is ready; until then it asks clients to retry.
///
/// The outside parties are served before the functions start, because the functions may call them while starting.
#[derive(Clone, Default)]
pub struct WhenReady(Arc<OnceLock<Router>>);

impl WhenReady {
    /// Starts to pass requests on.
    pub fn open(&self, router: Router) {
        let _ = self.0.set(router);
    }

    /// The router to mount.
    pub fn router(&self) -> Router {
        let door = self.0.clone();
        Router::new().fallback(move |request: Request| async move {
            match door.get() {
                Some(router) => match router.clone().oneshot(request).await {
                    Ok(response) => response,
                    Err(never) => match never {},
                },
                None => {
                    let retry = [(header::RETRY_AFTER, "1")];
                    (StatusCode::SERVICE_UNAVAILABLE, retry, "Groundcrew is starting.")
                        .into_response()
                }
            }
        })
    }
}
