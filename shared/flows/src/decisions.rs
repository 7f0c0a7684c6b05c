//! The owner's decisions on a step, a check or a helper's command.

use crate::{Progression, ProgressionError, Readings, SandboxControl, StartRefused};
use domain::audit::Actor;
use domain::report::Chain;
use domain::security::{About, SecurityEvent, record};
use domain::step::{
    Autonomy, Command, Event, Failure, Refusal, Step, StepDecision, StepEdit, Track,
};
use domain::{PlanId, Scope, Timestamp};
use settings::ConfigError;
use settings::SdkConfig;
use store::Table;
use store::credentials::Credentials;
use store::executions::{Decided, ExecutionError, Executions};
use store::sandboxes::Sandboxes;

/// Carries decisions out.
#[derive(Clone, Debug)]
pub struct Decisions {
    executions: Executions,
    credentials: Credentials,
    progression: Progression,
    readings: Readings,
    sandboxes: Sandboxes,
    sandbox_control: SandboxControl,
}

impl Decisions {
    /// Uses the table, both queues and ECS.
    pub fn from_env(sdk: &SdkConfig, table: &Table) -> Result<Self, ConfigError> {
        Ok(Self {
            executions: Executions::new(table),
            credentials: Credentials::new(table),
            progression: Progression::from_env(sdk, table)?,
            readings: Readings::from_env(sdk, table)?,
            sandboxes: Sandboxes::new(table),
            sandbox_control: SandboxControl::from_env(sdk, table)?,
        })
    }

    /// A copy of this for another track.
    pub fn on(&self, track: Track) -> Self {
        let executions = self.executions.on(track);
        let (progression, readings) = (self.progression.on(track), self.readings.on(track));
        Self { executions, progression, readings, ..self.clone() }
    }

    /// Carries a decision out; returns the step afterward.
    ///
    /// A repeated decision gets the same answer as before. The earlier caller may have died before it handed on the
    /// run, so the run is handed on again: the queues and the sandbox drop what they have already seen.
    pub async fn carry_out(
        &self,
        scope: Scope,
        decision: &StepDecision,
        by: &Actor,
    ) -> Result<Step, ProgressionError> {
        // Only an existing step puts its project on the reaper's list.
        let there = self.executions.step(scope, decision.step_number).await?;
        there.ok_or(ExecutionError::NoSuchStep)?;
        self.note_under_way(scope).await?;
        let credentials = match decision.approved {
            true => self.credentials.names(scope).await?,
            false => Vec::new(),
        };
        match self.executions.decide(scope, decision, by, &credentials).await? {
            Decided::Now(step) => {
                let given = step.approval.as_ref().map(|approval| approval.credentials.as_slice());
                self.log(scope, decision, by, given.unwrap_or_default());
                self.hand_on(scope, step).await
            }
            Decided::Before { record, now } => {
                if now.run_id == record.run_id {
                    self.hand_on(scope, now.clone()).await?;
                }
                Ok(record.answer(now))
            }
        }
    }

    /// Rolls back the current change by the rollback that its owner saw with a step; returns the run.
    pub async fn roll_back(
        &self,
        scope: Scope,
        decision: &StepDecision,
        by: &Actor,
    ) -> Result<Step, ProgressionError> {
        let refused = |refusal: Refusal| ExecutionError::from(refusal);
        let sha256 = decision.seen.rollback_sha256.as_deref();
        let sha256 = sha256.ok_or_else(|| refused(Refusal::RollbackUnnamed))?;
        let checks = self.executions.on(Track::Validation).load(scope).await?.unwrap_or_default();
        if checks.steps.iter().any(|check| check.phase.is_running()) {
            return Err(refused(Refusal::StepUnderWay).into());
        }
        self.note_under_way(scope).await?;
        let credentials = self.credentials.names(scope).await?;
        let shown = (decision.step_number, sha256);
        let plan_id = &decision.plan_id;
        let runs = self.executions.roll_back(scope, plan_id, shown, by, &credentials).await?;
        let detail = format!(
            "rollback step={} sha256={sha256} credentials={}",
            decision.step_number,
            credentials.join(",")
        );
        record(SecurityEvent::Decided, About::project(scope).by(by), &detail);
        self.on(Track::Rollback).hand_on(scope, runs).await
    }

