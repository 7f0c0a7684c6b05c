//! Handles the queue `agent-runs`: one bounded turn of an agent per message.
//!
//! A message may come twice or late, so the agents first check whether its run is still wanted. If the user can act on
//! a failure, it is written where they wait for it, and the message is done. Only a failure of our own returns the
//! message to the queue. If a message has failed too often, its work ends with a clear text for the user.
//!
//! A lease on its message protects a turn: if its function is killed, another function takes over the turn within a
//! minute. If a function is killed before it has a lease, another message offers the turn (see `flows::Turns`). Each
//! receiver of a message first takes the turn in the table, so that a turn that is finished or in progress does not run
//! again.

use agents::{AgentContext, AgentError};
use aws::{Queue, Secrets, is_spent};
use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent, SqsMessage};
use bedrock::Signer;
use domain::report::Chain;
use domain::work::AgentRun;
use flows::{Announcements, Progression, ProgressionError, Readings};
use settings::ConfigError;
use std::sync::Arc;
use std::time::Duration;
use store::StoreError;
use store::turns::{Lease, Turns};
use workbench::Workbench;

/// How often a turn's lease is renewed; the lease survives one lost renewal.
const RENEWED_EVERY: Duration = Duration::from_secs(15);

/// The function's state.
#[derive(Clone)]
pub struct App {
    agents: AgentContext,
    progression: Progression,
    announcements: Announcements,
    queue: Queue,
    readings: Readings,
    turns: Turns,
}

#[derive(Debug, thiserror::Error)]
enum RunError {
    #[error(transparent)]
    Agent(#[from] AgentError),
    #[error(transparent)]
    Progression(#[from] ProgressionError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl App {
    /// Builds the state from the environment.
    pub async fn from_env() -> Result<Self, ConfigError> {
        let sdk = settings::sdk_config().await;
        let table = store::Table::from_env(&sdk)?;
        let secrets = Secrets::new(&sdk);
        let signer = Signer::new(&sdk);
        let agents =
            AgentContext::from_env(&signer, &table, |purpose, id| secrets.secret(purpose, id))?;
        let workbench = Workbench::from_env(&sdk, &table)?;
        Ok(Self {
            agents: agents.with_machines(Arc::new(workbench)),
            progression: Progression::from_env(&sdk, &table)?,
            announcements: Announcements::from_env(&sdk, &table)?,
            queue: Queue::agent_runs(&sdk)?,
            readings: Readings::from_env(&sdk, &table)?,
            turns: Turns::new(&table),
        })
    }

    async fn run(&self, run: AgentRun) -> Result<(), RunError> {
        match run {
            AgentRun::GeneratePlan { scope, agent, run_id, message } => {
                agents::generate_plan(&self.agents, agent, scope, &run_id, &message).await?;
            }
            AgentRun::PrepareStep { scope, track, plan_id, step_number, run_id } => {
                let prepared = agents::prepare_step(
                    &self.agents,
                    scope,
                    track,
                    &plan_id,
                    step_number,
                    &run_id,
                );
                if let Some(step) = prepared.await? {
                    // If a failed step was re-executed and its command is the approved one, it is already running.
                    self.progression.on(track).hand_on(scope, &step).await?;
                    self.readings.on(track).start_waiting(scope).await?;
                }
            }
        }
        Ok(())
    }

    async fn one(&self, message: &SqsMessage) -> Result<(), RunError> {
        let body = message.body.as_deref().unwrap_or_default();
        let Ok(run) = serde_json::from_str::<AgentRun>(body) else {
            // Only our own functions write to this queue, and a message that we cannot read today will not be readable
            // the fifth time either. Dropping it keeps the group's other messages going.
            tracing::error!(
                message_id = message.message_id,
                "dropped a message that does not describe a run"
            );
            return Ok(());
        };
        // Boxed, because a turn is a large future and each level of calls would carry it on the stack.
        let turn = Box::pin(self.turn(message, run));
        if is_spent(message, AgentRun::TRIES) {
            return turn.await;
        }
        self.queue.leased(message, turn).await
    }

    /// Takes the turn that a message offers, then runs it or gives it up. A turn that cannot be taken belongs to
    /// another message.
    async fn turn(&self, message: &SqsMessage, run: AgentRun) -> Result<(), RunError> {
        let id = message.message_id.as_deref().unwrap_or_default();
        let Some(lease) = self.turns.take(run.run_id(), id).await? else {
            tracing::info!(
                message_id = id,
                "dropped a message whose turn is over or under way for another message"
            );
            return Ok(());
        };
        let scope = run.scope();
        let work = Box::pin(async {
            if !is_spent(message, AgentRun::TRIES) {
                return self.run(run).await;
            }
            agents::give_up(&self.agents, &run).await?;
            // The alarm counts lines with `given_up`.
            tracing::error!(given_up = "agent_run", message_id = id, scope = %run.scope(), "gave up");
            Ok(())
        });
        tokio::select! {
            biased;
            done = work => done?,
            () = self.lose(&lease) => {
                tracing::warn!(message_id = id, "a turn was taken over by another message's reader");
                return Ok(());
            }
        }
        self.turns.end(&lease).await?;
        self.announcements.announce(scope).await;
        Ok(())
    }

    /// Renews a lease until it is lost. After a failed renewal, the next one may succeed.
    async fn lose(&self, lease: &Lease) {
        loop {
            tokio::time::sleep(RENEWED_EVERY).await;
            match self.turns.renew(lease).await {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => {
                    tracing::warn!(error = %Chain(&error), "a turn's lease could not be renewed");
                }
            }
        }
    }
}

/// Handles a batch; the answer names the messages to be delivered again.
pub async fn handle(app: &App, event: SqsEvent) -> SqsBatchResponse {
    aws::each_message(event, |message: SqsMessage| async move {
        app.one(&message).await.inspect_err(|error| {
            tracing::error!(error = %Chain(error), message_id = message.message_id, "an agent's run failed");
        })
    })
    .await
}
