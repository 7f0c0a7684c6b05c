//! A project's sandbox: its state, start, stop, backups and restores.

mod actions;
mod routes;
mod status;

use axum::extract::FromRef;
use flows::{Progression, SandboxControl, WorkspaceSync};
use http_kit::Gatekeeper;
use settings::ConfigError;
use store::backups::Backups;
use store::sandboxes::Sandboxes;

pub use actions::{ActionBody, ActionStatus};
pub use routes::{RestoreBody, openapi, routes};
pub use status::SandboxBody;

/// The function's state.
#[derive(Clone)]
pub struct App {
    gatekeeper: Gatekeeper,
    sandboxes: Sandboxes,
    backups: Backups,
    control: SandboxControl,
    progression: Progression,
    sync: WorkspaceSync,
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
            control: SandboxControl::from_env(&sdk, &table)?,
            progression: Progression::from_env(&sdk, &table)?,
            sync: WorkspaceSync::from_env(&sdk, &table)?,
        })
    }
}

impl FromRef<App> for Gatekeeper {
    fn from_ref(app: &App) -> Self {
        app.gatekeeper.clone()
    }
}
