//! Finds networks that are a half or a quarter of all addresses: two or four of them let everyone in, although neither
//! of them is `0.0.0.0/0`.

use crate::check::error;
use crate::{POLICY, Unit};
use domain::gate::Finding;

/// Words of lines that send packets there or refuse them.
const OTHER: [&str; 10] = [
    "allowedips",
    "allowed_ips",
    "blackhole",
    "deny",
    "drop",
    "ip route",
    "redirect-gateway",
    "reject",
    "route add",
    "push",
];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for (at, line) in unit.text.lines().enumerate() {
        let lower = line.trim().to_lowercase();
        let other = lower.starts_with('#') || OTHER.iter().any(|word| lower.contains(word));
        let network = |word: &&str| is_half(word);
        let mut words = line.split(|c: char| c.is_whitespace() || "\"'`,;()[]{}=".contains(c));
        if let Some(network) = words.find(network).filter(|_| !other) {
            let message = format!(
                "`{network}` contains a large part of all addresses: name the networks that need \
                this, or write `0.0.0.0/0` \
                 if everyone may connect."
            );
            findings.push(error(POLICY, message).at(None, at + 1));
        }
    }
}

fn is_half(word: &str) -> bool {
    let Some((address, bits)) = word.split_once('/') else { return false };
    let version_4 = address.split('.').count() == 4
        && address.split('.').all(|part| part.parse::<u8>().is_ok());
    let version_6 =
        address.ends_with("::") && address.chars().all(|c| c.is_ascii_hexdigit() || c == ':');
    (version_4 && ["1", "2"].contains(&bits)) || (version_6 && ["1", "2", "3"].contains(&bits))
}

#[cfg(test)]
mod tests {
    #[test]
    fn two_halves_are_everyone() {
        let said = |text: &str| crate::testing::said(super::examine, text).len();
        for text in [
            "cat >a.tf <<'E'\nsource_ips = [\"0.0.0.0/1\", \"128.0.0.0/1\"]\nE\n",
            "for c in 0.0.0.0/1 128.0.0.0/1; do ufw allow from \"$c\"; done\n",
            "ufw allow from 2000::/3 to any port 22\n",
            "cat >a.yml <<'E'\nloop:\n  - 64.0.0.0/2\nE\n",
        ] {
            assert_eq!(said(text), 1, "{text}");
        }
        for text in [
            "ufw allow from 10.0.0.0/8\n",
            "cat >wg0.conf <<'E'\nAllowedIPs = 0.0.0.0/1, 128.0.0.0/1\nE\n",
            "ip route add 0.0.0.0/1 via 10.8.0.1\n",
            "# 0.0.0.0/1 is half of it\n",
            "df / /2\n",
        ] {
            assert_eq!(said(text), 0, "{text}");
        }
    }
}
