//! What a function asks a project's sandbox, and waits for within seconds.
//!
//! An inquiry changes nothing and has no credentials, so it needs no approval: the sandbox answers it as a reader. It is
//! not a run: it belongs to no step, is never repeated, and is worthless once the asking function has gone on.

use crate::gate::Checked;
use crate::manual::Topic;
use crate::read_only::Reach;
use serde::{Deserialize, Serialize};

/// How long a sandbox takes at most to answer, in seconds.
pub const ANSWER_SECONDS: u64 = 30;

/// The most that a look answers with, in bytes; the rest is left out.
pub const LOOK_BYTES: usize = 16 * 1024;

/// A question for a sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Question {
    /// What the sandbox's own tools find in a script and in the files that it writes.
    Check(Bench),
    /// What a command prints that only reads.
    Look {
        /// The command, as its shape was understood.
        command: String,
        /// What it needs beyond the workspace's files and the system's programs.
        #[serde(default)]
        reach: Reach,
    },
    /// A page of the documentation that it carries.
    LookUp {
        /// Subject of the page.
        topic: Topic,
        /// The first line of interest, from 0.
        #[serde(default)]
        from: usize,
    },
}

/// A script as it lies before the tools that check it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bench {
    /// The script, with its proof after the line that parts them.
    pub script: String,
    /// The files that it writes into the workspace.
    pub files: Vec<BenchFile>,
    /// The tools that apply.
    pub tools: Vec<BenchTool>,
}

/// A file as the script will write it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BenchFile {
    /// From the workspace on.
    pub path: String,
    /// What will be in it.
    pub text: String,
}

/// A tool and what it is to look at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BenchTool {
    /// As it is called in a verdict.
    pub name: String,
    /// Files, or folders with files of its kind, from the workspace on; empty for the script itself.
    pub places: Vec<String>,
}

/// The answer of a sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Answer {
    /// What its tools found.
    Checked(Checked),
    /// What the command printed, both streams in their order.
    Printed {
        /// Its beginning, at most [`LOOK_BYTES`].
        text: String,
        /// Whether there was more.
        cut: bool,
        /// Its exit code; none when it did not end in time.
        exit_code: Option<i32>,
    },
    /// Lines of documentation.
    Page {
        /// Whole lines, at most [`PAGE_BYTES`](crate::manual::PAGE_BYTES).
        text: String,
        /// The line that follows them, if there are more.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<usize>,
    },
    /// The sandbox carries no such documentation; a sentence that may quote what a tool said.
    NoPage {
        /// What it lacks.
        reason: String,
    },
    /// The sandbox did nothing, for this reason; a sentence for people.
    Refused {
        /// Reason for the refusal.
        reason: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_question_and_its_answer_are_told_apart_by_their_kind() {
        let look: Question =
            serde_json::from_value(json!({"kind": "look", "command": "ls"})).unwrap();
        assert_eq!(look, Question::Look { command: "ls".into(), reach: Reach::default() });
        let answer = Answer::Checked(Checked::default());
        let value = serde_json::to_value(&answer).unwrap();
        assert_eq!(
            value,
            json!({"kind": "checked", "checked": [], "findings": [], "not_checked": []})
        );
        assert_eq!(serde_json::from_value::<Answer>(value).unwrap(), answer);
    }
}
