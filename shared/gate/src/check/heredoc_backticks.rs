//! Finds backticks in here-documents that bash expands: it runs what is between them.

use super::{FILES, error};
use crate::Unit;
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for shell in &unit.shells {
        for heredoc in shell.script.heredocs.iter().filter(|heredoc| heredoc.expands) {
            for (at, line) in heredoc.text.lines().enumerate() {
                let plain = line.replace("\\`", "");
                // `Host(`$DOMAIN`)`: a command does not begin with a name's value or end with a point.
                let runs = plain.split('`').skip(1).step_by(2).next();
                let odd =
                    |text: &str| text.starts_with('$') || text.contains('.') && !text.contains(' ');
                if runs.is_some_and(odd) {
                    let message = "bash runs what is between these backticks: put a backslash \
                    before each, or quote the word after `<<`.";
                    let line = heredoc.line + at + shell.offset;
                    findings.push(error(FILES, message).at(shell.file.as_deref(), line));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn backticks_of_another_language_are_escaped() {
        let said = |text: &str| crate::testing::said(super::examine, text).len();
        for (text, count) in [
            ("cat >a.yaml <<E\nrule: Host(`$DOMAIN`)\nE\n", 1),
            ("cat >a.yaml <<E\nrule: Host(`shop.example.org`)\nE\n", 1),
            ("cat >a.yaml <<E\nrule: Host(\\`$DOMAIN\\`)\nE\n", 0),
            ("cat >a.yaml <<'E'\nrule: Host(`$DOMAIN`)\nE\n", 0),
            ("cat >a.txt <<E\nmade on `date -u`\nE\n", 0),
        ] {
            assert_eq!(said(text), count, "{text}");
        }
    }
}
