//! Signing in with GitHub, and out again.
//!
//! The app is a GitHub App. What matters is not who a visitor is but which *installation* they may
//! act for, and only GitHub can tell: the `installation_id` in the callback's query is written by
//! whoever made the link. So the callback exchanges the code, asks GitHub which installations this
//! very user reaches, and a session is made for one of those or not at all.

mod callback;
mod github;
mod login;
mod routes;

use axum::extract::FromRef;
use cloud::{ConfigError, Secrets};
use domain::MicroDollars;
use github::GitHub;
use http_kit::Gatekeeper;
use store::ledger::Ledger;
use store::sessions::Sessions;

pub use routes::{openapi, routes};

/// What the function needs.
#[derive(Clone)]
pub struct App {
    gatekeeper: Gatekeeper,
    sessions: Sessions,
    github: GitHub,
    ledger: Ledger,
    /// What a new account begins with.
    opening_credit: MicroDollars,
}

impl App {
    /// From the environment; the app's client secret is read once, here.
    pub async fn from_env() -> Result<Self, ConfigError> {
        let sdk = cloud::sdk_config().await;
        let table = cloud::table(&sdk)?;
        let gatekeeper = Gatekeeper::new(&table, cloud::var("PUBLIC_URL")?);
        let github = GitHub::from_env(&Secrets::new(&sdk)).await?;
        Ok(Self {
            gatekeeper,
            sessions: Sessions::new(&table),
            github,
            ledger: Ledger::new(&table),
            opening_credit: opening_credit()?,
        })
    }
}

/// Dollars that a new account is given.
fn opening_credit() -> Result<MicroDollars, ConfigError> {
    let dollars = cloud::var_or("OPENING_CREDIT", "0");
    let credit =
        MicroDollars::parse_dollars(&dollars).filter(|credit| *credit >= MicroDollars::ZERO);
    credit.ok_or_else(|| ConfigError::Invalid {
        name: "OPENING_CREDIT",
        reason: format!("{dollars} is not a number of dollars with at most two decimals"),
    })
}

impl FromRef<App> for Gatekeeper {
    fn from_ref(app: &App) -> Self {
        app.gatekeeper.clone()
    }
}
