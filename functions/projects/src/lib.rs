//! Creates, lists and reads projects, and shows what they have cost.

mod answer_size;
mod audit;
mod breakdown;
mod budget;
mod changes;
mod costs;
mod health;
mod listed;
mod manage;
mod new_project;
mod pages;
mod routes;
mod shared;
mod shares;

use axum::extract::FromRef;
use flows::EndedAccess;
use http_kit::Gatekeeper;
use settings::{ConfigError, count_or};
use store::audit::Audit;
use store::changes::Changes;
use store::costs::CostBook;
use store::deletions::Deletions;
use store::executions::Executions;
use store::glances::Glances;
use store::plans::Plans;
use store::projects::Projects;
use store::rates::Rates;
use store::shares::Shares;
use store::versions::Versions;

pub use audit::{AuditEntry, AuditRun};
pub use breakdown::{AgentCosts, CostBreakdown, DayCosts, SandboxCosts, StageCosts};
pub use budget::{Budget, NewBudget};
pub use changes::{ChangeBody, NewChange, PastChange, PastDocument, PastStep};
pub use costs::{ProjectCosts, TokenUsageBody};
pub use listed::{Attention, ListedProject};
pub use new_project::NewProject;
pub use routes::{openapi, routes};
pub use shared::{SharedDay, SharedDocument, SharedOutput, SharedTimelineBody, SharedVersion};
pub use shares::{MadeShare, NewShare, ShareBody};

/// The function's state.
#[derive(Clone)]
pub struct App {
    gatekeeper: Gatekeeper,
    projects: Projects,
    plans: Plans,
    glances: Glances,
    costs: CostBook,
    /// Most projects of one installation.
    most_projects: u32,
    audit: Audit,
    changes: Changes,
    deletions: Deletions,
    ended_access: EndedAccess,
    shares: Shares,
    versions: Versions,
    executions: Executions,
    rates: Rates,
}

/// The most projects of an installation, unless the operator sets another limit.
const PROJECTS_PER_INSTALLATION: u32 = 200;
/// The most projects that an installation creates in an hour, if it may not have more anyway: deleting one is work for
/// the next hour.
const CREATED_PER_HOUR: u32 = 100;

impl App {
    /// Builds the state from the environment.
    pub async fn from_env() -> Result<Self, ConfigError> {
        let sdk = settings::sdk_config().await;
        let table = store::Table::from_env(&sdk)?;
        Ok(Self {
            gatekeeper: Gatekeeper::from_env(&table),
            projects: Projects::new(&table),
            plans: Plans::new(&table),
            glances: Glances::new(&table),
            costs: CostBook::new(&table),
            most_projects: count_or("PROJECTS_PER_INSTALLATION", PROJECTS_PER_INSTALLATION)?,
            audit: Audit::new(&table),
            changes: Changes::new(&table),
            deletions: Deletions::new(&table),
            ended_access: EndedAccess::from_env(&sdk, &table)?,
            shares: Shares::new(&table),
            versions: Versions::new(&table),
            executions: Executions::new(&table),
            rates: Rates::new(&table),
        })
    }
}

impl FromRef<App> for Gatekeeper {
    fn from_ref(app: &App) -> Self {
        app.gatekeeper.clone()
    }
}
