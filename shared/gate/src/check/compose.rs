//! Checks files for Docker Compose: keys must exist, and names must refer to something.

use super::error;
use crate::places::is_compose;
use crate::yaml::{self, Entry, Node};
use crate::{Unit, Written};
use domain::gate::Finding;

const TOOL: &str = "compose";

/// The keys at the top of a file, from the Compose specification.
const TOP: [&str; 9] = [
    "configs", "include", "models", "name", "networks", "secrets", "services", "version", "volumes",
];

/// The keys of a service, from the Compose specification.
const SERVICE: [&str; 94] = [
    "annotations",
    "attach",
    "blkio_config",
    "build",
    "cap_add",
    "cap_drop",
    "cgroup",
    "cgroup_parent",
    "command",
    "configs",
    "container_name",
    "cpu_count",
    "cpu_percent",
    "cpu_period",
    "cpu_quota",
    "cpu_rt_period",
    "cpu_rt_runtime",
    "cpu_shares",
    "cpus",
    "cpuset",
    "credential_spec",
    "depends_on",
    "deploy",
    "develop",
    "device_cgroup_rules",
    "devices",
    "dns",
    "dns_opt",
    "dns_search",
    "domainname",
    "driver_opts",
    "entrypoint",
    "env_file",
    "environment",
    "expose",
    "extends",
    "external_links",
    "extra_hosts",
    "gpus",
    "group_add",
    "healthcheck",
    "hostname",
    "image",
    "init",
    "ipc",
    "isolation",
    "label_file",
    "labels",
    "links",
    "logging",
    "mac_address",
    "mem_limit",
    "mem_reservation",
    "mem_swappiness",
    "memswap_limit",
    "models",
    "network_mode",
    "networks",
    "oom_kill_disable",
    "oom_score_adj",
    "pid",
    "pids_limit",
    "platform",
    "ports",
    "post_start",
    "pre_stop",
    "privileged",
    "profiles",
    "provider",
    "pull_policy",
    "pull_refresh_after",
    "read_only",
    "restart",
    "runtime",
    "scale",
    "secrets",
    "security_opt",
    "shm_size",
    "stdin_open",
    "stop_grace_period",
    "stop_signal",
    "storage_opt",
    "sysctls",
    "tmpfs",
    "tty",
    "ulimits",
    "use_api_socket",
    "user",
    "userns_mode",
    "uts",
    "volumes",
    "volumes_from",
    "working_dir",
    "<<",
];

/// The keys of some mappings in a service, from the Compose specification.
const NESTED: [(&str, &[&str]); 3] = [
    (
        "healthcheck",
        &[
            "<<",
            "disable",
            "interval",
            "retries",
            "start_interval",
            "start_period",
            "test",
            "timeout",
        ],
    ),
    ("logging", &["<<", "driver", "options"]),
    (
        "deploy",
        &[
            "<<",
            "endpoint_mode",
            "labels",
            "mode",
            "placement",
            "replicas",
            "resources",
            "restart_policy",
            "rollback_config",
            "update_config",
        ],
    ),
];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written().filter(|file| is_compose(file)) {
        let Ok(documents) = yaml::documents(&file.filled()) else { continue };
        for document in &documents {
            one(file, document, findings);
        }
    }
}

fn one(file: &Written, document: &Node, findings: &mut Vec<Finding>) {
    let mut tell = |line, message: String| {
        findings.push(error(TOOL, message).at(Some(&file.path), line));
    };
    for (line, key) in document.all().into_iter().flat_map(misshapen) {
        tell(line, format!("`{key}` takes names with their values, but this is a list."));
    }
    for entry in unknown(document.map(), &TOP) {
        tell(entry.line, format!("`{}` is not a key of a Compose file.", entry.key));
    }
    let names = |key: &str| -> Vec<&str> {
        document
            .get(key)
            .map(Node::map)
            .unwrap_or_default()
            .iter()
            .map(|e| e.key.as_str())
            .collect()
    };
    let (services, volumes, networks) = (names("services"), names("volumes"), names("networks"));
    for service in document.get("services").map(Node::map).unwrap_or_default() {
        for entry in unknown(service.value.map(), &SERVICE) {
            tell(entry.line, format!("`{}` is not a key of a service.", entry.key));
        }
        for (key, known) in NESTED {
            let inner = service.value.get(key).map(Node::map).unwrap_or_default();
            for entry in unknown(inner, known) {
                tell(entry.line, format!("`{}` is not a key of `{key}`.", entry.key));
            }
        }
        let made = ["image", "build", "extends", "<<", "provider"];
        if !service.value.map().iter().any(|entry| made.contains(&entry.key.as_str())) {
            tell(
                service.line,
                format!("The service `{}` has neither `image` nor `build`.", service.key),
            );
        }
        for (line, name) in listed(service.value.get("depends_on")) {
            if !services.contains(&name) {
                tell(line, format!("`depends_on` names `{name}`, which is not a service here."));
            }
        }
        for (line, name) in listed(service.value.get("networks")) {
            if name != "default" && !networks.contains(&name) {
                tell(line, format!("The network `{name}` is not declared in this file."));
            }
        }
        for (key, kind) in [("secrets", "secret"), ("configs", "configuration")] {
            let declared = names(key);
            for used in service.value.get(key).map(Node::list).unwrap_or_default() {
                let name = used.text().or_else(|| used.get("source")?.text());
                let Some(name) = name.filter(|name| !name.starts_with('$')) else { continue };
                if !declared.contains(&name) {
                    tell(used.line, format!("The {kind} `{name}` is not declared in this file."));
                }
            }
        }
        for volume in service.value.get("volumes").map(Node::list).unwrap_or_default() {
            let Some(name) = volume_name(volume) else { continue };
            if !volumes.contains(&name) {
                tell(volume.line, format!("The volume `{name}` is not declared in this file."));
            }
        }
    }
}

/// Settings that are names with values, given as a list of them: `- max-size: "10m"`.
fn misshapen(node: &Node) -> Vec<(usize, &'static str)> {
    let driven = node.get("driver").is_some();
    let keys = ["annotations", "driver_opts", "environment", "labels", "sysctls"];
    let keys = keys.into_iter().chain(driven.then_some("options"));
    keys.filter_map(|key| {
        let item = node.get(key)?.list().iter().find(|item| !item.map().is_empty())?;
        Some((item.line, key))
    })
    .collect()
}

fn unknown<'a>(entries: &'a [Entry], known: &[&str]) -> impl Iterator<Item = &'a Entry> {
    let known: Vec<String> = known.iter().map(ToString::to_string).collect();
    entries.iter().filter(move |entry| !known.contains(&entry.key) && !entry.key.starts_with("x-"))
}

/// Names given as a list or as the keys of a mapping.
fn listed(node: Option<&Node>) -> Vec<(usize, &str)> {
    let Some(node) = node else { return Vec::new() };
    let listed = node.list().iter().filter_map(|item| Some((item.line, item.text()?)));
    listed.chain(node.map().iter().map(|entry| (entry.line, entry.key.as_str()))).collect()
}

/// The named volume that a service mounts.
fn volume_name(volume: &Node) -> Option<&str> {
    let source = match volume.text() {
        Some(text) => text.split_once(':')?.0,
        None => {
            let kind = volume.get("type").and_then(Node::text).unwrap_or("volume");
            volume.get("source").and_then(Node::text).filter(|_| kind == "volume")?
        }
    };
    (!source.starts_with(['/', '.', '~', '$', '{'])).then_some(source)
}
