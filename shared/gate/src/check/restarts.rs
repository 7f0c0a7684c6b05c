//! Checks the names under which a script starts, restarts and reloads units: a package may have another name than its unit,
//! and what the script writes may have another name than what it restarts.

use super::config::kind;
use super::restarts_known::{KNOWN, packaged};
use super::spelling::nearest;
use super::{FILES, Task, error, task_documents, tasks};
use crate::files::known;
use crate::yaml::Node;
use crate::{Unit, Written};
use domain::gate::Finding;

/// A place where something starts a unit or makes it read its settings again.
pub(super) struct Started {
    pub(super) name: String,
    pub(super) file: Option<String>,
    pub(super) line: usize,
}

/// The units that commands and tasks start.
pub(super) fn started(unit: &Unit) -> Vec<Started> {
    let mut started = commands(unit);
    for file in unit.written() {
        let documents = task_documents(file).unwrap_or_default();
        for task in tasks(&documents, file) {
            let file = Some(file.path.clone());
            let of = |(line, name)| Started { name, file: file.clone(), line };
            started.extend(named(&task).into_iter().map(of));
        }
    }
    started
}

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let texts: Vec<&str> = unit.texts().collect();
    let started = started(unit);
    let all: Vec<&Written> = unit.tree.iter().chain(&unit.there).collect();
    let written: Vec<Service> = all.iter().filter_map(|file| service(file)).collect();
    for one in &started {
        let name = one.name.strip_suffix(".service").unwrap_or(&one.name);
        let other = name.contains('.') && packaged(name).is_none() && !name.starts_with("php");
        if name.is_empty() || other || name.contains(['$', '{', '*', '%', '\\', '/']) {
            continue;
        }
        let message = match name.split_once('@') {
            Some((template, instance)) => {
                unconfigured(template, instance, &texts).or_else(|| versioned(name, &texts))
            }
            None => longer(name, &texts)
                .or_else(|| rival(unit, name, &texts))
                .or_else(|| unknown(name, &texts))
                .or_else(|| versioned(name, &texts))
                .or_else(|| {
                    let others: Vec<&str> = started.iter().map(|one| one.name.as_str()).collect();
                    resembling(name, &written, &others, &texts)
                }),
        };
        if let Some(message) = message {
            findings.push(error(FILES, message).at(one.file.as_deref(), one.line));
        }
    }
}

/// Verbs of systemctl and service that need the unit.
const VERBS: [&str; 8] = [
    "enable",
    "force-reload",
    "reload",
    "reload-or-restart",
    "restart",
    "start",
    "try-reload-or-restart",
    "try-restart",
];

fn commands(unit: &Unit) -> Vec<Started> {
    let mut found = Vec::new();
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            let argv = command.argv();
            let names: Vec<&str> = match argv.as_slice() {
                ["systemctl", rest @ ..] if !rest.contains(&"--user") => {
                    let mut words = rest.iter().filter(|word| !word.starts_with('-'));
                    let starts = words.next().is_some_and(|verb| VERBS.contains(verb));
                    words.filter(|_| starts).copied().collect()
                }
                ["service" | "invoke-rc.d", name, verb, ..] if VERBS.contains(verb) => vec![*name],
                _ => Vec::new(),
            };
            found.extend(names.into_iter().map(|name| Started {
                name: known(name, &shell.script),
                file: shell.file.clone(),
                line: command.line + shell.offset,
            }));
        }
    }
    found
}

/// The units that a task starts, restarts or reloads, with those that a loop names.
fn named(task: &Task) -> Vec<(usize, String)> {
    let Some((module, given)) = task.module() else { return Vec::new() };
    let short = module.rsplit('.').next().unwrap_or(module);
    let state = given.get("state").and_then(Node::text).unwrap_or_default();
    let starts = ["reloaded", "restarted", "started"].contains(&state);
    let user = given.get("scope").and_then(Node::text) == Some("user");
    if !["service", "systemd", "systemd_service"].contains(&short) || !starts || user {
        return Vec::new();
    }
    let Some(name) = given.get("name").or_else(|| given.get("unit")) else { return Vec::new() };
    let Some(text) = name.text() else { return Vec::new() };
    if text.replace(' ', "") != "{{item}}" {
        return vec![(name.line, text.to_owned())];
    }
    let items = task.node.get("loop").or_else(|| task.node.get("with_items")).map(Node::list);
    let items = items.unwrap_or_default().iter();
    items.filter_map(|item| Some((item.line, item.text()?.to_owned()))).collect()
}

