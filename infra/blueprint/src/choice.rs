//! A deployment with its values, and the line that carries it through the documents from role to role.
//!
//! Every document ends in a line such as
//!
//! ```text
//! Blueprint: local-web-service · name orders · port 9090
//! ```
//!
//! The line shows a person what was chosen, and the next role reads the choice from it.

use std::collections::BTreeMap;

use crate::catalogue::additions::{self, Addition};
use crate::catalogue::covers::{self, Cover};
use crate::catalogue::operations::Command;
use crate::catalogue::parameters::Parameter;
use crate::catalogue::{Blueprint, Diagnosis, Step, Values, translations, versions};
use crate::reading::answers;
use crate::reading::dialogue::Dialogue;
use crate::render;
use crate::words::Words;
use crate::words::language::Language;

const LINE_START: &str = "Blueprint:";
const SEPARATOR: &str = " · ";

/// A deployment and a value for each of its parameters.
#[derive(Clone)]
pub struct Choice {
    pub blueprint: &'static Blueprint,
    values: BTreeMap<&'static str, String>,
}

impl Choice {
    /// A choice with the given values, and with defaults for the others.
    pub fn new(blueprint: &'static Blueprint, given: &BTreeMap<&'static str, String>) -> Choice {
        let values = blueprint.parameters_with(given).map(|parameter| {
            let value = given.get(parameter.key).map_or(parameter.default, String::as_str);
            (parameter.key, value.to_string())
        });
        Choice { blueprint, values: values.collect() }
    }

    /// Reads a document's last line. A document without the line is read as prose.
    pub fn from_document(document: &str) -> Option<Choice> {
        if let Some(choice) = document.lines().rev().find_map(Choice::from_line) {
            return Some(choice);
        }
        let mut dialogue = Dialogue::default();
        dialogue.read(document);
        dialogue.choice()
    }

    fn from_line(line: &str) -> Option<Choice> {
        let line = line.trim_matches(|c: char| c.is_whitespace() || "*_`".contains(c));
        let mut fields = line.strip_prefix(LINE_START)?.split(SEPARATOR).map(str::trim);
        let blueprint = Blueprint::by_id(fields.next()?)?;
        let mut given = BTreeMap::new();
        for field in fields {
            let Some((key, value)) = field.split_once(' ') else { continue };
            let parameter = blueprint.all_parameters().find(|parameter| parameter.key == key);
            // Anyone may have edited the document, so each value is checked like a user's.
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
        let fields = self
            .parameters()
            .map(|parameter| format!("{SEPARATOR}{} {}", parameter.key, self.value(parameter.key)));
        format!("{LINE_START} {}{}", self.blueprint.id, fields.collect::<String>())
    }

    /// The parameters of the deployment and its additions.
    pub fn parameters(&self) -> impl Iterator<Item = &'static Parameter> + use<> {
        self.blueprint.parameters_with(&self.values)
    }

    /// The additions to the deployment.
    pub fn additions(&self) -> impl Iterator<Item = &'static Addition> + use<> {
        let takes = self.blueprint.takes_additions();
        additions::chosen(&self.values).filter(|_| takes).collect::<Vec<_>>().into_iter()
    }

    /// The features of the deployment and its additions.
    pub fn covers(&self) -> Vec<Cover> {
        covers::of(self.blueprint, &self.additions().collect::<Vec<_>>())
    }

    /// The steps that build the deployment and its additions.
    pub fn steps(&self) -> Vec<&'static Step> {
        let added = self.additions().flat_map(|addition| addition.steps);
        self.blueprint.steps.iter().chain(added).collect()
    }

    /// Every step that can be in a plan of this deployment or of a change to it.
    pub fn possible_steps(&self) -> Vec<&'static Step> {
        let additions = additions::all().filter(|_| self.blueprint.takes_additions());
        let more = additions.flat_map(|addition| addition.steps.iter().chain(addition.removal));
        self.blueprint.steps.iter().chain(more).collect()
    }

    pub fn checks(&self) -> Vec<&'static Step> {
        let added = self.additions().flat_map(|addition| addition.checks);
        self.blueprint.checks.iter().chain(added).collect()
    }

    /// The helper's commands, those of additions first.
    pub fn commands(&self) -> Vec<&'static Command> {
        let own = self.blueprint.commands.iter().copied().flatten();
        self.additions().flat_map(|addition| addition.commands).chain(own).collect()
    }

    pub fn diagnoses(&self) -> impl Iterator<Item = &'static Diagnosis> + use<> {
        let own = self.blueprint.diagnoses.iter().copied().flatten();
        additions::all().flat_map(|addition| addition.diagnoses).chain(own)
    }

    /// JSON objects that make up the configuration data.
    pub fn facts(&self) -> impl Iterator<Item = &'static str> + use<> {
        let added = self.additions().map(|addition| addition.document("facts.json"));
        self.blueprint.facts.iter().copied().chain(added)
    }

    /// A document's template, with the additions' sections.
    pub fn with_additions(&self, template: &str, name: &str) -> String {
        let added = self.additions().map(|addition| addition.document(name).trim_end());
        std::iter::once(template.trim_end()).chain(added).collect::<Vec<_>>().join("\n\n")
    }

    /// Answers a question about the deployment.
    pub fn answer(&self, question: &Words) -> Option<String> {
        let answers = self.with_additions(self.blueprint.answers, "answers.md");
        answers::find(&answers, question).map(|answer| self.fill(answer))
    }

    /// What the user should know before confirming; may be empty.
    pub fn before_confirming(&self, language: Language) -> String {
        let in_it = |id: &str, english: &'static str| {
            translations::before_confirming(id, language).unwrap_or(english)
        };
        let added = self.additions().map(|one| in_it(one.id, one.before_confirming));
        let own = in_it(self.blueprint.id, self.blueprint.before_confirming);
        let parts = std::iter::once(own).chain(added);
        parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// Whether the choice has a parameter with this key.
    pub fn has(&self, key: &str) -> bool {
        self.values.contains_key(key)
    }

    pub fn value(&self, key: &str) -> &str {
        self.values.get(key).map_or("", String::as_str)
    }

    pub fn values(&self) -> &BTreeMap<&'static str, String> {
        &self.values
    }

    /// A template filled in with this choice's values.
    pub fn fill(&self, template: &str) -> String {
        render::fill(template, &self.placeholders())
    }

    /// Like [`fill`](Self::fill), with further values that are known only after the execution.
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

    /// The script that proves that the step did its work; empty for a check.
    pub fn proof(&self, step: &Step) -> String {
        self.fill(step.proof)
    }

    fn placeholders(&self) -> Values {
        let key = |key: &str| key.replace('-', "_");
        // The steps that remove an addition use its values as well.
        let defaults = self.blueprint.all_parameters().map(|p| (key(p.key), p.default.to_string()));
        let mut values: Values = defaults.collect();
        values.extend(self.values.iter().map(|(name, value)| (key(name), value.clone())));
        values.extend(versions::placeholders());
        (self.blueprint.derive)(&mut values);
        let list = |steps: &[&Step]| {
            let steps = steps.iter().zip(1..).map(|(step, number)| {
                format!("{number}. **{}.** {}", step.title, render::fill(step.summary, &values))
            });
            steps.collect::<Vec<_>>().join("\n")
        };
        let (steps, checks) = (self.steps(), self.checks());
        let texts = [
            ("steps", list(&steps)),
            ("checks", list(&checks)),
            ("step_count", render::number(steps.len())),
        ];
        values.extend(texts.map(|(key, text)| (key.to_string(), text)));
        values
    }
}
