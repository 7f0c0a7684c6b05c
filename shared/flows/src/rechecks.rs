//! Checks for drift: runs the checks of a validated project again, one after the other, under standing approvals.
//!
//! A person or the project's schedule starts them; both use this module. The person need not stay: the report of one
//! check starts the next, and the reaper continues each minute if a function has died in between.
//!
//! Only a check that reads runs again. A check that repairs what it finds would remove what it should report, and one
//! that restarts a service would do so every night. The script is checked each time, so the rule also holds for
//! approvals that were given before the rule existed.
//!
//! A standing approval ends with the access of the person who gave it: if they have left the installation, it is
//! withdrawn before the checks run, and another person has to give it.

use crate::{Decisions, Progression, ProgressionError};
use domain::audit::Actor;
use domain::change::FIRST;
use domain::security::{About, SecurityEvent, record};
use domain::step::{Event, Step, Track};
use domain::{PlanId, Scope};
use settings::{ConfigError, SdkConfig};
use std::collections::HashMap;
use store::credentials::Credentials;
use store::executions::{Execution, ExecutionError, Executions};
use store::pipelines::Pipelines;
use store::sessions::Sessions;
use store::{StoreError, Table};

/// The audit's name for decisions that no person made.
const OURSELVES: &str = "Groundcrew";

/// Runs the checks of validated projects again.
#[derive(Clone, Debug)]
pub struct Rechecks {
    steps: Executions,
    checks: Executions,
    standing: Executions,
    pipelines: Pipelines,
    credentials: Credentials,
    sessions: Sessions,
    progression: Progression,
    decisions: Decisions,
}

/// Why no check can run again.
#[derive(Debug, thiserror::Error)]
pub enum RecheckError {
    /// This installation has no such project.
    #[error("This project does not exist.")]
    NoProject,
    /// Not all checks have passed.
    #[error("Only a validated project has checks that can run again.")]
    NotValidated,
    /// A step runs again, failed or waits, so what the checks would see is not what is described.
    #[error("A step is not completed. The checks can run again once every step is.")]
    StepsOpen,
    /// The project is being changed.
    #[error("A change is under way. Its checks can run again once all of them have passed.")]
    ChangeUnderWay,
    /// No standing approval covers a check with its current script.
    #[error("No check may run again yet.")]
    NoStandingApproval,
    /// A check's script changes something.
    #[error("Check {number} cannot run again, because it does not only read. {why}")]
    Changes {
        /// The check's number, from 1.
        number: u32,
        /// What it changes, and where.
        why: String,
    },
    /// An execution did not move.
    #[error(transparent)]
    Progression(#[from] ProgressionError),
}

impl From<StoreError> for RecheckError {
    fn from(error: StoreError) -> Self {
        Self::Progression(error.into())
    }
}

impl From<ExecutionError> for RecheckError {
    fn from(error: ExecutionError) -> Self {
        Self::Progression(error.into())
    }
}

impl Rechecks {
    /// Uses the table, both queues and ECS.
    pub fn from_env(sdk: &SdkConfig, table: &Table) -> Result<Self, ConfigError> {
        let executions = Executions::new(table);
        Ok(Self {
            steps: executions.on(Track::Execution),
            checks: executions.on(Track::Validation),
            standing: executions.on(Track::Drift),
            pipelines: Pipelines::new(table),
            credentials: Credentials::new(table),
            sessions: Sessions::new(table),
            progression: Progression::from_env(sdk, table)?.on(Track::Drift),
            decisions: Decisions::from_env(sdk, table)?.on(Track::Drift),
        })
    }

    /// The checks of a project that have all passed, and their plan. A project with a step that is not completed is not
    /// validated, whatever the checks found before.
    pub async fn validated(&self, scope: Scope) -> Result<(PlanId, Execution), RecheckError> {
        let (checks, built) = tokio::try_join!(self.checks.load(scope), self.steps.load(scope))?;
        let checks = checks.ok_or(RecheckError::NoProject)?;
        let built = built.unwrap_or_default();
        if let Some(plan_id) = checks.plan_id.clone().filter(|_| checks.is_done()) {
            let completed = built.steps.iter().all(|step| step.phase.has_succeeded());
            return match completed {
                _ if built.is_rolled_back() => Err(RecheckError::ChangeUnderWay),
                true => Ok((plan_id, checks)),
                false => Err(RecheckError::StepsOpen),
            };
        }
        let pipeline = self.pipelines.get(scope).await?.ok_or(RecheckError::NoProject)?;
        Err(match pipeline.value.change {
            FIRST => RecheckError::NotValidated,
            _ => RecheckError::ChangeUnderWay,
        })
    }

