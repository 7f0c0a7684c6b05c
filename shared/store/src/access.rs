//! What an open event stream depends on: its session, and the project it is about.

use crate::StoreError;
use crate::costs;
use crate::sessions::{Session, hashed_key};
use crate::table::{Key, Table};
use domain::{Scope, Timestamp};
use std::collections::{BTreeSet, HashSet};

/// A session, by its token's hash, and a project.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// The hash of the session's token.
    pub session: String,
    /// The project, for a stream about one.
    pub project: Option<Scope>,
}

/// The accesses to what the table holds.
#[derive(Clone, Debug)]
pub struct Accesses {
    table: Table,
}

impl Accesses {
    /// The accesses to `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// Those of `accesses` whose session is open and whose project exists, in one read for each hundred sessions and
    /// projects.
    pub async fn lasting(&self, accesses: &HashSet<Access>) -> Result<HashSet<Access>, StoreError> {
        // A read that names a key twice is refused.
        let keys: BTreeSet<_> = accesses
            .iter()
            .flat_map(|access| [Some(hashed_key(&access.session)), project_key(access)])
            .flatten()
            .map(|Key { pk, sk }| (pk, sk))
            .collect();
        let keys: Vec<_> = keys.into_iter().map(|(pk, sk)| Key { pk, sk }).collect();
        let found = self.table.get_many(&keys).await?;
        let now = Timestamp::now();
        let item = |Key { pk, sk }| found.get(&(pk, sk));
        let is_open = |hash: &str| {
            let session = item(hashed_key(hash)).map(|item| serde_dynamo::from_item(item.clone()));
            // An earlier version wrote a row with other fields: its owner must sign in again.
            session.is_some_and(|read| read.is_ok_and(|session: Session| session.ends_at > now))
        };
        let lasts = |access: &&Access| {
            is_open(&access.session) && project_key(access).is_none_or(|key| item(key).is_some())
        };
        Ok(accesses.iter().filter(lasts).cloned().collect())
    }
}

/// A deletion removes this item first, and nothing brings it back.
fn project_key(access: &Access) -> Option<Key> {
    access.project.map(costs::key)
}
