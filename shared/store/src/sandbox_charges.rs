//! Charges the running time of sandboxes, once.
//!
//! The sandbox itself holds its uncharged time (`RunningTime`). A charge subtracts it there, adds it to the project's
//! costs and moves the balance with an entry, all in one transaction under the sandbox's version: a repeated charge
//! finds nothing left. A charge never makes a balance negative; we pay for the running time beyond that. What model
//! calls hold is not used up: the time that only held money could pay stays due until the holds end.

use crate::StoreError;
use crate::costs::{self, SandboxCharge};
use crate::deletions::{Deletion, Deletions};
use crate::ledger::{Ledger, Row, moving, put_once, row_key};
use crate::sandboxes::{self, Sandboxes, putting};
use crate::table::{MAX_ATTEMPTS, Table};
use aws_sdk_dynamodb::types::TransactWriteItem;
use domain::ledger::{Balance, Entry, EntryKind, Movement};
use domain::money::SandboxRate;
use domain::sandbox::Sandbox;
use domain::{EntryId, MicroDollars, Scope, Timestamp};

impl Sandboxes {
    /// Charges the running time of a project's sandbox until its agent's last sign of life, if a charge is due; `None`
    /// otherwise.
    pub async fn charge(
        &self,
        scope: Scope,
        rate: SandboxRate,
        now: Timestamp,
    ) -> Result<Option<SandboxCharge>, StoreError> {
        for _ in 0..MAX_ATTEMPTS {
            let stored = self.table.get::<Sandbox>(&sandboxes::key(scope)).await?;
            let Some(stored) = stored else { return Ok(None) };
            let sandbox = stored.value;
            let until = sandbox.charged_until(now);
            let cost = rate.cost(sandbox.running.uncharged(until));
            let balance = match cost > MicroDollars::ZERO {
                true => Ledger::new(&self.table).balance(scope.installation).await?,
                false => Balance::default(),
            };
            let used_up = cost > MicroDollars::ZERO && cost >= balance.balance;
            let Some(due) = sandbox.seconds_due(rate, used_up, until) else { return Ok(None) };
            let seconds = match balance.held > MicroDollars::ZERO {
                true => paid_by(rate, due, balance.available),
                false => due,
            };
            if seconds < due && !sandbox.is_up() {
                // So that the reaper comes back for the rest.
                self.list_active(scope, now).await?;
            }
            if seconds == 0 {
                return Ok(None);
            }
            let cost = rate.cost(seconds);
            let micro_usd = -Movement::pay(cost, balance.available).balance;
            let charge = SandboxCharge { seconds, micro_usd };
            let charged = Sandbox { running: sandbox.running.charged(seconds, until), ..sandbox };
            let mut writes = vec![putting(&self.table, scope, stored.version, &charged)?];
            writes.extend(costs::counting_sandbox(&self.table, scope, charge, now)?);
            writes.extend(paying(&self.table, scope, charge, charged.generation, now)?);
            // If it fails, the sandbox or the balance has changed in the meantime.
            if self.table.transact(writes).await? {
                if micro_usd < cost {
                    tracing::warn!(event = "sandbox_unpaid", project = %scope, seconds, %cost, charged = %micro_usd,
                        "a sandbox ran for longer than its owner could pay");
                }
                return Ok(Some(charge));
            }
        }
        Err(StoreError::Contended)
    }
}

impl Deletions {
    /// Charges the time that the sandbox of a deleted project had run until the deletion; `None` if that was nothing,
    /// is already charged, or has to wait until other calls return what they hold.
    pub async fn charge(
        &self,
        deletion: &Deletion,
        rate: SandboxRate,
    ) -> Result<Option<SandboxCharge>, StoreError> {
        let scope = deletion.scope;
        let seconds = deletion.running.uncharged(deletion.at);
        let cost = rate.cost(seconds);
        if cost == MicroDollars::ZERO {
            return Ok(None);
        }
        for _ in 0..MAX_ATTEMPTS {
            let balance = Ledger::new(&self.table).balance(scope.installation).await?;
            if balance.held > MicroDollars::ZERO && balance.available < cost && !deletion.is_over()
            {
                return Ok(None);
            }
            let micro_usd = -Movement::pay(cost, balance.available).balance;
            let charge = SandboxCharge { seconds, micro_usd };
            let mut writes = vec![self.charged(deletion)?];
            let paying = paying(&self.table, scope, charge, deletion.generation, deletion.at)?;
            writes.extend(paying);
            match self.table.transact_or_why(writes).await? {
                Ok(()) => return Ok(Some(charge)),
                Err(failed) if failed.contains(&0) => return Ok(None),
                // The balance has changed in the meantime.
                Err(_) => {}
            }
        }
        Err(StoreError::Contended)
    }
}

/// How many of these seconds an amount pays for.
fn paid_by(rate: SandboxRate, seconds: i64, amount: MicroDollars) -> i64 {
    let (mut paid, mut most) = (0, seconds);
    while paid < most {
        let middle = paid + (most - paid + 1) / 2;
        match rate.cost(middle) <= amount {
            true => paid = middle,
            false => most = middle - 1,
        }
    }
    paid
}

fn paying(
    table: &Table,
    scope: Scope,
    charge: SandboxCharge,
    generation: u64,
    at: Timestamp,
) -> Result<Vec<TransactWriteItem>, StoreError> {
    let amount = charge.micro_usd;
    if amount == MicroDollars::ZERO {
        return Ok(Vec::new());
    }
    let entry = Entry {
        id: EntryId::at(at),
        key: format!("sandbox {} {generation} {}", scope.project, at.epoch_milliseconds()),
        kind: EntryKind::Use,
        amount,
        payment_method: "Credits".to_owned(),
        description: Some(format!("Sandbox, {}", minutes(charge.seconds))),
        project: Some(scope.project),
        payment: None,
        at,
    };
    let movement = Movement::pay(amount, amount);
    let key = row_key(scope.installation, entry.id.as_str());
    Ok(vec![
        moving(table, scope.installation, movement, Some(amount))?,
        put_once(table, &key, &Row::Entry(entry))?,
    ])
}

/// "1 minute", "15 minutes"; counts each started minute.
fn minutes(seconds: i64) -> String {
    let minutes = seconds.max(1).unsigned_abs().div_ceil(60);
    format!("{minutes} minute{}", if minutes == 1 { "" } else { "s" })
}
