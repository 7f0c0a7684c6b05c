//! Finds variables of templates that get no value when `envsubst` fills them in: it leaves an empty text there, and
//! succeeds.

use super::shell::{is_exported, is_known};
use super::{FILES, error};
use crate::Unit;
use crate::bash::{assignment, base, is_name};
use crate::files::known;
use domain::gate::Finding;
use std::collections::BTreeSet;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let script = &unit.script;
    // A file may set and export anything.
    if script.assigned.contains_key("*") || unit.text.contains("set -a") {
        return;
    }
    for command in &script.commands {
        let argv = command.argv();
        let ["envsubst", rest @ ..] = argv.as_slice() else { continue };
        let listed: BTreeSet<&str> = rest.iter().flat_map(|word| names(word)).collect();
        let own = command.words.iter().filter_map(|word| assignment(&word.text));
        let own: BTreeSet<&str> = own.map(|(name, _)| name).collect();
        for read in &command.reads {
            let path = known(read, script);
            let mut templates = unit.tree.iter().filter(|file| base(&file.path) == base(&path));
            let (Some(file), None) = (templates.next(), templates.next()) else { continue };
            if file.expands {
                continue;
            }
            let mut reported = BTreeSet::new();
            for (at, line) in file.text.lines().enumerate() {
                for name in names(line) {
                    let filled = listed.is_empty() || listed.contains(name);
                    let given = own.contains(name)
                        || is_known(name)
                        || unit.context.environment.iter().any(|given| given == name)
                        || is_exported(unit, name);
                    if filled && !given && reported.insert(name) {
                        let said = format!(
                            "`envsubst` puts an empty text here: nothing exports `{name}`."
                        );
                        findings.push(error(FILES, said).at(Some(&file.path), at + 1));
                    }
                }
            }
        }
    }
}

/// The variables in a text as `envsubst` reads it: `$NAME` and `${NAME}`.
fn names(text: &str) -> Vec<&str> {
    let parts = text.split('$').skip(1).filter_map(|rest| match rest.strip_prefix('{') {
        Some(inner) => inner.split_once('}').map(|(name, _)| name),
        None => rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next(),
    });
    parts.filter(|name| is_name(name)).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn envsubst_gets_a_value_for_each_variable() {
        let said = |text: &str| {
            let text = format!("cat >a.tmpl <<'E'\nport=${{PORT}} host=$host\nE\n{text}");
            crate::testing::said(super::examine, &text)
        };
        for text in [
            "export PORT=1\nenvsubst <a.tmpl >a\n",
            "PORT=1\nenvsubst '${PORT}' <a.tmpl >a\n",
            "export host=b\nenvsubst <a.tmpl >a\n",
        ] {
            assert_eq!(said(text).len(), 1, "{text}: {:?}", said(text));
        }
        for text in [
            "export PORT=1\nenvsubst '$PORT' <a.tmpl >a\n",
            "PORT=1 envsubst '$PORT' <a.tmpl >a\n",
            "export PORT=1 host=b\nenvsubst <a.tmpl >a\n",
            "set -a\n. ./env\nenvsubst <a.tmpl >a\n",
            "envsubst <other.tmpl >a\n",
        ] {
            assert!(said(text).is_empty(), "{text}: {:?}", said(text));
        }
    }
}
