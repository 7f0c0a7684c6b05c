//! Checks how the services of a Compose file share a host: ports, networks, health and the folders of their data.

use super::values::refused;
use crate::yaml::Node;
use std::collections::BTreeMap;

/// Images without their own health check, and the folder in which each keeps its data.
const IMAGES: [(&str, &str); 12] = [
    ("elasticsearch", "/usr/share/elasticsearch/data"),
    ("grafana/grafana", "/var/lib/grafana"),
    ("mariadb", "/var/lib/mysql"),
    ("minio/minio", "/data"),
    ("mongo", "/data/db"),
    ("mysql", "/var/lib/mysql"),
    ("postgres", "/var/lib/postgresql"),
    ("prom/prometheus", "/prometheus"),
    ("rabbitmq", "/var/lib/rabbitmq"),
    ("redis", "/data"),
    ("valkey/valkey", "/data"),
    ("vaultwarden/server", "/data"),
];

/// Mappings of a service whose values are in the table.
const PARTS: [&str; 4] = ["healthcheck", "restart_policy", "rollback_config", "update_config"];

pub(super) fn examine(document: &Node, found: &mut Vec<(usize, String)>) {
    let services = document.get("services").map(Node::map).unwrap_or_default();
    let mut ports: BTreeMap<String, String> = BTreeMap::new();
    for service in services {
        let (name, node) = (&service.key, &service.value);
        for entry in node.map() {
            value("service", &entry.key, &entry.value, found);
        }
        for part in PARTS {
            let inner = node.get(part).or_else(|| node.get("deploy")?.get(part));
            for entry in inner.map(Node::map).unwrap_or_default() {
                value(part, &entry.key, &entry.value, found);
            }
        }
        for entry in node.get("deploy").map(Node::map).unwrap_or_default() {
            value("deploy", &entry.key, &entry.value, found);
        }
        let resources = node.get("deploy").and_then(|deploy| deploy.get("resources"));
        for part in ["limits", "reservations"] {
            let amounts = resources.and_then(|resources| resources.get(part));
            for entry in amounts.map(Node::map).unwrap_or_default() {
                value(part, &entry.key, &entry.value, found);
            }
        }
        for part in ["ports", "volumes"] {
            let items = node.get(part).map(Node::list).unwrap_or_default();
            for entry in items.iter().flat_map(Node::map) {
                value(part, &entry.key, &entry.value, found);
            }
        }
        for part in ["cap_add", "cap_drop"] {
            for item in node.get(part).map(Node::list).unwrap_or_default() {
                let Some(name) = item.text() else { continue };
                let short = name.to_uppercase();
                if refused("compose.cap", "cap", short.trim_start_matches("CAP_")).is_some() {
                    found.push((item.line, format!("Linux has no capability `{name}`.")));
                }
            }
        }
        health(node, found);
        for port in node.get("ports").map(Node::list).unwrap_or_default() {
            let Some(place) = port.text().and_then(published) else { continue };
            if let Some(other) = ports.insert(place.clone(), name.clone()) {
                found.push((port.line, format!("`{other}` and `{name}` both publish {place}.")));
            }
        }
        if let Some(mode) = node.get("network_mode") {
            let clash = ["networks", "ports"].into_iter().find(|key| {
                node.get(key).is_some() && (*key == "networks" || mode.text() == Some("host"))
            });
            if let Some(key) = clash {
                found.push((mode.line, format!("`network_mode` and `{key}` exclude each other.")));
            }
        }
        for needed in node.get("depends_on").map(Node::map).unwrap_or_default() {
            for entry in needed.value.map() {
                value("depends_on", &entry.key, &entry.value, found);
            }
            let other = services.iter().find(|other| other.key == needed.key);
            let waits =
                needed.value.get("condition").filter(|c| c.text() == Some("service_healthy"));
            let (Some(other), Some(condition)) = (other, waits) else { continue };
            let known = image(&other.value).is_some_and(|(name, _)| !name.contains('/'));
            let inherits = other.value.get("<<").is_some() || other.value.get("extends").is_some();
            if known && !inherits && other.value.get("healthcheck").is_none() {
                let message =
                    format!("`{}` has no health check, so it never becomes healthy.", other.key);
                found.push((condition.line, message));
            }
        }
        data(node, found);
        hosts(document, node, found);
    }
}

