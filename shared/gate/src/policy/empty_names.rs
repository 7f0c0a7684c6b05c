//! Finds removals that would remove everything if a variable were empty: `rm -rf "$FOLDER"/*` in a script that never
//! sets the variable. The sandbox's own tools say so about the step's script, but do not read the scripts that it
//! writes.

use crate::check::error;
use crate::{POLICY, Unit};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let inner = |file: &Option<String>, offset: usize| file.is_some() || offset > 0;
    for shell in unit.everywhere().filter(|shell| inner(&shell.file, shell.offset)) {
        for command in &shell.script.commands {
            let argv = command.argv();
            let ["rm", rest @ ..] = argv.as_slice() else { continue };
            let deep = |word: &&str| {
                let letters = word.strip_prefix('-').unwrap_or_default();
                letters == "-recursive" || !letters.starts_with('-') && letters.contains(['r', 'R'])
            };
            if !rest.iter().any(deep) {
                continue;
            }
            let mut names = rest.iter().filter_map(|word| everything(word));
            if let Some(name) = names.find(|name| !shell.script.assigned.contains_key(*name)) {
                let message = format!(
                    "If `{name}` were empty, this would remove everything: write `${{{name}:?}}`."
                );
                let line = command.line + shell.offset;
                findings.push(error(POLICY, message).at(shell.file.as_deref(), line));
            }
        }
    }
}

/// The variable in front of everything that a word removes: `$NAME/*`, `${NAME}/`.
fn everything(word: &str) -> Option<&str> {
    let rest = word.strip_prefix('$')?;
    let rest = rest.strip_prefix('{').unwrap_or(rest);
    let sign = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    let end = rest.find(sign)?;
    let (name, rest) = rest.split_at(end);
    let whole = ["/", "/*", "}/", "}/*"].contains(&rest);
    (whole && name.starts_with(|c: char| !c.is_ascii_digit())).then_some(name)
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_empty_name_does_not_remove_everything() {
        let said = |text: &str| crate::testing::said(super::examine, text).len();
        let script = |line: &str| format!("cat >/usr/local/sbin/a <<'E'\n#!/bin/bash\n{line}\nE\n");
        for line in ["rm -rf $CACHE_DIR/*", "rm -rf \"$CACHE_DIR\"/*", "rm --recursive ${CACHE}/"] {
            assert_eq!(said(&script(line)), 1, "{line}");
        }
        for line in [
            "rm -rf \"${CACHE_DIR:?}\"/*",
            "CACHE_DIR=/var/cache/a\nrm -rf \"$CACHE_DIR\"/*",
            "rm -f $CACHE_DIR/*",
            "rm -rf \"$CACHE_DIR/old\"",
        ] {
            assert_eq!(said(&script(line)), 0, "{line}");
        }
    }
}
