//! Questions that a function asks a project's sandbox, and whose answers it gets within seconds.
//!
//! An inquiry changes nothing and has no credentials, so it needs no approval: the sandbox answers it as a reader.
//! Unlike a run, it belongs to no step and is never repeated, and its answer is useless once the function has stopped
//! waiting.

use crate::gate::Checked;
use crate::manual::Topic;
use read_only::Reach;
use serde::{Deserialize, Serialize};

/// The longest that a sandbox takes to answer, in seconds.
pub const ANSWER_SECONDS: u64 = 30;

/// The most bytes in the answer to a look; the rest is left out.
pub const LOOK_BYTES: usize = 16 * 1024;

/// A question for a sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Question {
    /// Ask for the findings of the sandbox's own tools in a script and in the files that it writes.
    Check(Bench),
    /// Ask for the output of a command that only reads.
    Look {
        /// The command, as Groundcrew understood its shape.
        command: String,
        /// What the command needs beyond the workspace's files and the system's programs.
        #[serde(default)]
        reach: Reach,
    },
    /// Ask for a page of the documentation in the sandbox.
    LookUp {
        /// The subject of the page.
        topic: Topic,
        /// The first line of interest, from 0.
        #[serde(default)]
        from: usize,
    },
}

/// A script and its files, as the checking tools see them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bench {
    /// The script, with its proof after the separating line.
    pub script: String,
    /// The files that it writes into the workspace.
    pub files: Vec<BenchFile>,
    /// The tools that apply to the script.
    pub tools: Vec<BenchTool>,
}

/// A file as the script will write it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BenchFile {
    /// The path from the workspace on.
    pub path: String,
    /// The content that the script will write.
    pub text: String,
}

/// A tool and the files that it checks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BenchTool {
    /// The tool's name in a verdict.
    pub name: String,
    /// Files, or folders with files of the tool's kind, from the workspace on; empty for the script itself.
    pub places: Vec<String>,
}

/// The answer of a sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Answer {
    /// What the sandbox's tools found.
    Checked(Checked),
    /// What the command printed, with both streams in order.
    Printed {
        /// The beginning of the output, at most [`LOOK_BYTES`].
        text: String,
        /// Whether the command printed more.
        cut: bool,
        /// The exit code; none if the command did not end in time.
        exit_code: Option<i32>,
    },
    /// Lines of documentation.
    Page {
        /// Whole lines, at most [`PAGE_BYTES`](crate::manual::PAGE_BYTES).
        text: String,
        /// The number of the line after them, if there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<usize>,
    },
    /// The sandbox has no such documentation.
    NoPage {
        /// The reason: a sentence that may quote what a tool said.
        reason: String,
    },
    /// The sandbox refused the question.
    Refused {
        /// The reason, as a sentence for people.
        reason: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn questions_and_answers_are_recognized_by_their_kind() {
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
