//! The messages between the gateway and a sandbox agent.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::tools::Toolset;
use crate::{Answer, FilesAnswer, FilesRequest, Inquiry, Outcome, Reach};

/// A message from a sandbox agent to the gateway.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum FromAgent {
    /// The first message of every connection: the agent's state, so that the gateway can catch up.
    #[serde(rename = "hello")]
    Hello {
        seq: u64,
        version: u32,
        /// Names of the live terminals.
        terminals: Vec<String>,
        /// Ids of the runs whose results the agent sends again because the gateway has not recorded them yet.
        unrecorded: Vec<String>,
        /// Whether the agent takes [`ToAgent::Read`] and its kernel can confine a reader.
        #[serde(default)]
        reader: bool,
        /// Whether it takes [`ToAgent::Ask`].
        #[serde(default)]
        answers: bool,
        /// The image's list of its tools, if it has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tools: Option<Toolset>,
    },
    /// The agent has written the run down and will execute it exactly once.
    #[serde(rename = "run.accepted")]
    RunAccepted { run_id: String, seq: u64 },
    /// A snapshot of a run's output so far; `tail` never repeats what `head` holds.
    #[serde(rename = "run.progress")]
    RunProgress { run_id: String, seq: u64, head: String, tail: String, bytes: u64 },
    /// The end of a run, repeated on each connection until `run.recorded`.
    #[serde(rename = "run.finished")]
    RunFinished(RunReport),
    /// Bytes `offset..next` of a terminal's stream, for one browser connection.
    #[serde(rename = "terminal.output")]
    TerminalOutput { connection: String, terminal: String, offset: u64, next: u64, data: String },
    /// The terminal's shell has ended; attaching again starts a new one.
    #[serde(rename = "terminal.exited")]
    TerminalExited { connection: String, terminal: String, exit_code: i32 },
    /// The agent has put a zip of the workspace to the requested address, or failed to.
    #[serde(rename = "workspace.uploaded")]
    WorkspaceUploaded {
        request_id: String,
        bytes: u64,
        error: Option<String>,
        /// Size of the workspace; `None` before the agent has measured it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        workspace: Option<WorkspaceUse>,
    },
    /// The workspace now holds the content of a backup, or the reason why it does not.
    #[serde(rename = "workspace.restored")]
    WorkspaceRestored {
        request_id: String,
        /// Size of the zip of the previous workspace, which is at its address by now.
        bytes: Option<u64>,
        error: Option<String>,
    },
    /// The sandbox was asked to end and has something to save: it waits for a `workspace.upload`, or for `stop`.
    #[serde(rename = "leaving")]
    Leaving { seq: u64 },
    /// An answer about files, for one browser connection.
    #[serde(rename = "files")]
    Files { connection: String, answer: FilesAnswer },
    /// Answers [`ToAgent::Ask`].
    #[serde(rename = "answered")]
    Answered { request_id: String, answer: Answer },
    /// Sent every 30 s, so that a silent death is noticed and the connection never looks idle.
    #[serde(rename = "heartbeat")]
    Heartbeat {
        seq: u64,
        /// Seconds since the last run, look, keystroke or file request; `None` while something goes on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        idle_seconds: Option<u64>,
    },
}

/// How a run ended, and what it left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunReport {
    pub run_id: String,
    pub seq: u64,
    pub outcome: Outcome,
    /// The script's exit code; `None` if a signal ended it or the agent did not see its end.
    pub exit_code: Option<i32>,
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
}

/// How the agent reads a script, and when the script succeeds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunKind {
    /// As typed at a prompt: succeeds if its last command does.
    #[default]
    Command,
    /// A proof alone: the first command that fails ends it.
    Check,
    /// The same; a script without a proof after [`crate::PROOF_LINE`] is refused.
    Step,
}

/// A file in the workspace: its path relative to the workspace and its size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkspaceFile {
    pub path: String,
    pub bytes: u64,
}

