//! Starts and shows the execution, and takes the owner's decision on each step.
//!
//! Nothing here runs a command. An approved step is a message on the queue `steps`. The sandbox's reports come back
//! through the WebSocket API into the table, where this function reads them.

mod estimate;
mod roll_back;
mod routes;
mod trigger;
mod typed;

use axum::extract::FromRef;
use chats::Chats;
use domain::step::Track;
use flows::{Decisions, Progression};
use http_kit::{Gatekeeper, OpenStreams};
use runs::Runs;
use settings::ConfigError;
use std::sync::Arc;
use store::costs::CostBook;
use store::executions::Executions;
use store::pipelines::Pipelines;
use store::plans::Plans;
use store::projects::Projects;
use store::sandboxes::Sandboxes;
use store::typed::TypedCommands;
use workbench::Workbench;

pub use domain::step::StepDecision;
pub use estimate::{ExecutionEstimate, StepsTaken};
pub use routes::{openapi, routes};
pub use trigger::{Start, Started};
pub use typed::TerminalCommand;

/// The function's state.
#[derive(Clone)]
pub struct App {
    gatekeeper: Gatekeeper,
    chats: Chats,
    projects: Projects,
    sandboxes: Sandboxes,
    plans: Plans,
    pipelines: Pipelines,
    executions: Executions,
    costs: CostBook,
    runs: Runs,
    typed: TypedCommands,
    streams: OpenStreams,
    progression: Progression,
    decisions: Decisions,
}

impl App {
    /// Builds the state from the environment.
    pub async fn from_env() -> Result<Self, ConfigError> {
        let sdk = settings::sdk_config().await;
        let table = store::Table::from_env(&sdk)?;
        Ok(Self {
            gatekeeper: Gatekeeper::from_env(&table),
            chats: Chats::from_env(&sdk, &table)?
                .with_machines(Arc::new(Workbench::from_env(&sdk, &table)?)),
            projects: Projects::new(&table),
            sandboxes: Sandboxes::new(&table),
            plans: Plans::new(&table),
            pipelines: Pipelines::new(&table),
            executions: Executions::new(&table),
            costs: CostBook::new(&table),
            typed: TypedCommands::new(&table),
            streams: OpenStreams::from_env(&table)?,
            runs: Runs::from_env(&sdk, &table, Track::Execution)?,
            progression: Progression::from_env(&sdk, &table)?,
            decisions: Decisions::from_env(&sdk, &table)?,
        })
    }
}

impl FromRef<App> for Gatekeeper {
    fn from_ref(app: &App) -> Self {
        app.gatekeeper.clone()
    }
}
