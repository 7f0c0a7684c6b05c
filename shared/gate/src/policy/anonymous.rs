//! Finds settings with which services and containers ask for no password, or firewalls accept every network.

use super::opened_ports::may_open;
use super::ports::refusal;
use crate::check::error;
use crate::places::is_yaml;
use crate::yaml::{self, Node};
use crate::{POLICY, Unit, Written};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    if unit.context.check {
        return;
    }
    for (at, line) in unit.text.lines().enumerate() {
        if let Some(message) = setting(line).filter(|it| it != OBEYS || !is_pipeline(unit, at + 1))
        {
            findings.push(error(POLICY, message).at(None, at + 1));
        }
    }
    for file in unit.written() {
        let found = bound(file).into_iter().chain(mounted(file)).chain(page(file));
        for (line, message) in found {
            findings.push(error(POLICY, message).at(Some(&file.path), line));
        }
    }
    for shell in unit.running() {
        for command in &shell.script.commands {
            if let Some(message) = opened(unit, &command.argv()) {
                let line = command.line + shell.offset;
                findings.push(error(POLICY, message).at(shell.file.as_deref(), line));
            }
        }
    }
}

/// Whether a line is in a file of a pipeline, whose services live as long as one test.
fn is_pipeline(unit: &Unit, line: usize) -> bool {
    let pipelines = unit
        .files
        .iter()
        .filter(|file| file.is_workflow() || file.name().ends_with(".gitlab-ci.yml"));
    let mut ranges = pipelines.map(|file| file.line..file.line + file.text.lines().count());
    ranges.any(|range| range.contains(&line))
}

const OBEYS: &str = "Without a password, this obeys anyone who can reach it.";
const NETWORK: &str = "Every network could reach this: name the addresses.";
const PLAIN: &str = "Anyone along the way can read what this sends: require encryption.";
const RIGHTS: &str = "This gives more rights than are needed: name them.";

/// Settings as they occur in a line, in lower case, without quotes and with `=` for `: `, and why the gate refuses
/// them.
const LINES: [(&str, &str); 41] = [
    ("ssh_pwauth=true", "Passwords can be guessed: allow keys only."),
    ("postgres_host_auth_method=trust", OBEYS),
    ("mysql_allow_empty_password=yes", OBEYS),
    ("mysql_allow_empty_password=true", OBEYS),
    ("mysql_allow_empty_password=1", OBEYS),
    ("mariadb_allow_empty_root_password=", OBEYS),
    ("allow_empty_password=yes", OBEYS),
    ("neo4j_auth=none", OBEYS),
    ("xpack.security.enabled=false", OBEYS),
    ("disable_security_plugin=true", OBEYS),
    ("allow_anonymous true", OBEYS),
    ("anonymous_enable=yes", OBEYS),
    ("--anonymous-auth=true", OBEYS),
    ("--authorization-mode=alwaysallow", OBEYS),
    ("--client-cert-auth=false", OBEYS),
    ("--protected-mode no", OBEYS),
    ("rocommunity public", OBEYS),
    ("rwcommunity public", OBEYS),
    ("loopback_users=none", OBEYS),
    ("user default on nopass ~* &* +@all", OBEYS),
    ("authtype=auth/none", OBEYS),
    ("guest ok=yes", OBEYS),
    ("create mask=0777", "Everyone on the machine may write what this makes."),
    ("directory mask=0777", "Everyone on the machine may write what this makes."),
    ("disable_plaintext_auth=no", PLAIN),
    ("cipher none", PLAIN),
    ("<listen_host>::<", NETWORK),
    ("<listen_host>0.0.0.0<", NETWORK),
    ("http_access allow all", NETWORK),
    ("allow-recursion { any; }", NETWORK),
    ("allow-transfer { any; }", NETWORK),
    ("mynetworks=0.0.0.0/0", NETWORK),
    ("ignoreip=0.0.0.0/0", "fail2ban would ban no address: name your own networks."),
    ("gatewayports yes", "Forwarded ports would be open to every network."),
    ("permissions=write-all", RIGHTS),
    ("allowprivilegeescalation=true", RIGHTS),
    ("runasnonroot=false", RIGHTS),
    ("seccomp=unconfined", RIGHTS),
    ("seccomp:unconfined", RIGHTS),
    ("apparmor=unconfined", RIGHTS),
    ("apparmor:unconfined", RIGHTS),
];

