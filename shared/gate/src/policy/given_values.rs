//! Checks the values that a script gives to variables of its configuration: networks that may reach SSH, and open ports.

use crate::check::error;
use crate::files::Written;
use crate::{POLICY, Unit};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written().filter(|file| is_values(file)) {
        let mut above = String::new();
        for (at, line) in file.filled().lines().enumerate() {
            let line = line.split(" #").next().unwrap_or_default();
            let bare = line.trim().trim_start_matches(['{', ' ']);
            let (key, value) = match bare.split_once(['=', ':']).filter(|_| !bare.starts_with('-'))
            {
                Some((key, value)) => {
                    key.trim().trim_matches(['"', '\'']).clone_into(&mut above);
                    (above.clone(), value)
                }
                // An item of the list below the key.
                None => (above.clone(), bare),
            };
            if let Some(message) = refused(unit, &key, value) {
                findings.push(error(POLICY, message).at(Some(&file.path), at + 1));
            }
        }
    }
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            let argv = command.argv();
            let values =
                argv.windows(2).filter(|two| ["-var", "-e", "--extra-vars"].contains(&two[0]));
            let values = values
                .map(|two| two[1])
                .chain(argv.iter().filter_map(|word| word.strip_prefix("-var=")));
            let own = command.words.iter().map(|word| word.text.as_str());
            let own = own.filter(|word| word.starts_with("TF_VAR_"));
            let mut pairs = values.chain(own).filter_map(|word| word.split_once('='));
            let found = pairs.find_map(|(key, value)| refused(unit, key, value));
            if let Some(message) = found {
                let line = command.line + shell.offset;
                findings.push(error(POLICY, message).at(shell.file.as_deref(), line));
            }
        }
    }
    named(unit, findings);
}

/// Files that give values to variables.
fn is_values(file: &Written) -> bool {
    let kinds = ["tfvars", "yml", "yaml", "env"];
    let vars = ["vars", "defaults", "values"].iter().any(|part| file.path.contains(part));
    file.name().ends_with(".tfvars.json")
        || file.extension() == "tfvars"
        || (kinds.contains(&file.extension().as_str()) && vars)
}

fn is_public(value: &str) -> bool {
    ["0.0.0.0/0", "::/0"].iter().any(|everyone| value.contains(everyone))
}

/// Parts of the names of variables with the networks that may administer something.
const ADMIN: [&str; 7] = ["admin", "bastion", "management", "mgmt", "operator", "ssh", "trusted"];

/// Why a variable must not get a value.
fn refused(unit: &Unit, key: &str, value: &str) -> Option<String> {
    let key = key.to_lowercase();
    let outgoing = ["egress", "outbound", "deny", "block"].iter().any(|part| key.contains(part));
    if is_public(value)
        && !outgoing
        && ADMIN.iter().any(|part| key.contains(part))
        && !unit.context.opens(22)
    {
        return Some(super::ports::refusal("22"));
    }
    let ports = [
        "open_ports",
        "public_ports",
        "open_tcp_ports",
        "exposed_ports",
        "ports_open",
        "internet_ports",
    ];
    if !ports.iter().any(|part| key.ends_with(part)) {
        return None;
    }
    let mut words = value.split(|c: char| !c.is_ascii_alphanumeric());
    let port = words
        .find_map(|word| word.parse::<u16>().ok().filter(|port| !unit.context.opens(*port)))?;
    (port != 22).then(|| super::ports::refusal(&port.to_string()))
}

/// A variable of the script that names everyone and that a line about SSH uses.
fn named(unit: &Unit, findings: &mut Vec<Finding>) {
    if unit.context.opens(22) {
        return;
    }
    for (at, line) in unit.text.lines().enumerate() {
        let Some((name, value)) = line.trim().trim_start_matches("export ").split_once('=') else {
            continue;
        };
        if !crate::bash::is_name(name) || !is_public(value) || line.trim_start().starts_with('#') {
            continue;
        }
        // It may be the default of a value that is asked for.
        let admin = ADMIN.iter().any(|part| name.to_lowercase().contains(part));
        let uses = |line: &str| {
            let line = line.to_lowercase();
            let name = name.to_lowercase();
            line.contains("ssh")
                && (line.contains(&format!("${name}")) || line.contains(&format!("${{{name}}}")))
        };
        if admin || unit.text.lines().any(uses) {
            findings.push(error(POLICY, super::ports::refusal("22")).at(None, at + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_open_only_what_was_asked_for() {
        let said = |text: &str| {
            crate::testing::said_when("A website with SSH from my own address", examine, text).len()
        };
        let values = |line: &str| format!("cat >a.tfvars <<'E'\n{line}\nE\n");
        for (text, count) in [
            (values("allowed_ssh_cidrs = [\"0.0.0.0/0\"]"), 1),
            (values("allowed_ssh_cidrs = [\"203.0.113.7/32\"]"), 0),
            (values("web_cidrs = [\"0.0.0.0/0\"]"), 0),
            (values("open_ports = [\"443\", \"6443\"]"), 1),
            (values("open_ports = [80, 443]"), 0),
            ("allowed='[\"0.0.0.0/0\"]'\nprintf '{\"allowed_ssh_cidrs\": %s}' \"$allowed\" >a.json\n".into(), 1),
            ("everyone=0.0.0.0/0\nufw allow from \"$everyone\" to any port 443\n".into(), 0),
            ("terraform plan -var 'admin_cidr=0.0.0.0/0' -out=a\n".into(), 1),
            ("export TF_VAR_ssh_cidr=0.0.0.0/0\n".into(), 1),
            ("mkdir group_vars\ncat >group_vars/all.yml <<'E'\nssh_allowed:\n  - 0.0.0.0/0\nweb_allowed:\n  - 0.0.0.0/0\nE\n".into(), 1),
        ] {
            assert_eq!(said(&text).min(1), count, "{text}");
        }
    }
}
