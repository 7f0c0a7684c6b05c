//! CloudFront and its bucket: the built web application.

use crate::environment::Ports;
use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{Html, IntoResponse, Response};
use http_kit::headers::{Elsewhere, page_headers};
use std::path::Path;
use tower_http::compression::CompressionLayer;
use tower_http::services::{ServeDir, ServeFile};

/// Cache policy of files whose names contain a digest: they never change.
const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// Cache policy of all other files: revalidated each time, mostly answered with 304.
const NO_CACHE: HeaderValue = HeaderValue::from_static("no-cache");
/// The folder in which Vite puts files with a digest in their names.
const HASHED: &str = "/assets/";

/// Public pages that are separate files, besides the landing page; the CDN's rewrite has the same list.
const PUBLIC_PAGES: [&str; 4] = ["/pricing", "/terms", "/privacy", "/refund-policy"];

/// The built web application. An address without a file returns the application, which resolves its own routes; a
/// missing file in the hashed folder returns 404, so that an old page's script is not answered with HTML.
pub fn pages(dist: &Path, ports: Ports) -> Router {
    let application = dist.join("app.html");
    if !application.is_file() {
        let hint = format!(
            "{} is missing: build the web application with `npm run build` in web.",
            application.display()
        );
        return Router::new()
            .fallback(move || async move { (StatusCode::NOT_FOUND, Html(hint)).into_response() });
    }
    let headers = headers(ports);
    let hashed = Router::new().fallback_service(ServeDir::new(dist.join("assets")));
    let public = PUBLIC_PAGES.iter().fold(Router::new(), |router, page| {
        let file = dist.join(format!("{}.html", page.trim_start_matches('/')));
        router.route_service(page, ServeFile::new(file))
    });
    public
        .nest("/assets", hashed)
        .fallback_service(ServeDir::new(dist).fallback(ServeFile::new(application)))
        .layer(middleware::from_fn(with_cache_control))
        .layer(middleware::map_response(move |response| with_headers(response, headers.clone())))
        .layer(CompressionLayer::new())
}

/// CloudFront's response headers policy.
fn headers(ports: Ports) -> HeaderMap {
    let site = format!("localhost:{}", ports.site);
    let headers = page_headers(Elsewhere {
        websocket: &format!("ws://{site}"),
        avatars: None,
        code_host_logout: &format!("http://{site}/_local/github/logout"),
    });
    let parsed = headers.into_iter().filter_map(|(name, value)| {
        Some((HeaderName::from_static(name), HeaderValue::from_str(&value).ok()?))
    });
    parsed.collect()
}

async fn with_headers(mut response: Response, headers: HeaderMap) -> Response {
    response.headers_mut().extend(headers);
    response
}

async fn with_cache_control(request: Request, next: Next) -> Response {
    let hashed = request.uri().path().starts_with(HASHED);
    let mut response = next.run(request).await;
    let lasting = hashed && response.status() != StatusCode::NOT_FOUND;
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, if lasting { IMMUTABLE } else { NO_CACHE });
    response
}
