//! Finds settings of services that a script changes and that the running service never reads: nothing restarts or reloads
//! it, although the script starts others.

use super::restarts::started;
use super::{FILES, error, unread_settings};
use crate::bash::Command;
use crate::files::known;
use crate::placed::{Placed, placed};
use crate::{Unit, Written};
use domain::gate::Finding;

/// Where services have their settings, and the names of the service.
pub(super) const SETTINGS: [(&str, &[&str]); 54] = [
    ("/etc/alertmanager/", &["alertmanager"]),
    ("/etc/apache2/", &["apache2"]),
    ("/etc/audit/", &["auditd", "augenrules", "auditctl"]),
    ("/etc/bind/", &["named", "bind9", "rndc"]),
    ("/etc/caddy/", &["caddy"]),
    ("/etc/chrony", &["chrony", "chronyd"]),
    ("/etc/consul.d/", &["consul"]),
    ("/etc/containerd/", &["containerd"]),
    ("/etc/dnsmasq", &["dnsmasq"]),
    ("/etc/docker/daemon.json", &["docker"]),
    ("/etc/dovecot/", &["dovecot"]),
    ("/etc/elasticsearch/", &["elasticsearch"]),
    ("/etc/exports", &["nfs-server", "nfs-kernel-server", "exportfs"]),
    ("/etc/fail2ban/", &["fail2ban"]),
    ("/etc/grafana/", &["grafana-server"]),
    ("/etc/haproxy/", &["haproxy"]),
    ("/etc/httpd/", &["httpd"]),
    ("/etc/keepalived/", &["keepalived"]),
    ("/etc/loki/", &["loki"]),
    ("/etc/memcached.conf", &["memcached"]),
    ("/etc/mosquitto/", &["mosquitto"]),
    ("/etc/my.cnf", &["mysql", "mariadb", "mysqld"]),
    ("/etc/mysql/", &["mysql", "mariadb", "mysqld"]),
    ("/etc/netplan/", &["netplan", "systemd-networkd"]),
    ("/etc/nftables.conf", &["nftables", "nft"]),
    ("/etc/nginx/", &["nginx"]),
    ("/etc/ntpsec/", &["ntpsec"]),
    ("/etc/php/", &["fpm", "apache2"]),
    ("/etc/postfix/", &["postfix"]),
    ("/etc/postgresql/", &["postgresql", "postgres", "pg_reload_conf"]),
    ("/etc/prometheus/alertmanager", &["alertmanager"]),
    ("/etc/prometheus/", &["prometheus"]),
    ("/etc/promtail/", &["promtail"]),
    ("/etc/rabbitmq/", &["rabbitmq", "rabbitmq-server"]),
    ("/etc/redis/", &["redis", "redis-server"]),
    ("/etc/redis.conf", &["redis", "redis-server"]),
    ("/etc/rsyslog.conf", &["rsyslog"]),
    ("/etc/rsyslog.d/", &["rsyslog"]),
    ("/etc/samba/", &["smbd", "smb"]),
    ("/etc/squid/", &["squid"]),
    ("/etc/ssh/sshd_config", &["ssh", "sshd"]),
    ("/etc/supervisor/", &["supervisor"]),
    ("/etc/systemd/journald.conf", &["systemd-journald"]),
    ("/etc/systemd/network/", &["systemd-networkd", "networkctl"]),
    ("/etc/systemd/resolved.conf", &["systemd-resolved"]),
    ("/etc/systemd/timesyncd.conf", &["systemd-timesyncd"]),
    ("/etc/telegraf/", &["telegraf"]),
    ("/etc/unbound/", &["unbound"]),
    ("/etc/varnish/", &["varnish"]),
    ("/etc/vault.d/", &["vault"]),
    ("/etc/vector/", &["vector"]),
    ("/etc/vsftpd", &["vsftpd"]),
    ("/etc/wireguard/", &["wg-quick", "wg"]),
    ("/var/lib/pgsql/", &["postgresql", "postgres", "pg_reload_conf"]),
];

/// The names of the service that reads a file.
pub(super) fn readers(path: &str) -> Option<&'static [&'static str]> {
    SETTINGS.iter().find(|(place, _)| path.starts_with(place)).map(|(_, names)| *names)
}

