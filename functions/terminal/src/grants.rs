//! Remembers the grants of connections between messages.
//!
//! A connection's grant never changes, but its session may end. A browser's grant is therefore remembered only for
//! [`REMEMBERED_FOR`], and then its session is checked again.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use store::tokens::Grant;

/// The most connections that are remembered; a full cache is emptied and filled again.
const REMEMBERED_CONNECTIONS: usize = 4096;
/// How long connections may outlive their session.
const REMEMBERED_FOR: Duration = Duration::from_secs(3);

#[derive(Clone, Debug, Default)]
pub(crate) struct Grants {
    known: Arc<Mutex<HashMap<String, (Grant, Instant)>>>,
}

impl Grants {
    /// The grant, and whether its session must be checked again.
    pub fn get(&self, connection_id: &str) -> Option<(Grant, bool)> {
        let (grant, since) = self.lock().get(connection_id).cloned()?;
        let stale = grant.session().is_some() && since.elapsed() >= REMEMBERED_FOR;
        Some((grant, stale))
    }

    /// Remembers a grant whose session is still open.
    pub fn remember(&self, connection_id: &str, grant: &Grant) {
        let mut known = self.lock();
        if known.len() >= REMEMBERED_CONNECTIONS {
            known.clear();
        }
        known.insert(connection_id.to_owned(), (grant.clone(), Instant::now()));
    }

    pub fn forget(&self, connection_id: &str) {
        self.lock().remove(connection_id);
    }

    /// A panic during an insert leaves the map usable.
    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, (Grant, Instant)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
