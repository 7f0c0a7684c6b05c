//! Pays for a model call, once, and never more than its hold.

use super::{Hold, Ledger, Row, put_once, row_key};
use crate::StoreError;
use crate::costs::{self, ModelCall};
use aws_sdk_dynamodb::types::TransactWriteItem;
use domain::ledger::{Entry, EntryKind, Movement};
use domain::security::{About, SecurityEvent, record};
use domain::{EntryId, MicroDollars, Scope};

/// How often to try to charge a call whose hold has expired, while other calls use the same balance.
const LATE_ATTEMPTS: usize = 12;

impl Ledger {
    /// Ends a hold with the usage of its call: changes the balance, its entry and the project's costs at once.
    ///
    /// The call is charged at most its hold; we pay for what its provider counted above that, and log it. `false` if
    /// the call was settled before. An expired hold is gone: its call is paid from the rest of the balance.
    pub async fn settle(&self, hold: &Hold, call: &ModelCall) -> Result<bool, StoreError> {
        let charged = call.charged_at_most(hold.amount);
        match self.table.transact_or_why(self.settling(hold, &charged, true)?).await? {
            Ok(()) => {
                report_clamped(hold, call, &charged);
                Ok(true)
            }
            Err(failed) if failed.contains(&0) => Ok(false),
            Err(_) => self.settle_late(hold, call, &charged).await,
        }
    }

    async fn settle_late(
        &self,
        hold: &Hold,
        call: &ModelCall,
        charged: &ModelCall,
    ) -> Result<bool, StoreError> {
        for _ in 0..LATE_ATTEMPTS {
            let available = self.balance(hold.scope.installation).await?.available;
            let charged = charged.charged_at_most(available);
            match self.table.transact_or_why(self.settling(hold, &charged, false)?).await? {
                Ok(()) => {
                    report_clamped(hold, call, &charged);
                    return Ok(true);
                }
                Err(failed) if failed.contains(&0) => return Ok(false),
                // Other calls have changed the balance in the meantime.
                Err(_) => {}
            }
        }
        Err(StoreError::Contended)
    }

    fn settling(
        &self,
        hold: &Hold,
        call: &ModelCall,
        held: bool,
    ) -> Result<Vec<TransactWriteItem>, StoreError> {
        let installation = hold.scope.installation;
        let amount = if held { hold.amount } else { MicroDollars::ZERO };
        let mut writes = Vec::from(costs::counting(&self.table, hold.scope, call, amount)?);
        if held {
            writes.push(self.ending(hold)?);
            let movement = Movement::settle(amount, call.micro_usd);
            writes.push(self.moving(installation, movement, None)?);
        } else {
            let movement = Movement::pay(call.micro_usd, call.micro_usd);
            let covering = Some(call.micro_usd).filter(|charge| *charge > MicroDollars::ZERO);
            writes.push(self.moving(installation, movement, covering)?);
        }
        if call.micro_usd > MicroDollars::ZERO {
            let entry = used(hold.scope, call);
            let key = row_key(installation, entry.id.as_str());
            writes.push(put_once(&self.table, &key, &Row::Entry(entry))?);
        }
        Ok(writes)
    }
}

/// Logs that a call was charged less than its provider counted, for operators and for the alarm on bursts: either the
/// count or our worst case is wrong.
fn report_clamped(hold: &Hold, counted: &ModelCall, charged: &ModelCall) {
    if counted.micro_usd > charged.micro_usd {
        tracing::error!(
            event = "bill_clamped",
            project = %hold.scope,
            call = counted.call_id,
            agent = counted.agent.name(),
            input_tokens = counted.usage.input_tokens,
            output_tokens = counted.usage.output_tokens,
            counted = %counted.micro_usd,
            held = %hold.amount,
            charged = %charged.micro_usd,
            "a model call was counted above its hold"
        );
        let over = (counted.micro_usd - charged.micro_usd).0;
        let detail = format!("over={over}");
        record(SecurityEvent::BillClamped, About::project(hold.scope), &detail);
    }
}

fn used(scope: Scope, call: &ModelCall) -> Entry {
    Entry {
        id: EntryId::at(call.at),
        key: call.call_id.clone(),
        kind: EntryKind::Use,
        amount: call.micro_usd,
        payment_method: "Credits".to_owned(),
        description: Some(call.agent.name().to_owned()),
        project: Some(scope.project),
        payment: None,
        at: call.at,
    }
}
