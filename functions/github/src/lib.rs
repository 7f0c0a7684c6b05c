//! Signs users in with GitHub, and out again.
//!
//! The app is a GitHub App. What matters is not who a visitor is, but for which *installation* they may act. Only
//! GitHub can answer that, because any visitor can write the `installation_id` in the callback's query. So the callback
//! exchanges the code, asks GitHub which installations this user can reach, and opens a session only for one of those.
//! A user who can reach several chooses one, in a sign-in that is still pending; a user who can reach none is sent to
//! install the app.
//!
//! A user also reaches the installation of a person to whose repository they contribute. There they are a guest, whom
//! the owner of the account has to allow first ([`domain::guests`]).
//!
//! GitHub reports later changes by webhook. After a suspended or deleted installation, a withdrawn authorization, or a
//! departure from an organization, the affected users lose their sessions at once. GitHub reports each change only
//! once, so a session for another account than the user's own ends within a day: if a report was lost, the next sign-in
//! finds the change.

mod callback;
mod choice;
mod denied;
mod github;
mod guests;
mod login;
mod return_to;
mod routes;
mod session;
mod webhook;

use aws::Secrets;
use axum::extract::FromRef;
use domain::MicroDollars;
use flows::EndedAccess;
use github::GitHub;
use http_kit::Gatekeeper;
use settings::{ConfigError, Secret};
use store::deletions::Deletions;
use store::guests::Guests;
use store::ledger::Ledger;
use store::sessions::Sessions;
use store::sign_ins::SignIns;

pub use choice::{AccountType, InstallationOffer};
pub use guests::{GuestBody, GuestsBody, GuestsPolicy};
pub use routes::{Access, SignedOut, UserProfile, openapi, routes};

/// The function's state.
#[derive(Clone)]
pub struct App {
    gatekeeper: Gatekeeper,
    sessions: Sessions,
    ended_access: EndedAccess,
    deletions: Deletions,
    guests: Guests,
    sign_ins: SignIns,
    github: GitHub,
    webhook_secret: Secret,
    ledger: Ledger,
    /// The opening credit of a new account.
    opening_credit: MicroDollars,
}

impl App {
    /// Builds the state from the environment.
    pub async fn from_env() -> Result<Self, ConfigError> {
        let sdk = settings::sdk_config().await;
        let table = store::Table::from_env(&sdk)?;
        let gatekeeper = Gatekeeper::from_env(&table);
        let secrets = Secrets::new(&sdk);
        let webhook_secret = settings::var("GITHUB_WEBHOOK_SECRET_ID")?;
        let webhook_secret = secrets.secret("the GitHub App's webhook secret", webhook_secret);
        Ok(Self {
            gatekeeper,
            sessions: Sessions::new(&table),
            ended_access: EndedAccess::from_env(&sdk, &table)?,
            deletions: Deletions::new(&table),
            guests: Guests::new(&table),
            sign_ins: SignIns::new(&table),
            github: GitHub::from_env(&secrets)?,
            webhook_secret,
            ledger: Ledger::new(&table),
            opening_credit: opening_credit()?,
        })
    }
}

/// The opening credit of a new account, in dollars.
fn opening_credit() -> Result<MicroDollars, ConfigError> {
    let dollars = settings::var_or("OPENING_CREDIT", "0");
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
