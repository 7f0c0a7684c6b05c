//! What a proxy leaves out of the calls that it passes on.

use axum::http::{HeaderMap, header};

/// Headers that concern the connection rather than the call.
const HOP_BY_HOP: [header::HeaderName; 4] =
    [header::CONNECTION, header::HOST, header::TRANSFER_ENCODING, header::CONTENT_LENGTH];

/// Headers without those of the connection.
pub fn without_hops(mut headers: HeaderMap) -> HeaderMap {
    for name in HOP_BY_HOP {
        headers.remove(name);
    }
    headers
}
