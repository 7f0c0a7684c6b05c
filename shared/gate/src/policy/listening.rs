//! Finds services of a host that listen on every address on a port that was not asked for: by an option, a variable of
//! their environment, a socket or a setting.
//!
//! In a container every address is right, because the container publishes what it wants; so only units of systemd, the files
//! beside them and commands of the host are read.

use super::asked::has_number;
use super::ports::{published_port, refusal};
use crate::bash::{assignment, base};
use crate::check::error;
use crate::files::Written;
use crate::places::is_yaml;
use crate::yaml::{self, Node};
use crate::{POLICY, Unit};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let values = values(unit);
    for file in unit.written() {
        let found = match kind(file) {
            Kind::Service | Kind::Defaults => service(unit, file, &values),
            Kind::Socket => socket(unit, file),
            Kind::Other => settings(file).into_iter().chain(variables(file)).collect(),
        };
        for (line, message) in found {
            findings.push(error(POLICY, message).at(Some(&file.path), line));
        }
    }
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            let contained = ["docker", "podman", "kubectl", "helm", "nerdctl"];
            let own = !command.program().is_some_and(|program| contained.contains(&program));
            // A function may write the options of a service into a file.
            let words = command.argv().join(" ");
            let words: Vec<&str> = words.split_whitespace().collect();
            let joined = words.into_iter().filter(|word| own && word.contains("listen-address="));
            let port = joined.filter_map(address).filter_map(port).find(|port| open(unit, *port));
            if let Some(port) = port {
                let line = command.line + shell.offset;
                let message = refusal(&port.to_string());
                findings.push(error(POLICY, message).at(shell.file.as_deref(), line));
            }
        }
    }
}

enum Kind {
    Service,
    /// Variables for a service, such as `/etc/default/prometheus`.
    Defaults,
    Socket,
    Other,
}

fn kind(file: &Written) -> Kind {
    let path = file.path.trim_end_matches(".j2");
    let defaults = ["/etc/default/", "/etc/sysconfig/"].iter().any(|part| path.starts_with(part))
        || (path.ends_with(".env") && (path.starts_with("/etc/") || path != file.path));
    match path.rsplit_once('.') {
        Some((_, "service")) => Kind::Service,
        Some((_, "socket")) => Kind::Socket,
        Some((_, "conf")) if path.contains(".service.d/") => Kind::Service,
        _ if defaults => Kind::Defaults,
        _ => Kind::Other,
    }
}

/// Whether a port is open to everyone without being asked for, and no firewall in the script limits it.
fn open(unit: &Unit, port: u16) -> bool {
    let limits = ["from ", "from_ip", "saddr", "--source", "-s ", "source="];
    let limited = unit
        .texts()
        .flat_map(str::lines)
        .any(|line| has_number(line, port) && limits.iter().any(|sign| line.contains(sign)));
    port > 0 && !unit.context.opens(port) && !limited
}

/// Hosts that stand for every address.
const EVERY: [&str; 5] = ["", "0.0.0.0", "[::]", "::", "*"];

/// The port of an address on every network.
fn port(address: &str) -> Option<u16> {
    let address = address.trim_matches(['"', '\'']);
    let address = address.split_once("://").map_or(address, |(_, rest)| rest);
    let (host, port) = address.rsplit_once(':')?;
    port.trim_end_matches('/').parse().ok().filter(|_| EVERY.contains(&host))
}

/// Parts of the names of options and variables with the address on which a program listens.
const NAMES: [&str; 4] = ["listen", "bind", "addr", "host"];

/// Parts of names of addresses to which a program connects, or that it tells others.
const REMOTE: [&str; 8] =
    ["advertise", "database", "db", "external", "mysql", "peer", "redis", "smtp"];

fn is_listener(name: &str) -> bool {
    let name = name.to_lowercase();
    NAMES.iter().any(|part| name.contains(part)) && !REMOTE.iter().any(|part| name.contains(part))
}

