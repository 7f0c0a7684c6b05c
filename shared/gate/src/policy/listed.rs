//! Finds ports that a list of rules opens to everyone: `ssh = { port = 22, source = "*" }` in Terraform's locals and
//! values, from which blocks of a firewall are made.

use super::opened::{EVERYONE, may_open};
use crate::check::error;
use crate::{POLICY, Unit};
use domain::gate::Finding;

/// Keys of such a rule.
const PORTS: [&str; 7] =
    ["destination_port_range", "dport", "from_port", "port", "port_range", "ports", "to_port"];
const SOURCES: [&str; 10] = [
    "address",
    "cidr",
    "cidr_blocks",
    "cidrs",
    "source",
    "source_address_prefix",
    "source_cidr",
    "source_ips",
    "source_ranges",
    "sources",
];
/// Words of rules that do not let anyone in.
const OTHERS: [&str; 5] = ["egress", "outbound", "\"out\"", "deny", "drop"];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written() {
        if !["tf", "tfvars"].contains(&file.extension().as_str()) {
            continue;
        }
        for (at, line) in file.text.lines().enumerate() {
            if let Some(port) = open_port(line).filter(|port| !may_open(unit, *port)) {
                let message = super::ports::refusal(&port.to_string());
                findings.push(error(POLICY, message).at(Some(&file.path), at + 1));
            }
        }
    }
}

/// The port of a rule on one line that lets everyone in.
fn open_port(line: &str) -> Option<u16> {
    let lower = line.to_lowercase();
    let (_, inner) = line.split_once('{')?;
    let (inner, _) = inner.rsplit_once('}')?;
    if OTHERS.iter().any(|other| lower.contains(other)) {
        return None;
    }
    let pairs = || inner.split(',').filter_map(|pair| pair.split_once('='));
    let value = |keys: &[&str]| {
        let mut found = pairs().filter(|(key, _)| keys.contains(&key.trim()));
        found.next().map(|(_, value)| value.trim().trim_matches(['"', '[', ']', ' ']))
    };
    let everyone = value(&SOURCES).is_some_and(|source| EVERYONE.contains(&source));
    value(&PORTS).filter(|_| everyone)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_on_one_line_names_whom_it_lets_in() {
        assert_eq!(
            open_port("    ssh = { priority = 120, port = \"22\", source = \"*\" }"),
            Some(22)
        );
        assert_eq!(open_port("  db = { port = 5432, cidrs = [\"0.0.0.0/0\"] }"), Some(5432));
        for line in [
            "    ssh = { port = \"22\", source = var.admin_cidr }",
            "  all_egress = { port = 443, cidr = \"0.0.0.0/0\" }",
            "  web = { port = var.port, source = \"*\" }",
            "variable \"port\" { default = 22 }",
        ] {
            assert_eq!(open_port(line), None, "{line}");
        }
    }
}
