//! Links to projects' timelines. Each link is an item of its project, and is deleted with it.
//!
//! A link depends on the access of the person who made it. It stays closed while their installation is suspended or
//! gone, once they have left it, and while the account is being deleted. After a suspension or a departure it opens
//! again as soon as a sign-in has shown that GitHub grants the access again. GitHub's own report of the end of a
//! suspension reopens nothing, because reports may arrive in a different order than they were sent.

use crate::audit::decision_write;
use crate::deletions::Deletions;
use crate::keys::partition;
use crate::sessions::Sessions;
use crate::table::{Change, IntoWrite, Key, Made, Table};
use crate::{StoreError, Stored};
use domain::audit::{Actor, DecisionRecord, Verdict};
use domain::share::{MAX_SHARES, Share, ShareKey};
use domain::{Scope, Timestamp};

/// Prefix of the sort keys of links.
const SHARES: &str = "SHARE#";

/// A link that its key opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opened {
    /// The link.
    pub share: Share,
    /// Whether its use was recorded, which happens at most once a minute.
    pub noted: bool,
}

/// The links of the table.
#[derive(Clone, Debug)]
pub struct Shares {
    table: Table,
}

fn key(scope: Scope, id: &str) -> Key {
    Key::new(partition(scope), format!("{SHARES}{id}"))
}

impl Shares {
    /// The links in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// The links of a project that have not expired, newest first.
    pub async fn list(&self, scope: Scope) -> Result<Vec<Share>, StoreError> {
        let now = Timestamp::now();
        let (_, found) = self.table.gated::<Share>(&partition(scope), SHARES).await?;
        let mut shares: Vec<_> = found.into_iter().map(|stored| stored.value).collect();
        // DynamoDB may delete expired links days late.
        shares.retain(|share| share.lasts(now));
        shares.sort_by_key(|share| std::cmp::Reverse(share.made_at));
        Ok(shares)
    }

    /// Makes a link and its record, both or neither; `None` if the project already has [`MAX_SHARES`].
    pub async fn make(
        &self,
        scope: Scope,
        days: u32,
        with_output: bool,
        by: &Actor,
    ) -> Result<Option<(Share, ShareKey)>, StoreError> {
        let (share, secret) = Share::new(days, with_output, by.clone());
        let put = self.table.put_in_transaction(&key(scope, &share.id), &share, 1)?;
        let put = put.into_write()?;
        let record = DecisionRecord::of_share(Verdict::Shared, &share, by.clone());
        let record = decision_write(&self.table, scope, &record)?;
        let (pk, now) = (partition(scope), Timestamp::now());
        let lasts = |share: &Share| share.lasts(now);
        let place = (pk.as_str(), SHARES);
        match self.table.create_within(place, MAX_SHARES, lasts, &[put, record]).await? {
            Made::Yes => {}
            Made::TooMany => return Ok(None),
            Made::Refused => return Err(StoreError::Contended),
        }
        let key = ShareKey { scope, id: share.id.clone(), secret };
        Ok(Some((share, key)))
    }

    /// Ends a link and records who ended it; `None` if the project has no such link.
    pub async fn withdraw(
        &self,
        scope: Scope,
        id: &str,
        by: &Actor,
    ) -> Result<Option<Share>, StoreError> {
        let key = key(scope, id);
        let Some(stored) = self.table.get::<Share>(&key).await? else { return Ok(None) };
        let delete = self.table.delete_in_transaction(&key);
        let delete = delete.condition_expression("attribute_exists(pk)");
        let delete = delete.into_write()?;
        let record = DecisionRecord::of_share(Verdict::Withdrawn, &stored.value, by.clone());
        let record = decision_write(&self.table, scope, &record)?;
        let withdrawn = self.table.transact(vec![delete, record]).await?;
        Ok(withdrawn.then_some(stored.value))
    }

    /// The link of this key, with its use recorded; `None` if it was withdrawn, has expired, never existed, or the
    /// access of the person who made it has ended.
    pub async fn open(&self, held: &ShareKey) -> Result<Option<Opened>, StoreError> {
        let now = Timestamp::now();
        let found = self.table.get::<Share>(&key(held.scope, &held.id)).await?;
        let Some(Stored { value: share, .. }) = found else { return Ok(None) };
        if !share.opens_with(held) || !share.lasts(now) || self.is_closed(held, &share).await? {
            return Ok(None);
        }
        if share.used(now).is_none() {
            return Ok(Some(Opened { share, noted: false }));
        }
        let opened = self.table.modify(key(held.scope, &held.id), |share: Share| {
            if !share.opens_with(held) || !share.lasts(now) {
                return Ok::<_, StoreError>(Change::Keep(None));
            }
            Ok(match share.used(now) {
                Some(used) => {
                    Change::Write(used.clone(), Some(Opened { share: used, noted: true }))
                }
                None => Change::Keep(Some(Opened { share, noted: false })),
            })
        });
        Ok(opened.await?.flatten())
    }

    /// Whether the access on which a link depends has ended.
    async fn is_closed(&self, held: &ShareKey, share: &Share) -> Result<bool, StoreError> {
        let installation = held.scope.installation;
        let (sessions, deletions) = (Sessions::new(&self.table), Deletions::new(&self.table));
        let (over, deleted) = tokio::try_join!(
            sessions.is_over(installation, share.by.user_id),
            deletions.is_account_deleted(installation),
        )?;
        Ok(over || deleted)
    }
}
