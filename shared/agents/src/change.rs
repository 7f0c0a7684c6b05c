//! The part of a prompt about a change of a project that is already built.
//!
//! The owner may instruct the agents, so their request is in the system prompt, quoted like the project's name. What
//! exists is data: the documents of the previous change, what it ran, and what was built, each in a separate section.

use crate::context::AgentContext;
use crate::error::AgentError;
use crate::fence::{self, Shown, fence, fence_with};
use crate::sections;
use domain::change::ChangeKind;
use domain::{AgentId, Scope};
use store::changes::Past;

const RULES: &str = "\
# What a change is
The project is built and validated. Its owner wants it changed; the sections previous_… and built say what stands.
- Requirements and architecture describe the whole as it shall be after the change. What the change does not touch \
stays in them word for word, with its ids.
- Only the difference is planned and carried out. No step builds again what exists already, and none destroys it: no \
data, key, address or name is lost that the change does not ask to remove.
- A step may run on files, state and services that are there. It keeps what it replaces, or can write it again.
- Checks cover the whole: what existed before the change must still work after it.
- The implementation plan ends in “How to undo it”: what was there before, each value and file that it replaces, so \
that a later change can bring it back. A wish to undo the change before is such a change: it brings back what that \
section names, by steps of its own, and leaves the rest.
- What cannot be changed without destroying something must be named to the owner before they confirm.";

const TEAR_DOWN_RULES: &str = "\
# What tearing down is
The project is built, and its owner wants all of it removed. The sections previous_… and built describe what exists.
- Requirements say what goes, which data is lost with it, what stays, and what is left for the owner to do elsewhere, such \
as DNS records. Each part that goes is a requirement; the former ones are not kept.
- Steps remove in the reverse order of building, nothing that this project did not make, and nothing that was not named. \
Each says in its description and prompt what it removes.
- Terraform: one step saves `terraform -chdir=terraform plan -destroy -out=tfplan`, the next one applies that file. Docker \
Compose: `docker compose down --volumes`. On a server that its owner brought: what this project installed or wrote there, \
item by item, and the server itself stays.
- Each step can run again: what is gone already is not an error. The files of the workspace stay, but those that lead to what \
is gone.
- Checks look from outside: no resource in the state, no port that answers, no login, no process.
- The documentation says what was removed, what is left, and how to build it again: by duplicating the project.";

/// The sentence for a previous change that was not completed.
const UNFINISHED: &str = "\
The change before was not completed, and its steps may have failed or never run: previous_steps says which ran. Parts \
may be missing or half built. Each step removes what it finds, and what it does not find is not an error.";

/// The part of a prompt and its context about the current change.
pub(crate) struct Told {
    /// The rules at the end of the agent's prompt.
    pub(crate) rules: String,
    /// The sections that show what exists.
    pub(crate) shown: Shown,
    /// The kind of the change.
    pub(crate) kind: ChangeKind,
}

/// What `agent` learns about the current change; `None` while the project is built for the first time.
pub(crate) async fn told(
    context: &AgentContext,
    agent: AgentId,
    scope: Scope,
) -> Result<Option<Told>, AgentError> {
    let changes = &context.changes;
    let Some(change) = changes.under_way(scope).await.map_err(AgentError::internal)? else {
        return Ok(None);
    };
    let past = changes.past(scope, change.on_top_of).await.map_err(AgentError::internal)?;
    let wish = serde_json::Value::from(redaction::mask(&change.wish));
    let (rules, kind) = match change.kind {
        ChangeKind::Change => (RULES, "change"),
        ChangeKind::TearDown => (TEAR_DOWN_RULES, "tear_down"),
    };
    let unfinished = match change.stages_before {
        Some(_) => format!("\n\n{UNFINISHED}"),
        None => String::new(),
    };
    let rules =
        format!("{rules}{unfinished}\n\nThis is change {}. Its owner asks: {wish}.", change.number);
    let attributes = format!("kind=\"{kind}\" on_top_of=\"{}\"", change.on_top_of);
    let wanted = fence_with("change", &attributes, &change.wish);
    let shown = fence::join(&[wanted, shown(agent, &past.unwrap_or_default())]);
    Ok(Some(Told { rules, shown, kind: change.kind }))
}

fn shown(agent: AgentId, past: &Past) -> Shown {
    use AgentId::{
        CloudArchitect, Executor, ImplementationPlanner, RequirementsGatherer, Validator,
    };
    let to = |agents: &[AgentId], section: Shown| match agents.contains(&agent) {
        true => section,
        false => Shown::default(),
    };
    let requirements = fence("previous_requirements", &past.requirements.content);
    let architecture = fence("previous_architecture_plan", &past.architecture.text);
    let checks = fence("previous_validation_plan", &past.checks.text);
    fence::join(&[
        to(&[RequirementsGatherer], requirements),
        to(&[CloudArchitect, ImplementationPlanner], architecture),
        fence("previous_implementation_plan", &past.implementation.text),
        to(&[ImplementationPlanner, Executor], sections::previous_steps(&past.execution)),
        to(&[Validator], checks),
        fence("built", &past.documentation.key_value_data),
    ])
}