/// Addresses in a service's environment whose host is not a service here.
fn hosts(document: &Node, node: &Node, found: &mut Vec<(usize, String)>) {
    let services = document.get("services").map(Node::map).unwrap_or_default();
    let joins = |node: &Node| {
        ["aliases", "container_name", "extra_hosts", "hostname", "network_mode", "external_links"]
            .iter()
            .any(|key| node.all().into_iter().any(|inner| inner.get(key).is_some()))
    };
    let external = document.get("networks").is_some_and(|networks| {
        networks.all().into_iter().any(|inner| inner.get("external").is_some())
    });
    if external || services.iter().any(|service| joins(&service.value)) {
        return;
    }
    let Some(environment) = node.get("environment") else { return };
    let listed = environment.list().iter().filter_map(|item| Some((item.line, item.text()?)));
    let mapped =
        environment.map().iter().filter_map(|entry| Some((entry.line, entry.value.text()?)));
    for (line, text) in listed.chain(mapped) {
        let Some((_, address)) = text.split_once("://") else { continue };
        let place = address.split(['/', '?', ',']).next().unwrap_or_default();
        let host = place.rsplit_once('@').map_or(place, |(_, host)| host);
        let host = host.split(':').next().unwrap_or_default();
        let open = !host.contains(char::is_alphanumeric)
            || host == "localhost"
            || host.contains(['.', '$', '{', '}', '[', '*']);
        if !open && !services.iter().any(|service| service.key == host) {
            found.push((line, format!("No service is named `{host}` here.")));
        }
    }
}

fn value(kind: &str, key: &str, node: &Node, found: &mut Vec<(usize, String)>) {
    let Some(text) = node.text() else { return };
    if let Some(words) = refused(&format!("compose.{kind}"), key, text) {
        found.push((node.line, format!("`{key}` does not take `{text}`: {words}.")));
    }
}

/// The first word of a health check's list says how it runs.
fn health(node: &Node, found: &mut Vec<(usize, String)>) {
    let Some(test) = node.get("healthcheck").and_then(|health| health.get("test")) else { return };
    let first = test.list().first().and_then(Node::text);
    let words = test.list();
    let line = words.get(1).and_then(Node::text).filter(|line| line.contains(' '));
    if line.is_some_and(|_| first == Some("CMD") && words.len() == 2) {
        let message = "`CMD` runs its items without a shell: a command line needs `CMD-SHELL`.";
        found.push((test.line, message.to_owned()));
    }
    if first.is_some_and(|word| !["CMD", "CMD-SHELL", "NONE"].contains(&word)) {
        let message = "The list of `test` begins with `CMD` or `CMD-SHELL`.".to_owned();
        found.push((test.line, message));
    }
}

/// The address and port of the host that a service takes.
fn published(text: &str) -> Option<String> {
    let (host, _) = text.rsplit_once(':')?;
    let protocol = text.rsplit_once('/').map_or("tcp", |(_, protocol)| protocol);
    let plain = |c: char| c.is_ascii_digit() || ".:".contains(c);
    (host.chars().all(plain) && !host.is_empty()).then(|| format!("{host}/{protocol}"))
}

fn image(node: &Node) -> Option<(&'static str, &'static str)> {
    let image = node.get("image").and_then(Node::text)?;
    let image = image.trim_start_matches("docker.io/").trim_start_matches("library/");
    let name = image.split([':', '@']).next().unwrap_or_default();
    IMAGES.iter().copied().find(|(known, _)| *known == name)
}

/// Volumes of which none has the folder in which the image keeps its data.
fn data(node: &Node, found: &mut Vec<(usize, String)>) {
    let Some((name, folder)) = image(node) else { return };
    let volumes = node.get("volumes").map(Node::list).unwrap_or_default();
    let target = |volume: &Node| match volume.text() {
        Some(text) => text.split(':').nth(1).map(str::to_owned),
        None => volume.get("target").and_then(Node::text).map(str::to_owned),
    };
    let named: Vec<(usize, String)> = volumes
        .iter()
        .filter(|volume| !volume.text().is_some_and(|text| text.starts_with(['.', '/', '~', '$'])))
        .filter_map(|volume| Some((volume.line, target(volume)?)))
        .collect();
    let all: Vec<String> = volumes.iter().filter_map(target).collect();
    // A setting such as `PGDATA` or `--dir` names another folder.
    let moved = node.get("command").is_some()
        || node.all().into_iter().flat_map(Node::map).any(|entry| entry.key == "PGDATA");
    let kept =
        all.iter().any(|place| place.starts_with(folder) || folder.starts_with(place.as_str()));
    if let Some((line, place)) =
        named.first().filter(|_| !(kept || moved && name != "mariadb" && name != "mysql"))
    {
        found.push((*line, format!("`{name}` keeps its data in `{folder}`, not in `{place}`: it is lost with the container.")));
    }
}
