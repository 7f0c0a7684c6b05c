//! Tears down a project.
//!
//! The requirements name the removal of the existing deployment, with its values. From then on, the documents carry the
//! removal like any other deployment, so the other roles need no code for it.

use serde_json::json;

use super::{ToolUse, change, fitted, requirements_gatherer};
use crate::catalogue::additions::ADDITIONS;
use crate::catalogue::removals;
use crate::choice::Choice;
use crate::conversation::Conversation;
use crate::reading::dialogue::ASKED;
use crate::reading::wishes::BUILT;
use crate::reply::Reply;

/// The removal of the existing deployment, if the current change asks for it.
pub fn wanted(conversation: &Conversation, standing: &Choice) -> Option<Choice> {
    let change = conversation.fence("change")?;
    let kind = change.attribute("kind");
    let removal = removals::of(standing.blueprint).filter(|_| kind == Some("tear_down"))?;
    // Additions to a server are removed with it.
    let mut values = standing.values().clone();
    values.remove(ADDITIONS.key);
    Some(Choice::new(removal, &values))
}

/// The requirements of a removal. They are complete right away, because a removal has no options.
pub fn gather(conversation: &Conversation, removal: &Choice) -> Reply {
    let title = removal.blueprint.title;
    let template = format!(
        "{}\n\n{ASKED}\n\n| asked | outcome |\n|---|---|\n| {title} | {BUILT} |\n",
        removal.blueprint.requirements.trim_end()
    );
    let words = change::words(conversation);
    let asked = words.first().map_or("", String::as_str);
    // Any message after the request could only ask for an exception, and a removal has none.
    let exceptions = words.len() > 1;
    let whole = "I can only remove everything. To keep a part of it, abandon this change and copy or change that part first.\n\n";
    let closing = format!(
        "{}The requirements say what goes, what stays, and which data is lost. Nothing is removed yet: you see the plan and approve each script. Confirm the requirements to continue, or abandon this change to keep everything.",
        if exceptions { whole } else { "" }
    );
    let lead = "I am writing down what tearing this project down means.".into();
    ToolUse { tool: requirements_gatherer::TOOL, lead, closing }.reply(conversation, |attempt| {
        json!({
            "content": fitted(removal.document(&template), attempt),
            "asked": [{"wish": title, "fate": "built", "how": "", "words": asked}],
            "ready_to_continue": true,
        })
    })
}
