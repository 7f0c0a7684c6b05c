//! Finds units that a script writes into its own folder and starts, but never puts where systemd reads them, although it
//! puts others there.

use super::config::{UNITS, kind};
use super::restarts::started;
use super::{FILES, error};
use crate::Unit;
use domain::gate::Finding;

/// Programs that put a file somewhere.
const COPIERS: [&str; 7] = ["cp", "install", "ln", "mv", "rsync", "scp", "tee"];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let mut copied: Vec<&str> = Vec::new();
    let argvs: Vec<Vec<&str>> = unit
        .everywhere()
        .flat_map(|shell| &shell.script.commands)
        .map(crate::bash::Command::argv)
        .collect();
    for argv in &argvs {
        let puts = argv.first().is_some_and(|program| COPIERS.contains(program));
        if puts && argv.iter().any(|word| word.contains("systemd/system")) {
            copied.extend(argv.iter().skip(1).filter(|word| !word.starts_with('-')));
        }
    }
    let base = |word: &str| word.rsplit('/').next().unwrap_or(word).to_owned();
    let names: Vec<String> = copied.iter().map(|word| base(word)).collect();
    let open = copied.iter().any(|word| word.contains(['$', '*', '?', '{']));
    let units = || {
        let own = |file: &&crate::Written| {
            !file.path.starts_with('/') && UNITS.contains(&kind(file).as_str())
        };
        unit.files.iter().filter(own)
    };
    if open || !units().any(|file| names.iter().any(|name| name == file.name())) {
        return;
    }
    for one in started(unit) {
        let whole =
            if one.name.contains('.') { one.name.clone() } else { format!("{}.service", one.name) };
        let Some(file) = units().find(|file| file.name() == whole) else { continue };
        let placed = names.contains(&whole)
            || unit.texts().any(|text| {
                text.contains(&format!("systemd/system/{whole}")) || text.contains("systemctl link")
            });
        if !placed {
            let message = format!("Nothing puts `{}` into /etc/systemd/system.", file.name());
            findings.push(error(FILES, message).at(one.file.as_deref(), one.line));
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_unit_is_put_where_systemd_reads_it() {
        let said = |text: &str| crate::testing::said(super::examine, text).len();
        let units = "cat >dump.service <<'E'\nE\ncat >dump.timer <<'E'\nE\n";
        for (commands, count) in [
            (
                "install -m 0644 dump.service /etc/systemd/system/\nsystemctl enable --now dump.timer\n",
                1,
            ),
            (
                "cp dump.timer /etc/systemd/system/\nsystemctl enable --now dump.timer\nsystemctl start dump\n",
                1,
            ),
            (
                "ssh a 'install /tmp/dump.service /etc/systemd/system/ && systemctl start dump.timer'\n",
                1,
            ),
            (
                "install -m 0644 dump.service dump.timer /etc/systemd/system/\nsystemctl start dump.timer\n",
                0,
            ),
            ("cp dump.* /etc/systemd/system/\nsystemctl enable --now dump.timer\n", 0),
            ("systemctl enable --now dump.timer\n", 0),
        ] {
            assert_eq!(said(&format!("{units}{commands}")), count, "{commands}");
        }
    }
}
