//! The planning agents: three conversations, two triggers, and the documents that they write.
//!
//! A conversation streams its answer to a waiting reader. A trigger asks for a plan, which takes minutes, so it queues
//! a run and answers at once.

mod credentials;
mod documents;
mod routes;
mod threads;
mod trigger;
mod versions;

use axum::extract::FromRef;
use chats::Chats;
use flows::{Turns, Vault};
use http_kit::Gatekeeper;
use settings::ConfigError;
use store::documentation::Documents;
use store::executions::Executions;
use store::plans::Plans;
use store::projects::Projects;
use store::threads::Threads;
use store::versions::Versions;

pub use credentials::{CredentialNames, CredentialValues};
pub use documents::RequirementsBody;
pub use routes::{Accepted, openapi, routes};
pub use threads::{Speaker, ThreadBody, ThreadMessage};
pub use versions::{
    DocumentStanding, DocumentsBody, RestoredBody, VersionBody, VersionHead, VersionList,
};

/// The function's state.
#[derive(Clone)]
pub struct App {
    gatekeeper: Gatekeeper,
    chats: Chats,
    projects: Projects,
    plans: Plans,
    threads: Threads,
    executions: Executions,
    documents: Documents,
    versions: Versions,
    turns: Turns,
    vault: Vault,
}

impl App {
    /// Builds the state from the environment.
    pub async fn from_env() -> Result<Self, ConfigError> {
        let sdk = settings::sdk_config().await;
        let table = store::Table::from_env(&sdk)?;
        Ok(Self {
            gatekeeper: Gatekeeper::from_env(&table),
            chats: Chats::from_env(&sdk, &table)?,
            projects: Projects::new(&table),
            plans: Plans::new(&table),
            threads: Threads::new(&table),
            executions: Executions::new(&table),
            documents: Documents::new(&table),
            versions: Versions::new(&table),
            turns: Turns::from_env(&sdk, &table)?,
            vault: Vault::from_env(&sdk, &table)?,
        })
    }
}

impl FromRef<App> for Gatekeeper {
    fn from_ref(app: &App) -> Self {
        app.gatekeeper.clone()
    }
}
