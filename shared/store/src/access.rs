//! What an open event stream depends on: its session, and the project it is about.

use crate::StoreError;
use crate::costs;
use crate::sessions::ends::{Kept, lasting};
use crate::sessions::hashed_key;
use crate::table::{Key, Table};
use domain::Scope;
use std::collections::{BTreeSet, HashSet};

/// A session, by its token's hash, and a project.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// The hash of the session's token.
    pub session: String,
    /// The project, for a stream about one.
    pub project: Option<Scope>,
}

/// Checks which sessions and projects still exist.
#[derive(Clone, Debug)]
pub struct Accesses {
    table: Table,
}

impl Accesses {
    /// The accesses to `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// Those of `accesses` whose session is open and whose project exists: one read for each hundred sessions and
    /// projects, and one for each hundred ends on which the sessions depend.
    pub async fn lasting(&self, accesses: &HashSet<Access>) -> Result<HashSet<Access>, StoreError> {
        let keys = |access: &Access| [Some(hashed_key(&access.session)), project_key(access)];
        let keys: Vec<_> = accesses.iter().flat_map(keys).flatten().collect();
        let found = self.table.get_many(&keys).await?;
        let item = |Key { pk, sk }| found.get(&(pk, sk));
        let hashes: BTreeSet<_> = accesses.iter().map(|access| access.session.as_str()).collect();
        let session = |hash: &str| {
            // An earlier version wrote a row with other fields: its owner must sign in again.
            let kept: Kept = serde_dynamo::from_item(item(hashed_key(hash))?.clone()).ok()?;
            Some((hash.to_owned(), kept))
        };
        let sessions = hashes.into_iter().filter_map(session).collect();
        let open = lasting(&self.table, sessions).await?;
        let lasts = |access: &&Access| {
            open.contains_key(&access.session)
                && project_key(access).is_none_or(|key| item(key).is_some())
        };
        Ok(accesses.iter().filter(lasts).cloned().collect())
    }
}

/// A deletion removes this item first, and nothing brings it back.
fn project_key(access: &Access) -> Option<Key> {
    access.project.map(costs::key)
}
