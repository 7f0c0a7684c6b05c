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
    /// The refunded amount so far.
    pub refunded: MicroDollars,
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
            Self::Dispute => "dispute",
            Self::DisputeEnded => "dispute-ended",
        }
    }

    /// The description, for people.
    pub fn description(self) -> &'static str {
        match self {
            Self::Credit => "Credits added",
            Self::Refund => "Payment refunded",
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
        let refunded = self.refunded.min(self.amount);
        let disputed =
            self.disputes.values().fold(MicroDollars::ZERO, |sum, dispute| match dispute.state {
                DisputeState::Open | DisputeState::Lost => {
                    sum + dispute.amount.max(MicroDollars::ZERO)
                }
                DisputeState::Inquiry | DisputeState::Won => sum,
            });
        Totals { credited: self.amount, refunded, disputed: disputed.min(self.amount - refunded) }
    }
}

fn difference(before: Totals, after: Totals) -> Vec<Moved> {
    let moved = |kind, amount, part| Moved { kind, amount, part };
    [
        moved(EntryKind::Add, after.credited - before.credited, Part::Credit),
        moved(EntryKind::Refund, after.refunded - before.refunded, Part::Refund),
        moved(EntryKind::Refund, after.disputed - before.disputed, Part::Dispute),
        moved(EntryKind::Add, before.disputed - after.disputed, Part::DisputeEnded),
    ]
    .into_iter()
    .filter(|moved| moved.amount > MicroDollars::ZERO)
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use DisputeState::{Inquiry, Lost, Open, Won};
    use proptest::prelude::*;

    const AMOUNT: MicroDollars = MicroDollars::of_cents(2_500);

    fn cents(cents: i64) -> MicroDollars {
        MicroDollars::of_cents(cents)
    }

    fn disputed(state: DisputeState) -> PaymentEvent {
        PaymentEvent::Disputed("dp_1".into(), Dispute { amount: AMOUNT, state })
    }

    /// The payment after these events, and the money they moved.
    fn replayed(events: &[PaymentEvent]) -> (Payment, MicroDollars) {
        let mut payment = Payment::new(AMOUNT);
        let mut sum = MicroDollars::ZERO;
        for event in events {
            for moved in payment.take(event) {
                sum += if moved.kind == EntryKind::Add { moved.amount } else { -moved.amount };
            }
        }
        (payment, sum)
    }

    #[test]
    fn each_path_of_a_payment_ends_in_its_status_and_its_money() {
        use PaymentEvent::{Expired, Failed, Paid, Processing, Refunded};
        let ways: [(&[PaymentEvent], PaymentStatus, MicroDollars); 10] = [
            (&[], PaymentStatus::Pending, cents(0)),
            (&[Processing], PaymentStatus::Pending, cents(0)),
            (&[Paid, Paid], PaymentStatus::Completed, AMOUNT),
            (&[Processing, Failed], PaymentStatus::Failed, cents(0)),
            (&[Expired], PaymentStatus::Expired, cents(0)),
            (&[Refunded(cents(500)), Paid], PaymentStatus::Completed, cents(2_000)),
            (&[Paid, Refunded(AMOUNT), Refunded(cents(500))], PaymentStatus::Refunded, cents(0)),
            (&[disputed(Lost), Paid, disputed(Open)], PaymentStatus::Disputed, cents(0)),
            (&[Paid, disputed(Open), disputed(Won)], PaymentStatus::Completed, AMOUNT),
            (&[Paid, disputed(Inquiry)], PaymentStatus::Completed, AMOUNT),
        ];
        for (events, status, sum) in ways {
            let (payment, moved) = replayed(events);
            assert_eq!((payment.status(), moved), (status, sum), "{events:?}");
        }
    }

    fn any_event() -> impl Strategy<Value = PaymentEvent> {
        prop_oneof![
            Just(PaymentEvent::Processing),
            Just(PaymentEvent::Paid),
            Just(PaymentEvent::Failed),
            Just(PaymentEvent::Expired),
            (-1_000..4_000_i64).prop_map(|n| PaymentEvent::Refunded(cents(n))),
            (0..2, 0..4_000_i64, prop_oneof![Just(Inquiry), Just(Open), Just(Won), Just(Lost)])
                .prop_map(|(id, amount, state)| {
                    // The provider never changes a dispute's amount.
                    let amount = cents(amount % 7 * 100 - 100 + i64::from(id));
                    PaymentEvent::Disputed(
                        format!("dp_{id}_{}", amount.0),
                        Dispute { amount, state },
                    )
                }),
        ]
    }

    proptest! {
        #[test]
        fn every_order_of_the_same_events_moves_the_same_money(
            (events, shuffled) in proptest::collection::vec(any_event(), 0..12)
                .prop_flat_map(|events| (Just(events.clone()), Just(events).prop_shuffle())),
        ) {
            let (payment, moved) = replayed(&events);
            let (other, again) = replayed(&shuffled);
            prop_assert_eq!(moved, again);
            prop_assert_eq!(payment.status(), other.status());
            prop_assert!(moved >= MicroDollars::ZERO && moved <= AMOUNT, "{:?}", moved);
        }

        #[test]
        fn a_repeated_event_moves_nothing(events in proptest::collection::vec(any_event(), 0..12)) {
            let (mut payment, _) = replayed(&events);
            for event in &events {
                prop_assert_eq!(payment.take(event), []);
            }
        }
    }
}