/// Words with which something makes a service read its settings.
const READING: [&str; 17] = [
    "--nginx",
    "--now",
    "HUP",
    "addconf",
    "certbot",
    "graceful",
    "notify",
    "reboot",
    "reload",
    "reloaded",
    "restart",
    "restarted",
    "setconf",
    "start",
    "state",
    "syncconf",
    "up",
];

/// Commands that do so under other words.
const PHRASES: [&str; 7] = [
    "augenrules --load",
    "auditctl -R",
    "exportfs -",
    "netplan apply",
    "nft --file",
    "nft -f",
    "supervisorctl update",
];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let texts: Vec<&str> = unit.texts().collect();
    let started = started(unit);
    let open = started.iter().any(|one| one.name.contains(['$', '{', '*']));
    let reboots = texts.iter().any(|text| text.contains("reboot"));
    if started.is_empty() && !reboots {
        unread_settings::examine(unit, &texts, findings);
    }
    // Where a script starts nothing, a later one may.
    if started.is_empty() || open || reboots {
        return;
    }
    let mut told: Vec<&str> = Vec::new();
    let placed = placed(unit);
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            for place in puts(command) {
                let place = known(place, &shell.script);
                let copy = place.contains(".bak") || place.contains('$');
                // Of a file of the script, the next loop speaks.
                let own = placed.iter().any(|one| one.copy.path == place);
                let Some(names) = readers(&place).filter(|_| !copy && !own) else { continue };
                let name = names.first().copied().unwrap_or_default();
                if !told.contains(&name) && !is_read(&texts, names) {
                    told.push(name);
                    let message =
                        format!("Nothing makes `{name}` read this: restart or reload it.");
                    let line = command.line + shell.offset;
                    findings.push(error(FILES, message).at(shell.file.as_deref(), line));
                }
            }
        }
    }
    // For what tasks copy, their handlers are responsible.
    let placed = placed.iter().filter(|one| !one.task && !unit.is_embedded(one.source));
    for one in placed {
        let (file, own) = (&one.copy, unit.written().any(|own| own.path == one.source.path));
        let Some(names) = readers(&file.path).filter(|_| own) else { continue };
        let name = names.first().copied().unwrap_or_default();
        let read = is_read(&texts, names) && !is_forgotten(unit, one, names)
            || comes_later(unit, file, &texts, names);
        if !told.contains(&name) && !read && !is_scratch(file) {
            told.push(name);
            let message = format!("Nothing makes `{name}` read this: restart or reload it.");
            findings.push(error(FILES, message).at(Some(&one.source.path), 1));
        }
    }
}

/// The places that a command changes.
pub(super) fn puts(command: &Command) -> Vec<&str> {
    let argv = command.argv();
    let has = |words: &[&str]| argv.iter().any(|word| words.contains(word));
    let last = match argv.as_slice() {
        ["cp" | "install" | "ln" | "mv" | "scp", _, ..] if has(&["-d", "--directory"]) => None,
        ["cp" | "install" | "ln" | "mv", _, .., place] => Some(*place),
        ["scp", _, .., place] => place.split_once(':').map(|(_, path)| path),
        ["sed", _, .., place] if argv.iter().any(|word| word.starts_with("-i")) => Some(*place),
        ["tee", .., place] => Some(*place),
        _ => None,
    };
    let writes = command.writes.iter().map(|(path, _)| path.as_str());
    // `argv` borrows from the command's own words.
    let last = last.and_then(|place| {
        command.words.iter().map(|word| word.text.as_str()).find(|word| word.ends_with(place))
    });
    writes.chain(last.map(|word| word.rsplit_once(':').map_or(word, |(_, path)| path))).collect()
}

/// Whether a service reads its settings only before the script writes this file, although the script tests the file or
/// has started the service on its own.
fn is_forgotten(unit: &Unit, one: &Placed, names: &[&str]) -> bool {
    let Some(at) = one.at.filter(|_| one.copy.path.starts_with('/')) else { return false };
    let simple = is_straight(unit.text);
    let after: Vec<&str> = unit.text.lines().skip(at).collect();
    let after = after.join("\n");
    let name = names.first().copied().unwrap_or_default();
    let tests = after.contains(&format!("{name} -t"));
    let told = unit.text.lines().take(at.saturating_sub(1)).any(|line| rereads(line, names));
    // A loop or a variable may name the service.
    let open = ["reload \"$", "restart \"$", "reload $", "restart $"];
    let open = open.iter().any(|sign| after.contains(sign));
    simple && (tests || told) && !open && !is_read(&[after.as_str()], names)
}

