//! The agents, one file each: prompt, context and tools.

pub(crate) mod cloud_architect;
mod devops_helper;
mod documenter;
mod executor;
pub(crate) mod implementation_planner;
pub(crate) mod look;
pub(crate) mod look_back;
mod look_up;
mod planned;
pub(crate) mod propose;
mod requirements_gatherer;
pub(crate) mod validator;

use crate::change;
use crate::context::{AgentContext, no_such_project};
use crate::error::{AgentError, EarlyEnd};
use crate::fence::{self, Shown};
use crate::machines::Sandbox;
use crate::prompts;
use crate::tools::Tool;
use domain::change::ChangeKind;
use domain::left_out;
use domain::step::{MAX_WRITTEN_SCRIPT_BYTES, Step, Track, written_script_bytes};
use domain::{AgentId, Scope};
use propose::Wording;
use redaction::Redacted;
use store::executions::Execution;

/// An agent at work on a project.
pub(crate) struct Role {
    pub(crate) prompt: String,
    pub(crate) context: Shown,
    pub(crate) tools: Vec<Box<dyn Tool>>,
    /// The tool that must run before a turn in the chat is done.
    pub(crate) goal: Option<&'static str>,
}

impl Role {
    /// An agent's own prompt, its sections and its tools.
    fn new(prompt: impl Into<String>, context: Shown, tools: Vec<Box<dyn Tool>>) -> Self {
        Self { prompt: prompt.into(), context, tools, goal: None }
    }

    /// The same with the tool for reading again, if it is offered.
    fn looking_back(mut self, back: look_back::LookingBack) -> Self {
        self.prompt = back.rules(self.prompt);
        self.tools.extend(back.tool);
        self
    }

    fn with_goal(self, goal: Option<&'static str>) -> Self {
        Self { goal, ..self }
    }
}

/// The agent as the user chats with it.
pub(crate) async fn in_chat(
    context: &AgentContext,
    agent: AgentId,
    scope: Scope,
) -> Result<Role, AgentError> {
    let role = async {
        match agent {
            AgentId::RequirementsGatherer => requirements_gatherer::role(context, scope).await,
            AgentId::CloudArchitect => cloud_architect::role(context, scope).await,
            AgentId::ImplementationPlanner => implementation_planner::role(context, scope).await,
            AgentId::Executor => executor::role(context, scope).await,
            AgentId::Validator => validator::role(context, scope).await,
            AgentId::Documenter => documenter::role(context, scope).await,
            AgentId::DevopsHelper => devops_helper::role(context, scope).await,
        }
    };
    let project = async { context.projects.get(scope).await.map_err(AgentError::internal) };
    let told = change::told(context, agent, scope);
    let (role, project, told) = futures::try_join!(role, project, told)?;
    let project = project.ok_or_else(no_such_project)?;
    let description = project.description.as_deref();
    let role = match told {
        Some(told) => Role {
            prompt: format!("{}\n\n{}", role.prompt, told.rules),
            context: fence::join(&[told.shown, role.context]),
            ..role
        },
        None => role,
    };
    let role = looking(context, agent, scope, role).await?;
    Ok(Role { prompt: prompts::system_for(&role.prompt, &project.name, description), ..role })
}

/// The agent with a look into the sandbox, if it writes about the sandbox's content and the sandbox can answer.
async fn looking(
    context: &AgentContext,
    agent: AgentId,
    scope: Scope,
    mut role: Role,
) -> Result<Role, AgentError> {
    let may = match agent {
        AgentId::CloudArchitect
        | AgentId::ImplementationPlanner
        | AgentId::Executor
        | AgentId::Validator => look::May::Look,
        // The helper looks by running commands.
        AgentId::DevopsHelper => look::May::LookUp,
        AgentId::RequirementsGatherer | AgentId::Documenter => return Ok(role),
    };
    let sandbox = Sandbox::of(context.machines.as_ref());
    let looking = look::tools(context, scope, &sandbox, may).await?;
    role.prompt =
        looking.rules.iter().fold(role.prompt, |prompt, rule| format!("{prompt}\n\n{rule}"));
    role.tools.extend(looking.tools);
    Ok(role)
}

/// What the preparation of one step or check needs besides the tool.
pub(crate) struct Preparation {
    pub(crate) agent: AgentId,
    /// The agent's own part of the system prompt.
    pub(crate) prompt: String,
    pub(crate) context: Shown,
    pub(crate) wording: &'static Wording,
    /// Whether the command comes with a rollback of its change.
    pub(crate) with_rollback: bool,
}

