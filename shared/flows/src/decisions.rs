//! The owner's word on a step, a check or a helper's command.

use crate::{Progression, ProgressionError, SandboxControl};
use domain::report::Chain;
use domain::step::{Event, Phase, Step, Track};
use domain::{PlanId, RunId, Scope};
use settings::ConfigError;
use settings::SdkConfig;
use store::Table;
use store::executions::{ExecutionError, Executions};
use store::sandboxes::Sandboxes;

/// What an owner decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// The plan that was shown.
    pub plan_id: PlanId,
    /// The step, from 1.
    pub step_number: u32,
    /// Run it (again), or turn it down.
    pub approved: bool,
    /// SHA-256 of the command that was shown.
    pub command_sha256: Option<String>,
}

/// Carries decisions out.
#[derive(Clone, Debug)]
pub struct Decisions {
    executions: Executions,
    progression: Progression,
    sandboxes: Sandboxes,
    sandbox_control: SandboxControl,
}

impl Decisions {
    /// From the table, both queues and ECS.
    pub fn from_env(sdk: &SdkConfig, table: &Table) -> Result<Self, ConfigError> {
        Ok(Self {
            executions: Executions::new(table),
            progression: Progression::from_env(sdk, table)?,
            sandboxes: Sandboxes::new(table),
            sandbox_control: SandboxControl::from_env(sdk, table)?,
        })
    }

    /// The same on another track.
    pub fn on(&self, track: Track) -> Self {
        let executions = self.executions.on(track);
        Self { executions, progression: self.progression.on(track), ..self.clone() }
    }

    /// Carries a decision out; the step as it is then.
    pub async fn carry_out(
        &self,
        scope: Scope,
        decision: Decision,
    ) -> Result<Step, ProgressionError> {
        let Decision { plan_id, step_number, approved, command_sha256 } = decision;
        let event = if approved {
            Event::Approve { run_id: RunId::random(), sha256: command_sha256 }
        } else {
            Event::Reject
        };
        // Only what is there gets onto the reaper's list.
        let there = self.executions.step(scope, step_number).await?;
        there.ok_or(ExecutionError::NoSuchStep)?;
        self.note_under_way(scope).await?;
        let (step, _) = self.progression.apply(scope, &plan_id, step_number, &event).await?;
        self.with_sandbox(scope, step).await
    }

    /// Has the reaper look after a project: a step is about to change, and whoever changes it may be killed
    /// before its queue knows of it.
    pub async fn note_under_way(&self, scope: Scope) -> Result<(), ProgressionError> {
        Ok(self.sandboxes.list_active(scope).await?)
    }

    /// A command that runs while the sandbox is down brings it up and waits for it. So does one that is being
    /// prepared again and was approved before: it will run as soon as it is there.
    pub async fn with_sandbox(&self, scope: Scope, step: Step) -> Result<Step, ProgressionError> {
        let runs = step.phase == Phase::Running || step.approved_sha256.is_some();
        let Some(run_id) = step.run_id.clone().filter(|_| runs) else { return Ok(step) };
        let why = match self.sandbox_control.ensure_started(scope).await {
            Ok(sandbox) if sandbox.is_up() => return Ok(step),
            Ok(sandbox) => sandbox.detail.unwrap_or_default(),
            Err(error) => {
                tracing::error!(error = %Chain(&error), %scope, "a sandbox could not be started");
                "Try again.".to_owned()
            }
        };
        let error = format!("The sandbox could not be started. {why}").trim().to_owned();
        let event = Event::Abandoned { run_id, error };
        Ok(self.progression.apply(scope, &step.plan_id, step.number, &event).await?.0)
    }
}
