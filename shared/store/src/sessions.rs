//! Signed-in sessions; only hashes of their tokens are keys.
//!
//! A session ends after [`IDLE_SECONDS`] without use, and after [`SESSION_SECONDS`] in any case; a session for the
//! installation of another account than the user's own ends after [`SHARED_SECONDS`]. Using it moves its end, which costs a write at most every
//! [`EXTEND_SECONDS`]. Two more rows list the session under its user and under its installation, so that the rows of all
//! sessions of either can be deleted. A user has at most [`SESSIONS_PER_USER`] sessions; the oldest makes room.
//!
//! The end of an installation, of a person's access to it, or of all sessions of a user is one row ([`ends`]), and each
//! look at a session reads the rows on which it depends. So such an end takes effect at once, however many sessions it
//! ends and even if the function that recorded it dies before it has deleted them.
//!
//! A guest, a user of another person's account, gets a session only if the owner of that account allows it
//! ([`domain::guests`]); [`Sessions::open`] decides that in the transaction that opens the session.

pub(crate) mod ends;
mod opening;

pub use opening::{Grounds, Opening};

use crate::StoreError;
use crate::table::{IntoWrite, Key, Table, number, unless_refused};
use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem};
use domain::audit::Actor;
use domain::secret_token::SecretToken;
use domain::{InstallationId, Timestamp};
use ends::{Kept, ended_key, lasting, member_ended_key};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The longest life of a session, in seconds: 7 days.
pub const SESSION_SECONDS: i64 = 7 * 24 * 3600;
/// The longest life of a session for the installation of another account, in seconds: 1 day. GitHub reports only once
/// that a person has left; if that report was lost, the next sign-in finds out.
pub const SHARED_SECONDS: i64 = 24 * 3600;
/// How long an unused session lasts, in seconds: 12 hours.
pub const IDLE_SECONDS: i64 = 12 * 3600;
/// The least by which a session's end must move to be worth a write, in seconds: 15 minutes.
pub const EXTEND_SECONDS: i64 = 15 * 60;
/// The most sessions that a user has at a time: one for each browser and installation, with room for lost cookies. The
/// sign-in after that ends the oldest.
pub const SESSIONS_PER_USER: usize = 50;
/// The most sessions that one call deletes. The others have ended, too, and expire by their time to live.
const DELETED_AT_MOST: usize = 500;
/// Sessions that one transaction deletes: three rows each, of DynamoDB's 100.
const DELETED_AT_ONCE: usize = 33;

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
    /// The GitHub login of that other account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
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
    /// The session's user; rows of an earlier version have none.
    #[serde(default)]
    user_id: Option<u64>,
    /// Time of the sign-in; rows of an earlier version have none.
    #[serde(default)]
    signed_in_at: Option<Timestamp>,
    /// The row's time to live, which the table sets.
    #[serde(default, skip_serializing)]
    expires_at: i64,
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
        let Some(session) = self.lasting(&token.hash()).await? else { return Ok(None) };
        if let Some(later) = session.extended(Timestamp::now())
            && let Err(error) = self.extend(&session_key(token), session.ends_at, later).await
        {
            // Only a warning, because the session is still valid for hours, and its next use tries again.
            tracing::warn!(error = %domain::report::Chain(&error), "a session was not extended");
        }
        Ok(Some(session))
    }

    /// Whether the session of a token with this hash is still open.
    pub async fn is_open(&self, hash: &str) -> Result<bool, StoreError> {
        Ok(self.lasting(hash).await?.is_some())
    }

    async fn lasting(&self, hash: &str) -> Result<Option<Session>, StoreError> {
        let Some(kept) = self.kept(hash).await? else { return Ok(None) };
        let mut lasting = lasting(&self.table, vec![(hash.to_owned(), kept)]).await?;
        Ok(lasting.remove(hash))
    }

    /// The row of a session, which may have ended.
    async fn kept(&self, hash: &str) -> Result<Option<Kept>, StoreError> {
        match self.table.get::<Kept>(&hashed_key(hash)).await {
            // A row of an earlier version with other fields: its owner must sign in again.
            Err(StoreError::Shape(_)) => Ok(None),
            found => Ok(found?.map(|stored| stored.value)),
        }
    }

    /// Ends a session; also succeeds if it does not exist.
    pub async fn revoke(&self, token: &SecretToken) -> Result<EndedSessions, StoreError> {
        let hash = token.hash();
        let rows = self.rows(&hash).await?;
        self.table.transact(self.deletes(&rows)?).await?;
        Ok(EndedSessions(vec![hash]))
    }

    /// Ends every session of a user, and those of sign-ins that asked GitHub earlier.
    pub async fn end_user(&self, user_id: u64) -> Result<EndedSessions, StoreError> {
        self.end_sessions_of(user_id).await?;
        self.delete_listed(&user_list(user_id), |_| true).await
    }

    /// Ends every session of a user for one installation, and those of sign-ins that asked GitHub earlier.
    pub async fn end_member(
        &self,
        id: InstallationId,
        user_id: u64,
    ) -> Result<EndedSessions, StoreError> {
        self.end_access(&member_ended_key(id, user_id)).await?;
        let theirs = |listed: &Listed| listed.installation_id.is_none_or(|other| other == id);
        self.delete_listed(&user_list(user_id), theirs).await
    }

    /// Ends every session for an installation, and those of sign-ins that asked GitHub earlier.
    pub async fn end_installation(&self, id: InstallationId) -> Result<EndedSessions, StoreError> {
        self.shut(id).await?;
        self.delete_listed(&installation_list(id), |_| true).await
    }

    /// The same, but leaves the rows and the connections of the sessions: one write, which no number of sessions delays.
    pub async fn shut(&self, id: InstallationId) -> Result<(), StoreError> {
        self.end_access(&ended_key(id)).await
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

    /// Deletes the rows of ended sessions, at most [`DELETED_AT_MOST`] of them.
    async fn delete_listed(
        &self,
        list: &str,
        which: impl Fn(&Listed) -> bool,
    ) -> Result<EndedSessions, StoreError> {
        let page = self.table.page_before::<Listed>(list, LISTED, None, DELETED_AT_MOST).await?;
        let rows = page.0.into_iter().filter(|(_, listed)| which(&listed.value));
        let rows: Vec<_> =
            rows.map(|(sk, listed)| (hash_of(&sk).to_owned(), listed.value)).collect();
        for some in rows.chunks(DELETED_AT_ONCE) {
            let keys = |(hash, listed): &(String, Listed)| {
                // A row of an earlier version does not name the other list.
                let mut keys = listed.rows(hash);
                keys.insert(listed_key(list.to_owned(), hash));
                keys
            };
            self.table.transact(self.deletes(&some.iter().flat_map(keys).collect())?).await?;
        }
        Ok(EndedSessions(rows.into_iter().map(|(hash, _)| hash).collect()))
    }

    /// The rows of a session: its own, and those that list it.
    async fn rows(&self, hash: &str) -> Result<BTreeSet<Key>, StoreError> {
        let kept = self.kept(hash).await?;
        Ok(kept
            .map_or_else(|| [hashed_key(hash)].into(), |kept| Listed::of(&kept.session).rows(hash)))
    }

    fn deletes(&self, keys: &BTreeSet<Key>) -> Result<Vec<TransactWriteItem>, StoreError> {
        let delete = |key| self.table.delete_in_transaction(key).into_write();
        keys.iter().map(delete).collect()
    }
}

impl Listed {
    fn of(session: &Session) -> Self {
        Self {
            installation_id: Some(session.installation_id),
            user_id: Some(session.user_id),
            signed_in_at: Some(session.signed_in_at),
            expires_at: session.ends_at_last().epoch_seconds(),
        }
    }

    /// The rows of the listed session, as far as this row knows them.
    fn rows(&self, hash: &str) -> BTreeSet<Key> {
        let lists = [self.user_id.map(user_list), self.installation_id.map(installation_list)];
        let listed = lists.into_iter().flatten().map(|list| listed_key(list, hash));
        listed.chain([hashed_key(hash)]).collect()
    }
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

fn hash_of(sort_key: &str) -> &str {
    sort_key.trim_start_matches(LISTED)
}
