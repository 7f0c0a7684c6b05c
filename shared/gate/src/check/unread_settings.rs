//! Finds settings of a service that a script takes for effective although nothing makes the service read them: it tests
//! them in their place, asks for the state of the service, or uses the service's own client.

use super::unapplied_settings::{comes_later, is_read, is_scratch, readers};
use super::{FILES, error};
use crate::Unit;
use crate::bash::Command;
use crate::placed::{Placed, placed};
use domain::gate::Finding;

/// Programs that test the settings of a service, their option, and the place of the settings.
const TESTS: [(&str, &str, &str); 15] = [
    ("apache2ctl", "configtest", "/etc/apache2/"),
    ("apachectl", "configtest", "/etc/httpd/"),
    ("caddy", "validate", "/etc/caddy/"),
    ("dnsmasq", "--test", "/etc/dnsmasq"),
    ("dockerd", "--validate", "/etc/docker/daemon.json"),
    ("fail2ban-client", "-t", "/etc/fail2ban/"),
    ("haproxy", "-c", "/etc/haproxy/"),
    ("keepalived", "-t", "/etc/keepalived/"),
    ("named-checkconf", "", "/etc/bind/"),
    ("nft", "--check", "/etc/nftables.conf"),
    ("nft", "-c", "/etc/nftables.conf"),
    ("nginx", "-t", "/etc/nginx/"),
    ("promtool", "config", "/etc/prometheus/"),
    ("sshd", "-t", "/etc/ssh/sshd_config"),
    ("unbound-checkconf", "", "/etc/unbound/"),
];

/// Services by their first name, and programs that use nothing but them.
const CLIENTS: [(&str, &[&str]); 10] = [
    ("chrony", &["chronyc"]),
    ("docker", &["docker"]),
    ("fail2ban", &["fail2ban-client"]),
    ("memcached", &["memcstat", "memcping"]),
    ("mysql", &["mariadb", "mysql", "mysqladmin", "mysqlshow"]),
    ("nfs-server", &["showmount"]),
    ("postgresql", &["createdb", "createuser", "pg_isready", "psql"]),
    ("rabbitmq", &["rabbitmqctl"]),
    ("redis", &["redis-cli"]),
    ("wg-quick", &["wg"]),
];

/// Services that answer requests for pages.
const SERVERS: [&str; 9] = [
    "alertmanager",
    "apache2",
    "caddy",
    "grafana-server",
    "haproxy",
    "httpd",
    "loki",
    "nginx",
    "prometheus",
];

pub(super) fn examine(unit: &Unit, texts: &[&str], findings: &mut Vec<Finding>) {
    let placed = placed(unit);
    let mut told = tested(unit, &placed, texts, findings);
    for one in &placed {
        let Some(names) = readers(&one.copy.path) else { continue };
        let name = names.first().copied().unwrap_or_default();
        let Some(at) = one.at.filter(|_| !told.contains(&name)) else { continue };
        let own = unit.written().any(|own| own.path == one.source.path);
        let mut shells = unit.everywhere().filter(|shell| shell.file.is_none());
        let used = shells.any(|shell| {
            shell.script.commands.iter().any(|command| {
                command.line + shell.offset > at && uses(command, name, &one.copy.text)
            })
        });
        let other = is_read(texts, names) || comes_later(unit, &one.copy, texts, names);
        if own && used && !other && !is_scratch(&one.copy) {
            told.push(name);
            let message = format!("Nothing makes `{name}` read this: restart or reload it.");
            findings.push(error(FILES, message).at(Some(&one.source.path), 1));
        }
    }
}

