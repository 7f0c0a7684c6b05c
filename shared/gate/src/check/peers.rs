//! Finds names of containers in settings of proxies and of Prometheus that no service of the script's Compose files has.

use super::{FILES, error};
use crate::Unit;
use crate::places::{is_compose, is_yaml};
use crate::yaml::{self, Node};
use domain::gate::Finding;
use std::collections::BTreeSet;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let mut known: BTreeSet<String> = BTreeSet::new();
    for file in unit.tree.iter().filter(|file| is_compose(file)) {
        for document in yaml::documents(&file.filled()).unwrap_or_default() {
            let services = document.get("services").map(Node::map).unwrap_or_default();
            known.extend(services.iter().map(|service| service.key.clone()));
            for node in document.all() {
                let names = ["container_name", "hostname"].iter().filter_map(|key| node.get(key));
                known.extend(names.filter_map(Node::text).map(str::to_owned));
                let aliases = node.get("aliases").map(Node::list).unwrap_or_default();
                known.extend(aliases.iter().filter_map(Node::text).map(str::to_owned));
            }
        }
    }
    if known.is_empty() {
        return;
    }
    let mut named: Vec<(&str, usize, String)> = Vec::new();
    for file in unit.written().filter(|file| !is_compose(file)) {
        for (at, line) in file.text.lines().enumerate() {
            let hosts = hosts(line.trim(), is_yaml(file));
            named.extend(
                hosts.into_iter().map(|host| (file.path.as_str(), at + 1, host.to_owned())),
            );
        }
    }
    let upstreams: Vec<&str> = unit
        .written()
        .flat_map(|file| file.text.lines())
        .filter_map(|line| line.trim().strip_prefix("upstream ")?.split_whitespace().next())
        .collect();
    // Settings that name one of the services are those of its neighbors.
    if !named.iter().any(|(_, _, host)| known.contains(host)) {
        return;
    }
    for (file, line, host) in named {
        if !known.contains(&host) && !upstreams.contains(&host.as_str()) {
            let message = format!("No service here is named `{host}`.");
            findings.push(error(FILES, message).at(Some(file), line));
        }
    }
}

/// The hosts without a domain that a line names with a port.
fn hosts(line: &str, yaml: bool) -> Vec<&str> {
    let pass = ["proxy_pass ", "fastcgi_pass ", "reverse_proxy ", "uwsgi_pass ", "grpc_pass "];
    let texts: Vec<&str> = if let Some(rest) = pass.iter().find_map(|it| line.strip_prefix(it)) {
        rest.split_whitespace().take(1).collect()
    } else if yaml && line.trim_start_matches("- ").starts_with("targets: [") {
        line.split(['[', ']']).nth(1).unwrap_or_default().split(',').collect()
    } else {
        Vec::new()
    };
    texts.into_iter().filter_map(host).collect()
}

/// The host of `http://web:80` and `web:80`, if it has no domain.
fn host(text: &str) -> Option<&str> {
    let text = text.trim().trim_matches(['"', '\'', ';']);
    let (host, port) = text.rsplit("://").next()?.split_once(':')?;
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    let named = host.starts_with(|c: char| c.is_ascii_lowercase()) && host.chars().all(plain);
    let own = ["localhost", "unix"].contains(&host);
    (named && !own && port.starts_with(|c: char| c.is_ascii_digit())).then_some(host)
}

#[cfg(test)]
mod tests {
    #[test]
    fn proxies_and_prometheus_name_services() {
        let said = |text: &str| crate::testing::said(super::examine, text).len();
        let stack = "cat >compose.yaml <<'E'\nservices:\n  web:\n    image: a:1\n  node:\n    image: b:1\n    hostname: host1\nE\n";
        for (text, count) in [
            ("cat >nginx.conf <<'E'\nproxy_pass http://web:80;\nfastcgi_pass php:9000;\nE\n", 1),
            ("cat >prometheus.yml <<'E'\n  - targets: [\"node:9100\", \"exporter:9100\"]\nE\n", 1),
            (
                "cat >nginx.conf <<'E'\nproxy_pass http://web:80;\nproxy_pass http://host1:81;\nE\n",
                0,
            ),
            (
                "cat >nginx.conf <<'E'\nproxy_pass http://web:80;\nproxy_pass http://127.0.0.1:81;\nproxy_pass http://a.example.org:80;\nE\n",
                0,
            ),
            ("cat >nginx.conf <<'E'\nproxy_pass http://other:80;\nE\n", 0),
        ] {
            assert_eq!(said(&format!("{stack}{text}")), count, "{text}");
        }
    }
}
