//! Finds keys that a script takes from whoever answers: keys for signing in that come from a site, and host keys that
//! nothing compares.

use super::fetched_code::asks;
use crate::bash::{Command, Script};
use crate::check::{error, task_documents, tasks};
use crate::files::behind;
use crate::{POLICY, Unit};
use domain::gate::Finding;

const KEYS: &str =
    "Whoever controls this site may sign in from now on: write the keys into the step.";
const HOST: &str = "`ssh-keyscan` accepts a key from any server that answers. Compare its \
fingerprint (`ssh-keygen -lf`) with the one that the \
     provider shows.";

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    if unit.context.check {
        return;
    }
    let compares = ["ssh-keygen -l", "-lf ", "SHA256:", "fingerprint"];
    let mut lines = unit.text.lines().filter(|line| !line.trim_start().starts_with('#'));
    let compared = lines.any(|line| compares.iter().any(|sign| line.contains(sign)));
    for shell in unit.running() {
        for (at, command) in shell.script.commands.iter().enumerate() {
            let argv = command.argv();
            let message = match argv.first() {
                Some(&"ssh-keyscan") if !compared && keeps_hosts(&shell.script, at) => HOST,
                Some(&("ssh-import-id" | "ssh-import-id-gh" | "ssh-import-id-lp")) => KEYS,
                _ if asks(&argv) && admits(&shell.script, at) => KEYS,
                _ => continue,
            };
            let line = command.line + shell.offset;
            findings.push(error(POLICY, message).at(shell.file.as_deref(), line));
        }
    }
    for file in unit.written() {
        // A list of cloud-init: accounts of a site whose keys it fetches.
        let imports = |line: &str| line.trim_start().starts_with("ssh_import_id:");
        if let Some(at) = file.text.lines().position(imports) {
            findings.push(error(POLICY, KEYS).at(Some(&file.path), at + 1));
        }
        for task in tasks(&task_documents(file).unwrap_or_default(), file) {
            let Some((module, given)) = task.module() else { continue };
            let key = given.get("key").and_then(|node| node.text());
            let fetched =
                key.is_some_and(|key| key.starts_with("http") || key.contains("'url', 'http"));
            if module.ends_with("authorized_key") && fetched {
                findings.push(error(POLICY, KEYS).at(Some(&file.path), task.node.line));
            }
        }
    }
}

/// Whether a command, or one to which a pipe leads from it, has such a word or writes to such a file.
fn reaches(script: &Script, at: usize, part: &str) -> bool {
    let names = |command: &Command| {
        command.writes.iter().any(|(path, _)| path.contains(part))
            || command.words.iter().any(|word| word.text.contains(part))
    };
    script.commands.get(at).into_iter().chain(behind(script, at)).any(names)
}

/// Whether what a command fetches may sign in, directly or by a variable.
fn admits(script: &Script, at: usize) -> bool {
    if reaches(script, at, "authorized_keys") {
        return true;
    }
    // `keys=$(curl …)`, and `echo "$keys" >>…/authorized_keys` later.
    let address = script.commands[at].words.iter().find(|word| word.text.contains("://"));
    let Some(address) = address.map(|word| word.text.as_str()) else { return false };
    let values = script.commands.iter().flat_map(|command| &command.words);
    let values = values.filter_map(|word| crate::bash::assignment(&word.text));
    let mut names = values.filter(|(_, value)| value.starts_with("$(") && value.contains(address));
    names.any(|(name, _)| {
        let uses = |command: &Command| {
            let read = [format!("${name}"), format!("${{{name}}}")];
            command
                .words
                .iter()
                .any(|word| read.iter().any(|read| word.text.contains(read.as_str())))
        };
        let mut all = script.commands.iter().enumerate();
        all.any(|(at, command)| uses(command) && reaches(script, at, "authorized_keys"))
    })
}

/// Whether the keys that a command finds are trusted from then on.
fn keeps_hosts(script: &Script, at: usize) -> bool {
    reaches(script, at, "known_hosts")
        || script.commands.iter().enumerate().any(|(other, command)| {
            let scan = |word: &str| word.contains("ssh-keyscan");
            command.words.iter().any(|word| scan(&word.text))
                && other != at
                && reaches(script, other, "known_hosts")
        })
        || script
            .commands
            .iter()
            .any(|command| command.writes.iter().any(|(path, _)| path.contains("known_hosts")))
}

#[cfg(test)]
mod tests {
    #[test]
    fn keys_come_from_someone_known() {
        let said = |text: &str| crate::testing::said(super::examine, text).len();
        for text in [
            "curl -fsSL https://github.com/alice.keys >>~/.ssh/authorized_keys\n",
            "wget -qO- https://a.example.org/key.pub | ssh web 'cat >>~/.ssh/authorized_keys'\n",
            "curl -fsSL https://a.example.org/k | sudo tee -a /home/a/.ssh/authorized_keys\n",
            "keys=$(curl -fsSL https://github.com/alice.keys)\necho \"$keys\" >>~/.ssh/authorized_keys\n",
            "ssh-import-id gh:alice\n",
            "cat >user-data.yaml <<'E'\n#cloud-config\nssh_import_id: [gh:alice]\nE\n",
            "cat >a.yml <<'E'\n- hosts: all\n  tasks:\n    - ansible.posix.authorized_key:\n        user: a\n        key: https://github.com/alice.keys\nE\n",
            "ssh-keyscan -H \"$ip\" >>~/.ssh/known_hosts\n",
            "ssh-keyscan \"$ip\" | tee -a ssh/known_hosts\n",
            "key=$(ssh-keyscan -t ed25519 \"$ip\")\necho \"$key\" >>~/.ssh/known_hosts\n",
        ] {
            assert_eq!(said(text), 1, "{text}");
        }
        for text in [
            "cat ~/.ssh/deploy.pub >>~/.ssh/authorized_keys\n",
            "curl -fsSL https://a.example.org/status\ncat k >>~/.ssh/authorized_keys\n",
            "ssh-keyscan \"$ip\" >scan\nssh-keygen -lf scan | grep -qF \"$expected\"\ncat scan >>~/.ssh/known_hosts\n",
            "ssh-keyscan \"$ip\" | grep -q ed25519\n",
        ] {
            assert_eq!(said(text), 0, "{text}");
        }
    }
}
