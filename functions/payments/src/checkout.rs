//! Starts a payment at Stripe, and handles the visitor's return.

use crate::App;
use crate::stripe::{Returning, Session, StripeError};
use domain::money::{InvalidAmount, payment_amount};
use domain::payment::{Checkout, Payment, PaymentStatus};
use domain::report::Chain;
use domain::{InstallationId, MicroDollars, PaymentId};
use http_kit::{ApiError, ErrorCode};
use store::payments::BeginError;

/// The outcome that a returning payer's page shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Success,
    Cancelled,
    Failed,
    Pending,
}

impl Outcome {
    fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
            Self::Pending => "pending",
        }
    }
}

impl App {
    /// Begins a payment of this amount and returns it with its Stripe page; the same key returns the same payment.
    pub(crate) async fn begin(
        &self,
        installation: InstallationId,
        amount: &str,
        key: Option<&str>,
    ) -> Result<(PaymentId, Checkout), ApiError> {
        let amount = payment_amount(amount).map_err(refuse)?;
        let begun = self.payments.begin(installation, amount, key).await;
        let payment = begun.map_err(|error| match error {
            BeginError::KeyReused => {
                ApiError::conflict(ErrorCode::IdempotencyKeyReused, error.to_string())
            }
            BeginError::Store(error) => error.into(),
        })?;
        if let Some(checkout) = payment.checkout {
            return Ok((payment.id, checkout));
        }
        let opened = self.stripe.open(installation, &payment, &self.returning(&payment)).await;
        let checkout = opened.map_err(|error| match error {
            StripeError::Key(error) => ApiError::of_secret(error),
            error => {
                ApiError::bad_gateway("The payment provider did not answer. Try again.", error)
            }
        })?;
        let opened = self.payments.opened(installation, &payment.id, checkout).await?;
        let checkout =
            opened.ok_or_else(|| ApiError::internal("a payment vanished while it was begun"))?;
        Ok((payment.id, checkout))
    }

    fn returning(&self, payment: &Payment) -> Returning {
        let (site, id) = (self.gatekeeper.public_url(), &payment.id);
        let back = format!("{site}/api/payments/stripe/return?payment_id={id}");
        Returning { paid: back, cancelled: self.page(id, Outcome::Cancelled, Some(payment.amount)) }
    }

    /// The page that a payer returns to; it shows Stripe's present state of the payment if this call may ask Stripe.
    pub(crate) async fn come_back(
        &self,
        installation: Option<InstallationId>,
        id: &PaymentId,
        may_ask: bool,
    ) -> String {
        let payment = match installation {
            Some(installation) => self.payments.get(installation, id).await,
            None => Ok(None),
        };
        match payment {
            Ok(Some(payment)) => {
                let outcome = self.outcome(&payment, may_ask).await;
                self.page(id, outcome, Some(payment.amount))
            }
            // A caller who is signed out, or another user, learns nothing; the page asks again after sign-in.
            Ok(None) => self.page(id, Outcome::Pending, None),
            Err(error) => {
                // A payer who has just paid gets a page even if something fails here.
                tracing::error!(error = %Chain(&error), "a payment could not be checked");
                self.page(id, Outcome::Pending, None)
            }
        }
    }

    async fn outcome(&self, payment: &Payment, may_ask: bool) -> Outcome {
        match (payment.status(), &payment.checkout) {
            (PaymentStatus::Pending, Some(checkout)) if may_ask => {
                // The webhook may be slower than the browser.
                self.stripe.session(&checkout.session).await.map_or_else(
                    |error| {
                        tracing::warn!(error = %Chain(&error), "a checkout could not be checked");
                        Outcome::Pending
                    },
                    |session| outcome_of(&session),
                )
            }
            (PaymentStatus::Pending, _) => Outcome::Pending,
            (PaymentStatus::Failed | PaymentStatus::Expired, _) => Outcome::Failed,
            (PaymentStatus::Completed | PaymentStatus::Refunded | PaymentStatus::Disputed, _) => {
                Outcome::Success
            }
        }
    }

    fn page(&self, id: &PaymentId, outcome: Outcome, amount: Option<MicroDollars>) -> String {
        let (site, status) = (self.gatekeeper.public_url(), outcome.as_str());
        let amount = amount.map(|amount| {
            let cents = amount.cents();
            format!("&amount={}.{:02}", cents / 100, cents % 100)
        });
        let amount = amount.unwrap_or_default();
        format!("{site}/app/payment-success?payment_id={id}&status={status}{amount}")
    }
}

fn outcome_of(session: &Session) -> Outcome {
    let failed = |intent: &crate::stripe::Intent| {
        matches!(intent.status.as_str(), "requires_payment_method" | "canceled")
    };
    match (session.payment_status.as_str(), session.status.as_deref()) {
        ("paid", _) => Outcome::Success,
        (_, Some("expired")) => Outcome::Failed,
        (_, Some("complete")) if session.payment_intent.as_ref().is_some_and(failed) => {
            Outcome::Failed
        }
        _ => Outcome::Pending,
    }
}

fn refuse(invalid: InvalidAmount) -> ApiError {
    let code = match invalid {
        InvalidAmount::NotPositive => ErrorCode::InvalidAmount,
        InvalidAmount::TooSmall => ErrorCode::AmountTooSmall,
        InvalidAmount::TooLarge => ErrorCode::AmountTooLarge,
    };
    ApiError::unprocessable(code, invalid.to_string())
}
