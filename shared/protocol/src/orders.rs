//! The messages from the gateway to a sandbox agent.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{FilesRequest, Inquiry, PreviewOrder, Reach, RunKind, StateAnswer};

/// A message from the gateway to a sandbox agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum ToAgent {
    /// Answers each `hello`: the token for the next connection, and the backup that an agent with an empty workspace
    /// restores before any run.
    #[serde(rename = "welcome")]
    Welcome {
        /// Single-use token of the next connection.
        next_token: String,
        /// Presigned GET of a backup to restore before any run.
        #[serde(default)]
        restore_url: Option<String>,
        /// Whether this gateway keeps Terraform's state.
        #[serde(default)]
        keeps_state: bool,
    },
    /// Execute a script once, however often this message arrives.
    #[serde(rename = "run")]
    Run(RunOrder),
    /// Execute once, as a reader, a command that runs without approval. This is a separate message, so that an older
    /// agent drops it instead of running the command like an approved one.
    #[serde(rename = "read")]
    Read(ReadOrder),
    /// Answer soon, as a reader, or not at all: the function that asked waits only for seconds.
    #[serde(rename = "ask")]
    Ask(Inquiry),
    /// List the ports of services, or ask a service. The agent answers soon or not at all.
    #[serde(rename = "preview")]
    Preview(PreviewOrder),
    /// End the run; its result says that it was canceled. A run that has not begun never does, even if its order comes
    /// later.
    #[serde(rename = "run.cancel")]
    RunCancel {
        /// The run.
        run_id: String,
    },
    /// The result of the run is recorded; the agent need not repeat it.
    #[serde(rename = "run.recorded")]
    RunRecorded {
        /// The run.
        run_id: String,
    },
    /// Show a terminal to a browser connection from `offset` on; starts the shell if none runs.
    #[serde(rename = "terminal.attach")]
    TerminalAttach {
        /// The browser connection.
        connection: String,
        /// The terminal's name.
        #[serde(default = "crate::main_terminal")]
        terminal: String,
        /// Byte offset in the terminal's stream.
        #[serde(default)]
        offset: u64,
        /// Height in lines.
        rows: u16,
        /// Width in columns.
        cols: u16,
    },
    /// Keys for a terminal; without `seq` they are the connection's next.
    #[serde(rename = "terminal.input")]
    TerminalInput {
        /// The browser connection.
        connection: String,
        /// The terminal's name.
        #[serde(default = "crate::main_terminal")]
        terminal: String,
        /// The input's number on the browser's connection, from 0.
        #[serde(default)]
        seq: Option<u64>,
        /// The keys, as the terminal sends them.
        data: String,
        /// Enter follows if the shell's prompt holds exactly this text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        run_typed: Option<String>,
        /// The whole command, if the keys are a part of one that an agent types.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        command: Option<String>,
        /// The text that the shell's prompt must hold for such keys; empty if it is left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<String>,
    },
    /// The browser shows the terminal in another size.
    #[serde(rename = "terminal.resize")]
    TerminalResize {
        /// The browser connection.
        connection: String,
        /// The terminal's name.
        #[serde(default = "crate::main_terminal")]
        terminal: String,
        /// Height in lines.
        rows: u16,
        /// Width in columns.
        cols: u16,
    },
    /// The browser connection has drawn everything before byte `offset`.
    #[serde(rename = "terminal.shown")]
    TerminalShown {
        /// The browser connection.
        connection: String,
        /// The terminal's name.
        #[serde(default = "crate::main_terminal")]
        terminal: String,
        /// Byte offset in the terminal's stream.
        offset: u64,
    },
    /// The browser connection has closed.
    #[serde(rename = "terminal.detach")]
    TerminalDetach {
        /// The browser connection.
        connection: String,
    },
    /// A browser connection's request about files of the workspace.
    #[serde(rename = "files")]
    Files {
        /// The browser connection.
        connection: String,
        /// The id that the answer repeats.
        request: FilesRequest,
    },
    /// Zip the workspace and upload it to a presigned address.
    #[serde(rename = "workspace.upload")]
    WorkspaceUpload(Backup),
    /// Replace the workspace with the content of a backup.
    #[serde(rename = "workspace.restore")]
    WorkspaceRestore(RestoreOrder),
    /// The result of this upload or restore is recorded; the agent need not repeat it.
    #[serde(rename = "workspace.recorded")]
    WorkspaceRecorded {
        /// The id of the request.
        request_id: String,
    },
    /// Answers [`FromAgent::State`](crate::FromAgent::State).
    #[serde(rename = "state")]
    State {
        /// The id of the request.
        request_id: String,
        /// The answer.
        answer: StateAnswer,
    },
    /// Assign a project to an agent of the warm pool, which then dials again as that project's agent.
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
    /// The run.
    pub run_id: String,
    /// The approved script, for `bash`; its proof follows after [`crate::PROOF_LINE`].
    pub script: String,
    /// How the script is read, and when it succeeds.
    #[serde(default)]
    pub kind: RunKind,
    /// Lower-case hex SHA-256 of `script`, as approved.
    pub sha256: String,
    /// How long it may run, in milliseconds.
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
    /// The run.
    pub run_id: String,
    /// The command, for `bash -c`.
    pub script: String,
    /// Lower-case hex SHA-256 of `script`.
    pub sha256: String,
    /// How long it may run, in milliseconds.
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
    /// The id of the request.
    pub request_id: String,
    /// Presigned PUT of the zip.
    pub url: String,
}

/// A restore: the agent backs up the current workspace first and runs no command meanwhile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RestoreOrder {
    /// The id of the request.
    pub request_id: String,
    /// The address for the backup of the current workspace.
    pub before: Backup,
    /// Presigned GET of the zip whose content replaces the workspace.
    pub url: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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

    /// A script and credentials at their bounds, all of whose characters JSON escapes as far as the bounds allow.
    #[test]
    fn the_largest_order_fits_a_message() {
        use domain::credential::{MAX_CREDENTIALS, MAX_FORMER, MAX_FORMER_BYTES, MAX_TOTAL_BYTES};
        use domain::step::{MAX_SCRIPT_BYTES, MAX_WRITTEN_SCRIPT_BYTES, written_script_bytes};
        use redaction::variable::MAX_NAME_CHARS;
        let escaped = MAX_WRITTEN_SCRIPT_BYTES - MAX_SCRIPT_BYTES;
        let script = "\n".repeat(escaped) + &"x".repeat(MAX_SCRIPT_BYTES - escaped);
        assert_eq!(script.len(), MAX_SCRIPT_BYTES);
        assert_eq!(written_script_bytes(&script), MAX_WRITTEN_SCRIPT_BYTES);
        let value = "\n".repeat(MAX_TOTAL_BYTES / MAX_CREDENTIALS);
        let name = |n: usize| format!("{n:A>MAX_NAME_CHARS$}");
        let hidden = vec!["\n".repeat(MAX_FORMER_BYTES / MAX_FORMER); MAX_FORMER];
        // A presigned address has a session token.
        let url = "u".repeat(2_000);
        let order = ToAgent::Run(RunOrder {
            run_id: "r".repeat(64),
            script,
            kind: RunKind::Step,
            sha256: "f".repeat(64),
            deadline_ms: u64::MAX,
            env: (0..MAX_CREDENTIALS).map(|n| (name(n), value.clone())).collect(),
            hidden,
            log_url: Some(url.clone()),
            backup: Some(Backup { request_id: "r".repeat(64), url }),
        });
        let bytes = serde_json::to_vec(&order).unwrap().len();
        assert!(bytes <= crate::MESSAGE_BYTES, "{bytes} bytes");
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
