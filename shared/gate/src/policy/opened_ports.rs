//! Finds firewall commands and tasks, and service settings, that let everyone in.

use crate::bash::Script;
use crate::check::{error, task_documents, tasks};
use crate::files::Written;
use crate::yaml::Node;
use crate::{POLICY, Unit};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for shell in unit.running() {
        for command in &shell.script.commands {
            if let Some(message) = opened(unit, &command.argv(), &shell.script) {
                let line = command.line + shell.offset;
                findings.push(error(POLICY, message).at(shell.file.as_deref(), line));
            }
        }
    }
    for file in unit.written() {
        for (line, message) in ruled(unit, file).into_iter().chain(settings(unit, file)) {
            findings.push(error(POLICY, message).at(Some(&file.path), line));
        }
    }
}

fn after<'a>(rest: &[&'a str], names: &[&str]) -> Option<&'a str> {
    let two = rest.windows(2).find(|two| names.contains(&two[0])).map(|two| two[1]);
    let joined = || {
        rest.iter().find_map(|word| word.split_once('=').filter(|(name, _)| names.contains(name)))
    };
    two.or_else(|| joined().map(|(_, value)| value))
}

/// How rules name everyone.
pub(super) const EVERYONE: [&str; 5] = ["0.0.0.0/0", "::/0", "*", "Internet", "Any"];

fn is_everyone(text: &str) -> bool {
    EVERYONE.iter().any(|everyone| text.contains(everyone))
}

/// Whether everyone may reach a port. SSH stays open unless the owner limits it.
pub(super) fn may_open(unit: &Unit, port: u16) -> bool {
    if port == 22 { !unit.context.limits_ssh() } else { unit.context.opens(port) }
}

/// Whether the script makes a firewall around the server, which may be the one that limits SSH.
pub(super) fn has_firewall_around(unit: &Unit) -> bool {
    ["_firewall\"", "security_group", "firewall:"].iter().any(|sign| unit.text.contains(sign))
}

/// What a command opens to everyone.
fn opened(unit: &Unit, argv: &[&str], script: &Script) -> Option<String> {
    let refuse = |ports: &str| {
        let numbers =
            ports.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse::<u16>().ok());
        let open = numbers.into_iter().find(|port| *port > 0 && !may_open(unit, *port))?;
        Some(super::ports::refusal(&open.to_string()))
    };
    match argv {
        ["iptables" | "ip6tables", rest @ ..] => {
            if rest.windows(3).any(|three| matches!(three, ["-P" | "--policy", "INPUT", "ACCEPT"]))
            {
                // It may be the first of several commands that build the rules anew.
                let closes =
                    script.commands.iter().any(|it| it.argv().ends_with(&["INPUT", "DROP"]));
                return (!closes).then(|| {
                    "This lets in whatever no rule refuses: the policy must be `DROP`.".to_owned()
                });
            }
            let limited = ["-s", "--source", "-i", "--in-interface", "-d", "--dst"]
                .iter()
                .any(|it| rest.contains(it));
            let accepts = rest.contains(&"ACCEPT") && rest.contains(&"INPUT") && !limited;
            refuse(after(rest, &["--dport", "--dports"])?).filter(|_| accepts)
        }
        ["firewall-cmd", rest @ ..]
            if !rest.iter().any(|it| {
                it.starts_with("--zone=internal") || it.starts_with("--zone=trusted")
            }) =>
        {
            refuse(after(rest, &["--add-port"])?.split('/').next()?)
        }
        ["hcloud", "firewall", "add-rule", rest @ ..] => {
            let open = after(rest, &["--source-ips"]).is_some_and(is_everyone);
            refuse(after(rest, &["--port"])?).filter(|_| open)
        }
        ["doctl", "compute", "firewall", rest @ ..] => {
            let rules = after(rest, &["--inbound-rules"])?;
            rules.split(' ').filter(|rule| is_everyone(rule)).find_map(|rule| {
                refuse(rule.split(',').find_map(|part| part.strip_prefix("ports:"))?)
            })
        }
        ["az", "network", "nsg", "rule", "create" | "update", rest @ ..] => {
            let open = after(rest, &["--source-address-prefixes", "--source-address-prefix"])
                .is_none_or(is_everyone);
            let allows = after(rest, &["--access"]).is_none_or(|access| access == "Allow")
                && after(rest, &["--direction"]) != Some("Outbound");
            refuse(after(rest, &["--destination-port-ranges", "--destination-port-range"])?)
                .filter(|_| open && allows)
        }
        ["aws", "ec2", "authorize-security-group-ingress", rest @ ..] => {
            let rules = after(rest, &["--ip-permissions"]).filter(|rules| is_everyone(rules))?;
            let (_, from) = rules.split_once("FromPort")?;
            refuse(from.trim_start_matches(['=', '"', ':', ' ']).split([',', '}']).next()?)
        }
        ["kubectl", "create", "clusterrolebinding", rest @ ..] => {
            let all = after(rest, &["--clusterrole"]) == Some("cluster-admin");
            all.then(|| "This allows everything in the whole cluster: name a role with the rights that are needed.".to_owned())
        }
        ["jupyter" | "jupyter-lab" | "jupyter-notebook", rest @ ..] => {
            let open =
                rest.iter().any(|word| word.ends_with(".token=") || word.ends_with(".password="));
            open.then(|| "Anyone who can reach it may run any program.".to_owned())
        }
        _ => None,
    }
}

