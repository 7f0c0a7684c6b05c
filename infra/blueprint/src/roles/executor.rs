//! The executor prepares the script of one step. In a chat without a step, it talks about the execution.

use super::prepare::{self, Track};
use super::progress;
use crate::choice::Choice;
use crate::conversation::Conversation;
use crate::reply::Reply;

pub use super::prepare::meaning;

pub const TOOL: &str = "propose_command";

const STEPS: Track =
    Track { tool: TOOL, called: "step", steps: Choice::possible_steps, repairs: true };

/// Proposes the script for the step in the context, or answers in the execution chat.
pub fn answer(conversation: &Conversation) -> Reply {
    match conversation.fence("step") {
        Some(step) => prepare::answer(&STEPS, conversation, &step),
        None => progress::answer(conversation),
    }
}

/// The documents that contain the choice, newest first. The validation plan is made from the implementation plan and
/// can be older than it.
const DOCUMENTS: &[&str] =
    &["implementation_plan", "architecture_plan", "requirements", "validation_plan"];

/// The choice in the context's documents.
pub fn choice(conversation: &Conversation) -> Option<Choice> {
    let fences = DOCUMENTS.iter().filter_map(|name| conversation.fence(name));
    fences.filter_map(|fence| Choice::from_document(fence.content)).next()
}
