//! The characters of a word.

/// The longest number, in digits: no count of lines and no port is longer.
const DIGITS: usize = 6;

pub(super) fn some(word: &str) -> bool {
    !word.is_empty()
}

/// Whether the word is not empty and consists only of letters, digits and the characters of `more`.
pub(super) fn all(word: &str, more: &str) -> bool {
    some(word) && word.chars().all(|c| c.is_ascii_alphanumeric() || more.contains(c))
}

pub(super) fn starts_plain(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphanumeric())
}

pub(super) fn is_number(word: &str) -> bool {
    (1..=DIGITS).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_digit())
}
