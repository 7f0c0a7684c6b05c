//! Networks that may connect by SSH: a question of every deployment with a server.

mod doors;
mod exceptions;
mod later;
mod machines;
mod sources;
mod withdrawn;

pub use later::{Later, adds, later, ruled_out};
pub use withdrawn::may_be_withdrawn;

use std::net::Ipv4Addr;

use super::Values;
use super::parameters::{Found, Parameter};
use crate::words::Words;

/// The value of `ssh-from` when only the sandbox needs to connect.
const SANDBOX_ONLY: &str = "sandbox";

const ANYWHERE: &str = "0.0.0.0/0";

pub const SSH_FROM: Parameter = Parameter {
    key: "ssh-from",
    label: "SSH allowed from",
    question: "from which address or network (like 203.0.113.7) should connections be allowed? This sandbox is always allowed, for the test.",
    default: SANDBOX_ONLY,
    asked: true,
    accept: accept_networks,
    find: find_networks,
};

/// Adds the placeholders by which the documents and Terraform describe the networks.
pub fn derive(placeholders: &mut Values) {
    let networks = networks(placeholders.get("ssh_from").map_or("", String::as_str));
    let quoted: Vec<String> = networks.iter().map(|network| format!("\"{network}\"")).collect();
    placeholders.insert("cidr_list".into(), quoted.join(", "));
    placeholders.insert("ssh_from_words".into(), in_words(&networks));
    placeholders.insert("cidr_risk".into(), risk(&networks).into());
}

/// Maximum number of networks of a deployment; a security group holds 60 rules.
const MAX_NETWORKS: usize = 10;

/// Accepts `sandbox`, or networks in CIDR notation, separated by commas.
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

/// Whether a message is about SSH.
pub fn names_ssh(words: &Words) -> bool {
    words.means_any(doors::SSH) || words.means_any(&["only the sandbox", "sandbox only"])
}

/// Whether a text contains an address or a network.
pub fn has_address(text: &str) -> bool {
    text.split_whitespace().any(|word| network(word).is_some())
}

/// The address by which a message corrects another one, as the value of [`SSH_FROM`].
pub fn corrected(words: &Words) -> Option<String> {
    sources::corrected(words)
}

/// Whether SSH shares a network with something that the message names before: “6443 only from …, SSH same range”.
pub fn shares_a_network(words: &Words) -> bool {
    sources::the_same(words).is_some()
}

/// Positions of the addresses in a message that do not connect by SSH, if these may.
pub fn not_by_ssh(words: &Words, let_in: &str) -> Vec<usize> {
    let values: Vec<&str> = words.values().collect();
    let let_in = networks(let_in);
    let corrects = |at: &usize| {
        let network = values.get(*at).and_then(|value| network(value));
        network.is_some_and(|network| let_in.contains(&network))
            && !sources::is_elsewhere(words, *at)
    };
    sources::not_by_ssh(words).into_iter().filter(|at| !corrects(at)).collect()
}

/// Whether an address is one of a list, or in one of its networks.
pub fn lets_in(list: &str, address: &str) -> bool {
    let list = networks(list);
    let part = |network: &String| exceptions::without(&list, network) != list;
    network(address).is_some_and(|network| list.contains(&network) || part(&network))
}

/// The value that lets in these networks, and nothing but the sandbox if there are none.
pub fn listed(networks: &[String]) -> String {
    if networks.is_empty() { SANDBOX_ONLY.into() } else { networks.join(",") }
}

/// Whether a row names a network and an address that is taken out of it.
pub fn is_narrowed(row: &str) -> bool {
    row.split_whitespace().filter(|word| network(word).is_some()).count() > 1
}

/// Positions of the networks that may connect by SSH but for an address that the message takes out of them.
pub fn narrowed(words: &Words) -> Vec<std::ops::Range<usize>> {
    sources::taken_out(words).into_iter().map(|(place, _)| place).collect()
}

