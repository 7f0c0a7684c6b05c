//! Checks files of programs that read JSON, YAML or TOML with kinds of their own: Docker's daemon, cloud-init and TOML.

use super::error;
use crate::places::is_yaml;
use crate::yaml::{self, Node};
use crate::{FILES, Unit, Written};
use domain::gate::Finding;
use serde_json::Value;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written() {
        for (line, message) in
            daemon(file).into_iter().chain(first_boot(file)).chain(toml(file)).chain(routes(file))
        {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
}

type Mistakes = Vec<(usize, String)>;

fn daemon(file: &Written) -> Mistakes {
    if !file.name().ends_with("daemon.json") || file.expands {
        return Vec::new();
    }
    let Ok(settings) = serde_json::from_str::<Value>(&file.text) else { return Vec::new() };
    let line =
        |part: &str| file.text.lines().position(|line| line.contains(part)).map_or(1, |at| at + 1);
    let mut found = Vec::new();
    for key in ["log-opts", "storage-opts", "default-ulimits"] {
        let options = settings.get(key).and_then(Value::as_object).into_iter().flatten();
        for (name, value) in options.filter(|(_, value)| value.is_number() || value.is_boolean()) {
            if key == "log-opts" {
                let message = format!("`{name}` takes a text: `\"{value}\"`.");
                found.push((line(&format!("\"{name}\"")), message));
            }
        }
    }
    let hosts = settings.get("hosts").and_then(Value::as_array).into_iter().flatten();
    let guarded = settings.get("tlsverify").and_then(Value::as_bool) == Some(true);
    for host in hosts.filter_map(Value::as_str).filter(|host| host.starts_with("tcp://")) {
        let local = ["tcp://127.", "tcp://localhost", "tcp://[::1]"];
        if !guarded && !local.iter().any(|begin| host.starts_with(begin)) {
            let message = format!(
                "`{host}` lets everyone who reaches it own the host: Docker has no password."
            );
            found.push((line(host), message));
        }
    }
    found
}

/// Values of cloud-init that must be texts.
fn first_boot(file: &Written) -> Mistakes {
    if !file.text.starts_with("#cloud-config") {
        return Vec::new();
    }
    let Ok(documents) = yaml::documents(&file.filled()) else { return Vec::new() };
    let mut found = Vec::new();
    for node in documents.iter().flat_map(Node::all) {
        let mode = node.get("permissions").filter(|mode| !mode.quoted && mode.text().is_some());
        if let Some(mode) = mode {
            let said = mode.text().unwrap_or_default();
            found.push((
                mode.line,
                format!("Without quotes, `{said}` is a number, and cloud-init wants a text."),
            ));
        }
        for key in ["packages", "runcmd", "bootcmd", "write_files", "users", "ssh_authorized_keys"]
        {
            let Some(value) = node.get(key) else { continue };
            if value.text().is_some_and(|text| !text.is_empty() && text != "x")
                || !value.map().is_empty()
            {
                found.push((value.line, format!("`{key}` takes a list, with `- `.")));
            }
        }
    }
    found
}

/// The servers of a balancer in Traefik's dynamic configuration, which are a list.
fn routes(file: &Written) -> Mistakes {
    if !is_yaml(file) || file.text.contains("apiVersion:") {
        return Vec::new();
    }
    let Ok(documents) = yaml::documents(&file.filled()) else { return Vec::new() };
    let nodes = documents.iter().flat_map(Node::all);
    let servers = nodes.filter_map(|node| node.get("loadBalancer")?.get("servers"));
    let wrong = servers.filter(|servers| servers.list().is_empty());
    wrong.map(|servers| (servers.line, "`servers` takes a list, with `- `.".to_owned())).collect()
}

/// A value of TOML that begins like none.
fn toml(file: &Written) -> Mistakes {
    if file.extension() != "toml" {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut inside: Option<&str> = None;
    let (mut table, mut seen) = (String::new(), std::collections::BTreeSet::new());
    for (at, line) in file.filled().lines().enumerate() {
        if let Some(end) = inside {
            if line.contains(end) {
                inside = None;
            }
            continue;
        }
        let bare = line.trim();
        if bare.is_empty() || bare.starts_with('#') {
            continue;
        }
        if bare.starts_with('[') {
            if !bare.split('#').next().unwrap_or_default().trim_end().ends_with([']', ',']) {
                found.push((at + 1, "This bracket does not end.".to_owned()));
            }
            table = bare.split('#').next().unwrap_or_default().trim().to_owned();
            if table.starts_with("[[") {
                // Each item of an array of tables has its own keys.
                table = format!("{table}{at}");
            } else if !seen.insert(table.clone()) {
                found.push((at + 1, format!("The table `{table}` is there already.")));
            }
            continue;
        }
        let Some((key, value)) = bare.split_once('=') else { continue };
        let (key, value) = (key.trim(), value.trim());
        let plain = key.chars().all(|c| c.is_alphanumeric() || "_-.\"' ".contains(c));
        if line.starts_with([' ', '\t']) && !plain {
            continue;
        }
        for quotes in ["\"\"\"", "'''"] {
            if value.starts_with(quotes) && !value[quotes.len()..].contains(quotes) {
                inside = Some(quotes);
            }
        }
        let list =
            value.starts_with('[') && value.matches('[').count() > value.matches(']').count();
        if list {
            inside = Some("]");
        }
        let words = ["true", "false", "inf", "nan"];
        let begins = value.starts_with(['"', '\'', '[', '{', '+', '-'])
            || value.starts_with(|c: char| c.is_ascii_digit())
            || words.iter().any(|word| value.starts_with(word));
        if plain && !line.starts_with([' ', '\t']) && !seen.insert(format!("{table} {key}")) {
            found.push((at + 1, format!("`{key}` has a value already.")));
        }
        let texts = ["requires-python", "edition", "rust-version"];
        if texts.contains(&key) && value.starts_with(|c: char| c.is_ascii_digit()) {
            found.push((at + 1, format!("`{key}` takes a text: put quotes around `{value}`.")));
        }
        if plain && !begins {
            found.push((at + 1, format!("The value of `{key}` needs quotes.")));
        }
    }
    found
}
