//! Counts the visits to the public pages, as sums by page and day.
//!
//! It tracks no person: no cookie, no third party, no address. The visitor's own browser makes up an id, which is
//! hashed with a salt that expires after the day. The hash serves only to count a visitor once. Visitors who send `DNT`
//! or `Sec-GPC` are not counted at all.

mod report;
mod routes;

use axum::extract::FromRef;
use http_kit::Gatekeeper;
use settings::ConfigError;
use store::visits::Visits;

pub use report::{EventKind, PageEvent, PageEvents, PublicPage};
pub use routes::{openapi, routes};

/// The function's state.
#[derive(Clone)]
pub struct App {
    gatekeeper: Gatekeeper,
    visits: Visits,
}

impl App {
    /// Builds the state from the environment.
    pub async fn from_env() -> Result<Self, ConfigError> {
        let table = store::Table::from_env(&settings::sdk_config().await)?;
        let gatekeeper = Gatekeeper::from_env(&table);
        Ok(Self { gatekeeper, visits: Visits::new(&table) })
    }
}

impl FromRef<App> for Gatekeeper {
    fn from_ref(app: &App) -> Self {
        app.gatekeeper.clone()
    }
}
