//! Ports that a VPS opens to everybody.

use crate::catalogue::Values;
use crate::catalogue::parameters::{Found, Parameter};
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

/// Ports that one deployment opens at most.
const MAX_PORTS: usize = 10;

/// Ports that the validation expects closed, unless they are opened.
const CLOSED: &[u16] = &[80, 443, 3000, 3306, 5432, 5601, 9090, 9200];

fn accept(text: &str) -> Option<String> {
    if text.trim() == NONE {
        return Some(NONE.into());
    }
    let ports: Vec<u16> = text
        .split(',')
        .map(|port| port.trim().parse().ok().filter(|p| *p > 0))
        .collect::<Option<_>>()?;
    (ports.len() <= MAX_PORTS && !ports.contains(&22)).then(|| joined(&ports, ","))
}

/// “open ports 80 and 443”, “a web server with https”.
fn find(words: &Words) -> Found {
    if words.means_any(&["no open port", "no ports", "only ssh", "nothing else open"]) {
        return Found::Value(NONE.into());
    }
    let mut ports: Vec<u16> = Vec::new();
    if words.means_any(&["http", "https", "web server", "website", "web traffic"]) {
        ports.extend([80, 443]);
    }
    if words.means_any(&["port", "open"]) {
        ports.extend(words.values().filter_map(|word| word.parse::<u16>().ok()));
    }
    ports.retain(|port| ![0, 22].contains(port));
    ports.sort_unstable();
    ports.dedup();
    ports.truncate(MAX_PORTS);
    if ports.is_empty() { Found::Nothing } else { Found::Value(joined(&ports, ",")) }
}

/// Adds the ports in the forms of Terraform, YAML, the shell and prose.
pub fn derive(placeholders: &mut Values) {
    let value = placeholders.get("open_ports").map_or("", String::as_str);
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
            CLOSED
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

    #[test]
    fn ports_are_read_and_bounded() {
        let find = |text: &str| find(&Words::of(text));
        assert_eq!(find("open ports 8080 and 443"), Found::Value("443,8080".into()));
        assert_eq!(find("it will serve https"), Found::Value("80,443".into()));
        assert_eq!(find("a server with 4 GB"), Found::Nothing);
        assert_eq!(accept("80; id"), None);
        assert_eq!(accept("22"), None);
        assert_eq!(accept("80, 443"), Some("80,443".into()));
    }
}
