//! Finds servers at AWS that start without tokens for their metadata, from which a forged request could read credentials.

use crate::check::error;
use crate::{POLICY, Unit};
use domain::gate::Finding;

const FORGED: &str = "Without `--metadata-options HttpTokens=required`, a forged request from the \
server can read its credentials.";

/// Options with which the settings come from elsewhere.
const ELSEWHERE: [&str; 5] = [
    "--cli-input-json",
    "--cli-input-yaml",
    "--dry-run",
    "--launch-template",
    "--metadata-options",
];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    // A later command may require them, and an account may by default.
    let later = ["modify-instance-metadata-options", "modify-instance-metadata-defaults"];
    if unit.context.check || later.iter().any(|command| unit.text.contains(command)) {
        return;
    }
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            let argv = command.argv();
            let ["aws", rest @ ..] = argv.as_slice() else { continue };
            let starts = rest.windows(2).any(|two| two == ["ec2", "run-instances"]);
            let given = |word: &str| {
                word.starts_with('$') || ELSEWHERE.iter().any(|option| word.starts_with(option))
            };
            let mut options = rest.iter().skip_while(|word| **word != "run-instances");
            let elsewhere = options.any(|word| {
                // A variable alone may hold options; one after an option is its value.
                let value = word.starts_with('$') && rest_before(rest, word).starts_with("--");
                given(word) && !value
            });
            if starts && !elsewhere {
                let line = command.line + shell.offset;
                findings.push(error(POLICY, FORGED).at(shell.file.as_deref(), line));
            }
        }
    }
}

/// The word before another.
fn rest_before<'a>(words: &[&'a str], word: &str) -> &'a str {
    let at = words.iter().position(|other| *other == word).unwrap_or_default();
    at.checked_sub(1).and_then(|at| words.get(at)).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_server_starts_with_tokens_for_its_metadata() {
        let said = |text: &str| crate::testing::said(super::examine, text).len();
        assert_eq!(said("aws ec2 run-instances --image-id a --subnet-id \"$b\"\n"), 1);
        for text in [
            "aws ec2 run-instances --image-id a --metadata-options HttpTokens=required\n",
            "aws ec2 run-instances --launch-template LaunchTemplateName=a\n",
            "aws ec2 run-instances --image-id a \"${options[@]}\"\n",
            "id=$(aws ec2 run-instances --image-id a)\naws ec2 modify-instance-metadata-options --instance-id \"$id\" --http-tokens required\n",
        ] {
            assert_eq!(said(text), 0, "{text}");
        }
    }
}
