//! Finds weak settings that a script puts into a file line by line: with `sed`, `echo` and `printf`, and with Ansible's
//! tasks for lines.

use super::weak_settings;
use crate::bash::tree::{Chain, List, Node as Part, tree};
use crate::bash::{Command, Script};
use crate::check::{error, task_documents, tasks};
use crate::embedded::spoken;
use crate::files::{Written, behind, known, target};
use crate::yaml::Node;
use crate::{POLICY, Unit};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    if unit.context.check {
        return;
    }
    for shell in unit.running() {
        let line_of = |command: &Command| command.line + shell.offset;
        for (command, path, text) in printed(&shell.script) {
            for message in refused(&known(&path, &shell.script), &text) {
                let place = shell.file.as_deref();
                findings.push(error(POLICY, message).at(place, line_of(command)));
            }
        }
        for command in &shell.script.commands {
            let argv = command.argv();
            let paths: Vec<String> = match argv.as_slice() {
                ["sed" | "perl", rest @ ..] => {
                    rest.iter().map(|word| known(word, &shell.script)).collect()
                }
                _ => continue,
            };
            let settings: Vec<String> = argv.iter().skip(1).flat_map(|word| put(word)).collect();
            for path in paths.iter().filter(|path| path.contains('/') && !path.contains(' ')) {
                for message in refused(path, &settings.join("\n")) {
                    let place = shell.file.as_deref();
                    findings.push(error(POLICY, message).at(place, line_of(command)));
                }
            }
        }
    }
    for file in unit.written() {
        for task in tasks(&task_documents(file).unwrap_or_default(), file) {
            let Some((module, given)) = task.module() else { continue };
            let text = |key: &str| given.get(key).and_then(Node::text);
            let put = match module.rsplit('.').next() {
                Some("lineinfile") => text("line"),
                Some("replace") => text("replace"),
                Some("blockinfile") => text("block"),
                _ => None,
            };
            let path = text("path").or_else(|| text("dest"));
            let (Some(path), Some(put)) = (path, put) else { continue };
            for message in refused(path, put) {
                findings.push(error(POLICY, message).at(Some(&file.path), task.node.line));
            }
        }
    }
}

/// What commands print into files: each command, a file and the text.
fn printed(script: &Script) -> Vec<(&Command, String, String)> {
    let mut found = Vec::new();
    for (at, command) in script.commands.iter().enumerate() {
        let Some(text) = spoken(command) else { continue };
        let own = command.writes.iter().map(|(path, _)| path.clone());
        let taken = behind(script, at).into_iter().filter_map(target).map(|(path, _)| path);
        found.extend(own.chain(taken).map(|path| (command, path, text.clone())));
    }
    if let Some(list) = tree(script) {
        grouped(&list, script, &mut found);
    }
    found
}

/// The same for `{ echo a; echo b; } | tee file`.
fn grouped<'a>(list: &List, script: &'a Script, found: &mut Vec<(&'a Command, String, String)>) {
    let pipelines = list.0.iter().flat_map(|Chain { first, rest, .. }| {
        std::iter::once(first).chain(rest.iter().map(|(_, pipeline)| pipeline))
    });
    for pipeline in pipelines {
        let [Part::Group(inner) | Part::Subshell(inner), rest @ ..] = pipeline.parts.as_slice()
        else {
            continue;
        };
        let takers = rest.iter().filter_map(|node| match node {
            Part::Simple(at) => target(script.commands.get(*at)?),
            _ => None,
        });
        for (path, _) in takers {
            for command in inner.simple().into_iter().filter_map(|at| script.commands.get(at)) {
                found.extend(spoken(command).map(|text| (command, path.clone(), text)));
            }
        }
    }
}

/// Why the gate refuses these lines in a file.
fn refused(path: &str, text: &str) -> Vec<String> {
    let (path, text) = (path.to_owned(), text.to_owned());
    let file = Written { path, text, expands: false, line: 1 };
    weak_settings::lines(&file, false).into_iter().map(|(_, message)| message).collect()
}

/// The texts that an expression of sed puts into a file: replacements, and lines that it adds.
fn put(expression: &str) -> Vec<String> {
    let mut found = Vec::new();
    let chars: Vec<char> = expression.chars().collect();
    for (at, c) in chars.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| chars.get(at)).copied();
        let begins = before.is_none_or(|c| " ;{}\n/!,$".contains(c) || c.is_ascii_digit());
        let Some(mark) = chars.get(at + 1).filter(|_| begins).copied() else { continue };
        let rest = chars.get(at + 2..).unwrap_or_default();
        if *c == 's' && mark.is_ascii_punctuation() && !"\\-_.".contains(mark) {
            let mut parts = rest.split(|c| *c == mark);
            if let (Some(_), Some(new), Some(_)) = (parts.next(), parts.next(), parts.next()) {
                found.push(new.iter().collect());
            }
        } else if "aci".contains(*c) && mark == '\\' {
            found.push(rest.iter().collect::<String>().trim_start_matches('\\').trim().to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_edit_does_not_weaken_a_service() {
        let said = |text: &str| crate::testing::said(super::examine, text).len();
        for text in [
            "sudo sed -i -E 's/^#?PasswordAuthentication .*/PasswordAuthentication yes/' /etc/ssh/sshd_config\n",
            "f=/etc/ssh/sshd_config\nsed -i \"s|#PermitRootLogin.*|PermitRootLogin yes|\" \"$f\"\n",
            "ssh web \"sudo sed -i '/^Port/a\\PermitEmptyPasswords yes' /etc/ssh/sshd_config\"\n",
            "sed -i -e 's/a/b/' -e 's/^bind .*/bind 0.0.0.0/' /etc/redis/redis.conf\n",
            "perl -pi -e 's/^PermitRootLogin .*/PermitRootLogin yes/' /etc/ssh/sshd_config\n",
            "echo 'PermitRootLogin yes' | sudo tee -a /etc/ssh/sshd_config >/dev/null\n",
            "echo 'PermitRootLogin yes' >>/etc/ssh/sshd_config\n",
            "{\n  echo 'bind 0.0.0.0'\n  echo 'port 6379'\n} | sudo install -m 0640 /dev/stdin /etc/redis/a.conf\n",
            "cat >a.yml <<'E'\n- hosts: all\n  tasks:\n    - ansible.builtin.lineinfile:\n        path: /etc/ssh/sshd_config\n        regexp: ^PermitRootLogin\n        line: PermitRootLogin yes\nE\n",
        ] {
            assert_eq!(said(text), 1, "{text}");
        }
        for text in [
            "sed -i 's/^#?PermitRootLogin yes/PermitRootLogin no/' /etc/ssh/sshd_config\n",
            "sed -i '/^PermitRootLogin yes/d' /etc/ssh/sshd_config\n",
            "sed -i 's/a/PermitRootLogin yes/' notes.txt\n",
        ] {
            assert_eq!(said(text), 0, "{text}");
        }
    }
}
