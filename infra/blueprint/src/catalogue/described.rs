//! The parts of the catalogue that are described in JSON: questions, steps and checks, the helper's commands, and the
//! meaning of errors.
//!
//! The model reads a description when it first needs it. The texts live as long as the program, like those written in
//! Rust.

use serde::{Deserialize, Deserializer};

use super::operations::{Command, Finding, Target};
use super::parameters::{Parameter, kinds};
use super::{Diagnosis, Step, folder};

/// A text that lives as long as the program.
#[derive(Clone, Copy, Debug)]
pub struct Text(pub &'static str);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
        String::deserialize(deserializer).map(|text| Text(text.leak()))
    }
}

/// Makes a list that lives as long as the program.
pub fn kept<T, U>(items: Vec<T>, keep: impl Fn(T) -> U) -> &'static [U] {
    items.into_iter().map(keep).collect::<Vec<U>>().leak()
}

/// A question for a value.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    key: Text,
    label: Text,
    question: Text,
    default: Text,
    asked: bool,
    /// The name of its readers; see [`kinds`].
    kind: String,
    /// The question in German, Spanish and French.
    #[serde(default)]
    pub translations: Option<[Text; 3]>,
    /// Words by which its reader finds the value.
    #[serde(default)]
    pub words: Option<Text>,
    /// Titles of steps that use the value, in addition to those of the playbook.
    #[serde(default)]
    pub steps: Vec<Text>,
    /// Titles of the checks that test the value.
    #[serde(default)]
    pub checks: Vec<Text>,
}

impl Question {
    pub fn key(&self) -> &'static str {
        self.key.0
    }

    #[cfg(test)]
    pub fn kind(&self) -> &str {
        &self.kind
    }

    #[cfg(test)]
    pub fn default(&self) -> &'static str {
        self.default.0
    }

    /// The parameter; `None` if no reader has the name of its kind.
    pub fn parameter(self) -> Option<Parameter> {
        let (accept, find) = kinds::by_name(&self.kind)?;
        Some(Parameter {
            key: self.key.0,
            label: self.label.0,
            question: self.question.0,
            default: self.default.0,
            asked: self.asked,
            accept,
            find,
        })
    }
}

/// A step or a check; its files are named after it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Titled {
    name: String,
    title: Text,
    summary: Text,
}

impl Titled {
    #[cfg(test)]
    pub fn name(&self) -> &str {
        &self.name
    }

    #[cfg(test)]
    pub fn title(&self) -> &'static str {
        self.title.0
    }

    /// The step with its files from `<folder>/<kind>/`.
    pub fn step(self, folder: &str, kind: &str) -> Step {
        self.of(&[folder.to_owned()], kind)
    }

    /// The step with each of its files from the first folder that has it.
    pub fn of(self, folders: &[String], kind: &str) -> Step {
        let file = |end: &str| {
            let path = |folder: &String| format!("{folder}/{kind}/{}.{end}", self.name);
            let mut texts = folders.iter().map(|folder| folder::text(&path(folder)));
            texts.find(|text| !text.is_empty()).unwrap_or_default()
        };
        Step {
            title: self.title.0,
            summary: self.summary.0,
            prompt: file("md"),
            script: file("sh"),
            proof: file("proof.sh"),
        }
    }
}

/// A command of the DevOps helper.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Operation {
    cues: Vec<Text>,
    target: Place,
    command: Text,
    reason: Text,
    changes: bool,
    readings: Vec<(Text, Text)>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Place {
    Sandbox,
    Server,
}

impl Operation {
    pub fn command(self) -> Command {
        Command {
            cues: kept(self.cues, |text| text.0),
            target: match self.target {
                Place::Sandbox => Target::Sandbox,
                Place::Server => Target::Server,
            },
            command: self.command.0,
            reason: self.reason.0,
            changes: self.changes,
            readings: kept(self.readings, |(sign, meaning)| (sign.0, meaning.0)),
        }
    }
}

/// What an error means.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sign {
    sign: Text,
    meaning: Text,
}

impl Sign {
    pub fn diagnosis(self) -> Diagnosis {
        Diagnosis { sign: self.sign.0, meaning: self.meaning.0, redo: None }
    }
}

/// A value from Terraform's outputs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// The placeholder that the value fills.
    key: Text,
    /// The text before the value in the output.
    after: Text,
    /// The text to show until the value is known.
    unknown: Text,
}

impl Output {
    pub fn finding(self) -> Finding {
        Finding { key: self.key.0, after: self.after.0, unknown: self.unknown.0 }
    }
}
