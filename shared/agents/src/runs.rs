//! Turns without a reader: messages of the queue `agent-runs`.
//!
//! A run may be delivered twice or late. It first checks whether its result is still wanted; what it writes is written
//! under its run id. A run that fails writes the failure where its result was expected, in words for the user, and is
//! not delivered again: the user decides whether to ask again. Only a failure of our own (`internal`) is returned as an
//! error, so that the queue delivers the message once more.

mod follow;
mod prepare;

pub use prepare::prepare_step;

use crate::context::AgentContext;
use crate::error::{AgentError, EarlyEnd};
use crate::provider::Patience;
use crate::roles::{self, cloud_architect, implementation_planner, validator};
use crate::turn::{self, Conversation, Task};
use domain::chat::{Message, Role};
use domain::work::AgentRun;
use domain::{AgentId, RunId, Scope};
use follow::{Place, follow};
use store::plans::PlanKind;

/// Has `agent` write its plan. The plan ends `ready`, or `failed` with a text for the user.
///
/// A run that has already ended, or whose project is gone, does nothing.
pub async fn generate_plan(
    context: &AgentContext,
    agent: AgentId,
    scope: Scope,
    run_id: &RunId,
    message: &str,
) -> Result<(), AgentError> {
    let (kind, _) = plan_of(agent)?;
    if !context.plans.generating(scope, kind, run_id).await.map_err(AgentError::internal)? {
        return Ok(());
    }
    match write_plan(context, agent, scope, run_id, message).await {
        Err(error) if error.end() == EarlyEnd::Internal => Err(error),
        Err(error) => {
            let failed = context.plans.failed(scope, kind, run_id, error.public_text());
            failed.await.map_err(AgentError::internal)
        }
        Ok(()) => Ok(()),
    }
}

/// The plan that an agent writes, and the tool that writes it.
fn plan_of(agent: AgentId) -> Result<(PlanKind, &'static str), AgentError> {
    match agent {
        AgentId::CloudArchitect => Ok((PlanKind::Architecture, cloud_architect::WRITE)),
        AgentId::ImplementationPlanner => {
            Ok((PlanKind::Implementation, implementation_planner::WRITE))
        }
        AgentId::Validator => Ok((PlanKind::Validation, validator::WRITE)),
        AgentId::RequirementsGatherer
        | AgentId::Executor
        | AgentId::Documenter
        | AgentId::DevopsHelper => {
            Err(AgentError::operator(EarlyEnd::NoSuchAgent, "This agent writes no plan."))
        }
    }
}

async fn write_plan(
    context: &AgentContext,
    agent: AgentId,
    scope: Scope,
    run_id: &RunId,
    message: &str,
) -> Result<(), AgentError> {
    let (kind, goal) = plan_of(agent)?;
    let context = &context.of_run(run_id);
    let role = roles::in_chat(context, agent, scope).await?;
    let thread = context.threads.load_or_begin(scope, agent).await.map_err(AgentError::internal)?;
    // If a run is delivered again, its message is already there.
    let said = |last: &Message| last.role == Role::User && last.text == message;
    let delivered_again = thread.messages.last().is_some_and(said);
    let threads = context.threads.clone();
    let mut conversation = Conversation::Kept { threads, scope, agent, thread };
    if !delivered_again {
        conversation.add(Message::user(message)).await?;
    }
    let roles::Role { prompt, context: shown, tools, .. } = role;
    let task = Task {
        scope,
        agent,
        prompt,
        context: shown,
        tools,
        goal: Some(goal),
        conversation,
        patience: Patience::Queue,
    };
    let turn = turn::start(context.clone(), task);
    follow(turn, Place::Plan { context, kind }, scope, run_id).await
}

/// Ends a run that the queue has given up, with a text for the user who waits for it.
pub async fn give_up(context: &AgentContext, run: &AgentRun) -> Result<(), AgentError> {
    const TEXT: &str = "This failed several times on our side. Please try again.";
    match run {
        AgentRun::GeneratePlan { scope, agent, run_id, .. } => {
            let (kind, _) = plan_of(*agent)?;
            context.plans.failed(*scope, kind, run_id, TEXT).await.map_err(AgentError::internal)
        }
        AgentRun::PrepareStep { scope, track, plan_id, step_number, run_id } => {
            let executions = context.executions.on(*track);
            prepare::failed(&executions, *scope, plan_id, *step_number, run_id, TEXT.to_owned())
                .await
        }
    }
}