/// The size of a workspace and the most that a backup may hold. Counting stops beyond that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkspaceUse {
    pub bytes: u64,
    /// Files, folders and links.
    pub files: u64,
    pub max_bytes: u64,
    pub max_files: u64,
}

/// A message from the gateway to a sandbox agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum ToAgent {
    /// Answers `hello`: the single-use token for the next connection, and a backup to restore before any run.
    #[serde(rename = "welcome")]
    Welcome {
        next_token: String,
        #[serde(default)]
        restore_url: Option<String>,
    },
    /// Execute a script once, however often this message arrives.
    #[serde(rename = "run")]
    Run(RunOrder),
    /// Execute once, as a reader, a command that runs without approval. This is a separate message, so that an older
    /// agent drops it instead of running the command like an approved one.
    #[serde(rename = "read")]
    Read(ReadOrder),
    /// Answer soon, as a reader, or not at all: the asking function waits only for seconds.
    #[serde(rename = "ask")]
    Ask(Inquiry),
    #[serde(rename = "run.cancel")]
    RunCancel { run_id: String },
    /// The result of the run is recorded; the agent need not repeat it.
    #[serde(rename = "run.recorded")]
    RunRecorded { run_id: String },
    /// Show a terminal to a browser connection from `offset` on; starts the shell if none runs.
    #[serde(rename = "terminal.attach")]
    TerminalAttach {
        connection: String,
        #[serde(default = "crate::main_terminal")]
        terminal: String,
        #[serde(default)]
        offset: u64,
        rows: u16,
        cols: u16,
    },
    /// Keys for a terminal; without `seq` they are the connection's next.
    #[serde(rename = "terminal.input")]
    TerminalInput {
        connection: String,
        #[serde(default = "crate::main_terminal")]
        terminal: String,
        #[serde(default)]
        seq: Option<u64>,
        data: String,
        /// Enter follows if the shell's prompt holds exactly this text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        run_typed: Option<String>,
    },
    #[serde(rename = "terminal.resize")]
    TerminalResize {
        connection: String,
        #[serde(default = "crate::main_terminal")]
        terminal: String,
        rows: u16,
        cols: u16,
    },
    /// The browser connection has drawn everything before byte `offset`.
    #[serde(rename = "terminal.shown")]
    TerminalShown {
        connection: String,
        #[serde(default = "crate::main_terminal")]
        terminal: String,
        offset: u64,
    },
    /// The browser connection is gone.
    #[serde(rename = "terminal.detach")]
    TerminalDetach { connection: String },
    /// A browser connection's request about files of the workspace.
    #[serde(rename = "files")]
    Files { connection: String, request: FilesRequest },
    /// Zip the workspace and put it to a presigned address.
    #[serde(rename = "workspace.upload")]
    WorkspaceUpload(Backup),
    /// Replace the workspace with the content of a backup.
    #[serde(rename = "workspace.restore")]
    WorkspaceRestore(RestoreOrder),
    /// Only for an agent of the warm pool, which then dials again as that project's agent.
    #[serde(rename = "assign")]
    Assign(Assignment),
    /// End runs and terminals, then exit.
    #[serde(rename = "stop")]
    Stop,
}

/// The project whose sandbox an agent of the warm pool becomes.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assignment {
    /// `user_{installation}_{project}`
    pub user: String,
    /// Single-use token of its first connection as the project's agent.
    pub token: String,
}

/// Shows no token.
impl fmt::Debug for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Assignment").field("user", &self.user).finish_non_exhaustive()
    }
}

/// The gateway's order to run a script.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunOrder {
    pub run_id: String,
    /// The approved script, for `bash`; its proof follows after [`crate::PROOF_LINE`].
    pub script: String,
    #[serde(default)]
    pub kind: RunKind,
    /// Lower-case hex SHA-256 of `script`, as approved.
    pub sha256: String,
    pub deadline_ms: u64,
    /// Credentials for this run only.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Other values that the output must hide: all other credentials of the project, which the command never
    /// receives.
    #[serde(default)]
    pub hidden: Vec<String>,
    /// Presigned PUT for the whole output.
    #[serde(default)]
    pub log_url: Option<String>,
    /// Asks for a backup of the workspace once the run is over.
    #[serde(default)]
    pub backup: Option<Backup>,
}