/// Whether a text mentions a unit of this name as a file: the unit itself, or a container of Podman that becomes one.
fn is_written(name: &str, texts: &[&str]) -> bool {
    ["service", "container", "pod", "socket"].iter().any(|kind| {
        let whole = format!("{name}.{kind}");
        texts.iter().any(|text| {
            text.match_indices(&whole).any(|(at, _)| {
                let before = text[..at].chars().next_back();
                let path = text[..at].ends_with('/') || text[..at].ends_with("Alias=");
                path && before.is_some()
            })
        })
    })
}

/// The name of a package whose unit has another name, or one that is almost the name of a unit that everyone knows.
fn unknown(name: &str, texts: &[&str]) -> Option<String> {
    if KNOWN.contains(&name) || is_written(name, texts) {
        return None;
    }
    if let Some(unit) = packaged(name) {
        return Some(format!("systemd has no unit `{name}`: it is named `{unit}`."));
    }
    let bare = |text: &str| text.replace(['-', '_'], "").to_lowercase();
    let joined = KNOWN.iter().copied().find(|known| bare(known) == bare(name));
    let almost = nearest(name, &KNOWN).filter(|near| !is_numbered(name, near));
    let unit = joined.or_else(|| almost.filter(|_| occurs_once(name, texts)))?;
    Some(format!("systemd has no unit `{name}`: it is named `{unit}`."))
}

/// The unit of an installed package whose name is longer than this one: Debian has `prometheus-alertmanager`.
fn longer(name: &str, texts: &[&str]) -> Option<String> {
    let own = |sign: String| texts.iter().any(|text| text.contains(&sign));
    let brought = own(format!("bin/{name}"))
        || own(format!("{name}/releases"))
        || own(format!("{name}.service"))
        || is_written(name, texts);
    let end = format!("-{}", name.replace('_', "-"));
    let package = KNOWN.iter().filter(|known| known.ends_with(&end) && !brought).find(|known| {
        texts.iter().flat_map(|text| text.lines()).any(|line| {
            line.contains("install") && line.split([' ', ',', '[', ']']).any(|word| word == **known)
        })
    })?;
    Some(format!("systemd has no unit `{name}`: the package has `{package}`."))
}

/// Services that a server has only one of.
const RIVALS: [&[&str]; 2] = [
    &["apache2", "caddy", "haproxy", "httpd", "lighttpd", "nginx"],
    &["mariadb", "mysql", "postgresql"],
];

/// A service that the script only starts again, although the settings that it writes are those of a rival.
fn rival(unit: &Unit, name: &str, texts: &[&str]) -> Option<String> {
    let rivals = RIVALS.iter().find(|all| all.contains(&name))?;
    let written: Vec<&str> = unit
        .written()
        .filter_map(|file| super::unapplied_settings::readers(&file.path))
        .filter_map(|names| names.first().copied())
        .collect();
    let found = written.iter().find(|other| rivals.contains(other))?;
    let same = written.contains(&name)
        || ["mysql", "mariadb"].contains(&name) && ["mysql", "mariadb"].contains(found);
    let again = ["reload", "restart", "start", "enable", "notify", "name:", "is-active"];
    let known = texts.iter().flat_map(|text| text.lines()).any(|line| {
        line.contains(name) && !again.iter().any(|word| line.to_lowercase().contains(word))
    });
    (!same && !known)
        .then(|| format!("The script writes settings of `{found}`, but this is about `{name}`."))
}

/// Whether two names differ only in numbers, as those of several versions do.
fn is_numbered(left: &str, right: &str) -> bool {
    let bare = |text: &str| text.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    bare(left) == bare(right)
}

/// Whether a text has a name only once as a whole word: nothing installs, writes or describes it.
fn occurs_once(name: &str, texts: &[&str]) -> bool {
    let edge = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let whole = texts.iter().flat_map(|text| text.match_indices(name).map(move |at| (text, at)));
    let whole = whole.filter(|(text, (at, _))| {
        !text[..*at].ends_with(edge) && !text[at + name.len()..].starts_with(edge)
    });
    whole.count() <= 1
}

/// A unit that the script writes and that runs for long.
struct Service {
    name: String,
}

/// A service that stays in memory: others, such as a dump of another service, are named after what they serve.
fn service(file: &Written) -> Option<Service> {
    let whole = file.name().trim_end_matches(".j2").strip_suffix(".service")?;
    let stays = kind(file) == "service" && !file.text.contains("Type=oneshot");
    let plain = !whole.contains(['@', '$', '{']);
    (stays && plain).then(|| Service { name: whole.to_owned() })
}

