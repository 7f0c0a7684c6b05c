//! Finds where a number or a code that is a whole password ends: "4711", "91 04 77", "4471-Walnut", "C1907".

use super::plain::ends_clause;
use crate::talk::says;
use crate::weight::MIN_BYTES;
use std::ops::Range;

/// The number of digits in a number that is a whole password.
const DIGITS: Range<usize> = 4..13;

/// The length of a number that is a whole password. People write long ones in groups: "91 04 77".
pub fn number(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let first = bytes.iter().take(DIGITS.end).take_while(|b| b.is_ascii_digit()).count();
    let grouped = |at: usize| {
        let group = bytes.get(at + 1..).unwrap_or_default();
        let group = group.iter().take(DIGITS.end).take_while(|b| b.is_ascii_digit()).count();
        matches!(bytes.get(at), Some(b' ' | b'-')) && group == first
    };
    let mut digits = first;
    while (2..DIGITS.start + 1).contains(&first) && digits < DIGITS.end && grouped(digits) {
        digits += 1 + first;
    }
    // "33871# on the panel"
    let rest = text[digits..].trim_start_matches(['#', '*']);
    (DIGITS.contains(&digits) && ends_clause(rest)).then_some(digits)
}

/// The length of a code of digits and a word, as people choose them for doors: "4471-Walnut".
pub fn coded(text: &str) -> Option<usize> {
    let digits = text.bytes().take(DIGITS.end).take_while(u8::is_ascii_digit).count();
    let word = text[digits..].strip_prefix('-')?;
    let letters = word.find(|c: char| !c.is_alphabetic()).unwrap_or(word.len());
    let length = digits + 1 + letters;
    let known = says(&word[..letters]).is_some();
    ((2..DIGITS.end).contains(&digits)
        && letters >= MIN_BYTES
        && !known
        && word.starts_with(char::is_uppercase)
        && ends_clause(&text[length..]))
    .then_some(length)
}

/// The length of a number, or of a code of digits and a word or a letter.
pub fn code(text: &str) -> Option<usize> {
    number(text).or_else(|| coded(text)).or_else(|| lettered(text))
}

/// The length of a number with a capital letter before or after it, as cabinets and gates have: "4096B", "C1907".
fn lettered(text: &str) -> Option<usize> {
    let letter = |text: &str| usize::from(text.starts_with(|c: char| c.is_ascii_uppercase()));
    let first = letter(text);
    let digits = text[first..].bytes().take(DIGITS.end).take_while(u8::is_ascii_digit).count();
    let length = first + digits + letter(&text[first + digits..]);
    let fits = length == digits + 1 && length >= MIN_BYTES && DIGITS.contains(&length);
    (fits && ends_clause(&text[length..])).then_some(length)
}
