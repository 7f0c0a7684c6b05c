//! Finds units that a script changes and then starts before systemd has read them, and `daemon-reload` in a place where
//! it comes too late.

use super::{FILES, error};
use crate::files::known;
use crate::{Shell, Unit};
use domain::gate::Finding;

/// What a command does to systemd, in the order of a shell.
enum Deed {
    /// Puts a unit into its place.
    Puts(String),
    /// Makes systemd read all units: `enable` does so, too.
    Reads,
    /// `daemon-reload` itself.
    Reloads,
    /// Starts these units or starts them again.
    Starts(Vec<String>),
}

const FOLDER: &str = "/etc/systemd/system/";

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for shell in unit.everywhere() {
        let commands = shell.script.commands.iter();
        // What a function does happens where it is called.
        if !shell.script.functions.is_empty() {
            continue;
        }
        let deeds: Vec<(usize, Deed)> = commands
            .flat_map(|command| {
                let found = deeds(command, shell);
                found.into_iter().map(move |deed| (command.line + shell.offset, deed))
            })
            .collect();
        if let Some((line, message)) = late(&deeds) {
            findings.push(error(FILES, message).at(shell.file.as_deref(), line));
        }
    }
}

fn deeds(command: &crate::bash::Command, shell: &Shell) -> Vec<Deed> {
    let argv = command.argv();
    let put = |path: &str| {
        let path = known(path, &shell.script);
        let name = path.strip_prefix(FOLDER)?;
        let unit = name.split('/').next().unwrap_or(name).trim_end_matches(".d").to_owned();
        Some(Deed::Puts(unit))
    };
    let mut found: Vec<Deed> = command.writes.iter().filter_map(|(path, _)| put(path)).collect();
    match argv.as_slice() {
        ["tee", words @ ..] => found.extend(words.iter().filter_map(|word| put(word))),
        ["cp" | "install" | "mv" | "ln", words @ .., place]
            if !words.iter().any(|word| ["-d", "--directory"].contains(word)) =>
        {
            let folder = place.trim_end_matches('/') == FOLDER.trim_end_matches('/');
            let sources = words.iter().filter(|word| !word.starts_with('-'));
            let own = sources.filter(|_| folder || place.ends_with('/'));
            let own = own.filter_map(|source| {
                put(&format!("{}/{}", place.trim_end_matches('/'), crate::bash::base(source)))
            });
            found.extend(own);
            found.extend(put(place).filter(|_| !folder));
        }
        ["systemctl", words @ ..] if !words.contains(&"--user") => {
            let plain: Vec<&str> =
                words.iter().filter(|word| !word.starts_with('-')).copied().collect();
            match plain.as_slice() {
                ["daemon-reload" | "daemon-reexec", ..] => found.push(Deed::Reloads),
                ["enable" | "disable" | "reenable" | "preset" | "link" | "mask" | "unmask", ..] => {
                    found.push(Deed::Reads);
                }
                [verb, names @ ..] if *verb == "start" || verb.contains("restart") => {
                    let name = |name: &&str| {
                        if name.contains('.') {
                            (*name).to_owned()
                        } else {
                            format!("{name}.service")
                        }
                    };
                    found.push(Deed::Starts(names.iter().map(name).collect()));
                }
                _ => {}
            }
        }
        _ => {}
    }
    found
}

/// The first start of a unit that systemd has not read, or the first `daemon-reload` without a use.
fn late(deeds: &[(usize, Deed)]) -> Option<(usize, String)> {
    let (mut unread, mut started): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut put: Vec<&str> = Vec::new();
    let last = deeds.iter().rposition(|(_, deed)| matches!(deed, Deed::Puts(_)));
    let reloads = deeds.iter().filter(|(_, deed)| matches!(deed, Deed::Reloads)).count();
    for (at, (line, deed)) in deeds.iter().enumerate() {
        match deed {
            Deed::Puts(name) => {
                unread.push(name);
                put.push(name);
            }
            Deed::Reads => unread.clear(),
            Deed::Reloads => {
                let late = started.iter().find(|name| put.contains(name));
                if let Some(name) = late.filter(|_| reloads == 1 && last.is_some_and(|it| it < at))
                {
                    let message = format!(
                        "This comes too late: `{name}` has started before systemd read it again."
                    );
                    return Some((*line, message));
                }
                unread.clear();
            }
            Deed::Starts(names) => {
                if let Some(name) = names.iter().find(|name| unread.contains(&name.as_str())) {
                    let message = format!(
                        "systemd has not read `{name}` again: run `systemctl daemon-reload` before this."
                    );
                    return Some((*line, message));
                }
                started.extend(names.iter().map(String::as_str));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    #[test]
    fn systemd_reads_units_before_they_start() {
        let said = |text: &str| crate::testing::said(super::examine, text).len();
        let put = "install -m 0644 a.service /etc/systemd/system/a.service\n";
        let reload = "systemctl daemon-reload\n";
        for (text, count) in [
            (format!("{put}systemctl restart a\n"), 1),
            (format!("{put}systemctl enable a\nsystemctl restart a\n{reload}"), 1),
            (format!("{put}systemctl restart a\n{reload}"), 1),
            ("install a.service /etc/systemd/system/\nsystemctl start a.service\n".to_owned(), 1),
            ("cp a.service b.timer /etc/systemd/system\nsystemctl start a b.timer\n".to_owned(), 1),
            ("cat >/etc/systemd/system/nginx.service.d/a.conf <<'E'\nE\nsystemctl restart nginx\n".to_owned(), 1),
            (format!("{put}{reload}systemctl restart a\n"), 0),
            (format!("{put}systemctl enable a\nsystemctl restart a\n"), 0),
            (format!("{put}systemctl restart b\n"), 0),
            (format!("{put}{reload}systemctl restart a\nrm b\n{reload}"), 0),
            (format!("{reload}{put}{reload}systemctl restart a\n"), 0),
        ] {
            assert_eq!(said(&text), count, "{text}");
        }
    }
}
