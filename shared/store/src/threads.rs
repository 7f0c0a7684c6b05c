//! Conversations: one item per message, in order.

use crate::StoreError;
use crate::projects::partition;
use crate::table::{Key, Table};
use domain::chat::Message;
use domain::{AgentId, Scope, ThreadId};
use serde::{Deserialize, Serialize};

/// The threads of the table.
#[derive(Clone, Debug)]
pub struct Threads {
    table: Table,
}

/// A thread and its messages, first to last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thread {
    /// Its id.
    pub id: ThreadId,
    /// Its messages.
    pub messages: Vec<Message>,
    /// The number of the next message; differs from `messages.len()` if writers raced.
    next: u64,
}

#[derive(Serialize, Deserialize)]
struct Row {
    thread_id: ThreadId,
    #[serde(flatten)]
    message: Message,
}

/// Zero-padded, so that the order of the keys is the order of the messages.
fn key(scope: Scope, agent: AgentId, number: u64) -> Key {
    Key::new(partition(scope), format!("THREAD#{agent}#{number:010}"))
}

impl Threads {
    /// The threads in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// The conversation with an agent; `None` before the first message.
    ///
    /// A project has one thread per agent, so a reopened page continues it.
    pub async fn load(&self, scope: Scope, agent: AgentId) -> Result<Option<Thread>, StoreError> {
        let rows = self.table.query::<Row>(&partition(scope), &format!("THREAD#{agent}#")).await?;
        let next = rows.last().and_then(|(sk, _)| number_of(sk)).map_or(0, |n| n + 1);
        let Some(id) = rows.first().map(|(_, row)| row.value.thread_id.clone()) else {
            return Ok(None);
        };
        let messages = rows.into_iter().map(|(_, row)| row.value.message).collect();
        Ok(Some(Thread { id, messages, next }))
    }

    /// The conversation with an agent, or a new one.
    pub async fn load_or_begin(&self, scope: Scope, agent: AgentId) -> Result<Thread, StoreError> {
        let begin = || Thread { id: ThreadId::random(), messages: Vec::new(), next: 0 };
        Ok(self.load(scope, agent).await?.unwrap_or_else(begin))
    }

    /// Appends a message to `thread`, after messages that other calls have added in the meantime.
    pub async fn append(
        &self,
        scope: Scope,
        agent: AgentId,
        thread: &mut Thread,
        message: Message,
    ) -> Result<(), StoreError> {
        let row = Row { thread_id: thread.id.clone(), message };
        loop {
            let number = thread.next;
            thread.next += 1;
            if self.table.put_new(&key(scope, agent, number), &row, None).await? {
                thread.messages.push(row.message);
                return Ok(());
            }
        }
    }
}

fn number_of(sk: &str) -> Option<u64> {
    sk.rsplit('#').next()?.parse().ok()
}
