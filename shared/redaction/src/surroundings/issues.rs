//! Recognizes references to issues, changes and vulnerabilities: `Bug#729997`, `acme/shop#12`, `CVE-2024-3879`.

use super::Place;
use crate::words::lists;

/// Trackers of issues, before `#` and a number.
const TRACKERS: &str =
    "its gnome kde alioth avahi dbus bug gh rt nb pr mr lp bz issue ticket closes fixes";

/// Whether a value is such a reference, or belongs to a row about a vulnerability.
pub(super) fn is_issue(place: &Place<'_>) -> bool {
    // The line of a frame is read as the sign for it.
    const FRAMES: [char; 2] = ['│', '|'];
    let Place { value, before, after, .. } = *place;
    let bare = value.trim_end_matches(|c: char| ",.;:)]?!".contains(c));
    let mut cells = before.split(FRAMES).chain(after.split(FRAMES)).map(str::trim);
    (is_numbered(bare) && !place.is_announced_as_secret())
        || is_of_repository(bare)
        || is_vulnerability(bare)
        || (before.trim_start().starts_with(FRAMES) && cells.any(is_vulnerability))
}

/// `Bug#45559`, `RT#122199`
fn is_numbered(value: &str) -> bool {
    const DIGITS: std::ops::RangeInclusive<usize> = 1..=8;
    value.split_once('#').is_some_and(|(tracker, number)| {
        lists(TRACKERS, &tracker.to_ascii_lowercase())
            && DIGITS.contains(&number.len())
            && number.bytes().all(|b| b.is_ascii_digit())
    })
}

/// `acme/shop#12`, `gc/TestAge.java#id0`: an issue of a repository, or a part of a file.
fn is_of_repository(value: &str) -> bool {
    let plain = |text: &str| {
        !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
    };
    let Some((path, part)) = value.split_once('#') else { return false };
    let Some((folder, name)) = path.rsplit_once('/') else { return false };
    let number = (1..=6).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
    let kind = name.rsplit_once('.').map_or("", |(_, kind)| kind);
    let file = (2..=5).contains(&kind.len()) && kind.bytes().all(|b| b.is_ascii_lowercase());
    (number || file) && plain(name) && plain(part) && folder.split('/').all(plain)
}

/// `CVE-2024-3879`
fn is_vulnerability(text: &str) -> bool {
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    text.strip_prefix("CVE-").and_then(|number| number.split_once('-')).is_some_and(
        |(year, number)| year.len() == 4 && digits(year) && number.len() >= 4 && digits(number),
    )
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn references_to_issues_stay() {
        for text in [
            "a fix for the password prompt, see Bug#45559",
            "ops/Runbook#12 explains the password rotation",
            "│ passwd │ CVE-2024-3879 │ LOW",
            "│ zlib1g │ CVE-2023-45853 │ CRITICAL │",
        ] {
            assert_eq!(redacted(text), text);
        }
        seals(&[
            ("auth_password: 'Ticket#19!'", &["Ticket#19!"]),
            ("password: Ticket#1977", &["Ticket#1977"]),
        ]);
    }
}
