//! Networks that may connect by SSH. Every deployment with a server asks for them.

use std::net::Ipv4Addr;

use super::Values;
use super::parameters::{Found, Parameter};
use crate::reading::language::{Language, Weight};
use crate::reading::words::Words;

/// The value of `ssh-from` when only the sandbox needs to connect.
const SANDBOX_ONLY: &str = "sandbox";

const ANYWHERE: &str = "0.0.0.0/0";

pub const SSH_FROM: Parameter = Parameter {
    key: "ssh-from",
    label: "SSH allowed from",
    question: "from which address or network (like 203.0.113.7) may one connect? This sandbox is always let in, for the test.",
    default: SANDBOX_ONLY,
    asked: true,
    accept: accept_networks,
    find: find_networks,
};

/// Adds what the documents and Terraform need to know about the networks.
pub fn derive(placeholders: &mut Values) {
    let networks = networks(placeholders.get("ssh_from").map_or("", String::as_str));
    let quoted: Vec<String> = networks.iter().map(|network| format!("\"{network}\"")).collect();
    placeholders.insert("cidr_list".into(), quoted.join(", "));
    placeholders.insert("ssh_from_words".into(), in_words(&networks));
    placeholders.insert("cidr_risk".into(), risk(&networks).into());
}

/// Most networks of a deployment; a security group holds 60 rules.
const MAX_NETWORKS: usize = 10;

/// Accepts `sandbox`, or networks in CIDR notation with commas between them.
fn accept_networks(text: &str) -> Option<String> {
    let text = text.trim();
    if text == SANDBOX_ONLY {
        return Some(text.into());
    }
    let networks: Vec<String> = text.split(',').map(network).collect::<Option<_>>()?;
    (networks.len() <= MAX_NETWORKS).then(|| networks.join(","))
}

/// One address or network with its host bits cleared, as AWS requires.
fn network(text: &str) -> Option<String> {
    let (address, length) = text.trim().split_once('/').unwrap_or((text.trim(), "32"));
    let address: Ipv4Addr = address.parse().ok()?;
    let length: u32 = length.parse().ok().filter(|length| *length <= 32)?;
    let mask = u32::MAX.checked_shl(32 - length).unwrap_or(0);
    Some(format!("{}/{length}", Ipv4Addr::from(u32::from(address) & mask)))
}

fn find_networks(words: &Words) -> Found {
    let mut named = may_connect(words);
    named.dedup();
    if !named.is_empty() {
        named.truncate(MAX_NETWORKS);
        return Found::Value(named.join(","));
    }
    if words.means_any(&["anywhere", "everywhere", "any ip", "any address", "the whole internet"]) {
        return Found::Value(ANYWHERE.into());
    }
    if words.means_any(&[
        "only the sandbox",
        "sandbox only",
        "just the sandbox",
        "from the sandbox",
    ]) {
        return Found::Value(SANDBOX_ONLY.into());
    }
    Found::Nothing
}

/// Words for logging in to the server.
const SSH: &[&str] = &["ssh", "sftp", "log in", "login", "shell"];

/// Words for the way in, if nothing else is named that has one.
const WAY_IN: &[&str] = &[
    "from", "access", "allow", "allowed", "connect", "ip", "address", "only", "office", "home",
    "network", "we", "sit", "reach",
];

/// Things besides SSH that one may connect to.
const OTHER_DOORS: &[&str] = &[
    "mysql",
    "postgres",
    "postgresql",
    "database",
    "db",
    "redis",
    "psql",
    "grafana",
    "kibana",
    "prometheus",
    "elasticsearch",
    "api",
    "dashboard",
    "port",
    "http",
    "https",
    "admin",
    "website",
    "site",
];

/// Verbs by which such a thing is to be reached.
const REACHING: &[&str] = &[
    "access",
    "connect",
    "reach",
    "reachable",
    "accessible",
    "open",
    "remote",
    "directly",
    "talk",
    "port",
];

