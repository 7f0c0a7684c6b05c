//! Checks that the blocks of Jinja templates end.

use super::error;
use super::names::between;
use crate::{Unit, Written};
use domain::gate::Finding;

const TOOL: &str = "ansible";

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.files.iter().filter(|file| file.extension() == "j2") {
        for (line, message) in mistakes(file) {
            findings.push(error(TOOL, message).at(Some(&file.path), line));
        }
    }
}

/// Statements with an end.
const BLOCKS: [&str; 9] =
    ["autoescape", "block", "call", "filter", "for", "if", "macro", "raw", "with"];

fn mistakes(file: &Written) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut open: Vec<(usize, &str)> = Vec::new();
    let statements = between(&file.text, "{%", "%}");
    for (line, statement) in &statements {
        let statement = statement.trim_matches(['-', '+', ' ', '\n', '\t']);
        let word = statement.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        // Between `raw` and `endraw`, nothing is a statement.
        if open.last().is_some_and(|(_, begun)| *begun == "raw") && word != "endraw" {
            continue;
        }
        if BLOCKS.contains(&word) || (word == "set" && !statement.contains('=')) {
            open.push((*line, word));
        } else if let Some(name) = word.strip_prefix("end").filter(|name| !name.is_empty()) {
            match open.pop() {
                Some((_, begun)) if begun == name => {}
                Some((from, begun)) => {
                    let message = format!(
                        "This `{word}` follows the `{begun}` of line {from}, which has no end."
                    );
                    found.push((*line, message));
                    return found;
                }
                None => found.push((*line, format!("This `{word}` has no beginning."))),
            }
        }
    }
    let unended = file.text.rfind("{%") > file.text.rfind("%}");
    if let Some((line, _)) = statements.last().filter(|_| unended) {
        found.push((*line, "This `{%` has no `%}`.".to_owned()));
    }
    found.extend(
        open.iter().map(|(line, word)| (*line, format!("This `{word}` has no `end{word}`."))),
    );
    found
}
