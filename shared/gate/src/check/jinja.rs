//! Checks that the blocks of Jinja templates end.

use super::error;
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
const BLOCKS: [&str; 8] = ["autoescape", "block", "call", "filter", "for", "if", "macro", "with"];

fn mistakes(file: &Written) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut open: Vec<(usize, &str)> = Vec::new();
    let mut rest = file.text.as_str();
    let mut line = 1;
    while let Some(at) = rest.find("{%") {
        line += rest[..at].matches('\n').count();
        rest = &rest[at + 2..];
        let Some(end) = rest.find("%}") else {
            found.push((line, "This `{%` has no `%}`.".to_owned()));
            break;
        };
        let statement = rest[..end].trim_matches(['-', '+', ' ', '\n', '\t']);
        let word = statement.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        if word == "raw" {
            let Some(end) = rest.find("endraw") else {
                found.push((line, "This `raw` has no `endraw`.".to_owned()));
                break;
            };
            line += rest[..end].matches('\n').count();
            rest = &rest[end..];
            continue;
        }
        if BLOCKS.contains(&word) || (word == "set" && !statement.contains('=')) {
            open.push((line, word));
        } else if let Some(name) = word.strip_prefix("end").filter(|name| !name.is_empty()) {
            match open.pop() {
                Some((_, begun)) if begun == name => {}
                Some((from, begun)) => {
                    found.push((
                        line,
                        format!(
                            "This `{word}` follows the `{begun}` of line {from}, which has no end."
                        ),
                    ));
                    return found;
                }
                None => found.push((line, format!("This `{word}` has no beginning."))),
            }
        }
        line += rest[..end].matches('\n').count();
        rest = &rest[end..];
    }
    found.extend(
        open.iter().map(|(line, word)| (*line, format!("This `{word}` has no `end{word}`."))),
    );
    found
}
