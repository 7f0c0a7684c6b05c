//! Execution: starting it, watching it, and the owner's word on each step.
//!
//! Nothing here runs a command. An approved step is a message on the queue `steps`; what the sandbox
//! makes of it comes back through the WebSocket API into the table, and is read from there.

mod approve;
mod cancel;
mod output;
mod routes;
mod trigger;

use agents::AgentContext;
use axum::extract::FromRef;
use cloud::{
    ConfigError, Decisions, Gateway, Objects, Progression, ProgressionError, Secrets, Vault,
};
use http_kit::{ApiError, Gatekeeper};
use store::executions::Executions;
use store::plans::Plans;
use store::projects::Projects;
use store::sandboxes::Sandboxes;

pub use approve::StepDecision;
pub use cancel::StepName;
pub use routes::{openapi, routes};
pub use trigger::{Start, Started};

/// What the function needs.
#[derive(Clone)]
pub struct App {
    gatekeeper: Gatekeeper,
    agents: AgentContext,
    vault: Vault,
    projects: Projects,
    plans: Plans,
    executions: Executions,
    sandboxes: Sandboxes,
    progression: Progression,
    decisions: Decisions,
    gateway: Gateway,
    objects: Objects,
}

impl App {
    /// From the environment.
    pub async fn from_env() -> Result<Self, ConfigError> {
        let sdk = cloud::sdk_config().await;
        let table = cloud::table(&sdk)?;
        Ok(Self {
            gatekeeper: Gatekeeper::new(&table, cloud::var("PUBLIC_URL")?),
            agents: AgentContext::from_env(&table, &Secrets::new(&sdk)).await?,
            vault: Vault::from_env(&sdk, &table)?,
            projects: Projects::new(&table),
            plans: Plans::new(&table),
            executions: Executions::new(&table),
            sandboxes: Sandboxes::new(&table),
            progression: Progression::from_env(&sdk, &table)?,
            decisions: Decisions::from_env(&sdk, &table)?,
            gateway: Gateway::from_env(&sdk)?,
            objects: Objects::from_env(&sdk)?,
        })
    }
}

impl FromRef<App> for Gatekeeper {
    fn from_ref(app: &App) -> Self {
        app.gatekeeper.clone()
    }
}

fn refuse(error: ProgressionError) -> ApiError {
    match error {
        ProgressionError::Execution(error) => error.into(),
        ProgressionError::Cloud(error) => ApiError::internal(error),
    }
}
