//! Sign-ins under way: at GitHub, or at the choice among several installations; and what GitHub told us by itself.

use crate::StoreError;
use crate::table::{Key, Table};
use domain::secret_token::SecretToken;
use domain::{InstallationId, Timestamp};
use serde::{Deserialize, Serialize};

/// How long somebody may take to sign in at GitHub, and again to choose, in seconds: 10 minutes.
pub const LOGIN_SECONDS: i64 = 600;
/// How long a delivery is remembered, in seconds: GitHub delivers again by hand, for three days.
const DELIVERY_SECONDS: i64 = 4 * 24 * 3600;

/// A sign-in that went to GitHub and has not come back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Login {
    /// The PKCE verifier whose challenge GitHub was given; none when it went to install the app.
    pub code_verifier: Option<String>,
    /// The place in the application that it leads back to, checked before it is kept.
    #[serde(default)]
    pub return_to: Option<String>,
    /// When it ends.
    pub ends_at: Timestamp,
}

/// Somebody as GitHub knows them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct User {
    /// Their number, which stays when they change their name.
    pub id: u64,
    /// Their account's name.
    pub login: String,
    /// The person's, if they gave one.
    pub name: Option<String>,
    /// Their picture's address.
    pub avatar_url: String,
}

/// An installation that somebody can choose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offered {
    /// The installation.
    pub id: InstallationId,
    /// The name of the account it is on.
    pub account: String,
    /// Whether that is an organisation rather than a person.
    pub organization: bool,
    /// The account's picture.
    pub avatar_url: String,
    /// Suspended at GitHub, so that nobody can act for it.
    pub suspended: bool,
}

/// Somebody GitHub has vouched for, who has yet to say for which installation they come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// Who.
    pub user: User,
    /// What they can reach.
    pub offered: Vec<Offered>,
    /// When GitHub said so.
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

    /// Remembers a sign-in by its state parameter.
    pub async fn begin(&self, state: &SecretToken, login: &Login) -> Result<(), StoreError> {
        let expires = Some(login.ends_at.epoch_seconds());
        self.table.put_new(&login_key(state), login, expires).await.map(drop)
    }

    /// Takes a sign-in, once.
    pub async fn finish(&self, state: &SecretToken) -> Result<Option<Login>, StoreError> {
        let found = self.table.take::<Login>(&login_key(state)).await?;
        Ok(found.filter(|login| login.ends_at > Timestamp::now()))
    }

    /// Remembers an offer.
    pub async fn offer(&self, token: &SecretToken, choice: &Choice) -> Result<(), StoreError> {
        let expires = Some(choice.ends_at.epoch_seconds());
        self.table.put_new(&choice_key(token), choice, expires).await.map(drop)
    }

    /// The offer of a token, unless it is over; opening a session on it takes it away.
    pub async fn offered(&self, token: &SecretToken) -> Result<Option<Choice>, StoreError> {
        let found = self.table.get::<Choice>(&choice_key(token)).await?;
        Ok(found.map(|stored| stored.value).filter(|choice| choice.ends_at > Timestamp::now()))
    }

    /// Whether GitHub's delivery of this id was dealt with.
    pub async fn is_delivered(&self, id: &str) -> Result<bool, StoreError> {
        self.table.get::<Delivery>(&delivery_key(id)).await.map(|found| found.is_some())
    }

    /// Remembers that it was: afterwards, so that one that failed half-way is dealt with again.
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
