//! The queues' state and its transitions: each method is one transaction.

use super::attributes::Attributes;
use crate::engines::wire::ApiError;
use anyhow::{Context, Result};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use std::path::Path;

/// How long a deduplication id is remembered, in milliseconds: SQS's own five minutes.
const DEDUPLICATION_MS: i64 = 5 * 60 * 1000;
/// How long a message is kept, in milliseconds: the longest that SQS offers, 14 days.
const RETENTION_MS: i64 = 14 * 24 * 60 * 60 * 1000;

/// A queue's settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueueSettings {
    /// Seconds that a received message stays invisible.
    pub visibility_seconds: u32,
    /// The number of receives after which a message goes to this dead-letter queue.
    pub redrive: Option<(u32, String)>,
    /// Whether a message without a deduplication id gets the digest of its body.
    pub content_based: bool,
}

/// A message to send.
#[derive(Clone, Debug)]
pub struct NewMessage {
    /// Text of the message.
    pub body: String,
    /// Typed attributes.
    pub attributes: Attributes,
    /// Messages of a group are delivered in order, one batch at a time.
    pub group: String,
    /// A second message with this id within five minutes is not enqueued.
    pub deduplication: String,
}

/// A message that was received and is in flight.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// Position among all messages.
    pub seq: i64,
    /// Message id.
    pub id: String,
    /// The receipt handle by which the message is deleted.
    pub receipt: String,
    /// The message as it was sent.
    pub message: NewMessage,
    /// When it was sent, in milliseconds since 1970.
    pub sent_ms: i64,
    /// When it was first received, in milliseconds since 1970.
    pub first_receive_ms: i64,
    /// How often it was received, including this time.
    pub receives: u32,
    /// The queue in which it failed, if it was moved here.
    pub source_queue: Option<String>,
}

/// The result of a receive.
#[derive(Debug, Default)]
pub struct Received {
    /// Messages that are now in flight.
    pub messages: Vec<Delivery>,
    /// Messages that this receive moved to the dead-letter queue.
    pub moved: usize,
    /// When the next message becomes visible without a further call, in milliseconds since 1970.
    pub next_visible_ms: Option<i64>,
}

/// The queues.
pub struct Store {
    connection: Connection,
}

impl Store {
    /// Opens or creates the file. WAL without a flush per write: answered calls survive a kill of the process.
    pub fn open(file: &Path) -> Result<Self> {
        let connection =
            Connection::open(file).with_context(|| format!("cannot open {}", file.display()))?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.execute_batch(include_str!("schema.sql"))?;
        // The receivers of these messages ended with the last run of the stack, so their leases end too.
        connection.execute("UPDATE messages SET visible_ms = 0", [])?;
        Ok(Self { connection })
    }

    /// Creates a queue, or changes its settings.
    pub fn create_queue(&mut self, name: &str, settings: &QueueSettings) -> Result<(), ApiError> {
        let (max, dead) =
            settings.redrive.as_ref().map(|(max, dead)| (*max, dead.as_str())).unzip();
        let insert = "INSERT INTO queues (name, visibility_seconds, max_receives, dead_queue, content_based) \
             VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (name) DO UPDATE SET visibility_seconds = ?2, \
             max_receives = ?3, dead_queue = ?4, content_based = ?5";
        self.connection
            .execute(
                insert,
                params![name, settings.visibility_seconds, max, dead, settings.content_based],
            )
            .map_err(failed)?;
        Ok(())
    }

    /// The settings of a queue; an error if it does not exist.
    pub fn settings(&self, queue: &str) -> Result<QueueSettings, ApiError> {
        settings(&self.connection, queue)
    }

