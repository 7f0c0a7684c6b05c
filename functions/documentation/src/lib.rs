//! Documentation: what was built, written down from what was executed and validated.

mod current;
mod routes;

use agents::AgentContext;
use axum::extract::FromRef;
use cloud::{ConfigError, Secrets, Vault};
use http_kit::Gatekeeper;
use store::documentation::Documents;

pub use current::DocumentationBody;
pub use routes::{DocumentationRequest, openapi, routes};

/// What the function needs.
#[derive(Clone)]
pub struct App {
    gatekeeper: Gatekeeper,
    agents: AgentContext,
    vault: Vault,
    documents: Documents,
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
            documents: Documents::new(&table),
        })
    }
}

impl FromRef<App> for Gatekeeper {
    fn from_ref(app: &App) -> Self {
        app.gatekeeper.clone()
    }
}
