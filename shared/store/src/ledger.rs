//! Balances, entries and holds: every movement of money is one transaction.
//!
//! An installation's wallet is the partition `W#{installation}`: the balance, and its entries and payments in
//! chronological order. Holds are in a few separate partitions, so that the reaper finds abandoned ones without reading
//! every wallet.
//!
//! Every change of the balance writes its reason in the same transaction, under a condition that can hold only once:
//! the hold still exists, or the model call or the webhook's event is new. So a crash between any two of our calls
//! leaves at most a hold behind, and a repeated call changes nothing.

mod history;
mod settle;

pub(crate) use history::credit_key;
pub use history::{Page, Row};

use crate::StoreError;
use crate::costs;
use crate::table::{IntoWrite, Key, Table, number, unless_refused};
use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem};
use domain::ledger::{Balance, Entry, EntryKind, HOLD_SECONDS, Movement, Refusal};
use domain::{EntryId, InstallationId, MicroDollars, Scope, Timestamp};
use serde::{Deserialize, Serialize};

/// Partitions over which holds are spread: DynamoDB accepts about a thousand writes a second to one.
const SHARDS: u8 = 4;
/// How entries' and payments' sort keys begin.
const TRANSACTION: &str = "TX#";
/// The key under which a new account's opening credit is granted.
const OPENING: &str = "opening-credit";
/// Sort key, in a user's partition, of the record that they have received it.
const OPENED: &str = "OPENING-CREDIT";

/// Money that is set aside for one model call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hold {
    /// The call's id.
    pub id: String,
    /// The project that makes the call.
    pub scope: Scope,
    /// The call's worst case.
    pub amount: MicroDollars,
    /// When the hold ends unless it is renewed. This is not DynamoDB's time to live, which would lose the held money.
    pub ends_at: Timestamp,
}

/// The funds of a project's calls, as read a moment ago.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Funds {
    balance: Balance,
    /// The rest of the project's budget; `None` without a budget.
    left: Option<MicroDollars>,
}

impl Funds {
    /// Whether a call with this worst case could begin.
    pub fn cover(self, worst: MicroDollars) -> Result<(), Refusal> {
        if !self.balance.covers(worst) {
            return Err(Refusal::InsufficientCredits);
        }
        match self.left {
            Some(left) if left < worst => Err(Refusal::BudgetReached),
            _ => Ok(()),
        }
    }
}

/// The reason why nothing was held.
#[derive(Debug, thiserror::Error)]
pub enum HoldError {
    /// The owner must add credits or raise the budget.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The project does not exist.
    #[error("there is no such project")]
    NoSuchProject,
    /// The table failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The ledgers of the table.
#[derive(Clone, Debug)]
pub struct Ledger {
    table: Table,
}

pub(crate) fn wallet(installation: InstallationId) -> String {
    format!("W#{installation}")
}

fn balance_key(installation: InstallationId) -> Key {
    Key::new(wallet(installation), "BALANCE")
}

pub(crate) fn row_key(installation: InstallationId, id: &str) -> Key {
    Key::new(wallet(installation), format!("{TRANSACTION}{id}"))
}

fn shard(n: u8) -> String {
    format!("HOLDS#{}", n % SHARDS)
}

fn hold_key(hold: &Hold) -> Key {
    let sum = hold.id.bytes().fold(0_u8, u8::wrapping_add);
    Key::new(shard(sum), format!("HOLD#{}", hold.id))
}

impl Ledger {
    /// The ledgers in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// An installation's balance; empty if it never had money.
    pub async fn balance(&self, installation: InstallationId) -> Result<Balance, StoreError> {
        let found = self.table.get::<Balance>(&balance_key(installation)).await?;
        Ok(found.map(|stored| stored.value).unwrap_or_default())
    }

    /// Grants the opening credit of a new account: once to a GitHub user, for whichever installations they sign in, and
    /// once to an installation, however many users it has. `false` if either had it before.
    pub async fn grant_opening(
        &self,
        user_id: u64,
        installation: InstallationId,
        amount: MicroDollars,
    ) -> Result<bool, StoreError> {
        let mut writes = self.granting(installation, OPENING, amount, "Opening credit")?;
        let of_user = Key::new(format!("USER#{user_id}"), OPENED);
        writes.push(put_once(&self.table, &of_user, &Once { at: Timestamp::now() })?);
        self.table.transact(writes).await
    }

