//! Recognizes headers of HTTP: their names, and what those contain that name a request, a version of a page, or a handshake.

use super::{Place, announces};

/// Whether a value is the name of a header, or belongs to a header that holds no secret.
pub(super) fn is_of_header(place: &Place<'_>) -> bool {
    is_identifying(place.before) || (is_name(place.value) && is_named(place))
}

/// Whether a name of a header stands where one is expected. Those that begin with `X-` are names anywhere.
fn is_named(place: &Place<'_>) -> bool {
    let Place { value, before, after, .. } = *place;
    // `Access-Control-Expose-Headers: X-Auth-Token, Retry-After`
    let listed = before.contains("-Headers:");
    let first = before.trim_start_matches(['<', '>', '*', ' ', '-', '+']).is_empty();
    let quoted = before.ends_with('`') && after.starts_with('`') && !announces(before);
    let own = value.starts_with("X-") && value.matches('-').count() > 1;
    own || listed || quoted || (first && after.starts_with(':'))
}

/// `Access-Control-Max-Age`, `X-Hub-Signature-256`
fn is_name(value: &str) -> bool {
    const ABBREVIATIONS: [&str; 9] =
        ["256", "512", "ID", "API", "WWW", "DNS", "CSRF", "XSS", "ETag"];
    let own = value.starts_with("X-");
    let part = |part: &str| {
        let numbered = part.trim_end_matches(|c: char| own && c.is_ascii_digit());
        let mut letters = numbered.bytes();
        let titled = letters.next().is_some_and(|b| b.is_ascii_uppercase())
            && letters.all(|b| b.is_ascii_lowercase());
        titled || ABBREVIATIONS.contains(&part)
    };
    value.contains('-') && value.split('-').all(part)
}

/// Whether the header before a value names a request, a version of a page, or a handshake.
fn is_identifying(before: &str) -> bool {
    // `Sec-WebSocket-Protocol` may carry a token.
    const NAMES: [&str; 10] = [
        "cf-ray",
        "x-amz-id-2",
        "x-amz-cf-id",
        "etag",
        "x-vercel-id",
        "traceparent",
        "x-trace",
        "x-cache-key",
        "sec-websocket-key",
        "sec-websocket-accept",
    ];
    const NAME_BYTES: usize = 24;
    let before = before.strip_suffix("W/\"").unwrap_or(before);
    let name = before.trim_end_matches([' ', '"', ':']);
    let name = name.rsplit([' ', ',', ';', '"', '(']).next().unwrap_or_default();
    if name.len() > NAME_BYTES {
        return false;
    }
    let name = name.to_ascii_lowercase();
    NAMES.iter().any(|known| name.ends_with(known))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn names_of_headers_are_not_secrets() {
        for text in [
            "Access-Control-Allow-Headers: Content-Type, X-Api-Key\nAccess-Control-Expose-Headers: Link",
            "Access-Control-Expose-Headers: X-Auth-Token, Retry-After",
            "the header `Clear-Site-Data` helps here",
            "see the header X-Shopify-Hmac-Sha256 and the secret",
            "payloads are signed, see X-Gitea-Signature-256",
        ] {
            assert_eq!(redacted(text), text);
        }
        seals(&[
            ("the password is `Maple-Harbor-Quilt`", &["Maple-Harbor-Quilt"]),
            ("das Passwort heißt Sommer-Regen-42", &["Sommer-Regen-42"]),
        ]);
    }

    #[test]
    fn only_one_header_of_a_handshake_is_a_secret() {
        assert!(is_identifying("Sec-WebSocket-Key: "));
        assert!(is_identifying("failed: Sec-WebSocket-Accept: "));
        assert!(!is_identifying("Sec-WebSocket-Protocol: "));
    }
}
