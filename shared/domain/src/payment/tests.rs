//! What a payment's events move, in every order.

use super::*;
use DisputeState::{Inquiry, Lost, Open, Won};
use RefundState::{Failed, Made};
use proptest::prelude::*;

const AMOUNT: MicroDollars = MicroDollars::of_cents(2_500);

fn cents(cents: i64) -> MicroDollars {
    MicroDollars::of_cents(cents)
}

fn disputed(state: DisputeState) -> PaymentEvent {
    PaymentEvent::Disputed("dp_1".into(), Dispute { amount: AMOUNT, state })
}

fn refund(id: &str, amount: i64, state: RefundState) -> PaymentEvent {
    PaymentEvent::Refund(id.into(), Refund { amount: cents(amount), state })
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

#[test]
fn a_refund_that_fails_gives_the_credits_back_once() {
    use PaymentEvent::{Paid, Refunded};
    let (made, failed) = (refund("re_1", 1_000, Made), refund("re_1", 1_000, Failed));
    let all = |state| refund("re_2", 2_500, state);
    let ways: [(&[PaymentEvent], PaymentStatus, MicroDollars); 9] = [
        (&[Paid, made.clone()], PaymentStatus::Completed, cents(1_500)),
        (&[Paid, made.clone(), Refunded(cents(1_000))], PaymentStatus::Completed, cents(1_500)),
        (&[Paid, Refunded(cents(1_000)), failed.clone()], PaymentStatus::Completed, AMOUNT),
        (&[failed.clone(), made.clone(), Paid], PaymentStatus::Completed, AMOUNT),
        (&[failed.clone(), Paid, Refunded(cents(1_000))], PaymentStatus::Completed, AMOUNT),
        (&[Paid, failed.clone(), failed.clone(), made.clone()], PaymentStatus::Completed, AMOUNT),
        (&[Paid, Refunded(AMOUNT), all(Failed)], PaymentStatus::Completed, AMOUNT),
        // The owner refunds all of it again, once the first refund has failed.
        (
            &[Paid, Refunded(cents(1_000)), failed.clone(), all(Made), Refunded(AMOUNT)],
            PaymentStatus::Refunded,
            cents(0),
        ),
        // A dispute of the whole payment takes what a failed refund gives back.
        (&[Paid, made.clone(), disputed(Open), failed], PaymentStatus::Disputed, cents(0)),
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
        (0..3_i64, prop_oneof![Just(Made), Just(Failed)])
            // The provider never changes a refund's amount.
            .prop_map(|(n, state)| refund(&format!("re_{n}"), n * 1_300 - 100, state)),
        (0..2, 0..4_000_i64, prop_oneof![Just(Inquiry), Just(Open), Just(Won), Just(Lost)])
            .prop_map(|(id, amount, state)| {
                // The provider never changes a dispute's amount.
                let amount = cents(amount % 7 * 100 - 100 + i64::from(id));
                PaymentEvent::Disputed(format!("dp_{id}_{}", amount.0), Dispute { amount, state })
            }),
    ]
}

/// How a refund ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Arrives,
    FailsAtOnce,
    FailsAfterTheOthers,
}

/// A paid payment's refunds as the provider makes them, and what the payer has in the end. A total is that of the
/// refunds that have not failed by then; its event may be lost, and failures are repeated.
fn refunds() -> impl Strategy<Value = (Vec<PaymentEvent>, MicroDollars)> {
    let fate =
        prop_oneof![Just(Fate::Arrives), Just(Fate::FailsAtOnce), Just(Fate::FailsAfterTheOthers)];
    let refunds = proptest::collection::vec((1..1_500_i64, fate, any::<bool>()), 0..5);
    (refunds, 1..11_usize).prop_map(|(refunds, repeated)| {
        let (mut events, mut late) = (vec![PaymentEvent::Paid], Vec::new());
        let (mut total, mut failing) = (0, 0);
        for (n, (amount, fate, named)) in refunds.into_iter().enumerate() {
            let amount = amount.min(AMOUNT.cents() - total);
            let id = format!("re_{n}");
            total += amount;
            events.push(refund(&id, amount, Made));
            events.extend(named.then(|| PaymentEvent::Refunded(cents(total))));
            let failed = std::iter::repeat_n(refund(&id, amount, Failed), repeated);
            match fate {
                Fate::Arrives => {}
                Fate::FailsAtOnce => {
                    events.extend(failed);
                    total -= amount;
                }
                Fate::FailsAfterTheOthers => {
                    late.extend(failed);
                    failing += amount;
                }
            }
        }
        events.extend(late);
        (events, cents(total - failing))
    })
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
    fn the_payer_and_the_balance_together_have_what_was_paid(
        ((events, with_payer), shuffled) in refunds().prop_flat_map(|story| {
            let events = story.0.clone();
            (Just(story), Just(events).prop_shuffle())
        }),
    ) {
        for events in [events, shuffled] {
            let (payment, moved) = replayed(&events);
            prop_assert_eq!(moved, AMOUNT - with_payer, "{:?}", events);
            prop_assert_eq!(payment.status() == PaymentStatus::Refunded, with_payer == AMOUNT);
        }
    }

    #[test]
    fn a_repeated_event_moves_nothing(events in proptest::collection::vec(any_event(), 0..12)) {
        let (mut payment, _) = replayed(&events);
        for event in &events {
            prop_assert_eq!(payment.take(event), []);
        }
    }
}
