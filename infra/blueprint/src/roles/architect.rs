//! The cloud architect.

use serde_json::json;

use super::fitted;
use super::planning::Planning;
use crate::conversation::Conversation;
use crate::reply::Reply;

pub const TOOL: &str = "write_architecture_plan";

const ARCHITECT: Planning = Planning {
    tool: TOOL,
    plan: "architecture plan",
    own: "architecture_plan",
    inputs: &["requirements"],
    arguments: |choice, attempt| json!({"plan": fitted(choice.document(choice.blueprint.architecture), attempt)}),
    closing: |_| {
        "The architecture plan is written: shape, cost, durability and risks. Ask about anything in it, name what to change, or confirm it to continue.".into()
    },
};

/// Writes the architecture plan from the requirements, changes it, and answers questions about it.
pub fn answer(conversation: &Conversation) -> Reply {
    ARCHITECT.answer(conversation)
}
