//! A FIFO queue: delivers the messages of a group in order, and each of them once within five minutes.

use crate::AwsError;
use aws_lambda_events::sqs::SqsMessage;
use aws_sdk_sqs::Client;
use domain::report::Chain;
use domain::work::{AgentRun, SandboxInquiry, StepRun};
use serde::Serialize;
use settings::SdkConfig;
use settings::{ConfigError, var};
use std::convert::Infallible;
use std::time::Duration;

/// How long a message stays with a function that does not renew its lease, in seconds.
pub const LEASE_SECONDS: i32 = 45;
/// How often a function renews its lease; the lease survives two lost renewals.
const RENEWED_EVERY: Duration = Duration::from_secs(15);

/// An SQS FIFO queue.
#[derive(Clone, Debug)]
pub struct Queue {
    client: Client,
    url: String,
}

impl Queue {
    /// The queue whose URL the variable `name` holds.
    pub fn from_env(sdk: &SdkConfig, name: &'static str) -> Result<Self, ConfigError> {
        Ok(Self { client: Client::new(sdk), url: var(name)? })
    }

    /// The queue at this URL, which a test simulates.
    #[cfg(feature = "testing")]
    pub fn of(client: Client, url: impl Into<String>) -> Self {
        Self { client, url: url.into() }
    }

    /// The queue `agent-runs`.
    pub fn agent_runs(sdk: &SdkConfig) -> Result<Self, ConfigError> {
        Self::from_env(sdk, "AGENT_RUNS_QUEUE_URL")
    }

    /// The queue `steps`.
    pub fn steps(sdk: &SdkConfig) -> Result<Self, ConfigError> {
        Self::from_env(sdk, "STEPS_QUEUE_URL")
    }

    /// Asks for an agent's turn.
    pub async fn send_agent_run(&self, run: &AgentRun) -> Result<(), AwsError> {
        self.send(run.scope().project.to_string(), run.run_id().to_string(), run).await
    }

    /// Asks for a turn again, in its `offer`th additional message. The message has a separate group, because the
    /// project's group may be waiting behind the previous message.
    pub async fn send_agent_run_again(&self, run: &AgentRun, offer: u32) -> Result<(), AwsError> {
        let group = run.run_id().to_string();
        self.send(group, format!("{}.{offer}", run.run_id()), run).await
    }

    /// Asks for an approved command to be run.
    pub async fn send_step_run(&self, run: &StepRun) -> Result<(), AwsError> {
        self.send(run.scope.project.to_string(), run.run_id.to_string(), run).await
    }

    /// Asks for the cancellation of a command that may have been sent to a sandbox. The queue would drop it as a
    /// repetition if it were named like the command's own message.
    pub async fn send_step_cancellation(&self, run: &StepRun) -> Result<(), AwsError> {
        self.send(run.scope.project.to_string(), format!("{}.cancel", run.run_id), run).await
    }

    /// Asks a sandbox a question. It has a separate group, so that it does not wait for a command that no sandbox has
    /// accepted yet.
    pub async fn send_inquiry(&self, inquiry: &SandboxInquiry) -> Result<(), AwsError> {
        let group = format!("{}-inquiries", inquiry.scope.project);
        self.send(group, inquiry.inquiry.to_string(), inquiry).await
    }

    /// Works on a message of this queue for longer than a lease, and renews the lease until the work is done.
    ///
    /// A queue's visibility timeout must be longer than its function may take. If a function is killed, its message
    /// comes back only after that timeout, and until then its project waits. With a lease, the message comes back after
    /// [`LEASE_SECONDS`]. A lease that cannot be taken or renewed leaves the message as it is.
    ///
    /// The work begins after the first lease: a function that is killed during the work has one, and a function that is
    /// killed before has done nothing yet.
    pub async fn leased<T>(&self, message: &SqsMessage, work: impl Future<Output = T>) -> T {
        // Boxed, because a turn is a large future and each level of calls would carry it on the stack.
        let work = Box::pin(work);
        let receipt = message.receipt_handle.as_deref().unwrap_or_default();
        self.lease(receipt).await;
        let renewing = Box::pin(self.renew(receipt));
        tokio::select! {
            biased;
            done = work => done,
            never = renewing => match never {},
        }
    }

    async fn renew(&self, receipt: &str) -> Infallible {
        loop {
            tokio::time::sleep(RENEWED_EVERY).await;
            self.lease(receipt).await;
        }
    }

    async fn lease(&self, receipt: &str) {
        let lease = self.client.change_message_visibility().queue_url(&self.url);
        let lease = lease.receipt_handle(receipt).visibility_timeout(LEASE_SECONDS);
        if let Err(error) = lease.send().await {
            let error = AwsError::of("sqs:ChangeMessageVisibility")(error);
            tracing::warn!(error = %Chain(&error), "a message could not be leased");
        }
    }

    async fn send(
        &self,
        group: String,
        deduplication: String,
        body: &impl Serialize,
    ) -> Result<(), AwsError> {
        let body = serde_json::to_string(body).map_err(AwsError::of("sqs: render"))?;
        self.client
            .send_message()
            .queue_url(&self.url)
            .message_group_id(group)
            .message_deduplication_id(deduplication)
            .message_body(body)
            .send()
            .await
            .map(drop)
            .map_err(AwsError::of("sqs:SendMessage"))
    }
}
