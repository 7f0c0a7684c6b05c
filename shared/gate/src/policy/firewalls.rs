//! Finds firewall rules that let everyone in although they look limited: `from any`, ports of a loop, modules of
//! Ansible, and policies that accept what no rule names.

use super::opened_ports::{has_firewall_around, may_open};
use super::ports::refusal;
use crate::check::{Task, error, task_documents, tasks};
use crate::yaml::Node;
use crate::{POLICY, Unit};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for shell in unit.running() {
        for command in &shell.script.commands {
            if let Some(message) = opened(unit, &command.argv()) {
                let line = command.line + shell.offset;
                findings.push(error(POLICY, message).at(shell.file.as_deref(), line));
            }
        }
    }
    for file in unit.written() {
        let documents = task_documents(file).unwrap_or_default();
        for task in tasks(&documents, file) {
            if let Some(message) = ruled(unit, &task) {
                findings.push(error(POLICY, message).at(Some(&file.path), task.node.line));
            }
        }
    }
    for (at, line) in unit.text.lines().enumerate() {
        let accepts = line.contains("DEFAULT_INPUT_POLICY=") && line.contains("ACCEPT");
        if accepts && !line.trim_start().starts_with('#') {
            findings.push(error(POLICY, ACCEPTED).at(None, at + 1));
        }
    }
}

const ACCEPTED: &str =
    "This lets in whatever no rule refuses: set the policy for incoming traffic to refuse.";

/// Sources that are everyone.
const EVERYONE: [&str; 5] = ["any", "0.0.0.0/0", "::/0", "Anywhere", "0.0.0.0"];

/// Ports that the services of firewalld stand for.
const SERVICES: [(&str, u16); 16] = [
    ("docker-swarm", 2377),
    ("elasticsearch", 9200),
    ("etcd-client", 2379),
    ("etcd-server", 2380),
    ("ftp", 21),
    ("kube-api", 6443),
    ("kube-apiserver", 6443),
    ("kubelet", 10250),
    ("mongodb", 27017),
    ("mysql", 3306),
    ("postgresql", 5432),
    ("prometheus", 9090),
    ("redis", 6379),
    ("samba", 445),
    ("telnet", 23),
    ("vnc-server", 5900),
];

/// Why a port must not be open; `None` if it may be.
fn closed(unit: &Unit, port: u16) -> Option<String> {
    let elsewhere = port == SSH && has_firewall_around(unit);
    (!elsewhere && !may_open(unit, port)).then(|| refusal(&port.to_string()))
}

/// The port of SSH.
const SSH: u16 = 22;

/// The numbers in a text such as `80,443/tcp`.
fn numbers(text: &str) -> impl Iterator<Item = u16> {
    text.split(|c: char| !c.is_ascii_alphanumeric()).filter_map(|part| part.parse().ok())
}

fn service(name: &str) -> Option<u16> {
    SERVICES.iter().find(|(service, _)| *service == name).map(|(_, port)| *port)
}

/// What a command opens to everyone.
fn opened(unit: &Unit, argv: &[&str]) -> Option<String> {
    match argv {
        ["ufw", rest @ ..] if allows(rest) && rest.contains(&"from") && !is_limited(rest) => {
            let at = rest.iter().position(|word| *word == "port");
            match at.and_then(|at| rest.get(at + 1)) {
                Some(ports) => {
                    let looped = super::ports::looped(unit, rest);
                    numbers(ports).chain(looped).find_map(|port| closed(unit, port))
                }
                // Tunnels have a protocol without ports.
                None => (!rest.contains(&"proto")).then(|| refusal("")),
            }
        }
        ["ufw", rest @ ..] if allows(rest) && !is_limited(rest) => {
            // A range such as `2379:2380/tcp`, or a list; one port alone is read elsewhere.
            let several = rest.iter().find(|word| {
                word.contains([':', ',']) && word.starts_with(|c: char| c.is_ascii_digit())
            });
            several.and_then(|ports| numbers(ports).find_map(|port| closed(unit, port)))
        }
        ["firewall-cmd", rest @ ..] => {
            if rest.contains(&"--set-target=ACCEPT") || rest.contains(&"--set-default-zone=trusted")
            {
                return Some(ACCEPTED.to_owned());
            }
            let inside = ["--zone=internal", "--zone=trusted"];
            let names = rest.iter().filter_map(|word| word.strip_prefix("--add-service="));
            let mut ports = names.filter_map(service);
            ports
                .find_map(|port| closed(unit, port))
                .filter(|_| !rest.iter().any(|word| inside.contains(word)))
        }
        _ => None,
    }
}