/// Whether a script works with services only in the order of its lines: no function and no trap does.
fn is_straight(text: &str) -> bool {
    let acts = |line: &str| ["systemctl", "service ", "reload"].iter().any(|it| line.contains(it));
    let mut inside = false;
    !text.lines().any(|line| {
        let begins = line.contains("() {") || line.starts_with("function ");
        inside = (inside || begins) && line != "}" && !(begins && line.ends_with('}'));
        (inside || begins || line.trim().starts_with("trap ")) && acts(line)
    })
}

/// Whether a line is a command that starts one of these services or makes it read its settings.
fn rereads(line: &str, names: &[&str]) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let managers = ["systemctl", "service"];
    let at = words.iter().position(|word| managers.contains(word));
    let Some(behind) = at.and_then(|at| words.get(at + 1..)) else { return false };
    let again = ["reload", "restart", "start", "--now"];
    behind.iter().any(|word| again.iter().any(|verb| word.contains(verb)))
        && behind.iter().any(|word| {
            let word = word.trim_matches(['"', '\'', ';']).trim_end_matches(".service");
            names.contains(&word.split('@').next().unwrap_or(word))
        })
}

/// Whether a line of a text names a service and makes it read its settings.
pub(super) fn is_read(texts: &[&str], names: &[&str]) -> bool {
    let mut lines =
        texts.iter().flat_map(|text| text.lines()).filter(|line| !line.trim().starts_with('#'));
    let running = is_running(texts, names);
    lines.any(|line| {
        line.split(['&', '|', ';']).any(|part| match part.split_once("systemctl ") {
            Some((_, rest)) => is_managed(rest, names, running),
            None => is_spoken(part, names),
        })
    })
}

/// Whether `systemctl` with these words makes one of the services read its settings.
fn is_managed(words: &str, names: &[&str], running: bool) -> bool {
    let words = words.split_whitespace().map(|word| word.trim_matches(['"', '\'', ']', ',']));
    let words: Vec<&str> = words.collect();
    let mut plain = words.iter().filter(|word| !word.starts_with('-'));
    let reads = match plain.next() {
        Some(&"enable") => words.contains(&"--now"),
        Some(&"start") => !running,
        Some(&"kill") => words.iter().any(|word| word.contains("HUP")),
        Some(verb) => {
            verb.contains("reload") && *verb != "daemon-reload" || verb.contains("restart")
        }
        None => false,
    };
    reads && plain.any(|word| word.contains('$') || names.iter().any(|name| is_named(word, name)))
}

/// Whether a word or a line has the name of a service, and not that of one with a longer name.
fn is_named(text: &str, name: &str) -> bool {
    let longer = |rest: &str| {
        rest.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_alphabetic()))
    };
    text.match_indices(name).any(|(at, _)| !longer(&text[at + name.len()..]))
}

/// Services that Debian starts when it installs them.
const STARTED: [&str; 18] = [
    "apache2",
    "chrony",
    "dnsmasq",
    "docker",
    "fail2ban",
    "haproxy",
    "memcached",
    "mosquitto",
    "mysql",
    "named",
    "nginx",
    "postfix",
    "postgresql",
    "prometheus",
    "redis",
    "rsyslog",
    "ssh",
    "unbound",
];

/// Whether a service already runs when the script starts it, so that the start has no effect.
fn is_running(texts: &[&str], names: &[&str]) -> bool {
    let other = ["stop", "dnf ", "yum ", "pacman ", "apk add", "HUP", "pkill", "kill "];
    let other = texts.iter().any(|text| other.iter().any(|sign| text.contains(sign)));
    names.first().is_some_and(|name| STARTED.contains(name)) && !other
}

