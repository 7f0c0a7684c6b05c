//! One payment, from the checkout to refunds and disputes.
//!
//! The payment provider's events come late, twice and in any order. So a payment keeps *facts*, each of which only ever
//! grows (it was paid; this much was refunded; a dispute was opened, won, lost), and derives the moved money from the
//! facts alone. Taking an event records its fact and returns the difference. A repeated or overtaken event makes no
//! difference, and in the end every order of the same events has moved the same money.

use crate::ledger::EntryKind;
use crate::{MicroDollars, PaymentId, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The status of a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PaymentStatus {
    /// Unpaid, or the money is on its way.
    Pending,
    /// The money has arrived.
    Completed,
    /// The money did not arrive.
    Failed,
    /// The checkout expired unpaid.
    Expired,
    /// All of it was refunded.
    Refunded,
    /// The payer's bank took it back, or is deciding whether to.
    Disputed,
}

impl PaymentStatus {
    /// The name in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Expired => "expired",
            Self::Refunded => "refunded",
            Self::Disputed => "disputed",
        }
    }
}

/// The provider's page for a payment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkout {
    /// The provider's id of the session.
    pub session: String,
    /// The address of the page.
    pub link: String,
}

/// The state of a dispute. Variants are in chronological order: a later state replaces an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DisputeState {
    /// The bank inquires; the money stays with us.
    Inquiry,
    /// The bank has taken the money.
    Open,
    /// The bank keeps the money.
    Lost,
    /// The money came back.
    Won,
}

/// A dispute of a payment.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Dispute {
    /// The disputed amount.
    pub amount: MicroDollars,
    /// The state of the dispute.
    pub state: DisputeState,
}

/// The state of a refund. Variants are in chronological order: a later state replaces an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefundState {
    /// The money is on its way to the payer, or has arrived there.
    Made,
    /// The payer's bank sent the money back, or the refund was canceled: the money is ours again.
    Failed,
}

/// A refund of a payment, or of a part of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Refund {
    /// The refunded amount, which the provider never changes.
    pub amount: MicroDollars,
    /// The state of the refund.
    pub state: RefundState,
}

/// A payment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payment {
    /// Its id.
    pub id: PaymentId,
    /// The amount.
    pub amount: MicroDollars,
    /// Time of creation.
    pub created_at: Timestamp,
    /// The payment page; `None` until the provider has answered.
    pub checkout: Option<Checkout>,
    /// The provider's id of the payment intent, by which refunds and disputes name the payment.
    pub intent: Option<String>,
    /// The money has arrived.
    pub paid: bool,
    /// The money will not arrive.
    pub failed: bool,
    /// The checkout has expired.
    pub expired: bool,
    /// The largest refunded amount that an event has named in total; failed refunds may be part of it.
    pub refunded: MicroDollars,
    /// Its refunds by the provider's ids, as far as events have named them.
    #[serde(default)]
    pub refunds: BTreeMap<String, Refund>,
    /// Its disputes by the provider's ids.
    pub disputes: BTreeMap<String, Dispute>,
}

/// A payment event of the provider.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PaymentEvent {
    /// The checkout is complete, and the money is on its way.
    Processing,
    /// The money has arrived.
    Paid,
    /// The money will not arrive.
    Failed,
    /// The checkout expired unpaid.
    Expired,
    /// The refunded amount, in total.
    Refunded(MicroDollars),
    /// The state of a single refund.
    Refund(String, Refund),
    /// The state of a dispute.
    Disputed(String, Dispute),
}

/// An event's effect on the balance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// Its direction.
    pub kind: EntryKind,
    /// The amount; greater than zero.
    pub amount: MicroDollars,
    /// The part of the payment.
    pub part: Part,
}

/// The parts of a payment's effect on the balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The purchased credit.
    Credit,
    /// The refund to the payer.
    Refund,
    /// The amount of a refund that did not reach the payer.
    RefundFailed,
    /// The amount that the payer's bank took.
    Dispute,
    /// The amount that the bank gave back.
    DisputeEnded,
}

impl Part {
    /// The word in an entry's key.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Credit => "credit",
            Self::Refund => "refund",
            Self::RefundFailed => "refund-failed",
            Self::Dispute => "dispute",
            Self::DisputeEnded => "dispute-ended",
        }
    }

    /// The description, for people.
    pub fn description(self) -> &'static str {
        match self {
            Self::Credit => "Credits added",
            Self::Refund => "Payment refunded",
            Self::RefundFailed => "Refund failed, credits returned",
            Self::Dispute => "Payment disputed",
            Self::DisputeEnded => "Dispute ended, credits returned",
        }
    }
}

