//! One payment, from the checkout to whatever becomes of the money afterwards.
//!
//! The payment provider tells of it in events that come late, twice and in any order. So a payment keeps
//! *facts*, each of which only ever grows (it was paid; so much was refunded; a dispute was opened, won,
//! lost), and what it has moved follows from the facts alone. Taking an event notes its fact and tells the
//! difference: an event that is repeated or overtaken makes none, and in the end every order of the same
//! events has moved the same money.

use crate::ledger::EntryKind;
use crate::{MicroDollars, PaymentId, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// Where a payment stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PaymentStatus {
    /// Nobody has paid yet, or the money is on its way.
    Pending,
    /// The money is there.
    Completed,
    /// The money did not come.
    Failed,
    /// The checkout was left alone for too long.
    Expired,
    /// All of it went back.
    Refunded,
    /// The payer's bank took it back, or is thinking about it.
    Disputed,
}

impl PaymentStatus {
    /// The word of the API.
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

/// Where the payer pays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkout {
    /// The provider's id of it.
    pub session: String,
    /// Its page.
    pub link: String,
}

/// How far a dispute has come. The order is that of time: what is later replaces what is earlier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DisputeState {
    /// The bank asks; the money stays.
    Inquiry,
    /// The bank has taken the money.
    Open,
    /// It stays with the bank.
    Lost,
    /// It came back.
    Won,
}

/// A dispute of a payment.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Dispute {
    /// How much of the payment.
    pub amount: MicroDollars,
    /// How far it has come.
    pub state: DisputeState,
}

/// A payment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payment {
    /// Its id.
    pub id: PaymentId,
    /// How much.
    pub amount: MicroDollars,
    /// When it was begun.
    pub created_at: Timestamp,
    /// Where it is paid; none until the provider has answered.
    pub checkout: Option<Checkout>,
    /// The provider's id of the money's way, by which refunds and disputes name the payment.
    pub intent: Option<String>,
    /// The money is there.
    pub paid: bool,
    /// The money will not come.
    pub failed: bool,
    /// The checkout is closed.
    pub expired: bool,
    /// How much went back to the payer so far.
    pub refunded: MicroDollars,
    /// Its disputes by the provider's ids.
    pub disputes: BTreeMap<String, Dispute>,
}

/// What the provider tells of a payment.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PaymentEvent {
    /// The checkout is done, and the money is on its way.
    Processing,
    /// The money is there.
    Paid,
    /// The money will not come.
    Failed,
    /// The checkout is closed, unpaid.
    Expired,
    /// So much of it went back, in all.
    Refunded(MicroDollars),
    /// A dispute stands so.
    Disputed(String, Dispute),
}

/// What an event does to the balance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// Which way.
    pub kind: EntryKind,
    /// How much; more than nothing.
    pub amount: MicroDollars,
    /// Which of its parts.
    pub part: Part,
}

/// The parts of what a payment moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The credit that was paid for.
    Credit,
    /// What went back to the payer.
    Refund,
    /// What the payer's bank took.
    Dispute,
    /// What it gave back.
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

    /// What it was, for people.
    pub fn description(self) -> &'static str {
        match self {
            Self::Credit => "Credits added",
            Self::Refund => "Payment refunded",
            Self::Dispute => "Payment disputed",
            Self::DisputeEnded => "Dispute ended, credits returned",
        }
    }
}

/// What a payment has moved so far, each part only as far as the others leave it something to move.
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

    /// Where it stands.
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

    /// Notes an event and tells what it moves; nothing when it was known or was overtaken.
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
                DisputeState::Open | DisputeState::Lost => sum + dispute.amount,
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

    /// What a payment moves in all when it is told these events.
    fn told(events: &[PaymentEvent]) -> (Payment, MicroDollars) {
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
    fn each_way_a_payment_can_go_ends_in_its_status_and_its_money() {
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
            let (payment, moved) = told(events);
            assert_eq!((payment.status(), moved), (status, sum), "{events:?}");
        }
    }

    fn any_event() -> impl Strategy<Value = PaymentEvent> {
        prop_oneof![
            Just(PaymentEvent::Processing),
            Just(PaymentEvent::Paid),
            Just(PaymentEvent::Failed),
            Just(PaymentEvent::Expired),
            (0..4_000_i64).prop_map(|n| PaymentEvent::Refunded(cents(n))),
            (0..2, 0..4_000_i64, prop_oneof![Just(Inquiry), Just(Open), Just(Won), Just(Lost)])
                .prop_map(|(id, amount, state)| {
                    // The provider names a dispute's amount once and for all.
                    let amount = cents(amount % 7 * 100 + i64::from(id));
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
            let (payment, moved) = told(&events);
            let (other, again) = told(&shuffled);
            prop_assert_eq!(moved, again);
            prop_assert_eq!(payment.status(), other.status());
            prop_assert!(moved >= MicroDollars::ZERO && moved <= AMOUNT, "{:?}", moved);
        }

        #[test]
        fn what_is_told_again_moves_nothing(events in proptest::collection::vec(any_event(), 0..12)) {
            let (mut payment, _) = told(&events);
            for event in &events {
                prop_assert_eq!(payment.take(event), []);
            }
        }
    }
}
