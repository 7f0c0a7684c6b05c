//! The prepaid credits of an installation: what it has, what is put aside, and why it changed.
//!
//! The balance is the sum of immutable entries. Before a model is called, the most that the call can cost
//! is *held*; when the call has ended, what it did cost is *settled* and the hold is gone, or the hold is
//! *released* because nothing was used. A hold that is neither renewed nor ended is released after its time. What may be
//! spent is the balance less everything that is held, so no two calls are ever covered by the same dollar.
//!
//! A hold bounds its bill: what a provider counts above it is not charged. So calls never take a balance below
//! zero. Only a refund or a dispute can, which takes back what was paid also when it has been spent.

use crate::{EntryId, MicroDollars, PaymentId, ProjectId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Below this a balance is low, and its owner is told so.
pub const LOW: MicroDollars = MicroDollars::of_cents(100);
/// How long a hold lasts that nobody renews or ends, in seconds: whoever made it was killed.
pub const HOLD_SECONDS: i64 = 60;
/// How often a hold is renewed while its call goes on, in seconds: two renewals may be lost.
pub const HOLD_RENEWED_SECONDS: u64 = 20;

/// Which way an entry moves the balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// Credit came in.
    Add,
    /// A model call used some.
    Use,
    /// What was paid went back.
    Refund,
}

impl EntryKind {
    /// The word of the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Use => "use",
            Self::Refund => "refund",
        }
    }
}

/// One change of a balance; never altered once it is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its id, which sorts by time.
    pub id: EntryId,
    /// What makes writing it twice impossible: a model call's id, a payment's id and what became of it.
    pub key: String,
    /// Which way.
    pub kind: EntryKind,
    /// How much; never negative.
    pub amount: MicroDollars,
    /// How it was paid, for people: "Card", "Credits".
    pub payment_method: String,
    /// What it was for, for people.
    pub description: Option<String>,
    /// The project that used it.
    pub project: Option<ProjectId>,
    /// The payment that it belongs to.
    pub payment: Option<PaymentId>,
    /// When.
    pub at: Timestamp,
}

impl Entry {
    /// What it adds to the balance; negative for what it takes.
    pub fn signed(&self) -> MicroDollars {
        match self.kind {
            EntryKind::Add => self.amount,
            EntryKind::Use | EntryKind::Refund => -self.amount,
        }
    }
}

/// What an installation has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Balance {
    /// The sum of all entries.
    #[serde(default)]
    pub balance: MicroDollars,
    /// The sum of all holds.
    #[serde(default)]
    pub held: MicroDollars,
    /// The one less the other. Kept, because a condition of DynamoDB compares but does not subtract.
    #[serde(default)]
    pub available: MicroDollars,
}

impl Balance {
    /// Whether it covers one more call of this worst case.
    pub fn covers(self, worst: MicroDollars) -> bool {
        self.available >= worst
    }

    /// Whether its owner should be told that it is low.
    pub fn is_low(self) -> bool {
        self.available < LOW
    }

    /// What a movement makes of it.
    #[must_use]
    pub fn after(self, movement: Movement) -> Self {
        let Movement { balance, held } = movement;
        Self {
            balance: self.balance + balance,
            held: self.held + held,
            available: self.available + balance - held,
        }
    }
}

/// A change of a balance and of what is held of it, made at once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Movement {
    /// What comes to the balance.
    pub balance: MicroDollars,
    /// What comes to the holds.
    pub held: MicroDollars,
}

impl Movement {
    /// Puts a call's worst case aside.
    pub fn hold(worst: MicroDollars) -> Self {
        Self { held: worst, ..Self::default() }
    }

    /// Ends a hold that was not needed.
    pub fn release(held: MicroDollars) -> Self {
        Self { held: -held, ..Self::default() }
    }

    /// Ends a hold by paying what was used, which is at most what was held.
    pub fn settle(held: MicroDollars, used: MicroDollars) -> Self {
        Self { balance: -used.min(held), held: -held }
    }

    /// Pays without a hold: what was used, as far as there is money that is not held for something else.
    pub fn pay(used: MicroDollars, available: MicroDollars) -> Self {
        let most = available.max(MicroDollars::ZERO);
        Self { balance: -used.min(most), ..Self::default() }
    }

    /// Writes entries that no hold was for.
    pub fn entries<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Self {
        let sum = |sum, entry: &Entry| sum + entry.signed();
        Self { balance: entries.into_iter().fold(MicroDollars::ZERO, sum), ..Self::default() }
    }
}

/// Why a model call is not begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The credits do not cover its worst case.
    #[error("Insufficient credits. Add credits to continue.")]
    InsufficientCredits,
    /// What is left of the project's budget does not cover its worst case.
    #[error("This project has reached its budget. Raise it on the costs page to continue.")]
    BudgetReached,
}

impl Refusal {
    /// The word for programs.
    pub fn code(self) -> &'static str {
        match self {
            Self::InsufficientCredits => "insufficient_credits",
            Self::BudgetReached => "budget_reached",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dollar_that_is_held_covers_nothing_else() {
        let dollar = MicroDollars::of_cents(100);
        let paid = Balance { balance: dollar, held: MicroDollars::ZERO, available: dollar };
        let held = paid.after(Movement::hold(MicroDollars::of_cents(60)));
        assert_eq!(held.balance, dollar);
        assert!(
            held.covers(MicroDollars::of_cents(40)) && !held.covers(MicroDollars::of_cents(41))
        );
        let settled =
            held.after(Movement::settle(MicroDollars::of_cents(60), MicroDollars::of_cents(5)));
        assert_eq!((settled.balance, settled.held), (MicroDollars::of_cents(95), MicroDollars(0)));
        assert_eq!(settled.available, settled.balance);
        assert_eq!(held.after(Movement::release(MicroDollars::of_cents(60))), paid);
    }
}
