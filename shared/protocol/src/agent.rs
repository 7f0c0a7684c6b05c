//! What the gateway and a sandbox agent say to each other.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{FilesAnswer, FilesRequest, Outcome, Reach};

/// A message from a sandbox agent to the gateway.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum FromAgent {
    /// The first message of every connection: what this agent has, so that the gateway can catch up.
    #[serde(rename = "hello")]
    Hello {
        seq: u64,
        version: u32,
        /// Names of the terminals that are alive.
        terminals: Vec<String>,
        /// Ids of runs whose result follows again because nobody has recorded it yet.
        unrecorded: Vec<String>,
        /// Whether it takes [`ToAgent::Read`] and its kernel confines a reader.
        #[serde(default)]
        reader: bool,
    },
    /// The run has been written down and will be executed exactly once.
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
    /// The workspace was zipped and put to the asked address, or could not be.
    #[serde(rename = "workspace.uploaded")]
    WorkspaceUploaded {
        request_id: String,
        bytes: u64,
        error: Option<String>,
        /// How large the workspace is; none when nobody got to look.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        workspace: Option<WorkspaceUse>,
    },
    /// The workspace is what a backup held, or why it is not.
    #[serde(rename = "workspace.restored")]
    WorkspaceRestored {
        request_id: String,
        /// Size of the zip of what was there before, which is at its address from here on.
        bytes: Option<u64>,
        error: Option<String>,
    },
    /// For one browser connection.
    #[serde(rename = "files")]
    Files { connection: String, answer: FilesAnswer },
    /// Sent every 30 s so that a silent death is noticed and the connection is not idle.
    #[serde(rename = "heartbeat")]
    Heartbeat {
        seq: u64,
        /// Seconds since anything ran or anybody looked, typed or asked for a file; none while it goes on.
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
    /// The script's exit code; none when a signal ended it or it never ended in our sight.
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
    /// A public text when something other than the script went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// How a script is read, and what makes it succeed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunKind {
    /// As typed at a prompt: it succeeds if its last command does.
    #[default]
    Command,
    /// A proof by itself: the first command that fails ends it.
    Check,
    /// The same, and refused without a proof after [`crate::PROOF_LINE`].
    Step,
}

/// A file in the workspace: its path relative to the workspace and its size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkspaceFile {
    pub path: String,
    pub bytes: u64,
}

/// The size of a workspace, and the most that is backed up. Past the most, counting stops.
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
    /// Execute a script once, however often this arrives.
    #[serde(rename = "run")]
    Run(RunOrder),
    /// Execute once, as a reader, a command that nobody approved. A message of its own, so that an agent that does not
    /// know it drops it instead of running it like an approved one.
    #[serde(rename = "read")]
    Read(ReadOrder),
    #[serde(rename = "run.cancel")]
    RunCancel { run_id: String },
    /// The result of the run is safe; the agent need not repeat it.
    #[serde(rename = "run.recorded")]
    RunRecorded { run_id: String },
    /// Show a terminal to a browser connection from `offset` on, starting its shell when there is none.
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
    /// Keys for a terminal; without `seq` it is the connection's next.
    #[serde(rename = "terminal.input")]
    TerminalInput {
        connection: String,
        #[serde(default = "crate::main_terminal")]
        terminal: String,
        #[serde(default)]
        seq: Option<u64>,
        data: String,
        /// Enter follows if exactly this stands at the shell's prompt.
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
    /// The browser connection is gone.
    #[serde(rename = "terminal.detach")]
    TerminalDetach { connection: String },
    /// What a browser connection asks about files of the workspace.
    #[serde(rename = "files")]
    Files { connection: String, request: FilesRequest },
    /// Zip the workspace and put it to a presigned address.
    #[serde(rename = "workspace.upload")]
    WorkspaceUpload(Backup),
    /// Put what a backup held in the place of the workspace.
    #[serde(rename = "workspace.restore")]
    WorkspaceRestore(RestoreOrder),
    /// To an agent of the warm pool, which answers by dialling again as that project's agent; to no other.
    #[serde(rename = "assign")]
    Assign(Assignment),
    /// End runs and terminals, then exit.
    #[serde(rename = "stop")]
    Stop,
}

/// Whose sandbox an agent of the warm pool becomes.
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

/// A run as the gateway orders it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunOrder {
    pub run_id: String,
    /// The script that was approved, for `bash`; its proof follows after [`crate::PROOF_LINE`].
    pub script: String,
    #[serde(default)]
    pub kind: RunKind,
    /// Lower-case hex SHA-256 of `script`, as it was approved.
    pub sha256: String,
    pub deadline_ms: u64,
    /// Credentials for this run only.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// What else its output may not show: every other credential of the project. No command is given them.
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

/// A command that only reads as the gateway orders it: without credentials and without a backup.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadOrder {
    pub run_id: String,
    /// The command, for `bash -c`.
    pub script: String,
    /// Lower-case hex SHA-256 of `script`.
    pub sha256: String,
    pub deadline_ms: u64,
    /// What it needs beyond the workspace's files and the system's programs.
    #[serde(default)]
    pub reach: Reach,
    /// What its output may not show: every credential of the project. The command is given none of them.
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

/// Where a zip of the workspace goes, and the id under which its arrival is reported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Backup {
    pub request_id: String,
    pub url: String,
}

/// A restore: nothing runs while it lasts, and what is there goes to a backup first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RestoreOrder {
    pub request_id: String,
    /// Where what is there goes.
    pub before: Backup,
    /// Presigned GET of the zip that takes its place.
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
    fn what_an_order_may_leave_out_has_a_default() {
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
