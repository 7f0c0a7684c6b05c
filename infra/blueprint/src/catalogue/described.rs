//! The parts of the catalogue that are described in JSON: what they ask for, their steps and checks, the helper's
//! commands, and what their errors mean.
//!
//! A description is read once, when the model first needs it, and its texts are kept for as long as the program runs,
//! like those that are written in Rust.

use serde::{Deserialize, Deserializer};

use super::operations::{Command, Finding, Target};
use super::parameters::{Parameter, kinds};
use super::{Diagnosis, Step, folder};

/// A text that is kept.
#[derive(Clone, Copy, Debug)]
pub struct Text(pub &'static str);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
        String::deserialize(deserializer).map(|text| Text(text.leak()))
    }
}

/// A list that is kept.
pub fn kept<T, U>(items: Vec<T>, keep: impl Fn(T) -> U) -> &'static [U] {
    items.into_iter().map(keep).collect::<Vec<U>>().leak()
}

/// A value that is asked for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    key: Text,
    label: Text,
    question: Text,
    default: Text,
    asked: bool,
    /// The name of its readers, see [`kinds`].
    kind: String,
    /// The question in German, Spanish and French.
    #[serde(default)]
    pub translations: Option<[Text; 3]>,
    /// Words by which its reader finds the value.
    #[serde(default)]
    pub words: Option<Text>,
    /// Titles of steps that the value goes into, beside those of the playbook.
    #[serde(default)]
    pub steps: Vec<Text>,
    /// Titles of the checks that look at it.
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

    /// None where no reader has the name of its kind.
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

/// A step or a check: its files are named for it.
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

    /// With its files in `<folder>/<kind>/`.
    pub fn step(self, folder: &str, kind: &str) -> Step {
        self.of(&[folder.to_owned()], kind)
    }

    /// With each of its files in the first of the folders that has it.
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

/// A value that Terraform prints with its outputs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// The placeholder it fills.
    key: Text,
    /// What stands before it in the output.
    after: Text,
    /// What is written while it is not known.
    unknown: Text,
}

impl Output {
    pub fn finding(self) -> Finding {
        Finding { key: self.key.0, after: self.after.0, unknown: self.unknown.0 }
    }
}
