//! Commands that an agent types into its user's terminal: each waits here for a page to take it, once.
//!
//! A command that was taken is gone, so that two pages never type the same one; one that nobody takes soon is
//! dropped, because a line that turns up in a terminal long after it was spoken of would surprise.

use crate::StoreError;
use crate::projects::partition;
use crate::table::{Change, Key, Table};
use domain::{Scope, Timestamp};
use serde::{Deserialize, Serialize};

/// How many commands wait at most; an older one makes room.
const WAITING_COMMANDS: usize = 10;
/// How long a command waits, in seconds.
const WAITING_SECONDS: i64 = 60;

/// A command on its way into a terminal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypedCommand {
    /// Counts the project's from 1.
    pub number: u64,
    /// The keys, without a line end.
    pub command: String,
    /// Whether Enter may follow, where the shell stands at its prompt with nothing else on its line.
    #[serde(default)]
    pub run: bool,
    /// When it was said.
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

    /// Has a command wait for a page.
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

    /// Takes what waits, in its order; whoever asks next gets none of it.
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