fn setting(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let spaced = words.join(" ").to_lowercase();
    if ["identified by \"\"", "identified by ''", "password ''", "password=''"]
        .iter()
        .any(|sign| spaced.contains(sign) && spaced.contains("user"))
    {
        return Some(OBEYS.to_owned());
    }
    let plain = spaced.replace(['"', '\'', '[', ']', ','], "");
    let plain = plain.replace(": ", "=").replace(" = ", "=");
    if plain.starts_with(['#', ';']) || plain.contains("grep ") {
        return None;
    }
    let found = LINES.iter().find(|(sign, _)| plain.contains(sign));
    // `*(rw)` of a share for every machine.
    let share = plain.contains("/etc/exports")
        && (plain.contains(" *(r") || plain.contains(" 0.0.0.0/0(r"));
    found.map(|(_, why)| (*why).to_owned()).or_else(|| share.then(|| NETWORK.to_owned()))
}

/// Addresses on which a database listens.
fn bound(file: &Written) -> Vec<(usize, String)> {
    let database =
        ["/etc/mysql", "mysqld.cnf", "my.cnf", ".cnf"].iter().any(|it| file.path.contains(it));
    let is = |line: &&str| {
        let bare = line.replace([' ', '_', '-'], "");
        ["bindaddress=*", "bindaddress=::"].contains(&bare.trim())
    };
    let lines =
        file.text.lines().enumerate().filter(|_| database && !file.path.contains("conf.d/docker"));
    lines.filter(|(_, line)| is(line)).map(|(at, _)| (at + 1, NETWORK.to_owned())).collect()
}

/// Images that must control Docker.
const STEERING: [&str; 8] =
    ["act", "agent", "docker", "dockge", "portainer", "runner", "watchtower", "jenkins"];

/// Whether an image is there to control Docker.
pub(super) fn steers(image: &str) -> bool {
    STEERING.iter().any(|part| image.contains(part))
}

/// Images of databases, whose ports a network of the host opens.
const DATABASES: [&str; 7] =
    ["elasticsearch", "mariadb", "mongo", "mysql", "postgres", "redis", "valkey"];

/// Containers that may control Docker, or that listen on all addresses of the host.
fn mounted(file: &Written) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let documents = if is_yaml(file) { yaml::documents(&file.filled()) } else { Ok(Vec::new()) };
    let documents = documents.unwrap_or_default();
    for node in documents.iter().flat_map(Node::all) {
        let name = node.get("image").and_then(Node::text).unwrap_or_default();
        let image = name.rsplit('/').next().unwrap_or(name).split(':').next().unwrap_or(name);
        let steers = steers(image);
        for volume in node.get("volumes").map(Node::list).unwrap_or_default() {
            let whole = volume.text().is_some_and(|text| {
                text.contains("docker.sock:") && !text.ends_with(":ro") && !text.ends_with(":ro,z")
            });
            if whole && !steers && !name.is_empty() {
                found.push((volume.line, super::containers::SOCKET.to_owned()));
            }
        }
        if image == "mongo" && obeys(node) {
            found.push((node.line, OBEYS.to_owned()));
        }
        let network = node.get("network_mode").filter(|it| it.text() == Some("host"));
        if let Some(network) = network.filter(|_| DATABASES.iter().any(|part| image.contains(part)))
        {
            found.push((network.line, NETWORK.to_owned()));
        }
    }
    for document in &documents {
        let kind = document.get("kind").and_then(Node::text).unwrap_or_default();
        let pods = ["Deployment", "Job", "Pod", "StatefulSet"].contains(&kind);
        for node in document.all().into_iter().filter(|_| pods) {
            if let Some(own) = node.get("hostNetwork").filter(|it| it.text() == Some("true")) {
                found.push((own.line, "This listens on all addresses of its node.".to_owned()));
            }
        }
    }
    found
}

