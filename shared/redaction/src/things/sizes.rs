//! Numbers with a unit, dates and versions, and passwords that begin with a number.

use crate::weight::is_wordy;

/// `4gb`, `90days`, `1st`, `12-character`; not `4472Shadow`.
pub fn is_size(value: &str) -> bool {
    let unit = value.trim_start_matches(|c: char| c.is_ascii_digit() || ".,-x".contains(c));
    let capitals = unit.bytes().filter(u8::is_ascii_uppercase).count();
    let letters = unit.bytes().all(|b| b.is_ascii_alphabetic() || b == b'/');
    unit.len() < value.len()
        && value.starts_with(|c: char| c.is_ascii_digit())
        && (unit == "%" || (letters && unit.len() <= 10 && capitals <= 2 && is_wordy(unit)))
        && value.len() - unit.len() <= 5
        && !is_digits_and_word(value)
}

/// Beginnings of units that are written with a capital.
const UNITS: &str = "byte bit stunde minut sekunde tage woche monat jahr uhr euro prozent zeichen kern server stück personen nutzer user \
     knoten node days hours weeks months years minutes seconds chars percent core meter watt volt ampere mbit gbit kbit \
     mbyte gbyte kbyte mhz ghz cent dollar grad punkte seiten mal fach heures jours mois horas dias ore giorni";

/// `4472Shadow`: two or more digits, then a word with a capital, which is not a unit.
pub fn is_digits_and_word(value: &str) -> bool {
    const DIGITS: std::ops::RangeInclusive<usize> = 2..=4;
    const LETTERS: std::ops::RangeInclusive<usize> = 4..=14;
    if !value.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let word = value.trim_start_matches(|c: char| c.is_ascii_digit());
    let lower = word.to_ascii_lowercase();
    DIGITS.contains(&(value.len() - word.len()))
        && LETTERS.contains(&word.len())
        && word.starts_with(|c: char| c.is_ascii_uppercase())
        && word.bytes().skip(1).all(|b| b.is_ascii_lowercase())
        && is_wordy(word)
        && !UNITS.split(' ').any(|unit| lower.starts_with(unit))
}

/// Digits with the separators of dates, times, versions, addresses and sums.
pub fn is_date_or_version(value: &str) -> bool {
    let body = value.strip_prefix(['v', '~', '^', '=']).unwrap_or(value);
    let joints = body.bytes().filter(|b| b".:-/,+".contains(b)).count();
    let rest = |b: u8| b.is_ascii_digit() || b".:-/,+xtz*%".contains(&b);
    let digits = joints > 0 && body.starts_with(|c: char| c.is_ascii_digit());
    (digits && body.bytes().all(rest)) || is_release(body)
}

/// The longest name of a build or a pre-release, in bytes.
const BUILD_BYTES: usize = 24;

/// `1.36.4+k3s1`, `2.0.0-rc.1`: three numbers, then a build or a pre-release.
fn is_release(body: &str) -> bool {
    let Some((numbers, build)) = body.split_once(['+', '-', '~']) else { return false };
    let number =
        |part: &str| (1..=4).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
    let named = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b".-+~".contains(&b);
    (3..=4).contains(&numbers.split('.').count())
        && numbers.split('.').all(number)
        && (1..=BUILD_BYTES).contains(&build.len())
        && build.bytes().all(named)
}

/// `23.03.2007`, `25-07-06`: a date as people write it, the year last.
pub fn is_birthday(value: &str) -> bool {
    const BYTES: std::ops::RangeInclusive<usize> = 6..=10;
    if !BYTES.contains(&value.len()) || !value.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let digits = |part: &str, lengths: &[usize]| {
        lengths.contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit())
    };
    ['.', '-'].iter().any(|sign| {
        let mut parts = value.split(*sign);
        let mut next = |lengths: &[usize]| parts.next().is_some_and(|part| digits(part, lengths));
        next(&[1, 2]) && next(&[1, 2]) && next(&[2, 4]) && parts.next().is_none()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_may_name_its_build() {
        for value in ["1.36.4+k3s1", "v2.0.0-rc.1", "17.5.0~deb13u1", "1.26.3.1-3+deb13u1"] {
            assert!(is_date_or_version(value), "{value}");
        }
        for value in ["1.36.4", "36.4+k3s1", "1.2.3-Kestrel"] {
            assert_eq!(is_date_or_version(value), value == "1.36.4", "{value}");
        }
    }

    #[test]
    fn a_number_and_a_word_are_a_password_or_a_size() {
        for value in ["4472Shadow", "90Igel", "7059Lucky"] {
            assert!(is_digits_and_word(value) && !is_size(value), "{value}");
        }
        for value in ["90Tage", "24Stunden", "10Gbit", "16GB", "30days", "5Kerne"] {
            assert!(is_size(value), "{value}");
        }
    }
}