/// The address in an option such as `--listen=0.0.0.0:9000`.
fn address(word: &str) -> Option<&str> {
    let word = word.trim_start_matches(['"', '\'']);
    let (name, value) = word.strip_prefix('-')?.split_once('=')?;
    is_listener(name).then_some(value)
}

/// The ports that the words of a command open on every address.
fn listens(words: &[&str]) -> Vec<u16> {
    let mut found: Vec<u16> =
        words.iter().filter_map(|word| address(word)).filter_map(port).collect();
    let pairs = || words.windows(2).map(|two| (two[0].trim_start_matches(['"', '\'']), two[1]));
    let short = ["-b", "-l", "-H", "-a"];
    let follows =
        |name: &str| short.contains(&name) || (name.starts_with("--") && is_listener(name));
    found.extend(pairs().filter(|(name, _)| follows(name)).filter_map(|(_, value)| port(value)));
    let is_every = |value: &str| !value.is_empty() && EVERY.contains(&value);
    let every = pairs().any(|(name, value)| follows(name) && is_every(value))
        || words.iter().filter_map(|word| address(word)).any(is_every);
    let number = pairs().find(|(name, _)| ["--port", "-p"].contains(name)).map(|(_, value)| value);
    let number = number.or_else(|| words.iter().find_map(|word| word.strip_prefix("--port=")));
    found.extend(
        number.filter(|_| every).and_then(|number| number.trim_matches('"').parse::<u16>().ok()),
    );
    // Python's server listens on every address by default.
    if let Some(at) = words.iter().position(|word| *word == "http.server")
        && !words.contains(&"--bind")
        && !words.contains(&"-b")
    {
        found.extend(words.get(at + 1).and_then(|port| port.parse::<u16>().ok()));
    }
    found
}

/// The values of Ansible's variables that are plain texts.
fn values(unit: &Unit) -> Vec<(String, String)> {
    let files = unit.tree.iter().filter(|file| is_yaml(file));
    let documents = files.filter_map(|file| yaml::documents(&file.filled()).ok()).flatten();
    let mut found = Vec::new();
    for document in documents {
        for entry in document.all().into_iter().flat_map(Node::map) {
            let plain = entry.value.text().filter(|text| !text.contains("{{"));
            found.extend(plain.map(|text| (entry.key.clone(), text.to_owned())));
        }
    }
    found
}

/// A line with the values of the variables between its braces.
fn filled(line: &str, values: &[(String, String)]) -> String {
    let mut parts = line.split("{{");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let Some((name, rest)) = part.split_once("}}") else { continue };
        let value = values.iter().find(|(key, _)| key == name.trim()).map(|(_, value)| value);
        text.push_str(value.map_or("{{}}", String::as_str));
        text.push_str(rest);
    }
    text
}

/// The lines of a unit, with those that a backslash continues as one.
fn lines(text: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut continues = false;
    for (at, line) in text.lines().enumerate() {
        let part = line.trim().trim_end_matches('\\').trim_end();
        match found.last_mut().filter(|_| continues) {
            Some((_, whole)) => {
                whole.push(' ');
                whole.push_str(part);
            }
            None => found.push((at + 1, part.to_owned())),
        }
        continues = line.ends_with('\\');
    }
    found
}