fn find_networks(words: &Words) -> Found {
    let mut named = sources::of_ssh(words);
    named.dedup();
    if let Some(narrowed) = without_exceptions(words, &named) {
        return narrowed;
    }
    if !named.is_empty() {
        named.truncate(MAX_NETWORKS);
        return match adds(words) {
            true => Found::Changed { added: named, removed: Vec::new() },
            false => Found::Value(named.join(",")),
        };
    }
    if let Some(out) = sources::everybody_but(words) {
        let how = "only this sandbox, as the list would be too long".into();
        let asked = words.said_in(words.clause(out));
        return Found::Nearest { value: SANDBOX_ONLY.into(), asked, how };
    }
    if sources::is_open_to_everybody(words) {
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

/// The networks without the addresses that the message takes out of them; `None` if it takes none out. A network that
/// would leave too long a list is not let in at all.
fn without_exceptions(words: &Words, named: &[String]) -> Option<Found> {
    let taken_out = sources::taken_out(words);
    let mut rest = named.to_vec();
    for (_, out) in &taken_out {
        rest = exceptions::without(&rest, out);
    }
    if rest == named {
        return None;
    }
    let start = taken_out.iter().map(|(place, _)| place.start).min()?;
    let end = taken_out.iter().map(|(place, _)| place.end).max()?;
    let asked = words.said_in(start..end);
    let fits = rest.len() <= MAX_NETWORKS;
    let value = if fits { rest.join(",") } else { SANDBOX_ONLY.into() };
    let how =
        if fits { rest.join(", ") } else { "only this sandbox, as the list is too long".into() };
    Some(Found::Nearest { value, asked, how })
}

/// The networks in an accepted value; empty if only the sandbox connects.
fn networks(value: &str) -> Vec<String> {
    value
        .split(',')
        .filter(|network| *network != SANDBOX_ONLY && !network.is_empty())
        .map(str::to_string)
        .collect()
}

/// The networks as part of a sentence.
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

/// The sentence about the networks in the plan's risks.
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
    fn a_network_is_truncated_to_its_prefix() {
        let found = find_networks(&Words::of("from 203.0.113.7 and 10.1.2.3/8"));
        assert_eq!(found, Found::Value("203.0.113.7/32,10.0.0.0/8".into()));
        assert_eq!(accept_networks("10.0.0.0/33"), None);
        for text in [
            "on my own server at 10.0.0.5",
            "port 5432 open for 10.0.0.5",
            "10.0.0.5 has to connect to mysql directly",
            "mysql with remote access from 10.0.0.5",
            "the replica is 10.0.0.5",
            "a db called x, nightly backups, must be reachable from 10.0.0.5 only",
            "mysql named shop, only from 10.0.0.5",
            "logs come in over syslog from 10.0.0.0/8",
            "prometheus that accepts remote write from 10.0.0.0/8",
            "a website, reachable from anywhere",
            "ban 10.0.0.5",
            "monitoring for our servers (10.0.0.5 to 10.0.0.9)",
            "5432 must only be open to 10.0.0.0/8 and 3306 only to 10.1.0.0/16",
            "allow 10.0.0.5 on 8080",
        ] {
            assert_eq!(find_networks(&Words::of(text)), Found::Nothing, "{text}");
        }
        for text in [
            "postgres, ssh from 10.0.0.5",
            "our office is 10.0.0.5",
            "only 10.0.0.5 may log in to the server",
            "10.0.0.5 please",
            "PostgreSQL on a VPS from 10.0.0.5",
            "mysql, SSH only from our office (10.0.0.5)",
            "a server with ssh, only from 10.0.0.5",
            "ssh on port 2222 from 10.0.0.5",
            "ssh from 10.0.0.5 and port 8080 for 10.0.0.6",
        ] {
            let found = find_networks(&Words::of(text));
            assert_eq!(found, Found::Value("10.0.0.5/32".into()), "{text}");
        }
        let find = |text: &str| find_networks(&Words::of(text));
        for text in [
            "limit requests, except for our office 10.0.0.5",
            "the login page only answers to our house, that's 10.0.0.5",
            "user storage may only come from 10.0.0.5",
            "exempt the office 10.0.0.5",
            "ssh from 10.0.0.0/8 except 10.0.0.5, but 10.0.0.5 excluded",
        ] {
            let let_in = matches!(find(text), Found::Value(value) if value.contains("10.0.0.5"));
            assert!(!let_in, "{text}");
        }
        for text in ["ssh from 10.0.0.4/31 except 10.0.0.4", "ssh from 10.0.0.4/31, not 10.0.0.4"] {
            let narrowed = |value: &str| value == "10.0.0.5/32";
            let found = find(text);
            assert!(matches!(found, Found::Nearest { value, .. } if narrowed(&value)), "{text}");
        }
        let closed = find("closed to all except 10.0.0.5 who may connect to the server");
        assert_eq!(closed, Found::Value("10.0.0.5/32".into()));
        for text in ["ssh from anywhere", "a VPS, access from everywhere"] {
            assert_eq!(find_networks(&Words::of(text)), Found::Value(ANYWHERE.into()), "{text}");
        }
        assert_eq!(network("1.2.3.4/0"), Some("0.0.0.0/0".into()));
    }
}
