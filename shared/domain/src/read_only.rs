//! Which commands may run without asking: an allow-list of exact argument shapes.
//!
//! The table ([`table`]) names, per program, the words that it may be given: flags, options with the kind of
//! their value, and kinds of operands (a path in the workspace, a service, a loopback URL, a number). **Whatever
//! the table does not spell out asks.** A needless question costs its owner one click, while the opposite mistake
//! costs a server, so a shape is added when a harmless use of it is known and never because no harm is.
//!
//! What reaches the table is a line of plain words ([`line`]): printable ASCII, quotes around literal text, and
//! `|`, `&&`, `||`, `;` between commands. There is no expansion of any kind, no variable, no substitution, no
//! escape, no pattern, no line feed. The line that runs is written anew from the words that were judged
//! ([`Reading::script`]), so bash cannot read anything that the table has not seen.
//!
//! The shape is one of two layers. In the sandbox such a command also runs in the reader's confinement (crate
//! `sandbox-agent`, `reader`), which is granted what the shape needs ([`Reach`]) and nothing else. On a server and
//! in the user's own terminal there is no such confinement, so those [`Place`]s know fewer shapes.
//!
//! A parser crate was weighed: the complete ones keep expansions inside words unparsed, where the danger is, and
//! all that is refused here need not be told apart.

#[cfg(test)]
mod harmless;
#[cfg(test)]
mod hostile;
mod kind;
mod line;
mod matching;
mod place;
#[cfg(test)]
mod properties;
mod secrets;
mod shape;
mod table;

pub use place::Place;

use serde::{Deserialize, Serialize};

/// Longest command that is judged at all, in bytes; a longer one is worth a look anyway.
const JUDGED_BYTES: usize = 1_000;

/// What a reading needs beyond the workspace's files and the system's programs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reach {
    /// The list of processes, sockets and mounts in `/proc`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub processes: bool,
    /// The one port of the loopback interface that it may connect to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loopback_port: Option<u16>,
}

/// A command that only reads, as it was understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    line: line::Line,
    /// What it needs to do so.
    pub reach: Reach,
}

impl Reading {
    /// Understands `command` as one that only reads in `place`; none for everything else, which has to be asked for.
    pub fn of(command: &str, place: Place) -> Option<Self> {
        if command.len() > JUDGED_BYTES {
            return None;
        }
        let line = line::Line::read(command)?;
        let mut reach = Reach::default();
        for command in &line.commands {
            let needs = matching::needs(command, place)?;
            reach.processes |= needs.processes;
            match (reach.loopback_port, needs.loopback_port) {
                (Some(one), Some(other)) if one != other => return None,
                (known, port) => reach.loopback_port = known.or(port),
            }
        }
        Some(Self { line, reach })
    }

    /// The command as it is to run: the words that were judged, quoted anew.
    pub fn script(&self) -> String {
        self.line.to_string()
    }

    /// The same for a shell that its user set up: programs by their whole path, past aliases and the user's own
    /// programs of the same name.
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
