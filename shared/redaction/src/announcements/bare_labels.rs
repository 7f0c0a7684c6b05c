//! Finds passwords that only their label announces: of a network, a machine, a community of SNMP, or after a reset.

use super::{COMPARED_BYTES, Line, fits, is_made_up, trim};
use crate::talk::says;
use crate::words::{FIRST_USERS, lists};
use std::ops::Range;

/// The shortest password of a wireless network, in bytes.
const WIRELESS_BYTES: usize = 8;
const NETWORKS: [&str; 6] = ["wifi", "wi-fi", "wlan", "hotspot", "wi fi", "ssid"];
/// Words in the standards of such networks.
const STANDARDS: [&str; 5] = ["wpa", "wep", "802", "ghz", "radius"];
/// Parts of addresses of pages.
const PAGES: [&str; 7] = ["login", "user", "page", "panel", "index", "api", "admin"];
/// Words that say that a password was reset.
const RESETS: [&str; 9] = [
    "reset",
    "zurückgesetzt",
    "restablec",
    "réinitialis",
    "resett",
    "reimpost",
    "redefini",
    "zresetowa",
    "resetea",
];
const NEW: [&str; 14] = [
    "new one",
    "the new",
    "neues",
    "das neue",
    "neu",
    "nueva",
    "la nueva",
    "nouveau",
    "le nouveau",
    "nuova",
    "nieuwe",
    "nova",
    "nowe",
    "new",
];

/// The last word of a line after `: `, and the text before it.
fn labeled<'a>(line: &'a Line<'a>) -> Option<(&'a str, &'a str)> {
    let (label, value) = line.text.trim_end().rsplit_once(": ")?;
    let value = trim(value.trim_end_matches(['.', ',', ';', '!']));
    let short = line.text.len() <= COMPARED_BYTES && value.len() >= 4;
    (short && !value.contains(' ') && fits(value)).then_some((label, value))
}

/// `Wi-Fi "Stock": X`, `iDRAC: root/X`, `SNMP community: X`, `reset it. New one: X`
pub(super) fn value(line: &Line) -> Option<Range<usize>> {
    let (label, value) = labeled(line)?;
    let lower = label.to_lowercase();
    let label = lower.trim_end();
    let network = || {
        let small = value.to_lowercase();
        NETWORKS.iter().any(|name| label.starts_with(name))
            && label.ends_with(['"', '“', '”', '»', '\''])
            && value.len() >= WIRELESS_BYTES
            && is_made_up(value)
            && !STANDARDS.iter().any(|standard| small.contains(standard))
    };
    let community = || {
        label.contains("snmp")
            && (label.ends_with("community") || label.ends_with(')') && label.contains("community"))
            && says(value).is_none()
    };
    let reset = || {
        let told = NEW.iter().any(|new| label.ends_with(&format!(" {new}")));
        let mixed = value.contains(char::is_lowercase) && value.contains(char::is_uppercase);
        told && RESETS.iter().any(|reset| label.contains(reset)) && mixed && is_made_up(value)
    };
    if network() || community() || reset() {
        return Some(line.span(value));
    }
    let (user, password) = value.split_once('/')?;
    let small = password.to_lowercase();
    let own = lists(FIRST_USERS, &user.to_lowercase())
        && password.len() >= 6
        && !password.contains('/')
        && is_made_up(password)
        && !PAGES.iter().any(|page| small.contains(page));
    (own && fits(password)).then(|| line.span(password))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn a_label_is_enough() {
        seals(&[
            ("Wi-Fi \"Stock\": Palletjack5", &["Palletjack5"]),
            ("iDRAC: root/seahorse71", &["seahorse71"]),
            ("SNMP community (read/write): mainland-rw", &["mainland-rw"]),
            ("I've reset it for you. New one: lobster_Pot6", &["lobster_Pot6"]),
        ]);
        for text in [
            "Wi-Fi \"Stock\": channel 11",
            "Wi-Fi \"Stock\": WPA2-Enterprise",
            "the firmware was reset. New: 7.14.2",
            "SNMP community: missing",
            "path: admin/login2",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
