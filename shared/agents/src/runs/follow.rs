//! Follows a turn to its end and says what it waits for where the user looks.

use crate::context::AgentContext;
use crate::error::AgentError;
use crate::pipe::{Turn, WAITING};
use domain::chat::ChatEvent;
use domain::step::Event;
use domain::{PlanId, RunId, Scope};
use futures::StreamExt;
use store::executions::Executions;
use store::plans::PlanKind;

/// The place where the user waits for a run.
pub(super) enum Place<'a> {
    /// The plan that it writes.
    Plan { context: &'a AgentContext, kind: PlanKind },
    /// The step that it prepares.
    Step { executions: &'a Executions, plan_id: &'a PlanId, number: u32 },
}

impl Place<'_> {
    /// Says what the run waits for; `None` when the wait is over.
    async fn waits(
        &self,
        scope: Scope,
        run_id: &RunId,
        notice: Option<String>,
    ) -> Result<(), AgentError> {
        match self {
            Self::Plan { context, kind } => {
                let said = context.plans.waiting(scope, *kind, run_id, notice.as_deref());
                said.await.map_err(AgentError::internal)
            }
            Self::Step { executions, plan_id, number } => {
                let event = Event::Waiting { run_id: run_id.clone(), notice };
                super::prepare::apply(executions, scope, plan_id, *number, &event).await
            }
        }
    }
}

/// Runs a turn without a reader to its end.
pub(super) async fn follow(
    mut turn: Turn,
    place: Place<'_>,
    scope: Scope,
    run_id: &RunId,
) -> Result<(), AgentError> {
    let mut outcome = Ok(());
    while let Some(event) = turn.next().await {
        match event {
            Err(error) => outcome = Err(error),
            Ok(ChatEvent::Tool { tool, summary }) if tool == WAITING => {
                let notice = Some(summary).filter(|text| !text.is_empty());
                // The turn matters more than a notice about it.
                if let Err(error) = place.waits(scope, run_id, notice).await {
                    error.log();
                }
            }
            _ => {}
        }
    }
    outcome
}
