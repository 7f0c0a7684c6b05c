//! Estimates what the execution of the plan will take, and sums up what it has taken.

use crate::App;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use domain::estimate::{Basis, Estimate, Taken, Used};
use domain::stage::{Artifacts, StageId};
use domain::{AgentId, Scope};
use futures::future::try_join_all;
use http_kit::{ApiError, ErrorBody, Limited, Lookup, ProjectHeader, conditional_json};
use serde::{Deserialize, Serialize};
use store::StoreError;
use store::costs::Breakdown;
use store::executions::Execution;
use store::plans::PlanKind;
use utoipa::ToSchema;

/// The most earlier projects that an estimate uses, starting with the most recently used.
const PROJECTS: usize = 8;

const MS_PER_SECOND: u64 = 1_000;

/// What an execution is expected to take, as a range.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct ExecutionEstimate {
    /// Steps of the plan.
    pub steps: u64,
    /// Where the range comes from.
    pub basis: Basis,
    /// How many measured steps it comes from; 0 for the pricing page.
    pub from_steps: u64,
    /// The low end of the range.
    pub low: StepsTaken,
    /// The high end of the range.
    pub high: StepsTaken,
    /// What the completed steps of this plan have taken, in the current change; null before there is one.
    #[schema(required)]
    pub took: Option<StepsTaken>,
}

/// What some steps take: the agent's work and the commands, without the time that they spend waiting for their owner.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct StepsTaken {
    /// Number of steps.
    pub steps: u64,
    /// Tokens that the execution agent sends and writes.
    pub tokens: u64,
    /// US dollars as a decimal with six places.
    #[schema(example = "1.284000")]
    pub cost: String,
    /// Seconds.
    pub seconds: u64,
}

impl From<Taken> for StepsTaken {
    fn from(taken: Taken) -> Self {
        Self {
            steps: taken.steps,
            tokens: taken.tokens,
            cost: taken.cost.to_string(),
            seconds: taken.milliseconds.div_ceil(MS_PER_SECOND),
        }
    }
}

/// Estimate what the execution of the plan will take
#[utoipa::path(get, path = "/execution/estimate", tag = "execution",
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = ExecutionEstimate), (status = 304, description = "Unchanged"),
        (status = 409, body = ErrorBody)))]
pub(crate) async fn estimate(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    _: Limited<Lookup>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    Ok(conditional_json(&headers, &app.estimate(scope).await?))
}

impl App {
    async fn estimate(&self, scope: Scope) -> Result<ExecutionEstimate, ApiError> {
        let (plan, projects) = futures::try_join!(
            self.plans.get(scope, PlanKind::Implementation),
            self.projects.list(scope.installation)
        )?;
        let plan = plan.ok_or_else(ApiError::not_found)?;
        let implementation_plan = plan.has_steps();
        Artifacts { implementation_plan, ..Artifacts::default() }.input_of(StageId::Execution)?;
        let others = projects.into_iter().map(|project| Scope { project: project.id, ..scope });
        let others: Vec<_> = others.filter(|other| *other != scope).take(PROJECTS).collect();
        let (here, measured) = futures::try_join!(
            self.taken(scope),
            try_join_all(others.into_iter().map(|other| self.taken(other)))
        )?;
        let measured: Vec<_> = measured.into_iter().map(|(_, taken)| taken).collect();
        let steps = u64::try_from(plan.steps.len()).unwrap_or(u64::MAX);
        let Estimate { basis, from_steps, low, high } = Estimate::of(steps, &measured);
        let took = here.0.plan_id == plan.plan_id && here.1.steps > 0;
        Ok(ExecutionEstimate {
            steps,
            basis,
            from_steps,
            low: low.into(),
            high: high.into(),
            took: took.then(|| here.1.into()),
        })
    }

    /// What the completed steps of a project's current change took. Usage on failed steps, and on questions about them,
    /// is part of what a completed step takes; usage in earlier changes is not.
    async fn taken(&self, scope: Scope) -> Result<(Execution, Taken), StoreError> {
        let (execution, costs) =
            futures::try_join!(self.executions.load(scope), self.costs.breakdown(scope))?;
        let execution = execution.unwrap_or_default();
        let Breakdown { by_agent, .. } = costs.unwrap_or_default();
        let used = by_agent.get(&AgentId::Executor).copied().unwrap_or_default();
        let Used { tokens, cost } = Used::from(used).since(execution.used_before);
        let mut taken = Taken { tokens, cost, ..Taken::default() };
        for step in execution.steps.iter().filter(|step| step.phase.has_succeeded()) {
            taken.steps += 1;
            taken.milliseconds += step.prepared_ms + step.duration_ms.unwrap_or_default();
        }
        Ok((execution, taken))
    }
}
