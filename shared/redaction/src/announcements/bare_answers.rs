//! Finds an answer that is nothing but a generated password: `wFnnGhruO_-e0_dl`.

use super::{Line, fits};
use std::ops::Range;

/// The lengths of such an answer, in bytes.
const BYTES: std::ops::RangeInclusive<usize> = 10..=64;
/// Signs with which passwords are generated.
const SIGNS: &str = "_-!#$%&*+?@^~.";

/// The only word of a message, perhaps between quotes, after a user, or before a remark in brackets.
pub(super) fn answer(lines: &[Line]) -> Option<Range<usize>> {
    let remark = |line: &&Line| line.text.trim().starts_with('(');
    let mut written = lines.iter().filter(|line| !line.text.trim().is_empty() && !remark(line));
    let line = written.next().filter(|_| written.next().is_none())?;
    let text = line.text.trim();
    let value = text.trim_matches(['`', '"', '\'']);
    if is_generated(value) && fits(value) {
        return Some(line.span(value));
    }
    // `svc-mail:zSCqQNErrHlFTLc9DSyM4`
    let (user, value) = value.split_once(':')?;
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_.".contains(&b);
    (user.bytes().all(plain) && is_mixed(value) && fits(value)).then(|| line.span(value))
}

/// Whether small letters, capitals, digits and signs change places more often than in any name or version.
fn is_generated(value: &str) -> bool {
    has_kinds(value, 4)
        && value.chars().all(|c| c.is_ascii_alphanumeric() || SIGNS.contains(c))
        && changes(value) * 2 > value.len()
}

/// The same for letters and digits alone.
fn is_mixed(value: &str) -> bool {
    has_kinds(value, 3)
        && value.bytes().all(|b| b.is_ascii_alphanumeric())
        && changes(value) * 3 > value.len()
}

/// 0 for a small letter, 1 for a capital, 2 for a digit, 3 for a sign.
fn kind(b: u8) -> usize {
    match b {
        b'a'..=b'z' => 0,
        b'A'..=b'Z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    }
}

fn has_kinds(value: &str, kinds: usize) -> bool {
    BYTES.contains(&value.len()) && (0..kinds).all(|one| value.bytes().any(|b| kind(b) == one))
}

/// How often two characters of different kinds are neighbors.
fn changes(value: &str) -> usize {
    value.as_bytes().windows(2).filter(|pair| kind(pair[0]) != kind(pair[1])).count()
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn an_answer_may_be_a_password_alone() {
        seals(&[
            ("wFnnGhruO_-e0_dl", &["wFnnGhruO_-e0_dl"]),
            ("`mK7dNJ61k?uF`\n", &["mK7dNJ61k?uF"]),
            ("w4t.4#?Uq0l8L1^K\n(copied from keepass)", &["w4t.4#?Uq0l8L1^K"]),
            ("svc-mail:zSCqQNErrHlFTLc9DSyM4", &["zSCqQNErrHlFTLc9DSyM4"]),
        ]);
        for text in [
            "PostgreSQL-16.4",
            "ami-0Ab12cd34Ef56ab78",
            "Ubuntu-22.04-LTS",
            "nginx:1.25-Alpine",
            "PUBLIC_KEY=fb38e0a1c0d3e5f7A9b1c3d5e7f90a1b",
            "arn:aws:iam::123456789012:role/Deploy",
            "see wFnnGhruO_-e0_dl there",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
