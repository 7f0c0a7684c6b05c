//! Commands that an agent types into its user's terminal. Each waits here until a page takes it, once.
//!
//! A page that takes a command removes it, so two pages never type the same one. A command that no page takes soon is
//! dropped, because a line that appears in a terminal long after the conversation about it would surprise the user.

use crate::StoreError;
use crate::keys::partition;
use crate::table::{Change, Key, Table};
use domain::{Scope, Timestamp};
use serde::{Deserialize, Serialize};

/// The most commands that wait; a newer one replaces the oldest.
const WAITING_COMMANDS: usize = 10;
/// How long a command waits, in seconds.
const WAITING_SECONDS: i64 = 60;

/// A command on its way into a terminal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypedCommand {
    /// Number within the project, from 1.
    pub number: u64,
    /// The keys, without a line end.
    pub command: String,
    /// Whether Enter may follow, if the shell's prompt holds nothing else.
    #[serde(default)]
    pub run: bool,
    /// When the agent sent it.
    pub at: Timestamp,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Waiting {
    last: u64,
    commands: Vec<TypedCommand>,
}

/// The waiting commands of the table.
#[derive(Clone, Debug)]
pub struct TypedCommands {
    table: Table,
}

fn key(scope: Scope) -> Key {
    Key::new(partition(scope), "TYPED")
}

impl TypedCommands {
    /// The commands in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// Queues a command for a page.
    pub async fn add(&self, scope: Scope, command: &str, run: bool) -> Result<(), StoreError> {
        let add = |mut waiting: Waiting| {
            waiting.last += 1;
            let (number, at) = (waiting.last, Timestamp::now());
            waiting.commands.push(TypedCommand { number, command: command.to_owned(), run, at });
            let much = waiting.commands.len().saturating_sub(WAITING_COMMANDS);
            waiting.commands.drain(..much);
            waiting
        };
        loop {
            let added = self.table.modify(key(scope), |waiting: Waiting| {
                Ok::<_, StoreError>(Change::Write(add(waiting), ()))
            });
            if added.await?.is_some() {
                return Ok(());
            }
            if self.table.put_new(&key(scope), &add(Waiting::default()), None).await? {
                return Ok(());
            }
        }
    }

    /// Takes the waiting commands in order; later callers do not get them.
    pub async fn take(&self, scope: Scope) -> Result<Vec<TypedCommand>, StoreError> {
        let now = Timestamp::now();
        let taken = self.table.modify(key(scope), |mut waiting: Waiting| {
            if waiting.commands.is_empty() {
                return Ok::<_, StoreError>(Change::Keep(Vec::new()));
            }
            let mut taken = std::mem::take(&mut waiting.commands);
            taken.retain(|command| now.seconds_since(command.at) < WAITING_SECONDS);
            Ok(Change::Write(waiting, taken))
        });
        Ok(taken.await?.unwrap_or_default())
    }
}
