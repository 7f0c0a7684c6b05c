//! Serves the files of a project as downloads.
//!
//! A running sandbox uploads its present workspace; otherwise the last backup is served. Either way the zip streams
//! from the bucket to the browser and is never in memory as a whole.

mod download;
mod routes;

use aws::Objects;
use axum::extract::FromRef;
use flows::WorkspaceSync;
use http_kit::Gatekeeper;
use settings::ConfigError;
use store::backups::Backups;
use store::sandboxes::Sandboxes;

pub use routes::{openapi, routes};

/// The function's state.
#[derive(Clone)]
pub struct App {
    gatekeeper: Gatekeeper,
    sandboxes: Sandboxes,
    backups: Backups,
    sync: WorkspaceSync,
    objects: Objects,
}

impl App {
    /// From the environment.
    pub async fn from_env() -> Result<Self, ConfigError> {
        let sdk = settings::sdk_config().await;
        let table = store::Table::from_env(&sdk)?;
        Ok(Self {
            gatekeeper: Gatekeeper::from_env(&table),
            sandboxes: Sandboxes::new(&table),
            backups: Backups::new(&table),
            sync: WorkspaceSync::from_env(&sdk, &table)?,
            objects: Objects::from_env(&sdk)?,
        })
    }
}

impl FromRef<App> for Gatekeeper {
    fn from_ref(app: &App) -> Self {
        app.gatekeeper.clone()
    }
}
