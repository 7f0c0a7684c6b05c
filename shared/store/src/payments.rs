//! Payments, and the effects of the payment provider's events.
//!
//! A payment is stored among its wallet's entries, at the time when it began. It is in the table before the payer gets
//! a payment page, so every event finds it. One transaction takes an event. It writes the event's own id, which stays
//! forever (the provider repeats events for three days, but DynamoDB's idempotency token lasts only ten minutes), the
//! new state of the payment, the entries, and the balance.

use crate::ledger::{self, Row, credit_key, entries, put_once, row_key, wallet};
use crate::table::{IntoWrite, Key, Table, number};
use crate::{StoreError, Stored};
use aws_sdk_dynamodb::types::TransactWriteItem;
use domain::ledger::Entry;
use domain::payment::{Checkout, Moved, Part, Payment, PaymentEvent};
use domain::secret_token::sha256_hex;
use domain::{EntryId, InstallationId, MicroDollars, PaymentId, Timestamp};
use serde::{Deserialize, Serialize};

/// Attempts to take an event; each lost attempt means that another event of the same payment was taken.
const ATTEMPTS: usize = 12;

/// The result of taking an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// The event was new.
    New,
    /// The event was taken before, or contained nothing new.
    Known,
    /// The payment does not exist.
    NoSuchPayment,
    /// The event names an amount other than the payment's; nothing was credited.
    Mismatch,
}

/// A payment event of the provider.
#[derive(Debug, Clone)]
pub struct PaymentUpdate<'a> {
    /// The event's id, which is taken once.
    pub event_id: &'a str,
    /// The provider's event.
    pub event: &'a PaymentEvent,
    /// The provider's id of the payment intent, if the event names it.
    pub intent: Option<&'a str>,
    /// The paid amount, if the event names it.
    pub paid: Option<MicroDollars>,
}

/// The reason why a payment was not begun.
#[derive(Debug, thiserror::Error)]
pub enum BeginError {
    /// The caller's key belongs to a payment with another amount.
    #[error("This idempotency key was used for another amount.")]
    KeyReused,
    /// The table failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The payments of the table.
#[derive(Clone, Debug)]
pub struct Payments {
    table: Table,
}

#[derive(Serialize, Deserialize)]
struct Begun {
    payment: PaymentId,
    amount: MicroDollars,
}

#[derive(Serialize, Deserialize)]
struct Seen {
    payment: PaymentId,
    at: Timestamp,
}

#[derive(Serialize, Deserialize)]
struct Owner {
    installation: InstallationId,
    payment: PaymentId,
}

fn begun_key(installation: InstallationId, key: &str) -> Key {
    Key::new(wallet(installation), format!("BEGUN#{}", sha256_hex(key.as_bytes())))
}

fn event_key(event_id: &str) -> Key {
    Key::new(format!("EVENT#{event_id}"), "EVENT")
}

fn intent_key(intent: &str) -> Key {
    Key::new(format!("INTENT#{intent}"), "INTENT")
}

impl Payments {
    /// The payments in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// Begins a payment, or returns the one that began with the same key.
    pub async fn begin(
        &self,
        installation: InstallationId,
        amount: MicroDollars,
        key: Option<&str>,
    ) -> Result<Payment, BeginError> {
        for _ in 0..ATTEMPTS {
            if let Some(begun) = self.begun(installation, key).await? {
                if begun.amount != amount {
                    return Err(BeginError::KeyReused);
                }
                let payment = self.get(installation, &begun.payment).await?;
                return payment.ok_or_else(|| StoreError::dynamo_shape("a payment").into());
            }
            let payment = Payment::new(amount);
            let row = row_key(installation, payment.id.as_str());
            let mut writes = vec![put_once(&self.table, &row, &Row::Payment(payment.clone()))?];
            if let Some(key) = key {
                let begun = Begun { payment: payment.id.clone(), amount };
                writes.push(put_once(&self.table, &begun_key(installation, key), &begun)?);
            }
            if self.table.transact(writes).await? {
                return Ok(payment);
            }
        }
        Err(StoreError::Contended.into())
    }

    async fn begun(
        &self,
        installation: InstallationId,
        key: Option<&str>,
    ) -> Result<Option<Begun>, StoreError> {
        let Some(key) = key else { return Ok(None) };
        Ok(self.table.get(&begun_key(installation, key)).await?.map(|stored| stored.value))
    }

