//! Opens sessions: in one transaction, with everything that the right to a session depends on.

use super::ends::Kept;
use super::{
    LISTED, Listed, SESSIONS_PER_USER, Session, Sessions, hash_of, installation_list, listed_key,
    session_key, user_list,
};
use crate::StoreError;
use crate::guests::{Guests, Seen};
use crate::sign_ins::choice_key;
use crate::table::{IntoWrite, Key, MAX_ATTEMPTS};
use aws_sdk_dynamodb::types::TransactWriteItem;
use domain::Timestamp;
use domain::guests::Admission;
use domain::secret_token::SecretToken;
use serde::Serialize;
use std::collections::BTreeSet;

/// The most sessions that one sign-in ends to make room: three rows each, of DynamoDB's 100 in a transaction.
const ENDED_AT_MOST: usize = 25;

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
        let writes = self.opening(token, session, &grounds).await?;
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

    async fn opening(
        &self,
        token: &SecretToken,
        session: &Session,
        grounds: &Grounds<'_>,
    ) -> Result<Vec<TransactWriteItem>, StoreError> {
        let expires = session.ends_at.epoch_seconds();
        let kept = Kept { session: session.clone(), asked_at: Some(grounds.asked_at) };
        let mut writes = vec![self.put(&session_key(token), &kept, expires)?];
        let listed = Listed::of(session);
        for list in [user_list(session.user_id), installation_list(session.installation_id)] {
            writes.push(self.put(&listed_key(list, &token.hash()), &listed, listed.expires_at)?);
        }
        writes.extend(self.regaining(session, grounds.asked_at)?);
        let old = grounds.replaces.filter(|old| *old != token).map(SecretToken::hash);
        let mut ended = self.crowded_out(session.user_id, old.as_deref()).await?;
        if let Some(old) = old {
            ended.extend(self.rows(&old).await?);
        }
        writes.extend(self.deletes(&ended)?);
        if let Some(choice) = grounds.chosen_from {
            let once = self.table.delete_in_transaction(&choice_key(choice));
            writes.push(once.condition_expression("attribute_exists(pk)").into_write()?);
        }
        Ok(writes)
    }

    /// The rows of the oldest sessions of a user, so that there is room for one more. Sign-ins at the same time may
    /// exceed the limit together; the next one makes up for it. The gateway closes their connections when it next
    /// checks them.
    async fn crowded_out(
        &self,
        user_id: u64,
        replaced: Option<&str>,
    ) -> Result<BTreeSet<Key>, StoreError> {
        let listed = self.table.query::<Listed>(&user_list(user_id), LISTED).await?;
        let mut others: Vec<_> = listed.into_iter().map(|(sk, row)| (sk, row.value)).collect();
        others.retain(|(sk, _)| Some(hash_of(sk)) != replaced);
        let now = Timestamp::now().epoch_seconds();
        others.sort_by_key(|(_, listed)| (listed.expires_at > now, listed.signed_in_at));
        let beyond = (others.len() + 1).saturating_sub(SESSIONS_PER_USER);
        let oldest = others.into_iter().take(beyond.min(ENDED_AT_MOST));
        Ok(oldest
            .flat_map(|(sk, listed)| {
                let listed = Listed { user_id: Some(user_id), ..listed };
                listed.rows(hash_of(&sk))
            })
            .collect())
    }

    fn put<T: Serialize>(
        &self,
        key: &Key,
        value: &T,
        expires_at: i64,
    ) -> Result<TransactWriteItem, StoreError> {
        let put = self.table.expiring_put_in_transaction(key, value, expires_at)?;
        let new = put.condition_expression("attribute_not_exists(pk)");
        new.into_write()
    }
}