/// Shows names only: values are credentials and addresses are signed.
impl fmt::Debug for RunOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunOrder")
            .field("run_id", &self.run_id)
            .field("sha256", &self.sha256)
            .field("deadline_ms", &self.deadline_ms)
            .field("env", &self.env.keys().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

/// The gateway's order to run a command that only reads, without credentials and without a backup.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadOrder {
    pub run_id: String,
    /// The command, for `bash -c`.
    pub script: String,
    /// Lower-case hex SHA-256 of `script`.
    pub sha256: String,
    pub deadline_ms: u64,
    /// The command's needs beyond the workspace's files and the system's programs.
    #[serde(default)]
    pub reach: Reach,
    /// Values that the output must hide: all credentials of the project, which the command never receives.
    #[serde(default)]
    pub hidden: Vec<String>,
    /// Presigned PUT for the whole output.
    #[serde(default)]
    pub log_url: Option<String>,
}

/// Shows no credential and no signed address.
impl fmt::Debug for ReadOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadOrder")
            .field("run_id", &self.run_id)
            .field("sha256", &self.sha256)
            .field("deadline_ms", &self.deadline_ms)
            .field("reach", &self.reach)
            .finish_non_exhaustive()
    }
}

/// The address for a zip of the workspace, and the id under which the agent reports the upload.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Backup {
    pub request_id: String,
    pub url: String,
}

/// A restore: no command runs during it, and the current workspace is backed up first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RestoreOrder {
    pub request_id: String,
    /// Where the backup of the current workspace goes.
    pub before: Backup,
    /// Presigned GET of the zip whose content replaces the workspace.
    pub url: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_message_is_told_apart_by_its_type() {
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
        });
        let value = serde_json::to_value(&report).unwrap();
        assert_eq!(
            value,
            json!({"type":"run.finished","run_id":"r1","seq":7,"outcome":"timed_out","exit_code":null,
                   "duration_ms":12,"head":"a","tail":"a","bytes":1,"files":[]})
        );
        assert_eq!(serde_json::from_value::<FromAgent>(value).unwrap(), report);
    }

    #[test]
    fn optional_parts_of_an_order_have_defaults() {
        let order: ToAgent = serde_json::from_value(
            json!({"type":"run","run_id":"r","script":"true","sha256":"00","deadline_ms":1}),
        )
        .unwrap();
        let ToAgent::Run(order) = order else { panic!("not a run: {order:?}") };
        assert!(order.env.is_empty() && order.log_url.is_none() && order.backup.is_none());
    }

    #[test]
    fn a_printed_assignment_shows_no_token() {
        let assign = json!({"type": "assign", "user": "user_1_2", "token": "hush"});
        let assign: ToAgent = serde_json::from_value(assign).unwrap();
        let printed = format!("{assign:?}");
        assert!(printed.contains("user_1_2") && !printed.contains("hush"), "{printed}");
    }

    #[test]
    fn a_printed_order_shows_no_credential() {
        let order = RunOrder {
            run_id: "r".into(),
            script: "echo".into(),
            kind: RunKind::Command,
            sha256: "00".into(),
            deadline_ms: 1,
            env: BTreeMap::from([("TOKEN".to_owned(), "hush".to_owned())]),
            hidden: vec!["hush".to_owned()],
            log_url: Some("https://signed".into()),
            backup: None,
        };
        let RunOrder { run_id, script, sha256, hidden, log_url, .. } = order.clone();
        let reach = Reach::default();
        let read = ReadOrder { run_id, script, sha256, deadline_ms: 1, reach, hidden, log_url };
        let printed = format!("{:?}", (ToAgent::Run(order), ToAgent::Read(read)));
        assert!(printed.contains("TOKEN"));
        assert!(!printed.contains("hush") && !printed.contains("signed"), "{printed}");
    }
}
