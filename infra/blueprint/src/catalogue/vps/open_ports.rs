//! Ports that a VPS opens to everyone.

use crate::catalogue::parameters::{Found, Parameter};
use crate::catalogue::{Values, additions};
use crate::reading::language::{Language, Weight};
use crate::reading::words::Words;

pub const OPEN_PORTS: Parameter = Parameter {
    key: "open-ports",
    label: "Open ports",
    question: "which ports shall be open to everybody, such as 80 and 443?",
    default: NONE,
    asked: false,
    accept,
    find,
};

const NONE: &str = "none";

/// Most ports that a deployment opens.
const MAX_PORTS: usize = 10;

/// Ports that the validation expects to be closed unless the user opens them.
const CLOSED: &[u16] = &[80, 443, 3000, 3306, 5432, 5601, 9090, 9200];

fn accept(text: &str) -> Option<String> {
    if text.trim() == NONE {
        return Some(NONE.into());
    }
    let ports: Vec<u16> = text
        .split(',')
        .map(|port| port.trim().parse().ok().filter(|p| *p > 0))
        .collect::<Option<_>>()?;
    let mut ports = ports;
    ports.sort_unstable();
    ports.dedup();
    (ports.len() <= MAX_PORTS && !ports.contains(&22)).then(|| joined(&ports, ","))
}

/// “open ports 80 and 443”, “also open 8443”, “close 80”, “only 443”, “a web server with https”.
fn find(words: &Words) -> Found {
    if words.means_any(&["no open port", "no ports", "only ssh", "nothing else open", "close all"])
    {
        return Found::Value(NONE.into());
    }
    if closes_afterwards(words) {
        return Found::Refused(
            "I am not sure which ports to open and which to close. Please put the word before them, such as “open 8443, close 80”.".into(),
        );
    }
    let (mut added, mut removed) = (Vec::new(), Vec::new());
    if words.means_any(&["http", "https", "web server", "website", "web traffic"]) {
        added.extend(["80".to_string(), "443".to_string()]);
    }
    if words.has("port") || words.has("open") || words.has("close") {
        let (mut closing, mut before) = (false, "");
        for (at, word) in words.values().enumerate() {
            let negated = ["not", "don't", "dont", "never"].contains(&before);
            before = word;
            match word {
                "close" | "closed" | "remove" | "without" | "not" | "don't" | "except" => {
                    closing = true
                }
                "open" | "opened" if negated => {}
                "open" | "opened" | "also" | "add" | "but" | "instead" => closing = false,
                _ => {}
            }
            let is_port = ![Some("22"), words.ssh_port()].contains(&Some(word));
            let is_port = is_port && !counts(words, at);
            let port = word.parse::<u16>().ok().filter(|port| is_port && *port > 0);
            let list = if closing { &mut removed } else { &mut added };
            list.extend(port.map(|port| port.to_string()));
        }
    }
    added.retain(|port| !removed.contains(port));
    if added.is_empty() && removed.is_empty() {
        return Found::Nothing;
    }
    if words.means("only") && removed.is_empty() {
        return Found::maybe(accept(&added.join(",")));
    }
    Found::Changed { added, removed }
}

/// Whether a number counts something and is no port: “4 GB”, “30 days”.
fn counts(words: &Words, at: usize) -> bool {
    const BESIDE_PORTS: &[&str] =
        &["open", "opened", "closed", "close", "tcp", "udp", "http", "https", "port", "ports"];
    let next = words.values().nth(at + 1).filter(|_| !words.ends_clause(at));
    next.is_some_and(|next| {
        let weight = Language::English.weight(next);
        let counted =
            weight == Weight::Full || ["day", "days", "month", "machines"].contains(&next);
        counted && !BESIDE_PORTS.contains(&next) && next.parse::<u16>().is_err()
    })
}

/// “8443 open and 80 closed”: a word for closing without a port after it.
fn closes_afterwards(words: &Words) -> bool {
    let values: Vec<&str> = words.values().collect();
    let is_port = |value: &&str| value.parse::<u16>().is_ok();
    let last = values.iter().rposition(|value| ["close", "closed", "shut"].contains(value));
    last.is_some_and(|last| {
        !values[last..].iter().any(&is_port) && values[..last].iter().any(&is_port)
    })
}

/// Adds the ports as Terraform, YAML, the shell and prose need them.
pub fn derive(placeholders: &mut Values) {
    let value = placeholders.get("open_ports").map_or("", String::as_str);
    let added = placeholders.get("additions").map_or("", String::as_str);
    let added = additions::of_list(added).flat_map(|addition| addition.closed_ports);
    let closed: Vec<u16> = CLOSED.iter().chain(added).copied().collect();
    let ports: Vec<u16> = value.split(',').filter_map(|port| port.parse().ok()).collect();
    let quoted: Vec<String> = ports.iter().map(|port| format!("\"{port}\"")).collect();
    let words =
        if ports.is_empty() { "nothing".into() } else { format!("ports {}", joined(&ports, ", ")) };
    let before = |separator: &str| -> String {
        ports.iter().map(|port| format!("{separator}{port}")).collect()
    };
    let texts = [
        ("open_ports_tf", quoted.join(", ")),
        ("open_ports_yaml", joined(&ports, ", ")),
        ("open_ports_words", format!("{words}.")),
        ("open_ports_sh", before(" ")),
        ("open_ports_md", before(", ")),
        (
            "closed_ports",
            closed
                .iter()
                .filter(|port| !ports.contains(port))
                .map(u16::to_string)
                .collect::<Vec<_>>()
                .join(" "),
        ),
    ];
    placeholders.extend(texts.map(|(key, text)| (key.to_string(), text)));
}

fn joined(ports: &[u16], separator: &str) -> String {
    ports.iter().map(u16::to_string).collect::<Vec<_>>().join(separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(added: &[&str], removed: &[&str]) -> Found {
        let list = |ports: &[&str]| ports.iter().map(|port| port.to_string()).collect();
        Found::Changed { added: list(added), removed: list(removed) }
    }

    #[test]
    fn ports_are_read_and_bounded() {
        let find = |text: &str| find(&Words::of(text));
        assert_eq!(find("open ports 8080 and 443"), changed(&["8080", "443"], &[]));
        assert_eq!(find("also open port 8443"), changed(&["8443"], &[]));
        assert_eq!(find("close 80 and open 8080"), changed(&["8080"], &["80"]));
        assert_eq!(find("don't open port 80"), changed(&[], &["80"]));
        assert_eq!(find("only open 443"), Found::Value("443".into()));
        assert_eq!(find("it will serve https"), changed(&["80", "443"], &[]));
        assert_eq!(find("a server with 4 GB"), Found::Nothing);
        assert_eq!(find("open port 80, swap 4 gb"), changed(&["80"], &[]));
        assert_eq!(find("SSH on port 2222"), Found::Nothing);
        assert!(matches!(find("port 8443 open, port 80 closed"), Found::Refused(_)));
        assert_eq!(accept("80; id"), None);
        assert_eq!(accept("22"), None);
        assert_eq!(accept("80, 443"), Some("80,443".into()));
    }
}