    /// Records a payment's page, unless it has one; returns the page that the payment has afterward.
    pub async fn opened(
        &self,
        installation: InstallationId,
        id: &PaymentId,
        checkout: Checkout,
    ) -> Result<Option<Checkout>, StoreError> {
        for _ in 0..ATTEMPTS {
            let Some(stored) = self.stored(installation, id).await? else { return Ok(None) };
            if stored.value.checkout.is_some() {
                return Ok(stored.value.checkout);
            }
            let opened = Payment { checkout: Some(checkout.clone()), ..stored.value };
            let put = self.replacing(installation, &opened, stored.version)?;
            if self.table.transact(vec![put]).await? {
                return Ok(opened.checkout);
            }
        }
        Err(StoreError::Contended)
    }

    /// A payment of this installation.
    pub async fn get(
        &self,
        installation: InstallationId,
        id: &PaymentId,
    ) -> Result<Option<Payment>, StoreError> {
        Ok(self.stored(installation, id).await?.map(|stored| stored.value))
    }

    /// The payment of a payment intent; known once the provider has named the intent.
    pub async fn of_intent(
        &self,
        intent: &str,
    ) -> Result<Option<(InstallationId, PaymentId)>, StoreError> {
        let owner = self.table.get::<Owner>(&intent_key(intent)).await?;
        Ok(owner.map(|stored| (stored.value.installation, stored.value.payment)))
    }

    /// Takes an event of a payment, once. An event whose amount differs from the payment's is refused: otherwise,
    /// anyone who controls the amount at the provider would control the credit.
    pub async fn take(
        &self,
        installation: InstallationId,
        id: &PaymentId,
        update: &PaymentUpdate<'_>,
    ) -> Result<Taken, StoreError> {
        for _ in 0..ATTEMPTS {
            let Some(stored) = self.stored(installation, id).await? else {
                return Ok(Taken::NoSuchPayment);
            };
            let mut payment = stored.value.clone();
            if update.paid.is_some_and(|paid| paid != payment.amount) {
                return Ok(Taken::Mismatch);
            }
            let moved = payment.take(update.event);
            if payment.intent.is_none() {
                payment.intent = update.intent.map(str::to_owned);
            }
            if payment == stored.value {
                return Ok(Taken::Known);
            }
            let writes = self.taking(installation, &stored, &payment, update.event_id, &moved)?;
            match self.table.transact_or_why(writes).await? {
                Ok(()) => return Ok(Taken::New),
                Err(failed) if failed.contains(&0) => return Ok(Taken::Known),
                Err(_) => {}
            }
        }
        Err(StoreError::Contended)
    }

    fn taking(
        &self,
        installation: InstallationId,
        before: &Stored<Payment>,
        payment: &Payment,
        event_id: &str,
        moved: &[Moved],
    ) -> Result<Vec<TransactWriteItem>, StoreError> {
        let at = Timestamp::now();
        let seen = Seen { payment: payment.id.clone(), at };
        let mut writes = vec![
            put_once(&self.table, &event_key(event_id), &seen)?,
            self.replacing(installation, payment, before.version)?,
        ];
        if let Some(intent) = payment.intent.as_ref().filter(|_| before.value.intent.is_none()) {
            let owner = Owner { installation, payment: payment.id.clone() };
            let put = self.table.put_in_transaction(&intent_key(intent), &owner, 1)?;
            writes.push(put.into_write()?);
        }
        if !moved.is_empty() {
            let moved: Vec<_> =
                moved.iter().map(|moved| entry(payment, event_id, moved, at)).collect();
            writes.extend(entries(&self.table, installation, &moved)?);
        }
        Ok(writes)
    }

    async fn stored(
        &self,
        installation: InstallationId,
        id: &PaymentId,
    ) -> Result<Option<Stored<Payment>>, StoreError> {
        let stored = self.table.get::<Row>(&row_key(installation, id.as_str())).await?;
        Ok(stored.and_then(|Stored { value, version }| match value {
            Row::Payment(value) => Some(Stored { value, version }),
            Row::Entry(_) => None,
        }))
    }

    fn replacing(
        &self,
        installation: InstallationId,
        payment: &Payment,
        version: u64,
    ) -> Result<TransactWriteItem, StoreError> {
        let key = row_key(installation, payment.id.as_str());
        let row = ledger::Row::Payment(payment.clone());
        let put = self.table.put_in_transaction(&key, &row, version + 1)?;
        let put = put
            .condition_expression("version = :version")
            .expression_attribute_values(":version", number(version));
        put.into_write()
    }
}

fn entry(payment: &Payment, event_id: &str, moved: &Moved, at: Timestamp) -> Entry {
    Entry {
        id: EntryId::at(at),
        key: match moved.part {
            Part::Credit => credit_key(&payment.id),
            part => format!("{}:{}:{event_id}", payment.id, part.as_str()),
        },
        kind: moved.kind,
        amount: moved.amount,
        payment_method: "Card".to_owned(),
        description: Some(moved.part.description().to_owned()),
        project: None,
        payment: Some(payment.id.clone()),
        at,
    }
}
