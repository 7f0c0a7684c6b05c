//! Serves a project's sandbox: its state, start, stop, backups, restores, and the services that listen inside.

mod actions;
mod previews;
mod routes;
mod scope;
mod status;

use axum::extract::FromRef;
use flows::{Previewing, Progression, SandboxControl, WorkspaceSync};
use http_kit::Gatekeeper;
use settings::ConfigError;
use store::backups::Backups;
use store::previews::Previews;
use store::sandboxes::Sandboxes;

pub use actions::{ActionBody, ActionStatus};
pub use previews::{PortsBody, PreviewBody, ServiceToPreview};
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
    previewing: Previewing,
    previews: Previews,
    /// The domain under which each preview has its host; empty if the deployment has no previews.
    preview_url: String,
}

impl App {
    /// Builds the state from the environment.
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
            previewing: Previewing::from_env(&sdk, &table)?,
            previews: Previews::new(&table),
            preview_url: settings::var_or("PREVIEW_URL", ""),
        })
    }
}

impl FromRef<App> for Gatekeeper {
    fn from_ref(app: &App) -> Self {
        app.gatekeeper.clone()
    }
}
