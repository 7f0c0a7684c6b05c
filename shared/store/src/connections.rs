//! Open WebSocket connections and the permissions of each.
//!
//! A browser's connection is also listed under its session, so that the end of the session finds it.

use crate::StoreError;
use crate::table::{Key, Table, built};
use crate::tokens::Grant;
use aws_sdk_dynamodb::types::TransactWriteItem;
use domain::Timestamp;
use serde::{Deserialize, Serialize};

/// How long a connection's record is kept, in seconds; API Gateway ends a connection after 2 h.
const CONNECTION_SECONDS: i64 = 3 * 3600;
/// How the sort keys of listed connections begin.
const LISTED: &str = "CONNECTION#";

/// A connection and the grant of its token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Connection {
    /// The connection's permissions.
    pub grant: Grant,
}

#[derive(Serialize, Deserialize)]
struct Listed {}

/// The connections of the table.
#[derive(Clone, Debug)]
pub struct Connections {
    table: Table,
}

fn key(connection_id: &str) -> Key {
    Key::new(format!("CONNECTION#{connection_id}"), "CONNECTION")
}

impl Connections {
    /// The connections in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// Remembers a connection.
    pub async fn open(&self, connection_id: &str, grant: Grant) -> Result<(), StoreError> {
        let expires = Timestamp::now().plus_seconds(CONNECTION_SECONDS).epoch_seconds();
        let listed = grant.session().map(|session| listed_key(session, connection_id));
        let mut writes = vec![self.put(&key(connection_id), &Connection { grant }, expires)?];
        if let Some(key) = listed {
            writes.push(self.put(&key, &Listed {}, expires)?);
        }
        self.table.transact(writes).await.map(drop)
    }

    fn put<T: Serialize>(
        &self,
        key: &Key,
        value: &T,
        expires: i64,
    ) -> Result<TransactWriteItem, StoreError> {
        let put = self.table.expiring_put_in_transaction(key, value, expires)?;
        Ok(TransactWriteItem::builder().put(built(put.build())?).build())
    }

    /// A connection's permissions.
    pub async fn find(&self, connection_id: &str) -> Result<Option<Grant>, StoreError> {
        let found = self.table.get::<Connection>(&key(connection_id)).await?;
        Ok(found.map(|stored| stored.value.grant))
    }

    /// Forgets a connection and returns its permissions.
    pub async fn close(&self, connection_id: &str) -> Result<Option<Grant>, StoreError> {
        let closed = self.table.take::<Connection>(&key(connection_id)).await?;
        if let Some(session) = closed.as_ref().and_then(|closed| closed.grant.session()) {
            self.table.take::<Listed>(&listed_key(session, connection_id)).await?;
        }
        Ok(closed.map(|closed| closed.grant))
    }

    /// The connections of a session, by the hash of its token.
    pub async fn of_session(&self, session: &str) -> Result<Vec<String>, StoreError> {
        let found = self.table.query::<Listed>(&list(session), LISTED).await?;
        Ok(found.into_iter().map(|(sk, _)| sk.trim_start_matches(LISTED).to_owned()).collect())
    }
}

fn list(session: &str) -> String {
    format!("CONNECTIONS#{session}")
}

fn listed_key(session: &str, connection_id: &str) -> Key {
    Key::new(list(session), format!("{LISTED}{connection_id}"))
}
