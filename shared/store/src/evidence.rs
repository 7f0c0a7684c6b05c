//! Traces each requirement to the steps that build it and the checks that prove it, and to their results.
//!
//! A check proves what it saw. Once a step has run again, or a rollback has, the servers may be different, so only a
//! check that began afterward counts. It may be the check itself or its repetition under a standing approval.

use crate::StoreError;
use crate::executions::{Execution, Executions};
use crate::plans::{PlanKind, Plans};
use domain::plan::Plan;
use domain::requirement::{Coverage, Named, Trace, coverage, named};
use domain::step::{Step, StepStatus, Track};
use domain::{PlanId, Scope, Timestamp};

/// What is proved about a project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The requirements in order; empty if the project is gone or has no list of requirements.
    pub requirements: Vec<Coverage>,
    /// The checks that passed before a step ran again, in order.
    pub outdated: Vec<Step>,
}

/// The requirements with their proofs, and the checks that no longer prove anything.
pub async fn of_requirements(
    plans: &Plans,
    executions: &Executions,
    scope: Scope,
) -> Result<Evidence, StoreError> {
    let [execution, validation, again] =
        [Track::Execution, Track::Validation, Track::Drift].map(|track| executions.on(track));
    let (requirements, implementation, checks, execution, validation, again) = tokio::try_join!(
        plans.requirements(scope),
        plans.get(scope, PlanKind::Implementation),
        plans.get(scope, PlanKind::Validation),
        execution.load(scope),
        validation.load(scope),
        again.load(scope),
    )?;
    let requirements = requirements.unwrap_or_default().asked.requirements;
    // What a change built is gone once it is rolled back, and its checks say nothing about what exists now.
    let rolled_back = execution.as_ref().is_some_and(Execution::is_rolled_back);
    let (execution, validation) = if rolled_back { (None, None) } else { (execution, validation) };
    let (execution, validation) = (execution.unwrap_or_default(), validation.unwrap_or_default());
    let outdated = outdated(&execution, &validation, &again.unwrap_or_default());
    let (implementation, checks) = (implementation.unwrap_or_default(), checks.unwrap_or_default());
    let steps = traces(&implementation, &execution, &[]);
    let checks = traces(&checks, &validation, &outdated);
    Ok(Evidence { requirements: coverage(&requirements, &steps, &checks), outdated })
}

/// The checks that passed, but not since a step last moved: neither themselves nor `again`, under a standing approval.
pub fn outdated(steps: &Execution, checks: &Execution, again: &Execution) -> Vec<Step> {
    let all = steps.steps.iter().chain(&steps.rollback);
    let moved = all.filter(|step| has_run(step)).map(|step| step.since).max();
    let Some(moved) = moved else { return Vec::new() };
    let is_outdated = |check: &&Step| {
        let repeated = again.step(check.number).filter(|step| step.stands_for(check));
        let runs = [Some(*check), repeated];
        check.phase.has_succeeded()
            && !runs.into_iter().flatten().any(|run| passed_since(run, moved))
    };
    checks.steps.iter().filter(is_outdated).cloned().collect()
}

/// Whether a command of the step may have run. Its first attempt ends with the approval of its first command.
fn has_run(step: &Step) -> bool {
    step.phase.is_past_approval() || (!step.phase.is_pending() && step.attempt > 1)
}

/// Whether a check passed in a run that began after this moment.
fn passed_since(check: &Step, moment: Timestamp) -> bool {
    let took = i64::try_from(check.duration_ms.unwrap_or_default()).unwrap_or(i64::MAX);
    let began = check.since.epoch_milliseconds().saturating_sub(took);
    check.phase.has_succeeded() && began >= moment.epoch_milliseconds()
}

/// The requirements that the checks of a plan prove.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proofs {
    plan_id: Option<PlanId>,
    by_check: Vec<Vec<Named>>,
}

impl Proofs {
    /// The requirements of a check in this plan, by its number from 1; none if another plan has replaced it.
    pub fn of(&self, plan_id: &PlanId, number: u32) -> Vec<Named> {
        let at = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        let same = self.plan_id.as_ref() == Some(plan_id);
        let found = at.filter(|_| same).and_then(|at| self.by_check.get(at));
        found.cloned().unwrap_or_default()
    }
}

/// The requirements that the checks of the current validation plan prove.
pub async fn of_checks(plans: &Plans, scope: Scope) -> Result<Proofs, StoreError> {
    let (requirements, checks) =
        tokio::try_join!(plans.requirements(scope), plans.get(scope, PlanKind::Validation))?;
    let requirements = requirements.unwrap_or_default().asked.requirements;
    let checks = checks.unwrap_or_default();
    let by_check = checks.steps.iter().map(|check| named(&requirements, &check.requirements));
    Ok(Proofs { by_check: by_check.collect(), plan_id: checks.plan_id })
}

/// The steps of a plan. Their results count only if the execution was made from exactly this plan.
fn traces<'a>(plan: &'a Plan, execution: &Execution, outdated: &[Step]) -> Vec<Trace<'a>> {
    let ran = plan.plan_id.is_some() && execution.plan_id == plan.plan_id;
    let trace = |(number, step): (u32, &'a domain::plan::PlannedStep)| {
        let state = execution.step(number).filter(|_| ran);
        Trace {
            number,
            requirements: &step.requirements,
            status: state.map_or(StepStatus::Pending, Step::status),
            outdated: state.is_some_and(|state| outdated.contains(state)),
        }
    };
    (1..).zip(&plan.steps).map(trace).collect()
}
