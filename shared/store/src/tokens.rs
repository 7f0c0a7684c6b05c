//! Single-use tokens: a browser's ticket to the WebSocket, and a sandbox's key to it.

use crate::StoreError;
use crate::table::{Key, Table};
use domain::secret_token::SecretToken;
use domain::{PooledId, Scope, Timestamp};
use serde::{Deserialize, Serialize};

/// How long a browser's ticket is valid, in seconds.
pub const TICKET_SECONDS: i64 = 30;
/// How long a sandbox's token is valid, in seconds: longer than the longest outage that it should survive.
pub const SANDBOX_TOKEN_SECONDS: i64 = 24 * 3600;

/// The permissions of a token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "bearer", rename_all = "snake_case")]
pub enum Grant {
    /// A browser's terminals in one project, for as long as its session lasts.
    Browser {
        /// The project.
        #[serde(flatten)]
        scope: Scope,
        /// The hash of the session's token; rows of an earlier version lack it and open nothing.
        #[serde(default)]
        session: String,
    },
    /// The agent of one life of a project's sandbox.
    Sandbox {
        /// The project.
        #[serde(flatten)]
        scope: Scope,
        /// The generation.
        generation: u64,
    },
    /// The agent of a task of the warm pool, without access to any project.
    Pooled {
        /// Its slot.
        slot: u32,
        /// The task.
        id: PooledId,
    },
}

#[derive(Serialize, Deserialize)]
struct Row {
    grant: Grant,
    ends_at: Timestamp,
}

/// The tokens of the table.
#[derive(Clone, Debug)]
pub struct Tokens {
    table: Table,
}

fn key(token: &SecretToken) -> Key {
    Key::new(format!("TOKEN#{}", token.hash()), "TOKEN")
}

impl Grant {
    /// The hash of the session whose end also ends this token, if there is one.
    pub fn session(&self) -> Option<&str> {
        match self {
            Self::Browser { session, .. } => Some(session),
            Self::Sandbox { .. } | Self::Pooled { .. } => None,
        }
    }
}

impl Tokens {
    /// The tokens in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// A new token for `grant`, valid for this many seconds.
    pub async fn issue(&self, grant: Grant, seconds: i64) -> Result<SecretToken, StoreError> {
        let token = SecretToken::random();
        let ends_at = Timestamp::now().plus_seconds(seconds);
        let row = Row { grant, ends_at };
        self.table.put_new(&key(&token), &row, Some(ends_at.epoch_seconds())).await?;
        Ok(token)
    }

    /// The grant of a token: once, and not after its time.
    pub async fn redeem(&self, token: &SecretToken) -> Result<Option<Grant>, StoreError> {
        let row = self.table.take::<Row>(&key(token)).await?;
        Ok(row.filter(|row| row.ends_at > Timestamp::now()).map(|row| row.grant))
    }
}
