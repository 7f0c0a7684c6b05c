//! Finds tests of the shell whose closing bracket is a part of their last word: `[ -d "$folder"]`.

use super::{FILES, error};
use crate::Unit;
use crate::bash::Command;
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            if let Some(word) = open(command) {
                let message =
                    format!("This `[` is not closed: put a space before the `]` of `{word}`.");
                let line = command.line + shell.offset;
                findings.push(error(FILES, message).at(shell.file.as_deref(), line));
            }
        }
    }
}

/// The last word of a test without its own closing bracket.
fn open(command: &Command) -> Option<&str> {
    let argv = command.argv();
    let ["[", .., last] = argv.as_slice() else { return None };
    let word =
        command.words.iter().rev().map(|word| word.text.as_str()).find(|word| word == last)?;
    (word.len() > 1 && word.ends_with(']') && !word.contains('[')).then_some(word)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_test_ends_with_a_word_of_its_own() {
        let said = |text: &str| crate::testing::said(super::examine, text).len();
        for (text, count) in [
            ("if [ ! -d \"/etc/a/$b\"]; then :; fi", 1),
            ("[ -s a] || exit 1", 1),
            ("cat >a.sh <<'E'\n#!/bin/sh\n[ \"$1\" = a]\nE\n", 1),
            ("if [ ! -d \"/etc/a/$b\" ]; then :; fi", 0),
            ("[ \"${a[1]}\" = b ]", 0),
            ("[[ $a == [a-z] ]]", 0),
        ] {
            assert_eq!(said(text), count, "{text}");
        }
    }
}
