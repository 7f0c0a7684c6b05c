//! Changes an existing deployment.
//!
//! The documents of the previous change describe the existing deployment. Each step of a deployment can run again
//! without harm. A change therefore consists of the steps that use a different value, run with the new values, and of
//! the steps that prove the result.

use serde_json::{Value, json};

use super::{tracing, undo};
use crate::catalogue::Step;
use crate::catalogue::additions::Addition;
use crate::choice::Choice;
use crate::conversation::Conversation;
use crate::reading::dialogue::Dialogue;
use crate::reading::dialogue::changing::{changeable, differing};
use crate::reading::dialogue::quotes::Quotes;
use crate::reading::wishes::Fate;

/// The existing deployment, if the conversation is about changing it.
pub fn standing(conversation: &Conversation) -> Option<Choice> {
    let documents = ["previous_implementation_plan", "previous_requirements"];
    let fences = documents.iter().filter_map(|name| conversation.fence(name));
    fences.filter_map(|fence| Choice::from_document(fence.content)).next()
}

/// The existing deployment, if `choice` is another state of it and not its removal.
pub fn before(conversation: &Conversation, choice: &Choice) -> Option<Choice> {
    standing(conversation).filter(|before| before.blueprint.id == choice.blueprint.id)
}

/// The user's messages about this change, beginning with the request that started it.
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

/// Everything said about a change, read on top of the existing deployment.
pub fn dialogue(conversation: &Conversation, before: &Choice) -> Dialogue {
    let words = words(conversation);
    let begun = Begun::of(conversation, before, &words);
    let mut dialogue = begun.start.clone().replay(begun.later);
    begun.finish(&mut dialogue, before);
    dialogue
}

/// The user's words for each line of the change.
pub fn quotes(conversation: &Conversation, before: &Choice) -> Quotes {
    let words = words(conversation);
    let begun = Begun::of(conversation, before, &words);
    let finish = |dialogue: &mut Dialogue| begun.finish(dialogue, before);
    let quotes = Quotes::of(begun.start.clone(), begun.later, finish);
    let impossible = begun.impossible.iter();
    quotes.with(impossible.map(|(wish, _)| ((wish.clone(), Some(Fate::Not)), wish.as_str())))
}

/// What a change begins with.
struct Begun<'a> {
    /// The existing deployment, or the one to which the change goes back.
    start: Dialogue,
    /// The messages to read on top of it.
    later: &'a [String],
    /// A request to go back that is impossible, and why.
    impossible: Option<(String, &'static str)>,
}

impl<'a> Begun<'a> {
    fn of(conversation: &Conversation, before: &Choice, words: &'a [String]) -> Self {
        let requirements = conversation.fence("previous_requirements");
        let requirements = requirements.map_or("", |fence| fence.content);
        let undone = words.split_first().filter(|(wish, _)| undo::is_asked(wish));
        let Some((wish, later)) = undone else {
            let start = Dialogue::changing(before, requirements);
            return Self { start, later: words, impossible: None };
        };
        match undo::former(conversation, before, wish) {
            Ok(former) => {
                let start = Dialogue::changing(&former, requirements);
                Self { start, later, impossible: None }
            }
            Err(why) => {
                let start = Dialogue::changing(before, requirements);
                Self { start, later, impossible: Some((wish.clone(), why)) }
            }
        }
    }

    /// What happens to the dialogue after the last message.
    fn finish(&self, dialogue: &mut Dialogue, before: &Choice) {
        if let Some((wish, why)) = &self.impossible {
            dialogue.lacking(wish.clone(), why);
        }
        dialogue.keep_unchanged(before);
    }
}

/// Heading of the list of differences.
pub const THIS_CHANGE: &str = "## This change";

/// The section of a document that lists the differences.
pub fn section(before: &Choice, after: &Choice) -> String {
    let rows = differing(before, after).into_iter().map(|(parameter, value)| {
        format!("| {} | `{}` | `{value}` |\n", parameter.label, before.value(parameter.key))
    });
    let rows: String = rows.collect();
    format!(
        "{THIS_CHANGE}\n\n| what | now | after |\n|---|---|---|\n{rows}\nEverything else stays as it is."
    )
}

