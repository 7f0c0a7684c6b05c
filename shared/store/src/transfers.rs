//! Uploads that the gateway requested from a sandbox: the request waits here for the answer.

use crate::StoreError;
use crate::keys::partition;
use crate::table::{Key, Table};
use domain::{Scope, Timestamp};
use serde::{Deserialize, Serialize};

/// How long an answer is kept, in seconds.
const TRANSFER_SECONDS: i64 = 3600;

/// The result of an upload.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transfer {
    /// Bytes uploaded.
    pub bytes: u64,
    /// The reason for the failure; `None` if the upload succeeded.
    pub error: Option<String>,
}

/// The transfers of the table.
#[derive(Clone, Debug)]
pub struct Transfers {
    table: Table,
}

fn key(scope: Scope, request_id: &str) -> Key {
    Key::new(partition(scope), format!("TRANSFER#{request_id}"))
}

impl Transfers {
    /// The transfers in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// Stores the answer; the first one wins.
    pub async fn finish(
        &self,
        scope: Scope,
        request_id: &str,
        transfer: &Transfer,
    ) -> Result<(), StoreError> {
        let expires = Timestamp::now().plus_seconds(TRANSFER_SECONDS).epoch_seconds();
        self.table.put_new(&key(scope, request_id), transfer, Some(expires)).await.map(drop)
    }

    /// The answer, once it has arrived.
    pub async fn find(
        &self,
        scope: Scope,
        request_id: &str,
    ) -> Result<Option<Transfer>, StoreError> {
        Ok(self.table.get(&key(scope, request_id)).await?.map(|stored| stored.value))
    }
}
