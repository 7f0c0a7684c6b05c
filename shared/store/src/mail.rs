//! Records who gets mail for an installation, and which notices of each project they got.
//!
//! A letter cannot be taken back, and the mail service takes no idempotency key. So the sender first *claims* a notice
//! in a conditional write: of two senders only one gets it, and a function that dies after its claim sends nothing
//! twice. Only a refusal, after which it is certain that nothing was sent, releases the claim, for [`TRIES`] attempts
//! in all.

use crate::keys::partition;
use crate::table::{Change, Key, MAX_ATTEMPTS, Table};
use crate::{StoreError, Stored};
use domain::mail::{Address, MailSettings, OffKey};
use domain::secret_token::SecretToken;
use domain::{InstallationId, Scope, Timestamp};
use serde::{Deserialize, Serialize};

/// How often a refused letter is tried in all.
pub const TRIES: u32 = 5;

/// Prefix of the sort keys of people's settings.
const USERS: &str = "USER#";

/// The mail of the table.
#[derive(Clone, Debug)]
pub struct Mail {
    table: Table,
}

/// The last notice of a project about which a person got a letter, and how often it was tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Notified {
    /// The notice.
    notice: String,
    /// How often its letter was tried.
    tries: u32,
    /// Whether the last try was refused, so that another may follow.
    refused: bool,
}

impl Notified {
    /// Whether no further letter about this notice may follow.
    fn is_over(&self, notice: &str) -> bool {
        self.notice == notice && (!self.refused || self.tries >= TRIES)
    }

    /// A claim of this notice.
    fn claiming(&self, notice: &str) -> Self {
        let tries = if self.notice == notice { self.tries + 1 } else { 1 };
        Self { notice: notice.to_owned(), tries, refused: false }
    }
}

fn key(installation: InstallationId, user_id: u64) -> Key {
    Key::new(format!("MAIL#{installation}"), format!("{USERS}{user_id}"))
}

fn notified_key(scope: Scope, user_id: u64) -> Key {
    Key::new(partition(scope), format!("TOLD#{user_id}"))
}

impl Mail {
    /// The mail in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// The settings of a person for an installation, if they have any.
    pub async fn settings(
        &self,
        installation: InstallationId,
        user_id: u64,
    ) -> Result<Option<MailSettings>, StoreError> {
        let stored = self.table.get::<MailSettings>(&key(installation, user_id)).await?;
        Ok(stored.map(|stored| stored.value))
    }

    /// Stores an address that its reader must confirm; returns the token of its link.
    pub async fn propose(
        &self,
        installation: InstallationId,
        user_id: u64,
        address: &Address,
        site: &str,
    ) -> Result<SecretToken, StoreError> {
        let (key, now) = (key(installation, user_id), Timestamp::now());
        for _ in 0..MAX_ATTEMPTS {
            let stored = self.table.get::<MailSettings>(&key).await?;
            let (settings, version) = match stored {
                Some(Stored { value, version }) => (value, Some(version)),
                None => (MailSettings::new(user_id, site), None),
            };
            let settings = MailSettings { site: site.to_owned(), ..settings };
            let (settings, token) = settings.proposing(address.clone(), now);
            let written = match version {
                Some(version) => self.table.replace(&key, version, &settings).await?,
                None => self.table.put_new(&key, &settings, settings.expires_at).await?,
            };
            if written {
                return Ok(token);
            }
        }
        Err(StoreError::Contended)
    }

    /// Confirms the address of this link; `None` if the link is not the latest one or has expired.
    pub async fn confirm(
        &self,
        installation: InstallationId,
        user_id: u64,
        token: &SecretToken,
    ) -> Result<Option<MailSettings>, StoreError> {
        let now = Timestamp::now();
        let confirmed = self.table.modify(key(installation, user_id), |settings: MailSettings| {
            Ok::<_, StoreError>(match settings.confirming(token, now) {
                Some(confirmed) => Change::Write(confirmed.clone(), Some(confirmed)),
                None => Change::Keep(None),
            })
        });
        Ok(confirmed.await?.flatten())
    }

