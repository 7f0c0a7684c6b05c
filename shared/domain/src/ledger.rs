//! The prepaid credits of an installation: its balance, its holds, and the reasons of their changes.
//!
//! The balance is the sum of immutable entries. Before a call of a model, the highest possible cost of the call is
//! *held*. When the call has ended, either its real cost is *settled*, which ends the hold, or the hold is *released*
//! because the call used nothing. A hold that is neither renewed nor ended expires and is released. Only the balance
//! minus all holds may be spent, so no two calls are ever covered by the same dollar.
//!
//! A hold caps its call's bill: usage above it is not charged. So calls never make a balance negative. Only a refund or
//! a dispute can do that, because it takes a payment back even if the money has been spent.

use crate::{EntryId, ErrorCode, MicroDollars, PaymentId, ProjectId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A balance below this is low, and the page warns its owner.
pub const LOW: MicroDollars = MicroDollars::of_cents(100);
/// How long a hold lasts without a renewal, in seconds. A function that has not renewed its hold by then was killed.
pub const HOLD_SECONDS: i64 = 45;
/// How often a hold is renewed during its call, in seconds; the hold survives two lost renewals.
pub const HOLD_RENEWED_SECONDS: u64 = 15;

/// The direction of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// Credit came in.
    Add,
    /// A model call used credit.
    Use,
    /// A payment was returned.
    Refund,
}

impl EntryKind {
    /// The name in the API.
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
    /// A key that makes it impossible to write the entry twice: a model call's id, or a payment's id and the part of
    /// it.
    pub key: String,
    /// Its direction.
    pub kind: EntryKind,
    /// The amount; never negative.
    pub amount: MicroDollars,
    /// The payment method, for people: "Card", "Credits".
    pub payment_method: String,
    /// The reason, for people.
    pub description: Option<String>,
    /// The project that used it.
    pub project: Option<ProjectId>,
    /// The payment that it belongs to.
    pub payment: Option<PaymentId>,
    /// The time of the change.
    pub at: Timestamp,
}

impl Entry {
    /// The change of the balance; negative for a deduction.
    pub fn signed(&self) -> MicroDollars {
        match self.kind {
            EntryKind::Add => self.amount,
            EntryKind::Use | EntryKind::Refund => -self.amount,
        }
    }
}

/// An installation's credits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Balance {
    /// The sum of all entries.
    #[serde(default)]
    pub balance: MicroDollars,
    /// The sum of all holds.
    #[serde(default)]
    pub held: MicroDollars,
    /// The balance minus the holds. Stored, because conditions of DynamoDB compare but do not subtract.
    #[serde(default)]
    pub available: MicroDollars,
}

impl Balance {
    /// Whether the balance covers another call with this worst case.
    pub fn covers(self, worst: MicroDollars) -> bool {
        self.available >= worst
    }

    /// Whether the page should warn its owner.
    pub fn is_low(self) -> bool {
        self.available < LOW
    }

    /// The balance after a movement.
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

/// A change of a balance and of its holds, made in one write.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Movement {
    /// The change of the balance.
    pub balance: MicroDollars,
    /// The change of the holds.
    pub held: MicroDollars,
}

impl Movement {
    /// Holds a call's worst case.
    pub fn hold(worst: MicroDollars) -> Self {
        Self { held: worst, ..Self::default() }
    }

    /// Ends a hold that was not needed.
    pub fn release(held: MicroDollars) -> Self {
        Self { held: -held, ..Self::default() }
    }

    /// Ends a hold and pays the used amount, which is at most the hold.
    pub fn settle(held: MicroDollars, used: MicroDollars) -> Self {
        Self { balance: -used.min(held), held: -held }
    }

    /// Pays the used amount without a hold, up to the part of the balance that is not held.
    pub fn pay(used: MicroDollars, available: MicroDollars) -> Self {
        let most = available.max(MicroDollars::ZERO);
        Self { balance: -used.min(most), ..Self::default() }
    }

    /// Writes entries without a hold.
    pub fn entries<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Self {
        let sum = |sum, entry: &Entry| sum + entry.signed();
        Self { balance: entries.into_iter().fold(MicroDollars::ZERO, sum), ..Self::default() }
    }
}

/// The reason why a model call cannot begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The credits do not cover the call's worst case.
    #[error("Your credits do not cover the next call. Add credits to continue.")]
    InsufficientCredits,
    /// The rest of the project's budget does not cover the call's worst case.
    #[error(
        "The rest of this project's budget does not cover the next call. Raise it on the costs page to continue."
    )]
    BudgetReached,
}

impl Refusal {
    /// The code for programs.
    pub fn code(self) -> ErrorCode {
        match self {
            Self::InsufficientCredits => ErrorCode::InsufficientCredits,
            Self::BudgetReached => ErrorCode::BudgetReached,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_held_amount_covers_nothing_else() {
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
