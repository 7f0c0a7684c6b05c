//! Finds ports that everyone could reach.

use crate::check::error;
use crate::files::Written;
use crate::hcl::{self, attribute, blocks, label};
use crate::places::is_compose;
use crate::yaml::{self, Node};
use crate::{POLICY, Unit};
use domain::gate::Finding;
use hcl_edit::structure::Body;

/// The spellings of "everyone".
const EVERYBODY: [&str; 5] = ["0.0.0.0/0", "::/0", "\"*\"", "\"Internet\"", "\"Any\""];

/// Attributes that name the sources that a rule admits.
const SOURCES: [&str; 9] = [
    "cidr_blocks",
    "ipv6_cidr_blocks",
    "cidr_ipv4",
    "cidr_ipv6",
    "source_ips",
    "source_ranges",
    "source_addresses",
    "source_address_prefix",
    "source_address_prefixes",
];

/// Blocks and resources that admit traffic.
const RULES: [&str; 6] = ["ingress", "rule", "inbound_rule", "security_rule", "allow", "content"];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    terraform(unit, findings);
    for file in unit.written().filter(|file| is_compose(file)) {
        compose(unit, file, findings);
    }
    for shell in unit.running() {
        for command in &shell.script.commands {
            let argv = command.argv();
            if let Some(message) = opened(unit, &argv) {
                let line = command.line + shell.offset;
                findings.push(error(POLICY, message).at(shell.file.as_deref(), line));
            }
        }
    }
}

/// What a command opens without being asked.
fn opened(unit: &Unit, argv: &[&str]) -> Option<String> {
    match argv {
        ["aws", "ec2", "authorize-security-group-ingress", rest @ ..] => {
            let all = rest.join(" ");
            let everyone = all.contains("0.0.0.0/0") || all.contains("::/0");
            let after = |name: &str| {
                rest.iter().position(|word| *word == name).and_then(|at| rest.get(at + 1)).copied()
            };
            let port = after("--port").unwrap_or("").to_owned();
            (everyone && !allowed(unit, &port, &port)).then(|| refusal(&port))
        }
        ["gcloud", "compute", "firewall-rules", "create" | "update", rest @ ..] => {
            let all = rest.join(" ");
            let ports = rest.iter().find_map(|word| {
                word.strip_prefix("--allow=").or_else(|| word.strip_prefix("--rules="))
            })?;
            let ports = ports.replace("tcp:", "").replace("udp:", "");
            (all.contains("0.0.0.0/0") && !ports.split(',').all(|port| allowed(unit, port, port)))
                .then(|| refusal(&ports))
        }
        ["docker" | "podman", "run" | "create", rest @ ..] => {
            let mut published = Vec::new();
            for (at, word) in rest.iter().enumerate() {
                if ["-p", "--publish"].contains(word) {
                    published.extend(rest.get(at + 1).copied());
                }
                published.extend(word.strip_prefix("--publish="));
            }
            published.into_iter().find_map(|spec| published_port(unit, spec))
        }
        ["ufw", "disable" | "reset", ..]
        | ["ufw", "--force", "disable" | "reset", ..]
        | ["iptables" | "ip6tables" | "nft", "-F" | "--flush" | "flush", ..] => {
            Some("This turns off the firewall.".to_owned())
        }
        ["ufw", "default", "allow", rest @ ..] if !rest.contains(&"outgoing") => {
            Some("This opens every port that no rule closes.".to_owned())
        }
        ["aws", "s3api", "put-public-access-block", rest @ ..] => rest
            .iter()
            .any(|word| word.contains("=false"))
            .then(|| "This lets the bucket become public, which was not asked for.".to_owned()),
        ["ufw", rest @ ..]
            if ["allow", "limit"].iter().any(|verb| rest.contains(verb))
                && !rest.contains(&"from") =>
        {
            // A firewall around the server may be the one that limits it.
            let around = ["_firewall", "security_group"].iter().any(|it| unit.text.contains(it));
            let ssh = rest.iter().any(|word| {
                ["22", "22/tcp", "openssh", "ssh", "ssh/tcp"]
                    .contains(&word.to_lowercase().as_str())
            });
            if ssh && !around && unit.context.limits_ssh() {
                return Some(refusal("22"));
            }
            let mut ports = looped(unit, rest).into_iter();
            let open = ports.find(|port| *port != 22 && !unit.context.opens(*port));
            if let Some(port) = open {
                return Some(refusal(&port.to_string()));
            }
            let port = rest.iter().find_map(|word| word.split('/').next()?.parse::<u16>().ok())?;
            let asked = port == 22 || unit.context.opens(port);
            (!asked).then(|| refusal(&port.to_string()))
        }
        _ => None,
    }
}