    /// Adds credit once for each `key`; `false` if it was added before.
    pub async fn grant(
        &self,
        installation: InstallationId,
        key: &str,
        amount: MicroDollars,
        description: &str,
    ) -> Result<bool, StoreError> {
        let writes = self.granting(installation, key, amount, description)?;
        self.table.transact(writes).await
    }

    fn granting(
        &self,
        installation: InstallationId,
        key: &str,
        amount: MicroDollars,
        description: &str,
    ) -> Result<Vec<TransactWriteItem>, StoreError> {
        let at = Timestamp::now();
        let entry = Entry {
            id: EntryId::at(at),
            key: key.to_owned(),
            kind: EntryKind::Add,
            amount,
            payment_method: "Groundcrew".to_owned(),
            description: Some(description.to_owned()),
            project: None,
            payment: None,
            at,
        };
        let once = Key::new(wallet(installation), format!("ONCE#{key}"));
        let once = put_once(&self.table, &once, &Once { at })?;
        let mut writes = vec![once];
        writes.extend(entries(&self.table, installation, std::slice::from_ref(&entry))?);
        Ok(writes)
    }

    /// Holds a call's worst case, if the credits and the project's budget cover it beside all other holds.
    ///
    /// Expired holds do not count, even before the reaper has released them.
    pub async fn hold(&self, scope: Scope, worst: MicroDollars) -> Result<Hold, HoldError> {
        let now = Timestamp::now();
        let ends_at = now.plus_seconds(HOLD_SECONDS);
        match self.hold_until(scope, worst, ends_at).await {
            Err(HoldError::Refused(refusal)) => match self.release_expired(now).await? {
                0 => Err(refusal.into()),
                _ => self.hold_until(scope, worst, ends_at).await,
            },
            held => held,
        }
    }

    /// Like [`Ledger::hold`], with another end.
    pub async fn hold_until(
        &self,
        scope: Scope,
        worst: MicroDollars,
        ends_at: Timestamp,
    ) -> Result<Hold, HoldError> {
        let worst = worst.max(MicroDollars::ZERO);
        let hold = Hold { id: domain::random_id(), scope, amount: worst, ends_at };
        let movement = self.moving(scope.installation, Movement::hold(worst), Some(worst))?;
        let writes = vec![
            put_once(&self.table, &hold_key(&hold), &hold)?,
            movement,
            costs::holding(&self.table, scope, worst)?,
        ];
        match self.table.transact_or_why(writes).await? {
            Ok(()) => Ok(hold),
            Err(failed) if failed.contains(&1) => Err(Refusal::InsufficientCredits.into()),
            Err(failed) if failed.contains(&2) => Err(self.without_budget(scope).await?),
            Err(_) => Err(StoreError::Contended.into()),
        }
    }

    async fn without_budget(&self, scope: Scope) -> Result<HoldError, StoreError> {
        let costs = costs::CostBook::new(&self.table).get(scope).await?;
        Ok(costs.map_or(HoldError::NoSuchProject, |_| Refusal::BudgetReached.into()))
    }

    /// The funds of a project's calls, to check in advance whether one could begin; holds nothing.
    pub async fn funds(&self, scope: Scope) -> Result<Funds, HoldError> {
        let book = costs::CostBook::new(&self.table);
        let (balance, costs) = tokio::try_join!(self.balance(scope.installation), book.get(scope))?;
        let costs = costs.ok_or(HoldError::NoSuchProject)?;
        Ok(Funds { balance, left: costs.left() })
    }

    /// Ends a hold whose call used nothing; `false` if it ended before.
    pub async fn release(&self, hold: &Hold) -> Result<bool, StoreError> {
        self.release_if(hold, None).await
    }

    /// The same, if the hold still ends at `ends_at`: a hold that is renewed in the meantime lasts.
    async fn release_if(
        &self,
        hold: &Hold,
        ends_at: Option<Timestamp>,
    ) -> Result<bool, StoreError> {
        let movement = Movement::release(hold.amount);
        let mut writes = vec![
            self.ending(hold, ends_at)?,
            self.moving(hold.scope.installation, movement, None)?,
            costs::releasing(&self.table, hold.scope, hold.amount)?,
        ];
        match self.table.transact_or_why(writes.clone()).await? {
            Ok(()) => Ok(true),
            Err(failed) if failed.contains(&0) => Ok(false),
            // The project was deleted, but the held money must still be returned.
            Err(_) => {
                writes.truncate(2);
                self.table.transact(writes).await
            }
        }
    }