    /// Lets checks run again unchanged, with the credentials that the project has now. The checks must belong to this
    /// plan, and be as they were shown.
    pub async fn allow(
        &self,
        scope: Scope,
        plan_id: &PlanId,
        checks: &[Step],
        by: &Actor,
    ) -> Result<(), RecheckError> {
        let refused = checks.iter().find_map(|check| Some((check.number, changes(check)?)));
        if let Some((number, why)) = refused {
            return Err(RecheckError::Changes { number, why });
        }
        let credentials = self.credentials.names(scope).await?;
        self.standing.give_standing(scope, plan_id, checks, by, &credentials).await?;
        let digest = |check: &Step| check.command.as_ref().map(|c| c.sha256.clone());
        let digests: Vec<_> = checks.iter().filter_map(digest).collect();
        let (digests, names) = (digests.join(","), credentials.join(","));
        let detail = format!("standing plan={plan_id} sha256={digests} credentials={names}");
        record(SecurityEvent::Decided, About::project(scope).by(by), &detail);
        Ok(())
    }

    /// Ends a check's standing approval.
    pub async fn withdraw(
        &self,
        scope: Scope,
        step_number: u32,
        by: &Actor,
    ) -> Result<(), RecheckError> {
        self.standing.withdraw_standing(scope, step_number, by).await?;
        let detail = format!("withdrawn standing step={step_number}");
        record(SecurityEvent::Decided, About::project(scope).by(by), &detail);
        Ok(())
    }

    /// Ends the approvals of people who have left the installation; returns the checks as they are then.
    async fn without_those_who_left(
        &self,
        scope: Scope,
        mut standing: Execution,
    ) -> Result<Execution, RecheckError> {
        let mut left = HashMap::new();
        for step in &mut standing.steps {
            let Some(user_id) = step.standing.as_ref().map(|standing| standing.by.user_id) else {
                continue;
            };
            let left = match left.get(&user_id) {
                Some(left) => *left,
                None => {
                    let now = self.sessions.has_left(scope.installation, user_id).await?;
                    left.insert(user_id, now);
                    now
                }
            };
            if left {
                let by = Actor { user_id: 0, login: OURSELVES.to_owned() };
                self.withdraw(scope, step.number, &by).await?;
                *step = step.withdrawn();
            }
        }
        Ok(standing)
    }

    /// Runs each of these validated checks that may run again. Work that is under way continues, even if the function
    /// that moved it has died.
    pub async fn begin(&self, scope: Scope, checks: &Execution) -> Result<(), RecheckError> {
        let standing = self.standing.load(scope).await?.unwrap_or_default();
        let standing = self.without_those_who_left(scope, standing).await?;
        let allowed =
            |check: &Step| standing.step(check.number).filter(|s| s.stands_for(check)).cloned();
        let reads = |check: &Step| changes(check).is_none();
        let allowed: Vec<_> = checks.steps.iter().filter_map(allowed).filter(reads).collect();
        if allowed.is_empty() {
            return Err(RecheckError::NoStandingApproval);
        }
        self.decisions.note_under_way(scope).await?;
        if !standing.is_rechecking() {
            for check in &allowed {
                let event = Event::Recheck;
                self.standing.apply(scope, &check.plan_id, check.number, &event).await?;
            }
        }
        self.progression.prepare_next(scope).await?;
        let now = self.standing.load(scope).await?.unwrap_or_default();
        match now.steps.into_iter().find(|step| step.phase.is_running()) {
            Some(step) => Ok(self.decisions.with_sandbox(scope, step).await.map(drop)?),
            None => Ok(()),
        }
    }
}

/// What a check's script changes, and in which line; `None` if it only reads.
pub fn changes(check: &Step) -> Option<String> {
    let found = gate::changes(&check.command.as_ref()?.script).into_iter().next()?;
    Some(match found.line {
        Some(line) => format!("Line {line}: {}", found.message),
        None => found.message,
    })
}