/// The addresses that may connect by SSH. Any other address is the user's server, or a client of something else.
fn may_connect(words: &Words) -> Vec<String> {
    let values: Vec<&str> = words.values().collect();
    let mut found = Vec::new();
    let mut before: Option<(usize, bool)> = None;
    for at in 0..values.len() {
        let Some(network) = network(values[at]) else { continue };
        let clause = words.clause(at);
        let text = Words::of(&values[clause.clone()].join(" "));
        let has = |phrases: &[&str]| phrases.iter().any(|phrase| text.has(phrase));
        let continues = before.filter(|(last, _)| {
            values[*last + 1..at].iter().all(|word| ["and", "or", "as", "well"].contains(word))
        });
        let other = has(OTHER_DOORS) && has(REACHING);
        let after_from = at.checked_sub(1).is_some_and(|before| values[before] == "from");
        let alone = values.iter().all(|word| {
            self::network(word).is_some() || Language::English.weight(word) != Weight::Full
        });
        let connects = match continues {
            Some((_, connects)) => connects,
            None if is_a_server(&values[clause.start..at]) => false,
            None => {
                has(SSH) || (!other && (after_from || (has(WAY_IN) && !has(OTHER_DOORS)))) || alone
            }
        };
        before = Some((at, connects));
        found.extend(connects.then_some(network));
    }
    found
}

/// Whether the words before an address say that it is a server: “on my server at 10.0.0.5”.
fn is_a_server(before: &[&str]) -> bool {
    const MACHINES: &[&str] = &["server", "servers", "machine", "host", "vps", "vm", "box", "nas"];
    let mut near = before.iter().rev().filter(|word| {
        !["at", "on", "with", "the", "ip", "address", "is", "in", "a", "en", "under"].contains(word)
    });
    near.next().is_some_and(|word| MACHINES.contains(word))
}

/// The networks in an accepted value; empty if only the sandbox connects.
fn networks(value: &str) -> Vec<String> {
    value
        .split(',')
        .filter(|network| *network != SANDBOX_ONLY && !network.is_empty())
        .map(str::to_string)
        .collect()
}

/// The networks for a sentence.
fn in_words(networks: &[String]) -> String {
    let list: Vec<String> = networks.iter().map(|network| format!("`{network}`")).collect();
    if networks.is_empty() {
        "this sandbox's public address only".into()
    } else if networks.iter().any(|network| network == ANYWHERE) {
        "the whole internet (`0.0.0.0/0`)".into()
    } else {
        format!("{} and this sandbox's public address", list.join(", "))
    }
}

/// What the plan's risks say about the networks.
fn risk(networks: &[String]) -> &'static str {
    if networks.iter().any(|network| network == ANYWHERE) {
        "SSH is open to the whole internet, as asked for. Only the key protects it, and the log will fill with attempts; a narrower network is better."
    } else {
        "The sandbox's public address can change after a restart, and yours can too. Planning and applying again lets the new one in."
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_are_cut_to_their_length() {
        let found = find_networks(&Words::of("from 203.0.113.7 and 10.1.2.3/8"));
        assert_eq!(found, Found::Value("203.0.113.7/32,10.0.0.0/8".into()));
        assert_eq!(accept_networks("10.0.0.0/33"), None);
        for text in [
            "on my own server at 10.0.0.5",
            "port 5432 open for 10.0.0.5",
            "10.0.0.5 has to connect to mysql directly",
            "mysql with remote access from 10.0.0.5",
            "the replica is 10.0.0.5",
        ] {
            assert_eq!(find_networks(&Words::of(text)), Found::Nothing, "{text}");
        }
        for text in [
            "postgres, ssh from 10.0.0.5",
            "our office is 10.0.0.5",
            "only 10.0.0.5 may log in to the server",
            "10.0.0.5 please",
            "PostgreSQL on a VPS from 10.0.0.5",
        ] {
            let found = find_networks(&Words::of(text));
            assert_eq!(found, Found::Value("10.0.0.5/32".into()), "{text}");
        }
        assert_eq!(network("1.2.3.4/0"), Some("0.0.0.0/0".into()));
    }
}