/// The differences, for the chat.
pub fn summary(before: &Choice, after: &Choice) -> String {
    let lines = differing(before, after).into_iter().map(|(parameter, value)| {
        format!("- {}: `{}` becomes `{value}`", parameter.label, before.value(parameter.key))
    });
    let lines: Vec<String> = lines.collect();
    format!("These settings change:\n\n{}\n\nEverything else stays as it is.", lines.join("\n"))
}

/// What the user should know about the additions, such as the secrets that they need; may be empty.
pub fn before_confirming(before: &Choice, after: &Choice) -> String {
    let had: Vec<_> = before.additions().map(|addition| addition.id).collect();
    let added = after.additions().filter(|addition| !had.contains(&addition.id));
    added.map(|addition| addition.before_confirming).collect::<Vec<_>>().join(" ")
}

/// The answer if nothing of the request can be carried out on the existing deployment.
pub fn nothing(before: &Choice) -> String {
    format!(
        "So far nothing changes. I can change: {}. Name one with its new value, or abandon this change.",
        changeable(before).join(", ")
    )
}

/// The steps that carry out a change, in the deployment's order.
pub fn steps(before: &Choice, after: &Choice) -> Vec<&'static Step> {
    let keys: Vec<_> = differing(before, after).iter().map(|(p, _)| p.key).collect();
    let named = |step: &&Step| keys.iter().any(|key| tracing::goes_into(key, step.title));
    let own = after.blueprint.steps.iter().filter(named);
    let had: Vec<_> = before.additions().map(|addition| addition.id).collect();
    let has: Vec<_> = after.additions().map(|addition| addition.id).collect();
    let removed = before.additions().filter(|addition| !has.contains(&addition.id));
    let removal = removed.flat_map(|addition| addition.removal);
    let asks = |addition: &Addition| addition.questions.iter().any(|q| keys.contains(&q.key));
    let added = after.additions().filter(|addition| !had.contains(&addition.id) || asks(addition));
    own.chain(removal).chain(added.flat_map(|addition| addition.steps)).collect()
}

/// The script that rolls a change back: the steps from the new values to the former ones, each with its proof. They can
/// run again without harm, so it does not matter how far the change got. The script is empty if it would need
/// Terraform: the owner approves each Terraform change as a saved plan, and a script cannot contain one.
pub fn rollback(before: &Choice, after: &Choice) -> String {
    let part = |step: &&'static Step| {
        let lines = |text: &str| {
            let rest = text.strip_prefix("#!").and_then(|text| text.split_once('\n'));
            rest.map_or(text, |(_, rest)| rest).trim().to_owned()
        };
        // Each step runs in a separate shell, as it does in an execution: if one changes its directory, the next is not
        // affected.
        let (script, proof) = (lines(&before.script(step)), lines(&before.proof(step)));
        format!("echo '{}'\n(\n{script}\n)\n(\n{proof}\n)\n", step.title.replace('\'', ""))
    };
    let back = steps(after, before);
    if back.iter().any(|step| before.script(step).contains("terraform")) {
        return String::new();
    }
    let parts: Vec<_> = back.iter().map(part).collect();
    let list = summary(after, before)
        .lines()
        .filter(|line| line.starts_with("- "))
        .map(|line| format!("#{}\n", line.replacen('-', "", 1)))
        .collect::<String>();
    format!(
        "#!/usr/bin/env bash\n# Rolls the change back:\n{list}set -euo pipefail\n\n{}",
        parts.join("\n")
    )
}

/// The steps in the form that the planner's tool takes.
pub fn planned(conversation: &Conversation, before: &Choice, after: &Choice) -> Vec<Value> {
    let differing = differing(before, after).into_iter().map(|(parameter, value)| {
        format!("{} `{}` becomes `{value}`", parameter.label, before.value(parameter.key))
    });
    let differing = differing.collect::<Vec<_>>().join("; ");
    let step = |step: &'static Step| {
        let prompt = after.fill(step.prompt.trim());
        json!({
            "description": step.title,
            "prompt": format!("These settings change: {differing}. Keep everything else as it is. {prompt}"),
            "requirements": tracing::built_by(conversation, after, step),
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
        "# Change of @name@\n\n{}\n\n## Steps\n\n{}\n\n## What is kept\n\nThe workspace, its state and its keys are used as they are. Each step can be run again without harm and writes only what differs.\n\n## How to undo it\n\nBegin a change with “Undo”: it brings back the values of the column “now” with the same steps.",
        section(before, after),
        list.join("\n"),
    );
    after.document(&text)
}
