//! Checks the units that a script starts against those that it writes and those that its system has: timers and sockets,
//! templates of units, and names that another family of systems uses.

use super::restarts::{Started, started};
use super::restarts_known::{KNOWN, packaged};
use super::spelling::nearest;
use super::{FILES, error};
use crate::placed::{Placed, placed};
use crate::{Unit, Written};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let texts: Vec<&str> = unit.texts().collect();
    let all: Vec<&Written> = unit.tree.iter().chain(&unit.there).collect();
    let started = started(unit);
    let placed = placed(unit);
    // A copy may have another name than its source.
    let copied = |file: &&Written| {
        placed.iter().any(|one| one.source.path == file.path && one.copy.name() != file.name())
    };
    let own = all.iter().filter(|file| !copied(file)).map(|file| file.name());
    let names: Vec<&str> = own
        .chain(placed.iter().map(|one| one.copy.name()).filter(|name| name.contains('.')))
        .collect();
    let placed: Vec<&Placed> =
        placed.iter().filter(|one| one.copy.path.starts_with("/etc/systemd/system/")).collect();
    for (path, message) in idle(unit, &placed, &started, &texts) {
        findings.push(error(FILES, message).at(Some(&path), 1));
    }
    for (file, line, message) in asleep(unit, &placed, &started, &texts) {
        findings.push(error(FILES, message).at(file.as_deref(), line));
    }
    for (file, line, message) in renamed(unit, &started, &texts) {
        findings.push(error(FILES, message).at(file.as_deref(), line));
    }
    for one in &started {
        if one.name.contains(['$', '{', '*', '%', '\\', '/']) {
            continue;
        }
        let message = unwritten(&one.name, &names, &started)
            .or_else(|| template(&one.name, &texts))
            .or_else(|| elsewhere(&one.name, &texts));
        if let Some(message) = message {
            findings.push(error(FILES, message).at(one.file.as_deref(), one.line));
        }
    }
}

/// Timers and sockets that the script writes to be enabled, and that nothing starts, although it starts others.
fn idle(
    unit: &Unit,
    placed: &[&Placed],
    started: &[Started],
    texts: &[&str],
) -> Vec<(String, String)> {
    let open = started.iter().any(|one| one.name.contains(['$', '*', '{']));
    if started.is_empty() || open {
        return Vec::new();
    }
    let wanted = placed.iter().filter(|one| {
        let name = one.copy.name();
        let kind = [".path", ".socket", ".timer"].iter().any(|kind| name.ends_with(kind));
        let own = unit.written().any(|own| own.path == one.source.path);
        kind && own && one.copy.text.contains("[Install]") && !name.contains(['@', '$', '{'])
    });
    let says = |name: &str| {
        // Another unit may want it, or a link may enable it.
        let lines = texts.iter().flat_map(|text| text.lines());
        let says = |line: &&str| line.contains(name) && !line.contains("cat ");
        let mut lines = lines.filter(says).map(|line| line.replace("is-enabled", ""));
        lines.any(|line| {
            ["enable", "Also=", "Wants=", "Requires=", ".wants", "preset", "start"]
                .iter()
                .any(|it| line.contains(it))
        })
    };
    let idle = wanted.filter(|one| {
        let name = one.copy.name();
        !started.iter().any(|one| one.name == name) && !says(name)
    });
    let message = |name: &str| format!("Nothing enables `{name}`, so it never starts anything.");
    idle.map(|one| (one.source.path.clone(), message(one.copy.name()))).collect()
}

