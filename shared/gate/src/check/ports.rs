//! Finds ports above the highest one that an address has.

use super::{FILES, error};
use crate::places::is_yaml;
use crate::yaml::{self, Node};
use crate::{Unit, Written};
use domain::gate::Finding;

/// The highest port.
pub(super) const HIGHEST: u32 = 65_535;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written() {
        for (line, message) in addresses(file).into_iter().chain(fields(file)) {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            let argv = command.argv();
            let carries =
                ["curl", "docker", "ufw", "nc", "wait-for-it", "redis-cli", "ssh", "wget"];
            if !argv.first().is_some_and(|program| carries.contains(program)) {
                continue;
            }
            let listed = argv.first() == Some(&"ufw");
            let bare =
                argv.iter().filter(|_| listed).map(|word| word.split('/').next().unwrap_or(word));
            let bare =
                bare.filter_map(|word| word.parse::<u32>().ok()).find(|port| *port > HIGHEST);
            let port = bare.or_else(|| argv.iter().find_map(|word| in_address(word)));
            if let Some(port) = port {
                let line = command.line + shell.offset;
                findings.push(error(FILES, message(port)).at(shell.file.as_deref(), line));
            }
        }
    }
}

fn message(port: u32) -> String {
    format!("There is no port {port}: the highest one is {HIGHEST}.")
}

type Mistakes = Vec<(usize, String)>;

/// The port of an address in a text, if it is too high: `host.example:90000`, `${HOST}:90000`, `*:90000`.
fn in_address(text: &str) -> Option<u32> {
    for (at, _) in text.match_indices(':') {
        let (before, after) = (&text[..at], &text[at + 1..]);
        let end = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        let Ok(port) = after[..end].parse::<u32>() else { continue };
        // Numbers of accounts, digests and identifiers of users are longer or go on.
        let goes_on = after[end..].starts_with([':', '.', '-', '_', '@', 'T', '%']);
        if port <= HIGHEST || end > 6 || goes_on || after[end..].starts_with(char::is_alphanumeric)
        {
            continue;
        }
        let from = before.rfind(|c: char| c.is_whitespace() || "\"'=(,/@".contains(c));
        let host = &before[from.map_or(0, |from| from + 1)..];
        let number = |part: &str| part.parse::<u8>().is_ok();
        let address = host.split('.').count() == 4 && host.split('.').all(number);
        let named = host.contains('.')
            && host.chars().all(|c| c.is_ascii_alphanumeric() || ".-".contains(c))
            && host
                .rsplit('.')
                .next()
                .is_some_and(|end| end.chars().all(char::is_alphabetic) && end.len() > 1);
        let filled = host.ends_with('}')
            && host.starts_with(['$', '{'])
            && host.contains(['I', 'H', 'i', 'h']);
        if address || named || filled || ["localhost", "*", "[::]", "[::1]"].contains(&host) {
            return Some(port);
        }
    }
    None
}

/// Addresses in files of any kind.
fn addresses(file: &Written) -> Mistakes {
    let comment = |line: &str| line.trim_start().starts_with(['#', ';']);
    let lines = file.text.lines().enumerate().filter(|(_, line)| !comment(line));
    lines.filter_map(|(at, line)| Some((at + 1, message(in_address(line)?)))).collect()
}

/// Fields and settings that take a port.
const FIELDS: [&str; 16] = [
    "containerPort",
    "from_port",
    "hostPort",
    "http_port",
    "ListenPort",
    "listen",
    "listen_port",
    "nodePort",
    "port",
    "Port",
    "published",
    "targetPort",
    "target_port",
    "to_port",
    "bind_port",
    "server_port",
];

fn fields(file: &Written) -> Mistakes {
    let mut found = Vec::new();
    let too_high =
        |value: &str| value.parse::<u32>().ok().filter(|port| *port > HIGHEST && value.len() < 7);
    if is_yaml(file) {
        let documents = yaml::documents(&file.filled()).unwrap_or_default();
        for entry in documents.iter().flat_map(Node::all).flat_map(Node::map) {
            let value = entry.value.text().filter(|_| FIELDS.contains(&entry.key.as_str()));
            found.extend(value.and_then(too_high).map(|port| (entry.line, message(port))));
        }
        for ports in documents.iter().flat_map(Node::all).filter_map(|node| node.get("ports")) {
            for item in ports.list() {
                let text = item.text().unwrap_or_default().split('/').next().unwrap_or_default();
                let port = text.split([':', '-']).find_map(too_high);
                found.extend(port.map(|port| (item.line, message(port))));
            }
        }
        return found;
    }
    let ends = [
        "tf",
        "tfvars",
        "conf",
        "cfg",
        "cnf",
        "ini",
        "local",
        "service",
        "socket",
        "env",
        "toml",
        "properties",
    ];
    let setting = ends.contains(&file.extension().as_str()) || file.path.contains("sshd_config");
    for (at, line) in file.text.lines().enumerate().filter(|_| setting) {
        let line = line.trim().trim_end_matches(';');
        let Some((key, value)) = line.split_once([' ', '=']) else { continue };
        let value = value.trim_start_matches([' ', '=']).trim_matches('"');
        let value = value.split_whitespace().next().unwrap_or_default();
        if FIELDS.contains(&key) || key.ends_with("_PORT") {
            found.extend(too_high(value).map(|port| (at + 1, message(port))));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_distinguished_from_other_numbers() {
        for text in [
            "server a 10.0.0.1:90000 check",
            "server app1 ${APP1_IP}:90000 check",
            "proxy_pass http://localhost:80800;",
            "targets: ['node.example:91000']",
            "listen *:99999",
        ] {
            assert!(in_address(text).is_some(), "{text}");
        }
        for text in [
            "root:100000:65536",
            "arn:aws:iam::123456789012:role/a",
            "image: a.b/c:202401",
            "user: 100000:100000",
            "sha256:1234567",
            "10.0.0.1:8080",
            "time 12:00:000000",
            "a.example/b:200000",
            "registry.example.com/a:100000",
        ] {
            assert_eq!(in_address(text), None, "{text}");
        }
    }
}
