//! The WebSocket API: browsers' terminals on one side, sandbox agents on the other.
//!
//! Both sides dial in, each with a token that names its project. A connection's permissions follow only from its token,
//! never from its messages. A browser's keys go to its project's agent, an agent's output goes to connections of its
//! own project, and an agent's reports on its runs move the steps of its own project. An agent of the warm pool belongs
//! to no project and may only wait.
//!
//! API Gateway calls this function once per message, several at once, so nothing here may depend on the order of calls.
//! Output has offsets, keys have numbers, and reports are views of which the newest wins (see the crate `protocol`).

mod agent;
mod backups;
mod browser;
mod connect;
mod entrance;
mod grants;
mod lambda;
mod pace;
mod pooled;
mod remembered;
mod reports;
mod routes;
mod terraform_states;
mod websocket;
mod welcome;

use aws::{Gateway, Objects, Sealer};
use axum::extract::FromRef;
use domain::Scope;
use entrance::Entrance;
use flows::{Announcements, Handover, Progression};
use grants::Grants;
use http_kit::Gatekeeper;
use pace::Pace;
use remembered::Remembered;
use settings::ConfigError;
use store::backups::Backups;
use store::connections::Connections;
use store::executions::Executions;
use store::inquiries::Inquiries;
use store::pool::Pool;
use store::previews::Previews;
use store::projects::Projects;
use store::sandboxes::Sandboxes;
use store::sessions::Sessions;
use store::terraform_states::TerraformStates;
use store::tokens::Tokens;
use store::transfers::Transfers;

pub use lambda::serve;
pub use routes::{TicketBody, openapi, routes};
pub use websocket::handle;

/// The function's state.
#[derive(Clone)]
pub struct App {
    gatekeeper: Gatekeeper,
    entrance: Entrance,
    websocket_url: String,
    projects: Projects,
    tokens: Tokens,
    connections: Connections,
    sessions: Sessions,
    grants: Grants,
    pace: Pace,
    /// The connections of projects' agents.
    agents: Remembered<Scope, String>,
    sandboxes: Sandboxes,
    pool: Pool,
    executions: Executions,
    transfers: Transfers,
    inquiries: Inquiries,
    previews: Previews,
    backups: Backups,
    states: TerraformStates,
    progression: Progression,
    announcements: Announcements,
    handover: Handover,
    gateway: Gateway,
    objects: Objects,
    sealer: Sealer,
}

impl App {
    /// Builds the state from the environment.
    pub async fn from_env() -> Result<Self, ConfigError> {
        let sdk = settings::sdk_config().await;
        let table = store::Table::from_env(&sdk)?;
        Ok(Self {
            gatekeeper: Gatekeeper::from_env(&table),
            entrance: Entrance::from_env()?,
            websocket_url: settings::var("WEBSOCKET_URL")?,
            projects: Projects::new(&table),
            tokens: Tokens::new(&table),
            connections: Connections::new(&table),
            sessions: Sessions::new(&table),
            grants: Grants::default(),
            pace: Pace::default(),
            agents: Remembered::default(),
            sandboxes: Sandboxes::new(&table),
            pool: Pool::new(&table),
            executions: Executions::new(&table),
            transfers: Transfers::new(&table),
            inquiries: Inquiries::new(&table),
            previews: Previews::new(&table),
            backups: Backups::new(&table),
            states: TerraformStates::new(&table),
            progression: Progression::from_env(&sdk, &table)?,
            announcements: Announcements::from_env(&sdk, &table)?,
            handover: Handover::from_env(&sdk, &table)?,
            gateway: Gateway::from_env(&sdk)?,
            objects: Objects::from_env(&sdk)?,
            sealer: Sealer::from_env(&sdk)?,
        })
    }
}

impl FromRef<App> for Gatekeeper {
    fn from_ref(app: &App) -> Self {
        app.gatekeeper.clone()
    }
}

/// The reason why a message was not served. The log gets the cause; the sender learns at most that it failed.
#[derive(Debug, thiserror::Error)]
enum MessageError {
    /// The connection's record is gone, or it is the wrong kind of connection.
    #[error("this connection may not send that")]
    Forbidden,
    #[error("not a message")]
    Unreadable(#[from] serde_json::Error),
    #[error(transparent)]
    Store(#[from] store::StoreError),
    #[error(transparent)]
    Aws(#[from] aws::AwsError),
    #[error(transparent)]
    Handover(#[from] flows::HandoverError),
    #[error(transparent)]
    Progression(#[from] flows::ProgressionError),
}

impl From<store::executions::ExecutionError> for MessageError {
    fn from(error: store::executions::ExecutionError) -> Self {
        Self::Progression(error.into())
    }
}
