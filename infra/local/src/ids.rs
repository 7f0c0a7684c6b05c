//! Random names and the time, in the formats that AWS uses.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use std::time::{SystemTime, UNIX_EPOCH};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// A request id: a random UUID (version 4).
pub fn request_id() -> String {
    let mut bytes: [u8; 16] = rand::random();
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let text = hex::encode(bytes);
    format!("{}-{}-{}-{}-{}", &text[..8], &text[8..12], &text[12..16], &text[16..20], &text[20..])
}

/// 32 hexadecimal digits, as ECS names its tasks.
pub fn task_id() -> String {
    hex::encode(rand::random::<[u8; 16]>())
}

/// A WebSocket connection id. Like API Gateway's, it ends in `=`, which a client must escape in a path.
pub fn connection_id() -> String {
    STANDARD.encode(rand::random::<[u8; 11]>())
}

/// A secret of 256 bits that can be used in addresses and headers.
pub fn token() -> String {
    URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>())
}

/// Milliseconds since 1970.
pub fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// A time in milliseconds since 1970 as RFC 3339 in UTC, to the second, as EventBridge writes it.
pub fn rfc3339(ms: i64) -> String {
    OffsetDateTime::from_unix_timestamp(ms / 1000)
        .ok()
        .and_then(|time| time.format(&Rfc3339).ok())
        .unwrap_or_else(|| "1970-01-01T00:00:00Z".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_id_is_a_random_uuid() {
        let id = request_id();
        assert_eq!(id.len(), 36);
        assert_eq!(&id[14..15], "4");
        assert_ne!(id, request_id());
    }

    #[test]
    fn a_connection_id_must_be_escaped_in_a_path() {
        assert!(connection_id().ends_with('='));
    }

    #[test]
    fn times_are_utc() {
        assert_eq!(rfc3339(1_700_000_000_123), "2023-11-14T22:13:20Z");
    }
}
