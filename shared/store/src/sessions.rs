//! Signed-in sessions; only hashes of their tokens are keys.
//!
//! A session ends after [`IDLE_SECONDS`] without use, and after [`SESSION_SECONDS`] in any case; a session for the
//! installation of another account than the user's own ends after [`SHARED_SECONDS`]. Using it moves its end, which costs a write at most every
//! [`EXTEND_SECONDS`]. Two more rows list the session under its user and under its installation, so that all sessions
//! of either, and all of a user for one installation, can be ended at once. They expire by their time to live. Only
//! people who have such a row get mail, so mail ends with the right to sign in.
//!
//! A guest, a user of another person's account, gets a session only if the owner of that account allows it
//! ([`domain::guests`]); [`Sessions::open`] decides that in the transaction that opens the session.
//!
//! The end of an installation, or of a person's access to it, is remembered until a sign-in that asked GitHub later
//! regains it. Until then, links to timelines stay closed, too: they depend on the access of the person who made them.
//! Checks for drift run under approvals that end with the access of the people who gave them.

mod opening;

pub use opening::{Grounds, Opening};

use crate::StoreError;
use crate::table::{Key, Table, built, number, unless_refused};
use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem};
use domain::audit::Actor;
use domain::clock::DAY_SECONDS;
use domain::secret_token::SecretToken;
use domain::share::MAX_SHARE_DAYS;
use domain::{InstallationId, Timestamp};
use serde::{Deserialize, Serialize};

/// The longest life of a session, in seconds: 7 days.
pub const SESSION_SECONDS: i64 = 7 * 24 * 3600;
/// The longest life of a session for the installation of another account, in seconds: 1 day. GitHub reports only once
/// that a person has left; if that report was lost, the next sign-in finds out.
pub const SHARED_SECONDS: i64 = 24 * 3600;
/// How long an unused session lasts, in seconds: 12 hours.
pub const IDLE_SECONDS: i64 = 12 * 3600;
/// The least by which a session's end must move to be worth a write, in seconds: 15 minutes.
pub const EXTEND_SECONDS: i64 = 15 * 60;
/// How long the table remembers an end, in seconds: longer than any sign-in that asked GitHub before, and than any link
/// that was made before.
const ENDED_SECONDS: i64 = (MAX_SHARE_DAYS as i64 + 1) * DAY_SECONDS;
/// Sessions that one transaction ends: two rows each, of DynamoDB's 100.
const ENDED_AT_ONCE: usize = 50;

/// The person who is signed in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// The user's number on GitHub, which stays when their login changes.
    pub user_id: u64,
    /// The only tenant for which this session may act.
    pub installation_id: InstallationId,
    /// Whether that tenant is another account than the user's own, which decides who has access to it: an organization,
    /// or a person to whose repository the user contributes.
    #[serde(default)]
    pub shared: bool,
    /// Whether that other account is a person's, so that its owner decides who may act for it.
    #[serde(default)]
    pub guest: bool,
    /// The GitHub login.
    pub login: String,
    /// The display name, if there is one.
    pub name: Option<String>,
    /// The address of the picture.
    pub avatar_url: String,
    /// Time of the sign-in.
    pub signed_in_at: Timestamp,
    /// When it ends unless it is used; checked on reading, because DynamoDB may expire rows days late.
    pub ends_at: Timestamp,
}

/// Ended sessions, by the hashes of their tokens; the caller must close their connections.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[must_use = "the connections of these sessions are still open"]
pub struct EndedSessions(pub Vec<String>);

/// The sessions of the table.
#[derive(Clone, Debug)]
pub struct Sessions {
    table: Table,
}

/// Lists a session under its user or its installation.
#[derive(Serialize, Deserialize)]
struct Listed {
    /// The installation of the session; rows of an earlier version have none.
    installation_id: Option<InstallationId>,
    /// The row's time to live, which the table sets.
    #[serde(default, skip_serializing)]
    expires_at: i64,
}

/// The end of an installation, of a membership in one, or of all sessions of a user.
#[derive(Deserialize)]
struct Ended {
    /// When, in milliseconds since 1970; `None` if only sign-ins were recorded.
    #[serde(default)]
    ended_ms: Option<i64>,
    /// When a later sign-in asked GitHub, which confirmed the access.
    #[serde(default)]
    regained_ms: Option<i64>,
}

impl Ended {
    /// Whether the access that ended was not regained.
    fn lasts(&self) -> bool {
        self.ended_ms.is_some() && self.regained_ms < self.ended_ms
    }
}