/// The money that a payment has moved so far; each part is capped by what the others leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Totals {
    credited: MicroDollars,
    refunded: MicroDollars,
    disputed: MicroDollars,
}

impl Payment {
    /// A payment that begins now.
    pub fn new(amount: MicroDollars) -> Self {
        let created_at = Timestamp::now();
        Self {
            id: PaymentId::at(created_at),
            amount,
            created_at,
            checkout: None,
            intent: None,
            paid: false,
            failed: false,
            expired: false,
            refunded: MicroDollars::ZERO,
            refunds: BTreeMap::new(),
            disputes: BTreeMap::new(),
        }
    }

    /// Its status.
    pub fn status(&self) -> PaymentStatus {
        let totals = self.totals();
        let taken =
            |dispute: &Dispute| matches!(dispute.state, DisputeState::Open | DisputeState::Lost);
        match self {
            _ if self.paid && self.disputes.values().any(taken) => PaymentStatus::Disputed,
            _ if self.paid && totals.refunded == self.amount => PaymentStatus::Refunded,
            _ if self.paid => PaymentStatus::Completed,
            _ if self.failed => PaymentStatus::Failed,
            _ if self.expired => PaymentStatus::Expired,
            _ => PaymentStatus::Pending,
        }
    }

    /// Records an event and returns the resulting movements; none if the event was known or overtaken.
    pub fn take(&mut self, event: &PaymentEvent) -> Vec<Moved> {
        let before = self.totals();
        match event {
            PaymentEvent::Processing => {}
            PaymentEvent::Paid => self.paid = true,
            PaymentEvent::Failed => self.failed = true,
            PaymentEvent::Expired => self.expired = true,
            PaymentEvent::Refunded(total) => self.refunded = self.refunded.max(*total),
            PaymentEvent::Refund(id, now) => {
                let known = self.refunds.entry(id.clone()).or_insert_with(|| now.clone());
                known.state = known.state.max(now.state);
            }
            PaymentEvent::Disputed(id, now) => {
                let known = self.disputes.entry(id.clone()).or_insert_with(|| now.clone());
                if now.state > known.state {
                    *known = now.clone();
                }
            }
        }
        difference(before, self.totals())
    }

    fn totals(&self) -> Totals {
        if !self.paid {
            return Totals {
                credited: MicroDollars::ZERO,
                refunded: MicroDollars::ZERO,
                disputed: MicroDollars::ZERO,
            };
        }
        let refunded = self.refunded_for_good().min(self.amount);
        let disputed =
            self.disputes.values().fold(MicroDollars::ZERO, |sum, dispute| match dispute.state {
                DisputeState::Open | DisputeState::Lost => {
                    sum + dispute.amount.max(MicroDollars::ZERO)
                }
                DisputeState::Inquiry | DisputeState::Won => sum,
            });
        Totals { credited: self.amount, refunded, disputed: disputed.min(self.amount - refunded) }
    }

    /// What was refunded and has not come back.
    ///
    /// Two kinds of events report refunds, and either may be missing: one names only the total so far, the other a
    /// single refund. The total was right when it was named, so it counts less every refund that has failed, before or
    /// since. Each of the two sums is at most what the payer has, and the larger one is exact once all single refunds
    /// are known, or once the total is known and no refund followed a failed one.
    fn refunded_for_good(&self) -> MicroDollars {
        let sum = |state| {
            let those = self.refunds.values().filter(|refund| refund.state == state);
            those.fold(MicroDollars::ZERO, |sum, one| sum + one.amount.max(MicroDollars::ZERO))
        };
        sum(RefundState::Made).max(self.refunded - sum(RefundState::Failed)).max(MicroDollars::ZERO)
    }
}

fn difference(before: Totals, after: Totals) -> Vec<Moved> {
    let moved = |kind, amount, part| Moved { kind, amount, part };
    [
        moved(EntryKind::Add, after.credited - before.credited, Part::Credit),
        moved(EntryKind::Refund, after.refunded - before.refunded, Part::Refund),
        moved(EntryKind::Add, before.refunded - after.refunded, Part::RefundFailed),
        moved(EntryKind::Refund, after.disputed - before.disputed, Part::Dispute),
        moved(EntryKind::Add, before.disputed - after.disputed, Part::DisputeEnded),
    ]
    .into_iter()
    .filter(|moved| moved.amount > MicroDollars::ZERO)
    .collect()
}

#[cfg(test)]
mod tests;
