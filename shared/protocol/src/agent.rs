//! The messages from a sandbox agent to the gateway.

use serde::{Deserialize, Serialize};

use crate::tools::Toolset;
use crate::{Answer, FilesAnswer, Outcome, Previewed, SavedPlan, StateAsk};

/// A message from a sandbox agent to the gateway.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum FromAgent {
    /// The first message of every connection, repeated until `welcome`: the agent's state, so that the gateway can
    /// catch up.
    #[serde(rename = "hello")]
    Hello {
        /// Grows with each hello: one that arrives after its successor is ignored.
        seq: u64,
        /// The version of this protocol that the agent speaks.
        version: u32,
        /// Names of the live terminals.
        terminals: Vec<String>,
        /// Ids of the runs whose results the agent sends again because the gateway has not recorded them yet.
        unrecorded: Vec<String>,
        /// Whether the agent takes [`ToAgent::Read`](crate::ToAgent::Read) and its kernel can confine a reader.
        #[serde(default)]
        reader: bool,
        /// Whether it takes [`ToAgent::Ask`](crate::ToAgent::Ask).
        #[serde(default)]
        answers: bool,
        /// Whether it can answer [`Question::LookUp`](crate::Question::LookUp).
        #[serde(default)]
        looks_up: bool,
        /// Whether it takes [`ToAgent::Preview`](crate::ToAgent::Preview).
        #[serde(default)]
        previews: bool,
        /// The image's list of its tools, if it has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tools: Option<Toolset>,
    },
    /// The agent has recorded the run and will execute it exactly once.
    #[serde(rename = "run.accepted")]
    RunAccepted {
        /// The run.
        run_id: String,
        /// The agent's count of its messages; it grows over connections and restarts.
        seq: u64,
    },
    /// A snapshot of a run's output so far; `tail` never repeats what `head` holds.
    #[serde(rename = "run.progress")]
    RunProgress {
        /// The run.
        run_id: String,
        /// The agent's count of its messages; it grows over connections and restarts.
        seq: u64,
        /// The beginning of the output.
        head: String,
        /// The latest output, after the head.
        tail: String,
        /// Size in bytes.
        bytes: u64,
    },
    /// The end of a run, repeated on each connection until `run.recorded`.
    #[serde(rename = "run.finished")]
    RunFinished(RunReport),
    /// Bytes `offset..next` of a terminal's stream, for one browser connection.
    #[serde(rename = "terminal.output")]
    TerminalOutput {
        /// The browser connection.
        connection: String,
        /// The terminal's name.
        terminal: String,
        /// The first byte.
        offset: u64,
        /// The byte after the last.
        next: u64,
        /// The text.
        data: String,
    },
    /// The terminal's shell has ended; attaching again starts a new one.
    #[serde(rename = "terminal.exited")]
    TerminalExited {
        /// The browser connection.
        connection: String,
        /// The terminal's name.
        terminal: String,
        /// The shell's exit code.
        exit_code: i32,
    },
    /// A part of a command that an agent types was not typed: the shell's prompt does not hold what came before it.
    #[serde(rename = "terminal.not_typed")]
    TerminalNotTyped {
        /// The browser connection.
        connection: String,
        /// The terminal's name.
        terminal: String,
        /// The whole command.
        command: String,
    },
    /// The agent has uploaded a zip of the workspace, or failed to; repeated until `workspace.recorded`.
    #[serde(rename = "workspace.uploaded")]
    WorkspaceUploaded {
        /// The id of the request.
        request_id: String,
        /// Size in bytes.
        bytes: u64,
        /// Why it failed; `None` if it succeeded.
        error: Option<String>,
        /// Size of the workspace; `None` before the agent has measured it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        workspace: Option<WorkspaceUse>,
    },
    /// The workspace now holds the content of a backup, or why it does not; repeated until `workspace.recorded`.
    #[serde(rename = "workspace.restored")]
    WorkspaceRestored {
        /// The id of the request.
        request_id: String,
        /// Size of the zip of the previous workspace, which has been uploaded to its address.
        bytes: Option<u64>,
        /// Why it failed; `None` if it succeeded.
        error: Option<String>,
    },
    /// The sandbox was asked to end and has something to save, so the agent waits for a `workspace.upload` or for
    /// `stop`.
    #[serde(rename = "leaving")]
    Leaving {
        /// The agent's count of its messages; it grows over connections and restarts.
        seq: u64,
    },
    /// An answer about files, for one browser connection.
    #[serde(rename = "files")]
    Files {
        /// The browser connection.
        connection: String,
        /// The answer.
        answer: FilesAnswer,
    },
    /// Answers [`ToAgent::Ask`](crate::ToAgent::Ask).
    #[serde(rename = "answered")]
    Answered {
        /// The id of the request.
        request_id: String,
        /// The answer.
        answer: Answer,
    },
    /// Answers [`ToAgent::Preview`](crate::ToAgent::Preview).
    #[serde(rename = "previewed")]
    Previewed {
        /// The id of the request.
        request_id: String,
        /// The answer.
        #[serde(flatten)]
        previewed: Previewed,
    },
    /// A request about Terraform's state, repeated until [`ToAgent::State`](crate::ToAgent::State).
    #[serde(rename = "state")]
    State {
        /// The id that the answer repeats.
        request_id: String,
        /// The state's name.
        name: String,
        /// The agent's count of such requests, the same in each repetition: a later request knows more.
        #[serde(default)]
        order: u64,
        /// The request.
        ask: StateAsk,
    },
    /// Sent every 30 s, so that the gateway notices a dead agent and the connection never looks idle.
    #[serde(rename = "heartbeat")]
    Heartbeat {
        /// The agent's count of its messages; it grows over connections and restarts.
        seq: u64,
        /// Seconds since the last run, look, keystroke or file request; `None` while one is in progress.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        idle_seconds: Option<u64>,
    },
    /// Sent every few seconds while browsers are connected, so that the gateway closes the connections whose access has
    /// ended, also those that are silent.
    #[serde(rename = "watched")]
    Watched,
}

