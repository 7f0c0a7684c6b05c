//! Finds reloads that do not have the effect that the script needs: settings that only a restart takes, units that cannot
//! reload, and new settings of a unit's own file.

use super::restarts_known::KNOWN;
use super::{FILES, Task, error, task_documents, tasks};
use crate::placed::{Placed, placed};
use crate::yaml::Node;
use crate::{Unit, Written};
use domain::gate::Finding;

/// Where services have settings that only a restart takes, the beginning of the service's name, and these settings.
const RESTARTING: [(&str, &str, &str); 12] = [
    ("/etc/postgresql/", "postgresql", POSTGRES),
    ("postgresql.conf", "postgresql", POSTGRES),
    ("/var/lib/pgsql/", "postgresql", POSTGRES),
    ("/etc/docker/daemon.json", "docker", DOCKER),
    ("/etc/default/", "", ALL),
    ("/etc/dnsmasq", "dnsmasq", ALL),
    ("/etc/mysql/", "mariadb", ALL),
    ("/etc/mysql/", "mysql", ALL),
    ("/etc/my.cnf", "mariadb", ALL),
    ("/etc/my.cnf", "mysql", ALL),
    ("/etc/postfix/main.cf", "postfix", "inet_interfaces inet_protocols"),
    ("/etc/rsyslog", "rsyslog", ALL),
];

/// Stands for all settings of a service that reads its files only when it starts.
const ALL: &str = "";

/// From the sample of PostgreSQL 15: "change requires restart".
const POSTGRES: &str = "archive_mode autovacuum_freeze_max_age autovacuum_max_workers bonjour cluster_name data_directory dynamic_shared_memory_type event_source external_pid_file hba_file hot_standby huge_pages huge_page_size ident_file jit_provider listen_addresses logging_collector max_connections max_files_per_process max_locks_per_transaction max_logical_replication_workers max_pred_locks_per_transaction max_prepared_transactions max_replication_slots max_wal_senders max_worker_processes min_dynamic_shared_memory old_snapshot_threshold port recovery_target shared_buffers shared_memory_type shared_preload_libraries superuser_reserved_connections track_activity_query_size track_commit_timestamp unix_socket_directories unix_socket_group unix_socket_permissions wal_buffers wal_decode_buffer_size wal_level wal_log_hints";

/// All settings of Docker's daemon but those that its manual names as reloadable.
const DOCKER: &str = "bip bridge cgroup-parent data-root default-address-pools dns exec-opts fixed-cidr fixed-cidr-v6 hosts icc ip ip6tables iptables ipv6 log-driver log-opts metrics-addr mtu no-new-privileges selinux-enabled storage-driver storage-opts userland-proxy userns-remap";

/// Units of packages that have no `ExecReload=`.
const FIXED: [&str; 23] = [
    "chrony",
    "chronyd",
    "containerd",
    "cron",
    "elasticsearch",
    "etcd",
    "grafana-server",
    "influxdb",
    "jenkins",
    "kibana",
    "kubelet",
    "loki",
    "memcached",
    "mongod",
    "prometheus-node-exporter",
    "promtail",
    "rabbitmq-server",
    "redis",
    "redis-sentinel",
    "redis-server",
    "systemd-timesyncd",
    "tomcat10",
    "tomcat9",
];

/// A place that makes a service reload or restart.
struct Again {
    name: String,
    file: Option<String>,
    line: usize,
}

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let (reloads, restarts) = again(unit);
    let all: Vec<&Written> = unit.tree.iter().chain(&unit.there).collect();
    let texts: Vec<&str> = unit.texts().collect();
    // The server or a loop over services may restart with all of them.
    let open = restarts.iter().any(|one| one.name.contains(['$', '{', '*']))
        || texts.iter().any(|text| text.contains("reboot"));
    for one in &reloads {
        let name = one.name.trim_end_matches(".service");
        let restarted = open || restarts.iter().any(|other| related(&other.name, name));
        let message = fixed(name, &all, &texts)
            .or_else(|| restarting(unit, name).filter(|_| !restarted))
            .or_else(|| tasked(unit, name).filter(|_| !restarted))
            .or_else(|| own(unit, name).filter(|_| !restarted));
        if let Some(message) = message {
            findings.push(error(FILES, message).at(one.file.as_deref(), one.line));
        }
    }
}

