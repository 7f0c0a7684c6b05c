//! Hands approved commands from the queue `steps` to sandboxes.
//!
//! A message is done when the sandbox has *acknowledged* its run, not when the command ends: no function waits for a
//! command. While there is no sandbox to acknowledge it, the message returns to the queue. After its last try, the step
//! fails with a clear text, and this function cancels the run in the sandbox. If the owner has canceled a run, it hands
//! over the cancellation in place of the run.

use aws::is_spent;
use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent, SqsMessage};
use domain::report::Chain;
use domain::step::{Event, Failure, Step};
use domain::work::{SandboxWork, StepRun};
use flows::polling::{Pauses, poll};
use flows::{Handover, HandoverError};
use settings::ConfigError;
use std::time::Duration;
use store::StoreError;
use store::executions::{ExecutionError, Executions};
use store::sandboxes::Sandboxes;

/// How long an agent may take to acknowledge a run; after that, the start was lost.
const ACKNOWLEDGED_WITHIN: Duration = Duration::from_secs(6);
/// The text of a command that does not fit into one message, beside the credentials of its project.
const TOO_LONG: &str = "The command and the project's credentials together are too large to be sent to the sandbox. \
    Shorten the command or delete credentials, then execute the step again.";
/// Pauses between two looks for the acknowledgment, which usually arrives within a tenth of a second.
const PAUSES: Pauses =
    Pauses { first: Duration::from_millis(25), longest: Duration::from_millis(200) };

/// The function's state.
#[derive(Clone)]
pub struct App {
    executions: Executions,
    sandboxes: Sandboxes,
    handover: Handover,
}

#[derive(Debug, thiserror::Error)]
enum RunError {
    /// Not a failure: the sandbox is starting or reconnecting.
    #[error("no sandbox has acknowledged the run yet")]
    NotTaken,
    #[error(transparent)]
    Handover(#[from] HandoverError),
    #[error(transparent)]
    Execution(#[from] ExecutionError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl App {
    /// Builds the state from the environment.
    pub async fn from_env() -> Result<Self, ConfigError> {
        let sdk = settings::sdk_config().await;
        let table = store::Table::from_env(&sdk)?;
        Ok(Self {
            executions: Executions::new(&table),
            sandboxes: Sandboxes::new(&table),
            handover: Handover::from_env(&sdk, &table)?,
        })
    }

    async fn serve(&self, message: &SqsMessage) -> Result<(), RunError> {
        let body = message.body.as_deref().unwrap_or_default();
        let Ok(work) = serde_json::from_str::<SandboxWork>(body) else {
            // Only we write to this queue. A message that is unreadable now would stay so, and would block its group.
            tracing::error!(
                message_id = message.message_id,
                "dropped a message that does not describe a step"
            );
            return Ok(());
        };
        let run = match work {
            SandboxWork::Run(run) => run,
            // By the time a question has failed several times, the function that asked has stopped waiting.
            SandboxWork::Inquiry(_) if is_spent(message, SandboxWork::TRIES) => return Ok(()),
            SandboxWork::Inquiry(inquiry) => {
                return Ok(Box::pin(self.handover.hand_inquiry(&inquiry)).await?);
            }
        };
        // Boxed, because the nested futures of three SDKs are deeper than the compiler accepts.
        if !is_spent(message, SandboxWork::TRIES) {
            return Box::pin(self.hand_over(&run)).await;
        }
        Box::pin(self.give_up(&run)).await?;
        // The alarm counts lines with `given_up`.
        tracing::error!(given_up = "step", message_id = message.message_id, scope = %run.scope, "gave up");
        Ok(())
    }

    async fn hand_over(&self, run: &StepRun) -> Result<(), RunError> {
        let Some(step) = self.waiting(run).await? else { return Ok(()) };
        match self.handover.hand_over(run).await {
            Err(HandoverError::TooLong) => {
                self.fail(run, Failure::NotStarted, Some(TOO_LONG)).await
            }
            Err(error) => Err(error.into()),
            // It runs, and ends with the sandbox's report or with the sandbox. The reaper repeats the cancellation.
            Ok(()) if step.acknowledged => Ok(()),
            Ok(()) => self.await_acknowledgment(run).await,
        }
    }

    /// Waits a moment for the agent's acknowledgment to reach the table.
    ///
    /// It waits even if there was no agent: an agent that connects in the meantime gets the run with its welcome, while
    /// a message that returns to the queue delays the project's next step until its visibility timeout is over.
    async fn await_acknowledgment(&self, run: &StepRun) -> Result<(), RunError> {
        let look = async || Ok::<_, RunError>(self.waiting(run).await?.is_none().then_some(()));
        match poll(ACKNOWLEDGED_WITHIN, PAUSES, look).await? {
            Some(()) => Ok(()),
            None => self.not_taken(run).await,
        }
    }

    /// Waits for a sandbox that is up but does not answer; without a sandbox, the step fails.
    async fn not_taken(&self, run: &StepRun) -> Result<(), RunError> {
        match self.sandboxes.get(run.scope).await? {
            Some(sandbox) if sandbox.is_up() && !sandbox.start_was_lost() => {
                Err(RunError::NotTaken)
            }
            _ => self.give_up(run).await,
        }
    }

    /// The step, while exactly this run still waits for a sandbox, or for its cancellation.
    async fn waiting(&self, run: &StepRun) -> Result<Option<Step>, RunError> {
        let executions = self.executions.on(run.track);
        let step = executions.current_step(run.scope, run.step_number).await?;
        Ok(step.filter(|step| {
            let waits = !step.acknowledged || step.cancelling;
            step.phase.is_running() && step.is_under_way(&run.run_id) && waits
        }))
    }

    async fn give_up(&self, run: &StepRun) -> Result<(), RunError> {
        if self.waiting(run).await?.is_none_or(|step| step.acknowledged) {
            return Ok(());
        }
        // Before the step fails, because its owner may execute it again at once.
        self.handover.give_up(run).await?;
        self.fail(run, Failure::Unreachable, None).await
    }

    async fn fail(
        &self,
        run: &StepRun,
        failure: Failure,
        detail: Option<&str>,
    ) -> Result<(), RunError> {
        let (run_id, detail) = (run.run_id.clone(), detail.map(str::to_owned));
        let event = Event::Abandoned { run_id, failure, detail };
        let executions = self.executions.on(run.track);
        executions.apply_to_run(run.scope, run.step_number, &event).await?;
        Ok(())
    }
}

/// Handles a batch; the answer names the messages to deliver again.
pub async fn handle(app: &App, event: SqsEvent) -> SqsBatchResponse {
    aws::each_message(event, |message: SqsMessage| async move {
        app.serve(&message).await.inspect_err(|error| match error {
            RunError::NotTaken => tracing::info!(message_id = message.message_id, "{error}"),
            _ => {
                tracing::error!(error = %Chain(error), message_id = message.message_id, "a hand-over failed");
            }
        })
    })
    .await
}
