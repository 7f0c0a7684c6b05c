//! Finds an answer that is nothing but a generated password: `wFnnGhruO_-e0_dl`.

use super::{Line, fits};
use std::ops::Range;

/// The lengths of such an answer, in bytes.
const BYTES: std::ops::RangeInclusive<usize> = 10..=64;
/// Signs with which passwords are generated.
const SIGNS: &str = "_-!#$%&*+?@^~.";

/// The only word of a message, perhaps between quotes.
pub(super) fn answer(lines: &[Line]) -> Option<Range<usize>> {
    let mut written = lines.iter().filter(|line| !line.text.trim().is_empty());
    let line = written.next().filter(|_| written.next().is_none())?;
    let text = line.text.trim();
    let value = text.trim_matches(['`', '"', '\'']);
    (is_generated(value) && fits(value)).then(|| line.span(value))
}

/// Whether small letters, capitals, digits and signs change places more often than in any name or version.
fn is_generated(value: &str) -> bool {
    let kind = |b: u8| match b {
        b'a'..=b'z' => 0,
        b'A'..=b'Z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    };
    let kinds: Vec<_> = value.bytes().map(kind).collect();
    let changes = kinds.windows(2).filter(|pair| pair[0] != pair[1]).count();
    BYTES.contains(&value.len())
        && (0..4).all(|kind| kinds.contains(&kind))
        && value.chars().all(|c| c.is_ascii_alphanumeric() || SIGNS.contains(c))
        && changes * 2 > value.len()
}

#[cfg(test)]
mod tests {
    use crate::redaction::announced::tests::{redacted, seals};

    #[test]
    fn an_answer_may_be_a_password_alone() {
        seals(&[
            ("wFnnGhruO_-e0_dl", &["wFnnGhruO_-e0_dl"]),
            ("`mK7dNJ61k?uF`\n", &["mK7dNJ61k?uF"]),
        ]);
        for text in [
            "PostgreSQL-16.4",
            "ami-0Ab12cd34Ef56ab78",
            "Ubuntu-22.04-LTS",
            "PUBLIC_KEY=fb38e0a1c0d3e5f7A9b1c3d5e7f90a1b",
            "arn:aws:iam::123456789012:role/Deploy",
            "see wFnnGhruO_-e0_dl there",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
