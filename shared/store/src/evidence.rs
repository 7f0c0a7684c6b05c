//! Traces each requirement to the steps that build it and the checks that prove it, and to their results.

use crate::StoreError;
use crate::executions::{Execution, Executions};
use crate::plans::{PlanKind, Plans};
use domain::Scope;
use domain::plan::Plan;
use domain::requirement::{Coverage, Trace, coverage};
use domain::step::{StepStatus, Track};

/// The requirements in their order; empty if the project is gone or has no list of requirements.
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
    let (implementation, checks) = (implementation.unwrap_or_default(), checks.unwrap_or_default());
    let steps = traces(&implementation, execution.as_ref());
    let checks = traces(&checks, validation.as_ref());
    Ok(coverage(&requirements, &steps, &checks))
}

/// The steps of a plan. Their results count only if the execution was made from this very plan.
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
