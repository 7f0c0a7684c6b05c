//! Finds misspelled names of settings: names that no table has, and that are almost one that it has.
//!
//! The tables in `keywords.txt` need not be complete, because a name that resembles none is left alone. Those of systemd
//! come from the program itself, and those of the others from their manuals.

use super::config::{is_nginx, unit_kind};
use super::error;
use super::jinja::without;
pub(super) use super::near_names::nearest;
use super::units::goes_on;
use super::values::{refused, service_ports};
use crate::places::is_yaml;
use crate::yaml::{self, Node};
use crate::{FILES, Unit, Written};
use domain::gate::Finding;

const TABLES: &str = include_str!("keywords.txt");

pub(super) fn table(name: &str) -> Vec<&'static str> {
    let line = TABLES.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    line.map(|line| line.split(' ').collect()).unwrap_or_default()
}

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written() {
        for (line, word, known) in misspelled(file) {
            let message = if known.is_empty() {
                format!("`{word}` is not a setting that is valid here.")
            } else {
                format!("`{word}` is not valid here, but `{known}` is.")
            };
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
}

type Mistakes = Vec<(usize, String, String)>;

fn misspelled(file: &Written) -> Mistakes {
    let name = file.name();
    if unit_kind(file).is_some() {
        let mut found = systemd(file);
        found.extend(values(file, "unit"));
        return found;
    }
    if is_yaml(file) {
        return cluster(file);
    }
    let has = |start: &str| file.text.lines().any(|line| line.starts_with(start));
    // A drop-in of the server has any name before it is copied to its place.
    let server = file.path.contains("sshd_config")
        || ["PermitRootLogin ", "KbdInteractiveAuthentication "].iter().any(|start| has(start));
    let ssh = server
        || file.path.contains("ssh_config")
        || file.path.contains(".ssh/config")
        || (name == "config" && has("Host "));
    if ssh {
        let mut found = first_words(file, "sshd", true);
        if server {
            found.extend(unknown(file, "sshd"));
        }
        found.extend(values(file, "sshd"));
        found
    } else if has("defaults") && (has("frontend ") || has("listen ") || has("backend ")) {
        haproxy(file)
    } else if is_nginx(file) {
        let mut found = first_words(file, "nginx", false);
        found.extend(values(file, "nginx"));
        found
    } else if file.path.contains("redis") && name.ends_with(".conf") {
        let mut found = first_words(file, "redis", false);
        found.extend(values(file, "redis"));
        found
    } else if file.path.contains("logrotate") {
        first_words(file, "logrotate", false)
    } else {
        if has("[mysql]") || has("[client]") {
            return clients(file);
        }
        let place = PLACES.iter().find(|(sign, _)| file.path.contains(sign) || has(sign));
        let place = place.filter(|_| !name.starts_with("pg_hba"));
        place.map(|(_, kind)| values(file, kind)).unwrap_or_default()
    }
}

/// The first words of a file's lines.
fn first_words(file: &Written, name: &str, any_case: bool) -> Mistakes {
    let known = table(name);
    let text = file.filled();
    let mut found = Vec::new();
    let mut script = false;
    for (at, line) in text.lines().enumerate() {
        let word = line
            .split([' ', '\t', ';', '{', '='])
            .find(|word| !word.is_empty())
            .unwrap_or_default();
        script = (script || word.ends_with("rotate") && line.trim() == word && word != "rotate")
            && word != "endscript";
        if script || !is_word(word) {
            continue;
        }
        let same = known
            .iter()
            .any(|one| if any_case { one.eq_ignore_ascii_case(word) } else { one == &word });
        if let Some(near) = nearest(word, &known).filter(|_| !same) {
            found.push((at + 1, word.to_owned(), near.to_owned()));
        }
    }
    found
}

/// Words that a complete table does not have.
fn unknown(file: &Written, name: &str) -> Mistakes {
    let known = table(name);
    let has = |word: &str| known.iter().any(|one| one.eq_ignore_ascii_case(word));
    let text = file.filled();
    let lines = text.lines().enumerate().filter_map(|(at, line)| {
        let word = line.split_whitespace().next().filter(|word| is_word(word))?;
        let odd = !has(word) && nearest(word, &known).is_none() && line.trim().contains(' ');
        odd.then(|| (at + 1, word.to_owned(), String::new()))
    });
    lines.collect()
}

/// Values that their settings do not take.
fn values(file: &Written, kind: &str) -> Mistakes {
    let text = file.filled();
    let lines = text.lines().enumerate().filter_map(|(at, line)| {
        let line = line.split(['#', ';']).next().unwrap_or_default();
        let (key, value) = line.trim().split_once([' ', '\t', '='])?;
        let value = value.trim_start_matches([' ', '\t', '=']).trim();
        // Some settings of these take several words.
        let several = ["haproxy", "nginx", "redis"].contains(&kind);
        let value = if several { value.split(' ').next().unwrap_or_default() } else { value };
        let words = refused(kind, key, value)?;
        Some((at + 1, format!("{key} {value}"), format!("{key} {}", words.replace(' ', "|"))))
    });
    lines.collect()
}

/// Settings of MySQL's server in a section of its clients.
fn clients(file: &Written) -> Mistakes {
    let mut found = Vec::new();
    let mut section = String::new();
    for (at, line) in file.filled().lines().enumerate() {
        let line = line.trim();
        if line.starts_with('[') {
            line.clone_into(&mut section);
        }
        let key = line.split('=').next().unwrap_or_default().trim();
        let server =
            !["port", "max_allowed_packet"].contains(&key) && refused("mysqld", key, "?").is_some();
        if server && ["[mysql]", "[client]"].contains(&section.as_str()) {
            found.push((at + 1, format!("{key} in {section}"), format!("{key} in [mysqld]")));
        }
    }
    found
}

/// Files in which each line has a setting and its value: a part of their paths or the beginning of a line, and their kinds
/// in the table of values.
const PLACES: [(&str, &str); 12] = [
    ("/etc/postgresql/", "postgresql"),
    ("max_wal_senders", "postgresql"),
    ("postgresql.conf", "postgresql"),
    ("shared_buffers", "postgresql"),
    ("wal_level", "postgresql"),
    ("bantime", "fail2ban"),
    ("jail.d/", "fail2ban"),
    ("jail.local", "fail2ban"),
    ("/etc/mysql/", "mysqld"),
    ("[mysqld]", "mysqld"),
    ("mariadb.conf.d/", "mysqld"),
    ("my.cnf", "mysqld"),
];

fn haproxy(file: &Written) -> Mistakes {
    let mut found = first_words(file, "haproxy", false);
    found.extend(values(file, "haproxy"));
    for (at, line) in file.filled().lines().enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [first, word, rest @ ..] = words.as_slice() else { continue };
        // Settings whose second word says what they are about.
        let known = table(&format!("haproxy.{first}"));
        if !known.is_empty() && !known.contains(word) && is_word(word) {
            let near = nearest(word, &known).map(|near| format!("{first} {near}"));
            let near = near.unwrap_or_else(|| format!("{first} {}", known.join("|")));
            found.push((at + 1, format!("{first} {word}"), near));
        }
        if *first != "timeout" {
            continue;
        }
        let value = rest.first().copied().unwrap_or_default();
        if let Some(words) = refused("haproxy.timeout", "value", value) {
            found.push((at + 1, format!("timeout {word} {value}"), words.replace(' ', "|")));
        }
    }
    found
}

