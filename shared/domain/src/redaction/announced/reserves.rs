//! Finds all codes of a list that a service gives out for the day on which nothing else works.

use super::Line;
use std::ops::Range;

/// Words for such codes, in lower case.
pub(super) const RESERVES: [&str; 16] = [
    "backup code",
    "backup-code",
    "recovery code",
    "rescue code",
    "scratch code",
    "emergency code",
    "recovery-code",
    "wiederherstellungscode",
    "notfallcode",
    "códigos de respaldo",
    "códigos de recuperación",
    "códigos de emergencia",
    "codes de secours",
    "codes de récupération",
    "codici di backup",
    "codici di recupero",
];
/// The fewest codes, and how many digits each has.
const LEAST: usize = 2;
const LENGTHS: std::ops::RangeInclusive<usize> = 6..=10;

/// `Backup codes of the account: 08078104, 53638649, 90724225`
pub(super) fn values(line: &Line) -> Vec<Range<usize>> {
    if line.digits < LEAST * LENGTHS.start() {
        return Vec::new();
    }
    let Some((_, list)) = line.text.rsplit_once(": ") else { return Vec::new() };
    // With a sign between the codes, a space may be inside: `1137 3560 / 4230 3482`
    let signed = list.contains([',', ';', '/']);
    let parts = list.split(|c| matches!(c, ',' | ';' | '/') || (c == ' ' && !signed));
    let codes: Vec<_> = parts
        .map(|part| part.trim().trim_end_matches('.'))
        .filter(|part| !part.is_empty())
        .collect();
    let digits = |code: &str| code.bytes().filter(u8::is_ascii_digit).count();
    let length = codes.first().map_or(0, |code| digits(code));
    let code = |code: &&str| {
        digits(code) == length && code.bytes().all(|b| b.is_ascii_digit() || b == b' ')
    };
    if codes.len() < LEAST || !LENGTHS.contains(&length) || !codes.iter().all(code) {
        return Vec::new();
    }
    codes.into_iter().map(|code| line.span(code)).collect()
}

#[cfg(test)]
mod tests {
    use crate::redaction::announced::tests::{redacted, seals};

    #[test]
    fn all_codes_of_a_list_are_found() {
        seals(&[
            ("Backup codes for the admin account: 08078104, 53638649", &["08078104", "53638649"]),
            ("Notfallcodes vom Konto: 112233 445566 778899", &["112233", "778899"]),
            (
                "Codes de secours : 1148 3571 / 4241 3493 / 3141 5312",
                &["3571", "4241", "3141 5312"],
            ),
        ]);
        let text = "recovery codes are printed on page: 12, 13, 14";
        assert_eq!(redacted(text), text);
    }
}