/// Whether a command uses a service that has these settings.
fn uses(command: &Command, name: &str, settings: &str) -> bool {
    let argv = command.argv();
    let Some(program) = argv.first() else { return false };
    let shows = ["is-active", "status"];
    if *program == "systemctl" && argv.iter().any(|word| shows.contains(word)) {
        return argv.iter().any(|word| word.trim_end_matches(".service") == name);
    }
    let own = CLIENTS.iter().any(|(service, programs)| {
        // Only a question about the daemon, and no work with an image, needs its settings.
        let asks = *service != "docker" || argv.get(1) == Some(&"info");
        *service == name && programs.contains(program) && asks
    });
    let asked = |word: &&str| {
        let Some((scheme, rest)) = word.split_once("://") else { return false };
        let place = rest.split(['/', '"']).next().unwrap_or_default();
        let (host, port) = place.split_once(':').unwrap_or((place, ""));
        let usual = if scheme.ends_with('s') { "443" } else { "80" };
        let port = if port.is_empty() { usual } else { port };
        let listens = settings.split(|c: char| !c.is_ascii_digit()).any(|number| number == port);
        (["127.0.0.1", "localhost"].contains(&host) && listens)
            || (host.contains('.') && !host.contains('$') && settings.contains(host))
    };
    let page = SERVERS.contains(&name) && ["curl", "wget"].contains(program);
    own || (page && argv.iter().any(asked))
}

/// Settings that the script writes and tests where the service has them, without making the service read them. Returns
/// the services that it reports.
fn tested(
    unit: &Unit,
    placed: &[Placed],
    texts: &[&str],
    findings: &mut Vec<Finding>,
) -> Vec<&'static str> {
    let mut told = Vec::new();
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            let argv = command.argv();
            let place = TESTS.iter().find(|(program, option, _)| {
                argv.first() == Some(program)
                    && (option.is_empty() || argv.iter().any(|word| word == option))
            });
            let Some((program, _, place)) = place else { continue };
            let line = command.line + shell.offset;
            let writes = placed.iter().any(|one| one.copy.path.starts_with(place));
            let Some(names) = readers(place).filter(|_| writes) else { continue };
            if shell.file.is_none() && !is_read(texts, names) {
                let name = names.first().copied().unwrap_or_default();
                let message = format!(
                    "`{program}` tests the new settings, but nothing makes `{name}` read them."
                );
                findings.push(error(FILES, message).at(None, line));
                told.push(name);
            }
        }
    }
    told
}

#[cfg(test)]
mod tests {
    #[test]
    fn settings_are_read_before_the_service_is_used() {
        let said = |text: &str| {
            crate::testing::said(super::super::unapplied_settings::examine, text).len()
        };
        let site = "cat >a.conf <<'E'\nlisten 80;\nserver_name a.example.com;\nE\nscp a.conf b:/tmp/\nssh b 'sudo install /tmp/a.conf /etc/nginx/conf.d/'\n";
        let base = "tee /etc/mysql/conf.d/a.cnf <<'E'\nE\n";
        let proxy = "ssh b 'sudo tee /etc/haproxy/haproxy.cfg' <h.cfg\n";
        let proxy =
            format!("cat >h.cfg <<'E'\nE\n{proxy}ssh b 'haproxy -c -f /etc/haproxy/haproxy.cfg");
        for (text, count) in [
            (format!("{site}ssh b 'sudo nginx -t'\nssh b 'curl -fsS http://127.0.0.1/'\n"), 1),
            (format!("{site}curl -fsS https://a.example.com/\n"), 1),
            (format!("{site}ssh b 'nginx -s reload'\ncurl -fsS https://a.example.com/\n"), 0),
            (format!("{site}curl -fsS http://127.0.0.1/\n"), 1),
            (format!("{site}curl -fsS http://127.0.0.1:8000/\n"), 0),
            (format!("{site}curl -fsSO https://b.example.com/a.tar.gz\n"), 0),
            (format!("{site}ssh b 'sudo nginx -t'\n"), 1),
            (site.to_owned(), 0),
            (format!("{site}ssh b 'systemctl is-active nginx'\n"), 1),
            (format!("{base}mysql -e 'SELECT 1'\n"), 1),
            (format!("mysql -e 'SELECT 1'\n{base}"), 0),
            (format!("{base}systemctl restart mysql\nmysql -e 'SELECT 1'\n"), 0),
            (format!("{base}apt-get install -y mysql-server\nmysql -e 'SELECT 1'\n"), 0),
            (format!("{proxy} && systemctl status haproxy'\ncurl -fsS http://203.0.113.9/\n"), 1),
            (format!("{proxy} && systemctl reload haproxy'\ncurl -fsS http://203.0.113.9/\n"), 0),
        ] {
            assert_eq!(said(&text), count, "{text}");
        }
    }
}
