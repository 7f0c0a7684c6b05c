#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod characters;
#[cfg(test)]
mod harmless;
#[cfg(test)]
mod hostile;
mod kind;
mod line;
mod matching;
mod place;
pub mod private_files;
#[cfg(test)]
mod properties;
mod refusal;
mod script;
mod secrets;
mod shape;
mod table;
mod url;

pub use place::Place;
pub use refusal::Refusal;
pub use script::ReadingScript;

use serde::{Deserialize, Serialize};

/// The longest command that is judged, in bytes; a person should review anything longer anyway.
const JUDGED_BYTES: usize = 1_000;

/// What a reading may reach beyond the workspace's files and the system's programs, and which of these files it may not
/// reach.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reach {
    /// The list of processes, sockets and mounts in `/proc`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub processes: bool,
    /// The only port of the loopback interface that the command may connect to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loopback_port: Option<u16>,
    /// Limits the view of the workspace. The command may print parts of lines, in which neither a mask nor redaction
    /// recognizes a secret, so it sees no file that holds one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub parts: bool,
}

impl Reach {
    /// Both reaches together; none if that is more than one port.
    fn with(&self, other: &Self) -> Option<Self> {
        let loopback_port = match (self.loopback_port, other.loopback_port) {
            (Some(one), Some(other)) if one != other => return None,
            (known, port) => known.or(port),
        };
        let (processes, parts) = (self.processes || other.processes, self.parts || other.parts);
        Some(Self { processes, loopback_port, parts })
    }
}

/// A command that was recognized as only reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    line: line::Line,
    /// The place of a server's log among the words of each command that shows one.
    logs: Vec<Option<usize>>,
    /// Whether it may show something of the workspace.
    workspace: bool,
    /// What the command may reach.
    pub reach: Reach,
}

impl Reading {
    /// Recognizes `command` as one that only reads in `place`; `None` for every other command, which needs approval.
    pub fn of(command: &str, place: Place) -> Option<Self> {
        if command.len() > JUDGED_BYTES {
            return None;
        }
        let line = line::Line::read(command)?;
        let (mut reach, mut logs, mut workspace) = (Reach::default(), Vec::new(), false);
        let (mut told, mut fields) = (false, false);
        for command in &line.commands {
            let needs = matching::needs(command, place)?;
            fields &= command.piped && !needs.shows_written_lines;
            told = needs.shows_written_lines || (told && command.piped);
            if place == Place::Server
                && told
                && (needs.drops_line_starts || (needs.reorders_lines && !fields))
            {
                return None;
            }
            // First fields may be counted, but not cut again: `awk '{print $1}' | cut -d= -f2`.
            fields |= needs.first_fields;
            reach = reach.with(&needs.reach)?;
            workspace |= needs.workspace;
            logs.push(needs.log);
        }
        is_apart(place, &reach, workspace).then_some(Self { line, logs, workspace, reach })
    }

    /// The command to run: the judged words, quoted again.
    pub fn script(&self) -> String {
        self.line.to_string()
    }

    /// The same for a server, where other programs write the logs: bash opens a log, and the command gets it as its input
    /// if it has the name under which it was opened. So no link leads to another file, however it changes meanwhile.
    pub fn remote(&self) -> String {
        self.line.with_inputs(&self.logs)
    }

    /// The same for a shell that its user configured: programs by their full path, which avoids aliases and the user's
    /// own programs of the same name.
    pub fn typed(&self) -> String {
        let mut line = self.line.clone();
        for command in &mut line.commands {
            if let Some(name) = command.words.first_mut()
                && let Some(folder) = table::folder(name)
            {
                *name = format!("{folder}/{name}");
            }
        }
        line.to_string()
    }
}

/// Whether a command shows either processes or the workspace. In the sandbox, a link in the workspace may lead to the
/// arguments of a process, so the reader shows one of the two.
fn is_apart(place: Place, reach: &Reach, workspace: bool) -> bool {
    place != Place::Sandbox || !(reach.processes && workspace)
}
