//! Conversations: one item per message, in order.
//!
//! Nothing limits how long a conversation grows, and a page reads it every few seconds. So only its end is read: about
//! [`MOST_BYTES`], which is more than a model is sent. A summary says how many messages from the start of the thread it
//! replaces; in memory, it counts from the first message that was read.

use crate::StoreError;
use crate::keys::partition;
use crate::table::{Key, Table};
use domain::chat::{Message, Role, Summary};
use domain::{AgentId, Scope, ThreadId};
use serde::{Deserialize, Serialize};

/// How much of the end of a conversation is read, in bytes.
const MOST_BYTES: usize = 512 * 1024;
/// What a message counts at least, in bytes, so that the number of messages is bounded, too.
const LEAST_BYTES: usize = 128;
/// The most messages that one query reads.
const PAGE: usize = 100;

/// The threads of the table.
#[derive(Clone, Debug)]
pub struct Threads {
    table: Table,
}

/// A thread and the end of its messages, first to last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thread {
    /// Its id.
    pub id: ThreadId,
    /// Its messages.
    pub messages: Vec<Message>,
    /// How many messages come before them, which were not read.
    left_out: usize,
    /// The number of the next message; differs from their number if writers raced.
    next: u64,
}

impl Thread {
    /// Whether the thread has messages before those that were read.
    pub fn begins_earlier(&self) -> bool {
        self.left_out > 0
    }
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

    /// The end of the conversation with an agent; `None` before the first message.
    ///
    /// A project has one thread per agent, so a reopened page continues it.
    pub async fn load(&self, scope: Scope, agent: AgentId) -> Result<Option<Thread>, StoreError> {
        let (pk, prefix) = (partition(scope), format!("THREAD#{agent}#"));
        let (mut newest_first, mut bytes, mut before) = (Vec::new(), 0, None);
        loop {
            let (rows, more) = self.table.page_before::<Row>(&pk, &prefix, before, PAGE).await?;
            before = rows.last().map(|(sk, _)| sk.clone());
            for (sk, row) in rows {
                if bytes >= MOST_BYTES {
                    break;
                }
                bytes += size(&row.value.message);
                newest_first.push((number_of(&sk), row.value));
            }
            if !more || bytes >= MOST_BYTES {
                return Ok(thread(newest_first));
            }
        }
    }

    /// The conversation with an agent, or a new one.
    pub async fn load_or_begin(&self, scope: Scope, agent: AgentId) -> Result<Thread, StoreError> {
        let begin =
            || Thread { id: ThreadId::random(), messages: Vec::new(), left_out: 0, next: 0 };
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
        let mut kept = message.clone();
        if let Some(summary) = &mut kept.summary {
            summary.messages += thread.left_out;
        }
        let row = Row { thread_id: thread.id.clone(), message: kept };
        loop {
            let number = thread.next;
            thread.next += 1;
            if self.table.put_new(&key(scope, agent, number), &row, None).await? {
                thread.messages.push(message);
                return Ok(());
            }
        }
    }
}

/// The thread of these rows, the newest of which comes first.
fn thread(newest_first: Vec<(usize, Row)>) -> Option<Thread> {
    let next = newest_first.first().map_or(0, |(number, _)| *number as u64 + 1);
    let mut rows: Vec<_> = newest_first.into_iter().rev().collect();
    // What is left of a reply is of no use without its question.
    let begins_earlier = rows.first().is_some_and(|(number, _)| *number > 0);
    let question = rows.iter().position(|(_, row)| row.message.role == Role::User);
    rows.drain(..question.filter(|_| begins_earlier).unwrap_or_default());
    let (left_out, id) = rows.first().map(|(number, row)| (*number, row.thread_id.clone()))?;
    let messages = rows.into_iter().map(|(_, row)| Message {
        summary: row.message.summary.map(|summary| Summary {
            messages: summary.messages.saturating_sub(left_out),
            ..summary
        }),
        ..row.message
    });
    Some(Thread { id, messages: messages.collect(), left_out, next })
}

/// About how large a message is, in bytes.
fn size(message: &Message) -> usize {
    let calls = message.tool_calls.iter().map(|call| call.name.len() + call.arguments.len());
    let results = message.tool_results.iter().map(|result| result.content.len());
    let notes = message.notes.iter().map(String::len);
    LEAST_BYTES + message.text.len() + calls.chain(results).chain(notes).sum::<usize>()
}

/// A message's number: how many come before it.
fn number_of(sk: &str) -> usize {
    sk.rsplit('#').next().and_then(|number| number.parse().ok()).unwrap_or_default()
}
