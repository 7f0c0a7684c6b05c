//! Finds commands that replace all groups of a user where a step wants to add one.

use crate::check::error;
use crate::{POLICY, Unit};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for shell in unit.running() {
        let commands = &shell.script.commands;
        for command in commands {
            let argv = command.argv();
            let Some(message) = replaced(&argv) else { continue };
            // A user whom the script creates has no other groups.
            let new = commands.iter().any(|it| {
                let of_user = ["adduser", "useradd"].contains(&it.program().unwrap_or_default());
                of_user && it.argv().last() == argv.last()
            });
            if !new {
                let line = command.line + shell.offset;
                findings.push(error(POLICY, message).at(shell.file.as_deref(), line));
            }
        }
    }
}

fn replaced(argv: &[&str]) -> Option<String> {
    let ["usermod", rest @ ..] = argv else { return None };
    let short = |word: &&str, letter: char| {
        word.starts_with('-') && !word.starts_with("--") && word.contains(letter)
    };
    let sets = rest.iter().any(|word| short(word, 'G') || word.starts_with("--groups"));
    let adds = rest.iter().any(|word| {
        short(word, 'a') || short(word, 'r') || ["--append", "--remove"].contains(word)
    });
    // Without a group, it locks the user out, as intended.
    (sets && !adds && !rest.iter().any(|word| word.is_empty()))
        .then(|| "This takes the user out of all other groups: add `--append`.".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_added_to_the_others() {
        let split = |line: &str| replaced(&line.split(' ').collect::<Vec<_>>());
        for line in ["usermod -G docker ci", "usermod --groups docker ci", "usermod -G a,b ci"] {
            assert!(split(line).is_some(), "{line}");
        }
        for line in [
            "usermod -aG docker ci",
            "usermod -a -G docker ci",
            "usermod --append --groups docker ci",
            "usermod -rG docker ci",
            "usermod -g docker ci",
            "usermod -G  ci",
        ] {
            assert_eq!(split(line), None, "{line}");
        }
        let said = |text: &str| crate::testing::said(examine, text).len();
        assert_eq!(said("useradd --create-home ci\nusermod -G docker,web ci\n"), 0);
        assert_eq!(said("useradd --create-home web\nusermod -G docker,web ci\n"), 1);
    }
}
