//! What the public pages tell of their visitors, kept as sums by page and day.
//!
//! Nobody is followed: no cookie, no third party, no address. The visitor's id is one that their own browser made
//! up; it is hashed with a salt of the day that is forgotten with it, and serves to count somebody once. Whoever
//! sends `DNT` or `Sec-GPC` is not counted at all.

mod report;
mod routes;

use axum::extract::FromRef;
use http_kit::Gatekeeper;
use settings::ConfigError;
use store::visits::Visits;

pub use report::{EventKind, PageEvent, PageEvents, PublicPage};
pub use routes::{openapi, routes};

/// What the function needs.
#[derive(Clone)]
pub struct App {
    gatekeeper: Gatekeeper,
    visits: Visits,
}

impl App {
    /// From the environment.
    pub async fn from_env() -> Result<Self, ConfigError> {
        let table = store::Table::from_env(&settings::sdk_config().await)?;
        let gatekeeper = Gatekeeper::from_env(&table)?;
        Ok(Self { gatekeeper, visits: Visits::new(&table) })
    }
}

impl FromRef<App> for Gatekeeper {
    fn from_ref(app: &App) -> Self {
        app.gatekeeper.clone()
    }
}
