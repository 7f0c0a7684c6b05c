//! Remembers the grants of connections between messages.
//!
//! A connection's grant never changes, but its session may end and its project may be deleted. A browser's grant is
//! therefore remembered only for [`REMEMBERED_FOR`], and then both are checked again.

use crate::remembered::Remembered;
use std::time::Duration;
use store::tokens::Grant;

/// How long connections may outlive their session or their project.
const REMEMBERED_FOR: Duration = Duration::from_secs(3);

#[derive(Clone, Debug, Default)]
pub(crate) struct Grants(Remembered<String, Grant>);

impl Grants {
    /// The grant, and whether its session must be checked again.
    pub fn get(&self, connection_id: &str) -> Option<(Grant, bool)> {
        let (grant, age) = self.0.get(connection_id)?;
        let stale = grant.session().is_some() && age >= REMEMBERED_FOR;
        Some((grant, stale))
    }

    /// Remembers a grant whose session is still open.
    pub fn remember(&self, connection_id: &str, grant: &Grant) {
        self.0.remember(connection_id.to_owned(), grant.clone());
    }

    pub fn forget(&self, connection_id: &str) {
        self.0.forget(connection_id);
    }
}
