//! Finds what files of firewalls, containers, clusters and servers open to everyone.

use crate::check::error;
use crate::files::Written;
use crate::places::{is_compose, is_yaml};
use crate::yaml::{self, Node};
use crate::{POLICY, Unit};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written() {
        let found = [
            firewall(unit, file),
            containers(unit, file),
            redis(file),
            trusting(unit, file),
            passed(unit, file),
        ];
        for (line, message) in found.into_iter().flatten() {
            findings.push(error(POLICY, message).at(Some(&file.path), line));
        }
    }
    for file in unit.written() {
        for (line, message) in page(file) {
            findings.push(error(POLICY, message).at(Some(&file.path), line));
        }
    }
}

/// Rules of nftables without a source.
fn firewall(unit: &Unit, file: &Written) -> Vec<(usize, String)> {
    let tables = ["table inet ", "table ip ", "table ip6 "];
    if !file.text.lines().any(|line| tables.iter().any(|table| line.trim().starts_with(table))) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (at, line) in file.text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        if line.contains("hook input") && line.contains("policy accept") {
            let message = "This chain lets in whatever no rule refuses: its policy must be `drop`.";
            found.push((at + 1, message.to_owned()));
        }
        let limited = ["saddr", "iif", "ct state"].iter().any(|word| line.contains(word));
        let Some((_, ports)) = line.split_once("dport ") else { continue };
        let Some((ports, _)) = ports.split_once("accept").filter(|_| !limited) else { continue };
        let words = ports.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        for port in words.filter_map(|word| word.parse::<u16>().ok()) {
            if !unit.context.opens(port) {
                found.push((at + 1, super::ports::refusal(&port.to_string())));
            }
        }
    }
    found
}

/// Ports that an ingress passes on to a service of the cluster: `tcp: {"5432": "shop/db:5432"}` in the values of its chart.
fn passed(unit: &Unit, file: &Written) -> Vec<(usize, String)> {
    if !is_yaml(file) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for document in yaml::documents(&file.filled()).unwrap_or_default() {
        let parts = ["tcp", "udp"].into_iter().filter_map(|key| document.get(key));
        for entry in parts.flat_map(Node::map) {
            let target = entry.value.text().unwrap_or_default();
            let service = target.split_once('/').is_some_and(|(_, rest)| rest.contains(':'));
            let port =
                entry.key.parse::<u16>().ok().filter(|port| service && !unit.context.opens(*port));
            found.extend(port.map(|port| (entry.line, super::ports::refusal(&port.to_string()))));
        }
    }
    found
}

/// A page of HAProxy without a password.
fn page(file: &Written) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let tells =
        |line: &str| ["stats enable", "stats uri"].iter().any(|word| line.trim().starts_with(word));
    if let Some(at) = file.text.lines().position(tells) {
        let lines: Vec<&str> = file.text.lines().collect();
        let begins = |line: &&&str| !line.starts_with([' ', '\t']) && !line.trim().is_empty();
        let from = lines[..at].iter().rposition(|line| begins(&line)).unwrap_or(0);
        let end =
            lines[at..].iter().position(|line| begins(&line)).map_or(lines.len(), |to| at + to);
        let part = lines[from..end].join("\n");
        let open = ["bind :", "bind *:", "bind 0.0.0.0:"].iter().any(|bind| part.contains(bind));
        if open && !part.contains("stats auth") && !part.contains("http-request deny") {
            found.push((
                at + 1,
                "This HAProxy page is open to everyone, without a password.".to_owned(),
            ));
        }
    }
    found
}

/// A database that lets everyone in without a password.
fn trusting(unit: &Unit, file: &Written) -> Vec<(usize, String)> {
    if !is_yaml(file) || !file.text.contains("postgresql_pg_hba") {
        return Vec::new();
    }
    let Ok(documents) = yaml::documents(&file.filled()) else { return Vec::new() };
    let mut found = Vec::new();
    for node in documents.iter().flat_map(Node::all) {
        let says = |key: &str, wanted: &str| node.get(key).and_then(Node::text) == Some(wanted);
        let remote = node.get("contype").is_some() && !says("contype", "local");
        if let Some(method) = node.get("method").filter(|_| remote && says("method", "trust")) {
            found.push((method.line, "`trust` lets everyone in without a password.".to_owned()));
        }
        let source = node.get("source").or_else(|| node.get("address"));
        let everyone = ["0.0.0.0/0", "::/0", "all"];
        let named = |text: &str| {
            everyone.iter().any(|it| names(unit, it).iter().any(|name| is_variable(text, name)))
        };
        let open = source
            .filter(|it| it.text().is_some_and(|text| everyone.contains(&text) || named(text)));
        let refused = says("method", "reject") || says("state", "absent");
        if let Some(source) = open.filter(|_| remote && !refused && !says("method", "trust")) {
            let message = "Every network may try to log in here: name the networks.";
            found.push((source.line, message.to_owned()));
        }
    }
    found
}