/// The ports of a loop around a command: `for port in 80 443; do ufw allow "$port/tcp"`.
pub(super) fn looped(unit: &Unit, words: &[&str]) -> Vec<u16> {
    let variable = words
        .iter()
        .find_map(|word| word.strip_prefix('$')?.trim_start_matches('{').split(['/', '}']).next());
    let list = variable.and_then(|name| {
        let begin = format!("for {name} in ");
        unit.text.lines().find_map(|line| line.trim().strip_prefix(begin.as_str()))
    });
    let ports = list.into_iter().flat_map(|list| list.split([' ', ';']));
    ports.filter_map(|port| port.split('/').next()?.parse().ok()).collect()
}

pub(super) fn refusal(port: &str) -> String {
    match port {
        "" => "This lets everyone in (0.0.0.0/0) on every port, which was not asked for.".into(),
        port => {
            format!("This lets everyone in (0.0.0.0/0) on port {port}, which was not asked for.")
        }
    }
}

/// Whether everyone may reach these ports: both ends of a range, which must be equal.
fn allowed(unit: &Unit, from: &str, to: &str) -> bool {
    let bare = |text: &str| text.trim_matches(['"', ' ']).to_owned();
    let (from, to) = (bare(from), bare(to));
    match (from.parse::<u16>(), to.parse::<u16>()) {
        (Ok(from), Ok(to)) => from == to && unit.context.opens(from),
        // A name, a loop or a variable: its definition is checked where it is.
        _ => from.contains(['.', '$', '[']) || from.starts_with("var"),
    }
}

fn terraform(unit: &Unit, findings: &mut Vec<Finding>) {
    let (files, _) = hcl::parse(&unit.files);
    let (all, _) = hcl::parse(&unit.tree);
    let mut public_variables: Vec<String> = all
        .iter()
        .flat_map(|parsed| parsed.blocks())
        .filter(|(_, block)| block.ident.as_str() == "variable")
        .filter(|(_, block)| attribute(&block.body, "default").is_some_and(|text| is_public(&text)))
        .map(|(_, block)| format!("var.{}", label(block, 0)))
        .collect();
    for (_, locals) in all.iter().flat_map(|parsed| parsed.blocks()) {
        let attributes = locals.body.attributes().filter(|_| locals.ident.as_str() == "locals");
        let public = attributes.filter(|local| is_public(&local.value.to_string()));
        public_variables.extend(public.map(|local| format!("local.{}", local.key.as_str())));
    }
    for parsed in &files {
        let text = parsed.file.filled();
        for (line, block) in parsed.blocks() {
            if block.ident.as_str() != "resource" || label(block, 0).contains("egress") {
                continue;
            }
            // Databases with lists of those who may connect.
            const DATABASES: [&str; 4] = [
                "digitalocean_database_firewall",
                "google_sql_database_instance",
                "mongodbatlas_project_ip_access_list",
                "scaleway_rdb_acl",
            ];
            let written = block.body.to_string();
            if DATABASES.contains(&label(block, 0))
                && (is_public(&written)
                    || public_variables.iter().any(|name| written.contains(name.as_str())))
            {
                let message = "This database lets everyone connect, which was not asked for.";
                findings.push(error(POLICY, message).at(Some(&parsed.file.path), line));
            }
            let mut found = Vec::new();
            if !is_outgoing(&block.body) {
                rule(&block.body, line, label(block, 0), &mut found);
            }
            gather(&block.body, &text, label(block, 0), &mut found);
            for Rule { line, sources, from, to } in found {
                let public = is_public(&sources)
                    || public_variables.iter().any(|name| sources.contains(name.as_str()));
                let looped = from.ends_with(".value") || from.ends_with(".key");
                let closed = looped.then(|| looped_port(unit, &block.body)).flatten();
                if let Some(port) = closed.filter(|_| public) {
                    let message = refusal(&port.to_string());
                    findings.push(error(POLICY, message).at(Some(&parsed.file.path), line));
                } else if public && !allowed(unit, &from, &to) {
                    let port = if from == to { from } else { format!("{from} to {to}") };
                    let message = refusal(port.replace('"', "").trim());
                    findings.push(error(POLICY, message).at(Some(&parsed.file.path), line));
                }
            }
        }
    }
}

/// A port that a loop opens without being asked.
fn looped_port(unit: &Unit, body: &Body) -> Option<u16> {
    let own = attribute(body, "for_each").into_iter();
    let inner = body.get_blocks("dynamic").filter_map(|block| attribute(&block.body, "for_each"));
    let numbers: Vec<u16> = own
        .chain(inner)
        .flat_map(|values| {
            let words = values.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.');
            words.filter_map(|word| word.parse().ok()).collect::<Vec<u16>>()
        })
        .collect();
    numbers.into_iter().find(|port| *port != 0 && !unit.context.opens(*port))
}

fn is_public(text: &str) -> bool {
    EVERYBODY.iter().any(|everyone| text.contains(everyone))
}

/// A rule that admits traffic.
struct Rule {
    line: usize,
    sources: String,
    from: String,
    to: String,
}

