//! Documentation: what was built, written down from what was executed and validated.

mod current;
mod routes;

use axum::extract::FromRef;
use chats::Chats;
use cloud::ConfigError;
use http_kit::Gatekeeper;
use store::documentation::Documents;

pub use current::DocumentationBody;
pub use routes::{openapi, routes};

/// What the function needs.
#[derive(Clone)]
pub struct App {
    gatekeeper: Gatekeeper,
    chats: Chats,
    documents: Documents,
}

impl App {
    /// From the environment.
    pub async fn from_env() -> Result<Self, ConfigError> {
        let sdk = cloud::sdk_config().await;
        let table = cloud::table(&sdk)?;
        Ok(Self {
            gatekeeper: Gatekeeper::new(&table, cloud::var("PUBLIC_URL")?),
            chats: Chats::from_env(&sdk, &table).await?,
            documents: Documents::new(&table),
        })
    }
}

impl FromRef<App> for Gatekeeper {
    fn from_ref(app: &App) -> Self {
        app.gatekeeper.clone()
    }
}
