//! Does what follows from a step's change.
//!
//! The table is written first and the queue second. A crash in between leaves a step that is marked as under way
//! without a worker. So [`Progression::resume`] can be called at any time to send again what should be on its way
//! according to the steps: the queue drops what it has seen, and the state machine ignores what comes twice.

use crate::{TurnError, Turns};
use aws::{AwsError, Queue};
use domain::step::{Event, Failure, Phase, Step, Track};
use domain::work::{AgentRun, StepRun};
use domain::{PlanId, RunId, Scope};
use protocol::WireRun;
use settings::ConfigError;
use settings::SdkConfig;
use store::executions::{Execution, ExecutionError, Executions, StepAfter};
use store::{StoreError, Table};

/// Moves executions forward.
#[derive(Clone, Debug)]
pub struct Progression {
    executions: Executions,
    turns: Turns,
    steps: Queue,
}

/// Why an execution did not move.
#[derive(Debug, thiserror::Error)]
pub enum ProgressionError {
    /// The step did not move.
    #[error(transparent)]
    Execution(#[from] ExecutionError),
    /// A queue failed.
    #[error(transparent)]
    Aws(#[from] AwsError),
}

impl From<StoreError> for ProgressionError {
    fn from(error: StoreError) -> Self {
        Self::Execution(error.into())
    }
}

impl From<TurnError> for ProgressionError {
    fn from(error: TurnError) -> Self {
        match error {
            TurnError::Store(error) => error.into(),
            TurnError::Aws(error) => error.into(),
        }
    }
}

impl Progression {
    /// Uses the table and both queues.
    pub fn from_env(sdk: &SdkConfig, table: &Table) -> Result<Self, ConfigError> {
        Ok(Self {
            executions: Executions::new(table),
            turns: Turns::from_env(sdk, table)?,
            steps: Queue::steps(sdk)?,
        })
    }

    /// A copy of this for another track.
    pub fn on(&self, track: Track) -> Self {
        Self { executions: self.executions.on(track), ..self.clone() }
    }

    /// Applies an event and sends what follows from it.
    pub async fn apply(
        &self,
        scope: Scope,
        plan_id: &PlanId,
        step_number: u32,
        event: &Event,
    ) -> Result<StepAfter, ProgressionError> {
        let after = self.executions.apply(scope, plan_id, step_number, event).await?;
        if after.changed {
            self.hand_on(scope, &after.step).await?;
        }
        Ok(after)
    }

    /// Asks for the command of the next step, if the steps before it are done. A check with a standing approval already
    /// has its command, so it runs.
    pub async fn prepare_next(&self, scope: Scope) -> Result<(), ProgressionError> {
        let Some(execution) = self.executions.load(scope).await? else { return Ok(()) };
        let track = self.executions.track();
        let Some(step) = next_in_turn(track, &execution) else { return Ok(()) };
        let run_id = RunId::random();
        let event = match track {
            Track::Drift => Event::RunStanding { run_id },
            Track::Execution | Track::Validation | Track::Helper | Track::Rollback => {
                Event::Prepare { run_id }
            }
        };
        self.apply(scope, &step.plan_id, step.number, &event).await.map(drop)
    }

    /// Ends every run that a lost sandbox had accepted or would have received.
    pub async fn abandon_runs(
        &self,
        scope: Scope,
        failure: Failure,
        detail: Option<&str>,
    ) -> Result<(), ProgressionError> {
        let runs = self.runs(scope, |_| true).await?;
        self.abandon(scope, &runs, failure, detail).await
    }

    /// Ends every run that a lost sandbox had accepted. Another sandbox will get the other runs.
    pub async fn abandon_acknowledged_runs(&self, scope: Scope) -> Result<(), ProgressionError> {
        let runs = self.acknowledged_runs(scope).await?;
        self.abandon_lost_runs(scope, &runs).await
    }

    /// The runs that a sandbox has accepted.
    pub async fn acknowledged_runs(&self, scope: Scope) -> Result<Vec<WireRun>, ProgressionError> {
        self.runs(scope, |step| step.acknowledged).await
    }

    /// Ends these runs, which a lost sandbox had accepted.
    pub async fn abandon_lost_runs(
        &self,
        scope: Scope,
        runs: &[WireRun],
    ) -> Result<(), ProgressionError> {
        self.abandon(scope, runs, Failure::Lost, None).await
    }

    async fn runs(
        &self,
        scope: Scope,
        which: impl Fn(&Step) -> bool,
    ) -> Result<Vec<WireRun>, ProgressionError> {
        let mut runs = Vec::new();
        for track in Track::ALL {
            let execution = self.executions.on(track).load(scope).await?.unwrap_or_default();
            let running = |step: &&Step| step.phase.is_running() && which(step);
            runs.extend(execution.steps.iter().filter(running).filter_map(|step| {
                let run_id = step.run_id.clone()?;
                Some(WireRun { track, step_number: step.number, run_id })
            }));
        }
        Ok(runs)
    }

    async fn abandon(
        &self,
        scope: Scope,
        runs: &[WireRun],
        failure: Failure,
        detail: Option<&str>,
    ) -> Result<(), ProgressionError> {
        for run in runs {
            let (run_id, detail) = (run.run_id.clone(), detail.map(str::to_owned));
            let event = Event::Abandoned { run_id, failure, detail };
            let executions = self.executions.on(run.track);
            executions.apply_to_run(scope, run.step_number, &event).await?;
        }
        Ok(())
    }

    /// Whether a command is running or on its way to the sandbox.
    pub async fn is_running(&self, scope: Scope) -> Result<bool, ProgressionError> {
        for executions in Track::ALL.map(|track| self.executions.on(track)) {
            let execution = executions.load(scope).await?.unwrap_or_default();
            if execution.steps.iter().any(|step| step.phase.is_running()) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Sends again everything that should be on its way, which is harmless if it already is; returns whether there was
    /// anything.
    pub async fn resume(&self, scope: Scope) -> Result<bool, ProgressionError> {
        let mut under_way = false;
        for progression in Track::ALL.map(|track| self.on(track)) {
            let execution = progression.executions.load(scope).await?.unwrap_or_default();
            for step in &execution.steps {
                under_way |= step.phase.is_at_work();
                progression.hand_on(scope, step).await?;
            }
            let track = progression.executions.track();
            under_way |= next_in_turn(track, &execution).is_some();
            progression.prepare_next(scope).await?;
        }
        Ok(under_way)
    }

    /// Sends the message for the step's state: its preparation, its run, or the cancellation of that run.
    pub async fn hand_on(&self, scope: Scope, step: &Step) -> Result<(), ProgressionError> {
        let Some(run_id) = step.run_id.clone() else { return Ok(()) };
        let (plan_id, step_number) = (step.plan_id.clone(), step.number);
        let track = self.executions.track();
        match step.phase {
            Phase::Preparing => {
                let run = AgentRun::PrepareStep { scope, track, plan_id, step_number, run_id };
                self.turns.ask(&run).await?;
            }
            Phase::Running if step.cancelling => {
                let run = StepRun { scope, track, plan_id, step_number, run_id };
                self.steps.send_step_cancellation(&run).await?;
            }
            Phase::Running if !step.acknowledged => {
                let run = StepRun { scope, track, plan_id, step_number, run_id };
                self.steps.send_step_run(&run).await?;
            }
            Phase::Pending
            | Phase::WaitingApproval
            | Phase::Running
            | Phase::Completed
            | Phase::Failed => {}
        }
        Ok(())
    }
}

/// The first pending step, if every step before it is completed. Checks that run again have their own order.
fn next_in_turn(track: Track, execution: &Execution) -> Option<&Step> {
    if track == Track::Drift {
        return execution.next_recheck();
    }
    let first_open = execution.steps.iter().find(|step| !step.phase.has_succeeded())?;
    (first_open.phase.is_pending()).then_some(first_open)
}
