//! The role of the cloud architect.

use serde_json::json;

use super::planning::Planning;
use super::{change, fitted};
use crate::conversation::Conversation;
use crate::reply::Reply;

pub const TOOL: &str = "write_architecture_plan";

const ARCHITECT: Planning = Planning {
    tool: TOOL,
    plan: "architecture plan",
    own: "architecture_plan",
    inputs: &["requirements"],
    arguments: |conversation, choice, attempt| {
        let section =
            change::before(conversation, choice).map(|before| change::section(&before, choice));
        let template = choice.with_additions(choice.blueprint.architecture, "architecture.md");
        let template = match section {
            Some(section) => format!("{template}\n\n{section}"),
            None => template,
        };
        json!({"plan": fitted(choice.document(&template), attempt)})
    },
    closing: |_, _| {
        "The architecture plan is written: shape, cost, durability and risks. Ask about anything in it, name what to change, or confirm it to continue.".into()
    },
};

/// Writes the architecture plan from the requirements, changes it, and answers questions about it.
pub fn answer(conversation: &Conversation) -> Reply {
    ARCHITECT.answer(conversation)
}
