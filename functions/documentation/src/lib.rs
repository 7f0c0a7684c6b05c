//! Serves a project's documentation, which an agent writes from its execution and validation.

mod current;
mod routes;

use axum::extract::FromRef;
use chats::Chats;
use http_kit::Gatekeeper;
use settings::ConfigError;
use store::documentation::Documents;

pub use current::DocumentationBody;
pub use routes::{openapi, routes};

/// The function's state.
#[derive(Clone)]
pub struct App {
    gatekeeper: Gatekeeper,
    chats: Chats,
    documents: Documents,
}

impl App {
    /// Builds the state from the environment.
    pub async fn from_env() -> Result<Self, ConfigError> {
        let sdk = settings::sdk_config().await;
        let table = store::Table::from_env(&sdk)?;
        Ok(Self {
            gatekeeper: Gatekeeper::from_env(&table),
            chats: Chats::from_env(&sdk, &table)?,
            documents: Documents::new(&table),
        })
    }
}

impl FromRef<App> for Gatekeeper {
    fn from_ref(app: &App) -> Self {
        app.gatekeeper.clone()
    }
}
