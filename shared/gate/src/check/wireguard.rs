//! Checks configurations of WireGuard: their settings are few, and each value has one form.

use super::error;
use super::spelling::nearest;
use super::values::cidr;
use crate::{FILES, Unit, Written};
use domain::gate::Finding;

const INTERFACE: [&str; 13] = [
    "Address",
    "DNS",
    "FwMark",
    "ListenPort",
    "MTU",
    "PostDown",
    "PostUp",
    "PreDown",
    "PreUp",
    "PrivateKey",
    "SaveConfig",
    "Table",
    "PrivateKeyFile",
];
const PEER: [&str; 5] =
    ["AllowedIPs", "Endpoint", "PersistentKeepalive", "PresharedKey", "PublicKey"];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written() {
        for (line, message) in mistakes(file) {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
}

fn mistakes(file: &Written) -> Vec<(usize, String)> {
    let text = file.filled();
    let has = |head: &str| text.lines().any(|line| line.trim() == head);
    // systemd-networkd has sections with the names `WireGuard` and `WireGuardPeer` instead.
    if !has("[Interface]") || !(has("[Peer]") || text.contains("PrivateKey")) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut section = "";
    for (at, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.starts_with('[') {
            section = line;
            continue;
        }
        let Some((key, value)) = line.split_once('=') else { continue };
        let (key, value) = (key.trim(), value.trim());
        let known: &[&str] = if section == "[Peer]" { &PEER } else { &INTERFACE };
        let Some(key) = known.iter().copied().find(|one| one.eq_ignore_ascii_case(key)) else {
            let near = nearest(key, known).map_or_else(|| known.join(", "), str::to_owned);
            found.push((at + 1, format!("{section} has no `{key}`: {near}.")));
            continue;
        };
        // Bash or a template fills in the rest.
        let filled = value.split([',', '/', ':', ' ']).any(|part| part == "x");
        let open = value.is_empty()
            || value.contains(['$', '{', '%', '<', '@'])
            || filled && key != "Endpoint";
        if let Some(wanted) = wanted(key, value).filter(|_| !open) {
            found.push((at + 1, format!("`{key}` takes {wanted}, not `{value}`.")));
        }
    }
    found
}

/// What a setting takes, if not this value.
fn wanted(key: &str, value: &str) -> Option<&'static str> {
    let port = |text: &str| text.parse::<u16>().is_ok_and(|port| port > 0);
    let addresses = |text: &str| {
        text.split(',').map(str::trim).all(|one| {
            let plain = one.parse::<std::net::IpAddr>().is_ok();
            plain || cidr(one).is_some()
        })
    };
    let (takes, wanted) = match key {
        "Address" | "AllowedIPs" => (addresses(value), "addresses with a prefix length"),
        "Endpoint" => (
            value
                .rsplit_once(':')
                .is_some_and(|(host, end)| !host.is_empty() && (port(end) || end == "x")),
            "a host and a port",
        ),
        "ListenPort" => (port(value), "a port"),
        "MTU" => (value.parse::<u16>().is_ok(), "a number of bytes"),
        "PersistentKeepalive" => {
            (value == "off" || value.parse::<u16>().is_ok(), "seconds or `off`")
        }
        "PresharedKey" | "PrivateKey" | "PublicKey" => (
            is_key(value) || (value.len() < SHORTEST && !value.contains('/')),
            "a 32-byte key in base64",
        ),
        "SaveConfig" => (["true", "false"].contains(&value), "`true` or `false`"),
        _ => return None,
    };
    (!takes).then_some(wanted)
}

/// The fewest characters of a text that is meant as a key: a shorter text is a placeholder for one.
const SHORTEST: usize = 40;

fn is_key(value: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "+/".contains(c);
    value.len() == 44 && value.strip_suffix('=').is_some_and(|key| key.chars().all(plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<(usize, String)> {
        let path = "/etc/wireguard/wg0.conf".to_owned();
        mistakes(&Written { path, text: text.into(), expands: false, line: 1 })
    }

    #[test]
    fn a_setting_that_wireguard_does_not_take_is_a_mistake() {
        let good = "[Interface]\nAddress = 10.8.0.1/24, fd00::1/64\nListenPort = 51820\nPrivateKey = x\n\n\
            [Peer]\nPublicKey = xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=\nAllowedIPs = 10.8.0.2/32\n\
            Endpoint = vpn.example.org:51820\nPersistentKeepalive = 25\n";
        assert_eq!(said(good), []);
        for (right, wrong, line) in [
            ("ListenPort = 51820", "ListenPort = 518200", 3),
            ("ListenPort", "Listenport2", 3),
            ("10.8.0.2/32", "10.8.0.2/33", 8),
            ("AllowedIPs", "AllowedIP", 8),
            ("example.org:51820", "example.org", 9),
            ("= 25", "= 25s", 10),
            ("Dg=", "Dg", 7),
        ] {
            let found = said(&good.replace(right, wrong));
            assert_eq!(found.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [line], "{wrong}");
        }
        assert_eq!(said("[Interface]\nName=eth0\n"), [], "another program's file");
    }
}