impl Session {
    /// The person who acts with this session.
    pub fn actor(&self) -> Actor {
        Actor { user_id: self.user_id, login: self.login.clone() }
    }

    /// The latest time at which it ends.
    fn ends_at_last(&self) -> Timestamp {
        self.signed_in_at.plus_seconds(if self.shared { SHARED_SECONDS } else { SESSION_SECONDS })
    }

    /// The new end of a session that is used `now`, if moving it is worth a write.
    fn extended(&self, now: Timestamp) -> Option<Timestamp> {
        let later = now.plus_seconds(IDLE_SECONDS).min(self.ends_at_last());
        (later.seconds_since(self.ends_at) >= EXTEND_SECONDS).then_some(later)
    }
}

impl Sessions {
    /// The sessions in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// The session of a token, if it has not ended; reading it moves its end.
    pub async fn find(&self, token: &SecretToken) -> Result<Option<Session>, StoreError> {
        let key = session_key(token);
        let found = match self.table.get::<Session>(&key).await {
            // A row of an earlier version with other fields: its owner must sign in again.
            Err(StoreError::Shape(_)) => return Ok(None),
            found => found?.map(|stored| stored.value),
        };
        let now = Timestamp::now();
        let Some(session) = found.filter(|session| session.ends_at > now) else { return Ok(None) };
        if let Some(later) = session.extended(now)
            && let Err(error) = self.extend(&key, session.ends_at, later).await
        {
            // Only a warning, because the session is still valid for hours, and its next use tries again.
            tracing::warn!(error = %domain::report::Chain(&error), "a session was not extended");
        }
        Ok(Some(session))
    }

    /// Whether the session of a token with this hash is still open.
    pub async fn is_open(&self, hash: &str) -> Result<bool, StoreError> {
        let found = self.table.get::<Session>(&hashed_key(hash)).await?;
        Ok(found.is_some_and(|stored| stored.value.ends_at > Timestamp::now()))
    }

    /// Whether a person signed in for an installation within the longest life of a session for it, and nothing has
    /// ended their sessions since. Signing out in one browser does not count, because it says nothing about their
    /// rights.
    pub async fn signed_in_lately(
        &self,
        id: InstallationId,
        user_id: u64,
    ) -> Result<bool, StoreError> {
        let rows = self.table.query::<Listed>(&user_list(user_id), LISTED).await?;
        let now = Timestamp::now().epoch_seconds();
        let lasts = |listed: &Listed| listed.installation_id == Some(id) && listed.expires_at > now;
        Ok(rows.iter().any(|(_, row)| lasts(&row.value)))
    }

    /// Ends a session; also succeeds if it does not exist.
    pub async fn revoke(&self, token: &SecretToken) -> Result<EndedSessions, StoreError> {
        self.table.take::<serde::de::IgnoredAny>(&session_key(token)).await?;
        Ok(EndedSessions(vec![token.hash()]))
    }

    /// Whether a user has signed out everywhere since we asked GitHub about them.
    pub async fn ended_since(&self, user_id: u64, asked_at: Timestamp) -> Result<bool, StoreError> {
        let Key { pk, sk } = user_ended_key(user_id);
        let ends = self.table.query::<Ended>(&pk, &sk).await?;
        let asked_ms = Some(asked_at.epoch_milliseconds());
        Ok(ends.iter().any(|(_, end)| end.value.ended_ms >= asked_ms))
    }

    /// Whether an installation is suspended or gone, or a user has left it, and no sign-in has regained it since. Asks
    /// the table, not GitHub.
    pub async fn is_over(&self, id: InstallationId, user_id: u64) -> Result<bool, StoreError> {
        let (gone, left) =
            tokio::try_join!(self.is_installation_over(id), self.has_left(id, user_id))?;
        Ok(gone || left)
    }

    /// Whether an installation is suspended or gone, and no sign-in has regained it since.
    pub async fn is_installation_over(&self, id: InstallationId) -> Result<bool, StoreError> {
        self.lasts(&ended_key(id)).await
    }

    /// Whether a user has left an installation, and no sign-in of theirs has regained it since.
    pub async fn has_left(&self, id: InstallationId, user_id: u64) -> Result<bool, StoreError> {
        self.lasts(&member_ended_key(id, user_id)).await
    }

    async fn lasts(&self, end: &Key) -> Result<bool, StoreError> {
        let end = self.table.get::<Ended>(end).await?;
        Ok(end.is_some_and(|end| end.value.lasts()))
    }

