//! Signed-in sessions and sign-ins under way; only hashes of their tokens are keys.

use crate::StoreError;
use crate::table::{Key, Table};
use domain::secret_token::SecretToken;
use domain::{InstallationId, Timestamp};
use serde::{Deserialize, Serialize};

/// How long a session lasts, in seconds: 14 days.
pub const SESSION_SECONDS: i64 = 14 * 24 * 3600;
/// How long somebody may take to sign in at GitHub, in seconds: 10 minutes.
pub const LOGIN_SECONDS: i64 = 600;

/// Who is signed in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// The tenant that this session may act for; the only one.
    pub installation_id: InstallationId,
    /// The GitHub login.
    pub login: String,
    /// The display name, if there is one.
    pub name: Option<String>,
    /// The picture's address.
    pub avatar_url: String,
    /// When it ends; DynamoDB's own expiry may lag by days, so this is checked as well.
    pub ends_at: Timestamp,
}

/// A sign-in that went to GitHub and has not come back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Login {
    /// The PKCE verifier whose challenge GitHub was given; none when it went to install the app.
    pub code_verifier: Option<String>,
    /// When it ends.
    pub ends_at: Timestamp,
}

/// The sessions of the table.
#[derive(Clone, Debug)]
pub struct Sessions {
    table: Table,
}

impl Sessions {
    /// The sessions in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// Keeps a session under a token.
    pub async fn create(&self, token: &SecretToken, session: &Session) -> Result<(), StoreError> {
        let expires = Some(session.ends_at.epoch_seconds());
        self.table.put_new(&session_key(token), session, expires).await.map(drop)
    }

    /// The session of a token, if it has not ended.
    pub async fn find(&self, token: &SecretToken) -> Result<Option<Session>, StoreError> {
        let found = self.table.get::<Session>(&session_key(token)).await?;
        Ok(found.map(|stored| stored.value).filter(|session| session.ends_at > Timestamp::now()))
    }

    /// Ends a session; no error when there is none.
    pub async fn revoke(&self, token: &SecretToken) -> Result<(), StoreError> {
        self.table.take::<Session>(&session_key(token)).await.map(drop)
    }

    /// Remembers a sign-in by its state parameter.
    pub async fn begin_login(&self, state: &SecretToken, login: &Login) -> Result<(), StoreError> {
        let expires = Some(login.ends_at.epoch_seconds());
        self.table.put_new(&login_key(state), login, expires).await.map(drop)
    }

    /// Takes a sign-in, once.
    pub async fn finish_login(&self, state: &SecretToken) -> Result<Option<Login>, StoreError> {
        let found = self.table.take::<Login>(&login_key(state)).await?;
        Ok(found.filter(|login| login.ends_at > Timestamp::now()))
    }
}

fn session_key(token: &SecretToken) -> Key {
    Key::new(format!("SESSION#{}", token.hash()), "SESSION")
}

fn login_key(state: &SecretToken) -> Key {
    Key::new(format!("LOGIN#{}", state.hash()), "LOGIN")
}
