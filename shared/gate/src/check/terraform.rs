//! Checks Terraform's files: whether they can be parsed, and whether the names in them exist.

mod asked;
mod calls;
mod each;
mod fields;
mod given;
mod pairs;
mod registry;
mod schema;
mod settings;

use super::error;
use crate::Unit;
use crate::hcl::{self, Parsed, label};
use domain::gate::Finding;
use hcl_edit::expr::{Expression, Traversal, TraversalOperator};
use hcl_edit::structure::Block;
use hcl_edit::visit::{Visit, visit_structure, visit_traversal};
use std::collections::{BTreeMap, BTreeSet};

const TOOL: &str = "terraform";

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let (own, unreadable) = hcl::parse(&unit.files);
    for file in unreadable {
        findings.push(error(TOOL, file.message).at(Some(&file.file.path), file.line));
    }
    let (all, broken) = hcl::parse(&unit.tree);
    if !broken.is_empty() {
        // Half of the declarations are unknown.
        return;
    }
    for parsed in own.iter().filter(|parsed| parsed.file.extension() == "tf") {
        let folder: Vec<&Parsed> = all
            .iter()
            .filter(|other| other.file.folder() == parsed.file.folder())
            .filter(|other| other.file.extension() == "tf")
            .collect();
        let declared = declared(&folder);
        unknown_names(parsed, &declared, findings);
        calls::examine(unit, parsed, &all, findings);
        fields::examine(parsed, &folder, findings);
        settings::examine(unit, parsed, &folder, findings);
        pairs::examine(unit, parsed, &folder, findings);
        each::examine(parsed, &folder, findings);
    }
    asked::examine(unit, &own, &all, findings);
    pairs::given(unit, findings);
    twice(&all, &own, findings);
}

/// Everything that the files of a folder declare: `var.x`, `local.x`, `module.x`, `data.a.b`, `a.b`.
fn declared(folder: &[&Parsed]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for parsed in folder {
        for (_, block) in parsed.blocks() {
            let (first, second) = (label(block, 0), label(block, 1));
            match block.ident.as_str() {
                "variable" => drop(names.insert(format!("var.{first}"))),
                "module" => drop(names.insert(format!("module.{first}"))),
                "resource" | "ephemeral" => drop(names.insert(format!("{first}.{second}"))),
                "data" => drop(names.insert(format!("data.{first}.{second}"))),
                // A check may have its own data source.
                "check" => names.extend(
                    block
                        .body
                        .get_blocks("data")
                        .map(|data| format!("data.{}.{}", label(data, 0), label(data, 1))),
                ),
                "locals" => names.extend(
                    block.body.attributes().map(|local| format!("local.{}", local.key.as_str())),
                ),
                _ => {}
            }
        }
    }
    names
}

/// The names in an expression that show what they refer to.
#[derive(Default)]
struct Names(BTreeSet<String>);

impl Visit for Names {
    fn visit_traversal(&mut self, node: &Traversal) {
        if let Expression::Variable(root) = &node.expr {
            let mut parts = vec![root.as_str().to_owned()];
            for operator in &node.operators {
                match operator.value() {
                    TraversalOperator::GetAttr(name) => parts.push(name.as_str().to_owned()),
                    _ => break,
                }
            }
            let count = match parts[0].as_str() {
                "data" => 3,
                _ => 2,
            };
            if parts.len() >= count {
                self.0.insert(parts[..count].join("."));
            }
        }
        visit_traversal(self, node);
    }
}

fn unknown_names(parsed: &Parsed, declared: &BTreeSet<String>, findings: &mut Vec<Finding>) {
    let mut names = Names::default();
    for structure in &parsed.body {
        // These name what was there before.
        let past = |block: &Block| ["moved", "removed"].contains(&block.ident.as_str());
        if !structure.as_block().is_some_and(past) {
            visit_structure(&mut names, structure);
        }
    }
    for name in names.0 {
        let root = name.split('.').next().unwrap_or_default();
        let what = match root {
            "var" => "variable",
            "local" => "local value",
            "module" => "module",
            "data" => "data source",
            _ if root.contains('_') && !is_bound(&parsed.file.text, root) => "resource",
            _ => continue,
        };
        if !declared.contains(&name) {
            let message =
                format!("`{name}` refers to a {what} that is declared nowhere in this folder.");
            findings.push(error(TOOL, message).at(Some(&parsed.file.path), parsed.line_of(&name)));
        }
    }
}

/// Whether a loop or a dynamic block defines this name.
fn is_bound(text: &str, name: &str) -> bool {
    [
        format!("for {name} in"),
        format!(", {name} in"),
        format!(",{name} in"),
        format!("for {name},"),
        format!("dynamic \"{name}\""),
        format!("iterator = {name}"),
        format!("ephemeral \"{name}\""),
    ]
    .iter()
    .any(|sign| text.contains(sign.as_str()))
}

/// Names that a folder declares twice.
fn twice(all: &[Parsed], own: &[Parsed], findings: &mut Vec<Finding>) {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for parsed in all.iter().filter(|parsed| parsed.file.extension() == "tf") {
        for (line, block) in parsed.blocks() {
            let kind = block.ident.as_str();
            if !["variable", "resource", "data", "output", "module"].contains(&kind) {
                continue;
            }
            let name = format!("{kind} {} {}", label(block, 0), label(block, 1));
            let key = format!("{} {name}", parsed.file.folder());
            let again = seen.insert(key, &parsed.file.path).is_some();
            if again && own.iter().any(|own| own.file.path == parsed.file.path) {
                let message = format!("The {} is declared twice in this folder.", name.trim());
                findings.push(error(TOOL, message).at(Some(&parsed.file.path), line));
            }
        }
    }
}
