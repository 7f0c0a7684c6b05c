//! Has an agent write the command of a step or of a check.

use super::follow::{Place, follow};
use crate::context::AgentContext;
use crate::error::{AgentError, EarlyEnd};
use crate::fence;
use crate::machines::Sandbox;
use crate::prompts;
use crate::provider::Patience;
use crate::roles::propose::{Known, Plan, Proofs, ProposeCommand, Wording};
use crate::roles::{self, look, look_back};
use crate::tools::Tool;
use crate::turn::{self, Conversation, Task};
use domain::chat::{Message, Role};
use domain::step::{Event, Step, Track};
use domain::{AgentId, PlanId, RunId, Scope, ThreadId};
use std::sync::atomic::AtomicUsize;
use store::executions::{Execution, ExecutionError, Executions};

/// How many of the user's last messages in the chat with the agent a preparation reads, with their replies.
const CHAT_EXCHANGES: usize = 5;
/// The most bytes of these messages and replies; the last message is always read.
const CHAT_BYTES: usize = 60_000;

/// Has the executor write the command of a step that waits for it under `run_id`, or the validator that of a check.
///
/// Returns the step afterward: waiting for approval, failed with a text for the user, or *running* if a failed step
/// was re-executed and its command is the approved one. A caller that gets an unacknowledged running step hands its run
/// to the sandbox, even if this run did nothing because it came late or twice. Returns `None` if the plan or the
/// project is gone.
pub async fn prepare_step(
    context: &AgentContext,
    scope: Scope,
    track: Track,
    plan_id: &PlanId,
    step_number: u32,
    run_id: &RunId,
) -> Result<Option<Step>, AgentError> {
    let executions = &context.executions.on(track);
    let Some(execution) = load(executions, scope, plan_id).await? else { return Ok(None) };
    let Some(step) = execution.step(step_number) else { return Ok(None) };
    if !step.phase.is_preparing() || step.run_id.as_ref() != Some(run_id) {
        return Ok(Some(step.clone()));
    }
    match write_command(context, executions, scope, &execution, step, run_id).await {
        Err(error) if error.end() == EarlyEnd::Internal => return Err(error),
        Err(error) => {
            // The page recognizes a text about money, and a question, by its beginning.
            let error = match error.end() {
                EarlyEnd::Unpaid(_) | EarlyEnd::AgentQuestion => error.to_string(),
                _ => format!("The command could not be prepared. {error}"),
            };
            failed(executions, scope, plan_id, step_number, run_id, error).await?;
        }
        Ok(()) => {}
    }
    let now = load(executions, scope, plan_id).await?;
    Ok(now.and_then(|execution| execution.step(step_number).cloned()))
}

async fn load(
    executions: &Executions,
    scope: Scope,
    plan_id: &PlanId,
) -> Result<Option<Execution>, AgentError> {
    let execution = executions.load(scope).await.map_err(AgentError::internal)?;
    Ok(execution.filter(|execution| execution.plan_id.as_ref() == Some(plan_id)))
}

async fn write_command(
    context: &AgentContext,
    executions: &Executions,
    scope: Scope,
    execution: &Execution,
    step: &Step,
    run_id: &RunId,
) -> Result<(), AgentError> {
    let track = executions.track();
    if track == Track::Helper {
        return propose_again(executions, scope, step, run_id).await;
    }
    let sandbox = Sandbox::of(context.machines.as_ref());
    let preparation = roles::preparation(context, scope, track, execution, step);
    let messages = chat_before(context, scope, track);
    let look = look::tools(context, scope, &sandbox, look::May::Look);
    let (preparation, mut messages, look) = futures::try_join!(preparation, messages, look)?;
    let roles::Preparation { agent, mut prompt, context: mut shown, wording, with_rollback } =
        preparation;
    messages.push(Message::user(task(wording, step)));
    let propose = ProposeCommand {
        wording,
        sandbox: sandbox.clone(),
        known: Known::of(context, scope, execution, step, &messages)
            .await?
            .of_check(!wording.proved),
        plan: Plan::of(track, execution, step.number),
        proofs: Proofs::of(step),
        executions: executions.clone(),
        scope,
        plan_id: step.plan_id.clone(),
        step_number: step.number,
        run_id: run_id.clone(),
        with_rollback,
        rejected: AtomicUsize::new(0),
    };
    let mut tools: Vec<Box<dyn Tool>> = vec![Box::new(propose)];
    if !look.tools.is_empty() {
        shown = fence::join(&[shown, look::manifest(&sandbox, scope).await]);
    }
    prompt = look.rules.iter().fold(prompt, |prompt, rule| format!("{prompt}\n\n{rule}"));
    tools.extend(look.tools);
    let back = look_back::in_preparation(context, scope, execution, track);
    prompt = back.rules(prompt);
    tools.extend(back.tool);
    let task = Task {
        scope,
        agent,
        prompt: prompts::system(&prompt),
        context: shown,
        tools,
        goal: Some(wording.tool),
        conversation: Conversation::Passing { id: ThreadId::random(), messages },
        patience: Patience::Queue,
    };
    let place = Place::Step { executions, plan_id: &step.plan_id, number: step.number };
    follow(turn::start(context.clone(), task), place, scope, run_id).await
}

