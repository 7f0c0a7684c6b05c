//! The implementation planner.

use serde_json::{Value, json};

use super::fitted;
use super::planning::Planning;
use crate::choice::Choice;
use crate::conversation::Conversation;
use crate::reply::Reply;

pub const TOOL: &str = "write_implementation_plan";

const PLANNER: Planning = Planning {
    tool: TOOL,
    plan: "implementation plan",
    own: "implementation_plan",
    inputs: &["architecture_plan", "requirements"],
    arguments: |choice, attempt| {
        let plan = choice.document(choice.blueprint.implementation);
        json!({"plan": fitted(plan, attempt), "steps": steps(choice)})
    },
    closing: |choice| {
        format!(
            "The implementation plan is written, in {} steps. Each is shown to you as a script before it runs. Ask about anything in it, name what to change, or confirm it to start.",
            choice.blueprint.steps.len()
        )
    },
};

/// Writes the implementation plan and its steps, changes them, and answers questions about them.
pub fn answer(conversation: &Conversation) -> Reply {
    PLANNER.answer(conversation)
}

fn steps(choice: &Choice) -> Vec<Value> {
    let step = |step: &crate::catalogue::Step| json!({"description": step.title, "prompt": choice.fill(step.prompt.trim())});
    choice.blueprint.steps.iter().map(step).collect()
}
