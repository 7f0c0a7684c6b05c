//! Recognizes what manuals, listings and lists of files contain: what follows commands and options, colors, regions, nonces,
//! and the examples of documentation.

use super::{Place, announces};
use crate::bare::{decode, is_base64};
use crate::documentation::is_documented;
use crate::weight::is_hex;
use crate::words::lists;

/// What may follow "password" in the name of a thing or an activity.
const ACTIVITIES: &str = "cracker crackers cracking sprayer sprayers spraying stuffing guesser guessers guessing dump dumps leak leaks \
     breach breaches sniffer sniffers stealer stealers dictionary dictionaries wordlist wordlists brute lists meter meters safes \
     managers vaults policies prompts fields hashes resets rotations rules hints strengths crackstation fatigue hygiene reuse \
     aging ageing entropy masking quality complexity recovery";

/// Whether a value is such a thing.
pub(super) fn is_of_manual(place: &Place<'_>) -> bool {
    let Place { value, before, after, .. } = *place;
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_.+:".contains(&b);
    let small = value.bytes().all(plain);
    // `RFC 7616 shows nonce="…"`
    let nonce = before.trim_end_matches(['"', '\'']).ends_with("nonce=");
    // "hydra and hashcat are password crackers"
    let activity = before.ends_with(' ')
        && announces(place.last())
        && lists(ACTIVITIES, value.trim_end_matches(['.', ',', '?', '!']));
    nonce
        || activity
        || (small && (is_account(before, value, after) || is_after_file(before)))
        || is_color(before, value)
        || is_region(value)
        || is_message(before, value)
        || (value.strip_prefix("wwn-0x").is_some_and(is_hex) && before.trim().is_empty())
        || is_greeting(before, value)
        || (value.ends_with("EXAMPLEKEY") && is_documented(before, after))
        || matches!(value, "FIXME" | "TBD" | "fixme")
}

/// `passwd deploy`: the user whose password is to be typed.
fn is_account(before: &str, value: &str, after: &str) -> bool {
    let ends = after.trim().is_empty() || after.trim_start().starts_with(['&', ';', '|', '#', '`']);
    let Some(head) = before.trim_end().strip_suffix("passwd") else { return false };
    let head = head.trim_start().trim_end();
    let root = head.ends_with("sudo") || head.ends_with('#');
    let command =
        root || head.is_empty() || head.ends_with(['$', '`', ';']) || head.ends_with("&&");
    let letters = value.bytes().all(|b| b.is_ascii_lowercase() || b"._-".contains(&b));
    ends && before.ends_with(' ') && command && (root || letters || head.ends_with('$'))
}

/// `restic --password-file /etc/restic/pw snapshots`: what follows the value of an option for a file.
fn is_after_file(before: &str) -> bool {
    let mut back = before.split_ascii_whitespace().rev();
    let (path, option) = (back.next().unwrap_or_default(), back.next().unwrap_or_default());
    let of_file = |option: &str| option.starts_with('-') && option.contains("file");
    // `--password-file=<(echo X)` has the secret itself.
    let glued = path
        .split_once('=')
        .is_some_and(|(option, file)| of_file(option) && !file.contains(['(', '<']));
    let named = path.contains(['/', '.', '~', '\\']) || path.starts_with('$');
    before.ends_with(' ') && ((of_file(option) && named) || glued)
}

/// `color: #2ba1fdc2;`
fn is_color(before: &str, value: &str) -> bool {
    let value = value.trim_end_matches([';', ',', ')']);
    let (sign, digits) = match value.strip_prefix('#') {
        Some(digits) => (true, digits),
        None => (before.ends_with('#'), value),
    };
    sign && [3, 4, 6, 8].contains(&digits.len())
        && digits.bytes().all(|b| b.is_ascii_hexdigit())
        && !announces(before)
}

/// `eu-central-1a`: a region or a zone of a cloud.
fn is_region(value: &str) -> bool {
    const SIDES: &str =
        "north south east west central northeast southeast northwest southwest gov iso";
    let mut parts = value.split('-');
    let (area, number) = (parts.next().unwrap_or_default(), parts.next_back().unwrap_or_default());
    let small = |part: &str| part.bytes().all(|b| b.is_ascii_lowercase());
    let zone = number.trim_start_matches(|c: char| c.is_ascii_digit());
    area.len() == 2
        && small(area)
        && zone.len() <= 1
        && small(zone)
        && zone.len() < number.len()
        && (1..=2).contains(&parts.clone().count())
        && parts.all(|part| lists(SIDES, part))
}

/// `systemd-ask-password[5087]: Timed out`: the first word that a program wrote into the journal.
fn is_message(before: &str, value: &str) -> bool {
    value.bytes().all(|b| b.is_ascii_alphabetic())
        && before
            .trim_end()
            .strip_suffix("]:")
            .and_then(|head| head.rsplit_once('['))
            .is_some_and(|(_, pid)| !pid.is_empty() && pid.bytes().all(|b| b.is_ascii_digit()))
}

/// `R3LDvMOfZSBhdXMgS8O2bG4=`: several words in base64.
fn is_greeting(before: &str, value: &str) -> bool {
    if !value.bytes().all(is_base64) || announces(before) {
        return false;
    }
    let text = decode(value).and_then(|text| String::from_utf8(text).ok()).unwrap_or_default();
    text.contains(' ') && text.chars().all(|c| c.is_alphabetic() || " ,.!?'".contains(c))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn manuals_and_listings_stay() {
        for text in [
            "sudo passwd backup2",
            "$ sudo passwd yuki.tanaka",
            "# passwd mkeller",
            "passwd -l kim",
            "background: #2ba1fdc2;",
            "Antes era eu-west-1b, ahora es eu-central-1a.",
            "systemd-ask-password[812]: Timed out waiting for the password",
            "borg --passphrase-file ~/borg.txt list",
            "pgbench --password-file=/etc/pw init",
            "RFC 7616 shows nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFoH4GiTo0v\" as its sample.",
            "john and ophcrack are password crackers",
            "SECRET_KEY=FIXME",
            "echo 'R3LDvMOfZSBhdXMgS8O2bG4=' | base64 -d",
            "The AWS docs use AKIAIOSFODNN7EXAMPLE as the example access key ID.",
        ] {
            assert_eq!(redacted(text), text);
        }
    }

    #[test]
    fn secrets_beside_manuals_are_found() {
        seals(&[
            ("passwd deploy: xK7!mq-Lo9", &["xK7!mq-Lo9"]),
            ("restic --password-file /etc/pw snapshots; PGPASSWORD=walnut77 psql", &["walnut77"]),
            ("my key is AKIAIOSFODNN7EXAMPLE.", &["AKIAIOSFODNN7EXAMPLE"]),
            ("password: #2ba1fdc2", &["2ba1fdc2"]),
            ("rsync --password-file=<(echo hazel9tree) a b", &["hazel9tree"]),
            ("the root password is db-prod-22", &["db-prod-22"]),
        ]);
    }
}
