//! Finds commands that replace all groups of a user where a step wants to add one.

use crate::check::error;
use crate::{POLICY, Unit};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for shell in unit.running() {
        for command in &shell.script.commands {
            if let Some(message) = replaced(&command.argv()) {
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
    (sets && !adds)
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
        ] {
            assert_eq!(split(line), None, "{line}");
        }
    }
}
