//! Closes the connections of ended sessions and deleted projects.

use aws::{AwsError, Gateway};
use domain::Scope;
use settings::{ConfigError, SdkConfig};
use store::connections::Connections;
use store::sessions::EndedSessions;
use store::{StoreError, Table};

/// Closes the connections whose access has ended, with their session or their project.
///
/// The gateway refuses their frames within seconds anyway, because it checks both. Closing them informs the browser at
/// once, and lets the sandbox detach its terminal.
#[derive(Clone, Debug)]
pub struct EndedAccess {
    connections: Connections,
    gateway: Gateway,
}

/// Why connections could not be closed.
#[derive(Debug, thiserror::Error)]
pub enum CloseError {
    /// The table failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The gateway failed.
    #[error(transparent)]
    Aws(#[from] AwsError),
}

impl EndedAccess {
    /// Uses the table and the gateway.
    pub fn from_env(sdk: &SdkConfig, table: &Table) -> Result<Self, ConfigError> {
        Ok(Self { connections: Connections::new(table), gateway: Gateway::from_env(sdk)? })
    }

    /// Closes every connection of these sessions; returns their number.
    pub async fn close(&self, ended: EndedSessions) -> Result<usize, CloseError> {
        let mut closed = 0;
        for session in &ended.0 {
            closed += self.close_all(self.connections.of_session(session).await?).await?;
        }
        Ok(closed)
    }

    /// Closes every browser's connection of a deleted project; returns their number.
    pub async fn close_project(&self, scope: Scope) -> Result<usize, CloseError> {
        self.close_all(self.connections.of_project(scope).await?).await
    }

    async fn close_all(&self, connections: Vec<String>) -> Result<usize, CloseError> {
        for connection in &connections {
            // The connection is closed first: its `$disconnect` reads the record to know what to detach, and then
            // deletes it.
            self.gateway.close(connection).await?;
        }
        Ok(connections.len())
    }
}