/// The largest section of a unit whose settings a message lists.
const FEW: usize = 20;

/// Settings of systemd's units: unknown ones, and those of another section.
fn systemd(file: &Written) -> Mistakes {
    let mut found = Vec::new();
    let (mut section, mut known, mut continues) = (String::new(), Vec::new(), false);
    for (at, line) in without(&file.filled()).lines().enumerate() {
        let continued = continues;
        let line = line.trim();
        continues = goes_on(line, continued);
        if continued || line.starts_with(['#', ';']) {
            continue;
        }
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            section = name.to_owned();
            known = table(&format!("systemd.{name}"));
            continue;
        }
        let Some((key, _)) = line.split_once('=') else { continue };
        let key = key.trim();
        if known.is_empty() || known.contains(&key) || key.starts_with("X-") || !is_word(key) {
            continue;
        }
        let sections = ["Unit", "Service", "Timer", "Socket", "Install"];
        let other = sections.iter().find(|name| table(&format!("systemd.{name}")).contains(&key));
        if let Some(other) = other {
            found.push((at + 1, format!("{key}= in [{section}]"), format!("{key}= in [{other}]")));
        } else if let Some(near) = nearest(key, &known) {
            found.push((at + 1, key.to_owned(), near.to_owned()));
        } else {
            // The table has all settings, and those of a short section help more than none.
            let few = known.len() < FEW || key.starts_with("Exec");
            let alike = |name: &&str| key.starts_with("Exec") == name.starts_with("Exec");
            let alike: Vec<&str> =
                known.iter().copied().filter(|name| few && alike(name)).collect();
            found.push((at + 1, key.to_owned(), alike.join("|")));
        }
    }
    found
}

/// Objects of Kubernetes whose fields are its own.
const OWN: [&str; 6] =
    ["v1", "apps/v1", "batch/v1", "networking.k8s.io/v1", "autoscaling/v2", "policy/v1"];

fn cluster(file: &Written) -> Mistakes {
    if !file.text.contains("apiVersion:") {
        return Vec::new();
    }
    let Ok(documents) = yaml::documents(&file.filled()) else { return Vec::new() };
    let known = table("kubernetes");
    let mut found = Vec::new();
    for document in &documents {
        let version = document.get("apiVersion").and_then(Node::text).unwrap_or_default();
        if OWN.contains(&version) {
            fields(document, &known, &mut found);
            found.extend(service_ports(document));
        }
    }
    found
}

