//! Previews of services inside sandboxes: tickets, the names that they are exchanged for, and the answers of sandboxes.
//!
//! The table stores only the hash of a ticket or a name. All rows expire soon.

use crate::StoreError;
use crate::keys::partition;
use crate::table::{Key, Table};
use domain::preview::{OpenPreview, PREVIEW_SECONDS, Preview, Previewed, TICKET_SECONDS};
use domain::secret_token::SecretToken;
use domain::{RunId, Scope, Timestamp};

/// How long a sandbox's answer is kept, in seconds: the function that asked waits far less.
const ANSWER_SECONDS: i64 = 120;

/// The previews of the table.
#[derive(Clone, Debug)]
pub struct Previews {
    table: Table,
}

fn key(token: &SecretToken, kind: &str) -> Key {
    Key::new(format!("PREVIEW#{}", token.hash()), kind)
}

fn ticket_key(ticket: &SecretToken) -> Key {
    key(ticket, "TICKET")
}

fn name_key(name: &SecretToken) -> Key {
    key(name, "NAME")
}

fn answer_key(scope: Scope, id: &RunId) -> Key {
    Key::new(partition(scope), format!("PREVIEWED#{id}"))
}

impl Previews {
    /// The previews in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// A single-use ticket, valid for [`TICKET_SECONDS`].
    pub async fn issue(&self, preview: &Preview) -> Result<SecretToken, StoreError> {
        let ticket = SecretToken::random();
        self.put(&ticket_key(&ticket), preview, TICKET_SECONDS).await?;
        Ok(ticket)
    }

    /// What a ticket opens; only its first holder gets it, and only before the ticket expires.
    pub async fn redeem(&self, ticket: &SecretToken) -> Result<Option<Preview>, StoreError> {
        Ok(still_open(self.table.take(&ticket_key(ticket)).await?))
    }

    /// Opens a preview for [`PREVIEW_SECONDS`]; returns the name of its host.
    pub async fn open(&self, preview: &Preview) -> Result<SecretToken, StoreError> {
        let name = SecretToken::random_name();
        self.put(&name_key(&name), preview, PREVIEW_SECONDS).await?;
        Ok(name)
    }

    /// The preview with this name, unless it has expired.
    pub async fn find(&self, name: &SecretToken) -> Result<Option<Preview>, StoreError> {
        let found = self.table.get::<OpenPreview>(&name_key(name)).await?;
        Ok(still_open(found.map(|stored| stored.value)))
    }

    /// Stores a sandbox's answer; the first one wins.
    pub async fn answer(
        &self,
        scope: Scope,
        id: &RunId,
        answer: &Previewed,
    ) -> Result<(), StoreError> {
        let expires = Timestamp::now().plus_seconds(ANSWER_SECONDS).epoch_seconds();
        self.table.put_new(&answer_key(scope, id), answer, Some(expires)).await.map(drop)
    }

    /// The answer, once it has arrived.
    pub async fn answered(
        &self,
        scope: Scope,
        id: &RunId,
    ) -> Result<Option<Previewed>, StoreError> {
        Ok(self.table.get(&answer_key(scope, id)).await?.map(|stored| stored.value))
    }

    async fn put(&self, key: &Key, preview: &Preview, seconds: i64) -> Result<(), StoreError> {
        let ends_at = Timestamp::now().plus_seconds(seconds);
        let row = OpenPreview { preview: preview.clone(), ends_at };
        self.table.put_new(key, &row, Some(ends_at.epoch_seconds())).await.map(drop)
    }
}

fn still_open(row: Option<OpenPreview>) -> Option<Preview> {
    row.filter(|row| row.ends_at > Timestamp::now()).map(|row| row.preview)
}