    /// Releases every expired hold; returns their number.
    pub async fn release_expired(&self, now: Timestamp) -> Result<usize, StoreError> {
        let mut released = 0;
        for n in 0..SHARDS {
            for hold in self.holds_until(&shard(n), now).await? {
                released += usize::from(self.release_if(&hold, Some(hold.ends_at)).await?);
            }
        }
        Ok(released)
    }

    /// Extends a hold whose call continues; `false` if it has ended.
    ///
    /// The hold keeps its key, so settling or releasing it works the same afterward.
    pub async fn renew(&self, hold: &Hold) -> Result<bool, StoreError> {
        let ends_at = Timestamp::now().plus_seconds(HOLD_SECONDS);
        let update = self
            .table
            .client
            .update_item()
            .table_name(&self.table.name)
            .set_key(Some(hold_key(hold).attributes()))
            .update_expression("SET ends_at = :ends")
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_values(":ends", AttributeValue::S(ends_at.to_string()));
        unless_refused("UpdateItem", update.send().await)
    }

    /// There are only as many holds as calls in progress, so this reads them all.
    async fn holds_until(&self, shard: &str, now: Timestamp) -> Result<Vec<Hold>, StoreError> {
        let holds = self.table.query::<Hold>(shard, "HOLD#").await?;
        let holds = holds.into_iter().map(|(_, hold)| hold.value);
        Ok(holds.filter(|hold| hold.ends_at < now).collect())
    }

    /// Deletes an existing hold, or one that still ends at this time.
    fn ending(
        &self,
        hold: &Hold,
        ends_at: Option<Timestamp>,
    ) -> Result<TransactWriteItem, StoreError> {
        let delete = self.table.delete_in_transaction(&hold_key(hold));
        let delete = match ends_at {
            Some(at) => delete
                .condition_expression("ends_at = :ends")
                .expression_attribute_values(":ends", AttributeValue::S(at.to_string())),
            None => delete.condition_expression("attribute_exists(pk)"),
        };
        delete.into_write()
    }

    fn moving(
        &self,
        installation: InstallationId,
        movement: Movement,
        covering: Option<MicroDollars>,
    ) -> Result<TransactWriteItem, StoreError> {
        moving(&self.table, installation, movement, covering)
    }
}

/// Moves a balance, if the balance covers `covering`.
pub(crate) fn moving(
    table: &Table,
    installation: InstallationId,
    movement: Movement,
    covering: Option<MicroDollars>,
) -> Result<TransactWriteItem, StoreError> {
    let change = Balance::default().after(movement);
    let update = table
        .update_in_transaction(&balance_key(installation))
        .update_expression("ADD balance :balance, held :held, available :available, version :one")
        .expression_attribute_values(":balance", number(change.balance.0))
        .expression_attribute_values(":held", number(change.held.0))
        .expression_attribute_values(":available", number(change.available.0))
        .expression_attribute_values(":one", number(1));
    let update = match covering {
        Some(worst) => update
            .condition_expression("available >= :worst")
            .expression_attribute_values(":worst", number(worst.0)),
        None => update,
    };
    update.into_write()
}

/// The condition that a balance is positive.
pub(crate) fn in_credit(
    table: &Table,
    installation: InstallationId,
) -> Result<TransactWriteItem, StoreError> {
    let check = table
        .check_in_transaction(&balance_key(installation))
        .condition_expression("balance > :zero")
        .expression_attribute_values(":zero", number(0));
    check.into_write()
}

/// Entries without a hold, and their effect on the balance.
pub(crate) fn entries(
    table: &Table,
    installation: InstallationId,
    entries: &[Entry],
) -> Result<Vec<TransactWriteItem>, StoreError> {
    let mut writes = vec![moving(table, installation, Movement::entries(entries), None)?];
    for entry in entries {
        let key = row_key(installation, entry.id.as_str());
        writes.push(put_once(table, &key, &Row::Entry(entry.clone()))?);
    }
    Ok(writes)
}

/// An item that must not exist yet.
pub(crate) fn put_once(
    table: &Table,
    key: &Key,
    value: &impl Serialize,
) -> Result<TransactWriteItem, StoreError> {
    let put = table.put_in_transaction(key, value, 1)?;
    let put = put.condition_expression("attribute_not_exists(pk)");
    put.into_write()
}

#[derive(Serialize, Deserialize)]
struct Once {
    at: Timestamp,
}
