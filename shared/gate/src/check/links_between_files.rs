//! Finds names in the files of one service that refer to nothing in the files beside them: zones and formats of nginx,
//! the unit of a timer, the service of a router, the rules of Prometheus, and what containers share.

use super::config::{UNITS, is_nginx, kind};
use super::{FILES, error};
use crate::placed::{Placed, placed};
use crate::places::{is_compose, is_yaml};
use crate::yaml::{self, Node};
use crate::{Unit, Written};
use domain::gate::Finding;
use std::collections::BTreeSet;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let all: Vec<&Written> = unit.tree.iter().chain(&unit.there).collect();
    let placed = placed(unit);
    for file in unit.written() {
        let found = [
            nginx(file, &all),
            timer(file, &all, &placed),
            units(file),
            access(file),
            described(file, &all),
        ];
        for (line, message) in found.into_iter().flatten() {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
}

type Mistakes = Vec<(usize, String)>;

/// Directives of nginx that define a name, and those that use it, each with what precedes the name.
const NAMED: [(&str, &str, &str, &str); 4] = [
    ("limit_req_zone", "zone=", "limit_req", "zone="),
    ("limit_conn_zone", "zone=", "limit_conn", ""),
    ("proxy_cache_path", "keys_zone=", "proxy_cache", ""),
    ("fastcgi_cache_path", "keys_zone=", "fastcgi_cache", ""),
];

fn nginx(file: &Written, all: &[&Written]) -> Mistakes {
    if !is_nginx(file) {
        return Vec::new();
    }
    let words = |file: &Written| -> Vec<(usize, Vec<String>)> {
        let lines = file.text.lines().enumerate();
        lines
            .map(|(at, line)| {
                let line = line.split(" #").next().unwrap_or_default();
                let words = line.split([' ', '\t', ';', '{']).filter(|word| !word.is_empty());
                (at + 1, words.map(str::to_owned).collect())
            })
            .collect()
    };
    let every: Vec<Vec<String>> = all
        .iter()
        .filter(|file| file.text.contains(';'))
        .flat_map(|file| words(file))
        .map(|(_, words)| words)
        .collect();
    let first = |words: &[String], name: &str| words.first().is_some_and(|word| word == name);
    let mut found = Vec::new();
    for (definer, sign, user, mark) in NAMED {
        let defined: BTreeSet<String> = every
            .iter()
            .filter(|words| first(words, definer))
            .flat_map(|words| words.iter().filter_map(|word| word.strip_prefix(sign)))
            .map(|name| name.split(':').next().unwrap_or_default().to_owned())
            .collect();
        for (line, words) in words(file).into_iter().filter(|(_, words)| first(words, user)) {
            let name =
                words.iter().skip(1).find_map(|word| word.strip_prefix(mark)).unwrap_or_default();
            if !defined.is_empty()
                && name != "off"
                && !name.contains('$')
                && !defined.contains(name)
            {
                found.push((line, format!("No `{definer}` defines `{name}`.")));
            }
        }
    }
    let formats: BTreeSet<&String> = every
        .iter()
        .filter(|words| first(words, "log_format"))
        .filter_map(|words| words.get(1))
        .collect();
    for (line, words) in words(file).into_iter().filter(|(_, words)| first(words, "access_log")) {
        let format =
            words.get(2).filter(|name| !name.contains(['=', '$', '{', '}']) && *name != "combined");
        if let Some(format) =
            format.filter(|format| !formats.is_empty() && !formats.contains(format))
        {
            found.push((line, format!("No `log_format` defines `{format}`.")));
        }
    }
    found
}

/// A timer of a unit that nothing writes, where another unit is written that nothing starts.
fn timer(file: &Written, all: &[&Written], placed: &[Placed]) -> Mistakes {
    let Some(own) = file.name().strip_suffix(".timer") else { return Vec::new() };
    let unit = file
        .text
        .lines()
        .enumerate()
        .find_map(|(at, line)| Some((at + 1, line.trim().strip_prefix("Unit=")?.to_owned())));
    let (line, unit) = unit.unwrap_or_else(|| (1, format!("{own}.service")));
    let services: Vec<&str> =
        all.iter().map(|file| file.name()).filter(|name| name.ends_with(".service")).collect();
    // A copy may have another name.
    let copied = placed.iter().any(|one| one.copy.name() == unit);
    let known = copied || services.contains(&unit.as_str()) || unit.contains(['%', '$', '{']);
    if services.is_empty() || known {
        return Vec::new();
    }
    vec![(
        line,
        format!("This timer starts `{unit}`, and the script writes `{}`.", services.join("`, `")),
    )]
}

/// Times that no clock shows, and signs of a shell where systemd starts no shell.
fn units(file: &Written) -> Mistakes {
    if !UNITS.contains(&kind(file).as_str()) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (at, line) in file.text.lines().enumerate() {
        let Some((key, value)) = line.trim().split_once('=') else { continue };
        let shell = [" && ", " || ", " | ", " > ", " >> "].iter().any(|sign| value.contains(sign));
        let quoted = value.contains(['"', '\'']) || value.contains("sh -c");
        if key.starts_with("Exec") && shell && !quoted {
            found.push((at + 1, "systemd starts no shell here, so `&&`, `|` and `>` are words: use `/bin/sh -c '…'`.".to_owned()));
        }
        let times = value.split_whitespace().filter(|word| word.contains(':'));
        for time in times.filter(|_| key == "OnCalendar") {
            let over = |(part, limit): (&str, u32)| {
                let numbers = part.split([',', '/', '.', '~']).map(str::parse::<u32>);
                numbers.flatten().any(|number| number > limit)
            };
            if time.split(':').zip([23, 59, 59]).any(over) {
                found.push((at + 1, format!("`{time}` is not a time of day.")));
            }
        }
    }
    found
}

/// Methods and types of `pg_hba.conf`, and the user of a line in `cron.d`.
fn access(file: &Written) -> Mistakes {
    let mut found = Vec::new();
    let lines =
        file.text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with('#'));
    for (at, line) in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.is_empty()
            || line.contains("{{")
            || line.contains("{%")
            || line.contains('$') && file.expands
        {
            continue;
        }
        if file.name().starts_with("pg_hba") {
            let kinds = ["local", "host", "hostssl", "hostnossl", "hostgssenc", "hostnogssenc"];
            let methods = [
                "cert",
                "gss",
                "ident",
                "ldap",
                "md5",
                "pam",
                "password",
                "peer",
                "radius",
                "reject",
                "scram-sha-256",
                "sspi",
                "trust",
            ];
            let place = if words[0] == "local" { 3 } else { 4 };
            let method = words.get(place).copied().unwrap_or_default();
            let masked = method.contains('.');
            if !words[0].starts_with("include")
                && words[0] != "x"
                && !(kinds.contains(&words[0]) && (masked || methods.contains(&method)))
            {
                found.push((at + 1, format!("PostgreSQL cannot read this: `{}`.", line.trim())));
            }
        } else if file.path.starts_with("/etc/cron.d/") {
            let timed = line.starts_with(|c: char| c.is_ascii_digit() || c == '*');
            let user =
                if line.starts_with('@') { words.get(1) } else { words.get(5).filter(|_| timed) };
            if user.is_some_and(|user| {
                user.contains(['/', '.', '[', '>', '='])
                    || ["bash", "cd", "echo", "find", "php", "python3", "sh", "test"].contains(user)
            }) {
                found.push((
                    at + 1,
                    "A line in `cron.d` needs a user before its command.".to_owned(),
                ));
            }
        }
    }
    found
}

