//! Finds names of containers in settings of proxies and of Prometheus that no service of the script's Compose files has.

use super::{FILES, error};
use crate::places::{is_compose, is_yaml};
use crate::yaml::{self, Node};
use crate::{Unit, Written};
use domain::gate::Finding;
use std::collections::BTreeSet;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let known = services(unit);
    if known.is_empty() {
        return;
    }
    let mounted = mounted(unit);
    let mut named: Vec<(&Written, usize, String)> = Vec::new();
    for file in unit.written().filter(|file| !is_compose(file)) {
        for (at, line) in file.text.lines().enumerate() {
            let hosts = hosts(line.trim(), is_yaml(file));
            named.extend(hosts.into_iter().map(|host| (file, at + 1, host.to_owned())));
        }
    }
    let upstreams: Vec<&str> = unit
        .written()
        .flat_map(|file| file.text.lines())
        .filter_map(|line| line.trim().strip_prefix("upstream ")?.split_whitespace().next())
        .collect();
    // Settings that name one of the services are those of its neighbors, as are those in a container of the same files.
    let neighbors = named.iter().any(|(_, _, host)| known.contains(host));
    for (file, line, host) in named {
        let inside = || mounted.iter().any(|place| is_in(&file.path, place));
        if !known.contains(&host) && !upstreams.contains(&host.as_str()) && (neighbors || inside())
        {
            let message = format!("No service here is named `{host}`.");
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
}

/// The names under which containers of the script's Compose files reach each other.
pub(super) fn services(unit: &Unit) -> BTreeSet<String> {
    let mut known = BTreeSet::new();
    for document in documents(unit) {
        let services = document.get("services").map(Node::map).unwrap_or_default();
        known.extend(services.iter().map(|service| service.key.clone()));
        for node in document.all() {
            let names = ["container_name", "hostname"].iter().filter_map(|key| node.get(key));
            known.extend(names.filter_map(Node::text).map(str::to_owned));
            let aliases = node.get("aliases").map(Node::list).unwrap_or_default();
            known.extend(aliases.iter().filter_map(Node::text).map(str::to_owned));
        }
    }
    known
}

fn documents(unit: &Unit) -> Vec<Node> {
    let files = unit.tree.iter().filter(|file| is_compose(file));
    files.flat_map(|file| yaml::documents(&file.filled()).unwrap_or_default()).collect()
}

/// The files and folders beside Compose files that containers see, unless they may know hosts from elsewhere: by a network
/// that others share, or by a list of hosts.
fn mounted(unit: &Unit) -> Vec<String> {
    let documents = documents(unit);
    let elsewhere = ["external", "external_links", "extra_hosts", "links", "network_mode"];
    let knows = |node: &&Node| elsewhere.iter().any(|key| node.get(key).is_some());
    if documents.iter().flat_map(Node::all).any(|node| knows(&node)) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for node in documents.iter().flat_map(Node::all) {
        for volume in node.get("volumes").map(Node::list).unwrap_or_default() {
            let source = volume.text().and_then(|text| text.split(':').next());
            let source = source.or_else(|| volume.get("source")?.text());
            let own = source.and_then(|source| source.strip_prefix("./"));
            found.extend(own.map(|place| place.trim_end_matches('/').to_owned()));
        }
    }
    found
}

/// Whether a file's path ends with a place beside the Compose file, or lies in that folder.
fn is_in(path: &str, place: &str) -> bool {
    let inside = format!("/{}", path.trim_start_matches("./"));
    !place.is_empty()
        && (inside.ends_with(&format!("/{place}")) || inside.contains(&format!("/{place}/")))
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
        let mounted =
            stack.replace("image: a:1", "image: a:1\n    volumes:\n      - ./conf:/etc/nginx:ro");
        for (text, count) in [
            ("cat >conf/a.conf <<'E'\nproxy_pass http://other:80;\nE\n", 1),
            ("cat >/opt/shop/conf/a.conf <<'E'\nfastcgi_pass other:9000;\nE\n", 1),
            ("cat >other.conf <<'E'\nproxy_pass http://other:80;\nE\n", 0),
        ] {
            assert_eq!(said(&format!("{mounted}{text}")), count, "{text}");
        }
        let shared = mounted.replace("services:", "networks:\n  a:\n    external: true\nservices:");
        let conf = "cat >conf/a.conf <<'E'\nproxy_pass http://other:80;\nE\n";
        assert_eq!(said(&format!("{shared}{conf}")), 0);
    }
}
