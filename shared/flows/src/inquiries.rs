//! Asks a project's sandbox a question, within seconds.
//!
//! A question travels like a run, through the queue `steps`: only the function behind that queue may unseal the
//! project's credentials, which the answer must not show. The function that asks polls the table and continues without
//! an answer if none comes in time.

use crate::polling::{Pauses, poll};
use crate::{Handover, HandoverError};
use aws::{AwsError, Delivery, Queue};
use domain::inquiry::{ANSWER_SECONDS, Answer, Question};
use domain::work::SandboxInquiry;
use domain::{RunId, Scope};
use settings::{ConfigError, SdkConfig};
use std::time::Duration;
use store::inquiries::Inquiries;
use store::sandboxes::Sandboxes;
use store::{StoreError, Table};

/// How long to wait for an answer: the sandbox's time, and the way there and back.
const PATIENCE: Duration = Duration::from_secs(ANSWER_SECONDS + 8);

const PAUSES: Pauses =
    Pauses { first: Duration::from_millis(40), longest: Duration::from_millis(400) };

/// The greatest age of a question that is still handed to the sandbox, in seconds.
const FRESH_SECONDS: i64 = 8;

/// Asks sandboxes.
#[derive(Clone, Debug)]
pub struct Asking {
    inquiries: Inquiries,
    sandboxes: Sandboxes,
    steps: Queue,
}

/// The reason for a missing answer.
#[derive(Debug, thiserror::Error)]
pub enum Unanswered {
    /// No sandbox is connected.
    #[error("The sandbox is not running.")]
    NotRunning,
    /// Its agent cannot answer questions, or its kernel cannot confine a reader.
    #[error("This sandbox cannot check anything without an approval.")]
    Unable,
    /// The question does not fit one message.
    #[error("The script and its files are too long to be checked in the sandbox.")]
    TooLong,
    /// It did not answer.
    #[error("The sandbox did not answer in time.")]
    Silent,
    /// The table failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The queue failed.
    #[error(transparent)]
    Aws(#[from] AwsError),
}

impl Asking {
    /// Uses the table and the queue `steps`.
    pub fn from_env(sdk: &SdkConfig, table: &Table) -> Result<Self, ConfigError> {
        Ok(Self {
            inquiries: Inquiries::new(table),
            sandboxes: Sandboxes::new(table),
            steps: Queue::steps(sdk)?,
        })
    }

    /// Asks, and waits at most [`PATIENCE`] for the answer.
    pub async fn ask(&self, scope: Scope, question: &Question) -> Result<Answer, Unanswered> {
        let sandbox = self.sandboxes.get(scope).await?.filter(|sandbox| sandbox.is_up());
        let sandbox = sandbox.filter(|sandbox| sandbox.connection_id.is_some());
        if !sandbox.ok_or(Unanswered::NotRunning)?.answers {
            return Err(Unanswered::Unable);
        }
        let id = RunId::random();
        self.inquiries.ask(scope, &id, question).await?;
        self.steps.send_inquiry(&SandboxInquiry { scope, inquiry: id.clone() }).await?;
        let answer = poll(PATIENCE, PAUSES, || self.inquiries.find(scope, &id)).await?;
        answer.ok_or(Unanswered::Silent)
    }
}

impl Handover {
    /// Hands a question to the sandbox while the answer is still wanted. A question that cannot be handed over is
    /// answered here and not tried again.
    pub async fn hand_inquiry(&self, inquiry: &SandboxInquiry) -> Result<(), HandoverError> {
        let SandboxInquiry { scope, inquiry: id } = inquiry;
        let Some(question) = self.inquiries.open(*scope, id, FRESH_SECONDS).await? else {
            return Ok(());
        };
        let why = match self.post_inquiry(*scope, id, question).await {
            Ok(Delivery::Delivered) => return Ok(()),
            Ok(Delivery::Gone) => Unanswered::NotRunning,
            Err(HandoverError::TooLong) => Unanswered::TooLong,
            Err(error) => return Err(error),
        };
        let reason = why.to_string();
        Ok(self.inquiries.answer(*scope, id, &Answer::Refused { reason }).await?)
    }
}
