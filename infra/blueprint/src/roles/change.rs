//! Changing a deployment that stands.
//!
//! What stands is known from the documents of the change before. The deployments' own steps can be run again without
//! harm, so a change is those of them that a differing value goes into, with the new values, and what proves it.

use serde_json::{Value, json};

use super::tracing;
use crate::catalogue::Step;
use crate::choice::Choice;
use crate::conversation::Conversation;
use crate::reading::dialogue::Dialogue;
use crate::reading::dialogue::changing::{changeable, differing};

/// What stands, when the conversation is about a change of it.
pub fn standing(conversation: &Conversation) -> Option<Choice> {
    let documents = ["previous_implementation_plan", "previous_requirements"];
    let fences = documents.iter().filter_map(|name| conversation.fence(name));
    fences.filter_map(|fence| Choice::from_document(fence.content)).next()
}

/// The user's words about this change, the wish that began it first.
pub fn words(conversation: &Conversation) -> Vec<String> {
    let said = conversation.user_words();
    let Some(change) = conversation.fence("change") else { return said };
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let wish = plain(change.content);
    match said.iter().rposition(|message| plain(message) == wish) {
        Some(begun) => said[begun..].to_vec(),
        None => [wish].into_iter().chain(said.last().cloned()).collect(),
    }
}

/// Everything that was said about a change, heard on top of what stands.
pub fn dialogue(conversation: &Conversation, before: &Choice) -> Dialogue {
    let requirements = conversation.fence("previous_requirements");
    let start = Dialogue::changing(before, requirements.map_or("", |fence| fence.content));
    let mut dialogue = start.replay(&words(conversation));
    dialogue.keep_what_stands(before);
    dialogue
}

/// The section of a document that says what differs.
pub fn section(before: &Choice, after: &Choice) -> String {
    let rows = differing(before, after).into_iter().map(|(parameter, value)| {
        format!("| {} | `{}` | `{value}` |\n", parameter.label, before.value(parameter.key))
    });
    let rows: String = rows.collect();
    format!(
        "## This change\n\n| what | now | after |\n|---|---|---|\n{rows}\nEverything else stays as it is."
    )
}

/// What differs, for the chat.
pub fn summary(before: &Choice, after: &Choice) -> String {
    let lines = differing(before, after).into_iter().map(|(parameter, value)| {
        format!("- {}: `{}` becomes `{value}`", parameter.label, before.value(parameter.key))
    });
    let lines: Vec<String> = lines.collect();
    format!("This changes what stands:\n\n{}\n\nEverything else stays as it is.", lines.join("\n"))
}

/// What is said when nothing of the wish can be done on what stands.
pub fn nothing(before: &Choice) -> String {
    format!(
        "So far nothing changes. Of what stands I can change: {}. Name one with its new value, or abandon this change.",
        changeable(before).join(", ")
    )
}

/// The steps that carry a change out, with their places in the deployment.
pub fn steps(before: &Choice, after: &Choice) -> Vec<&'static Step> {
    let keys: Vec<_> = differing(before, after).iter().map(|(p, _)| p.key).collect();
    let steps = after.blueprint.steps;
    let named = |step: &&Step| keys.iter().any(|key| tracing::goes_into(key, step.title));
    steps.iter().filter(named).collect()
}

/// The steps as the planner's tool wants them.
pub fn planned(conversation: &Conversation, before: &Choice, after: &Choice) -> Vec<Value> {
    let differing = differing(before, after).into_iter().map(|(parameter, value)| {
        format!("{} `{}` becomes `{value}`", parameter.label, before.value(parameter.key))
    });
    let differing = differing.collect::<Vec<_>>().join("; ");
    let step = |step: &Step| {
        let prompt = after.fill(step.prompt.trim());
        json!({
            "description": step.title,
            "prompt": format!("This changes what stands: {differing}. Keep everything else as it is. {prompt}"),
            "requirements": tracing::built_by(conversation, after.blueprint, step),
        })
    };
    steps(before, after).into_iter().map(step).collect()
}

/// The implementation plan of a change.
pub fn plan(before: &Choice, after: &Choice) -> String {
    let steps = steps(before, after);
    let list = (1..).zip(&steps).map(|(number, step): (u32, &&Step)| {
        format!("{number}. **{}.** {}", step.title, after.fill(step.summary))
    });
    let list: Vec<String> = list.collect();
    let text = format!(
        "# Change of @name@\n\n{}\n\n## Steps\n\n{}\n\n## What is kept\n\nThe workspace, its state and its keys are used as they are. Each step can be run again without harm and writes only what differs.\n\n## How to undo it\n\nAnother change back to the values of the column “now”.",
        section(before, after),
        list.join("\n"),
    );
    after.document(&text)
}
