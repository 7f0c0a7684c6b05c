//! The headers that secure our answers in a browser, written once.
//!
//! Pages come from the web bucket by way of CloudFront, or from the local stack's site; both send the headers of
//! [`page_headers`], and a test compares them with `infra/template.yaml`. The API sends [`API_HEADERS`] with its own
//! answers.

/// Addresses besides its own to which a page may connect.
#[derive(Debug, Clone, Copy)]
pub struct Elsewhere<'a> {
    /// The WebSocket's origin, with its scheme.
    pub websocket: &'a str,
    /// The address from which the code host serves avatars, unless it is the page's own origin.
    pub avatars: Option<&'a str>,
    /// The code host's sign-out page, which pages load in a hidden frame.
    pub code_host_logout: &'a str,
}

/// The headers of every page and of every file that belongs to one.
///
/// The policy forbids everything that it does not name. Styles may be inline because xterm.js and Radix write theirs
/// inline. Images come only from here and from the code host's avatars, because Markdown that a model wrote must not be
/// able to call home with an image.
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

/// The headers that are the same on every site.
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

/// The header that forbids plain http for two years, for sites served over https.
pub const STRICT_TRANSPORT: (&str, &str) =
    ("strict-transport-security", "max-age=63072000; includeSubDomains");

/// The headers of every answer of the API, unless the answer sets its own.
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
