//! Lists that are answered a page at a time.

use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;

/// The cursor of a list's next page; absent on the last one.
const NEXT_CURSOR: HeaderName = HeaderName::from_static("next-cursor");

/// A page of a list with the cursor of the next one.
pub fn with_next_cursor(mut page: Response, next: Option<&str>) -> Response {
    if let Some(next) = next.and_then(|next| HeaderValue::from_str(next).ok()) {
        page.headers_mut().insert(NEXT_CURSOR, next);
    }
    page
}
