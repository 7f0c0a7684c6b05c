//! Decides which part of a browser's request reaches the service.

use axum::http::header::{
    ACCEPT_ENCODING, AUTHORIZATION, CONNECTION, CONTENT_LENGTH, COOKIE, HOST, ORIGIN, REFERER, TE,
    TRAILER, TRANSFER_ENCODING, UPGRADE,
};
use axum::http::{HeaderMap, HeaderName};

/// Headers that are dropped here: those of one connection, those that hold a secret of the browser, and those that are
/// written again. Without `Accept-Encoding` the service answers uncompressed, so a gateway need not treat the answer as
/// binary.
const DROPPED: [HeaderName; 12] = [
    ACCEPT_ENCODING,
    AUTHORIZATION,
    CONNECTION,
    CONTENT_LENGTH,
    COOKIE,
    HOST,
    ORIGIN,
    REFERER,
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
];

/// Prefixes of further dropped headers, which gateways on the way add about the visitor and about us.
const DROPPED_BEGINNINGS: [&str; 13] = [
    "cdn-",
    "cloudfront-",
    "expect",
    "forwarded",
    "http2-settings",
    "keep-alive",
    "lambda-runtime-",
    "proxy-",
    "via",
    "x-amz",
    "x-forwarded-",
    "x-groundcrew-",
    "x-request-id",
];

/// The headers for the service on `port`; `own` is the preview's origin, which the service sees as its own.
///
/// A header that `Connection` names is one of that connection, too.
pub fn headers(given: &HeaderMap, own: &str, port: u16) -> Vec<(String, String)> {
    let listed: Vec<String> = given
        .get_all(CONNECTION)
        .iter()
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(',').map(|name| name.trim().to_ascii_lowercase()))
        .collect();
    let passes = |name: &HeaderName| {
        !DROPPED.contains(name)
            && !DROPPED_BEGINNINGS.iter().any(|begin| name.as_str().starts_with(begin))
            && !listed.iter().any(|listed| listed == name.as_str())
    };
    let passed = given.iter().filter(|(name, _)| passes(name));
    let mut headers: Vec<_> = passed
        .filter_map(|(name, value)| {
            Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned()))
        })
        .collect();
    if let Some(origin) = given.get(ORIGIN) {
        // A page of the preview calls its own service; any other page is foreign.
        let of_service = origin.as_bytes() == own.as_bytes();
        let origin = if of_service { format!("http://localhost:{port}") } else { "null".into() };
        headers.push((ORIGIN.as_str().to_owned(), origin));
    }
    headers
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn passed(given: &[(&str, &str)]) -> Vec<(String, String)> {
        let mut map = HeaderMap::new();
        for (name, value) in given {
            map.append(HeaderName::try_from(*name).unwrap(), value.parse().unwrap());
        }
        headers(&map, "http://ab.preview.localhost:3000", 8080)
    }

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn the_service_receives_no_secret_of_the_browser_and_no_connection_header() {
        let dropped = [
            ("cookie", "groundcrew=secret"),
            ("authorization", "Bearer x"),
            ("proxy-authorization", "Basic x"),
            ("host", "ab.preview.localhost:3000"),
            ("referer", "http://ab.preview.localhost:3000/x"),
            ("connection", "keep-alive, X-Hop"),
            ("x-hop", "1"),
            ("transfer-encoding", "chunked"),
            ("content-length", "5"),
            ("expect", "100-continue"),
            ("x-forwarded-for", "192.0.2.1"),
            ("x-amzn-trace-id", "1"),
            ("x-groundcrew-edge", "proof"),
            ("upgrade", "websocket"),
        ];
        assert_eq!(passed(&dropped), []);
        let kept = [("accept", "*/*"), ("x-csrftoken", "t"), ("range", "bytes=0-1"), ("dnt", "1")];
        assert_eq!(passed(&kept), pairs(&kept));
    }

    #[test]
    fn a_service_recognizes_the_origin_of_its_own_pages_and_no_other() {
        let own = passed(&[("origin", "http://ab.preview.localhost:3000")]);
        assert_eq!(own, pairs(&[("origin", "http://localhost:8080")]));
        let other = passed(&[("origin", "http://cd.preview.localhost:3000")]);
        assert_eq!(other, pairs(&[("origin", "null")]));
    }
}
