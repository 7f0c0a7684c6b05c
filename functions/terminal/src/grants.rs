//! What connections may do, remembered between messages.
//!
//! A connection's grant never changes, so one read serves all its messages that meet this process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use store::tokens::Grant;

/// Connections remembered at most; when full, everything is forgotten and read again.
const REMEMBERED_CONNECTIONS: usize = 4096;

#[derive(Clone, Debug, Default)]
pub(crate) struct Grants {
    known: Arc<Mutex<HashMap<String, Grant>>>,
}

impl Grants {
    pub fn get(&self, connection_id: &str) -> Option<Grant> {
        self.lock().get(connection_id).cloned()
    }

    pub fn remember(&self, connection_id: &str, grant: &Grant) {
        let mut known = self.lock();
        if known.len() >= REMEMBERED_CONNECTIONS {
            known.clear();
        }
        known.insert(connection_id.to_owned(), grant.clone());
    }

    pub fn forget(&self, connection_id: &str) {
        self.lock().remove(connection_id);
    }

    /// A map that another thread left in mid-insert is still a map.
    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Grant>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
