//! What browsers are told about our answers, written once.
//!
//! Pages come from the web bucket by way of CloudFront, or from the local stack's site; both send what
//! [`page_headers`] lists, and a test holds `infra/template.yaml` to it. Answers of the API send [`API_HEADERS`]
//! themselves.

/// Addresses that a page may speak to beside its own.
#[derive(Debug, Clone, Copy)]
pub struct Elsewhere<'a> {
    /// Origin of the WebSocket, with its scheme.
    pub websocket: &'a str,
    /// Where the code host keeps avatars, unless it is the page's own origin.
    pub avatars: Option<&'a str>,
    /// The code host's page for signing out, which is loaded in a hidden frame.
    pub code_host_logout: &'a str,
}

/// The headers of every page and of every file that belongs to one.
///
/// Nothing is allowed but what is named. Styles may be inline because xterm.js and Radix write theirs so.
/// Images come from here and from the code host's avatars alone: markdown that a model wrote must not be able
/// to call home with an image.
pub fn page_headers(elsewhere: Elsewhere<'_>) -> Vec<(&'static str, String)> {
    let avatars = elsewhere.avatars.map(|origin| format!(" {origin}")).unwrap_or_default();
    let policy = [
        "default-src 'none'".to_owned(),
        "script-src 'self'".to_owned(),
        "style-src 'self' 'unsafe-inline'".to_owned(),
        format!("img-src 'self' data:{avatars}"),
        "font-src 'self'".to_owned(),
        "media-src 'self'".to_owned(),
        "manifest-src 'self'".to_owned(),
        format!("connect-src 'self' {}", elsewhere.websocket),
        format!("frame-src {}", elsewhere.code_host_logout),
        "frame-ancestors 'none'".to_owned(),
        "form-action 'self'".to_owned(),
        "base-uri 'none'".to_owned(),
    ];
    let mut headers = vec![("content-security-policy", policy.join("; "))];
    headers.extend(PAGE_HEADERS.map(|(name, value)| (name, value.to_owned())));
    headers
}

/// Those that are the same wherever the site is.
const PAGE_HEADERS: [(&str, &str); 6] = [
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    (
        "permissions-policy",
        "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), \
         magnetometer=(), microphone=(), midi=(), payment=(), usb=()",
    ),
    ("referrer-policy", "strict-origin-when-cross-origin"),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
];

/// The header with which a site that is served over https forbids plain http, for two years.
pub const STRICT_TRANSPORT: (&str, &str) =
    ("strict-transport-security", "max-age=63072000; includeSubDomains");

/// The headers of every answer of the API that does not say otherwise itself.
pub const API_HEADERS: [(&str, &str); 6] = [
    ("cache-control", "no-store"),
    (
        "content-security-policy",
        "default-src 'none'; frame-ancestors 'none'; form-action 'none'; base-uri 'none'",
    ),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("referrer-policy", "no-referrer"),
    ("x-content-type-options", "nosniff"),
];