/// How a run ended, and its results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunReport {
    /// The run.
    pub run_id: String,
    /// The agent's count of its messages; it grows over connections and restarts.
    pub seq: u64,
    /// The run's outcome.
    pub outcome: Outcome,
    /// The script's exit code; `None` if a signal ended it or the agent did not see its end.
    pub exit_code: Option<i32>,
    /// How long it ran, in milliseconds.
    pub duration_ms: u64,
    /// The first [`crate::OUTPUT_HEAD_BYTES`] of the output.
    pub head: String,
    /// The last [`crate::OUTPUT_TAIL_BYTES`] after the head; empty while the head holds everything.
    pub tail: String,
    /// Size of the whole output in bytes.
    pub bytes: u64,
    /// At most [`crate::LISTED_FILES`] files of the workspace, sorted by path.
    pub files: Vec<WorkspaceFile>,
    /// A public text about a failure outside the script.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The Terraform plan that it saved in [`crate::PLAN_FILE`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saved_plan: Option<Box<SavedPlan>>,
}

/// How the agent reads a script, and when the script succeeds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunKind {
    /// Like text typed at a prompt: the script succeeds if its last command does.
    #[default]
    Command,
    /// A proof alone: the first command that fails ends the script.
    Check,
    /// Work and its proof: like a proof, but the agent refuses a script that has none after [`crate::PROOF_LINE`].
    Step,
}

/// A file in the workspace: its path relative to the workspace and its size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkspaceFile {
    /// The path, relative to the workspace.
    pub path: String,
    /// Size in bytes.
    pub bytes: u64,
}

/// The size of a workspace and the most that a backup may hold. The agent stops counting beyond that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkspaceUse {
    /// Size in bytes.
    pub bytes: u64,
    /// Files, folders and links.
    pub files: u64,
    /// The most bytes that a backup may hold.
    pub max_bytes: u64,
    /// The most files, folders and links that a backup may hold.
    pub max_files: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_message_is_recognized_by_its_type() {
        let report = FromAgent::RunFinished(RunReport {
            run_id: "r1".into(),
            seq: 7,
            outcome: Outcome::TimedOut,
            exit_code: None,
            duration_ms: 12,
            head: "a".into(),
            tail: "a".into(),
            bytes: 1,
            files: vec![],
            detail: None,
            saved_plan: None,
        });
        let value = serde_json::to_value(&report).unwrap();
        assert_eq!(
            value,
            json!({"type":"run.finished","run_id":"r1","seq":7,"outcome":"timed_out","exit_code":null,
                   "duration_ms":12,"head":"a","tail":"a","bytes":1,"files":[]})
        );
        assert_eq!(serde_json::from_value::<FromAgent>(value).unwrap(), report);
    }
}
