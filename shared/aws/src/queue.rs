//! A FIFO queue: messages of one group one after another, each once within five minutes.

use crate::AwsError;
use aws_sdk_sqs::Client;
use domain::work::{AgentRun, StepRun};
use serde::Serialize;
use settings::SdkConfig;
use settings::{ConfigError, var};

/// An SQS FIFO queue.
#[derive(Clone, Debug)]
pub struct Queue {
    client: Client,
    url: String,
}

impl Queue {
    /// The queue whose URL stands in the variable `name`.
    pub fn from_env(sdk: &SdkConfig, name: &'static str) -> Result<Self, ConfigError> {
        Ok(Self { client: Client::new(sdk), url: var(name)? })
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

    /// Asks for an approved command to be run.
    pub async fn send_step_run(&self, run: &StepRun) -> Result<(), AwsError> {
        self.send(run.scope.project.to_string(), run.run_id.to_string(), run).await
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
