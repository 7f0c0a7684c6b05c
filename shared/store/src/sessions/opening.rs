//! Opens sessions: in one transaction, with everything that the right to a session depends on.

use super::{
    Listed, Session, Sessions, ended_key, forgotten, installation_list, listed_key,
    member_ended_key, session_key, user_ended_key, user_list,
};
use crate::StoreError;
use crate::guests::{Guests, Seen};
use crate::sign_ins::choice_key;
use crate::table::{Key, MAX_ATTEMPTS, built, number};
use aws_sdk_dynamodb::types::{ConditionCheck, TransactWriteItem, Update};
use domain::Timestamp;
use domain::guests::Admission;
use domain::secret_token::SecretToken;
use serde::Serialize;

/// The basis on which a session is opened.
#[derive(Debug)]
pub struct Grounds<'a> {
    /// When we asked GitHub whether the user can reach the installation. If we have learned since that this has ended,
    /// or the user has signed out everywhere, the end counts.
    pub asked_at: Timestamp,
    /// The previous session of the same browser, which this one ends.
    pub replaces: Option<&'a SecretToken>,
    /// The offer from which the installation was chosen; it is valid once.
    pub chosen_from: Option<&'a SecretToken>,
}

/// The outcome of opening a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "only an opened session has a token"]
pub enum Opening {
    /// The session is open.
    Opened,
    /// The installation or the user's sessions have ended since we asked GitHub, or the offer was already taken.
    Over,
    /// The owner of the account does not allow this guest.
    GuestRefused,
}

impl Sessions {
    /// Stores a session under a token, if everything that it depends on still holds.
    pub async fn open(
        &self,
        token: &SecretToken,
        session: &Session,
        grounds: Grounds<'_>,
    ) -> Result<Opening, StoreError> {
        let writes = self.opening(token, session, &grounds)?;
        if session.guest {
            return self.open_to_guest(session, writes).await;
        }
        let opened = self.table.transact(writes).await?;
        Ok(if opened { Opening::Opened } else { Opening::Over })
    }

    /// Opens a guest's session together with their place on the list of guests. If the list changes in the meantime, by
    /// a decision of the owner or another guest's attempt, the changed list decides.
    async fn open_to_guest(
        &self,
        session: &Session,
        writes: Vec<TransactWriteItem>,
    ) -> Result<Opening, StoreError> {
        let (guests, id) = (Guests::new(&self.table), session.installation_id);
        for _ in 0..MAX_ATTEMPTS {
            let Seen { list, version } = guests.see(id).await?;
            let arrival = list.arrival(session.user_id, &session.login, session.signed_in_at);
            match (arrival.admission, arrival.noted) {
                (Admission::Allowed, Some(list)) => {
                    let entering = guests.noting(id, version, &list)?;
                    let all = [&[entering], writes.as_slice()].concat();
                    match self.table.transact_or_why(all).await? {
                        Ok(()) => return Ok(Opening::Opened),
                        Err(failed) if failed.contains(&0) => {}
                        Err(_) => return Ok(Opening::Over),
                    }
                }
                (_, Some(list)) => {
                    if guests.note(id, version, &list).await? {
                        return Ok(Opening::GuestRefused);
                    }
                }
                (_, None) => return Ok(Opening::GuestRefused),
            }
        }
        Err(StoreError::Contended)
    }

    fn opening(
        &self,
        token: &SecretToken,
        session: &Session,
        grounds: &Grounds<'_>,
    ) -> Result<Vec<TransactWriteItem>, StoreError> {
        let expires = session.ends_at.epoch_seconds();
        let mut writes = vec![self.put(&session_key(token), session, expires)?];
        let last = session.ends_at_last().epoch_seconds();
        for list in [user_list(session.user_id), installation_list(session.installation_id)] {
            let listed =
                Listed { installation_id: Some(session.installation_id), expires_at: last };
            writes.push(self.put(&listed_key(list, &token.hash()), &listed, last)?);
        }
        let (installation, user) = (session.installation_id, session.user_id);
        for end in [ended_key(installation), member_ended_key(installation, user)] {
            writes.push(self.regaining(&end, grounds.asked_at)?);
        }
        writes.push(self.unless_ended(&user_ended_key(user), grounds.asked_at)?);
        if let Some(old) = grounds.replaces.filter(|old| *old != token) {
            let delete = built(self.table.delete_in_transaction(&session_key(old)).build())?;
            writes.push(TransactWriteItem::builder().delete(delete).build());
        }
        if let Some(choice) = grounds.chosen_from {
            let once = self.table.delete_in_transaction(&choice_key(choice));
            let delete = built(once.condition_expression("attribute_exists(pk)").build())?;
            writes.push(TransactWriteItem::builder().delete(delete).build());
        }
        Ok(writes)
    }

    fn put<T: Serialize>(
        &self,
        key: &Key,
        value: &T,
        expires_at: i64,
    ) -> Result<TransactWriteItem, StoreError> {
        let put = self.table.expiring_put_in_transaction(key, value, expires_at)?;
        let new = put.condition_expression("attribute_not_exists(pk)");
        Ok(TransactWriteItem::builder().put(built(new.build())?).build())
    }

    /// Records that GitHub has confirmed the access since it last ended; refused if it has ended since we asked.
    fn regaining(&self, end: &Key, asked_at: Timestamp) -> Result<TransactWriteItem, StoreError> {
        let update = Update::builder()
            .table_name(&self.table.name)
            .set_key(Some(end.attributes()))
            .update_expression("SET regained_ms = :asked, expires_at = :forgotten")
            .condition_expression("attribute_not_exists(ended_ms) OR ended_ms < :asked")
            .expression_attribute_values(":asked", number(asked_at.epoch_milliseconds()))
            .expression_attribute_values(":forgotten", number(forgotten()));
        Ok(TransactWriteItem::builder().update(built(update.build())?).build())
    }

    fn unless_ended(
        &self,
        end: &Key,
        asked_at: Timestamp,
    ) -> Result<TransactWriteItem, StoreError> {
        let check = ConditionCheck::builder()
            .table_name(&self.table.name)
            .set_key(Some(end.attributes()))
            .condition_expression("attribute_not_exists(ended_ms) OR ended_ms < :asked")
            .expression_attribute_values(":asked", number(asked_at.epoch_milliseconds()));
        Ok(TransactWriteItem::builder().condition_check(built(check.build())?).build())
    }
}
