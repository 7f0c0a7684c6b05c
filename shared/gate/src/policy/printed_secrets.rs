//! Finds commands that print a secret into the step's output, which a person and a model read.

use super::conduct::sign_after;
use crate::bash::{Command, Script, Sign};
use crate::check::error;
use crate::files::behind;
use crate::{POLICY, Unit};
use domain::gate::Finding;
use std::collections::BTreeSet;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for shell in unit.everywhere() {
        let script = &shell.script;
        let files = secret_files(script);
        for (at, command) in script.commands.iter().enumerate() {
            if is_secret_shown(script, at, unit.text, shell.offset) {
                let message = "This prints a secret of the cluster into the output: ask only whether it is there.";
                let line = command.line + shell.offset;
                findings.push(error(POLICY, message).at(shell.file.as_deref(), line));
            }
            let line = command.line + shell.offset;
            let elsewhere = !command.writes.is_empty() || is_piped(script, at);
            if elsewhere {
                continue;
            }
            if let Some(name) = told(command, &files)
                && is_alone(command, unit.text, line)
            {
                let message = format!(
                    "This prints the secret in `{name}` into the output: leave it in its file."
                );
                findings.push(error(POLICY, message).at(shell.file.as_deref(), line));
            }
        }
    }
}

/// Whether a command begins its line, outside of blocks whose output goes elsewhere, as it does from a substitution.
fn is_alone(command: &Command, text: &str, line: usize) -> bool {
    let begins = command.program().is_some_and(|program| {
        let line = text.lines().nth(line.saturating_sub(1));
        line.is_some_and(|line| line.trim_start().starts_with(program))
    });
    begins && !is_in_block(text, line)
}

/// Whether a line is in a block whose end says that its output goes to a file or a command.
fn is_in_block(text: &str, line: usize) -> bool {
    let indent = |text: &str| text.len() - text.trim_start().len();
    let mut lines = text.lines().skip(line.saturating_sub(1));
    let Some(mut depth) = lines.next().map(indent) else { return false };
    for line in lines.filter(|line| !line.trim().is_empty()) {
        let end = line.trim_start();
        if indent(line) < depth && end.starts_with(['}', ')']) {
            if end.contains(['>', '|']) && !end.contains("||") {
                return true;
            }
            depth = indent(line);
        }
    }
    false
}

/// Whether a command prints a secret of Kubernetes, decoded or not, where nothing else reads it.
fn is_secret_shown(script: &Script, at: usize, text: &str, offset: usize) -> bool {
    let command = &script.commands[at];
    let argv = command.argv();
    let ["kubectl" | "oc", rest @ ..] = argv.as_slice() else { return false };
    let secret = |word: &&str| {
        ["secret", "secrets"].contains(word)
            || word.starts_with("secret/")
            || word.starts_with("secrets/")
    };
    let whole = rest.iter().any(|word| {
        let form =
            word.trim_start_matches("-o").trim_start_matches("--output=").trim_start_matches('=');
        let names = ["yaml", "json"].contains(&form);
        let template =
            ["jsonpath=", "go-template=", "template="].iter().any(|it| form.starts_with(it));
        names || (template && form.contains(".data"))
    });
    if !rest.contains(&"get") || !rest.iter().any(secret) || !whole || !command.writes.is_empty() {
        return false;
    }
    const FILTERS: [&str; 6] = ["base64", "cut", "head", "jq", "sed", "tr"];
    let shows = |next: &&Command| {
        next.writes.is_empty() && next.program().is_some_and(|it| FILTERS.contains(&it))
    };
    behind(script, at).iter().all(shows) && is_alone(command, text, command.line + offset)
}

/// Parts of the names of files and outputs that hold a secret.
const SECRET: [&str; 9] = [
    "passw",
    "secret",
    "token",
    "private_key",
    "credential",
    "api_key",
    "connection_string",
    "dsn",
    "_uri",
];

/// The files into which a script puts something secret: random values, and secret outputs of Terraform.
fn secret_files(script: &Script) -> BTreeSet<String> {
    let mut files = BTreeSet::new();
    for (at, command) in script.commands.iter().enumerate() {
        let argv = command.argv();
        let makes = match argv.as_slice() {
            ["openssl", "rand", ..] | ["pwgen", ..] | ["uuidgen", ..] => true,
            ["openssl", "genrsa" | "genpkey", rest @ ..] => {
                let out = rest.iter().position(|word| *word == "-out");
                files.extend(out.and_then(|at| rest.get(at + 1)).map(|name| (*name).to_owned()));
                true
            }
            ["terraform" | "tofu", rest @ ..] if rest.contains(&"output") => {
                rest.iter().any(|word| SECRET.iter().any(|part| word.to_lowercase().contains(part)))
            }
            ["wg", "genkey" | "genpsk"] => true,
            ["ssh-keygen", rest @ ..] => {
                let file = rest.iter().position(|word| *word == "-f");
                files.extend(file.and_then(|at| rest.get(at + 1)).map(|name| (*name).to_owned()));
                false
            }
            _ => false,
        };
        // The last command of a pipe writes the file.
        let end =
            script.commands.iter().enumerate().skip(at).find(|(at, _)| !is_piped(script, *at));
        if let Some((_, last)) = end.filter(|_| makes) {
            files.extend(last.writes.iter().map(|(name, _)| name.clone()));
        }
    }
    files
}

/// Whether another command reads what this one prints.
fn is_piped(script: &Script, at: usize) -> bool {
    sign_after(script, at) == Some(Sign::Pipe)
}

/// The file of which a command prints the text.
fn told(command: &Command, files: &BTreeSet<String>) -> Option<String> {
    let argv = command.argv();
    let (program, rest) = argv.split_first()?;
    match *program {
        "cat" | "head" | "tail" | "less" => {
            rest.iter().find(|word| files.contains(**word)).map(|word| (*word).to_owned())
        }
        "echo" | "printf" => files.iter().find_map(|name| {
            let inner = [
                format!("$(cat {name})"),
                format!("$(cat \"{name}\")"),
                format!("$(< {name})"),
                format!("$(<{name})"),
                format!("$(<\"{name}\")"),
            ];
            rest.iter().any(|word| inner.iter().any(|it| word.contains(it))).then(|| name.clone())
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_secret_of_a_cluster_is_not_printed() {
        let said = |text: &str| crate::testing::said(super::examine, text).len();
        for (text, count) in [
            ("kubectl get secret a -n b -o jsonpath='{.data.token}' | base64 -d", 1),
            ("kubectl -n b get secret/a -o yaml", 1),
            ("kubectl get secrets a -ojson | jq -r '.data'", 1),
            ("kubectl get secret a", 0),
            ("kubectl get secret a -o name", 0),
            ("kubectl get secret a -o jsonpath='{.data.token}' | base64 -d > token", 0),
            ("token=$(kubectl get secret a -o jsonpath='{.data.token}' | base64 -d)", 0),
            ("kubectl get secret a -o yaml | kubeseal -o yaml", 0),
            ("kubectl get secret a -o jsonpath='{.metadata.name}'", 0),
            ("kubectl get secret a -o jsonpath='{.data}' | grep -q token", 0),
        ] {
            assert_eq!(said(text), count, "{text}");
        }
    }
}
