//! Finds Ansible's tasks whose failure is ignored, or whose mode of a file is not what its author meant.

use super::world_access::loose;
use crate::check::{error, task_documents, tasks};
use crate::{POLICY, Unit};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    if unit.context.check {
        return;
    }
    for file in &unit.files {
        let Some(documents) = task_documents(file) else { continue };
        for task in tasks(&documents, file) {
            let says = |key: &str, wanted: [&str; 2]| {
                let node = task.node.get(key)?;
                node.text().is_some_and(|text| wanted.contains(&text)).then_some(node.line)
            };
            let line = says("ignore_errors", ["true", "yes"])
                .or_else(|| says("failed_when", ["false", "no"]));
            if let Some(line) = line.filter(|_| task.node.get("register").is_none()) {
                let said =
                    "This task may fail, and nothing notices: let it fail, or register its result.";
                findings.push(error(POLICY, said).at(Some(&file.path), line));
            }
            let Some((_, given)) = task.module() else { continue };
            let Some(mode) = given.get("mode") else { continue };
            if let Some(said) = mode.text().and_then(|text| loose(text, None)) {
                findings.push(error(POLICY, said).at(Some(&file.path), mode.line));
            }
            let line = file.text.lines().nth(mode.line.saturating_sub(1)).unwrap_or_default();
            if line.split_once("mode:").is_some_and(|(_, value)| is_decimal(value.trim())) {
                let said = "Without quotes or a leading zero, this mode is a decimal number: \
                write \"0644\".";
                findings.push(error("ansible", said).at(Some(&file.path), mode.line));
            }
        }
    }
}

/// Whether an unquoted mode would be read as a decimal number.
fn is_decimal(value: &str) -> bool {
    value.len() == 3 && value.chars().all(|c| c.is_digit(8)) && !value.starts_with('0')
}
