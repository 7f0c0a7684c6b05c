//! Tokens of the WebSocket: a browser's ticket, and a sandbox agent's key.
//!
//! A ticket opens one connection. An agent's token opens connections for the agent that presents it first, together
//! with the agent's own secret. The agent has no other token, so it needs this one again if the answer to its first try
//! is lost, or if the function that should give it the next token dies. A person who finds the token later, in the
//! description of a task or in a log, does not have the secret.

use crate::StoreError;
use crate::table::{Item, Key, Table};
use aws_sdk_dynamodb::types::{AttributeValue, ReturnValue};
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
        /// The hash of the session's token. Rows of an earlier version have none and open nothing.
        #[serde(default)]
        session: String,
    },
    /// The agent of one generation of a project's sandbox.
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

    /// The grant of a token: only once, only before it expires, and not if an agent has presented it with a secret.
    pub async fn redeem(&self, token: &SecretToken) -> Result<Option<Grant>, StoreError> {
        let delete = self
            .table
            .client
            .delete_item()
            .table_name(&self.table.name)
            .set_key(Some(key(token).attributes()))
            .condition_expression("attribute_exists(pk) AND attribute_not_exists(dialer)")
            .return_values(ReturnValue::AllOld);
        match delete.send().await {
            Ok(deleted) => granted(deleted.attributes),
            Err(error)
                if error
                    .as_service_error()
                    .is_some_and(|error| error.is_conditional_check_failed_exception()) =>
            {
                Ok(None)
            }
            Err(error) => Err(StoreError::dynamo("DeleteItem")(error)),
        }
    }

    /// The grant of an agent's token for the agent with this secret: only before it expires, and not if another agent
    /// has presented it before.
    pub async fn redeem_for(
        &self,
        token: &SecretToken,
        dialer: &SecretToken,
    ) -> Result<Option<Grant>, StoreError> {
        let update = self
            .table
            .client
            .update_item()
            .table_name(&self.table.name)
            .set_key(Some(key(token).attributes()))
            .update_expression("SET dialer = :dialer")
            .condition_expression(
                "attribute_exists(pk) AND #grant.bearer <> :browser \
                 AND (attribute_not_exists(dialer) OR dialer = :dialer)",
            )
            .expression_attribute_names("#grant", "grant")
            .expression_attribute_values(":browser", AttributeValue::S("browser".to_owned()))
            .expression_attribute_values(":dialer", AttributeValue::S(dialer.hash()))
            .return_values(ReturnValue::AllNew);
        match update.send().await {
            Ok(updated) => granted(updated.attributes),
            Err(error)
                if error
                    .as_service_error()
                    .is_some_and(|error| error.is_conditional_check_failed_exception()) =>
            {
                Ok(None)
            }
            Err(error) => Err(StoreError::dynamo("UpdateItem")(error)),
        }
    }
}

/// The grant of a row, unless it has expired.
fn granted(item: Option<Item>) -> Result<Option<Grant>, StoreError> {
    let row: Option<Row> = item.map(serde_dynamo::from_item).transpose()?;
    Ok(row.filter(|row| row.ends_at > Timestamp::now()).map(|row| row.grant))
}
