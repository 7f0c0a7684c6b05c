//! Recognizes names of machines, files and versions, which have letters and digits like passwords:
//! `web-7d4b9c6f5-x2k8z`.
//!
//! Far from a word for a secret, such a name is more likely than a password of the same form.

use crate::things::is_dotted_password;
use crate::weight::{is_hex, is_random, is_wordy};

/// `deploy@web-01`, `hr_batch@HRP`: a user and the machine or the database to connect to.
pub fn is_target(value: &str) -> bool {
    let name = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_lowercase())
            && text
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_.".contains(&b))
    };
    let database = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_uppercase());
    value.split_once('@').is_some_and(|(user, host)| name(user) && (name(host) || database(host)))
}

/// Joined words, one of them with letters and digits: `web-7d4b9c6f5-x2k8z`, `db.t3.large`.
pub fn is_long_name(value: &str) -> bool {
    let is_leet = |pair: &[u8]| pair[0].is_ascii_digit() && pair[1].is_ascii_alphabetic();
    if !value.contains(['-', '_', '/', ':'])
        && value.contains(|c: char| c.is_ascii_uppercase())
        && value.contains(|c: char| c.is_ascii_lowercase())
        && value.as_bytes().windows(2).any(is_leet)
    {
        // `Tr0ub.89Frf2`
        return false;
    }
    if is_dotted_password(value) && !value.starts_with(|c: char| c.is_ascii_uppercase()) {
        return false;
    }
    let symbols = value.contains(|c: char| !c.is_alphanumeric() && !"-_./:".contains(c));
    let generated = |part: &str| {
        part.len() >= 20
            && part.bytes().filter(u8::is_ascii_digit).count() >= 3
            && part.contains(|c: char| c.is_ascii_lowercase())
            && !is_hex(part)
    };
    let mixed = |part: &str| {
        let capitals = part.chars().skip(1).filter(char::is_ascii_uppercase).count();
        part.len() >= 8
            && capitals > 1
            && part.contains(|c: char| c.is_lowercase())
            && (!is_wordy(part) || part.bytes().filter(u8::is_ascii_digit).count() > 2)
    };
    let made = value.split(['-', '_', '.', '/', ':']).any(|part| mixed(part) || generated(part));
    !symbols && !made && value.contains(['-', '_', '.', '/', ':']) && !is_random(value)
}