/// What a unit, or the file with its variables, opens.
fn service(unit: &Unit, file: &Written, values: &[(String, String)]) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut given: Vec<(usize, String, String)> = Vec::new();
    for (at, line) in lines(&file.text) {
        let line = filled(&line, values);
        let Some((key, rest)) = line.split_once('=').filter(|_| !line.starts_with('#')) else {
            continue;
        };
        let words: Vec<&str> = rest.split_whitespace().collect();
        if key == "ExecStart" {
            let contained =
                words.first().is_some_and(|it| ["docker", "podman"].contains(&base(it)));
            let published = words.windows(2).filter(|two| contained && two[0] == "-p");
            found.extend(published.filter_map(|two| Some((at, published_port(unit, two[1])?))));
            if contained {
                continue;
            }
        }
        if key == "Environment" {
            let pairs = words.iter().filter_map(|word| assignment(word.trim_matches(['"', '\''])));
            given.extend(pairs.map(|(name, value)| (at, name.to_owned(), value.to_owned())));
        } else if crate::bash::is_name(key.trim_start_matches("export ")) && !key.contains("Exec") {
            given.push((at, key.to_owned(), rest.trim_matches(['"', '\'']).to_owned()));
        }
        let ports = listens(&words).into_iter().filter(|port| open(unit, *port));
        found.extend(ports.map(|port| (at, refusal(&port.to_string()))));
    }
    let beside = given.iter().find(|(_, name, _)| name.to_uppercase().ends_with("PORT"));
    let beside = beside.and_then(|(.., value)| value.parse::<u16>().ok());
    for (at, _, value) in given.iter().filter(|(_, name, _)| is_listener(name)) {
        let alone = beside.filter(|_| !value.is_empty() && EVERY.contains(&value.as_str()));
        if let Some(port) = port(value).or(alone).filter(|port| open(unit, *port)) {
            found.push((*at, refusal(&port.to_string())));
        }
    }
    found
}

/// What a socket of systemd opens: a number alone means every address.
fn socket(unit: &Unit, file: &Written) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (at, line) in file.text.lines().enumerate() {
        let Some((key, value)) = line.trim().split_once('=') else { continue };
        let listens = ["ListenStream", "ListenDatagram"].contains(&key.trim());
        let number = value.trim().parse::<u16>().ok().or_else(|| port(value.trim()));
        if let Some(port) = number.filter(|port| listens && open(unit, *port)) {
            found.push((at + 1, refusal(&port.to_string())));
        }
    }
    found
}

/// Settings of services of the host by the name of their file, and words of a line.
const SETTINGS: [(&str, &[&str]); 8] = [
    ("elasticsearch.yml", &["network.host:", "0.0.0.0"]),
    ("memcached.conf", &["-l", "0.0.0.0"]),
    ("daemon.json", &["hosts", "tcp://0.0.0.0"]),
    ("kibana.yml", &["server.host:", "0.0.0.0"]),
    ("grafana.ini", &["http_addr", "0.0.0.0"]),
    ("influxdb.conf", &["bind-address", "\":8086\""]),
    ("consul.hcl", &["client_addr", "0.0.0.0"]),
    ("rabbitmq.conf", &["management.tcp.ip", "0.0.0.0"]),
];

