//! Finds keys that are called by their initials: OVHcloud's application key, application secret and consumer key (`AK`,
//! `AS`, `CK`), and the access key and secret key (`AK`, `SK`) of many clouds.
//!
//! Two letters say little, and "as" is a word. So at least two of these names must each have a key beside them, on the
//! same line or on neighboring lines.

use super::Line;
use crate::weight::{Weight, is_hex, weigh};
use std::ops::Range;

/// The initials, in lower case. The last one is also a word.
const INITIALS: [&str; 4] = ["ak", "sk", "ck", "as"];
/// Lengths of such keys, in bytes.
const KEY_BYTES: std::ops::RangeInclusive<usize> = 16..=64;
/// How many lines may be between two keys that belong together.
const LINES: usize = 2;

/// The keys of all lines that have a key with other initials before or after them.
pub(super) fn keys(lines: &[Line]) -> Vec<Range<usize>> {
    let all: Vec<_> = lines.iter().enumerate().flat_map(|(at, line)| of_line(at, line)).collect();
    let pairs = all.windows(2).filter(|of| of[0].1 != of[1].1 && of[1].0 - of[0].0 <= LINES);
    let mut found: Vec<_> = pairs.flatten().map(|(_, _, span)| span.clone()).collect();
    found.dedup();
    found
}

/// The keys of a line, each with the number of its line and its initials.
fn of_line(at: usize, line: &Line) -> Vec<(usize, &'static str, Range<usize>)> {
    let begins = |word: &str| {
        let bytes = word.as_bytes();
        // "(AK"
        let sign = bytes.first().is_some_and(|b| b.is_ascii_punctuation());
        let bytes = &bytes[usize::from(sign)..];
        bytes.get(1).is_some_and(|b| matches!(b, b'k' | b'K' | b's' | b'S'))
            && bytes.get(2).is_none_or(|b| !b.is_ascii_alphanumeric())
    };
    // Nearly all lines end here.
    if !line.words.iter().any(|word| begins(word)) {
        return Vec::new();
    }
    let parts = line.text.split(|c: char| !c.is_ascii_alphanumeric());
    let parts: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
    let pairs = parts.windows(2).filter_map(|of| {
        let name = INITIALS.iter().find(|name| name.eq_ignore_ascii_case(of[0]))?;
        is_key(of[1]).then(|| (at, *name, line.span(of[1])))
    });
    pairs.collect()
}

fn is_key(part: &str) -> bool {
    let digit = part.bytes().any(|b| b.is_ascii_digit());
    let capitals = part.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
    KEY_BYTES.contains(&part.len())
        && ((digit && (is_hex(part) || capitals)) || weigh(part) == Weight::Strong)
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn two_keys_with_initials_are_found() {
        let (ak, secret, ck) = (
            "6d47a4b1c8e9f203",
            "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
            "a1b2c3d4e5f60718293a4b5c6d7e8f90",
        );
        for text in [
            format!("AK={ak} AS={secret} CK={ck} pour ovh"),
            format!("ovh: ak {ak} / as {secret} / ck {ck}"),
            format!("AK: {ak}\nAS: {secret}\nCK: {ck}"),
        ] {
            seals(&[(&text, &[ak, secret, ck])]);
        }
        let (ak, sk) = ("QTWAOYTTINDUT2QVKYUC", "MFyfvK41ba2giqM7Uio6PznpdUKGpownRZlmVmHc");
        seals(&[(&format!("huawei AK {ak} SK {sk}"), &[ak, sk])]);
    }

    #[test]
    fn initials_alone_name_no_key() {
        for text in [
            "tagged as 0f1e2d3c4b5a69788796a5b4c3d2e1f0 in the registry",
            "AK AS CK are the three keys of OVH, where do I create them?",
            "as 0f1e2d3c4b5a6978 and as a1b2c3d4e5f60718",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
