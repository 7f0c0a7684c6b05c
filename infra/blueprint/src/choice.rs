//! A deployment with its values, and the line by which documents carry it from role to role.
//!
//! Every document ends in a line such as
//!
//! ```text
//! Blueprint: local-web-service · name orders · port 9090
//! ```
//!
//! which tells a person what was chosen, and spares the next role from guessing.

use std::collections::BTreeMap;

use crate::catalogue::{Blueprint, Step, Values};
use crate::reading::dialogue::Dialogue;
use crate::render;

const LINE_START: &str = "Blueprint:";
const SEPARATOR: &str = " · ";

/// A deployment and a value for each of its parameters.
#[derive(Clone)]
pub struct Choice {
    pub blueprint: &'static Blueprint,
    values: BTreeMap<&'static str, String>,
}

impl Choice {
    /// The values that were given, and defaults for the others.
    pub fn new(blueprint: &'static Blueprint, given: &BTreeMap<&'static str, String>) -> Choice {
        let values = blueprint.parameters.iter().map(|parameter| {
            let value = given.get(parameter.key).map_or(parameter.default, String::as_str);
            (parameter.key, value.to_string())
        });
        Choice { blueprint, values: values.collect() }
    }

    /// Reads a document's last line; documents by another hand are read as prose.
    pub fn from_document(document: &str) -> Option<Choice> {
        if let Some(choice) = document.lines().rev().find_map(Choice::from_line) {
            return Some(choice);
        }
        let mut dialogue = Dialogue::default();
        dialogue.hear(document);
        dialogue.choice()
    }

    fn from_line(line: &str) -> Option<Choice> {
        let line = line.trim_matches(|c: char| c.is_whitespace() || "*_`".contains(c));
        let mut fields = line.strip_prefix(LINE_START)?.split(SEPARATOR).map(str::trim);
        let blueprint = Blueprint::by_id(fields.next()?)?;
        let mut given = BTreeMap::new();
        for field in fields {
            let Some((key, value)) = field.split_once(' ') else { continue };
            let parameter = blueprint.parameters.iter().find(|parameter| parameter.key == key);
            // Documents pass through other hands: a value is let in by the same gate as a user's.
            if let Some(parameter) = parameter
                && let Some(value) = (parameter.accept)(value)
            {
                given.insert(parameter.key, value);
            }
        }
        Some(Choice::new(blueprint, &given))
    }

    /// The line for the end of a document.
    pub fn line(&self) -> String {
        let fields =
            self.blueprint.parameters.iter().map(|parameter| {
                format!("{SEPARATOR}{} {}", parameter.key, self.value(parameter.key))
            });
        format!("{LINE_START} {}{}", self.blueprint.id, fields.collect::<String>())
    }

    pub fn value(&self, key: &str) -> &str {
        self.values.get(key).map_or("", String::as_str)
    }

    pub fn values(&self) -> &BTreeMap<&'static str, String> {
        &self.values
    }

    /// A template with this choice's values.
    pub fn fill(&self, template: &str) -> String {
        render::fill(template, &self.placeholders())
    }

    /// The same with values that were found out since.
    pub fn fill_with(&self, template: &str, found: &Values) -> String {
        let mut values = self.placeholders();
        values.extend(found.clone());
        render::fill(template, &values)
    }

    /// A document: the template filled in, with the line at its end.
    pub fn document(&self, template: &str) -> String {
        format!("{}\n\n---\n\n{}\n", self.fill(template).trim_end(), self.line())
    }

    pub fn script(&self, step: &Step) -> String {
        render::script(self.blueprint, step, &self.placeholders())
    }

    /// What proves that the step's script did its work; empty for a check.
    pub fn proof(&self, step: &Step) -> String {
        self.fill(step.proof)
    }

    fn placeholders(&self) -> Values {
        let mut values: Values =
            self.values.iter().map(|(key, value)| (key.replace('-', "_"), value.clone())).collect();
        (self.blueprint.derive)(&mut values);
        let list = |steps: &[Step]| {
            let steps = steps.iter().zip(1..).map(|(step, number)| {
                format!("{number}. **{}.** {}", step.title, render::fill(step.summary, &values))
            });
            steps.collect::<Vec<_>>().join("\n")
        };
        let (steps, checks) = (list(self.blueprint.steps), list(self.blueprint.checks));
        values.extend([("steps".into(), steps), ("checks".into(), checks)]);
        values
    }
}
