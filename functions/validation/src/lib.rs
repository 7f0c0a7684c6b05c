//! Validation: checks that prove what was built. They run in the sandbox like steps and keep their output.
//!
//! The validator writes the plan in its chat; the trigger starts its checks. A trigger that finds failed checks
//! prepares them again with their error, which is the automatic retry.

mod approve;
mod drift;
mod plan;
mod progress;
mod requirements;
mod routes;
mod trigger;

use axum::extract::FromRef;
use chats::Chats;
use domain::step::Track;
use flows::{Decisions, Progression, Rechecks};
use http_kit::Gatekeeper;
use runs::Runs;
use settings::ConfigError;
use std::sync::Arc;
use store::executions::Executions;
use store::plans::Plans;
use store::projects::Projects;
use store::schedules::Schedules;
use workbench::Workbench;

pub use approve::CheckDecision;
pub use drift::{
    Drift, DriftCheck, DriftStatus, ScheduleRequest, StandingCheck, StandingRequest,
    WithdrawalRequest,
};
pub use plan::ValidationPlan;
pub use progress::{CheckBody, ValidationProgress};
pub use requirements::ProvedRequirements;
pub use routes::{openapi, routes};
pub use trigger::Triggered;

/// The function's state.
#[derive(Clone)]
pub struct App {
    gatekeeper: Gatekeeper,
    chats: Chats,
    projects: Projects,
    plans: Plans,
    checks: Executions,
    progression: Progression,
    decisions: Decisions,
    /// The checks that may run again.
    standing: Executions,
    rechecks: Rechecks,
    schedules: Schedules,
    runs: Runs,
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
            plans: Plans::new(&table),
            checks: Executions::new(&table).on(Track::Validation),
            progression: Progression::from_env(&sdk, &table)?.on(Track::Validation),
            decisions: Decisions::from_env(&sdk, &table)?.on(Track::Validation),
            standing: Executions::new(&table).on(Track::Drift),
            rechecks: Rechecks::from_env(&sdk, &table)?,
            schedules: Schedules::new(&table),
            runs: Runs::from_env(&sdk, &table, Track::Validation)?,
        })
    }
}

impl FromRef<App> for Gatekeeper {
    fn from_ref(app: &App) -> Self {
        app.gatekeeper.clone()
    }
}
