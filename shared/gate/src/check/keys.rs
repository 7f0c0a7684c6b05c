//! Finds names of settings that a program does not have, by the tables in `keys.txt`.

use super::spelling::nearest;
use super::{FILES, error};
use crate::places::is_yaml;
use crate::yaml::{self, Node};
use crate::{Unit, Written};
use domain::gate::Finding;

const TABLE: &str = include_str!("keys.txt");

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written() {
        for (line, message) in mistakes(file) {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
}

type Mistakes = Vec<(usize, String)>;

/// Kinds of files with a setting in each line: a part of the path, its end, and the kind.
const LINES: [(&str, &str, &str); 11] = [
    ("/journald.conf", ".conf", "journald"),
    ("/resolved.conf", ".conf", "resolved"),
    ("/timesyncd.conf", ".conf", "timesyncd"),
    ("/systemd/network/", ".network", "networkd"),
    ("ansible.cfg", "ansible.cfg", "ansible-cfg"),
    ("/jail.d/", "", "fail2ban"),
    ("jail.local", "", "fail2ban"),
    ("/etc/postgresql/", ".conf", "postgresql"),
    ("postgresql.conf", "", "postgresql"),
    ("Caddyfile", "", "caddy"),
    ("/conf.d/10-postgresql", ".conf", "postgresql"),
];

fn mistakes(file: &Written) -> Mistakes {
    let name = file.name();
    let mut found = Vec::new();
    if file.text.starts_with("#cloud-config") {
        top(file, "cloud-init", &mut found);
    } else if name == "daemon.json" && !file.expands {
        let read = serde_json::from_str::<serde_json::Value>(&file.text).unwrap_or_default();
        for key in read.as_object().into_iter().flatten().map(|(key, _)| key) {
            let line = file.text.lines().position(|line| line.contains(&format!("\"{key}\"")));
            found.extend(judged("docker-daemon", key).map(|said| (line.unwrap_or(0) + 1, said)));
        }
    } else if is_yaml(file) && ["traefik.yml", "traefik.yaml"].contains(&name) {
        top(file, "traefik", &mut found);
    } else if is_yaml(file) && name.starts_with(".gitlab-ci") {
        jobs(file, &mut found);
    } else if is_yaml(file) && file.path.contains("netplan/") {
        every(file, "netplan", &mut found);
    } else if is_yaml(file) && file.text.contains("schema_config:") {
        every(file, "loki", &mut found);
    } else {
        let place = LINES
            .iter()
            .find(|(part, end, _)| file.path.contains(part) && file.path.ends_with(end));
        if let Some((.., kind)) = place.filter(|_| !name.starts_with("pg_")) {
            lines(file, kind, &mut found);
        }
    }
    found
}

/// What is wrong with the name of a setting.
fn judged(kind: &str, key: &str) -> Option<String> {
    let (all, words) = TABLE.lines().find_map(|line| {
        let (mode, rest) = line.split_once(' ')?;
        Some((mode == "all", rest.strip_prefix(kind)?.strip_prefix(": ")?))
    })?;
    let known: Vec<&str> = words.split(' ').collect();
    let own = ["x-", "x_", "."].iter().any(|start| key.starts_with(start));
    let plain = key.len() > 2 && key.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    // PostgreSQL does not distinguish capitals.
    let same = kind == "postgresql" && known.iter().any(|one| one.eq_ignore_ascii_case(key));
    if known.contains(&key) || same || own || !plain {
        return None;
    }
    match nearest(key, &known) {
        Some(near) => Some(format!("`{key}` is not a setting here, but `{near}` is.")),
        None => all.then(|| format!("`{key}` is not a setting here.")),
    }
}

fn top(file: &Written, kind: &str, found: &mut Mistakes) {
    let documents = yaml::documents(&file.filled()).unwrap_or_default();
    for entry in documents.iter().flat_map(Node::map) {
        found.extend(judged(kind, &entry.key).map(|said| (entry.line, said)));
    }
}

fn every(file: &Written, kind: &str, found: &mut Mistakes) {
    let documents = yaml::documents(&file.filled()).unwrap_or_default();
    for entry in documents.iter().flat_map(Node::all).flat_map(Node::map) {
        found.extend(judged(kind, &entry.key).map(|said| (entry.line, said)));
    }
}

/// The jobs of a pipeline of GitLab.
fn jobs(file: &Written, found: &mut Mistakes) {
    let signs = ["stage", "script", "image", "rules", "needs", "only"];
    let documents = yaml::documents(&file.filled()).unwrap_or_default();
    let other = ["default", "include", "stages", "variables", "workflow", "image", "cache", "spec"];
    for job in documents.iter().flat_map(Node::map).filter(|job| !other.contains(&job.key.as_str()))
    {
        if signs.iter().any(|sign| job.value.get(sign).is_some()) {
            for entry in job.value.map().iter().filter(|entry| entry.key != "<<") {
                found.extend(judged("gitlab-job", &entry.key).map(|said| (entry.line, said)));
            }
        }
    }
}

fn lines(file: &Written, kind: &str, found: &mut Mistakes) {
    for (at, line) in file.filled().lines().enumerate() {
        let line = line.trim();
        if line.starts_with(['#', ';', '[', '{', '%']) {
            continue;
        }
        let key = if kind == "caddy" {
            // A site or a matcher has a dot, a slash or a sign.
            line.split_whitespace().next().filter(|_| line.contains(' ')).unwrap_or_default()
        } else {
            let signs: &[char] = if kind == "postgresql" { &['=', ' '] } else { &['='] };
            line.split_once(signs).map(|(key, _)| key.trim()).unwrap_or_default()
        };
        found.extend(judged(kind, key).map(|said| (at + 1, said)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_have_names_of_their_program() {
        let said = |path: &str, text: &str| {
            let file = Written { path: path.into(), text: text.into(), expands: false, line: 1 };
            mistakes(&file).len()
        };
        for (path, text) in [
            ("a.yaml", "#cloud-config\nruncmds: []\n"),
            ("/etc/docker/daemon.json", "{\"log-drivers\": \"a\"}"),
            ("/etc/systemd/journald.conf.d/a.conf", "[Journal]\nSystemMaxUsed=1G\n"),
            ("ansible.cfg", "[defaults]\ninventroy = a\n"),
            ("/etc/postgresql/16/main/conf.d/a.conf", "shared_bufers = 1GB\n"),
            ("/etc/postgresql/16/main/conf.d/a.conf", "work_memory = 16MB\n"),
            ("/etc/postgresql/16/main/conf.d/a.conf", "slow_query_log = on\n"),
            ("/etc/fail2ban/jail.d/a.local", "[sshd]\nmax_retry = 5\n"),
            (".gitlab-ci.yml", "a:\n  stage: b\n  scripts: [c]\n"),
            ("Caddyfile", "a.example {\n  revers_proxy b:80\n}\n"),
        ] {
            assert_eq!(said(path, text), 1, "{text}");
        }
        for (path, text) in [
            ("a.yaml", "#cloud-config\npackages: [a]\nusers: []\n"),
            (
                "/etc/docker/daemon.json",
                "{\"log-driver\": \"a\", \"log-opts\": {\"max-size\": \"1m\"}}",
            ),
            (
                "/etc/postgresql/16/main/conf.d/a.conf",
                "shared_buffers = 1GB\nwork_mem 4MB\npg_stat_statements.max = 1\n",
            ),
            ("/etc/fail2ban/jail.d/a.local", "[sshd]\nenabled = true\nown_value = 5\n"),
            (
                ".gitlab-ci.yml",
                "stages: [b]\n.base:\n  image: c\na:\n  extends: .base\n  script: [c]\n",
            ),
            ("Caddyfile", "a.example {\n  reverse_proxy b:80\n  @api path /api/*\n}\n"),
        ] {
            assert_eq!(said(path, text), 0, "{text}");
        }
    }
}
