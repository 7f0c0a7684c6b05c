//! What the architect and the planner share: writing a plan, changing it, and answering questions about it.

use serde_json::Value;

use super::requirements_gatherer::changes;
use super::{Attempt, ToolUse};
use crate::catalogue;
use crate::choice::Choice;
use crate::conversation::{Conversation, Outcome};
use crate::reading::dialogue::{Dialogue, Latest};
use crate::reply::Reply;
use crate::words::Words;
use crate::words::language::Language;

/// A role that writes a new document from earlier ones.
pub struct Planning {
    pub tool: &'static str,
    /// Its name in a sentence: “architecture plan”.
    pub plan: &'static str,
    /// The fence of the plan itself.
    pub own: &'static str,
    /// The fences of the documents that it is made from, newest first.
    pub inputs: &'static [&'static str],
    pub arguments: fn(&Conversation, &Choice, Attempt) -> Value,
    pub closing: fn(&Conversation, &Choice) -> String,
}

/// Words that ask to write the plan, for the first time or again.
pub const WRITE: &[&str] = &[
    "generate",
    "regenerate",
    "rewrite",
    "redo",
    "write",
    "create",
    "update",
    "refresh",
    "again",
    "start over",
];

impl Planning {
    pub fn answer(&self, conversation: &Conversation) -> Reply {
        let messages = conversation.user_words();
        // Requests of an earlier round are already in the plan, or newer requirements have replaced them.
        let round = messages.iter().rposition(|message| is_trigger(message));
        let own =
            conversation.fence(self.own).map(|fence| fence.content).filter(|text| !text.is_empty());
        let inputs = || self.inputs.iter().find_map(|name| conversation.fence(name));
        let input = inputs().and_then(|fence| Choice::from_document(fence.content));
        let choice = match round {
            None => own.and_then(Choice::from_document).or(input),
            Some(_) => input.or_else(|| own.and_then(Choice::from_document)),
        };
        let Some(choice) = choice else { return self.nothing_to_plan() };

        let mut dialogue = Dialogue::continuing(&choice);
        for message in &messages[round.unwrap_or(0)..] {
            dialogue.read(message);
        }
        let last = Words::of(messages.last().map_or("", String::as_str));
        self.reply(conversation, &choice, &dialogue, &last, own.is_some())
    }

    fn reply(
        &self,
        conversation: &Conversation,
        before: &Choice,
        dialogue: &Dialogue,
        last: &Words,
        have_plan: bool,
    ) -> Reply {
        let latest = &dialogue.latest;
        if dialogue.blueprint.map(|blueprint| blueprint.id) != Some(before.blueprint.id) {
            return Reply::text(
                "That is another deployment. Please go back to the requirements stage and change it there; the plans follow from it.",
            );
        }
        let choice = dialogue.choice().unwrap_or_else(|| before.clone());
        let asked_to_write = last.means_any(WRITE) && !last.text().contains('?');
        let writes = asked_to_write || !latest.changed.is_empty() || !have_plan;
        if !writes && conversation.outcome(self.tool) == Outcome::NotCalled {
            return self.answer_question(conversation, &choice, latest, last);
        }
        let tool_use = ToolUse {
            tool: self.tool,
            lead: self.lead(dialogue, have_plan),
            closing: self.closing(conversation, before, dialogue, &choice),
        };
        tool_use.reply(conversation, |attempt| (self.arguments)(conversation, &choice, attempt))
    }

    fn lead(&self, dialogue: &Dialogue, have_plan: bool) -> String {
        let mut lead = dialogue.latest.refused.clone();
        if dialogue.latest.changed.is_empty() {
            let verb = if have_plan { "rewriting" } else { "writing" };
            lead.push(format!("I am {verb} the {} from what is agreed.", self.plan));
        } else {
            lead.push(format!(
                "Changed: {}. I am rewriting the {}.",
                changes(dialogue, Language::English),
                self.plan
            ));
        }
        lead.join(" ")
    }