/// A name that has more or fewer parts than that of a unit that the script writes.
fn resembling(name: &str, written: &[Service], started: &[&str], texts: &[&str]) -> Option<String> {
    // A template may fill in the name of a unit's file.
    let filled = texts.iter().any(|text| {
        text.split("systemd/system/")
            .skip(1)
            .any(|rest| rest.starts_with('$') || (rest.starts_with("{{") && !names_item(rest)))
    });
    let own = written.iter().any(|service| service.name == name);
    let said = started.iter().filter(|other| stem(other) == name).count();
    if filled || own || said > 1 || KNOWN.contains(&name) || is_written(name, texts) {
        return None;
    }
    if texts.iter().any(|text| text.contains(&format!("{name}.service")) && said == 0) {
        return None;
    }
    let near = written.iter().find(|service| {
        let unused = || !started.iter().any(|other| stem(other) == service.name);
        let begins = |long: &str, short: &str| {
            long.strip_prefix(short).is_some_and(|rest| rest.starts_with(['-', '_']))
        };
        let ends = |long: &str, short: &str| {
            long.strip_suffix(short).is_some_and(|rest| rest.ends_with(['-', '_']))
        };
        let longer = (begins(name, &service.name) || ends(name, &service.name))
            && !KNOWN.contains(&service.name.as_str())
            && occurs_once(name, texts);
        let shorter = ends(&service.name, name) || (begins(&service.name, name) && unused());
        let almost = nearest(name, &[service.name.as_str()]).is_some()
            && !is_numbered(name, &service.name)
            && occurs_once(name, texts);
        longer || shorter || almost || joined(name) == joined(&service.name)
    })?;
    Some(format!(
        "Nothing writes the unit `{name}.service`, but something writes `{}.service`.",
        near.name
    ))
}

fn joined(name: &str) -> String {
    name.replace(['-', '_'], "")
}

fn stem(name: &str) -> &str {
    name.strip_suffix(".service").unwrap_or(name)
}

fn names_item(rest: &str) -> bool {
    rest.trim_start_matches('{').trim_start().starts_with("item")
}

/// Templates of units, and the path of the file for each instance around its name.
const CONFIGURED: [(&str, &str, &str); 9] = [
    ("wg-quick", "/etc/wireguard/", ".conf"),
    ("openvpn", "/etc/openvpn/", ".conf"),
    ("openvpn-client", "/etc/openvpn/client/", ".conf"),
    ("openvpn-server", "/etc/openvpn/server/", ".conf"),
    ("redis-server", "/etc/redis/redis-", ".conf"),
    ("stunnel", "/etc/stunnel/", ".conf"),
    ("wpa_supplicant", "/etc/wpa_supplicant/wpa_supplicant-", ".conf"),
    ("hostapd", "/etc/hostapd/", ".conf"),
    ("awg-quick", "/etc/amnezia/amneziawg/", ".conf"),
];

/// An instance of a template for which nothing writes the settings, although the script writes those of another one.
fn unconfigured(template: &str, instance: &str, texts: &[&str]) -> Option<String> {
    let (_, before, after) = CONFIGURED.iter().find(|(name, ..)| *name == template)?;
    let mut others = texts.iter().flat_map(|text| text.split(before).skip(1)).map(|rest| {
        let end = |c: char| !(c.is_ascii_alphanumeric() || "._-${}".contains(c));
        rest.split(end).next().unwrap_or_default()
    });
    let names: Vec<&str> = others.by_ref().filter_map(|name| name.strip_suffix(after)).collect();
    let open = names.iter().any(|name| name.contains(['$', '{'])) || names.contains(&instance);
    let other = names.first().filter(|_| !open)?;
    Some(format!(
        "`{template}@{instance}` reads `{before}{instance}{after}`, but the script has `{before}{other}{after}`."
    ))
}

/// Units with a version in their names, around it, and the folder with the settings of each version.
const VERSIONED: [(&str, &str, &str); 2] =
    [("php", "-fpm", "/etc/php/"), ("postgresql@", "-main", "/etc/postgresql/")];

