//! Checks that the blocks of Jinja templates end, and that Jinja can read the expressions in templates and in Ansible's
//! files.

mod expressions;
mod parts;
mod tokens;

pub(super) use parts::without;

use super::names::between;
use super::{error, task_documents};
use crate::yaml::{self, Node};
use crate::{Unit, Written};
use domain::gate::Finding;
use expressions::statement;
use parts::{parts, unended};

const TOOL: &str = "ansible";

/// Settings after which a template has other signs.
const OWN_SIGNS: [&str; 2] = ["variable_start_string", "block_start_string"];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let usual = !unit.texts().any(|text| OWN_SIGNS.iter().any(|sign| text.contains(sign)));
    for file in &unit.files {
        let mut found = Vec::new();
        if file.extension() == "j2" {
            found = mistakes(file);
            if found.is_empty() && usual {
                found = unread(&file.filled(), 1);
            }
        } else if usual && !file.text.contains("!unsafe") {
            found = values(file);
        }
        for (line, message) in found {
            findings.push(error(TOOL, message).at(Some(&file.path), line));
        }
    }
}

/// Why Jinja cannot read an expression without braces, such as a condition of a task.
pub(super) fn condition(text: &str) -> Option<String> {
    let open = text.contains("{{") || text.contains("{%") || text.trim().is_empty();
    let why = expressions::mistake(text).filter(|_| !open)?;
    Some(format!("Jinja cannot read `{text}`: {why}."))
}

/// The parts of a template that Jinja cannot read, where its first line has this number.
fn unread(template: &str, first: usize) -> Vec<(usize, String)> {
    let wrong = parts(template).into_iter().filter_map(|part| {
        let text = part.text.trim();
        let (why, shown) = if part.statement {
            (statement(text)?, format!("{{% {text} %}}"))
        } else {
            (expressions::mistake(text)?, format!("{{{{ {text} }}}}"))
        };
        Some((part.line + first - 1, format!("Jinja cannot read `{shown}`: {why}.")))
    });
    let open =
        unended(template).map(|line| (line + first - 1, "This `{{` has no `}}`.".to_owned()));
    wrong.chain(open).collect()
}

/// What Jinja cannot read in the values of Ansible's files.
fn values(file: &Written) -> Vec<(usize, String)> {
    let folders = ["defaults", "group_vars", "host_vars", "vars"];
    let variables =
        crate::places::is_yaml(file) && file.path.split('/').any(|part| folders.contains(&part));
    let documents = if variables {
        yaml::documents(&file.filled()).unwrap_or_default()
    } else {
        task_documents(file).unwrap_or_default()
    };
    let nodes = documents.iter().flat_map(Node::all);
    let texts = nodes.filter_map(|node| Some((node.line, node.text()?)));
    texts.flat_map(|(line, text)| unread(text, line)).collect()
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
                        "This `{word}` follows the `{begun}` of line {from}, which is not closed."
                    );
                    found.push((*line, message));
                    return found;
                }
                None => found.push((*line, format!("This `{word}` closes nothing."))),
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
