//! Finds secrets in plain text that a command sends through a pipe to a program that takes a secret there.

use crate::bash::{Command, Piece, Script, Sign};
use crate::check::error;
use crate::files::{known, target};
use crate::{SECRETS, Unit};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for shell in unit.everywhere() {
        for (at, command) in shell.script.commands.iter().enumerate() {
            let sends = matches!(command.program(), Some("echo" | "printf"));
            if !sends {
                continue;
            }
            let taker = next(&shell.script, at);
            let kept = || keeps(&shell.script, command, taker) && is_one_word(command);
            let sent = || taker.is_some_and(|taker| takes(&taker.argv()));
            if is_plain(command) && (sent() || kept()) {
                let message =
                    "This sends a secret in plain text. Take it from an environment variable.";
                let line = command.line + shell.offset;
                findings.push(error(SECRETS, message).at(shell.file.as_deref(), line));
            }
        }
    }
}

/// The command after the pipe that follows a command.
fn next(script: &Script, at: usize) -> Option<&Command> {
    let from = script.pieces.iter().position(|piece| *piece == Piece::Command(at))?;
    match script.pieces.get(from + 1..)? {
        [Piece::Sign(Sign::Pipe), rest @ ..] => rest.iter().find_map(|piece| match piece {
            Piece::Command(index) => script.commands.get(*index),
            _ => None,
        }),
        _ => None,
    }
}

/// Parts of the names of files and variables for a secret.
const NAMES: [&str; 7] = ["cred", "passphrase", "passwd", "password", "pwfile", "secret", "token"];

/// Whether the text of a command goes into a file for a secret.
fn keeps(script: &Script, command: &Command, taker: Option<&Command>) -> bool {
    let own = command.writes.iter().map(|(path, _)| path.clone());
    let taken = taker.and_then(target).map(|(path, _)| path);
    own.chain(taken).any(|path| {
        // The name of a variable says as much as its value.
        let words = format!("{path} {}", known(&path, script)).to_lowercase();
        NAMES.iter().any(|name| words.contains(name))
    })
}

/// Whether a command prints one word, as a secret is.
fn is_one_word(command: &Command) -> bool {
    let argv = command.argv();
    let formats = ["-n", "%s", "%s\\n"];
    let mut words = argv.iter().skip(1).filter(|word| !formats.contains(word));
    let (word, more) = (words.next(), words.next());
    let path = |word: &str| word.contains(['/', ' ', '=', ':']);
    more.is_none() && word.is_some_and(|word| word.len() > 7 && !path(word))
}

/// Whether a program reads a secret from its standard input.
fn takes(argv: &[&str]) -> bool {
    let has = |word: &str| argv.contains(&word);
    match argv {
        ["kubectl" | "oc", ..] => {
            has("secret")
                && argv.iter().any(|word| word.ends_with("/dev/stdin") || word.ends_with("=-"))
        }
        ["docker" | "podman", "secret", "create", ..] => true,
        ["docker" | "podman" | "helm" | "nerdctl" | "crane", ..] => has("--password-stdin"),
        ["chpasswd" | "smbpasswd", ..] => true,
        ["passwd", ..] => has("--stdin"),
        ["gh", "secret", "set", ..] => true,
        ["gcloud", "secrets", ..] => has("--data-file=-"),
        ["vault", "kv" | "write", ..] => argv.iter().any(|word| word.ends_with("=-")),
        ["systemd-creds", "encrypt", ..] => has("-"),
        _ => false,
    }
}

/// Whether the words of a command are a text with a digit and a letter that nothing fills in.
fn is_plain(command: &Command) -> bool {
    let argv = command.argv();
    let words: Vec<&&str> = argv.iter().skip(1).filter(|word| !word.starts_with('-')).collect();
    let has = |kind: fn(char) -> bool| words.iter().any(|word| word.chars().any(kind));
    let filled = words.iter().any(|word| word.contains(['$', '`', '{']));
    !filled && has(|c| c.is_ascii_digit()) && has(|c| c.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_secret_does_not_stand_before_a_pipe() {
        let said = |text: &str| crate::testing::said(super::examine, text).len();
        for text in [
            "printf 'red1s-Pw-7781' | kubectl create secret generic a --from-file=password=/dev/stdin\n",
            "echo 'deploy:Winter2025' | chpasswd\n",
            "printf %s hunter22 | docker secret create db -\n",
            "cred=/root/.shop-db\necho 'Winter-Garden-77' | sudo tee \"$cred\" >/dev/null\n",
            "printf '%s\\n' hunter2000 >/etc/restic/password\n",
            "echo glpat99x | docker login -u ci --password-stdin r.example.org\n",
        ] {
            assert_eq!(said(text), 1, "{text}");
        }
        for text in [
            "printf '%s' \"$PASSWORD\" | docker login --password-stdin\n",
            "openssl rand -hex 24 | kubectl create secret generic a --from-file=password=/dev/stdin\n",
            "echo \"deploy:$(cat /run/secrets/p1)\" | chpasswd\n",
            "echo 'abc123' | tee a\n",
            "echo 'see chapter 12' >/etc/shop/password-help\n",
            "openssl rand -hex 20 | tee /etc/shop/password\n",
        ] {
            assert_eq!(said(text), 0, "{text}");
        }
    }
}