/// The variables in files of YAML that have a value.
fn names(unit: &Unit, value: &str) -> Vec<String> {
    let files = unit.tree.iter().filter(|file| is_yaml(file));
    let documents = files.filter_map(|file| yaml::documents(&file.filled()).ok()).flatten();
    let mut found = Vec::new();
    for entry in documents.collect::<Vec<_>>().iter().flat_map(Node::all).flat_map(Node::map) {
        found.extend((entry.value.text() == Some(value)).then(|| entry.key.clone()));
    }
    found
}

/// Whether a text consists of one variable of Ansible.
fn is_variable(text: &str, name: &str) -> bool {
    let inner = text.trim().strip_prefix("{{").and_then(|text| text.strip_suffix("}}"));
    inner.is_some_and(|inner| inner.trim() == name)
}

/// What a container may do to its host, and ports that a cluster opens on each node.
fn containers(unit: &Unit, file: &Written) -> Vec<(usize, String)> {
    let kubernetes = file.text.lines().any(|line| line.starts_with("kind:"));
    let tasks = file.text.contains("docker_container:");
    if !is_yaml(file) || !(kubernetes || tasks || is_compose(file)) {
        return Vec::new();
    }
    let Ok(documents) = yaml::documents(&file.filled()) else { return Vec::new() };
    let asked = unit.context.asked.to_lowercase();
    let mut found = Vec::new();
    for node in documents.iter().flat_map(Node::all) {
        let says = |key: &str, wanted: &str| {
            node.get(key).filter(|value| value.text() == Some(wanted)).map(|value| value.line)
        };
        if let Some(line) = says("privileged", "true").filter(|_| !asked.contains("privileged")) {
            found.push((
                line,
                "A privileged container controls its host: grant only the capabilities that it \
                needs."
                    .into(),
            ));
        }
        for port in node.get("published_ports").map(Node::list).unwrap_or_default() {
            let message = port.text().and_then(|spec| super::ports::published_port(unit, spec));
            found.extend(message.map(|message| (port.line, message)));
        }
        let added = node.get("cap_add").or_else(|| node.get("capabilities")?.get("add"));
        let all = added.map(Node::list).unwrap_or_default().iter();
        for item in
            all.filter(|item| item.text().is_some_and(|name| name.eq_ignore_ascii_case("all")))
        {
            found.push((
                item.line,
                "A container with all capabilities controls its host: grant only those that it \
                needs."
                    .into(),
            ));
        }
        let service = node.get("kind").and_then(Node::text) == Some("Service");
        let kind = node.get("spec").and_then(|spec| spec.get("type"));
        if service && kind.and_then(Node::text) == Some("LoadBalancer") {
            let ports = node.get("spec").and_then(|spec| spec.get("ports"));
            for port in ports.map(Node::list).unwrap_or_default() {
                let number = port.get("port").and_then(Node::text);
                let number = number.and_then(|text| text.parse::<u16>().ok());
                if let Some(number) = number.filter(|number| !unit.context.opens(*number)) {
                    found.push((port.line, super::ports::refusal(&number.to_string())));
                }
            }
        }
        let opens = kind.filter(|kind| service && kind.text() == Some("NodePort"));
        if let Some(kind) = opens.filter(|_| !asked.contains("nodeport")) {
            let message = "`NodePort` opens a port on each node, which was not asked for.";
            found.push((kind.line, message.into()));
        }
    }
    found
}

/// A Redis that answers everyone.
fn redis(file: &Written) -> Vec<(usize, String)> {
    let lines = || file.text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let guarded = lines().any(|words| words.first() == Some(&"requirepass"));
    let open = lines().position(|words| words == ["protected-mode", "no"]).filter(|_| !guarded);
    let message = "Without protected mode and a password, Redis obeys anyone who can reach it.";
    open.map(|at| (at + 1, message.to_owned())).into_iter().collect()
}
