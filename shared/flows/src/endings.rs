//! Closing what ended sessions have open.

use aws::{AwsError, Gateway};
use settings::{ConfigError, SdkConfig};
use store::connections::Connections;
use store::sessions::EndedSessions;
use store::{StoreError, Table};

/// Closes the connections of sessions that have ended.
///
/// The gateway refuses their frames in any case, within seconds: it looks at the session. Closing them tells the
/// browser at once, and lets the sandbox detach its terminal.
#[derive(Clone, Debug)]
pub struct Endings {
    connections: Connections,
    gateway: Gateway,
}

/// Why connections could not be closed.
#[derive(Debug, thiserror::Error)]
pub enum EndingError {
    /// The table failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The gateway failed.
    #[error(transparent)]
    Aws(#[from] AwsError),
}

impl Endings {
    /// From the table and the gateway.
    pub fn from_env(sdk: &SdkConfig, table: &Table) -> Result<Self, ConfigError> {
        Ok(Self { connections: Connections::new(table), gateway: Gateway::from_env(sdk)? })
    }

    /// Closes every connection of these sessions; how many there were.
    pub async fn close(&self, ended: EndedSessions) -> Result<usize, EndingError> {
        let mut closed = 0;
        for session in &ended.0 {
            for connection in self.connections.of_session(session).await? {
                // Closed first: its `$disconnect` needs the record to know what to detach, and forgets it.
                self.gateway.close(&connection).await?;
                closed += 1;
            }
        }
        Ok(closed)
    }
}