    /// Ends every session of a user, and those of sign-ins that asked GitHub earlier.
    pub async fn end_user(&self, user_id: u64) -> Result<EndedSessions, StoreError> {
        self.remember_end(&user_ended_key(user_id)).await?;
        self.end_listed(&user_list(user_id), |_| true).await
    }

    /// Ends every session of a user for one installation, and those of sign-ins that asked GitHub earlier.
    pub async fn end_member(
        &self,
        id: InstallationId,
        user_id: u64,
    ) -> Result<EndedSessions, StoreError> {
        self.remember_end(&member_ended_key(id, user_id)).await?;
        let theirs = |listed: &Listed| listed.installation_id.is_none_or(|other| other == id);
        self.end_listed(&user_list(user_id), theirs).await
    }

    /// Ends every session for an installation, and those of sign-ins that asked GitHub earlier.
    pub async fn end_installation(&self, id: InstallationId) -> Result<EndedSessions, StoreError> {
        self.remember_end(&ended_key(id)).await?;
        self.end_listed(&installation_list(id), |_| true).await
    }

    /// Records that this has ended. Must run before the sessions are ended: a session that was opened earlier is then
    /// listed, and one that is opened later is refused.
    async fn remember_end(&self, end: &Key) -> Result<(), StoreError> {
        self.table
            .client
            .update_item()
            .table_name(&self.table.name)
            .set_key(Some(end.attributes()))
            .update_expression("SET ended_ms = :now, expires_at = :forgotten")
            .expression_attribute_values(":now", number(Timestamp::now().epoch_milliseconds()))
            .expression_attribute_values(":forgotten", number(forgotten()))
            .send()
            .await
            .map(drop)
            .map_err(StoreError::dynamo("UpdateItem"))
    }

    async fn extend(&self, key: &Key, seen: Timestamp, later: Timestamp) -> Result<(), StoreError> {
        let time = |at: Timestamp| serde_dynamo::to_attribute_value::<_, AttributeValue>(at);
        let update = self
            .table
            .client
            .update_item()
            .table_name(&self.table.name)
            .set_key(Some(key.attributes()))
            .update_expression("SET ends_at = :later, expires_at = :expires")
            // Another call may have moved its end or ended it; an ended session must stay ended.
            .condition_expression("ends_at = :seen")
            .expression_attribute_values(":seen", time(seen)?)
            .expression_attribute_values(":later", time(later)?)
            .expression_attribute_values(":expires", number(later.epoch_seconds()));
        unless_refused("UpdateItem", update.send().await).map(drop)
    }

    async fn end_listed(
        &self,
        list: &str,
        which: impl Fn(&Listed) -> bool,
    ) -> Result<EndedSessions, StoreError> {
        let mut rows = self.table.query::<Listed>(list, LISTED).await?;
        rows.retain(|(_, listed)| which(&listed.value));
        for some in rows.chunks(ENDED_AT_ONCE) {
            let mut deletes = Vec::new();
            for (sk, _) in some {
                let hash = sk.trim_start_matches(LISTED);
                for key in [hashed_key(hash), Key::new(list, sk.as_str())] {
                    let delete = built(self.table.delete_in_transaction(&key).build())?;
                    deletes.push(TransactWriteItem::builder().delete(delete).build());
                }
            }
            self.table.transact(deletes).await?;
        }
        let hash = |(sk, _): (String, _)| sk.trim_start_matches(LISTED).to_owned();
        Ok(EndedSessions(rows.into_iter().map(hash).collect()))
    }
}

/// When the table forgets an end that is recorded now, in seconds since 1970.
fn forgotten() -> i64 {
    Timestamp::now().plus_seconds(ENDED_SECONDS).epoch_seconds()
}

/// Prefix of the sort keys of listed sessions.
const LISTED: &str = "SESSION#";

fn session_key(token: &SecretToken) -> Key {
    hashed_key(&token.hash())
}

pub(crate) fn hashed_key(hash: &str) -> Key {
    Key::new(format!("SESSION#{hash}"), "SESSION")
}

fn user_list(user_id: u64) -> String {
    format!("USER#{user_id}")
}

fn installation_list(id: InstallationId) -> String {
    format!("INSTALLATION#{id}")
}

fn listed_key(list: String, hash: &str) -> Key {
    Key::new(list, format!("{LISTED}{hash}"))
}

fn user_ended_key(user_id: u64) -> Key {
    Key::new(user_list(user_id), "ENDED")
}

fn ended_key(id: InstallationId) -> Key {
    Key::new(installation_list(id), "ENDED")
}

fn member_ended_key(id: InstallationId, user_id: u64) -> Key {
    Key::new(installation_list(id), format!("ENDED#USER#{user_id}"))
}
