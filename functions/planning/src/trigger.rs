//! Asks for a plan that is written in the background.

use crate::App;
use chats::ChatMessage;
use domain::chat::user_message;
use domain::plan::{Plan, PlanStatus};
use domain::secret_token::sha256_hex;
use domain::stage::{Artifacts, StageId};
use domain::work::AgentRun;
use domain::{RunId, Scope, Timestamp};
use http_kit::{ApiError, ErrorCode};
use store::plans::PlanKind;

/// A run without a sign of life for this long, in seconds, counts as lost, and a caller may start it again.
const STALE_SECONDS: i64 = 300;
/// Characters of a run's id: 128 bits in hexadecimal, the length of a random id.
const RUN_ID_CHARS: usize = 32;

/// A plan that can be written in the background.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Asked {
    Architecture,
    Implementation,
}

impl Asked {
    fn kind(self) -> PlanKind {
        match self {
            Self::Architecture => PlanKind::Architecture,
            Self::Implementation => PlanKind::Implementation,
        }
    }

    fn stage(self) -> StageId {
        match self {
            Self::Architecture => StageId::Architecture,
            Self::Implementation => StageId::Implementation,
        }
    }
}

impl App {
    /// Puts the run on its queue unless one is under way; returns the id of the run that is.
    pub(crate) async fn trigger(
        &self,
        asked: Asked,
        scope: Scope,
        message: &ChatMessage,
    ) -> Result<RunId, ApiError> {
        user_message(&message.message)
            .map_err(|e| ApiError::unprocessable(ErrorCode::InvalidMessage, e.to_string()))?;
        self.check_input(asked, scope).await?;
        let kind = asked.kind();
        let plan = self.plans.get(scope, kind).await?.ok_or_else(ApiError::not_found)?;
        if let Some(run_id) = under_way(&plan) {
            return Ok(run_id);
        }
        self.chats.check_credit(scope).await?;
        let run_id = next_run(kind, scope, &plan);
        let message = self.chats.seal(scope, message).await?.text;
        let agent = asked.stage().info().agent;
        let run = AgentRun::GeneratePlan { scope, agent, run_id: run_id.clone(), message };
        // Queue the run first, so that every plan that says "generating" has a run.
        self.turns.ask(&run).await.map_err(ApiError::internal)?;
        self.plans.generating(scope, kind, &run_id).await?;
        self.projects.touch(scope).await?;
        Ok(run_id)
    }

    /// Checks that there is an artifact to write the plan from.
    async fn check_input(&self, asked: Asked, scope: Scope) -> Result<(), ApiError> {
        let mut artifacts = Artifacts::default();
        match asked {
            Asked::Architecture => {
                let requirements = self.plans.requirements(scope).await?;
                let requirements = requirements.ok_or_else(ApiError::not_found)?;
                artifacts.requirements_ready = requirements.ready_to_continue;
            }
            Asked::Implementation => {
                let plan = self.plans.get(scope, PlanKind::Architecture).await?;
                let plan = plan.ok_or_else(ApiError::not_found)?;
                artifacts.architecture_plan = plan.is_written();
            }
        }
        Ok(artifacts.input_of(asked.stage())?)
    }
}

/// The run that follows on this plan. Concurrent triggers have read the same plan, so they ask for the same run, which
/// the queue accepts once.
fn next_run(kind: PlanKind, scope: Scope, plan: &Plan) -> RunId {
    let Plan { status, run_id, updated_at, .. } = plan;
    let follows = format!("{kind:?} {scope} {status:?} {run_id:?} {updated_at:?}");
    RunId(sha256_hex(follows.as_bytes())[..RUN_ID_CHARS].to_owned())
}

fn under_way(plan: &Plan) -> Option<RunId> {
    let since = plan.updated_at.filter(|_| plan.status == PlanStatus::Generating)?;
    let alive = Timestamp::now().seconds_since(since) < STALE_SECONDS;
    plan.run_id.clone().filter(|_| alive)
}