/// Whether another command or a task with these words does so.
fn is_spoken(part: &str, names: &[&str]) -> bool {
    let edge = |c: char| !(c.is_ascii_alphanumeric() || "-_".contains(c));
    let reads = |word: &str| {
        READING.contains(&word) || word.starts_with("reload") || word.starts_with("try-re")
    };
    let named = names.iter().any(|name| is_named(part, name));
    let said =
        |phrase: &&str| part.contains(*phrase) && names.iter().any(|name| phrase.contains(name));
    named && part.split(edge).any(reads) || PHRASES.iter().any(said)
}

/// Whether a package that comes after a file, or a container with the file in it, reads it when it starts.
pub(super) fn comes_later(unit: &Unit, file: &Written, texts: &[&str], names: &[&str]) -> bool {
    let installs = |command: &Command| {
        let argv = command.argv();
        let managers = ["apk", "apt", "apt-get", "dnf", "yum"];
        command.line > file.line
            && argv.first().is_some_and(|program| managers.contains(program))
            && argv.iter().any(|word| names.iter().any(|name| word.contains(name)))
    };
    let mounted = [file.path.as_str(), file.folder()];
    let mounted =
        mounted.iter().any(|place| texts.iter().any(|text| text.contains(&format!("{place}:/"))));
    mounted || unit.script.commands.iter().any(installs)
}

/// Whether a file is not among those that the service reads on its own, such as a page or a list of passwords.
pub(super) fn is_scratch(file: &Written) -> bool {
    ["htpasswd", ".pem", ".key", ".crt", ".html", "pgpass"]
        .iter()
        .any(|end| file.path.ends_with(end))
}

#[cfg(test)]
mod tests {
    #[test]
    fn changed_settings_are_read() {
        let said = |text: &str| crate::testing::said(super::examine, text).len();
        let site =
            "cat >/etc/nginx/conf.d/a.conf <<'E'\nE\ncat >/etc/haproxy/haproxy.cfg <<'E'\nE\n";
        for (commands, count) in [
            ("systemctl restart haproxy\n", 1),
            ("systemctl enable nginx\nsystemctl restart haproxy\n", 1),
            ("systemctl restart shop\n", 2),
            ("nginx -t\nnginx -s reload\nsystemctl restart haproxy\n", 0),
            ("systemctl reload-or-restart nginx haproxy\n", 0),
            ("for s in nginx haproxy; do systemctl reload $s; done\n", 0),
            ("systemctl enable nginx haproxy\n", 2),
            (
                "d=/etc/caddy/Caddyfile\ninstall -m 0644 new \"$d\"\nsystemctl reload nginx haproxy\n",
                1,
            ),
            ("apt-get install -y nginx haproxy\nsystemctl enable nginx haproxy\n", 0),
            (
                "docker run -v /etc/nginx/conf.d:/etc/nginx/conf.d a:1\nsystemctl restart haproxy\n",
                0,
            ),
            ("nginx -t\n", 1),
            ("systemctl start nginx\nsystemctl restart haproxy\n", 1),
            ("systemctl stop nginx\nsystemctl start nginx\nsystemctl restart haproxy\n", 0),
            ("nginx -t && systemctl restart haproxy\n", 1),
            ("systemctl reload nginx-exporter\nsystemctl restart haproxy\n", 1),
            ("systemctl status nginx\nsystemctl restart haproxy\n", 1),
            ("sed -i s/a/b/ /etc/redis/redis.conf\nsystemctl restart nginx haproxy\n", 1),
            ("ssh a 'tee /etc/redis/redis.conf' <redis.conf\nsystemctl restart nginx haproxy\n", 1),
            ("nginx -t\ncurl -fsS http://127.0.0.1/\n", 1),
            ("haproxy -c -f /etc/haproxy/haproxy.cfg\ncurl -fsS http://127.0.0.1/\n", 1),
            ("nginx -t && nginx -s reload\ncurl -fsS http://127.0.0.1/\n", 0),
        ] {
            assert_eq!(said(&format!("{site}{commands}")), count, "{commands}");
        }
        let late = "systemctl restart nginx\nscp a.conf b:/tmp/\nssh b 'install /tmp/a.conf /etc/nginx/conf.d/'\n";
        let file = "cat >a.conf <<'E'\nE\n";
        assert_eq!(said(&format!("{file}{late}")), 1);
        assert_eq!(said(&format!("{file}{late}ssh b 'systemctl reload nginx'\n")), 0);
    }
}
