//! Signing in with GitHub, and out again.
//!
//! The app is a GitHub App. What matters is not who a visitor is but which *installation* they may
//! act for, and only GitHub can tell: the `installation_id` in the callback's query is written by
//! whoever made the link. So the callback exchanges the code, asks GitHub which installations this
//! very user reaches, and a session is made for one of those or not at all. Whoever reaches several
//! chooses, in a sign-in that is still pending; whoever reaches none is sent to install the app.
//!
//! What GitHub takes back later it tells by webhook: an installation that is suspended or deleted, a user who
//! withdraws their authorisation, and one who leaves an organisation lose their sessions at once. GitHub
//! tells once: a session for an organisation ends within a day, so that the next sign-in finds out what was lost.

mod callback;
mod choice;
mod github;
mod login;
mod return_to;
mod routes;
mod session;
mod webhook;

use aws::Secrets;
use axum::extract::FromRef;
use domain::MicroDollars;
use domain::report::Chain;
use flows::Endings;
use github::GitHub;
use http_kit::Gatekeeper;
use settings::ConfigError;
use store::deletions::Deletions;
use store::ledger::Ledger;
use store::sessions::Sessions;
use store::sign_ins::SignIns;
use webhook::WebhookKey;

pub use choice::{AccountType, InstallationOffer};
pub use routes::{SignedOut, UserProfile, openapi, routes};

/// What the function needs.
#[derive(Clone)]
pub struct App {
    gatekeeper: Gatekeeper,
    sessions: Sessions,
    endings: Endings,
    deletions: Deletions,
    sign_ins: SignIns,
    github: GitHub,
    webhook_key: WebhookKey,
    ledger: Ledger,
    /// What a new account begins with.
    opening_credit: MicroDollars,
}

impl App {
    /// From the environment; the app's two secrets are read once, here.
    pub async fn from_env() -> Result<Self, ConfigError> {
        let sdk = settings::sdk_config().await;
        let table = store::Table::from_env(&sdk)?;
        let gatekeeper = Gatekeeper::from_env(&table)?;
        let secrets = Secrets::new(&sdk);
        let (github, webhook_key) =
            tokio::try_join!(GitHub::from_env(&secrets), webhook_key(&secrets))?;
        Ok(Self {
            gatekeeper,
            sessions: Sessions::new(&table),
            endings: Endings::from_env(&sdk, &table)?,
            deletions: Deletions::new(&table),
            sign_ins: SignIns::new(&table),
            github,
            webhook_key,
            ledger: Ledger::new(&table),
            opening_credit: opening_credit()?,
        })
    }
}

/// Dollars that a new account is given.
fn opening_credit() -> Result<MicroDollars, ConfigError> {
    let dollars = settings::var_or("OPENING_CREDIT", "0");
    let credit =
        MicroDollars::parse_dollars(&dollars).filter(|credit| *credit >= MicroDollars::ZERO);
    credit.ok_or_else(|| ConfigError::Invalid {
        name: "OPENING_CREDIT",
        reason: format!("{dollars} is not a number of dollars with at most two decimals"),
    })
}

async fn webhook_key(secrets: &Secrets) -> Result<WebhookKey, ConfigError> {
    let id = settings::var("GITHUB_WEBHOOK_SECRET_ID")?;
    let invalid = |reason| ConfigError::Invalid { name: "GITHUB_WEBHOOK_SECRET_ID", reason };
    let secret = secrets.get(&id).await.map_err(|error| invalid(Chain(&error).to_string()))?;
    Ok(WebhookKey::new(&secret))
}

impl FromRef<App> for Gatekeeper {
    fn from_ref(app: &App) -> Self {
        app.gatekeeper.clone()
    }
}
