//! Shows a wallet's history to its owner.

use domain::ledger::{Entry, EntryKind};
use domain::payment::{Payment, PaymentStatus};
use domain::{EntryId, MicroDollars, ProjectId, Timestamp};
use http_kit::{ApiError, ErrorCode};
use serde::{Deserialize, Serialize};
use store::ledger::Row;
use utoipa::ToSchema;

/// Lines of a page by default.
const LIMIT: usize = 50;
/// The most lines of a page.
const MAX_LIMIT: usize = 100;

/// A change of the balance, or a payment that may become one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Transaction {
    /// Its id.
    pub id: EntryId,
    /// `add` is a credit; `use` and `refund` are debits.
    pub transaction_type: EntryKind,
    /// US dollars, never negative.
    #[schema(example = 25)]
    pub amount: f64,
    /// How it was paid: `Card`, `Credits`, `Groundcrew`.
    pub payment_method: String,
    /// Its status; only payments have other statuses than `completed`.
    pub status: PaymentStatus,
    /// Time of the change.
    pub created_at: Timestamp,
    /// Its reason.
    #[schema(required)]
    pub description: Option<String>,
    /// The project that used it.
    #[schema(required)]
    pub project_id: Option<ProjectId>,
}

impl Transaction {
    /// A line of the history.
    pub(crate) fn of(row: &Row) -> Self {
        match row {
            Row::Entry(entry) => Self::of_entry(entry),
            Row::Payment(payment) => Self::of_payment(payment),
        }
    }

    fn of_entry(entry: &Entry) -> Self {
        Self {
            id: entry.id.clone(),
            transaction_type: entry.kind,
            amount: entry.amount.dollars(),
            payment_method: entry.payment_method.clone(),
            status: PaymentStatus::Completed,
            created_at: entry.at,
            description: entry.description.clone(),
            project_id: entry.project,
        }
    }

    fn of_payment(payment: &Payment) -> Self {
        Self {
            id: EntryId(payment.id.0.clone()),
            transaction_type: EntryKind::Add,
            amount: payment.amount.dollars(),
            payment_method: "Card".to_owned(),
            status: payment.status(),
            created_at: payment.created_at,
            description: partly_refunded(payment),
            project_id: None,
        }
    }
}

fn partly_refunded(payment: &Payment) -> Option<String> {
    let partly = payment.refunded > MicroDollars::ZERO && payment.refunded < payment.amount;
    partly.then(|| format!("${:.2} of it refunded", payment.refunded.dollars()))
}

/// The number of lines that the caller asks for.
pub(crate) fn limit(asked: Option<&str>) -> Result<usize, ApiError> {
    let Some(asked) = asked else { return Ok(LIMIT) };
    let limit = asked.parse().ok().filter(|limit| (1..=MAX_LIMIT).contains(limit));
    limit.ok_or_else(|| {
        ApiError::bad_request(
            ErrorCode::InvalidLimit,
            format!("Ask for 1 to {MAX_LIMIT} transactions."),
        )
    })
}

/// The start of the page.
pub(crate) fn cursor(given: Option<&str>) -> Result<Option<EntryId>, ApiError> {
    let parsed = given.map(str::parse).transpose();
    parsed.map_err(|_| ApiError::bad_request(ErrorCode::InvalidCursor, "The cursor is invalid."))
}