fn allows(words: &[&str]) -> bool {
    let verb = words.iter().any(|word| ["allow", "limit"].contains(word));
    verb && !["delete", "default", "out", "status"].iter().any(|word| words.contains(word))
}

/// Whether a rule of ufw names who may come in, or on which network.
fn is_limited(words: &[&str]) -> bool {
    let source = words.windows(2).find(|two| two[0] == "from").map(|two| two[1]);
    source.is_some_and(|source| !EVERYONE.contains(&source)) || words.contains(&"on")
}

/// What a task opens to everyone.
fn ruled(unit: &Unit, task: &Task) -> Option<String> {
    let (module, given) = task.module()?;
    let text = |key: &str| given.get(key).and_then(Node::text);
    let short = module.rsplit('.').next().unwrap_or(module);
    match short {
        "command" | "shell" => {
            let said = given.text().or_else(|| text("cmd"))?;
            said.lines()
                .find_map(|line| looped(unit, task, line))
                .or_else(|| looped(unit, task, said))
        }
        "ufw" => module_ufw(unit, task, given),
        "firewalld" => {
            let elsewhere = given.get("source").is_some()
                || text("state") != Some("enabled")
                || text("zone").is_some_and(|zone| ["internal", "trusted"].contains(&zone));
            let named = text("service").and_then(service);
            let port = text("port").into_iter().flat_map(numbers).chain(named).next()?;
            closed(unit, port).filter(|_| !elsewhere)
        }
        "iptables" => {
            let incoming = text("chain") == Some("INPUT");
            if incoming && text("policy") == Some("ACCEPT") {
                return Some(ACCEPTED.to_owned());
            }
            let limits = ["source", "in_interface", "ctstate", "match_set", "src_range"];
            let limited = limits.iter().any(|key| given.get(key).is_some())
                || text("state") == Some("absent");
            let accepts = incoming && text("jump") == Some("ACCEPT") && !limited;
            let port = numbers(text("destination_port")?).next().filter(|_| accepts)?;
            closed(unit, port)
        }
        _ => None,
    }
}

/// Keys of the module that limit a rule of ufw.
const LIMITS: [&str; 7] =
    ["app", "delete", "interface", "interface_in", "interface_out", "name", "route"];

fn module_ufw(unit: &Unit, task: &Task, given: &Node) -> Option<String> {
    let text = |keys: &[&str]| keys.iter().find_map(|key| given.get(key)?.text());
    let direction = text(&["direction"]).unwrap_or("incoming");
    let incoming = ["in", "incoming"].contains(&direction);
    if text(&["default", "policy"]) == Some("allow") && incoming {
        return Some(ACCEPTED.to_owned());
    }
    let source = text(&["from_ip", "from", "src"]);
    let everyone = source.is_none_or(|source| EVERYONE.contains(&source));
    let allows = text(&["rule"]).is_some_and(|rule| ["allow", "limit"].contains(&rule));
    if !allows || !everyone || !incoming || LIMITS.iter().any(|key| given.get(key).is_some()) {
        return None;
    }
    let Some(port) = text(&["port", "to_port"]) else {
        return given.get("proto").is_none().then(|| refusal(""));
    };
    if port.contains("item") {
        return items(task).find_map(|port| closed(unit, port));
    }
    // A rule without a source is read where the other rules of ufw are.
    let listed = source.is_some() || port.parse::<u16>().is_err();
    numbers(port).filter(|_| listed && !port.contains("{{")).find_map(|port| closed(unit, port))
}

