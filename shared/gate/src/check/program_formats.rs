//! Checks files of programs that have their own kinds of JSON, YAML or TOML: Docker's daemon, cloud-init and TOML.

use super::config::{has_unit, kind};
use super::error;
use crate::places::is_yaml;
use crate::yaml::{self, Node};
use crate::{FILES, Unit, Written};
use domain::gate::Finding;
use serde_json::Value;
use std::collections::BTreeSet;

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
    let options = settings.get("log-opts").and_then(Value::as_object).into_iter().flatten();
    for (name, value) in options.filter(|(_, value)| value.is_number() || value.is_boolean()) {
        let message = format!("`{name}` takes a string: `\"{value}\"`.");
        found.push((line(&format!("\"{name}\"")), message));
    }
    let hosts = settings.get("hosts").and_then(Value::as_array).into_iter().flatten();
    let guarded = settings.get("tlsverify").and_then(Value::as_bool) == Some(true);
    for host in hosts.filter_map(Value::as_str).filter(|host| host.starts_with("tcp://")) {
        let local = ["tcp://127.", "tcp://localhost", "tcp://[::1]"];
        if !guarded && !local.iter().any(|begin| host.starts_with(begin)) {
            let message = format!(
                "`{host}` lets anyone who can reach it control the host: Docker asks for no \
                password."
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
        // A number with `0o` is a text for cloud-init's parser.
        let mode = node.get("permissions").filter(|mode| !mode.quoted);
        let mode = mode.filter(|mode| mode.text().is_some_and(|text| !text.starts_with("0o")));
        if let Some(mode) = mode {
            let said = mode.text().unwrap_or_default();
            found.push((
                mode.line,
                format!("Without quotes, `{said}` is a number, and cloud-init needs a string."),
            ));
        }
        for key in ["packages", "runcmd", "bootcmd", "write_files", "ssh_authorized_keys"] {
            let Some(value) = node.get(key) else { continue };
            // A template fills in what may be a list.
            let filled = value.text().is_some_and(|text| text == "x" || text.contains(['$', '{']));
            if value.is_single() && !filled {
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

/// Heads, tables and keys that occur twice, and values that need quotes.
fn toml(file: &Written) -> Mistakes {
    if kind(file) != "toml" {
        return Vec::new();
    }
    let mut found = Vec::new();
    // What ends the text or the list that goes on.
    let mut inside: Option<&str> = None;
    let mut begun = 0;
    let (mut table, mut seen) = (String::new(), BTreeSet::new());
    for (at, line) in file.text.lines().enumerate() {
        let bare = line.trim();
        if let Some(end) = inside {
            // The next key or table begins before the end of the list.
            if end != "]" || !begins_entry(bare) {
                inside = inside.filter(|_| !line.contains(end));
                continue;
            }
            found.push((begun, "This list is not closed.".to_owned()));
            inside = None;
        }
        if bare.is_empty() || bare.starts_with('#') {
            continue;
        }
        if bare.starts_with('[') {
            let head = bare.split('#').next().unwrap_or_default().trim();
            if !head.ends_with([']', ',']) {
                found.push((at + 1, format!("This section header is not closed: `{bare}`.")));
            }
            if head.starts_with("[[") {
                // Each item of an array of tables has its own keys.
                table = format!("{head}{at}");
            } else {
                head.clone_into(&mut table);
                if !seen.insert(table.clone()) {
                    found.push((at + 1, format!("The table `{table}` already exists.")));
                }
            }
            continue;
        }
        let Some((key, value)) = bare.split_once('=') else {
            let name =
                |key: &str| key.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
            let yaml = bare.split_once(": ").is_some_and(|(key, _)| name(key));
            if yaml && !file.expands {
                found.push((at + 1, format!("TOML needs `=` after a key, not a colon: `{bare}`.")));
            }
            continue;
        };
        let (key, value) = (key.trim(), value.trim());
        let opens =
            |quotes: &&str| value.strip_prefix(*quotes).is_some_and(|rest| !rest.contains(*quotes));
        let list =
            value.starts_with('[') && value.matches('[').count() > value.matches(']').count();
        inside = ["\"\"\"", "'''"].into_iter().find(opens).or(list.then_some("]"));
        begun = at + 1;
        let quote = value.chars().next().filter(|c| ['"', '\''].contains(c));
        if let Some(quote) = quote.filter(|quote| inside.is_none() && !closes(value, *quote)) {
            found.push((at + 1, format!("This string is not closed: `{quote}`.")));
        }
        if !line.starts_with([' ', '\t']) && !seen.insert(format!("{table} {key}")) {
            found.push((at + 1, format!("`{key}` already has a value.")));
        }
        let word = value.split([' ', '#']).next().unwrap_or_default();
        let number = value.starts_with(|c: char| c.is_ascii_digit());
        // Bash fills in what begins with `$`.
        let begins = value.starts_with(['"', '\'', '[', '{', '+', '-', '$'])
            || number
            || ["true", "false", "inf", "nan"].contains(&word);
        let text = ["requires-python", "edition", "rust-version"].contains(&key);
        if !begins || has_unit(word) || (text && number) {
            found.push((at + 1, format!("TOML needs quotes around `{value}`.")));
        }
    }
    if inside.is_some() && !file.expands {
        found.push((begun, "This value is not closed.".to_owned()));
    }
    found
}

/// Whether a line begins an entry of TOML: a key with its value, or the head of a table.
fn begins_entry(line: &str) -> bool {
    let key = |text: &str| {
        let text = text.trim();
        let plain = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(plain)
    };
    let head = line.trim_start_matches('[').trim_end_matches(']');
    let heads = line.starts_with('[') && line.ends_with(']') && key(head);
    heads || line.split_once('=').is_some_and(|(name, _)| key(name))
}

/// Whether a text in quotes ends in its line.
fn closes(value: &str, quote: char) -> bool {
    let mut escaped = false;
    value.chars().skip(1).any(|c| {
        let ends = c == quote && !escaped;
        escaped = c == '\\' && !escaped && quote == '"';
        ends
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_unterminated_toml_value_is_found() {
        let said = |body: &str| {
            crate::testing::said(super::examine, &format!("cat >a.toml <<'E'\n{body}E\n")).len()
        };
        for (body, count) in [
            ("a = [\"b\", \"c\"\n", 1),
            ("a = [\"b\"\nd = 1\n", 1),
            ("a = [\"b\"\n[d]\ne = 1\n", 1),
            ("a = \"b\nc = 1\n", 1),
            ("a = [\n  \"b=1\",\n  [\"c\"],\n]\nd = \"e\\\"\" # f\n", 0),
            ("a = [{ b = 1 },\n  { b = 2 }]\nc = '''\nd = [\n'''\n", 0),
        ] {
            assert_eq!(said(body), count, "{body}");
        }
    }
}