/// A unit of one version, although the script has the settings of another one.
fn versioned(name: &str, texts: &[&str]) -> Option<String> {
    let (version, folder) = VERSIONED.iter().find_map(|(before, after, folder)| {
        Some((name.strip_prefix(before)?.strip_suffix(after)?, *folder))
    })?;
    let rest = texts.iter().flat_map(|text| text.split(folder).skip(1));
    let others: Vec<&str> = rest.map(|rest| rest.split('/').next().unwrap_or(rest)).collect();
    let plain = |other: &&&str| other.chars().all(|c| c.is_ascii_digit() || c == '.');
    let own = version.is_empty() || others.contains(&version);
    let other = others.first().filter(|_| !own && others.iter().all(|other| plain(&other)))?;
    Some(format!("`{name}` has version {version}, but the script has `{folder}{other}`."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<String> {
        crate::testing::said(examine, text)
    }

    const SERVICE: &str =
        "cat >/etc/systemd/system/shop-queue.service <<'E'\n[Service]\nExecStart=/bin/a\nE\n";

    fn task(name: &str) -> String {
        format!(
            "mkdir handlers\ncat >handlers/main.yml <<'E'\n- name: Restart it\n  ansible.builtin.service:\n    name: {name}\n    state: restarted\nE\n"
        )
    }

    #[test]
    fn packages_are_distinguished_from_their_units() {
        for text in [
            "systemctl restart mysql-server".into(),
            "service apache reload".into(),
            "systemctl enable --now docker.io".into(),
            "systemctl try-restart fail-2-ban".into(),
            "systemctl restart postgresq".into(),
            task("mariadb-server"),
            task("\"{{ item }}\"").replace("restarted\n", "restarted\n  loop: [nginx, rabbitmq]\n"),
        ] {
            let text: String = text;
            assert_eq!(said(&text).len(), 1, "{text}: {:?}", said(&text));
        }
        for text in [
            "systemctl restart mysql postgresql@16-main php8.3-fpm".into(),
            "systemctl stop openssh-server".into(),
            "systemctl --user restart postgres".into(),
            "cat >/etc/containers/systemd/postgres.container <<'E'\nE\nsystemctl restart postgres"
                .into(),
            "systemctl restart acme-agent".into(),
            task("sshd"),
            task("\"{{ web_unit }}\""),
        ] {
            let text: String = text;
            assert_eq!(said(&text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn what_is_restarted_is_what_is_written() {
        for text in [
            format!("{SERVICE}systemctl enable shop-queue\nsystemctl restart queue\n"),
            format!("{SERVICE}systemctl enable --now shop\n"),
            format!(
                "{SERVICE}systemctl enable shop-queue\nsystemctl restart shop-queue-worker.service\n"
            ),
            format!("{SERVICE}systemctl restart shopqueue\n"),
            SERVICE.to_owned() + &task("shop-queu"),
        ] {
            assert_eq!(said(&text).len(), 1, "{text}: {:?}", said(&text));
        }
        for text in [
            format!("{SERVICE}systemctl enable shop-queue\nsystemctl restart shop\n"),
            format!("{SERVICE}systemctl restart shop-queue\nsystemctl reload nginx other\n"),
            SERVICE.replace("[Service]", "[Service]\nType=oneshot") + "systemctl start queue\n",
        ] {
            assert_eq!(said(&text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn an_instance_has_its_settings() {
        let tunnel = "cat >/etc/openvpn/server/office.conf <<'E'\nE\n";
        for (text, count) in [
            (format!("{tunnel}systemctl restart openvpn-server@offices\n"), 1),
            (format!("{tunnel}systemctl restart openvpn-server@office\n"), 0),
            ("wg genkey >/etc/wireguard/wg0.key\ncat >/etc/wireguard/wg0.conf <<'E'\nE\nsystemctl enable --now wg-quick@wg-0\n".into(), 1),
            ("cat >/etc/wireguard/$name.conf <<'E'\nE\nsystemctl enable --now wg-quick@wg1\n".into(), 0),
            ("systemctl restart wg-quick@wg1\n".into(), 0),
            ("cat >/etc/php/8.3/fpm/pool.d/a.conf <<'E'\nE\nsystemctl reload php8.2-fpm\n".into(), 1),
            ("cat >/etc/php/8.3/fpm/pool.d/a.conf <<'E'\nE\nsystemctl reload php8.3-fpm\n".into(), 0),
            ("cat >/etc/postgresql/16/main/a.conf <<'E'\nE\nsystemctl restart postgresql@17-main\n".into(), 1),
            ("cat >/etc/postgresql/16/main/a.conf <<'E'\nE\nsystemctl restart postgresql@16-main\n".into(), 0),
        ] {
            assert_eq!(said(&text).len(), count, "{text}: {:?}", said(&text));
        }
    }
}
