//! Open WebSocket connections and the permissions of each.
//!
//! A browser's connection is also listed under its session, so that the end of the session finds it, and under its
//! project, so that changes are announced to it. Both lists have a limit: what is done for each connection of a
//! project, every few seconds, must not grow with the number of tabs that a person opens. The oldest connections make
//! room for a new one; refusing the new one instead would lock out a browser whose earlier connections ended without
//! notice.

use crate::StoreError;
use crate::keys::partition;
use crate::table::{IntoWrite, Key, Table};
use crate::tokens::Grant;
use aws_sdk_dynamodb::types::TransactWriteItem;
use domain::{Scope, Timestamp};
use serde::{Deserialize, Serialize};

/// How long a connection's record is kept, in seconds; API Gateway ends a connection after 2 h.
const CONNECTION_SECONDS: i64 = 3 * 3600;
/// The most connections of one session.
const MOST_PER_SESSION: usize = 32;
/// The most connections of browsers to one project.
const MOST_PER_PROJECT: usize = 128;
/// Prefix of the sort keys of listed connections.
const LISTED: &str = "CONNECTION#";

/// A connection and the grant of its token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Connection {
    /// The connection's permissions.
    pub grant: Grant,
}

/// A listed connection of a browser.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    /// The connection.
    #[serde(skip)]
    pub connection: String,
    /// The hash of its session's token; empty for a connection that an earlier version listed.
    #[serde(default)]
    pub session: String,
    #[serde(default)]
    opened_ms: i64,
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
        let now = Timestamp::now();
        let expires = now.plus_seconds(CONNECTION_SECONDS).epoch_seconds();
        let listed = Listed {
            connection: connection_id.to_owned(),
            session: grant.session().unwrap_or_default().to_owned(),
            opened_ms: now.epoch_milliseconds(),
        };
        let mut writes = Vec::new();
        for (list, _) in lists(&grant) {
            writes.push(self.put(&listed_key(&list, connection_id), &listed, expires)?);
        }
        writes.push(self.put(&key(connection_id), &Connection { grant }, expires)?);
        self.table.transact(writes).await.map(drop)
    }

    fn put<T: Serialize>(
        &self,
        key: &Key,
        value: &T,
        expires: i64,
    ) -> Result<TransactWriteItem, StoreError> {
        let put = self.table.expiring_put_in_transaction(key, value, expires)?;
        put.into_write()
    }

    /// A connection's permissions.
    pub async fn find(&self, connection_id: &str) -> Result<Option<Grant>, StoreError> {
        let found = self.table.get::<Connection>(&key(connection_id)).await?;
        Ok(found.map(|stored| stored.value.grant))
    }

    /// Forgets a connection and returns its permissions.
    pub async fn close(&self, connection_id: &str) -> Result<Option<Grant>, StoreError> {
        let closed = self.table.take::<Connection>(&key(connection_id)).await?;
        let grant = closed.map(|closed| closed.grant);
        for (list, _) in grant.iter().flat_map(lists) {
            self.table.take::<Listed>(&listed_key(&list, connection_id)).await?;
        }
        Ok(grant)
    }

    /// The connections of a session, by the hash of its token.
    pub async fn of_session(&self, session: &str) -> Result<Vec<String>, StoreError> {
        Ok(names(self.listed(&of_session(session)).await?))
    }

    /// The browsers' connections of a project.
    pub async fn of_project(&self, scope: Scope) -> Result<Vec<String>, StoreError> {
        Ok(names(self.browsers(scope).await?))
    }

    /// The same, each with its session.
    pub async fn browsers(&self, scope: Scope) -> Result<Vec<Listed>, StoreError> {
        self.listed(&of_project(scope)).await
    }

    /// The oldest connections that have to make room for those with this grant.
    pub async fn in_excess(&self, grant: &Grant) -> Result<Vec<String>, StoreError> {
        let mut excess = Vec::new();
        for (list, most) in lists(grant) {
            let mut listed = self.listed(&list).await?;
            listed.sort_by_key(|one| one.opened_ms);
            listed.truncate(listed.len().saturating_sub(most));
            excess.extend(names(listed));
        }
        excess.sort_unstable();
        excess.dedup();
        Ok(excess)
    }

    async fn listed(&self, list: &str) -> Result<Vec<Listed>, StoreError> {
        let found = self.table.query::<Listed>(list, LISTED).await?;
        let named = found.into_iter().map(|(sk, listed)| {
            let connection = sk.trim_start_matches(LISTED).to_owned();
            Listed { connection, ..listed.value }
        });
        Ok(named.collect())
    }
}

fn names(listed: Vec<Listed>) -> Vec<String> {
    listed.into_iter().map(|one| one.connection).collect()
}

/// The partition of a session's list.
fn of_session(session: &str) -> String {
    format!("CONNECTIONS#{session}")
}

/// The partition of a project's list.
fn of_project(scope: Scope) -> String {
    format!("CONNECTIONS#{}", partition(scope))
}

/// The lists that name a connection with this grant, and the most connections on each.
fn lists(grant: &Grant) -> Vec<(String, usize)> {
    match grant {
        Grant::Browser { scope, session } => {
            vec![(of_session(session), MOST_PER_SESSION), (of_project(*scope), MOST_PER_PROJECT)]
        }
        Grant::Sandbox { .. } | Grant::Pooled { .. } => Vec::new(),
    }
}

fn listed_key(list: &str, connection_id: &str) -> Key {
    Key::new(list, format!("{LISTED}{connection_id}"))
}
