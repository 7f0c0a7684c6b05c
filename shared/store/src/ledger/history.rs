//! The history of a wallet's money, for its owner.

use super::{Ledger, TRANSACTION, wallet};
use crate::{StoreError, Stored};
use domain::ledger::Entry;
use domain::payment::{Part, Payment};
use domain::{EntryId, InstallationId, PaymentId};
use serde::{Deserialize, Serialize};

/// A line of a wallet's history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "row", rename_all = "snake_case")]
pub enum Row {
    /// A change of the balance.
    Entry(Entry),
    /// A payment in any state.
    Payment(Payment),
}

impl Row {
    /// Its id.
    pub fn id(&self) -> EntryId {
        match self {
            Self::Entry(entry) => entry.id.clone(),
            Self::Payment(payment) => EntryId(payment.id.0.clone()),
        }
    }

    /// Whether the owner sees it. The line of a payment shows its credit, so the credit's entry is hidden. A payment
    /// without a payment page never began.
    fn is_shown(&self) -> bool {
        match self {
            Self::Entry(entry) => {
                entry.payment.as_ref().is_none_or(|payment| entry.key != credit_key(payment))
            }
            Self::Payment(payment) => payment.checkout.is_some() || payment.paid,
        }
    }
}

/// The key of the entry that credits a payment; one entry, whichever event credits it.
pub(crate) fn credit_key(payment: &PaymentId) -> String {
    format!("{payment}:{}", Part::Credit.as_str())
}

/// A page of a wallet's history.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// The lines, newest first.
    pub rows: Vec<Row>,
    /// The start of the next page, if there is one.
    pub next: Option<EntryId>,
}

impl Ledger {
    /// A page of a wallet's history after `cursor`, of at most `limit` lines.
    pub async fn page(
        &self,
        installation: InstallationId,
        cursor: Option<&EntryId>,
        limit: usize,
    ) -> Result<Page, StoreError> {
        let pk = wallet(installation);
        let mut before = cursor.map(|id| format!("{TRANSACTION}{id}"));
        let mut rows: Vec<Row> = Vec::new();
        loop {
            // One line beyond the limit shows whether there is another page.
            let wanted = limit + 1 - rows.len();
            let (found, more) =
                self.table.page_before::<Row>(&pk, TRANSACTION, before, wanted).await?;
            before = found.last().map(|(sk, _)| sk.clone());
            let found = found.into_iter().map(|(_, Stored { value, .. })| value);
            rows.extend(found.filter(Row::is_shown));
            if rows.len() > limit {
                rows.truncate(limit);
                return Ok(Page { next: rows.last().map(Row::id), rows });
            }
            if !more || before.is_none() {
                return Ok(Page { rows, next: None });
            }
        }
    }

    /// Every entry of a wallet, oldest first: their sum is the balance.
    pub async fn entries(&self, installation: InstallationId) -> Result<Vec<Entry>, StoreError> {
        let rows = self.table.query::<Row>(&wallet(installation), TRANSACTION).await?;
        let entry = |(_, stored): (String, Stored<Row>)| match stored.value {
            Row::Entry(entry) => Some(entry),
            Row::Payment(_) => None,
        };
        Ok(rows.into_iter().filter_map(entry).collect())
    }
}