    /// Enqueues a message unless its deduplication id was seen; returns its id and position either way.
    pub fn send(
        &mut self,
        queue: &str,
        message: &NewMessage,
        now: i64,
    ) -> Result<(String, i64), ApiError> {
        let tx = self.connection.transaction().map_err(failed)?;
        settings(&tx, queue)?;
        tx.execute("DELETE FROM deduplications WHERE expires_ms <= ?1", [now]).map_err(failed)?;
        let seen = "SELECT id, seq FROM deduplications WHERE queue = ?1 AND deduplication = ?2";
        let seen = tx
            .query_row(seen, params![queue, message.deduplication], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .optional()
            .map_err(failed)?;
        if let Some(first) = seen {
            return Ok(first);
        }
        let id = crate::ids::request_id();
        let attributes =
            serde_json::to_string(&message.attributes).map_err(|e| ApiError::internal(&e))?;
        let insert = "INSERT INTO messages \
             (queue, id, message_group, deduplication, body, attributes, sent_ms, visible_ms) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0)";
        let columns =
            params![queue, id, message.group, message.deduplication, message.body, attributes, now];
        tx.execute(insert, columns).map_err(failed)?;
        let seq = tx.last_insert_rowid();
        let remember = "INSERT INTO deduplications (queue, deduplication, id, seq, expires_ms) VALUES (?1, ?2, ?3, ?4, ?5)";
        tx.execute(
            remember,
            params![queue, message.deduplication, id, seq, now + DEDUPLICATION_MS],
        )
        .map_err(failed)?;
        tx.commit().map_err(failed)?;
        Ok((id, seq))
    }

    /// Takes up to `max` messages, in order, from groups that have nothing in flight.
    pub fn receive(
        &mut self,
        queue: &str,
        max: usize,
        visibility_seconds: Option<u32>,
        now: i64,
    ) -> Result<Received, ApiError> {
        let tx = self.connection.transaction().map_err(failed)?;
        let settings = settings(&tx, queue)?;
        let visibility =
            i64::from(visibility_seconds.unwrap_or(settings.visibility_seconds)) * 1000;
        tx.execute(
            "DELETE FROM messages WHERE queue = ?1 AND sent_ms < ?2",
            params![queue, now - RETENTION_MS],
        )
        .map_err(failed)?;
        let mut received = Received::default();
        for mut delivery in deliverable(&tx, queue, now)? {
            match &settings.redrive {
                Some((limit, dead)) if delivery.receives >= *limit => {
                    bury(&tx, queue, &delivery, dead, now)?;
                    received.moved += 1;
                }
                _ if received.messages.len() < max => {
                    delivery.receipt = format!("{}.{}", delivery.seq, crate::ids::task_id());
                    delivery.receives += 1;
                    take(&tx, &delivery, now + visibility)?;
                    received.messages.push(delivery);
                }
                _ => break,
            }
        }
        received.next_visible_ms = tx
            .query_row(
                "SELECT MIN(visible_ms) FROM messages WHERE queue = ?1 AND visible_ms > ?2",
                params![queue, now],
                |row| row.get(0),
            )
            .map_err(failed)?;
        tx.commit().map_err(failed)?;
        Ok(received)
    }

    /// Deletes a message in flight; deleting one that is already deleted is not an error.
    pub fn delete(&mut self, queue: &str, receipt: &str, now: i64) -> Result<(), ApiError> {
        let seq = position(receipt)?;
        let delete = "DELETE FROM messages WHERE queue = ?1 AND seq = ?2 AND receipt = ?3 AND visible_ms > ?4";
        if self.connection.execute(delete, params![queue, seq, receipt, now]).map_err(failed)? == 1
        {
            return Ok(());
        }
        let there = "SELECT 1 FROM messages WHERE queue = ?1 AND seq = ?2";
        match self
            .connection
            .query_row(there, params![queue, seq], |_| Ok(()))
            .optional()
            .map_err(failed)?
        {
            None => Ok(()),
            Some(()) => Err(ApiError::new(
                "InvalidParameterValueException",
                "Value for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired.",
            )),
        }
    }

    /// Makes a message in flight visible after `seconds` from now.
    pub fn change_visibility(
        &mut self,
        queue: &str,
        receipt: &str,
        seconds: u32,
        now: i64,
    ) -> Result<(), ApiError> {
        let visible = now + i64::from(seconds) * 1000;
        let update = "UPDATE messages SET visible_ms = ?1 \
             WHERE queue = ?2 AND seq = ?3 AND receipt = ?4 AND visible_ms > ?5";
        let columns = params![visible, queue, position(receipt)?, receipt, now];
        match self.connection.execute(update, columns).map_err(failed)? {
            1 => Ok(()),
            _ => Err(ApiError::new("MessageNotInflight", "The specified message isn't in flight.")),
        }
    }

    /// How many messages are waiting and how many are in flight.
    pub fn counts(&self, queue: &str, now: i64) -> Result<(u64, u64), ApiError> {
        let count = "SELECT COUNT(*) FILTER (WHERE visible_ms <= ?2), COUNT(*) FILTER (WHERE visible_ms > ?2) \
             FROM messages WHERE queue = ?1";
        self.connection
            .query_row(count, params![queue, now], |row| Ok((row.get(0)?, row.get(1)?)))
            .map_err(failed)
    }
}

fn settings(connection: &Connection, queue: &str) -> Result<QueueSettings, ApiError> {
    let select = "SELECT visibility_seconds, max_receives, dead_queue, content_based FROM queues WHERE name = ?1";
    let found = connection.query_row(select, [queue], |row| {
        let redrive = row.get::<_, Option<u32>>(1)?.zip(row.get::<_, Option<String>>(2)?);
        Ok(QueueSettings { visibility_seconds: row.get(0)?, redrive, content_based: row.get(3)? })
    });
    found
        .optional()
        .map_err(failed)?
        .ok_or_else(|| ApiError::new("QueueDoesNotExist", "The specified queue does not exist."))
}

/// Visible messages of groups with nothing in flight, in order.
fn deliverable(tx: &Transaction<'_>, queue: &str, now: i64) -> Result<Vec<Delivery>, ApiError> {
    let select = "SELECT seq, id, message_group, deduplication, body, attributes, sent_ms, first_receive_ms, \
         receives, source_queue FROM messages WHERE queue = ?1 AND message_group NOT IN \
         (SELECT message_group FROM messages WHERE queue = ?1 AND visible_ms > ?2) ORDER BY seq LIMIT ?3";
    let mut statement = tx.prepare_cached(select).map_err(failed)?;
    let rows = statement
        .query_map(params![queue, now, CANDIDATES], |row| delivery(row, now))
        .map_err(failed)?;
    rows.collect::<Result<_, _>>().map_err(failed)
}

/// How many messages one receive examines: the ten that it may return, and as many that may have failed too often.
const CANDIDATES: u32 = 20;

fn delivery(row: &Row<'_>, now: i64) -> rusqlite::Result<Delivery> {
    let attributes: String = row.get(5)?;
    let message = NewMessage {
        group: row.get(2)?,
        deduplication: row.get(3)?,
        body: row.get(4)?,
        attributes: serde_json::from_str(&attributes).unwrap_or_default(),
    };
    Ok(Delivery {
        seq: row.get(0)?,
        id: row.get(1)?,
        receipt: String::new(),
        message,
        sent_ms: row.get(6)?,
        first_receive_ms: row.get::<_, Option<i64>>(7)?.unwrap_or(now),
        receives: row.get(8)?,
        source_queue: row.get(9)?,
    })
}

fn take(tx: &Transaction<'_>, delivery: &Delivery, visible_ms: i64) -> Result<(), ApiError> {
    let update = "UPDATE messages SET visible_ms = ?1, receives = ?2, first_receive_ms = ?3, receipt = ?4 WHERE seq = ?5";
    let columns = params![
        visible_ms,
        delivery.receives,
        delivery.first_receive_ms,
        delivery.receipt,
        delivery.seq
    ];
    tx.execute(update, columns).map_err(failed)?;
    Ok(())
}

/// Moves a message that failed too often to the end of the dead-letter queue.
fn bury(
    tx: &Transaction<'_>,
    queue: &str,
    delivery: &Delivery,
    dead: &str,
    now: i64,
) -> Result<(), ApiError> {
    let copy = "INSERT INTO messages \
         (queue, id, message_group, deduplication, body, attributes, sent_ms, visible_ms, source_queue) \
         SELECT ?1, id, message_group, deduplication, body, attributes, ?2, 0, ?3 FROM messages WHERE seq = ?4";
    tx.execute(copy, params![dead, now, queue, delivery.seq]).map_err(failed)?;
    tx.execute("DELETE FROM messages WHERE seq = ?1", [delivery.seq]).map_err(failed)?;
    Ok(())
}

/// The position that a receipt handle encodes.
fn position(receipt: &str) -> Result<i64, ApiError> {
    let position = receipt.split_once('.').and_then(|(seq, _)| seq.parse().ok());
    position.ok_or_else(|| {
        ApiError::new(
            "ReceiptHandleIsInvalid",
            format!("The input receipt handle \"{receipt}\" is not a valid receipt handle."),
        )
    })
}

fn failed(error: rusqlite::Error) -> ApiError {
    ApiError::internal(&error)
}
