//! Forms that only identifiers have, whatever is around them.

use crate::weight::is_hex;

/// Lengths of the hashes that programs append to a name, in digits.
const HASH_DIGITS: [usize; 4] = [24, 32, 40, 64];
/// Parts of names after which a hash may be a key.
const KEYS: [&str; 12] =
    ["key", "token", "secret", "pass", "pwd", "pat", "api", "auth", "sk", "cred", "live", "bearer"];

/// Whether a text has the form of an identifier.
pub fn is_identifier(value: &str) -> bool {
    is_bus(value)
        || is_suffixed(value)
        || is_object(value)
        || is_trace(value)
        || is_number(value)
        || is_content(value)
        || is_pod(value)
        || is_measured(value)
}

/// `JID-2d54137f…`, `node-modules-0831…`, `SMac1085be…`: a hash after a name.
fn is_suffixed(value: &str) -> bool {
    let digits = value.len() - value.trim_end_matches(|c: char| c.is_ascii_hexdigit()).len();
    let hash = |digits: usize| {
        let (name, hash) = value.split_at_checked(value.len().checked_sub(digits)?)?;
        (!name.is_empty() && is_hex(hash)).then_some(name)
    };
    // A change of Gerrit
    let change = || hash(40).is_some_and(|name| name == "I");
    // `CA` and 32 digits: the letters may be digits themselves.
    let short = || hash(32).filter(|name| name.len() == 2 && is_capitals(name) && *name != "SK");
    let joined = || {
        let name = HASH_DIGITS.iter().filter(|known| **known == digits).find_map(|of| hash(*of))?;
        let name = name.strip_suffix('-')?;
        let lower = name.to_ascii_lowercase();
        let words = name.len() >= 3
            && name.split('-').all(|part| !part.is_empty() && is_letters(part))
            && !lower.split('-').any(|part| KEYS.iter().any(|key| part.contains(key)));
        words.then_some(name)
    };
    value.is_ascii()
        && digits >= 24
        && (joined().is_some() || change() || (value.len() == 34 && short().is_some()))
}

fn is_capitals(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_uppercase())
}

fn is_letters(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_alphabetic())
}

/// `dpl_c3qx…`, `chatcmpl-y9EN…`, `req_011C…`: names of objects in the APIs of hosts and models.
fn is_object(value: &str) -> bool {
    const KINDS: [&str; 14] = [
        "dpl_",
        "chatcmpl-",
        "cmpl-",
        "resp_",
        "req_",
        "msg_",
        "asst_",
        "thread_",
        "toolu_",
        "call_",
        "batch_",
        "ctag-",
        "run_",
        "evt_",
    ];
    const LEAST_BYTES: usize = 14;
    KINDS.iter().any(|kind| {
        value.strip_prefix(kind).is_some_and(|id| {
            id.len() >= LEAST_BYTES && id.bytes().all(|b| b.is_ascii_alphanumeric())
        })
    })
}

/// `1-48ed0682-7bc8ba730d52a629e81f2814`: a trace of X-Ray.
fn is_trace(value: &str) -> bool {
    let Some((time, id)) = value.strip_prefix("1-").and_then(|rest| rest.split_once('-')) else {
        return false;
    };
    time.len() == 8 && id.len() == 24 && is_hex(time) && is_hex(id)
}

/// `0x757C4E`: an address, an error or a session. A private key has four times the digits.
fn is_number(value: &str) -> bool {
    const DIGITS: std::ops::RangeInclusive<usize> = 2..=16;
    let digits = value.strip_prefix("0x").unwrap_or_default();
    DIGITS.contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_hexdigit())
}

/// `062f:0a4e`: a vendor and a device on a bus.
fn is_bus(value: &str) -> bool {
    let part = |part: &str| part.len() == 4 && part.bytes().all(|b| b.is_ascii_hexdigit());
    value.split_once(':').is_some_and(|(vendor, device)| part(vendor) && part(device))
}

/// `auth-390f8c4696-wgtbj`: a pod of a deployment, by the hash of its template and its own five letters.
fn is_pod(value: &str) -> bool {
    const HASH: std::ops::RangeInclusive<usize> = 8..=10;
    const OWN: usize = 5;
    let small = |part: &str| part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    let Some((rest, own)) = value.rsplit_once('-') else { return false };
    let Some((name, hash)) = rest.rsplit_once('-') else { return false };
    let digits = |text: &str| text.bytes().filter(u8::is_ascii_digit).count();
    own.len() == OWN
        && small(own)
        && HASH.contains(&hash.len())
        && small(hash)
        && digits(hash) > 1
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.split('-').all(|part| !part.is_empty() && small(part))
}

/// `G-5HPVD970M2`, `GTM-K3LM9QX`, `UA-86969115-6`: what a page is measured under.
fn is_measured(value: &str) -> bool {
    const LENGTHS: std::ops::RangeInclusive<usize> = 6..=12;
    ["G-", "GT-", "GTM-", "UA-", "AW-", "DC-"].iter().any(|mark| {
        value.strip_prefix(mark).is_some_and(|id| {
            let capital = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'-';
            LENGTHS.contains(&id.len()) && id.bytes().all(capital)
        })
    })
}

/// `bafybei…`, `bc1q…`: a content of IPFS, an address of Bitcoin.
fn is_content(value: &str) -> bool {
    let lower = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    let ipfs = value.starts_with("baf") && value.len() == 59;
    let bitcoin = ["bc1q", "bc1p"].iter().any(|mark| value.starts_with(mark))
        && (42..=62).contains(&value.len());
    (ipfs || bitcoin) && value.bytes().all(lower)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_identifiers_have_these_forms() {
        for value in [
            "JID-2d54137fcb6229610aa96b0d",
            "linux-gems-ffbc97be6522146eac265a3d387142298f0cacc3",
            "SMac1085be3ee47d98e7c687151f353ae4",
            "dpl_c3qxGQOhH04Fw94jMclBty1a3DmG",
            "1-48ed0682-7bc8ba730d52a629e81f2814",
            "0x757C4E",
            "auth-390f8c4696-wgtbj",
            "G-5HPVD970M2",
            "UA-86969115-6",
        ] {
            assert!(is_identifier(value), "{value}");
        }
        for value in [
            "key-2d54137fcb6229610aa96b0d2d54137f",
            "my-api-token-2d54137fcb6229610aa96b0d",
            "2d54137fcb6229610aa96b0d",
            "SKac1085be3ee47d98e7c687151f353ae4",
            "hunter-2d54137f",
            "amber-lantern-quiet",
            "G-String-99",
            "0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318",
        ] {
            assert!(!is_identifier(value), "{value}");
        }
    }
}
