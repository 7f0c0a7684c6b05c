//! Finds units that a script starts or makes known to systemd and that nothing enables, so that they do not run after the
//! next boot, and units that are enabled although nothing wants them.

use super::config::{UNITS, kind};
use super::restarts::started;
use super::{FILES, error, task_documents, tasks};
use crate::placed::{Placed, placed};
use crate::yaml::Node;
use crate::{Unit, Written};
use domain::gate::Finding;

const FOLDER: &str = "/etc/systemd/system/";

/// Settings of a section `[Install]` that have an effect.
const WANTED: [&str; 5] = ["Alias=", "Also=", "RequiredBy=", "UpheldBy=", "WantedBy="];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let texts: Vec<&str> = unit.texts().collect();
    let placed = placed(unit);
    let own: Vec<&Placed> = placed
        .iter()
        .filter(|one| {
            let file = &one.copy;
            file.path.starts_with(FOLDER)
                && UNITS.contains(&kind(file).as_str())
                && unit.written().any(|own| own.path == one.source.path)
        })
        .collect();
    asked(unit, &own, findings);
    let started: Vec<(String, Option<String>, usize)> =
        started(unit).into_iter().map(|one| (one.name, one.file, one.line)).collect();
    let acts = unit.shells.iter().filter(|shell| shell.file.is_none()).any(|shell| {
        shell.script.commands.iter().any(|command| {
            let argv = command.argv();
            argv.first() == Some(&"systemctl") && !argv.contains(&"--user")
        })
    });
    for one in own.iter().filter(|one| is_wanted(&one.copy.text)) {
        let name = unit_name(&one.copy);
        if name.contains(['$', '{', '%']) || is_enabled(unit, name, &texts) {
            continue;
        }
        let starts = started.iter().find(|(other, ..)| is_same(other, name));
        // Of timers beside units that start, another check speaks.
        let kinds = ["path", "socket", "timer"];
        let told = !started.is_empty() && kinds.contains(&kind(&one.copy).as_str());
        let told = told && !name.contains('@');
        let message = format!("Nothing enables `{name}`, so it does not run after the next boot.");
        if let Some((_, file, line)) = starts {
            findings.push(error(FILES, message).at(file.as_deref(), *line));
        } else if acts && !told {
            findings.push(error(FILES, message).at(Some(&one.source.path), 1));
        }
    }
    for (name, file, line) in &started {
        let loose = ["nftables", "wg-quick@"].iter().any(|begin| name.starts_with(begin));
        let place = if name.starts_with("wg") { "/etc/wireguard/" } else { "/etc/nftables.conf" };
        let writes = placed.iter().any(|one| one.copy.path.starts_with(place));
        let stem = name.split('@').next().unwrap_or(name);
        if loose && writes && !is_enabled(unit, stem, &texts) {
            let message =
                format!("Nothing enables `{name}`, so it does not run after the next boot.");
            findings.push(error(FILES, message).at(file.as_deref(), *line));
        }
    }
}

fn unit_name(file: &Written) -> &str {
    file.name().trim_end_matches(".j2")
}

fn is_wanted(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).skip_while(|line| *line != "[Install]");
    lines.any(|line| WANTED.iter().any(|key| line.starts_with(key)))
}

/// Whether a name in a command is that of a unit, or of an instance of its template.
fn is_same(said: &str, name: &str) -> bool {
    let named = UNITS.iter().any(|kind| said.ends_with(&format!(".{kind}")));
    let said = if named { said.to_owned() } else { format!("{said}.service") };
    let instance = name.split_once("@.").is_some_and(|(template, kind)| {
        let own = said.split_once('@').is_some_and(|(own, _)| own == template);
        own && said.ends_with(&format!(".{kind}"))
    });
    said == name || instance
}

/// Whether anything enables a unit.
fn is_enabled(unit: &Unit, name: &str, texts: &[&str]) -> bool {
    let stem = name.trim_end_matches(".service");
    let stem = stem.split_once("@.").map_or(stem, |(template, _)| template);
    let lines = texts.iter().flat_map(|text| text.lines());
    let mut lines = lines.filter(|line| !line.trim().starts_with('#'));
    let said = lines.any(|line| {
        let words = line.replace("is-enabled", "");
        let enables =
            ["enable ", "enable,", "enable\"", "enable'", "preset", ".wants", "Also=", "Alias="]
                .iter()
                .any(|sign| words.contains(sign))
                || (words.contains("enable") && words.contains('$'));
        let open = line.contains("\"$") || line.contains(" $") || line.contains('*');
        let edge = |c: char| !(c.is_ascii_alphanumeric() || "-_@.".contains(c));
        let named = words.split(edge).any(|word| {
            is_same(word, name) || word == stem || word.split('@').next() == Some(stem)
        });
        enables && (named || open)
    });
    said || unit.written().any(|file| {
        let documents = task_documents(file).unwrap_or_default();
        tasks(&documents, file).iter().any(|task| {
            let Some((_, given)) = task.module() else { return false };
            let named = given.get("name").or_else(|| given.get("unit")).and_then(Node::text);
            let off = ["false", "no"];
            let on = given.get("enabled").and_then(Node::text).is_some_and(|it| !off.contains(&it));
            on && named.is_some_and(|named| named.contains('{') || is_same(named, name))
        })
    })
}