fn gather(body: &Body, text: &str, resource: &str, found: &mut Vec<Rule>) {
    for (line, block) in blocks(body, text) {
        let name = block.ident.as_str();
        let dynamic = name == "dynamic" && RULES.contains(&label(block, 0));
        if !(RULES.contains(&name) || dynamic) || is_outgoing(&block.body) {
            continue;
        }
        rule(&block.body, line, resource, found);
        gather(&block.body, text, resource, found);
    }
}

/// Reads one rule. A firewall's ports may be in a block beside its sources (`allow { ports = … }`).
fn rule(body: &Body, line: usize, resource: &str, found: &mut Vec<Rule>) {
    let sources: Vec<String> = SOURCES.iter().filter_map(|key| attribute(body, key)).collect();
    if sources.is_empty() {
        return;
    }
    let get = |key: &str| attribute(body, key);
    let protocol =
        get("protocol").or_else(|| get("ip_protocol")).unwrap_or_default().to_lowercase();
    if protocol.contains("icmp") {
        return;
    }
    let every = ["\"-1\"", "-1", "\"all\""].contains(&protocol.as_str());
    let lists: Option<Vec<String>> = if resource == "google_compute_firewall" {
        let allowed = body.get_blocks("allow");
        Some(allowed.filter_map(|allow| attribute(&allow.body, "ports")).collect())
    } else {
        get("destination_port_ranges").map(|list| vec![list])
    };
    if let Some(lists) = lists {
        let ports = lists.iter().flat_map(|list| list.trim_matches(['[', ']', ' ']).split(','));
        let mut ports: Vec<String> = ports.map(|port| port.trim().to_owned()).collect();
        if ports.is_empty() {
            ports.push(String::new());
        }
        for port in ports {
            found.push(Rule { line, sources: sources.join(" "), from: port.clone(), to: port });
        }
        return;
    }
    let port =
        ["port", "port_range", "destination_port_range", "from_port"].iter().find_map(|k| get(k));
    let from = if every { String::new() } else { port.unwrap_or_default() };
    let to = get("to_port").filter(|_| !every).unwrap_or_else(|| from.clone());
    found.push(Rule { line, sources: sources.join(" "), from, to });
}

fn is_outgoing(body: &Body) -> bool {
    let says = |key: &str, word: &str| {
        attribute(body, key).is_some_and(|text| text.trim_matches('"').eq_ignore_ascii_case(word))
    };
    says("type", "egress")
        || says("direction", "out")
        || says("direction", "egress")
        || says("direction", "outbound")
        || says("access", "deny")
}

fn compose(unit: &Unit, file: &Written, findings: &mut Vec<Finding>) {
    let Ok(documents) = yaml::documents(&file.filled()) else { return };
    for document in &documents {
        for service in document.get("services").map(Node::map).unwrap_or_default() {
            for port in service.value.get("ports").map(Node::list).unwrap_or_default() {
                let message = match port.text() {
                    Some(spec) => published_port(unit, spec),
                    None => long_port(unit, port),
                };
                if let Some(message) = message {
                    findings.push(error(POLICY, message).at(Some(&file.path), port.line));
                }
            }
        }
    }
}

fn long_port(unit: &Unit, port: &Node) -> Option<String> {
    let published = port.get("published").and_then(Node::text)?;
    let address = port.get("host_ip").and_then(Node::text).unwrap_or("0.0.0.0");
    published_port(unit, &format!("{address}:{published}:{published}"))
}

/// A text with the defaults of its variables in their places: `${PORT:-80}:80` becomes `80:80`.
fn defaulted(spec: &str) -> String {
    let mut whole = spec.to_owned();
    while let Some((before, rest)) = whole.split_once("${") {
        let Some((inner, after)) = rest.split_once('}') else { break };
        let Some((_, value)) = inner.split_once(":-").or_else(|| inner.split_once('-')) else {
            return spec.replace(":?", "").replace(":-", "");
        };
        whole = format!("{before}{value}{after}");
    }
    whole
}

/// `8080:80`, `127.0.0.1:8080:80`, `8080:80/tcp`.
pub(super) fn published_port(unit: &Unit, spec: &str) -> Option<String> {
    let spec = defaulted(spec);
    let spec = spec.split('/').next().unwrap_or(&spec);
    let parts: Vec<&str> = spec.rsplitn(3, ':').collect();
    let (published, address) = match parts.as_slice() {
        [_, published] => (*published, "0.0.0.0"),
        [_, published, address] => (*published, *address),
        _ => return None,
    };
    let everyone = ["0.0.0.0", "", "::", "[::]", "*"].contains(&address);
    let known = published.parse::<u16>().is_ok() || published.contains('-');
    (everyone && known && !allowed(unit, published, published)).then(|| {
        format!(
            "Port {published} is published on every address, past the host's firewall, and was not asked for. Bind it to 127.0.0.1."
        )
    })
}
