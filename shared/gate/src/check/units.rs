//! Checks units of systemd with the commands around them: settings without `=`, units that nothing writes, and units that
//! are started but not read again.

use super::config::{UNITS, kind, unit_kind};
use super::jinja::without;
use super::restarts_known::{KNOWN, packaged};
use super::spelling::nearest;
use super::{FILES, error};
use crate::{Unit, Written};
use domain::gate::Finding;

type Mistakes = Vec<(usize, String)>;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let all: Vec<&Written> = unit.tree.iter().chain(&unit.there).collect();
    let texts: Vec<&str> = unit.texts().collect();
    for file in unit.written().filter(|file| unit_kind(file).is_some()) {
        let lost = UNITS.contains(&kind(file).as_str()).then(|| lost(file, &all, &texts));
        for (line, message) in bare(file).into_iter().chain(lost.into_iter().flatten()) {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            let argv = command.argv();
            let ["systemctl", rest @ ..] = argv.as_slice() else { continue };
            let mut words = rest.iter().copied().filter(|word| !word.starts_with('-'));
            let Some(verb) = words.next() else { continue };
            let names: Vec<String> = words.map(full).collect();
            let line = command.line + shell.offset;
            for name in &names {
                let found = [misnamed(name, &all, &texts), unread(unit, verb, name, &texts)];
                for message in found.into_iter().flatten() {
                    findings.push(error(FILES, message).at(shell.file.as_deref(), line));
                }
            }
        }
    }
}

/// The name of a unit with its kind.
fn full(name: &str) -> String {
    let known = UNITS.iter().chain(&["target"]).any(|kind| name.ends_with(&format!(".{kind}")));
    if known { name.to_owned() } else { format!("{name}.service") }
}

fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Lines of a section that are not settings.
fn bare(file: &Written) -> Mistakes {
    let (mut found, mut continues, mut inside) = (Vec::new(), false, false);
    for (at, line) in without(&file.filled()).lines().enumerate() {
        let continued = continues;
        let line = line.trim();
        continues = goes_on(line, continued);
        inside |= line.starts_with('[');
        let other = line.is_empty() || line.starts_with(['#', ';', '[', '{']) || line == "x";
        let name = line.split('=').next().unwrap_or_default().trim_end();
        let odd = name.contains(['"', '\'', ' ']) && !name.contains(['{', '$', '%']);
        if !continued && !other && inside && (odd || !line.contains(['=', '{'])) {
            found.push((at + 1, format!("systemd needs `=` after a setting's name: `{line}`.")));
        }
    }
    found
}

/// Whether a value goes on after a line of a unit; comments, and statements of a template that have
/// left an empty line, may stand in between.
pub(super) fn goes_on(line: &str, continued: bool) -> bool {
    let between = line.is_empty() || line.starts_with(['#', ';']);
    line.ends_with('\\') || (between && continued)
}

/// Settings that name other units.
const NAMING: [&str; 14] = [
    "After",
    "Also",
    "Before",
    "BindsTo",
    "OnFailure",
    "OnSuccess",
    "PartOf",
    "Requires",
    "Requisite",
    "Service",
    "Sockets",
    "Unit",
    "Upholds",
    "Wants",
];

/// Those of them that name one of the author's own units.
const OWN: [&str; 3] = ["Also", "OnFailure", "OnSuccess"];

/// Units that nothing writes, although a unit with almost that name is written, or no package has such a unit.
fn lost(file: &Written, all: &[&Written], texts: &[&str]) -> Mistakes {
    let written: Vec<&str> = all
        .iter()
        .filter(|file| UNITS.contains(&kind(file).as_str()))
        .map(|file| file.name().trim_end_matches(".j2"))
        .collect();
    let mut found = Vec::new();
    for (at, line) in file.filled().lines().enumerate() {
        let Some((key, value)) = line.trim().split_once('=') else { continue };
        let key = key.trim();
        if !NAMING.contains(&key) {
            continue;
        }
        for name in value.split_whitespace() {
            let own = OWN.contains(&key);
            let open = name.contains(['%', '$', '{']) && !own || name.contains(['$', '{']);
            let template = name.split_once('@').map(|(stem, _)| format!("{stem}@."));
            let known = written.contains(&name)
                || template.is_some_and(|start| written.iter().any(|it| it.starts_with(&start)));
            if open || known || name.ends_with(".target") || is_mentioned(name, texts) {
                continue;
            }
            let begins = |other: &&&str| {
                let rest = name.strip_prefix(stem(other));
                **other != file.name() && rest.is_some_and(|rest| rest.starts_with('-'))
            };
            let parts = |name: &str| {
                let mut parts: Vec<String> =
                    stem(name).split(['-', '_']).map(str::to_owned).collect();
                parts.sort();
                parts
            };
            let ends = |other: &&&str| {
                let rest = name.strip_suffix(**other);
                **other != file.name() && rest.is_some_and(|rest| rest.ends_with('-'))
            };
            let shuffled = |other: &&&str| parts(other) == parts(name);
            let near = nearest(name, &written).filter(|near| !is_numbered(name, near));
            let near = near
                .or_else(|| written.iter().find(begins).copied())
                .or_else(|| written.iter().find(ends).copied())
                .or_else(|| written.iter().find(shuffled).copied())
                .or_else(|| {
                    let needs = ["BindsTo", "Requires", "Requisite"].contains(&key);
                    let family =
                        |name: &str| name.split_once('-').map(|(family, _)| family.to_owned());
                    let related =
                        |other: &&&str| **other != file.name() && family(name) == family(other);
                    let own = needs && family(name).is_some() && !KNOWN.contains(&stem(name));
                    written.iter().find(related).copied().filter(|_| own)
                });
            let service = name.strip_suffix(".service");
            if let Some(other) = service.and_then(packaged) {
                let message =
                    format!("systemd has no unit `{name}`: it is named `{other}.service`.");
                found.push((at + 1, message));
            } else if own || near.is_some() {
                found.push((at + 1, format!("Nothing writes the unit `{name}`.")));
            }
        }
    }
    found
}