/// What a command of ufw opens with the ports of the loop around it.
fn looped(unit: &Unit, task: &Task, said: &str) -> Option<String> {
    let words: Vec<&str> = said.split_whitespace().collect();
    let first = words.iter().position(|word| crate::bash::base(word) == "ufw")?;
    let rest = words.get(first + 1..)?;
    if !allows(rest) || is_limited(rest) {
        return None;
    }
    let item = rest.iter().any(|word| word.trim_start_matches('{').starts_with("item"));
    items(task).filter(|_| item).find_map(|port| closed(unit, port))
}

/// The ports that a loop names: numbers, or the field `port` of its items. A firewall around the server may limit SSH,
/// so its port may be among the others.
fn items<'a>(task: &'a Task) -> impl Iterator<Item = u16> + 'a {
    let list = task.node.get("loop").or_else(|| task.node.get("with_items"));
    let list = list.map(Node::list).unwrap_or_default().iter();
    let texts = list.filter_map(|item| item.text().or_else(|| item.get("port")?.text()));
    texts.flat_map(numbers).filter(|port| *port != SSH)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Context;

    fn said(text: &str) -> Vec<String> {
        let asked = "A website with SSH from my own address";
        let context = Context { asked, ..Context::default() };
        let unit = Unit::new(text, &context);
        let mut findings = Vec::new();
        examine(&unit, &mut findings);
        findings.into_iter().map(|found| found.message).collect()
    }

    fn task(text: &str) -> String {
        format!("mkdir tasks\ncat >tasks/main.yml <<'E'\n- name: A\n  {text}\nE\n")
    }

    #[test]
    fn rules_for_everyone_open_only_what_was_asked_for() {
        for text in [
            "ufw allow from any to any port 5432 proto tcp".to_owned(),
            "ufw allow proto tcp from 0.0.0.0/0 to any port 80,2379".into(),
            "ufw allow from any".into(),
            "ufw allow 2379:2380/tcp".into(),
            "for p in 80 9100; do ufw allow from any to any port \"$p\"; done".into(),
            "firewall-cmd --permanent --add-service=mysql".into(),
            "sed -i 's/^DEFAULT_INPUT_POLICY=.*/DEFAULT_INPUT_POLICY=\"ACCEPT\"/' /etc/default/ufw"
                .into(),
            task("ansible.builtin.command: ufw allow {{ item }}/tcp\n  loop: [443, 9100]"),
            task("community.general.ufw:\n    default: allow"),
            task(
                "community.general.ufw:\n    rule: allow\n    port: \"{{ item.port }}\"\n  loop:\n    - { port: 10250 }",
            ),
            task("community.general.ufw:\n    rule: allow\n    from_ip: any\n    port: 6379"),
            task("ansible.posix.firewalld:\n    port: 8472/udp\n    state: enabled"),
            task("ansible.builtin.iptables:\n    chain: INPUT\n    policy: ACCEPT"),
            task(
                "ansible.builtin.iptables:\n    chain: INPUT\n    jump: ACCEPT\n    destination_port: 2379",
            ),
        ] {
            assert_eq!(said(&text).len(), 1, "{text}: {:?}", said(&text));
        }
        for text in [
            "ufw allow from any to any port 443 proto tcp".to_owned(),
            "ufw allow from 10.0.0.0/24 to any port 5432".into(),
            "ufw allow in on eth1 from any to any port 5432".into(),
            "ufw delete allow from any to any port 5432".into(),
            "ufw allow 80,443/tcp".into(),
            "firewall-cmd --zone=internal --add-service=mysql".into(),
            task("ansible.builtin.command: ufw allow {{ item }}/tcp\n  loop: [80, 443]"),
            task(
                "ansible.builtin.command: ufw allow from 10.0.0.0/8 to any port {{ item }}\n  loop: [9100]",
            ),
            task("community.general.ufw:\n    default: allow\n    direction: outgoing"),
            task("community.general.ufw:\n    default: deny\n    direction: incoming"),
            task("ansible.posix.firewalld:\n    port: 443/tcp\n    state: enabled"),
            task(
                "ansible.builtin.iptables:\n    chain: INPUT\n    jump: ACCEPT\n    ctstate: [ESTABLISHED]",
            ),
        ] {
            assert_eq!(said(&text), Vec::<String>::new(), "{text}");
        }
    }
}