    /// What follows the plan. A change in this stage reaches only this plan and what is made from it, which the answer says.
    fn closing(
        &self,
        conversation: &Conversation,
        before: &Choice,
        dialogue: &Dialogue,
        choice: &Choice,
    ) -> String {
        let closing = (self.closing)(conversation, choice);
        let changed =
            dialogue.latest.changed.iter().map(|(parameter, _)| {
                format!("{} `{}`", parameter.label, before.value(parameter.key))
            });
        let former: Vec<String> = changed.collect();
        match former.is_empty() {
            true => closing,
            false => format!(
                "{closing}\n\nThe requirements still say what was agreed before: {}. Change that in the requirements stage as well if they are to say the same.",
                former.join(", ")
            ),
        }
    }

    fn answer_question(
        &self,
        conversation: &Conversation,
        choice: &Choice,
        latest: &Latest,
        last: &Words,
    ) -> Reply {
        let mut parts = latest.refused.clone();
        match about_the_plan(conversation, choice, last).or_else(|| choice.answer(last)) {
            Some(answer) => parts.push(answer),
            None => parts.push(format!(
                "I left the {} as it is. You can ask about its cost, security, backups or limits, name a value to change, or say “rewrite the plan”.",
                self.plan
            )),
        }
        Reply::text(parts.join("\n\n"))
    }

    fn nothing_to_plan(&self) -> Reply {
        Reply::text(format!(
            "I cannot write the {} yet: the requirements name none of the deployments I can build. These are:\n\n{}\n\nPlease settle on one in the requirements stage.",
            self.plan,
            catalogue::list(Language::English)
        ))
    }
}

/// Answers what people ask about any plan; the page suggests these questions.
fn about_the_plan(conversation: &Conversation, choice: &Choice, last: &Words) -> Option<String> {
    if last.means_any(&["risk", "risks", "go wrong", "fail"]) {
        return section(conversation.fence("architecture_plan")?.content, "Risks");
    }
    if last.means_any(&["simpler", "simplify", "less complex"]) {
        return Some(simpler(choice));
    }
    let changing = ["change", "changes", "modify", "modifies"];
    (last.means("steps") && last.means_any(&changing)).then(|| changing_steps(choice))
}

/// The text below a heading of a document.
fn section(document: &str, heading: &str) -> Option<String> {
    let mut sections = document.split("\n## ").filter_map(|section| section.split_once('\n'));
    sections.find(|(title, _)| *title == heading).map(|(_, text)| text.trim().to_owned())
}

fn simpler(choice: &Choice) -> String {
    let added: Vec<&str> = choice.additions().map(|addition| addition.label).collect();
    let without = match added.is_empty() {
        true => "Every part of it serves what is agreed.".to_owned(),
        false => format!("It would be simpler without what you added: {}.", added.join(", ")),
    };
    format!(
        "{without} A simpler deployment may be enough: ask the requirements agent for the list, and change the requirements there."
    )
}

/// Which steps change something, and which only look.
fn changing_steps(choice: &Choice) -> String {
    let steps = || (1..).zip(choice.steps());
    let named = |changes: bool| -> String {
        let chosen = steps().filter(|(_, step)| step.proof.is_empty() != changes);
        let lines = chosen.map(|(number, step)| format!("{number}. {}", choice.fill(step.title)));
        lines.collect::<Vec<_>>().join("\n")
    };
    let looks = named(false);
    let looks = match looks.is_empty() {
        true => String::new(),
        false => format!("\n\nThese only look:\n\n{looks}"),
    };
    format!(
        "These steps change something, and end with a proof that it worked:\n\n{}{looks}\n\nEach waits for your approval unless you let commands run unasked.",
        named(true)
    )
}

/// Whether a message starts a stage: “Generate … plan”.
fn is_trigger(message: &str) -> bool {
    let words = Words::of(message);
    words.means_any(&["generate", "regenerate"]) && words.means("plan")
}
