//! The messages between the gateway and a browser's terminal.

use serde::{Deserialize, Serialize};

use crate::{FilesAnswer, FilesRequest};

/// A message from a browser to the gateway.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FromBrowser {
    /// Show a terminal from byte `offset` of its stream on.
    Attach {
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
    /// Keys; `seq` counts the inputs of this connection from 0, and without it this is the next input.
    Input {
        /// The keys, as the terminal sends them.
        input: String,
        /// The terminal's name.
        #[serde(default = "crate::main_terminal")]
        terminal: String,
        /// The input's number on this connection, from 0.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        seq: Option<u64>,
        /// A command that was typed for the user: Enter follows `input` if the shell's prompt holds exactly this text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        run_typed: Option<String>,
        /// A command that an agent types for the user, whole, if `input` is a part of it. The sandbox types this part only if
        /// the shell's prompt holds exactly the text `after`, and answers `not_typed` otherwise.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        command: Option<String>,
        /// What was typed of that command before this part; nothing if it is left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        after: Option<String>,
    },
    /// Show the terminal in another size.
    Resize {
        /// Height in lines.
        rows: u16,
        /// Width in columns.
        cols: u16,
        /// The terminal's name.
        #[serde(default = "crate::main_terminal")]
        terminal: String,
    },
    /// The browser has drawn everything before byte `offset`; the agent sends at most a window beyond it.
    Shown {
        /// The terminal's name.
        #[serde(default = "crate::main_terminal")]
        terminal: String,
        /// Byte offset in the terminal's stream.
        offset: u64,
    },
    /// A request about files of the workspace.
    #[serde(untagged)]
    Files(FilesRequest),
}

/// A message from the gateway to a browser.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToBrowser {
    /// Bytes `offset..next` of the terminal's stream, as text.
    Output {
        /// The text.
        data: String,
        /// The terminal's name.
        terminal: String,
        /// Byte offset in the terminal's stream.
        offset: u64,
        /// The byte after the last.
        next: u64,
    },
    /// Whether the terminal reaches a sandbox.
    Status {
        /// The state of this connection to the sandbox.
        state: LinkState,
        /// A text for the user.
        #[serde(default)]
        detail: String,
        /// Whether this connection announces changes, so that the page needs to poll less.
        #[serde(default)]
        announces: bool,
    },
    /// A step, a check or a plan of the project has changed; the page reads what it shows of them again.
    Changed,
    /// The terminal's shell has ended.
    Exit {
        /// The terminal's name.
        terminal: String,
        /// The shell's exit code.
        exit_code: i32,
    },
    /// A part of a command that an agent types was not typed, because the shell is not at its prompt or its line holds
    /// something else.
    NotTyped {
        /// The terminal's name.
        terminal: String,
        /// The whole command.
        command: String,
    },
    /// The gateway could not handle the last message; the text is for the user.
    Error {
        /// A text for the user.
        detail: String,
    },
    /// An answer about files of the workspace.
    #[serde(untagged)]
    Files(FilesAnswer),
}

/// Whether a browser's terminal reaches a sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LinkState {
    /// The gateway has asked the sandbox to show the terminal.
    Attached,
    /// No sandbox is connected now; it may return.
    Waiting,
    /// The sandbox is gone.
    Lost,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_optional_fields_of_input_and_resize_may_be_left_out() {
        let input: FromBrowser =
            serde_json::from_value(json!({"type":"input","input":"ls\r"})).unwrap();
        assert_eq!(
            input,
            FromBrowser::Input {
                input: "ls\r".into(),
                terminal: "main".into(),
                seq: None,
                run_typed: None,
                command: None,
                after: None
            }
        );
        let resize: FromBrowser =
            serde_json::from_value(json!({"type":"resize","rows":24,"cols":80})).unwrap();
        assert_eq!(resize, FromBrowser::Resize { rows: 24, cols: 80, terminal: "main".into() });
    }

    #[test]
    fn output_carries_its_offsets() {
        let output =
            ToBrowser::Output { data: "é".into(), terminal: "main".into(), offset: 3, next: 5 };
        assert_eq!(
            serde_json::to_value(output).unwrap(),
            json!({"type":"output","data":"é","terminal":"main","offset":3,"next":5})
        );
    }
}