    /// Replaces a waiting command with an owner's text; returns the step afterward.
    pub async fn edit(
        &self,
        scope: Scope,
        edit: &StepEdit,
        command: &Command,
        by: &Actor,
    ) -> Result<Step, ProgressionError> {
        let after = self.executions.edit(scope, edit, command, by).await?;
        if after.changed {
            let StepEdit { step_number, attempt, command_sha256: before, .. } = edit;
            let (track, after) = (self.executions.track(), &command.sha256);
            let detail = format!(
                "edited {track:?} step={step_number} attempt={attempt} sha256={after} before={before}"
            );
            record(SecurityEvent::Decided, About::project(scope).by(by), &detail);
        }
        Ok(after.step)
    }

    /// Sets which commands the owner of a plan is asked about. If they allow it, a waiting command that only reads
    /// starts.
    pub async fn set_autonomy(
        &self,
        scope: Scope,
        plan_id: &PlanId,
        autonomy: Autonomy,
        by: &Actor,
    ) -> Result<(), ProgressionError> {
        self.executions.set_autonomy(scope, plan_id, autonomy, by).await?;
        let (track, level) = (self.executions.track(), autonomy.as_str());
        let detail = format!("autonomy {track:?} plan={plan_id} level={level}");
        record(SecurityEvent::Decided, About::project(scope).by(by), &detail);
        self.readings.start_waiting(scope).await
    }

    fn log(&self, scope: Scope, decision: &StepDecision, by: &Actor, credentials: &[String]) {
        let StepDecision { step_number, approved, seen, .. } = decision;
        let verdict = if *approved { "approved" } else { "rejected" };
        let (track, digest) = (self.executions.track(), seen.command_sha256.as_deref());
        let detail = format!(
            "{verdict} {track:?} step={step_number} attempt={} sha256={} credentials={}",
            seen.attempt.unwrap_or(1),
            digest.unwrap_or("unnamed"),
            credentials.join(",")
        );
        record(SecurityEvent::Decided, About::project(scope).by(by), &detail);
    }

    async fn hand_on(&self, scope: Scope, step: Step) -> Result<Step, ProgressionError> {
        self.progression.hand_on(scope, &step).await?;
        self.with_sandbox(scope, step).await
    }

    /// Puts a project on the reaper's list, because a step is about to change and the function that changes it may be
    /// killed before its queue gets the message.
    pub async fn note_under_way(&self, scope: Scope) -> Result<(), ProgressionError> {
        Ok(self.sandboxes.list_active(scope, Timestamp::now()).await?)
    }

    /// A command that runs while the sandbox is down starts the sandbox and waits for it. So does an approved command
    /// that is being prepared again, because it will run as soon as it is ready.
    pub(crate) async fn with_sandbox(
        &self,
        scope: Scope,
        step: Step,
    ) -> Result<Step, ProgressionError> {
        let runs = step.phase.is_running() || step.approved_sha256.is_some();
        let Some(run_id) = step.run_id.clone().filter(|_| runs) else { return Ok(step) };
        let why = match self.sandbox_control.ensure_started(scope).await {
            Ok(sandbox) if sandbox.is_up() => return Ok(step),
            Ok(sandbox) => sandbox.detail.unwrap_or_default(),
            Err(StartRefused::Refused(refusal)) => refusal.to_string(),
            Err(error @ StartRefused::TooOften(_)) => error.to_string(),
            Err(error) => {
                tracing::error!(error = %Chain(&error), %scope, "a sandbox could not be started");
                "Try again.".to_owned()
            }
        };
        let failure = Failure::NoSandbox;
        let detail = Some(format!("{} {why}", failure.words()).trim().to_owned());
        let event = Event::Abandoned { run_id, failure, detail };
        Ok(self.progression.apply(scope, &step.plan_id, step.number, &event).await?.step)
    }
}
