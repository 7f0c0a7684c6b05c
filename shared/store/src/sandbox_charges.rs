//! What sandboxes have run for, charged once.
//!
//! The sandbox itself says what is not charged yet (`RunningTime`). The charge takes that off it, adds it to the
//! project's costs and moves the balance with its entry, all in one transaction under the sandbox's version: a charge
//! that is made again finds nothing left to charge. It takes no more than there is: a balance never falls below zero
//! by it, and what was run beyond that is ours to bear.

use crate::ledger::{Ledger, Row, moving, put_once, row_key};
use crate::sandboxes::{self, Sandboxes, putting};
use crate::table::MAX_ATTEMPTS;
use crate::{StoreError, costs};
use aws_sdk_dynamodb::types::TransactWriteItem;
use domain::ledger::{Entry, EntryKind, Movement};
use domain::money::SandboxRate;
use domain::sandbox::Sandbox;
use domain::{EntryId, MicroDollars, Scope, Timestamp};

/// What a sandbox was charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charge {
    /// For so many seconds.
    pub seconds: i64,
    /// So much.
    pub micro_usd: MicroDollars,
}

impl Sandboxes {
    /// Charges what a project's sandbox has run for, if it is time to; `None` when it is not.
    pub async fn charge(
        &self,
        scope: Scope,
        rate: SandboxRate,
        now: Timestamp,
    ) -> Result<Option<Charge>, StoreError> {
        for _ in 0..MAX_ATTEMPTS {
            let stored = self.table.get::<Sandbox>(&sandboxes::key(scope)).await?;
            let Some(stored) = stored else { return Ok(None) };
            let sandbox = stored.value;
            let cost = rate.cost(sandbox.running.uncharged(now));
            let available = match cost > MicroDollars::ZERO {
                true => Ledger::new(&self.table).balance(scope.installation).await?.available,
                false => MicroDollars(i64::MAX),
            };
            let Some(seconds) = sandbox.seconds_due(rate, cost >= available, now) else {
                return Ok(None);
            };
            let micro_usd = -Movement::pay(cost, available).balance;
            let charge = Charge { seconds, micro_usd };
            let charged = Sandbox { running: sandbox.running.charged(now), ..sandbox };
            let mut writes = vec![putting(&self.table, scope, stored.version, &charged)?];
            writes.extend(costs::counting_sandbox(&self.table, scope, charge, now)?);
            writes.extend(self.paying(scope, charge, charged.generation, now)?);
            // Otherwise the sandbox or the balance has changed meanwhile.
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

    fn paying(
        &self,
        scope: Scope,
        charge: Charge,
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
            moving(&self.table, scope.installation, movement, Some(amount))?,
            put_once(&self.table, &key, &Row::Entry(entry))?,
        ])
    }
}

/// "1 minute", "15 minutes", begun ones counted.
fn minutes(seconds: i64) -> String {
    let minutes = seconds.max(1).unsigned_abs().div_ceil(60);
    format!("{minutes} minute{}", if minutes == 1 { "" } else { "s" })
}
