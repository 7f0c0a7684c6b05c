//! Finds settings of services that a script changes and that the running service never reads: nothing restarts or reloads
//! it, although the script starts others.

use super::restarts::started;
use super::{FILES, error};
use crate::bash::Command;
use crate::files::known;
use crate::{Unit, Written};
use domain::gate::Finding;

/// Where services have their settings, and the names of the service.
pub(super) const SETTINGS: [(&str, &[&str]); 26] = [
    ("/etc/alertmanager/", &["alertmanager"]),
    ("/etc/apache2/", &["apache2"]),
    ("/etc/caddy/", &["caddy"]),
    ("/etc/chrony/", &["chrony", "chronyd"]),
    ("/etc/dnsmasq.d/", &["dnsmasq"]),
    ("/etc/docker/daemon.json", &["docker"]),
    ("/etc/fail2ban/", &["fail2ban"]),
    ("/etc/grafana/", &["grafana-server"]),
    ("/etc/haproxy/", &["haproxy"]),
    ("/etc/httpd/", &["httpd"]),
    ("/etc/keepalived/", &["keepalived"]),
    ("/etc/loki/", &["loki"]),
    ("/etc/mysql/", &["mysql", "mariadb", "mysqld"]),
    ("/etc/nginx/", &["nginx"]),
    ("/etc/php/", &["fpm", "apache2"]),
    ("/etc/postfix/", &["postfix"]),
    ("/etc/postgresql/", &["postgresql", "postgres", "pg_reload_conf"]),
    ("/etc/prometheus/alertmanager", &["alertmanager"]),
    ("/etc/prometheus/", &["prometheus"]),
    ("/etc/redis/", &["redis", "redis-server"]),
    ("/etc/rsyslog.d/", &["rsyslog"]),
    ("/etc/ssh/sshd_config", &["ssh", "sshd"]),
    ("/etc/systemd/journald.conf", &["systemd-journald"]),
    ("/etc/systemd/resolved.conf", &["systemd-resolved"]),
    ("/etc/systemd/timesyncd.conf", &["systemd-timesyncd"]),
    ("/etc/unbound/", &["unbound"]),
];

/// The names of the service that reads a file.
pub(super) fn readers(path: &str) -> Option<&'static [&'static str]> {
    SETTINGS.iter().find(|(place, _)| path.starts_with(place)).map(|(_, names)| *names)
}

/// Words with which something makes a service read its settings.
const READING: [&str; 13] = [
    "--nginx",
    "--now",
    "HUP",
    "certbot",
    "notify",
    "reboot",
    "reload",
    "reloaded",
    "restart",
    "restarted",
    "start",
    "state",
    "up",
];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let texts: Vec<&str> = unit.texts().collect();
    let started = started(unit);
    let open = started.iter().any(|one| one.name.contains(['$', '{', '*']));
    let reboots = texts.iter().any(|text| text.contains("reboot"));
    if started.is_empty() && !reboots {
        tested(unit, &texts, findings);
    }
    // Where a script starts nothing, a later one may.
    if started.is_empty() || open || reboots {
        return;
    }
    let mut told: Vec<&str> = Vec::new();
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            let argv = command.argv();
            let puts = matches!(argv.first(), Some(&("cp" | "install" | "mv")));
            let place = argv.last().filter(|_| puts && argv.len() > 2);
            let place = place.map(|place| known(place, &shell.script)).unwrap_or_default();
            let copy = place.contains(".bak") || place.contains('$') || argv.contains(&"-d");
            let Some(names) = readers(&place).filter(|_| !copy) else { continue };
            let name = names.first().copied().unwrap_or_default();
            if !told.contains(&name) && !is_read(&texts, names) {
                told.push(name);
                let message = format!("Nothing makes `{name}` read this: restart or reload it.");
                let line = command.line + shell.offset;
                findings.push(error(FILES, message).at(shell.file.as_deref(), line));
            }
        }
    }
    for file in unit.written().filter(|file| !unit.is_embedded(file)) {
        let Some(names) = readers(&file.path) else { continue };
        let name = names.first().copied().unwrap_or_default();
        let read = is_read(&texts, names) && !is_forgotten(unit, file, names)
            || comes_later(unit, file, &texts, names);
        if !told.contains(&name) && !read && !is_scratch(file) {
            told.push(name);
            let message = format!("Nothing makes `{name}` read this: restart or reload it.");
            findings.push(error(FILES, message).at(Some(&file.path), 1));
        }
    }
}

