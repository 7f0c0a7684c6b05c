//! Traces each requirement to the steps that build it and the checks that prove it, and to their results.

use crate::StoreError;
use crate::executions::{Execution, Executions};
use crate::plans::{PlanKind, Plans};
use domain::plan::Plan;
use domain::requirement::{Coverage, Named, Trace, coverage, named};
use domain::step::{StepStatus, Track};
use domain::{PlanId, Scope};

/// The requirements in order; empty if the project is gone or has no list of requirements.
pub async fn of_requirements(
    plans: &Plans,
    executions: &Executions,
    scope: Scope,
) -> Result<Vec<Coverage>, StoreError> {
    let (execution, validation) =
        (executions.on(Track::Execution), executions.on(Track::Validation));
    let (requirements, implementation, checks, execution, validation) = tokio::try_join!(
        plans.requirements(scope),
        plans.get(scope, PlanKind::Implementation),
        plans.get(scope, PlanKind::Validation),
        execution.load(scope),
        validation.load(scope),
    )?;
    let requirements = requirements.unwrap_or_default().asked.requirements;
    // What a change built is gone once it is rolled back, and its checks say nothing about what exists now.
    let rolled_back = execution.as_ref().is_some_and(Execution::is_rolled_back);
    let (execution, validation) = if rolled_back { (None, None) } else { (execution, validation) };
    let (implementation, checks) = (implementation.unwrap_or_default(), checks.unwrap_or_default());
    let steps = traces(&implementation, execution.as_ref());
    let checks = traces(&checks, validation.as_ref());
    Ok(coverage(&requirements, &steps, &checks))
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

/// The requirements that the checks of the present validation plan prove.
pub async fn of_checks(plans: &Plans, scope: Scope) -> Result<Proofs, StoreError> {
    let (requirements, checks) =
        tokio::try_join!(plans.requirements(scope), plans.get(scope, PlanKind::Validation))?;
    let requirements = requirements.unwrap_or_default().asked.requirements;
    let checks = checks.unwrap_or_default();
    let by_check = checks.steps.iter().map(|check| named(&requirements, &check.requirements));
    Ok(Proofs { by_check: by_check.collect(), plan_id: checks.plan_id })
}

/// The steps of a plan. Their results count only if the execution was made from exactly this plan.
fn traces<'a>(plan: &'a Plan, execution: Option<&Execution>) -> Vec<Trace<'a>> {
    let ran =
        execution.filter(|execution| plan.plan_id.is_some() && execution.plan_id == plan.plan_id);
    let trace = |(number, step): (u32, &'a domain::plan::PlannedStep)| Trace {
        number,
        requirements: &step.requirements,
        status: ran
            .and_then(|execution| execution.step(number))
            .map_or(StepStatus::Pending, |step| step.status()),
    };
    (1..).zip(&plan.steps).map(trace).collect()
}