/// The track's agent when it writes a command.
pub(crate) async fn preparation(
    context: &AgentContext,
    scope: Scope,
    track: Track,
    execution: &Execution,
    step: &Step,
) -> Result<Preparation, AgentError> {
    let preparation = match track {
        Track::Execution => executor::preparation(context, scope, execution, step).await,
        Track::Validation => validator::preparation(context, scope, execution, step).await,
        Track::Helper | Track::Drift | Track::Rollback => {
            Err(AgentError::operator(EarlyEnd::NoSuchAgent, "This command is not written anew."))
        }
    }?;
    Ok(match change::told(context, preparation.agent, scope).await? {
        Some(told) => {
            let with_rollback = track == Track::Execution && told.kind == ChangeKind::Change;
            let more = if with_rollback { propose::ROLLBACK_RULES } else { "" };
            let prompt = format!("{}\n\n{}\n\n{more}", preparation.prompt, told.rules);
            Preparation {
                prompt: prompt.trim_end().to_owned(),
                context: fence::join(&[told.shown, preparation.context]),
                with_rollback,
                ..preparation
            }
        }
        None => preparation,
    })
}

/// A document that a model wrote: whole, without a fence around it, within its limit, and with references in place of
/// secrets.
pub(crate) fn document(text: &str, what: &str, most_bytes: usize) -> Result<Redacted, AgentError> {
    let text = bounded(unfenced(text), what, most_bytes)?;
    if left_out::is_nothing(text) {
        return Err(AgentError::model(format!("`{what}` says nothing. Write it and call again.")));
    }
    if let Some(line) = left_out::in_document(text) {
        return Err(AgentError::model(format!(
            "`{what}` replaces the whole document, and `{}` leaves a part of it out. Call again with the whole text.",
            line.trim()
        )));
    }
    if prompts::repeated(text, &instructions()) {
        return Err(AgentError::model(format!(
            "`{what}` repeats your instructions. Write about the user's project instead."
        )));
    }
    Ok(redaction::redact(text))
}

/// The instructions of the agents that write documents.
fn instructions() -> Vec<&'static str> {
    let of = |agent| match agent {
        AgentId::RequirementsGatherer => Some(requirements_gatherer::PROMPT),
        AgentId::CloudArchitect => Some(cloud_architect::PROMPT),
        AgentId::ImplementationPlanner => Some(implementation_planner::PROMPT),
        AgentId::Validator => Some(validator::CHAT),
        AgentId::Documenter => Some(documenter::PROMPT),
        AgentId::Executor | AgentId::DevopsHelper => None,
    };
    AgentId::ALL.into_iter().filter_map(of).collect()
}

/// The content of a fence that spans the whole document and names no other language; any other text unchanged.
fn unfenced(text: &str) -> &str {
    let whole = || {
        let (first, rest) = text.trim().split_once('\n')?;
        let language = first.trim_start_matches('`');
        let marks = &first[..first.len() - language.len()];
        let is_text = ["", "markdown", "md", "text"].contains(&language.trim());
        let (inner, last) = rest.rsplit_once('\n')?;
        let inner = (last.trim() == marks).then_some(inner)?;
        let fences = || inner.lines().map(str::trim).filter(|line| line.starts_with(marks));
        // A bare fence inside that no other opened closes the first line's.
        let nested = fences().next().is_none_or(|line| line != marks) && fences().count() % 2 == 0;
        (marks.len() >= 3 && is_text && nested).then_some(inner)
    };
    whole().unwrap_or(text)
}

/// A text that a model wrote, trimmed and within its limit.
pub(crate) fn bounded<'a>(
    text: &'a str,
    what: &str,
    most_bytes: usize,
) -> Result<&'a str, AgentError> {
    let text = text.trim();
    match text.len() {
        0 => Err(AgentError::model(format!("`{what}` is empty."))),
        n if n > most_bytes => Err(AgentError::model(format!(
            "`{what}` has {n} bytes, {most_bytes} are allowed. Write it shorter and call again."
        ))),
        _ => Ok(text),
    }
}

/// A script within its length as a message to a sandbox writes it.
pub(crate) fn writable<'a>(script: &'a str, what: &str) -> Result<&'a str, AgentError> {
    match written_script_bytes(script) {
        n if n > MAX_WRITTEN_SCRIPT_BYTES => Err(AgentError::model(format!(
            "`{what}` has {n} bytes as JSON, {MAX_WRITTEN_SCRIPT_BYTES} are allowed: each quote, backslash and line \
             break counts twice. Write it shorter."
        ))),
        _ => Ok(script),
    }
}

/// "1 section", "4 sections".
pub(crate) fn counted(n: usize, thing: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{n} {thing}{s}")
}
