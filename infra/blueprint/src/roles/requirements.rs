//! The requirements gatherer.

use serde_json::json;

use super::{ToolUse, fitted};
use crate::catalogue;
use crate::choice::Choice;
use crate::conversation::Conversation;
use crate::reading::answers;
use crate::reading::dialogue::{Dialogue, STILL_OPEN};
use crate::reading::words::Words;
use crate::reply::Reply;

pub const TOOL: &str = "update_requirements";

/// Hears the conversation, writes the requirements as they stand, and asks for what is missing.
pub fn answer(conversation: &Conversation) -> Reply {
    let messages = conversation.user_words();
    let written = conversation.fence("requirements").filter(|_| conversation.begins_late());
    let start = written.map(|fence| Dialogue::resuming(fence.content)).unwrap_or_default();
    let dialogue = start.replay(&messages);
    let last = messages.last().map_or("", String::as_str);
    let ready = dialogue.ready();
    let tool_use = ToolUse { tool: TOOL, lead: lead(&dialogue), closing: closing(&dialogue, last) };
    tool_use.reply(conversation, |attempt| {
        json!({"content": fitted(document(&dialogue), attempt), "ready_to_continue": ready})
    })
}

/// The requirements as far as they are known.
fn document(dialogue: &Dialogue) -> String {
    let Some(choice) = dialogue.choice() else {
        return format!(
            "# Requirements\n\nNothing is decided yet.\n\n{STILL_OPEN}\n\n- Which deployment is wanted. There is a choice of:\n\n{}\n",
            catalogue::list()
        );
    };
    let mut template = choice.blueprint.requirements.trim_end().to_string();
    if !dialogue.ready() {
        template.push_str(&format!("\n\n{STILL_OPEN}\n"));
        for parameter in dialogue.missing() {
            let (label, default) = (parameter.label, parameter.default);
            template.push_str(&format!("\n- {label}: `{default}` unless you say otherwise"));
        }
        template.push_str(if dialogue.missing().is_empty() { "\n- Your confirmation" } else { "" });
    }
    choice.document(&template)
}

/// What is said at once, before the document is written.
fn lead(dialogue: &Dialogue) -> String {
    let heard = &dialogue.heard;
    let mut lead: Vec<String> = Vec::new();
    if heard.greeting {
        lead.push("Hello.".into());
    }
    if heard.secret {
        lead.push("I never see secrets typed here; please use the credentials form.".into());
    }
    if let (true, Some(blueprint)) = (heard.chosen, dialogue.blueprint) {
        lead.push(blueprint.welcome.into());
    }
    if !heard.changed.is_empty() {
        lead.push(format!("Noted: {}.", changes(dialogue)));
    }
    if heard.confirmed && heard.changed.is_empty() && !heard.chosen {
        lead.push("Very well.".into());
    }
    if heard.withdrawn {
        lead.push("No hurry.".into());
    }
    lead.extend(heard.refused.iter().cloned());
    lead.join(" ")
}

/// “port 9090, service name `orders`”.
pub fn changes(dialogue: &Dialogue) -> String {
    let changes = dialogue.heard.changed.iter().map(|(parameter, value)| {
        let mut label = parameter.label.to_string();
        // Labels start with a capital; “SSH …” keeps its own.
        if !label.starts_with("SSH")
            && let Some(first) = label.get_mut(..1)
        {
            first.make_ascii_lowercase();
        }
        format!("{label} `{value}`")
    });
    changes.collect::<Vec<_>>().join(", ")
}

/// What is said once the document is written.
fn closing(dialogue: &Dialogue, last: &str) -> String {
    let Some(choice) = dialogue.choice() else { return offer(dialogue) };
    let mut parts = Vec::new();
    if dialogue.heard.question {
        let question = Words::of(last);
        let known =
            answers::find(choice.blueprint.answers, &question).map(|answer| choice.fill(answer));
        parts.extend(known);
    }
    parts.push(if dialogue.ready() { summary(&choice) } else { questions(dialogue) });
    parts.join("\n\n")
}

/// Nothing was chosen: the catalogue.
fn offer(dialogue: &Dialogue) -> String {
    let list = catalogue::list();
    let which = "Which one shall it be? A sentence is enough, and “use the defaults” saves you the questions.";
    if dialogue.heard.greeting {
        return format!(
            "I gather what is needed for a deployment. Today I can build:\n\n{list}\n\n{which}"
        );
    }
    format!("I could not match that to something I can build. Today there is:\n\n{list}\n\n{which}")
}

fn questions(dialogue: &Dialogue) -> String {
    let missing = dialogue.missing();
    if missing.is_empty() {
        return "Say “go ahead” when the requirements are as you want them.".into();
    }
    let start = if missing.len() == 1 { "One thing is open:" } else { "A few things are open:" };
    let lines = missing.iter().map(|parameter| {
        format!(
            "- **{}**: {} (default `{}`)",
            parameter.label, parameter.question, parameter.default
        )
    });
    let lines: Vec<String> = lines.collect();
    format!("{start}\n\n{}\n\nTell me, or say “use the defaults”.", lines.join("\n"))
}

fn summary(choice: &Choice) -> String {
    let values = choice.blueprint.parameters.iter().filter(|parameter| parameter.asked);
    let values: Vec<String> = values
        .map(|parameter| format!("- {}: `{}`", parameter.label, choice.value(parameter.key)))
        .collect();
    let mut parts = vec![format!("That is all I need:\n\n{}", values.join("\n"))];
    if !choice.blueprint.before_confirming.is_empty() {
        parts.push(choice.blueprint.before_confirming.into());
    }
    parts.push("Confirm the requirements to continue, or tell me what to change.".into());
    parts.join("\n\n")
}