/// Whether a container of MongoDB is started without its account and without a command that requires one.
fn obeys(node: &Node) -> bool {
    let texts = |key: &str| -> String {
        let all = node.get(key).map(Node::all).unwrap_or_default();
        let keys = all.iter().flat_map(|it| it.map()).map(|entry| entry.key.as_str());
        keys.chain(all.iter().filter_map(|it| it.text())).flat_map(|text| [text, " "]).collect()
    };
    let command = ["args", "command", "entrypoint"].map(texts).concat();
    let given = ["env", "environment"].map(texts).concat();
    // Settings in a file, or in a list that YAML merges, are not here.
    let elsewhere =
        ["env_file", "envFrom", "extends", "<<"].iter().any(|key| node.get(key).is_some());
    let requires = ["--auth", "--keyFile", "--config", "-f ", "--transitionToAuth"];
    !elsewhere
        && !given.contains("MONGO_INITDB_ROOT_USERNAME")
        && !requires.iter().any(|option| command.contains(option))
}

/// A page of nginx with its numbers, which everyone may open.
fn page(file: &Written) -> Option<(usize, String)> {
    let lines: Vec<&str> = file.text.lines().map(str::trim).collect();
    let at = lines.iter().position(|line| *line == "stub_status;" || *line == "stub_status on;")?;
    let begin = lines[..at].iter().rposition(|line| line.starts_with("location"))?;
    let end = lines[at..].iter().position(|line| *line == "}")? + at;
    let guards = ["allow ", "auth_basic ", "deny ", "internal;"];
    let guarded = lines[begin..end].iter().any(|line| guards.iter().any(|it| line.starts_with(it)));
    let server = lines[..begin].iter().rposition(|line| line.starts_with("server"))?;
    let own = ["listen 127.", "listen [::1]", "listen unix:", "listen localhost", "listen 10."];
    let inside = lines[server..].iter().find(|line| line.starts_with("listen"));
    let inside = inside.is_none_or(|line| own.iter().any(|it| line.starts_with(it)));
    let above = lines[server..begin]
        .iter()
        .any(|line| line.starts_with("deny ") || line.starts_with("allow "));
    let message = "This lets everyone open pages that are meant for administrators.";
    (!guarded && !inside && !above).then(|| (at + 1, message.to_owned()))
}

