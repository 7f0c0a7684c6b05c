//! Sign-ins under way, either on GitHub or at the choice among several installations, and the webhook deliveries from
//! GitHub.

use crate::StoreError;
use crate::table::{Key, Table};
use domain::secret_token::SecretToken;
use domain::{InstallationId, Timestamp};
use serde::{Deserialize, Serialize};

/// How long a person may take to sign in on GitHub, and again to choose, in seconds: 10 minutes.
pub const LOGIN_SECONDS: i64 = 600;
/// How long a delivery is remembered, in seconds: GitHub allows redelivery for three days.
const DELIVERY_SECONDS: i64 = 4 * 24 * 3600;

/// A sign-in that went to GitHub and has not come back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Login {
    /// The PKCE verifier whose challenge GitHub got; `None` if the person went to install the app.
    pub code_verifier: Option<String>,
    /// The place in the application to return to, checked before it is stored.
    #[serde(default)]
    pub return_to: Option<String>,
    /// Time of expiry.
    pub ends_at: Timestamp,
}

/// A person, as GitHub describes them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct User {
    /// Their number, which stays when their login changes.
    pub id: u64,
    /// Their account's name.
    pub login: String,
    /// The person's name, if they gave one.
    pub name: Option<String>,
    /// The address of their picture.
    pub avatar_url: String,
}

/// An installation that a person can choose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offered {
    /// The installation.
    pub id: InstallationId,
    /// The name of its account.
    pub account: String,
    /// Whether that account is an organization rather than a person.
    pub organization: bool,
    /// Whether that account is the person's own.
    #[serde(default)]
    pub own: bool,
    /// The account's picture.
    pub avatar_url: String,
    /// Suspended on GitHub, so no session can act for it.
    pub suspended: bool,
    /// Whether GitHub lists the person as an active member of that organization.
    #[serde(default)]
    pub member: bool,
}

/// A person whom GitHub has identified, but who has yet to choose an installation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// The person.
    pub user: User,
    /// The installations within their reach.
    pub offered: Vec<Offered>,
    /// When GitHub answered.
    pub asked_at: Timestamp,
    /// When the offer ends.
    pub ends_at: Timestamp,
}

/// The sign-ins of the table.
#[derive(Clone, Debug)]
pub struct SignIns {
    table: Table,
}

impl SignIns {
    /// The sign-ins in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// Stores a sign-in under its state parameter.
    pub async fn begin(&self, state: &SecretToken, login: &Login) -> Result<(), StoreError> {
        let expires = Some(login.ends_at.epoch_seconds());
        self.table.put_new(&login_key(state), login, expires).await.map(drop)
    }

    /// Takes a sign-in, once.
    pub async fn finish(&self, state: &SecretToken) -> Result<Option<Login>, StoreError> {
        let found = self.table.take::<Login>(&login_key(state)).await?;
        Ok(found.filter(|login| login.ends_at > Timestamp::now()))
    }

    /// Stores an offer.
    pub async fn offer(&self, token: &SecretToken, choice: &Choice) -> Result<(), StoreError> {
        let expires = Some(choice.ends_at.epoch_seconds());
        self.table.put_new(&choice_key(token), choice, expires).await.map(drop)
    }

    /// The offer of a token, unless it has expired; opening a session on it removes it.
    pub async fn offered(&self, token: &SecretToken) -> Result<Option<Choice>, StoreError> {
        let found = self.table.get::<Choice>(&choice_key(token)).await?;
        Ok(found.map(|stored| stored.value).filter(|choice| choice.ends_at > Timestamp::now()))
    }

    /// Whether GitHub's delivery with this id was handled.
    pub async fn is_delivered(&self, id: &str) -> Result<bool, StoreError> {
        self.table.get::<Delivery>(&delivery_key(id)).await.map(|found| found.is_some())
    }

    /// Records that a delivery was handled. This happens afterward, so that a delivery that failed halfway is handled
    /// again.
    pub async fn delivered(&self, id: &str, event: &str) -> Result<(), StoreError> {
        let delivery = Delivery { event: event.to_owned() };
        let expires = Timestamp::now().plus_seconds(DELIVERY_SECONDS).epoch_seconds();
        self.table.put_new(&delivery_key(id), &delivery, Some(expires)).await.map(drop)
    }
}

#[derive(Serialize, Deserialize)]
struct Delivery {
    event: String,
}

fn login_key(state: &SecretToken) -> Key {
    Key::new(format!("LOGIN#{}", state.hash()), "LOGIN")
}

pub(crate) fn choice_key(token: &SecretToken) -> Key {
    Key::new(format!("LOGIN#{}", token.hash()), "CHOICE")
}

fn delivery_key(id: &str) -> Key {
    Key::new(format!("DELIVERY#{id}"), "DELIVERY")
}