/// Fields of Kubernetes whose values are whole numbers.
pub(super) const NUMBERS: [&str; 25] = [
    "activeDeadlineSeconds",
    "averageUtilization",
    "backoffLimit",
    "completions",
    "containerPort",
    "failedJobsHistoryLimit",
    "failureThreshold",
    "fsGroup",
    "initialDelaySeconds",
    "maxReplicas",
    "minReplicas",
    "nodePort",
    "number",
    "parallelism",
    "periodSeconds",
    "progressDeadlineSeconds",
    "replicas",
    "revisionHistoryLimit",
    "runAsUser",
    "startingDeadlineSeconds",
    "successThreshold",
    "successfulJobsHistoryLimit",
    "terminationGracePeriodSeconds",
    "timeoutSeconds",
    "ttlSecondsAfterFinished",
];

/// Mappings whose keys are the author's own.
const FREE: [&str; 9] = [
    "annotations",
    "binaryData",
    "data",
    "labels",
    "limits",
    "matchLabels",
    "nodeSelector",
    "requests",
    "stringData",
];

fn fields(node: &Node, known: &[&str], found: &mut Mistakes) {
    for item in node.list() {
        fields(item, known, found);
    }
    for entry in node.map() {
        let allowed = table(&format!("kubernetes.{}", entry.key));
        let inner = std::iter::once(&entry.value).chain(entry.value.list()).flat_map(Node::map);
        for field in
            inner.filter(|field| !allowed.is_empty() && !allowed.contains(&field.key.as_str()))
        {
            let near = nearest(&field.key, &allowed).map(str::to_owned);
            let near = near.unwrap_or_else(|| allowed.join("|"));
            found.push((field.line, format!("{} in {}", field.key, entry.key), near));
        }
        let value = entry.value.text().unwrap_or("0");
        if NUMBERS.contains(&entry.key.as_str()) && value != "x" && value.parse::<i64>().is_err() {
            found.push((
                entry.line,
                format!("{}: {value}", entry.key),
                "a whole number".to_owned(),
            ));
        }
        if let Some(near) =
            nearest(&entry.key, known).filter(|_| !known.contains(&entry.key.as_str()))
        {
            found.push((entry.line, entry.key.clone(), near.to_owned()));
        }
        let own = FREE.contains(&entry.key.as_str())
            || (entry.key == "selector" && entry.value.get("matchLabels").is_none());
        if !own {
            fields(&entry.value, known, found);
        }
    }
}

fn is_word(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(path: &str, text: &str) -> Vec<(usize, String)> {
        let file = Written { path: path.into(), text: text.into(), expands: false, line: 1 };
        misspelled(&file).into_iter().map(|(line, _, near)| (line, near)).collect()
    }

    #[test]
    fn almost_a_setting_is_a_mistake() {
        for (path, text, line, near) in [
            ("a.service", "[Service]\nExecStrat=/bin/a\n", 2, "ExecStart"),
            ("a.service", "[Unit]\nExecStart=/bin/a\n", 2, "ExecStart= in [Service]"),
            ("sshd_config.d/a.conf", "PermitRootLogn no\n", 1, "PermitRootLogin"),
            ("h.cfg", "defaults\n  timeout conect 5s\nfrontend a\n", 2, "timeout connect"),
            ("a.conf", "server {\n  listen 80;\n  proxy_pas http://a;\n}\n", 3, "proxy_pass"),
            ("redis.conf", "apendonly yes\n", 1, "appendonly"),
            (
                "/etc/nginx/h5bp/a.conf",
                "ssl_prefer_serverciphers off;\n",
                1,
                "ssl_prefer_server_ciphers",
            ),
            (
                "a.yaml",
                "apiVersion: v1\nkind: Service\nspec:\n  ports:\n    - port: many\n",
                5,
                "a number",
            ),
            ("a.yaml", "apiVersion: apps/v1\nkind: D\nspec:\n  replica: 1\n", 4, "replicas"),
        ] {
            assert_eq!(said(path, text), [(line, near.to_owned())], "{text}");
        }
        for (path, text) in [
            (
                "a.service",
                "[Service]\nX-Own=1\nStartLimitBurst=1\nExecStart=/bin/a \\\n  ExecStrat=b\n",
            ),
            ("sshd_config", "permitrootlogin no\nMatch User a\n"),
            ("a.yaml", "apiVersion: v1\nkind: ConfigMap\ndata:\n  replica: x\n"),
            ("a.yaml", "apiVersion: example.org/v1\nkind: A\nspec:\n  replica: 1\n"),
            ("logrotate.d/a", "/var/log/a {\n  daily\n  postrotate\n    dailys\n  endscript\n}\n"),
        ] {
            assert_eq!(said(path, text), [], "{text}");
        }
    }
}
