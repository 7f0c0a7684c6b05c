//! The planning agents: three conversations, two triggers, and the documents that come of them.
//!
//! A conversation is answered while its reader waits, as a stream. A trigger asks for a plan that
//! nobody waits for with an open request: it puts a run on the queue and answers at once.

mod credentials;
mod documents;
mod routes;
mod threads;
mod trigger;

use axum::extract::FromRef;
use chats::Chats;
use cloud::{ConfigError, Queue, Vault};
use http_kit::Gatekeeper;
use store::plans::Plans;
use store::projects::Projects;
use store::threads::Threads;

pub use credentials::{CredentialNames, CredentialValues};
pub use documents::RequirementsBody;
pub use routes::{Accepted, openapi, routes};
pub use threads::{Speaker, ThreadBody, ThreadMessage};

/// What the function needs.
#[derive(Clone)]
pub struct App {
    gatekeeper: Gatekeeper,
    chats: Chats,
    projects: Projects,
    plans: Plans,
    threads: Threads,
    agent_runs: Queue,
    vault: Vault,
}

impl App {
    /// From the environment.
    pub async fn from_env() -> Result<Self, ConfigError> {
        let sdk = cloud::sdk_config().await;
        let table = cloud::table(&sdk)?;
        Ok(Self {
            gatekeeper: Gatekeeper::new(&table, cloud::var("PUBLIC_URL")?),
            chats: Chats::from_env(&sdk, &table).await?,
            projects: Projects::new(&table),
            plans: Plans::new(&table),
            threads: Threads::new(&table),
            agent_runs: Queue::agent_runs(&sdk)?,
            vault: Vault::from_env(&sdk, &table)?,
        })
    }
}

impl FromRef<App> for Gatekeeper {
    fn from_ref(app: &App) -> Self {
        app.gatekeeper.clone()
    }
}
