//! Finds variables that a play gives to a role in one place and not in another, and that have no default.

use super::{Name, TOOL, error, expressions, in_expression, is_defined, is_template};
use crate::check::task_documents;
use crate::places::is_playbook;
use crate::yaml::Node;
use crate::{Unit, Written};
use domain::gate::Finding;
use std::collections::BTreeSet;

/// A role in the list of a play.
struct Applied<'a> {
    file: &'a Written,
    line: usize,
    role: String,
    /// The variables that it gets there, with their lines.
    given: Vec<(String, usize)>,
}

pub(super) fn examine(unit: &Unit, corpus: &str, findings: &mut Vec<Finding>) {
    let applied: Vec<Applied> = unit.files.iter().flat_map(applications).collect();
    let other = without_given(unit, corpus, &applied);
    for one in &applied {
        let same = applied.iter().filter(|other| other.role == one.role);
        let elsewhere: BTreeSet<&str> =
            same.flat_map(|other| &other.given).map(|(name, _)| name.as_str()).collect();
        let used = used(unit, &one.role);
        for name in elsewhere {
            let given = one.given.iter().any(|(given, _)| given == name);
            let needed = used.iter().any(|used| used.text == name)
                && !used.iter().any(|used| used.text == name && used.guarded);
            if !given && needed && !is_defined(name, &other) {
                let message = format!(
                    "The role `{}` needs `{name}`, which has no default and is not given here.",
                    one.role
                );
                findings.push(error(TOOL, message).at(Some(&one.file.path), one.line));
            }
        }
    }
}

/// The roles that the plays of a file apply.
fn applications(file: &Written) -> Vec<Applied<'_>> {
    let documents = if is_playbook(file) { task_documents(file) } else { None };
    let documents = documents.unwrap_or_default();
    let plays = documents.iter().flat_map(Node::list);
    let roles = plays.filter_map(|play| play.get("roles")).flat_map(Node::list);
    let applied = roles.filter_map(|role| {
        let name = role.text().or_else(|| role.get("role").or_else(|| role.get("name"))?.text())?;
        let vars = role.get("vars").map(Node::map).unwrap_or_default();
        let given = vars.iter().map(|entry| (entry.key.clone(), entry.line)).collect();
        Some(Applied { file, line: role.line, role: name.to_owned(), given })
    });
    applied.collect()
}

/// The texts without the lines in which plays give variables to roles.
fn without_given(unit: &Unit, corpus: &str, applied: &[Applied]) -> String {
    let own: BTreeSet<usize> = applied
        .iter()
        .flat_map(|one| one.given.iter().map(|(_, line)| one.file.line + line - 1))
        .collect();
    let lines = corpus.lines().take(unit.text.lines().count()).enumerate();
    let kept = lines.filter(|(at, _)| !own.contains(&(at + 1))).map(|(_, line)| line);
    let earlier = unit.context.earlier.iter().copied();
    kept.chain(earlier).collect::<Vec<&str>>().join("\n")
}

/// The variables that the tasks and templates of a role read.
fn used(unit: &Unit, role: &str) -> Vec<Name> {
    let inside = |file: &&Written| {
        let parts: Vec<&str> = file.path.split('/').collect();
        parts.windows(2).any(|two| two == ["roles", role]) && is_template(file)
    };
    let texts = unit.tree.iter().filter(inside).flat_map(expressions);
    texts.flat_map(|(_, text)| in_expression(&text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Context;

    /// The findings about a role `db` that reads `db_port`, in plays with these lists of roles.
    fn said(first: &str, second: &str, files: &str) -> usize {
        let script = format!(
            "cat >site.yml <<'E'\n- hosts: a\n  roles:\n{first}- hosts: b\n  roles:\n{second}E\ncat >roles/db/tasks/main.yml <<'E'\n- debug:\n    msg: \"{{{{ db_port }}}}\"\nE\n{files}"
        );
        let context = Context::default();
        let mut findings = Vec::new();
        let unit = Unit::new(&script, &context);
        examine(&unit, unit.text, &mut findings);
        findings.len()
    }

    #[test]
    fn a_role_gets_what_it_needs_in_each_play() {
        let given = "    - role: db\n      vars:\n        db_port: 1\n";
        assert_eq!(said(given, "    - role: db\n", ""), 1);
        assert_eq!(said("    - db\n", given, ""), 1);
        let default = "cat >roles/db/defaults/main.yml <<'E'\ndb_port: 2\nE\n";
        assert_eq!(said(given, "    - role: db\n", default), 0);
        assert_eq!(said(given, given, ""), 0);
        assert_eq!(said(given, "    - role: other\n", ""), 0);
    }
}