/// Whether two names are of the same service: `postgresql` and `postgresql@17-main`.
fn related(one: &str, other: &str) -> bool {
    let stem = |name: &str| {
        let name = name.trim_end_matches(".service");
        name.split(['@', '-']).next().unwrap_or(name).to_owned()
    };
    stem(one) == stem(other)
}

/// What commands and tasks reload, and what they start or restart.
fn again(unit: &Unit) -> (Vec<Again>, Vec<Again>) {
    let (mut reloads, mut restarts) = (Vec::new(), Vec::new());
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            let argv = command.argv();
            let of = |name: &str| Again {
                name: crate::files::known(name, &shell.script),
                file: shell.file.clone(),
                line: command.line + shell.offset,
            };
            let plain: Vec<&str> =
                argv.iter().filter(|word| !word.starts_with('-')).copied().collect();
            match plain.as_slice() {
                ["systemctl", "reload", names @ ..] => {
                    reloads.extend(names.iter().map(|name| of(name)));
                }
                ["service", name, "reload", ..] => reloads.push(of(name)),
                ["systemctl", verb, names @ ..]
                    if verb.contains("restart") || *verb == "start" || *verb == "stop" =>
                {
                    restarts.extend(names.iter().map(|name| of(name)));
                }
                ["service", name, ..] => restarts.push(of(name)),
                ["pg_ctl", verb @ ("reload" | "restart" | "start"), ..] => {
                    let to = if *verb == "reload" { &mut reloads } else { &mut restarts };
                    to.push(of("postgresql"));
                }
                ["pg_ctlcluster", _, _, verb, ..] => {
                    let to = if *verb == "reload" { &mut reloads } else { &mut restarts };
                    to.push(of("postgresql"));
                }
                ["psql", rest @ ..] if rest.iter().any(|word| word.contains("pg_reload_conf")) => {
                    reloads.push(of("postgresql"));
                }
                _ => {}
            }
        }
    }
    for file in unit.written() {
        let documents = task_documents(file).unwrap_or_default();
        for task in tasks(&documents, file) {
            let Some((name, line, state)) = stated(&task) else { continue };
            let one = Again { name, line, file: Some(file.path.clone()) };
            match state {
                "reloaded" => reloads.push(one),
                "started" => {}
                _ => restarts.push(one),
            }
        }
    }
    (reloads, restarts)
}

/// The service of a task, its line, and its state.
fn stated<'a>(task: &Task<'a>) -> Option<(String, usize, &'a str)> {
    let (module, given) = task.module()?;
    let short = module.rsplit('.').next().unwrap_or(module);
    let name = given.get("name")?;
    let state = given.get("state").and_then(Node::text)?;
    let service = ["service", "systemd", "systemd_service"].contains(&short);
    service.then_some((name.text()?.to_owned(), name.line, state))
}

/// A unit that has no command for a reload.
fn fixed(name: &str, all: &[&Written], texts: &[&str]) -> Option<String> {
    let of = |file: &&&Written| {
        file.name().trim_end_matches(".j2") == format!("{name}.service")
            || file.path.contains(&format!("/{name}.service.d/"))
    };
    let mut own = all.iter().filter(of).peekable();
    let whole = all.iter().any(|file| {
        let named = file.name().trim_end_matches(".j2") == format!("{name}.service");
        named && file.text.contains("ExecStart=")
    });
    let known = own.peek().is_none() && FIXED.contains(&name);
    let reloads = own.any(|file| {
        ["ExecReload", "notify-reload", "{%"].iter().any(|sign| file.text.contains(sign))
    }) || texts.iter().any(|text| text.contains("ExecReload") && known);
    (!reloads && (known || whole)).then(|| {
        format!("The unit `{name}` has no `ExecReload=`, so it cannot reload: restart it.")
    })
}

/// Settings that the script writes and that only a restart takes.
fn restarting(unit: &Unit, name: &str) -> Option<String> {
    for Placed { copy: file, .. } in placed(unit) {
        let Some((.., settings)) = RESTARTING.iter().find(|(place, service, _)| {
            // The file in this folder has the name of the service.
            let own = !service.is_empty() || file.name() == name;
            file.path.contains(place) && name.starts_with(service) && own
        }) else {
            continue;
        };
        if *settings == ALL {
            return Some(format!("A reload does not apply what {} sets: restart it.", file.path));
        }
        let key = |line: &str| {
            let line = line.trim().trim_matches(['"', ',']);
            let key = line.split([' ', '=', '"', ':']).next().unwrap_or_default().to_owned();
            settings.split(' ').find(|setting| *setting == key)
        };
        let quoted = |setting: &&str| file.text.contains(&format!("\"{setting}\""));
        let json = file.extension() == "json";
        let in_json = settings.split(' ').find(|setting| json && quoted(setting));
        if let Some(key) = in_json.or_else(|| file.text.lines().find_map(key)) {
            return Some(format!("A reload does not apply `{key}`: restart `{name}`."));
        }
    }
    None
}