/// What a command opens.
fn opened(unit: &Unit, argv: &[&str]) -> Option<String> {
    match argv {
        ["umask", "0" | "00" | "000" | "0000"] => {
            Some("Everyone on the machine may write what this makes.".to_owned())
        }
        ["setfacl", rest @ ..] => {
            let wide = rest.iter().any(|word| {
                ["o:", "o::", "other:", "other::"].iter().any(|start| {
                    word.strip_prefix(start).is_some_and(|rights| rights.contains('w'))
                })
            });
            wide.then(|| "Everyone on the machine may write here.".to_owned())
        }
        [
            "iptables" | "ip6tables",
            "-A" | "-I" | "--append" | "--insert",
            "INPUT",
            "-j",
            "ACCEPT",
        ] => Some(refusal("")),
        ["iptables" | "ip6tables", rest @ ..] => {
            let has = |word: &str| rest.contains(&word);
            let source = rest.windows(2).find(|two| ["-s", "--source"].contains(&two[0]))?[1];
            let port = rest.windows(2).find(|two| two[0] == "--dport")?[1].parse::<u16>().ok()?;
            let everyone = ["0.0.0.0/0", "::/0", "0/0"].contains(&source);
            (everyone && has("INPUT") && has("ACCEPT") && !may_open(unit, port))
                .then(|| refusal(&port.to_string()))
        }
        ["gcloud", "compute", "firewall-rules", "create", rest @ ..] => {
            let limits = ["--source", "--direction=EGRESS", "--action=DENY", "--direction=egress"];
            if rest.iter().any(|word| limits.iter().any(|it| word.starts_with(it))) {
                return None;
            }
            let rules = rest.iter().find_map(|word| {
                word.strip_prefix("--allow=").or_else(|| word.strip_prefix("--rules="))
            })?;
            let ports = rules.split([',', ':']).filter_map(|port| port.parse::<u16>().ok());
            let port = ports.into_iter().find(|port| !may_open(unit, *port))?;
            Some(refusal(&port.to_string()))
        }
        ["doctl", "compute", "firewall", rest @ ..] => {
            let open = rest.iter().any(|word| {
                word.contains("ports:all")
                    && word.contains("address:0.0.0.0/0")
                    && word.contains("protocol:")
            });
            let inbound = rest.contains(&"--inbound-rules");
            (open && inbound && !rest.contains(&"--outbound-rules")).then(|| refusal(""))
        }
        ["rclone", "serve", rest @ ..] => {
            let address = rest.windows(2).find(|two| two[0] == "--addr").map(|two| two[1]);
            let own =
                address.is_none_or(|it| it.starts_with("127.") || it.starts_with("localhost"));
            let asks = rest
                .iter()
                .any(|word| word.starts_with("--user") || word.starts_with("--htpasswd"));
            (!own && !asks).then(|| OBEYS.to_owned())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    fn said(text: &str) -> usize {
        crate::testing::said(super::examine, text).len()
    }

    fn file(path: &str, text: &str) -> String {
        format!("cat >{path} <<'E'\n{text}\nE\n")
    }

    #[test]
    fn services_ask_for_a_password() {
        let status =
            "server {\n    listen LISTEN;\n    location /status {\n        stub_status;\n    }\n}";
        let container = |image: &str, mode: &str| {
            file(
                "compose.yaml",
                &format!(
                    "services:\n  a:\n    image: {image}\n    volumes:\n      - /var/run/docker.sock:/var/run/docker.sock{mode}"
                ),
            )
        };
        for text in [
            file("compose.yaml", "      POSTGRES_HOST_AUTH_METHOD: trust"),
            file("compose.yaml", "      - xpack.security.enabled=false"),
            file("compose.yaml", "    command: [\"redis-server\", \"--protected-mode\", \"no\"]"),
            file("/etc/mysql/conf.d/a.cnf", "bind-address = *"),
            file("/etc/fail2ban/jail.local", "ignoreip = 0.0.0.0/0"),
            file(".github/workflows/a.yml", "permissions: write-all"),
            file("a.yaml", "kind: Pod\nspec:\n  hostNetwork: true"),
            file("/etc/nginx/conf.d/a.conf", &status.replace("LISTEN", "8080")),
            container("traefik:v3.2.3", ""),
            "echo '/srv/share *(rw,sync)' >/etc/exports\n".into(),
            "umask 000\n".into(),
            "iptables -A INPUT -j ACCEPT\n".into(),
            "iptables -A INPUT -p tcp -s 0.0.0.0/0 --dport 5432 -j ACCEPT\n".into(),
            "gcloud compute firewall-rules create a --network=b --allow=tcp:5432\n".into(),
            "rclone serve http remote:backups --addr :8080\n".into(),
        ] {
            assert_eq!(said(&text), 1, "{text}");
        }
        for text in [
            file("compose.yaml", "      POSTGRES_HOST_AUTH_METHOD: scram-sha-256"),
            file("/etc/mysql/conf.d/a.cnf", "bind-address = 127.0.0.1"),
            file("a.yaml", "kind: DaemonSet\nspec:\n  hostNetwork: true"),
            file("/etc/nginx/conf.d/a.conf", &status.replace("LISTEN", "127.0.0.1:8080")),
            container("traefik:v3.2.3", ":ro"),
            container("gitlab/gitlab-runner:v17.6.0", ""),
            "echo '/srv/share 10.0.0.0/24(rw,sync)' >/etc/exports\n".into(),
            "umask 077\n".into(),
            "iptables -A INPUT -i lo -j ACCEPT\n".into(),
            "gcloud compute firewall-rules create a --allow=tcp:5432 --source-tags=web\n".into(),
        ] {
            assert_eq!(said(&text), 0, "{text}");
        }
    }
}