    /// Forgets a proposed address whose letter could not be sent.
    pub async fn withdraw(
        &self,
        installation: InstallationId,
        user_id: u64,
        token: &SecretToken,
    ) -> Result<(), StoreError> {
        let now = Timestamp::now();
        let withdrawn = self.table.modify(key(installation, user_id), |settings: MailSettings| {
            Ok::<_, StoreError>(match settings.withdrawing(token, now) {
                Some(withdrawn) => Change::Write(withdrawn, ()),
                None => Change::Keep(()),
            })
        });
        withdrawn.await.map(drop)
    }

    /// Turns off a person's mail for an installation and forgets the address.
    pub async fn forget(
        &self,
        installation: InstallationId,
        user_id: u64,
    ) -> Result<(), StoreError> {
        let key = key(installation, user_id);
        self.table.take::<serde::de::IgnoredAny>(&key).await.map(drop)
    }

    /// The same for the holder of a letter's key; `false` if the key is not valid.
    pub async fn turn_off(&self, held: &OffKey) -> Result<bool, StoreError> {
        let settings = self.settings(held.installation, held.user_id).await?;
        if !settings.is_some_and(|settings| settings.opens_with(held)) {
            return Ok(false);
        }
        self.forget(held.installation, held.user_id).await?;
        Ok(true)
    }

    /// Forgets the settings of all people for an installation.
    pub async fn forget_all(&self, installation: InstallationId) -> Result<(), StoreError> {
        for settings in self.all(installation).await? {
            self.forget(installation, settings.user_id).await?;
        }
        Ok(())
    }

    /// The settings of all people who may get mail for an installation.
    pub async fn recipients(
        &self,
        installation: InstallationId,
    ) -> Result<Vec<MailSettings>, StoreError> {
        let mut all = self.all(installation).await?;
        all.retain(|settings| settings.confirmed.is_some());
        Ok(all)
    }

    async fn all(&self, installation: InstallationId) -> Result<Vec<MailSettings>, StoreError> {
        let rows = self.table.query::<MailSettings>(&format!("MAIL#{installation}"), USERS).await?;
        Ok(rows.into_iter().map(|(_, row)| row.value).collect())
    }

    /// Whether no further letter about this notice may follow, because it was sent or given up.
    pub async fn is_over(
        &self,
        scope: Scope,
        user_id: u64,
        notice: &str,
    ) -> Result<bool, StoreError> {
        let last = self.table.get::<Notified>(&notified_key(scope, user_id)).await?;
        Ok(last.is_some_and(|last| last.value.is_over(notice)))
    }

    /// Claims a notice: the caller that gets it sends the letter. Returns the number of this try; `None` if another
    /// caller has the letter, or it was sent or given up.
    pub async fn claim(
        &self,
        scope: Scope,
        user_id: u64,
        notice: &str,
    ) -> Result<Option<u32>, StoreError> {
        let key = notified_key(scope, user_id);
        let Some(Stored { value, version }) = self.table.get::<Notified>(&key).await? else {
            let first = Notified { notice: notice.to_owned(), tries: 1, refused: false };
            return Ok(self.table.put_new(&key, &first, None).await?.then_some(1));
        };
        if value.is_over(notice) {
            return Ok(None);
        }
        let claim = value.claiming(notice);
        Ok(self.table.replace(&key, version, &claim).await?.then_some(claim.tries))
    }

    /// Releases a claim whose letter was certainly refused; returns whether another try may follow.
    pub async fn release(
        &self,
        scope: Scope,
        user_id: u64,
        notice: &str,
    ) -> Result<bool, StoreError> {
        let released = self.table.modify(notified_key(scope, user_id), |last: Notified| {
            if last.notice != notice {
                return Ok::<_, StoreError>(Change::Keep(false));
            }
            let last = Notified { refused: true, ..last };
            let more = !last.is_over(notice);
            Ok(Change::Write(last, more))
        });
        Ok(released.await?.unwrap_or(false))
    }
}