/// Timers and sockets that the script enables for the next boot only, and services that it enables and then expects to
/// run.
fn asleep(
    unit: &Unit,
    placed: &[&Placed],
    started: &[Started],
    texts: &[&str],
) -> Vec<(Option<String>, usize, String)> {
    let later = ["reboot", "chroot", "packer", "cloud-init", "isolate", "preset"];
    let open = started.iter().any(|one| one.name.contains(['$', '*', '{']));
    if open || texts.iter().any(|text| later.iter().any(|word| text.contains(word))) {
        return Vec::new();
    }
    let lines = || texts.iter().flat_map(|text| text.lines());
    let mut found = Vec::new();
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            let argv = command.argv();
            let ["systemctl", words @ ..] = argv.as_slice() else { continue };
            let plain: Vec<&str> =
                words.iter().filter(|word| !word.starts_with('-')).copied().collect();
            let other = ["--now", "--user", "--root", "--global"];
            let other = words.iter().any(|word| other.iter().any(|it| word.starts_with(it)));
            let ["enable" | "reenable", units @ ..] = plain.as_slice() else { continue };
            for name in units.iter().filter(|_| !other) {
                let stem = name.trim_end_matches(".service");
                let timed = [".path", ".socket", ".timer"].iter().any(|kind| name.ends_with(kind));
                let whole = if timed { (*name).to_owned() } else { format!("{stem}.service") };
                let own = placed.iter().any(|one| one.copy.name() == whole);
                // Something else may start it: another command, a task or a unit.
                let word = if timed { *name } else { stem };
                let starts = runs(unit, word)
                    || lines().any(|line| {
                        let wants = ["Requires=", "Wants="].iter().any(|key| line.contains(key));
                        (wants && line.contains(&whole))
                            || line.trim().trim_start_matches("- ") == format!("name: {word}")
                    });
                let expected = timed
                    || lines().any(|line| {
                        line.contains("is-active") && line.contains(stem)
                            || line.contains("curl ")
                                && ["127.0.0.1", "localhost"].iter().any(|it| line.contains(it))
                    });
                if own && expected && !starts {
                    let message = format!(
                        "This enables `{name}` for the next boot only: start it, or use `--now`."
                    );
                    found.push((shell.file.clone(), command.line + shell.offset, message));
                }
            }
        }
    }
    found
}

/// Whether a command starts a unit.
fn runs(unit: &Unit, name: &str) -> bool {
    let mut commands = unit.everywhere().flat_map(|shell| &shell.script.commands);
    commands.any(|command| {
        let argv = command.argv();
        let starts = argv.iter().any(|word| word.contains("start") || *word == "--now");
        let names = argv.iter().any(|word| word.trim_end_matches(".service") == name);
        let manager = ["service", "systemctl"].iter().any(|it| argv.first() == Some(it));
        manager && starts && names
    })
}

/// A unit that Ansible's tasks write and never start, while they start one that nothing writes.
fn renamed(
    unit: &Unit,
    started: &[Started],
    texts: &[&str],
) -> Vec<(Option<String>, usize, String)> {
    let stem = |name: &str| name.trim_end_matches(".service").to_owned();
    let mut written: Vec<String> = Vec::new();
    for file in unit.tree.iter() {
        let documents = super::task_documents(file).unwrap_or_default();
        for task in super::tasks(&documents, file) {
            let place = task.module().and_then(|(_, given)| given.get("dest")?.text());
            let name = place.and_then(|place| place.strip_prefix("/etc/systemd/system/"));
            written.extend(name.filter(|name| name.ends_with(".service")).map(stem));
        }
    }
    let open = written.iter().any(|name| name.contains(['{', '/', '@'])) || written.is_empty();
    let idle = written.iter().find(|name| !started.iter().any(|one| stem(&one.name) == **name));
    let Some(idle) = idle.filter(|_| !open) else { return Vec::new() };
    let named = |name: &str| {
        texts.iter().any(|text| text.contains(&format!("systemd/system/{name}.service")))
    };
    let lost = started.iter().filter(|one| {
        let name = stem(&one.name);
        let other = KNOWN.contains(&name.as_str()) || packaged(&name).is_some() || named(&name);
        let installs = texts.iter().any(|text| {
            text.lines().any(|line| line.contains("name: ") && line.contains(&format!("[{name}")))
        });
        one.file.is_some() && !other && !installs && !name.contains(['{', '$', '@', '.'])
    });
    lost.map(|one| {
        let message = format!("The tasks write the unit `{idle}`, and this starts `{}`.", one.name);
        (one.file.clone(), one.line, message)
    })
    .collect()
}