/// Whether anything but a setting that names units has a unit's name.
fn is_mentioned(name: &str, texts: &[&str]) -> bool {
    let stem = name.split(['.', '@']).next().unwrap_or(name);
    let edge = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    texts.iter().flat_map(|text| text.lines()).any(|line| {
        let naming = line.trim().split_once('=').is_some_and(|(key, _)| NAMING.contains(&key));
        !naming
            && line.match_indices(stem).any(|(at, _)| {
                let (before, after) = (&line[..at], &line[at + stem.len()..]);
                !before.ends_with(edge) && !after.starts_with(edge)
            })
    })
}

/// Whether two names differ only in a number, as those of several workers do.
fn is_numbered(left: &str, right: &str) -> bool {
    let bare = |text: &str| text.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    bare(left) == bare(right)
}

/// A unit that a command names almost as a written unit.
fn misnamed(name: &str, all: &[&Written], texts: &[&str]) -> Option<String> {
    let written: Vec<&str> = all
        .iter()
        .filter(|file| file.path.starts_with("/etc/systemd/system/"))
        .map(|file| file.name())
        .filter(|name| UNITS.iter().any(|kind| name.ends_with(&format!(".{kind}"))))
        .collect();
    let open = name.contains(['$', '{', '*', '%', '@']) || written.contains(&name);
    let near = nearest(name, &written).filter(|near| !open && !is_numbered(name, near))?;
    // The name occurs as a unit elsewhere, too.
    let twice = texts.iter().map(|text| text.matches(stem(name)).count()).sum::<usize>() > 1;
    let same = stem(near) == stem(name) || stem(near).contains(stem(name));
    (!twice && !same)
        .then(|| format!("Nothing writes the unit `{name}`, but something writes `{near}`."))
}

/// A unit whose new settings systemd has not read when it starts.
fn unread(unit: &Unit, verb: &str, name: &str, texts: &[&str]) -> Option<String> {
    let reads = ["daemon-reload", "daemon_reload", "daemon-reexec", "reboot"];
    let starts = ["restart", "start", "reload-or-restart", "try-restart"].contains(&verb);
    if !starts || reads.iter().any(|word| texts.iter().any(|text| text.contains(word))) {
        return None;
    }
    let folder = format!("/systemd/system/{name}.d/");
    let file = unit.written().find(|file| file.path.contains(&folder))?;
    Some(format!(
        "systemd has not read {} yet: run `systemctl daemon-reload` before this.",
        file.path
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<String> {
        crate::testing::said(examine, text)
    }

    const SERVICE: &str = "cat >/etc/systemd/system/backup-run.service <<'E'\n[Unit]\nAfter=network-online.target postgresql.service\n[Service]\nExecStart=/bin/a \\\n  b\n[Install]\nWantedBy=multi-user.target\nE\n";

    #[test]
    fn units_are_written_read_and_enabled() {
        let enable = "systemctl daemon-reload\nsystemctl enable --now backup-run\n";
        for (text, count) in [
            (format!("{SERVICE}{enable}"), 0),
            (format!("{SERVICE}for u in a b; do systemctl enable \"$u\"; done\nsystemctl start backup-run\n"), 0),
            (SERVICE.replace("ExecStart=", "RestartSec 5\nExecStart=") + enable, 1),
            (SERVICE.replace("[Service]", "OnFailure=tell@%n.service\n[Service]") + enable, 1),
            (SERVICE.replace("[Service]", "Requires=backup-runs.service\n[Service]") + enable, 1),
            (format!("{SERVICE}{}", enable.replace("backup-run", "backup-rum")), 1),
            ("mkdir -p /etc/systemd/system/a.service.d\ncat >/etc/systemd/system/a.service.d/b.conf <<'E'\n[Service]\nUser=a\nE\nsystemctl restart a\n".into(), 1),
            ("cat >/etc/systemd/system/a.service.d/b.conf <<'E'\n[Service]\nUser=a\nE\nsystemctl daemon-reload\nsystemctl restart a\n".into(), 0),
        ] {
            assert_eq!(said(&text).len(), count, "{text}: {:?}", said(&text));
        }
    }
}
