//! Serves a user's credits, their mail settings, and all their data in one file.

mod csv;
mod export;
mod mail;
mod routes;
mod transactions;

use aws::Mailer;
use axum::extract::FromRef;
use http_kit::Gatekeeper;
use settings::ConfigError;
use store::deletions::Deletions;
use store::guests::Guests;
use store::ledger::Ledger;
use store::mail::Mail;
use store::projects::Projects;
use store::rates::Rates;

pub use mail::{Confirmation, MailBody, NewAddress};
pub use routes::{Credits, openapi, routes};
pub use transactions::Transaction;

/// The function's state.
#[derive(Clone)]
pub struct App {
    gatekeeper: Gatekeeper,
    ledger: Ledger,
    projects: Projects,
    deletions: Deletions,
    guests: Guests,
    mail: Mail,
    /// `None` if the deployment sends no mail.
    mailer: Option<Mailer>,
    rates: Rates,
}

impl App {
    /// Builds the state from the environment.
    pub async fn from_env() -> Result<Self, ConfigError> {
        let sdk = settings::sdk_config().await;
        let table = store::Table::from_env(&sdk)?;
        Ok(Self {
            gatekeeper: Gatekeeper::from_env(&table),
            ledger: Ledger::new(&table),
            projects: Projects::new(&table),
            deletions: Deletions::new(&table),
            guests: Guests::new(&table),
            mail: Mail::new(&table),
            mailer: Mailer::from_env(&sdk),
            rates: Rates::new(&table),
        })
    }
}

impl FromRef<App> for Gatekeeper {
    fn from_ref(app: &App) -> Self {
        app.gatekeeper.clone()
    }
}