/// Units that commands and tasks enable although they do not say what wants them.
fn asked(unit: &Unit, own: &[&Placed], findings: &mut Vec<Finding>) {
    let idle = |name: &str| {
        let one = own.iter().find(|one| is_same(name, unit_name(&one.copy)))?;
        (!is_wanted(&one.copy.text) && !one.copy.text.contains("{%"))
            .then(|| format!("`{name}` names no target in [Install], so systemd cannot enable it."))
    };
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            let argv = command.argv();
            let listed = argv.iter().find(|word| word.ends_with(".service"));
            if let Some(name) = listed.filter(|_| argv.contains(&"list-timers")) {
                let message = format!(
                    "`list-timers` shows no services: name `{}.timer`.",
                    name.trim_end_matches(".service")
                );
                let line = command.line + shell.offset;
                findings.push(error(FILES, message).at(shell.file.as_deref(), line));
            }
            if argv.first() != Some(&"systemctl") || !argv.contains(&"enable") {
                continue;
            }
            for message in argv.iter().skip(1).filter_map(|word| idle(word)) {
                let line = command.line + shell.offset;
                findings.push(error(FILES, message).at(shell.file.as_deref(), line));
            }
        }
    }
    for file in unit.written() {
        let documents = task_documents(file).unwrap_or_default();
        for task in tasks(&documents, file) {
            let Some((_, given)) = task.module() else { continue };
            let named = given.get("name").or_else(|| given.get("unit"));
            let on = given.get("enabled").filter(|it| matches!(it.text(), Some("true" | "yes")));
            if let (Some(on), Some(message)) = (on, named.and_then(Node::text).and_then(idle)) {
                findings.push(error(FILES, message).at(Some(&file.path), on.line));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    fn said(text: &str) -> Vec<String> {
        crate::testing::said(super::examine, text)
    }

    #[test]
    fn units_are_enabled() {
        let unit = "cat >/etc/systemd/system/feed.service <<'E'\n[Service]\nExecStart=/bin/a\n[Install]\nWantedBy=multi-user.target\nE\nsystemctl daemon-reload\n";
        let timer = unit.replace("service", "timer").replace("feed.", "feed@.");
        let tasks = "cat >site.yml <<'E'\n- hosts: a\n  tasks:\n    - ansible.builtin.template:\n        src: feed.service.j2\n        dest: /etc/systemd/system/feed.service\n    - ansible.builtin.systemd_service:\n        name: feed\n        state: started\n        enabled: true\nE\ncat >templates/feed.service.j2 <<'E'\n[Service]\nExecStart=/bin/a\n[Install]\nWantedBy=multi-user.target\nE\n";
        let tunnel = "cat >/etc/wireguard/wg0.conf <<'E'\nE\nsystemctl restart wg-quick@wg0\n";
        for (text, count) in [
            (format!("{unit}systemctl restart feed\n"), 1),
            (format!("{unit}systemctl is-enabled feed\n"), 1),
            (unit.to_owned(), 1),
            (unit.replace("systemctl daemon-reload\n", ""), 0),
            (format!("{unit}systemctl enable feed\nsystemctl restart feed\n"), 0),
            (format!("{unit}for u in feed; do systemctl enable --now \"$u\"; done\n"), 0),
            (
                format!(
                    "{unit}ln -s ../feed.service /etc/systemd/system/a.target.wants/feed.service\n"
                ),
                0,
            ),
            (format!("{timer}systemctl start feed@a.timer\n"), 1),
            (format!("{timer}systemctl enable --now feed@a.timer\n"), 0),
            (format!("{timer}systemctl start nginx\n"), 1),
            (format!("{unit}systemctl enable feed-more\nsystemctl start feed\n"), 1),
            (tasks.to_owned(), 0),
            (tasks.replace("        enabled: true\n", ""), 1),
            (tasks.replace("WantedBy=multi-user.target\n", ""), 1),
            (
                format!(
                    "{}systemctl enable feed\n",
                    unit.replace("WantedBy=multi-user.target\n", "")
                ),
                1,
            ),
            (tunnel.to_owned(), 1),
            (format!("{tunnel}systemctl enable wg-quick@wg0\n"), 0),
            ("systemctl restart nftables\n".to_owned(), 0),
            ("systemctl list-timers feed.service\n".to_owned(), 1),
            ("systemctl list-timers feed.timer\n".to_owned(), 0),
        ] {
            assert_eq!(said(&text).len(), count, "{text}: {:?}", said(&text));
        }
    }
}
