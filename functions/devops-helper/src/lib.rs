//! The DevOps helper: a chat that can run commands in the sandbox and on the user's server.
//!
//! Each command of the helper is a step of a separate track. Its owner sees all of it, with its target and its hash. A
//! command that only reads runs at once. Any other waits for the owner's decision in the chat, while the reply stays
//! open and follows it.

mod commands;
mod desk;
mod routes;
mod script;
mod trial;

use axum::extract::FromRef;
use chats::Chats;
use desk::Desk;
use domain::step::Track;
use flows::Decisions;
use http_kit::Gatekeeper;
use runs::Runs;
use settings::ConfigError;
use std::sync::Arc;
use store::credentials::Credentials;
use store::executions::Executions;
use workbench::Workbench;

pub use routes::{CommandDecision, CommandName, openapi, routes};
pub use trial::CredentialTrial;

/// The function's state.
#[derive(Clone)]
pub struct App {
    gatekeeper: Gatekeeper,
    chats: Chats,
    decisions: Decisions,
    commands: Executions,
    credentials: Credentials,
    runs: Runs,
}

impl App {
    /// Builds the state from the environment.
    pub async fn from_env() -> Result<Self, ConfigError> {
        let sdk = settings::sdk_config().await;
        let table = store::Table::from_env(&sdk)?;
        let desk = Desk::from_env(&sdk, &table)?;
        Ok(Self {
            gatekeeper: Gatekeeper::from_env(&table),
            chats: Chats::from_env(&sdk, &table)?
                .with_machines(Arc::new(Workbench::from_env(&sdk, &table)?))
                .with_command_desk(Arc::new(desk)),
            decisions: Decisions::from_env(&sdk, &table)?.on(Track::Helper),
            commands: Executions::new(&table).on(Track::Helper),
            credentials: Credentials::new(&table),
            runs: Runs::from_env(&sdk, &table, Track::Helper)?,
        })
    }
}

impl FromRef<App> for Gatekeeper {
    fn from_ref(app: &App) -> Self {
        app.gatekeeper.clone()
    }
}