/// Units of these kinds belong to a service, and few packages have any.
const KINDS: [&str; 4] = [".mount", ".path", ".socket", ".timer"];

/// A timer or a socket that nothing writes, although the script writes one that nothing starts.
fn unwritten(name: &str, all: &[&str], started: &[Started]) -> Option<String> {
    let kind = KINDS.iter().find(|kind| name.ends_with(*kind))?;
    let placed = |name: &&str| name.trim_end_matches(".j2").ends_with(kind);
    let written: Vec<&str> = all.iter().copied().filter(placed).collect();
    let own = |written: &str| {
        let written = written.trim_end_matches(".j2");
        let instance = written.split_once("@.").is_some_and(|(stem, _)| {
            name.split_once('@').is_some_and(|(template, _)| template == stem)
        });
        written == name || instance || written.contains(['$', '{', '%'])
    };
    // A loop or a variable may name any of them.
    let open = started.iter().any(|one| one.name.contains(['$', '*', '{']));
    if open || written.iter().any(|written| own(written)) {
        return None;
    }
    let runs = |written: &str| {
        started.iter().any(|one| {
            one.name == written
                || one.name.starts_with(written.split('@').next().unwrap_or(written))
        })
    };
    let idle = written.iter().find(|written| !runs(written))?;
    Some(format!(
        "Nothing writes the unit `{name}`, and nothing starts `{idle}`, which is written."
    ))
}

/// Templates of units that packages bring.
const TEMPLATES: [&str; 14] = [
    "awg-quick",
    "btrfs-scrub",
    "fail2ban",
    "getty",
    "hostapd",
    "openvpn",
    "openvpn-client",
    "openvpn-server",
    "postgresql",
    "redis-server",
    "serial-getty",
    "stunnel",
    "wg-quick",
    "wpa_supplicant",
];

/// An instance of a template that has another name.
fn template(name: &str, texts: &[&str]) -> Option<String> {
    let (stem, _) = name.split_once('@')?;
    let written = texts.iter().any(|text| text.contains(&format!("{stem}@.")));
    if TEMPLATES.contains(&stem) || written || stem.is_empty() {
        return None;
    }
    let bare = |text: &str| text.replace(['-', '_'], "");
    let package = packaged(stem).map(|unit| unit.split('@').next().unwrap_or(unit));
    let joined = TEMPLATES.iter().copied().find(|known| bare(known) == bare(stem));
    let near = package.or(joined).or_else(|| nearest(stem, &TEMPLATES))?;
    Some(format!("systemd has no template `{stem}@`: it is named `{near}@`."))
}

/// Signs of systems with packages of Debian, and of those with packages of Red Hat.
const DEBIAN: [&str; 5] =
    ["apt-get ", "apt install", "ansible.builtin.apt:", "/etc/apt/", "/etc/postgresql/"];
const RED_HAT: [&str; 5] =
    ["dnf ", "yum ", "ansible.builtin.dnf:", "/etc/yum.repos.d/", "/var/lib/pgsql/"];

/// Units that only the other family has, and what Debian and Red Hat call them.
const NAMES: [(&str, &str); 7] = [
    ("apache2", "httpd"),
    ("bind9", "named"),
    ("cron", "crond"),
    ("nfs-kernel-server", "nfs-server"),
    ("redis-server", "redis"),
    ("smbd", "smb"),
    ("ssh", "sshd"),
];

/// Units that Debian has under the names of both.
const BOTH: [&str; 4] = ["named", "nfs-server", "redis", "sshd"];

