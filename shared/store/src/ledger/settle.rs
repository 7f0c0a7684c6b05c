//! Pays for a model call, once, and never more than its hold.

use super::{Hold, Ledger, Row, put_once, row_key};
use crate::StoreError;
use crate::costs::{self, ModelCall};
use aws_sdk_dynamodb::types::TransactWriteItem;
use domain::ledger::{Entry, EntryKind, Movement};
use domain::security::{About, SecurityEvent, record};
use domain::{EntryId, MicroDollars, Scope};

/// How often to try to charge a call whose hold has expired, while other calls use the same balance.
const ATTEMPTS: usize = 12;

/// The writes of a charge, by what their conditions check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Check {
    /// The call was not charged before.
    New,
    /// The project exists.
    Project,
    /// The hold exists.
    Hold,
    /// Nothing, or the balance.
    Other,
}

/// What a call still has when it is charged.
#[derive(Debug, Clone, Copy)]
struct Left {
    hold: bool,
    project: bool,
}

impl Ledger {
    /// Ends a hold with the usage of its call: changes the balance, its entry and the project's costs at once.
    ///
    /// The call is charged at most its hold; we pay for what its provider counted above that, and log it. `false` if
    /// the call was settled before. An expired hold is gone: its call is paid from the rest of the balance. The call of
    /// a deleted project is paid in the same way and counted nowhere; its entry shows whether it was paid before.
    pub async fn settle(&self, hold: &Hold, call: &ModelCall) -> Result<bool, StoreError> {
        let mut left = Left { hold: true, project: true };
        for _ in 0..ATTEMPTS {
            let most = match left.hold {
                true => hold.amount,
                false => {
                    let available = self.balance(hold.scope.installation).await?.available;
                    available.min(hold.amount)
                }
            };
            let charged = call.charged_at_most(most);
            let writes = self.settling(hold, &charged, left)?;
            let (checks, writes): (Vec<_>, Vec<_>) = writes.into_iter().unzip();
            let Err(failed) = self.table.transact_or_why(writes).await? else {
                report_clamped(hold, call, &charged);
                return Ok(true);
            };
            let failed = |check: Check| failed.iter().any(|at| checks.get(*at) == Some(&check));
            if failed(Check::New) {
                return Ok(false);
            }
            // If both are still there, other calls have changed the balance in the meantime.
            left.hold &= !failed(Check::Hold);
            left.project &= !failed(Check::Project);
        }
        Err(StoreError::Contended)
    }

    fn settling(
        &self,
        hold: &Hold,
        call: &ModelCall,
        left: Left,
    ) -> Result<Vec<(Check, TransactWriteItem)>, StoreError> {
        let installation = hold.scope.installation;
        let amount = if left.hold { hold.amount } else { MicroDollars::ZERO };
        let mut writes = Vec::new();
        if left.project {
            writes.push((Check::New, costs::once(&self.table, hold.scope, call)?));
            let [whole, agent, day] = costs::counting(&self.table, hold.scope, call, amount)?;
            writes.extend([(Check::Project, whole), (Check::Other, agent), (Check::Other, day)]);
        }
        if left.hold {
            writes.push((Check::Hold, self.ending(hold, None)?));
            let movement = Movement::settle(amount, call.micro_usd);
            writes.push((Check::Other, self.moving(installation, movement, None)?));
        } else {
            let movement = Movement::pay(call.micro_usd, call.micro_usd);
            let covering = Some(call.micro_usd).filter(|charge| *charge > MicroDollars::ZERO);
            writes.push((Check::Other, self.moving(installation, movement, covering)?));
        }
        if call.micro_usd > MicroDollars::ZERO {
            let entry = used(hold.scope, call);
            let key = row_key(installation, entry.id.as_str());
            writes.push((Check::New, put_once(&self.table, &key, &Row::Entry(entry))?));
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
        id: EntryId::of(&call.call_id, call.at),
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
