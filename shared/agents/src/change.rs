//! What agents are told when the project stands already and its owner wants it changed.
//!
//! The owner's wish is theirs to say, so it stands in the system prompt, quoted like the project's name. What stands
//! is data: the documents of the change before, what it ran, and what was built, each in a section of its own.

use crate::context::AgentContext;
use crate::error::AgentError;
use crate::fence::{self, Shown, fence};
use crate::roles::sections;
use domain::redaction;
use domain::{AgentId, Scope};
use store::changes::Past;

const RULES: &str = "\
# What a change is
The project is built and validated. Its owner wants it changed; the sections previous_… and built say what stands.
- Requirements and architecture describe the whole as it shall be after the change. What the change does not touch \
stays in them word for word, with its ids.
- Only the difference is planned and carried out. No step builds again what stands already, and none destroys it: no \
data, key, address or name is lost that the change does not ask to remove.
- A step may run on files, state and services that are there. It keeps what it replaces, or can write it again.
- Checks cover the whole: what stood before the change must still work after it.
- What cannot be changed without destroying something is said to the owner before they confirm.";

/// What an agent is told and shown of the change that is under way.
pub(crate) struct Told {
    /// For the end of its own prompt.
    pub(crate) rules: String,
    /// What stands.
    pub(crate) shown: Shown,
}

/// What `agent` is told of the change that is under way; `None` while the project is built for the first time.
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
    let rules = format!("{RULES}\n\nThis is change {}. Its owner asks: {wish}.", change.number);
    let wanted = fence("change", &change.wish);
    let shown = fence::join(&[wanted, shown(agent, &past.unwrap_or_default())]);
    Ok(Some(Told { rules, shown }))
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