/// Settings in YAML: Prometheus, Traefik, Compose.
fn described(file: &Written, all: &[&Written]) -> Mistakes {
    if !is_yaml(file) {
        return Vec::new();
    }
    let Ok(documents) = yaml::documents(&file.filled()) else { return Vec::new() };
    let mut found = Vec::new();
    for document in &documents {
        let rules: Vec<&str> = all
            .iter()
            .filter(|file| is_yaml(file) && file.text.contains("expr:"))
            .map(|file| file.name())
            .collect();
        for named in document.get("rule_files").map(Node::list).unwrap_or_default() {
            let name = named.text().unwrap_or_default();
            let base = name.rsplit('/').next().unwrap_or_default();
            if !rules.is_empty() && !base.contains('*') && !rules.contains(&base) {
                found.push((
                    named.line,
                    format!("Nothing writes `{name}`; the rules are in `{}`.", rules.join("`, `")),
                ));
            }
        }
        routers(document, &mut found);
        if is_compose(file) {
            super::compose_host::examine(document, &mut found);
        }
    }
    found
}

/// Routers of Traefik whose service or middleware the same file does not have.
fn routers(document: &Node, found: &mut Mistakes) {
    for protocol in ["http", "tcp", "udp"] {
        let Some(part) = document.get(protocol).filter(|part| part.get("services").is_some())
        else {
            continue;
        };
        for router in part.get("routers").map(Node::map).unwrap_or_default() {
            let Some(service) = router.value.get("service") else { continue };
            let name = service.text().unwrap_or_default();
            let known = part.get("services").is_some_and(|services| services.get(name).is_some());
            if !known && !name.contains(['@', '{', '$']) {
                found.push((service.line, format!("No service is named `{name}` here.")));
            }
        }
    }
}
