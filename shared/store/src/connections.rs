//! Open WebSocket connections and what each may do.

use crate::StoreError;
use crate::table::{Key, Table};
use crate::tokens::Grant;
use domain::Timestamp;
use serde::{Deserialize, Serialize};

/// How long a connection's record is kept, in seconds; API Gateway ends a connection after 2 h.
const CONNECTION_SECONDS: i64 = 3 * 3600;

/// A connection and what its token opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Connection {
    /// What it may do.
    pub grant: Grant,
}

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
        self.table
            .put_new(&key(connection_id), &Connection { grant }, Some(expires))
            .await
            .map(drop)
    }

    /// What a connection may do.
    pub async fn find(&self, connection_id: &str) -> Result<Option<Grant>, StoreError> {
        let found = self.table.get::<Connection>(&key(connection_id)).await?;
        Ok(found.map(|stored| stored.value.grant))
    }

    /// Forgets a connection and returns what it could do.
    pub async fn close(&self, connection_id: &str) -> Result<Option<Grant>, StoreError> {
        Ok(self.table.take::<Connection>(&key(connection_id)).await?.map(|c| c.grant))
    }
}
