//! Checks what a server runs at its first boot: each command of cloud-init is one text or a list of words.

use super::{FILES, error};
use crate::Unit;
use crate::yaml::{self, Node};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written().filter(|file| file.text.starts_with("#cloud-config")) {
        let documents = yaml::documents(&file.filled()).unwrap_or_default();
        for key in ["bootcmd", "runcmd"] {
            let commands = documents.iter().filter_map(|document| document.get(key));
            let commands = commands.flat_map(Node::list);
            let wrong = commands.filter(|node| {
                !node.map().is_empty() || node.list().iter().any(|word| word.text().is_none())
            });
            for node in wrong {
                let message = format!(
                    "A command in `{key}` is a string or a list of words: put quotes around this \
                    one, which has a `: `."
                );
                findings.push(error(FILES, message).at(Some(&file.path), node.line));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_command_is_a_text_or_a_list_of_words() {
        let said = |command: &str| {
            let text = format!("cat >a.yaml <<'E'\n#cloud-config\nruncmd:\n  - {command}\nE\n");
            crate::testing::said(super::examine, &text).len()
        };
        assert_eq!(said("systemctl enable --now nginx: true"), 1);
        assert_eq!(said("[sh, -c, [a]]"), 1);
        assert_eq!(said("systemctl enable --now nginx"), 0);
        assert_eq!(said("[systemctl, restart, ssh]"), 0);
    }
}
