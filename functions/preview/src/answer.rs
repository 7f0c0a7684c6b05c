//! Decides which part of a service's answer reaches the browser.

use axum::body::Body;
use axum::http::header::{
    CACHE_CONTROL, CONNECTION, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, LOCATION, REFERRER_POLICY,
    SET_COOKIE, STRICT_TRANSPORT_SECURITY, TE, TRAILER, TRANSFER_ENCODING, UPGRADE,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use flows::Service;

/// Headers that are dropped here: those of one connection, cookies, and those that would outlast the preview or reach
/// beyond its host.
const DROPPED: [HeaderName; 9] = [
    CONNECTION,
    CONTENT_LENGTH,
    SET_COOKIE,
    STRICT_TRANSPORT_SECURITY,
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
    X_FRAME_OPTIONS,
];

/// Prefixes of further dropped headers.
const DROPPED_BEGINNINGS: [&str; 10] = [
    "alt-svc",
    "clear-site-data",
    "keep-alive",
    "lambda-runtime-",
    "nel",
    "proxy-",
    "public-key-pins",
    "report",
    "set-cookie",
    "x-amz",
];

/// Headers of every answer of a preview, including pages of ours.
///
/// The host belongs to one preview alone, so the browser's rule of origins already keeps pages of two previews apart,
/// and a sandbox with an opaque origin would only break the service's own modules and calls. These headers forbid the
/// rest: that another page frames or loads this one, that this page controls the page that opened it, that it widens
/// its origin to the domain that it shares with its siblings, and that it is stored, indexed or named.
const ADDED: [(HeaderName, &str); 8] = [
    (REFERRER_POLICY, "no-referrer"),
    (CACHE_CONTROL, "no-store"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("x-robots-tag"), "noindex, nofollow"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("origin-agent-cluster"), "?1"),
];

/// Added to the service's own policy, never replacing it.
const POLICY: HeaderValue = HeaderValue::from_static("frame-ancestors 'none'");

/// Puts the headers of every preview on an answer.
pub fn guard(mut response: Response) -> Response {
    for (name, value) in ADDED {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response.headers_mut().append(CONTENT_SECURITY_POLICY, POLICY);
    response
}

/// The answer of the service on `port` as the browser gets it; `None` if it cannot become a valid answer.
pub fn answer(service: Service, port: u16) -> Option<Response> {
    let Service { status, headers, body } = service;
    let status = StatusCode::from_u16(status).ok().filter(|s| !s.is_informational())?;
    let mut kept = HeaderMap::new();
    for (name, value) in headers {
        let name = HeaderName::try_from(name).ok()?;
        let dropped = DROPPED.contains(&name)
            || DROPPED_BEGINNINGS.iter().any(|begin| name.as_str().starts_with(begin));
        if dropped {
            continue;
        }
        let value = if name == LOCATION { within(value, port) } else { value };
        kept.append(name, HeaderValue::try_from(value).ok()?);
    }
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    *response.headers_mut() = kept;
    Some(response)
}

/// Keeps a redirect of the service to itself on the preview's host.
fn within(location: String, port: u16) -> String {
    let hosts = ["localhost", "127.0.0.1", "[::1]", "0.0.0.0"];
    let rest = hosts.iter().find_map(|host| {
        let rest = location.strip_prefix("http://")?.strip_prefix(&format!("{host}:{port}"))?;
        (rest.is_empty() || rest.starts_with(['/', '?', '#'])).then_some(rest)
    });
    match rest {
        // Two slashes would name a host.
        Some(rest) if rest.starts_with("//") => format!("/.{rest}"),
        Some(rest) if rest.starts_with('/') => rest.to_owned(),
        Some(rest) => format!("/{rest}"),
        None => location,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn answered(headers: &[(&str, &str)]) -> Response {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let headers = headers.iter().map(owned).collect();
        guard(answer(Service { status: 200, headers, body: b"x".to_vec() }, 8080).unwrap())
    }

    #[test]
    fn a_service_sets_no_cookie_and_no_lasting_policy_in_the_browser() {
        let response = answered(&[
            ("set-cookie", "groundcrew=stolen; Domain=example.com"),
            ("set-cookie2", "a=b"),
            ("strict-transport-security", "max-age=1; includeSubDomains"),
            ("clear-site-data", "\"*\""),
            ("connection", "close"),
            ("transfer-encoding", "chunked"),
            ("cache-control", "public, max-age=31536000"),
            ("referrer-policy", "unsafe-url"),
            ("content-security-policy", "default-src 'self'"),
            ("content-type", "text/html"),
            ("x-own", "1"),
        ]);
        let headers = response.headers();
        for dropped in [
            "set-cookie",
            "set-cookie2",
            "strict-transport-security",
            "clear-site-data",
            "connection",
        ] {
            assert!(!headers.contains_key(dropped), "{dropped}");
        }
        assert!(!headers.contains_key("transfer-encoding"));
        assert_eq!(headers["cache-control"], "no-store");
        assert_eq!(headers["referrer-policy"], "no-referrer");
        assert_eq!(
            (&headers["content-type"], &headers["x-own"]),
            (&"text/html".parse().unwrap(), &"1".parse().unwrap())
        );
        let policies: Vec<_> = headers.get_all("content-security-policy").iter().collect();
        assert_eq!(policies, ["default-src 'self'", "frame-ancestors 'none'"]);
    }

    #[test]
    fn a_redirect_of_the_service_to_itself_stays_on_the_previews_host() {
        for (from, to) in [
            ("http://localhost:8080/login?next=/", "/login?next=/"),
            ("http://127.0.0.1:8080", "/"),
            ("http://[::1]:8080?a=b", "/?a=b"),
            ("http://localhost:8080//evil.example/", "/.//evil.example/"),
            ("/relative", "/relative"),
            ("https://example.com/", "https://example.com/"),
            ("http://localhost:80801/", "http://localhost:80801/"),
            ("http://localhost:8080.evil.example/", "http://localhost:8080.evil.example/"),
        ] {
            assert_eq!(within(from.to_owned(), 8080), to);
        }
    }

    #[test]
    fn an_answer_with_an_invalid_header_or_status_is_dropped() {
        let with = |name: &str, value: &str| {
            let headers = vec![(name.to_owned(), value.to_owned())];
            answer(Service { status: 200, headers, body: Vec::new() }, 1)
        };
        assert!(with("x-own", "a\r\nset-cookie: b=c").is_none());
        assert!(with("x own", "a").is_none());
        let early = Service { status: 101, headers: Vec::new(), body: Vec::new() };
        assert!(answer(early, 1).is_none());
    }
}
