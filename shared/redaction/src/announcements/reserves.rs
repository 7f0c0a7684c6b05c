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

/// The codes in the rows below a line that calls them so: `Backup codes of kim@example.org`, `- 5442 4860`, `- 3101 6715`.
pub(super) fn below(lines: &[Line], number: usize) -> Vec<Range<usize>> {
    const ROWS: usize = 24;
    let row = |line: &Line| {
        let text = line.text.trim();
        let bare = text.trim_start_matches(['-', '*', '•', ' ']);
        // "1. 5442 4860"
        let bare = match bare.split_once(['.', ')']) {
            Some((place, rest)) if place.len() <= 2 && rest.starts_with(' ') => rest.trim_start(),
            _ => bare,
        };
        let digits = bare.bytes().filter(u8::is_ascii_digit).count();
        let plain = bare.bytes().all(|b| b.is_ascii_digit() || b == b' ' || b == b'-');
        (plain && LENGTHS.contains(&digits)).then(|| (line.span(bare), digits))
    };
    let rows: Vec<_> = lines[number + 1..].iter().take(ROWS).map_while(row).collect();
    let alike = rows.iter().all(|(_, digits)| *digits == rows[0].1);
    if rows.len() < LEAST || !alike {
        return Vec::new();
    }
    rows.into_iter().map(|(span, _)| span).collect()
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

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
        seals(&[(
            "Google Backup-Codes fuer kim@example.org\n- 5442 4860\n- 3101 6715\n- 1528 9010",
            &["5442 4860", "3101 6715", "1528 9010"],
        )]);
        let text = "recovery codes are printed on page: 12, 13, 14";
        assert_eq!(redacted(text), text);
    }
}