/// What the agent is asked to do. The user's chat with it precedes this, so an answer to its question does, too.
fn task(wording: &Wording, step: &Step) -> String {
    let task = format!(
        "Write the script of {} {} and pass it to `{}`.",
        wording.thing, step.number, wording.tool
    );
    match step.error.as_deref().is_some_and(turn::is_question) {
        true => format!(
            "{task} The section previous_attempt has a question of yours. The user's messages before this one answer it; \
             if none does, choose what fits the requirements best and say in the summary what you chose."
        ),
        false => task,
    }
}

/// The user's last words in the chat of the stage: they may have asked for a change.
async fn chat_before(
    context: &AgentContext,
    scope: Scope,
    track: Track,
) -> Result<Vec<Message>, AgentError> {
    let agent = match track {
        Track::Validation => AgentId::Validator,
        Track::Execution | Track::Helper | Track::Drift | Track::Rollback => AgentId::Executor,
    };
    let thread = context.threads.load(scope, agent).await.map_err(AgentError::internal)?;
    Ok(last_words(thread.map(|thread| thread.messages).unwrap_or_default()))
}

/// The last messages of the user with the agent's replies. The tool calls between them are left out: the reply says what
/// they found, and a few of them would push out the user's words.
fn last_words(mut messages: Vec<Message>) -> Vec<Message> {
    messages.retain(|message| match message.role {
        Role::User => true,
        Role::Assistant => message.tool_calls.is_empty(),
        Role::Tool => false,
    });
    let (mut asked, mut bytes, mut from) = (0, 0, messages.len());
    for (at, message) in messages.iter().enumerate().rev() {
        bytes += message.text.len();
        if message.role == Role::User {
            if asked == CHAT_EXCHANGES || (asked > 0 && bytes > CHAT_BYTES) {
                break;
            }
            (asked, from) = (asked + 1, at);
        }
    }
    messages.split_off(from)
}

/// Proposes a helper's command again unchanged, because only the user's helper may reword it.
async fn propose_again(
    executions: &Executions,
    scope: Scope,
    step: &Step,
    run_id: &RunId,
) -> Result<(), AgentError> {
    let Some(command) = &step.command else {
        return Err(AgentError::caller(EarlyEnd::NoCommand, "There is no command to run again."));
    };
    let event = Event::Prepared {
        run_id: run_id.clone(),
        next_run_id: RunId::random(),
        script: command.script.clone(),
        verdict: command.verdict.clone(),
        rollback: None,
    };
    apply(executions, scope, &step.plan_id, step.number, &event).await
}

pub(super) async fn failed(
    executions: &Executions,
    scope: Scope,
    plan_id: &PlanId,
    step_number: u32,
    run_id: &RunId,
    error: String,
) -> Result<(), AgentError> {
    let event = Event::PreparationFailed { run_id: run_id.clone(), error };
    apply(executions, scope, plan_id, step_number, &event).await
}

pub(super) async fn apply(
    executions: &Executions,
    scope: Scope,
    plan_id: &PlanId,
    step_number: u32,
    event: &Event,
) -> Result<(), AgentError> {
    match executions.apply(scope, plan_id, step_number, event).await {
        // The step was replaced, decided or canceled meanwhile: no caller waits for it.
        Ok(_)
        | Err(
            ExecutionError::StalePlan | ExecutionError::NoSuchStep | ExecutionError::Refused(_),
        ) => Ok(()),
        Err(error) => Err(AgentError::internal(error)),
    }
}
