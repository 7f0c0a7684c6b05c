//! Announces changes to the pages that show a project.
//!
//! A page with an open WebSocket then reads its steps again, and polls less in the meantime. An announcement has no
//! content and may be lost: the page's slower poll then finds the change. So announcing never fails, comes after the
//! change is in the table, and delays the work by [`PATIENCE`] at most.
//!
//! Only the functions that do work for which a user waits make announcements: the agents' turns, and the sandbox's
//! reports. A running command's output is not announced, since it may grow ten times a second; the page polls it where
//! it is open.

use aws::Gateway;
use domain::Scope;
use domain::report::Chain;
use futures::future::join_all;
use protocol::ToBrowser;
use settings::{ConfigError, SdkConfig};
use std::time::Duration;
use store::Table;
use store::connections::Connections;

/// How long a page that reads slowly may delay an announcement.
const PATIENCE: Duration = Duration::from_secs(2);

/// The open pages of all projects.
#[derive(Clone, Debug)]
pub struct Announcements {
    connections: Connections,
    gateway: Gateway,
}

impl Announcements {
    /// Uses the table and the gateway.
    pub fn from_env(sdk: &SdkConfig, table: &Table) -> Result<Self, ConfigError> {
        Ok(Self { connections: Connections::new(table), gateway: Gateway::from_env(sdk)? })
    }

    /// Announces a change to every open page of a project.
    pub async fn announce(&self, scope: Scope) {
        if tokio::time::timeout(PATIENCE, self.post(scope)).await.is_err() {
            tracing::warn!(%scope, "an announcement took too long");
        }
    }

    async fn post(&self, scope: Scope) {
        let pages = match self.connections.of_project(scope).await {
            Ok(pages) => pages,
            Err(error) => {
                tracing::warn!(error = %Chain(&error), %scope, "an announcement found no pages");
                return;
            }
        };
        join_all(pages.iter().map(async |page| {
            // A closed connection is forgotten when the gateway reports its end.
            if let Err(error) = self.gateway.post(page, &ToBrowser::Changed).await {
                tracing::warn!(error = %Chain(&error), %scope, page, "a page missed an announcement");
            }
        }))
        .await;
    }
}
