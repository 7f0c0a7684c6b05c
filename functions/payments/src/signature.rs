//! Verifies Stripe's signature over a webhook: `t=1700000000,v1=…,v1=…`.
//!
//! Each `v1` is an HMAC-SHA256 of the time, a dot and the raw body. During a change of the secret there are several,
//! and one valid signature suffices. The time prevents the replay of an intercepted message.

use aws_lc_rs::hmac::{HMAC_SHA256, Key, verify};
use domain::Timestamp;

/// How old a message may be, or how far in the future, in seconds, as Stripe recommends.
pub(crate) const TOLERANCE_SECONDS: i64 = 300;
/// The most signatures that are checked; Stripe sends one for each secret in use.
const MOST_SIGNATURES: usize = 8;

/// The reason why a message is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Forged {
    #[error("The signature is missing or malformed.")]
    Malformed,
    #[error("The message is too old.")]
    Stale,
    #[error("The signature does not match.")]
    Mismatch,
}

/// Checks that exactly this body was signed with the secret, and recently.
pub(crate) fn check(secret: &str, header: &str, body: &[u8], now: Timestamp) -> Result<(), Forged> {
    let pairs = || header.split(',').filter_map(|part| part.trim().split_once('='));
    let at = pairs().find(|(name, _)| *name == "t").ok_or(Forged::Malformed)?.1;
    let seconds: i64 = at.parse().map_err(|_| Forged::Malformed)?;
    let signatures = pairs().filter(|(name, _)| *name == "v1").take(MOST_SIGNATURES);
    let signatures: Vec<_> = signatures.filter_map(|(_, hex)| hex::decode(hex).ok()).collect();
    if signatures.is_empty() {
        return Err(Forged::Malformed);
    }
    let signed = [at.as_bytes(), b".", body].concat();
    let key = Key::new(HMAC_SHA256, secret.as_bytes());
    // The comparison takes the same time wherever two signatures differ.
    if !signatures.iter().any(|signature| verify(&key, &signed, signature).is_ok()) {
        return Err(Forged::Mismatch);
    }
    match now.epoch_seconds().abs_diff(seconds) > TOLERANCE_SECONDS.unsigned_abs() {
        true => Err(Forged::Stale),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aws_lc_rs::hmac::sign;
    use growth::{assert_linear, repeated};
    use proptest::prelude::*;

    const SECRET: &str = "whsec_test";
    const BODY: &[u8] = br#"{"id":"evt_1"}"#;

    fn header(secret: &str, at: i64, body: &[u8]) -> String {
        let key = Key::new(HMAC_SHA256, secret.as_bytes());
        let tag = sign(&key, &[at.to_string().as_bytes(), b".", body].concat());
        format!("t={at},v1={}", hex::encode(tag))
    }

    #[test]
    fn only_a_message_signed_now_with_our_secret_is_accepted() {
        let now = Timestamp::now();
        let at = now.epoch_seconds();
        let good = header(SECRET, at, BODY);
        assert_eq!(check(SECRET, &good, BODY, now), Ok(()));
        let two =
            format!("t={at},v1={},{}", "00".repeat(32), good.split_once(',').map_or("", |p| p.1));
        assert_eq!(check(SECRET, &two, BODY, now), Ok(()));
        for (header, body, why) in [
            (good.as_str(), &br#"{"id":"evt_2"}"#[..], Forged::Mismatch),
            (&header("whsec_other", at, BODY), BODY, Forged::Mismatch),
            (&good.replace(&format!("t={at}"), &format!("t={}", at + 1)), BODY, Forged::Mismatch),
            (&good.replace("v1=", "v0="), BODY, Forged::Malformed),
            ("", BODY, Forged::Malformed),
            ("t=x,v1=00", BODY, Forged::Malformed),
            (&good[..good.len() - 2], BODY, Forged::Mismatch),
        ] {
            assert_eq!(check(SECRET, header, body, now), Err(why), "{header}");
        }
    }

    #[test]
    fn a_message_is_accepted_within_five_minutes_of_its_timestamp() {
        let now = Timestamp::now();
        for (seconds, expected) in
            [(-300, Ok(())), (300, Ok(())), (-301, Err(Forged::Stale)), (301, Err(Forged::Stale))]
        {
            let header = header(SECRET, now.epoch_seconds() + seconds, BODY);
            assert_eq!(check(SECRET, &header, BODY, now), expected, "{seconds}");
        }
    }

    #[test]
    fn signatures_are_checked_in_linear_time() {
        let now = Timestamp::now();
        for piece in [",", "=", "v1=", "v1=00,", "t=1,", "t=,", "v1=zz,", " ", "v0=00,", "é"] {
            for begin in [String::new(), format!("t={},", now.epoch_seconds())] {
                let make = |bytes| format!("{begin}{}", repeated(piece, bytes));
                assert_linear(piece, 8 * 1024, make, |header| {
                    std::hint::black_box(check(SECRET, header, BODY, now).ok());
                });
            }
        }
        let signed = |bytes: usize| {
            let body = repeated("{\"a\":", bytes).into_bytes();
            (header(SECRET, now.epoch_seconds(), &body), body)
        };
        assert_linear("bodies", 64 * 1024, signed, |(header, body)| {
            assert_eq!(check(SECRET, header, body, now), Ok(()));
            std::hint::black_box(serde_json::from_slice::<serde_json::Value>(body).ok());
        });
    }

    proptest! {
        #[test]
        fn an_invented_header_is_refused(
            header in "(t=-?[0-9a-z]{0,22})?,?(v[01]=[0-9a-f]{0,66},?){0,12}|\\PC{0,200}",
            body in prop::collection::vec(any::<u8>(), 0..200),
        ) {
            prop_assert!(check(SECRET, &header, &body, Timestamp::now()).is_err());
        }
    }
}
