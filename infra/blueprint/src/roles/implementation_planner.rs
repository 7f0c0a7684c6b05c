//! The role of the implementation planner.

use serde_json::{Value, json};

use super::planning::Planning;
use super::{change, fitted, tracing};
use crate::choice::Choice;
use crate::conversation::Conversation;
use crate::reply::Reply;

pub const TOOL: &str = "write_implementation_plan";

const PLANNER: Planning = Planning {
    tool: TOOL,
    plan: "implementation plan",
    own: "implementation_plan",
    inputs: &["architecture_plan", "requirements"],
    arguments: |conversation, choice, attempt| {
        let plan = match change::before(conversation, choice) {
            Some(before) => change::plan(&before, choice),
            None => choice.document(choice.blueprint.implementation),
        };
        json!({"plan": fitted(plan, attempt), "steps": steps(conversation, choice)})
    },
    closing: |conversation, choice| {
        format!(
            "The implementation plan is written, in {} steps. Each is shown to you as a script before it runs. Ask about anything in it, name what to change, or confirm it to start.",
            match change::before(conversation, choice) {
                Some(before) => change::steps(&before, choice).len(),
                None => choice.steps().len(),
            }
        )
    },
};

/// Writes the implementation plan and its steps, changes them, and answers questions about them.
pub fn answer(conversation: &Conversation) -> Reply {
    PLANNER.answer(conversation)
}

fn steps(conversation: &Conversation, choice: &Choice) -> Vec<Value> {
    if let Some(before) = change::before(conversation, choice) {
        return change::planned(conversation, &before, choice);
    }
    let step = |step: &'static crate::catalogue::Step| {
        json!({
            "description": step.title,
            "prompt": choice.fill(step.prompt.trim()),
            "requirements": tracing::built_by(conversation, choice, step),
        })
    };
    choice.steps().into_iter().map(step).collect()
}