fn settings(file: &Written) -> Vec<(usize, String)> {
    let path = file.path.trim_end_matches(".j2");
    if !path.starts_with("/etc/") && !file.path.ends_with(".j2") {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (at, line) in file.text.lines().enumerate() {
        let line = line.trim();
        let says = |words: &[&str]| words.iter().all(|word| line.contains(word));
        let told = SETTINGS.iter().any(|(name, words)| path.ends_with(name) && says(words));
        if told && !line.starts_with(['#', ';']) {
            let message = "Every network could reach this service: name its own address.";
            found.push((at + 1, message.to_owned()));
        }
    }
    found
}

/// Stores that only their own programs reach.
const STORES: [&str; 9] = [
    "elasticsearch",
    "mariadb",
    "memcached",
    "mongodb",
    "mysql",
    "postgres",
    "postgresql",
    "rabbitmq",
    "redis",
];

/// Variables of Ansible with the address on which a store listens: `redis_bind: 0.0.0.0`.
fn variables(file: &Written) -> Vec<(usize, String)> {
    const FOLDERS: [&str; 4] = ["defaults", "group_vars", "host_vars", "vars"];
    if !is_yaml(file) || !file.path.split('/').any(|part| FOLDERS.contains(&part)) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for document in yaml::documents(&file.filled()).unwrap_or_default() {
        for entry in document.map() {
            let store = entry.key.split('_').next().unwrap_or_default();
            let listens = ["bind", "listen"].iter().any(|part| entry.key.contains(part));
            let value = entry.value.text().unwrap_or_default();
            if STORES.contains(&store) && listens && !value.is_empty() && EVERY.contains(&value) {
                let message = "Every network could reach this service: name its own address.";
                found.push((entry.line, message.to_owned()));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Context;

    fn said(text: &str) -> Vec<String> {
        let context = Context { asked: "A website", ..Context::default() };
        let unit = Unit::new(text, &context);
        let mut findings = Vec::new();
        examine(&unit, &mut findings);
        findings.into_iter().map(|found| found.message).collect()
    }

    fn file(path: &str, text: &str) -> String {
        format!("cat >{path} <<'E'\n{text}\nE\n")
    }

    #[test]
    fn services_listen_where_they_were_asked_to() {
        let unit =
            |text: &str| file("/etc/systemd/system/a.service", &format!("[Service]\n{text}"));
        for text in [
            unit("ExecStart=/bin/api --http.addr :8081"),
            unit("ExecStart=/opt/v/bin/gunicorn -b 0.0.0.0:8000 app:app"),
            unit("ExecStart=/opt/v/bin/uvicorn \\\n  --host 0.0.0.0 \\\n  --port 8000 app:app"),
            unit("ExecStart=/usr/bin/python3 -m http.server 8085"),
            unit("Environment=HOST=0.0.0.0 PORT=3000\nExecStart=/bin/node a.js"),
            unit("Environment=\"METRICS_LISTEN=:9187\"\nExecStart=/bin/exporter"),
            unit("ExecStart=/usr/bin/dockerd -H tcp://0.0.0.0:2375"),
            file("/etc/default/prometheus", "ARGS=\"--web.listen-address=0.0.0.0:9090 --a\""),
            file("/etc/systemd/system/a.socket", "[Socket]\nListenStream=9000"),
            file("/etc/elasticsearch/elasticsearch.yml", "network.host: 0.0.0.0"),
            file("roles/redis/defaults/main.yml", "redis_bind: 0.0.0.0"),
            file("group_vars/all.yml", "postgresql_listen_addresses: '*'"),
            file("templates/a.env.j2", "LISTEN_ADDR=0.0.0.0:9253"),
            format!(
                "{}mkdir defaults\n{}",
                file("templates/a.service.j2", "ExecStart=/bin/a --listen {{ a_listen }}"),
                file("defaults/main.yml", "a_listen: 0.0.0.0:9253")
            ),
        ] {
            assert_eq!(said(&text).len(), 1, "{text}: {:?}", said(&text));
        }
        for text in [
            unit("ExecStart=/bin/api --http.addr 127.0.0.1:8081"),
            unit("ExecStart=/bin/api --listen 0.0.0.0:443"),
            unit("ExecStart=/bin/api --db-host db --redis-addr :6379"),
            unit("Environment=HOST=127.0.0.1 PORT=3000\nExecStart=/bin/node a.js"),
            unit("ExecStart=/usr/bin/docker run -p 127.0.0.1:8080:80 a:1 --listen 0.0.0.0:80"),
            unit("ExecStart=/bin/exporter --listen :9187")
                + "ufw allow from 10.0.0.2 to any port 9187 proto tcp\n",
            file("/etc/systemd/system/a.socket", "[Socket]\nListenStream=/run/a.sock"),
            file("group_vars/all.yml", "redis_bind: 127.0.0.1\nnginx_listen: 0.0.0.0"),
            file("Dockerfile", "CMD [\"a\", \"--listen=0.0.0.0:8000\"]"),
            file("compose/elasticsearch.yml", "network.host: 0.0.0.0"),
        ] {
            assert_eq!(said(&text), Vec::<String>::new(), "{text}");
        }
    }
}
