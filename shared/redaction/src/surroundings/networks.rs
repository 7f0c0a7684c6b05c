//! Recognizes names of networks and their devices.

use super::Place;
use crate::words::lists;

/// Words of a network in a listing.
const NETWORKS: [&str; 4] = ["wlan", "wifi", "wi-fi", "ssid"];
/// How names of network devices begin.
const DEVICES: [&str; 14] = [
    "wlp", "wlan", "wlx", "enp", "eno", "ens", "enx", "eth", "br-", "veth", "wwan", "phy", "tun",
    "bond",
];

/// Whether a value is such a name, or the number of a device.
pub(super) fn is_of_network(place: &Place<'_>) -> bool {
    is_listed(place) || is_network(place) || is_model(place) || is_port(place) || is_band(place)
}

/// `Almacen5G`, `Guest_2.4GHz`: the name of a wireless network with its band.
fn is_band(place: &Place<'_>) -> bool {
    const BANDS: [&str; 6] = ["5G", "2G", "24G", "2.4G", "6G", "2_4G"];
    let value = place.value.trim_end_matches(['.', ',', '?', '!']);
    let name = value.strip_suffix("Hz").unwrap_or(value);
    let name = BANDS.iter().find_map(|band| name.strip_suffix(band));
    name.is_some_and(|name| {
        let name = name.trim_end_matches(['-', '_', ' ']);
        !name.is_empty() && name.chars().all(|c| c.is_alphabetic() || "-_ ".contains(c))
    }) && !place.is_announced()
}

/// `Lager-WLAN  244c2d6f-…  wifi  wlp2s0`: a device or another cell of a network's row.
fn is_listed(place: &Place<'_>) -> bool {
    const BLANKS: &str = "  ";
    let Place { value, before, after, .. } = *place;
    let name = value.trim_end_matches(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
    let device = DEVICES.iter().any(|start| {
        value.strip_prefix(start).is_some_and(|rest| {
            rest.starts_with(|c: char| c.is_ascii_digit())
                && rest.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        })
    });
    let device = device && name.is_empty();
    let first = before.split(BLANKS).next().unwrap_or_default();
    let cell = !first.contains([':', '=', ' '])
        && NETWORKS.iter().any(|network| first.to_lowercase().contains(network));
    let columns = || before.matches(BLANKS).count() + after.matches(BLANKS).count();
    let labeled = before.trim_end().ends_with([':', '=']);
    (device && !labeled) || (cell && columns() > 1 && first.contains('-') && !labeled)
}

/// `nmcli --ask dev wifi connect "Office-96"`: the name of a network or a connection.
fn is_network(place: &Place<'_>) -> bool {
    const PROGRAMS: [&str; 7] =
        ["nmcli", "iwctl", "iwconfig", "connmanctl", "netsh wlan", "networksetup", "wpa_cli"];
    const VERBS: &str = "connect disconnect up down essid ssid con-name modify delete show reload clone id name forget essid: connection";
    let Place { value, before, .. } = *place;
    if !before.ends_with(['"', '\'', ' ', '=']) {
        return false;
    }
    let words = before.trim_end_matches(['"', '\'', ' ', '=']);
    let last = words.rsplit([' ', '"']).next().unwrap_or_default();
    // An open quote of an earlier word would make the value a part of it.
    lists(VERBS, last)
        && !value.contains([' ', '&', '|'])
        && PROGRAMS.iter().any(|program| words.contains(program))
}

/// `mongodb://db1.example.org:27017/shop?replicaSet=rs0`: a port and a path, without a user.
fn is_port(place: &Place<'_>) -> bool {
    const DIGITS: std::ops::RangeInclusive<usize> = 2..=5;
    let Place { value, before, .. } = *place;
    if !before.ends_with(':') {
        return false;
    }
    let host = place.begun().rsplit_once("://").map(|(_, host)| host.trim_end_matches(':'));
    let port = value.split(['/', '?']).next().unwrap_or_default();
    // `http://forward-auth:4181`: a name of a container has no dot, and only the end may follow its port.
    let plain = |host: &str| {
        host.contains('.')
            || place.after.is_empty()
            || place.after.starts_with(['/', ' ', '"', '\'', '`', ';', ')'])
    };
    host.is_some_and(|host| plain(host) && !host.contains(['@', '/', ':']))
        && DIGITS.contains(&port.len())
        && port.bytes().all(|b| b.is_ascii_digit())
        && !place.after.starts_with('@')
        && !value.contains('@')
}

/// "The wifi FRITZ!Box 7590 is slow", "UniFi 6": the number of a device.
fn is_model(place: &Place<'_>) -> bool {
    const DEVICES: [&str; 20] = [
        "box",
        "fritz!box",
        "fritzbox",
        "unifi",
        "archer",
        "livebox",
        "freebox",
        "bbox",
        "speedport",
        "repeater",
        "nighthawk",
        "omada",
        "orbi",
        "eero",
        "deco",
        "airport",
        "lancom",
        "vigor",
        "powerline",
        "netgear",
    ];
    const NUMBER_BYTES: usize = 5;
    let value = place.value;
    let number = value.trim_end_matches(['.', ',', '?', '!']);
    let plain = number.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
    if number.len() > NUMBER_BYTES || !plain || !number.contains(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let last = place.last().to_lowercase();
    DEVICES.contains(&last.trim_start_matches(['"', '(', '„']))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn a_port_behind_a_host_is_not_a_password() {
        let text = "The URL is mongodb://db1.example.org:27017/shop?replicaSet=rs0, without a user, and there is no login.";
        assert_eq!(redacted(text), text);
        seals(&[("mongodb://shop:27017@db1.example.org/shop", &["27017"])]);
    }

    #[test]
    fn names_of_networks_and_devices_stay() {
        for text in [
            "NAME  UUID  TYPE  DEVICE\nLager-WLAN  7d1c22f0-99a1-4f0e-8d3c-0be1f6a7c9d2  wifi  wlp2s0",
            "nmcli --ask dev wifi connect \"Studio-17\"",
            "nmcli con up \"Studio-17\"",
            "iwctl station wlan0 connect Studio5G",
            "The wifi FRITZ!Box 7590 is slow",
        ] {
            assert_eq!(redacted(text), text);
        }
        seals(&[
            ("WLAN: Lager-WLAN, Schlüssel: Walnut77!", &["Walnut77!"]),
            ("WLAN FRITZ!Box 7590, Passwort 58203917465528390174", &["58203917465528390174"]),
            ("nmcli dev wifi connect \"Studio-17\" password \"Walnut77!\"", &["Walnut77!"]),
        ]);
    }
}