/// The same for settings of PostgreSQL that a task writes.
fn tasked(unit: &Unit, name: &str) -> Option<String> {
    if !name.starts_with("postgresql") {
        return None;
    }
    for file in unit.written() {
        let documents = task_documents(file).unwrap_or_default();
        for (_, given) in tasks(&documents, file).iter().filter_map(Task::module) {
            let texts = ["block", "content", "line"].into_iter().filter_map(|key| given.get(key));
            let lines = texts.filter_map(Node::text).flat_map(str::lines);
            let keys = lines.filter_map(|line| line.split_once('=')).map(|(key, _)| key.trim());
            for key in keys {
                if POSTGRES.split(' ').any(|setting| setting == key) {
                    return Some(format!("A reload does not apply `{key}`: restart `{name}`."));
                }
            }
        }
    }
    None
}

/// A unit whose own settings changed, which a reload of the service does not take.
fn own(unit: &Unit, name: &str) -> Option<String> {
    let drop_in = format!("/etc/systemd/system/{name}.service.d/");
    let file = unit.written().find(|file| file.path.starts_with(&drop_in))?;
    KNOWN.contains(&name).then(|| {
        format!("A reload of `{name}` does not apply what {} sets: restart it.", file.path)
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_reload_takes_the_settings() {
        let said = |text: &str| crate::testing::said(super::examine, text).len();
        let shared = "cat >/etc/postgresql/17/main/conf.d/a.conf <<'E'\nshared_buffers = 1GB\nE\n";
        let logged = "cat >/etc/docker/daemon.json <<'E'\n{\"log-driver\": \"local\"}\nE\n";
        let service =
            "cat >/etc/systemd/system/shop.service <<'E'\n[Service]\nExecStart=/bin/a\nE\n";
        let play = "cat >site.yml <<'E'\n- hosts: db\n  tasks:\n    - ansible.builtin.copy:\n        dest: /etc/postgresql/17/main/conf.d/a.conf\n        content: |\n          max_connections = 200\n  handlers:\n    - name: Reload\n      ansible.builtin.service:\n        name: postgresql\n        state: reloaded\nE\n";
        for (text, count) in [
            (format!("{shared}systemctl reload postgresql@17-main\n"), 1),
            (format!("{shared}psql -c 'SELECT pg_reload_conf()'\n"), 1),
            (format!("{shared}systemctl restart postgresql\n"), 0),
            (format!("{shared}systemctl restart postgresql\nsystemctl reload postgresql\n"), 0),
            (
                shared.replace("shared_buffers = 1GB", "work_mem = 1MB")
                    + "systemctl reload postgresql\n",
                0,
            ),
            (format!("{logged}systemctl reload docker\n"), 1),
            (format!("{logged}systemctl restart docker\n"), 0),
            (
                logged.replace("/etc/docker/", "")
                    + "scp daemon.json a:/tmp/\nssh a 'install /tmp/daemon.json /etc/docker/daemon.json && systemctl reload docker'\n",
                1,
            ),
            ("cat >/etc/mysql/conf.d/a.cnf <<'E'\nE\nsystemctl reload mysql\n".to_owned(), 1),
            ("cat >/etc/default/shop <<'E'\nE\nsystemctl reload shop nginx\n".to_owned(), 1),
            ("systemctl reload redis-server\n".to_owned(), 1),
            (format!("{service}systemctl reload shop\n"), 1),
            (service.replace("\nE\n", "\nExecReload=/bin/b\nE\n") + "systemctl reload shop\n", 0),
            ("systemctl reload nginx caddy other\n".to_owned(), 0),
            (play.to_owned(), 1),
            (play.replace("reloaded", "restarted"), 0),
            (
                play.replace("copy:", "lineinfile:")
                    .replace(
                        "dest: /etc/postgresql/17/main/conf.d/a.conf",
                        "path: \"{{ pg }}/postgresql.conf\"",
                    )
                    .replace(
                        "content: |\n          max_connections = 200",
                        "line: \"max_connections = 200\"",
                    ),
                1,
            ),
        ] {
            assert_eq!(said(&text), count, "{text}");
        }
    }
}