/// A unit that has this name only on systems of the other family.
fn elsewhere(name: &str, texts: &[&str]) -> Option<String> {
    let name = name.strip_suffix(".service").unwrap_or(name);
    let is = |signs: &[&str]| signs.iter().any(|sign| texts.iter().any(|text| text.contains(sign)));
    let (debian, red_hat) = (is(&DEBIAN), is(&RED_HAT));
    let written = texts.iter().any(|text| text.contains(&format!("/{name}.service")));
    if debian == red_hat || written {
        return None;
    }
    if debian {
        let version = name
            .strip_prefix("postgresql-")
            .filter(|version| !version.is_empty() && version.chars().all(|c| c.is_ascii_digit()));
        if let Some(version) = version {
            return Some(format!(
                "Debian has no unit `{name}`: it is named `postgresql@{version}-main`."
            ));
        }
    }
    let (own, other) = NAMES.iter().find_map(|(on_debian, on_red_hat)| {
        let pair = if debian { (*on_debian, *on_red_hat) } else { (*on_red_hat, *on_debian) };
        (pair.1 == name && !(debian && BOTH.contains(&name))).then_some(pair)
    })?;
    let system = if debian { "Debian" } else { "Red Hat" };
    Some(format!("{system} has no unit `{other}`: it is named `{own}`."))
}

#[cfg(test)]
mod tests {
    fn said(text: &str) -> Vec<String> {
        crate::testing::said(super::examine, text)
    }

    #[test]
    fn enabled_units_start_now() {
        let timer =
            "cat >/etc/systemd/system/feed.timer <<'E'\n[Timer]\nOnCalendar=daily\n[Install]\nE\n";
        let service = timer.replace("timer", "service").replace("[Timer]\nOnCalendar=daily\n", "");
        for (text, count) in [
            (format!("{timer}systemctl enable feed.timer\nsystemctl start feed.service\n"), 1),
            (timer.replace("timer", "socket") + "systemctl enable feed.socket\n", 1),
            (format!("{service}systemctl enable feed\nsystemctl is-active feed\n"), 1),
            (format!("{service}systemctl enable feed\n"), 0),
            (format!("{timer}systemctl enable --now feed.timer\n"), 0),
            (format!("{timer}systemctl enable feed.timer\nsystemctl restart feed.timer\n"), 0),
            (format!("{timer}systemctl enable feed.timer\nreboot\n"), 0),
            (
                timer.replace("/etc/systemd/system/", "")
                    + "install -m 0644 feed.timer /etc/systemd/system/\nsystemctl start nginx\n",
                1,
            ),
            (format!("{timer}systemctl is-enabled feed.timer\nsystemctl start feed.service\n"), 1),
            (
                timer.replace("/etc/systemd/system/", "")
                    + "scp feed.timer a:/tmp/\nssh a 'cp /tmp/feed.timer /etc/systemd/system && systemctl enable --now feed.timer'\n",
                0,
            ),
        ] {
            assert_eq!(said(&text).len(), count, "{text}: {:?}", said(&text));
        }
    }

    #[test]
    fn started_units_are_there() {
        let timer = "cat >/etc/systemd/system/feed.timer <<'E'\n[Timer]\nOnCalendar=daily\nE\n";
        for text in [
            format!("{timer}systemctl enable --now fetch.timer\n"),
            timer.replace("timer", "socket") + "systemctl start web.socket\n",
            "if=wg0\nsystemctl restart \"wireguard@$if\"\n".into(),
            "systemctl enable wgquick@wg0\n".into(),
            "apt-get install -y apache2\nsystemctl restart httpd\n".into(),
            "dnf install -y httpd\nsystemctl restart apache2\n".into(),
            "version=17\nconf=/etc/postgresql/$version/main\nsystemctl restart \"postgresql-$version\"\n".into(),
        ] {
            let text: String = text;
            assert_eq!(said(&text).len(), 1, "{text}: {:?}", said(&text));
        }
        for text in [
            format!("{timer}systemctl enable --now feed.timer certbot.timer\n"),
            format!("{timer}for t in a b; do systemctl enable --now $t.timer; done\n"),
            "systemctl enable --now certbot.timer\n".into(),
            "cat >/etc/systemd/system/dump@.timer <<'E'\nE\nsystemctl enable dump@shop.timer\n"
                .into(),
            "systemctl restart wg-quick@wg0 worker@1\n".into(),
            "apt-get install -y openssh-server\nsystemctl restart sshd\n".into(),
            "dnf install -y postgresql\nsystemctl restart postgresql-17\n".into(),
            "systemctl restart httpd\n".into(),
        ] {
            let text: String = text;
            assert_eq!(said(&text), [""; 0], "{text}");
        }
    }
}
