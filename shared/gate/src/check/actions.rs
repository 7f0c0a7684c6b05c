//! Checks words of Ansible that belong to a closed set: the actions of `meta`, strategies, ways to become another user.

use super::error;
use super::values::refused;
use crate::Unit;
use crate::tasks::{Task, documents, tasks};
use crate::yaml::Node;
use domain::gate::Finding;

const TOOL: &str = "ansible";

/// The kind of the words in `values.txt`.
const KIND: &str = "ansible";

/// Keys of plays and tasks that take one of a few words.
const KEYS: [&str; 5] = ["become_method", "connection", "debugger", "order", "strategy"];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in &unit.files {
        let Some(documents) = documents(file) else { continue };
        let plays = documents.iter().flat_map(Node::list);
        let tasks = tasks(&documents, file);
        let mut found: Vec<(usize, String)> = tasks.iter().filter_map(action).collect();
        let nodes = plays.filter(|play| play.get("hosts").is_some());
        found.extend(nodes.chain(tasks.iter().map(|task| task.node)).flat_map(words));
        for (line, message) in found {
            findings.push(error(TOOL, message).at(Some(&file.path), line));
        }
    }
}

/// An action that `meta` does not have.
fn action(task: &Task) -> Option<(usize, String)> {
    let (_, given) = task.module().filter(|(name, _)| *name == "meta")?;
    let node = given.get("free_form").or_else(|| given.get("_raw_params")).unwrap_or(given);
    let action = node.text()?;
    let known = refused(KIND, "meta", action)?;
    Some((node.line, format!("`meta` has no action `{action}`. It has: {known}.")))
}

/// Values that are not among the words that their keys take.
fn words(node: &Node) -> Vec<(usize, String)> {
    let given = KEYS.iter().filter_map(|key| Some((*key, node.get(key)?)));
    let wrong = given.filter_map(|(key, value)| {
        let text = value.text()?;
        let known = refused(KIND, key, text)?;
        Some((value.line, format!("`{key}` does not take `{text}`. It takes: {known}.")))
    });
    wrong.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Context;

    fn said(playbook: &str) -> usize {
        let script = format!("cat >site.yml <<'E'\n{playbook}E\n");
        let context = Context::default();
        let mut findings = Vec::new();
        examine(&Unit::new(&script, &context), &mut findings);
        findings.len()
    }

    #[test]
    fn words_of_a_closed_set_are_known() {
        for wrong in [
            "- hosts: all\n  tasks:\n    - meta: end_plays\n",
            "- hosts: all\n  tasks:\n    - ansible.builtin.meta: reset-connection\n",
            "- hosts: all\n  strategy: parallel\n  tasks: []\n",
            "- hosts: all\n  become_method: root\n  tasks: []\n",
        ] {
            assert_eq!(said(wrong), 1, "{wrong}");
        }
        for right in [
            "- hosts: all\n  tasks:\n    - meta: end_host\n    - meta: \"{{ action }}\"\n",
            "- hosts: all\n  strategy: free\n  connection: local\n  tasks: []\n",
            "- hosts: all\n  strategy: mitogen.linear\n  become_method: doas\n  tasks: []\n",
        ] {
            assert_eq!(said(right), 0, "{right}");
        }
    }
}