/// Ports that a task of Ansible opens in ufw.
fn ruled(unit: &Unit, file: &Written) -> Vec<(usize, String)> {
    let around = has_firewall_around(unit);
    let mut found = Vec::new();
    for task in tasks(&task_documents(file).unwrap_or_default(), file) {
        let Some((_, given)) = task.module().filter(|(name, _)| *name == "community.general.ufw")
        else {
            continue;
        };
        let text = |key: &str| given.get(key).and_then(Node::text);
        let limited =
            ["from", "from_ip", "src", "interface", "interface_in", "direction", "delete"]
                .iter()
                .any(|key| given.get(key).is_some());
        let allows = ["allow", "limit"].contains(&text("rule").unwrap_or_default()) && !limited;
        let Some(port) = given.get("port").or_else(|| given.get("to_port")).filter(|_| allows)
        else {
            continue;
        };
        let Some(number) = port.text().and_then(|port| port.parse::<u16>().ok()) else { continue };
        let elsewhere = number == 22 && around;
        if !elsewhere && !may_open(unit, number) {
            found.push((port.line, super::ports::refusal(&number.to_string())));
        }
    }
    found
}

/// Settings of services by the name of their file: the words of a line, and why the gate refuses them.
const SETTINGS: [(&str, &[&str], &str); 8] = [
    (
        "mongod.conf",
        &["bindIp", "0.0.0.0"],
        "Every network could reach this database: name its own address.",
    ),
    (
        "mongod.conf",
        &["bindIpAll", "true"],
        "Every network could reach this database: name its own address.",
    ),
    ("mongod.conf", &["authorization", "disabled"], "This database obeys anyone who can reach it."),
    (
        "elasticsearch.yml",
        &["xpack.security.enabled", "false"],
        "Elasticsearch obeys anyone who can reach it.",
    ),
    ("smb.conf", &["guest ok", "yes"], "Everyone could read these files without a password."),
    ("exports", &["no_root_squash"], "Root on another machine would be root here."),
    ("grafana.ini", &["disable_login_form", "true"], "Everyone could use it without a login."),
    ("vault.hcl", &["tls_disable", "1"], "Secrets would go over the network in plain text."),
];

fn settings(unit: &Unit, file: &Written) -> Vec<(usize, String)> {
    let asked = unit.context.asked.to_lowercase();
    let mut found = Vec::new();
    for (at, line) in file.text.lines().enumerate() {
        let line = line.trim();
        if line.starts_with(['#', ';']) {
            continue;
        }
        for (name, words, why) in SETTINGS {
            if file.path.ends_with(name) && words.iter().all(|word| line.contains(word)) {
                found.push((at + 1, why.to_owned()));
            }
        }
        let anonymous = line.contains("GF_AUTH_ANONYMOUS_ENABLED") && line.contains("true");
        if anonymous && !asked.contains("anonym") && !asked.contains("public") {
            found.push((
                at + 1,
                "Everyone could see Grafana without a login, which was not asked for.".to_owned(),
            ));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn firewalls_of_all_kinds_are_read() {
        let said = |text: &str| {
            crate::testing::said_when("A website with SSH from my own address", examine, text).len()
        };
        for text in [
            "iptables -A INPUT -p tcp --dport 22 -j ACCEPT",
            "iptables -P INPUT ACCEPT",
            "firewall-cmd --permanent --add-port=5432/tcp",
            "hcloud firewall add-rule a --direction in --port 22 --source-ips 0.0.0.0/0",
            "doctl compute firewall create --inbound-rules 'protocol:tcp,ports:22,address:0.0.0.0/0'",
            "az network nsg rule create --destination-port-ranges 22 --source-address-prefixes '*'",
            "kubectl create clusterrolebinding a --clusterrole=cluster-admin --serviceaccount=a:b",
        ] {
            assert_eq!(said(text), 1, "{text}");
        }
        for text in [
            "iptables -A INPUT -p tcp -s 203.0.113.7 --dport 22 -j ACCEPT",
            "iptables -A INPUT -p tcp --dport 443 -j ACCEPT",
            "iptables -P INPUT ACCEPT\niptables -F\niptables -P INPUT DROP",
            "firewall-cmd --permanent --add-port=443/tcp",
            "hcloud firewall add-rule a --direction in --port 22 --source-ips 203.0.113.7/32",
        ] {
            assert_eq!(said(text), 0, "{text}");
        }
    }
}
