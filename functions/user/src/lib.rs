//! A user's credits: the balance and its history.

mod csv;
mod export;
mod routes;
mod transactions;

use axum::extract::FromRef;
use http_kit::Gatekeeper;
use settings::ConfigError;
use store::deletions::Deletions;
use store::ledger::Ledger;
use store::projects::Projects;

pub use routes::{Credits, openapi, routes};
pub use transactions::Transaction;

/// The function's state.
#[derive(Clone)]
pub struct App {
    gatekeeper: Gatekeeper,
    ledger: Ledger,
    projects: Projects,
    deletions: Deletions,
}

impl App {
    /// From the environment.
    pub async fn from_env() -> Result<Self, ConfigError> {
        let table = store::Table::from_env(&settings::sdk_config().await)?;
        Ok(Self {
            gatekeeper: Gatekeeper::from_env(&table),
            ledger: Ledger::new(&table),
            projects: Projects::new(&table),
            deletions: Deletions::new(&table),
        })
    }
}

impl FromRef<App> for Gatekeeper {
    fn from_ref(app: &App) -> Self {
        app.gatekeeper.clone()
    }
}
