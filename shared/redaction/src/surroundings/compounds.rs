//! Recognizes compound words: "server-side", "up-to-date", `SHA256-based`.

use super::Place;
use crate::words::lists;

/// Last parts of compound words.
const ENDS: &str = "side party date life lived like specific based level line defined generated aware only free compatible \
     independent safe friendly ready wide driven related time readable encoded separated oriented accelerated compiled";

/// First parts of names of links and pages for those who have no password.
const FORGOT: [&str; 6] = ["forgot", "forgotten", "vergessen", "vergeten", "reset", "zurücksetzen"];

/// Whether a value is a compound word.
pub(super) fn is_compound(place: &Place<'_>) -> bool {
    const PART_BYTES: usize = 12;
    const PARTS: std::ops::RangeInclusive<usize> = 2..=3;
    let value = place.value.trim_end_matches(['.', ',', '?', '!', ';', ')', ':']);
    let Some((first, rest)) = value.split_once('-') else { return false };
    let word =
        |part: &str| part.len() <= PART_BYTES && part.bytes().all(|b| b.is_ascii_alphabetic());
    // "Passwort vergessen-Link"
    let forgot = FORGOT.iter().any(|word| first.eq_ignore_ascii_case(word));
    // `non-ASCII`, `SHA256-based`
    let denied = first.eq_ignore_ascii_case("non") || forgot;
    let technical = first.bytes().all(|b| b.is_ascii_alphanumeric()) && !rest.contains('-');
    let lower = rest.to_ascii_lowercase();
    let described = lower.rsplit('-').next().is_some_and(|end| lists(ENDS, end));
    PARTS.contains(&value.split('-').count())
        && rest.split('-').all(word)
        && (technical || word(first))
        && (denied || described)
        && !place.is_announced_as_secret()
}
