//! Ends of access: of an installation, of a person's access to it, and of all sessions of a person.
//!
//! A session is valid only if each of these was recorded before its sign-in asked GitHub. That is the condition under
//! which the session was opened, so whichever of the two comes first, nothing is left open.
//!
//! The end of an installation, or of a person's access to it, is remembered until a sign-in that asked GitHub later
//! regains it. Until then, links to timelines stay closed, too: they depend on the access of the person who made them.
//! Checks for drift run under approvals that end with the access of the people who gave them, and a project may be
//! archived for any time, so the table does not forget such an end.

use super::{Session, Sessions, installation_list, user_list};
use crate::StoreError;
use crate::table::{IntoWrite, Item, Key, Table, number};
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::TransactWriteItem;
use domain::clock::DAY_SECONDS;
use domain::share::MAX_SHARE_DAYS;
use domain::{InstallationId, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// How long the table remembers an access that was regained, and that a user has signed out everywhere, in seconds:
/// longer than any session, than any sign-in that asked GitHub before, and than any link that was made before.
const REMEMBERED_SECONDS: i64 = (MAX_SHARE_DAYS as i64 + 1) * DAY_SECONDS;

/// The condition of a sign-in that asked GitHub at `:asked`.
const NOT_ENDED: &str = "attribute_not_exists(ended_ms) OR ended_ms < :asked";

/// A session as the table keeps it.
#[derive(Serialize, Deserialize)]
pub(crate) struct Kept {
    #[serde(flatten)]
    pub session: Session,
    /// When its sign-in asked GitHub; rows of an earlier version have none.
    #[serde(default)]
    pub asked_at: Option<Timestamp>,
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
    /// Of a person's access to an installation: when the latest session for it ends at the latest, in seconds since
    /// 1970.
    #[serde(default)]
    session_until: Option<i64>,
}

impl Ended {
    /// Whether the access that ended was not regained.
    fn lasts(&self) -> bool {
        self.ended_ms.is_some() && self.regained_ms < self.ended_ms
    }
}

impl Kept {
    fn ends(&self) -> [Key; 3] {
        ends_of(self.session.installation_id, self.session.user_id)
    }

    fn asked_ms(&self) -> i64 {
        self.asked_at.unwrap_or(self.session.signed_in_at).epoch_milliseconds()
    }
}

/// Those of these sessions that have not ended, by the hashes of their tokens; reads all of the ends on which they
/// depend together.
pub(crate) async fn lasting(
    table: &Table,
    sessions: Vec<(String, Kept)>,
) -> Result<HashMap<String, Session>, StoreError> {
    let now = Timestamp::now();
    let current = sessions.into_iter().filter(|(_, kept)| kept.session.ends_at > now);
    let current: Vec<_> = current.collect();
    let ends: Vec<_> = current.iter().flat_map(|(_, kept)| kept.ends()).collect();
    let found = table.get_many(&ends).await?;
    let mut lasting = HashMap::new();
    for (hash, kept) in current {
        if !any_ended_since(&found, &kept.ends(), kept.asked_ms())? {
            lasting.insert(hash, kept.session);
        }
    }
    Ok(lasting)
}

/// Whether one of the ends under these keys is not older than a call to GitHub.
fn any_ended_since(
    found: &HashMap<(String, String), Item>,
    ends: &[Key],
    asked_ms: i64,
) -> Result<bool, StoreError> {
    for Key { pk, sk } in ends.iter().cloned() {
        let Some(item) = found.get(&(pk, sk)) else { continue };
        let end: Ended = serde_dynamo::from_item(item.clone())?;
        if end.ended_ms >= Some(asked_ms) {
            return Ok(true);
        }
    }
    Ok(false)
}

impl Sessions {
    /// Whether a person signed in for an installation within the longest life of a session for it, and nothing has
    /// ended their sessions since. Signing out in one browser does not count, because it says nothing about their
    /// rights.
    pub async fn signed_in_lately(
        &self,
        id: InstallationId,
        user_id: u64,
    ) -> Result<bool, StoreError> {
        let ends = ends_of(id, user_id);
        let found = self.table.get_many(&ends).await?;
        let Key { pk, sk } = member_ended_key(id, user_id);
        let Some(member) = found.get(&(pk, sk)) else { return Ok(false) };
        let member: Ended = serde_dynamo::from_item(member.clone())?;
        let (Some(asked_ms), Some(until)) = (member.regained_ms, member.session_until) else {
            return Ok(false);
        };
        Ok(until > Timestamp::now().epoch_seconds() && !any_ended_since(&found, &ends, asked_ms)?)
    }

    /// Whether a user has signed out everywhere since we asked GitHub about them.
    pub async fn ended_since(&self, user_id: u64, asked_at: Timestamp) -> Result<bool, StoreError> {
        let end = self.table.get::<Ended>(&user_ended_key(user_id)).await?;
        let asked_ms = Some(asked_at.epoch_milliseconds());
        Ok(end.is_some_and(|end| end.value.ended_ms >= asked_ms))
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

    /// Records the end of all sessions of a user.
    pub(super) async fn end_sessions_of(&self, user_id: u64) -> Result<(), StoreError> {
        let end = self.ending(&user_ended_key(user_id));
        // Nothing but sessions and sign-ins depends on it.
        let end = end.update_expression("SET ended_ms = :now, expires_at = :forgotten");
        let end = end.expression_attribute_values(":forgotten", number(forgotten()));
        end.send().await.map(drop).map_err(StoreError::dynamo("UpdateItem"))
    }

    /// Records that an access has ended. Must run before the sessions are deleted: a session that was opened earlier is
    /// then listed, and one that is opened later is refused.
    pub(super) async fn end_access(&self, end: &Key) -> Result<(), StoreError> {
        let end = self.ending(end).update_expression("SET ended_ms = :now REMOVE expires_at");
        end.send().await.map(drop).map_err(StoreError::dynamo("UpdateItem"))
    }

    fn ending(&self, end: &Key) -> UpdateItemFluentBuilder {
        let update = self.table.client.update_item().table_name(&self.table.name);
        let update = update.set_key(Some(end.attributes()));
        update.expression_attribute_values(":now", number(Timestamp::now().epoch_milliseconds()))
    }

    /// The writes that record that GitHub has confirmed a session's access since it last ended; refused if it has ended
    /// since we asked, or its user has signed out everywhere.
    pub(super) fn regaining(
        &self,
        session: &Session,
        asked_at: Timestamp,
    ) -> Result<Vec<TransactWriteItem>, StoreError> {
        let (id, user) = (session.installation_id, session.user_id);
        let asked = number(asked_at.epoch_milliseconds());
        let regained = |end: Key, and: &str| {
            self.table
                .update_in_transaction(&end)
                .update_expression(format!(
                    "SET regained_ms = :asked, expires_at = :forgotten{and}"
                ))
                .condition_expression(NOT_ENDED)
                .expression_attribute_values(":asked", asked.clone())
                .expression_attribute_values(":forgotten", number(forgotten()))
        };
        let until = number(session.ends_at_last().epoch_seconds());
        let member = regained(member_ended_key(id, user), ", session_until = :until")
            .expression_attribute_values(":until", until);
        let mut writes = Vec::new();
        for update in [regained(ended_key(id), ""), member] {
            writes.push(update.into_write()?);
        }
        let check = self
            .table
            .check_in_transaction(&user_ended_key(user))
            .condition_expression(NOT_ENDED)
            .expression_attribute_values(":asked", asked.clone());
        writes.push(check.into_write()?);
        Ok(writes)
    }
}

/// When the table forgets what is remembered from now on, in seconds since 1970.
fn forgotten() -> i64 {
    Timestamp::now().plus_seconds(REMEMBERED_SECONDS).epoch_seconds()
}

/// The ends on which the sessions of a user for an installation depend.
fn ends_of(id: InstallationId, user_id: u64) -> [Key; 3] {
    [ended_key(id), member_ended_key(id, user_id), user_ended_key(user_id)]
}

fn user_ended_key(user_id: u64) -> Key {
    Key::new(user_list(user_id), "ENDED")
}

pub(super) fn ended_key(id: InstallationId) -> Key {
    Key::new(installation_list(id), "ENDED")
}

pub(super) fn member_ended_key(id: InstallationId, user_id: u64) -> Key {
    Key::new(installation_list(id), format!("ENDED#USER#{user_id}"))
}