/// Whether a service reads its settings only before the script writes this file and tests it.
fn is_forgotten(unit: &Unit, file: &Written, names: &[&str]) -> bool {
    let own = unit.files.iter().any(|own| own.path == file.path) && file.path.starts_with('/');
    let simple = unit.script.functions.is_empty() && !unit.text.contains("trap ");
    let after: Vec<&str> = unit.text.lines().skip(file.line).collect();
    let after = after.join("\n");
    let name = names.first().copied().unwrap_or_default();
    let tests = after.contains(&format!("{name} -t"));
    // A loop or a variable may stand for the service.
    let open = ["reload \"$", "restart \"$", "reload $", "restart $"];
    let open = open.iter().any(|sign| after.contains(sign));
    own && simple && tests && !open && !is_read(&[after.as_str()], names)
}

/// Programs that test the settings of a service, their option, and the place of the settings.
const TESTS: [(&str, &str, &str); 8] = [
    ("apache2ctl", "configtest", "/etc/apache2/"),
    ("apachectl", "configtest", "/etc/httpd/"),
    ("caddy", "validate", "/etc/caddy/"),
    ("haproxy", "-c", "/etc/haproxy/"),
    ("nginx", "-t", "/etc/nginx/"),
    ("promtool", "config", "/etc/prometheus/"),
    ("sshd", "-t", "/etc/ssh/sshd_config"),
    ("unbound-checkconf", "", "/etc/unbound/"),
];

/// Programs that show whether a service answers.
const PROBES: [&str; 6] = ["curl", "dig", "nc", "openssl", "ssh", "wget"];

/// Settings that the script writes, tests and takes for effective: it asks the service afterwards, and nothing made the
/// service read them.
fn tested(unit: &Unit, texts: &[&str], findings: &mut Vec<Finding>) {
    let commands = &unit.script.commands;
    let last = commands
        .iter()
        .rposition(|command| command.program().is_some_and(|program| PROBES.contains(&program)));
    let last = last.and_then(|at| commands.get(at)).map_or(0, |command| command.line);
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            let argv = command.argv();
            let place = TESTS.iter().find(|(program, option, _)| {
                argv.first() == Some(program)
                    && (option.is_empty() || argv.iter().any(|word| word == option))
            });
            let Some((program, _, place)) = place else { continue };
            let line = command.line + shell.offset;
            let writes = unit.written().any(|file| file.path.starts_with(place));
            let Some(names) = readers(place).filter(|_| writes && line < last) else { continue };
            if shell.file.is_none() && !is_read(texts, names) {
                let name = names.first().copied().unwrap_or_default();
                let message = format!(
                    "`{program}` tests the new settings, and nothing makes `{name}` read them."
                );
                findings.push(error(FILES, message).at(None, line));
            }
        }
    }
}

/// Whether a line of a text names a service and makes it read its settings.
fn is_read(texts: &[&str], names: &[&str]) -> bool {
    let edge = |c: char| !(c.is_ascii_alphanumeric() || "-_".contains(c));
    let mut lines =
        texts.iter().flat_map(|text| text.lines()).filter(|line| !line.trim().starts_with('#'));
    let reads = |word: &str| {
        READING.contains(&word) || word.starts_with("reload") || word.starts_with("try-re")
    };
    lines.any(|line| {
        let named = names.iter().any(|name| line.contains(name));
        named && line.split(edge).any(reads)
    })
}

/// Whether a package that comes after a file, or a container with the file in it, reads it when it starts.
fn comes_later(unit: &Unit, file: &Written, texts: &[&str], names: &[&str]) -> bool {
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

/// Whether a file is none of those that the service reads by itself, such as a page or a list of passwords.
fn is_scratch(file: &Written) -> bool {
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
            ("nginx -t\n", 0),
            ("nginx -t\ncurl -fsS http://127.0.0.1/\n", 1),
            ("haproxy -c -f /etc/haproxy/haproxy.cfg\ncurl -fsS http://127.0.0.1/\n", 1),
            ("nginx -t && nginx -s reload\ncurl -fsS http://127.0.0.1/\n", 0),
        ] {
            assert_eq!(said(&format!("{site}{commands}")), count, "{commands}");
        }
    }
}
