//! One module for each of the product's agents. The offered tools tell the model which agent it is.

mod change;
mod cloud_architect;
mod devops_helper;
mod documenter;
mod executor;
mod implementation_planner;
mod planning;
mod prepare;
mod progress;
mod removal;
mod requirements_gatherer;
mod tracing;
mod trial;
mod undo;
mod validator;

use serde_json::Value;

use crate::conversation::{Conversation, Outcome};
use crate::reply::Reply;

/// A tool that identifies a role, and the role.
type Role = (&'static str, fn(&Conversation) -> Reply);

const ROLES: &[Role] = &[
    (requirements_gatherer::TOOL, requirements_gatherer::answer),
    (cloud_architect::TOOL, cloud_architect::answer),
    (implementation_planner::TOOL, implementation_planner::answer),
    (executor::TOOL, executor::answer),
    (validator::PLAN, validator::answer),
    (validator::CHECK, validator::answer),
    (validator::REPORT, validator::answer),
    (documenter::TOOL, documenter::answer),
    (devops_helper::TOOL, devops_helper::answer),
    (trial::TOOL, trial::answer),
];

/// Answers in the role to which the offered tools belong; without tools, answers about the execution.
pub fn answer(conversation: &Conversation) -> Reply {
    let role = ROLES.iter().find(|(tool, _)| conversation.offers(tool));
    let mut reply =
        role.map_or_else(|| progress::answer(conversation), |(_, answer)| answer(conversation));
    if !conversation.may_call() {
        reply.call = None;
    }
    if reply.text.is_empty() && reply.call.is_none() {
        reply.text = "Done.".into();
    }
    reply
}

/// Whether a tool is called for the first time or with corrected arguments.
#[derive(Clone, Copy, PartialEq)]
enum Attempt<'a> {
    First,
    /// The tool refused the first arguments, with this message.
    Correction(&'a str),
}

/// One use of a tool in a turn: call it, correct the call once if the tool refuses it, then end the turn.
struct ToolUse {
    tool: &'static str,
    /// The text before the call.
    lead: String,
    /// The text after a successful call.
    closing: String,
}

impl ToolUse {
    fn reply(self, conversation: &Conversation, arguments: impl Fn(Attempt) -> Value) -> Reply {
        match conversation.outcome(self.tool) {
            Outcome::NotCalled => Reply::call(self.lead, self.tool, arguments(Attempt::First)),
            Outcome::Succeeded => Reply::text(self.closing),
            Outcome::Refused { error, calls: 1 } => {
                Reply::call("", self.tool, arguments(Attempt::Correction(error)))
            }
            Outcome::Refused { error, .. } => Reply::text(format!(
                "I could not finish this: the tool `{}` refused it twice. It said: {}",
                self.tool,
                first_line(error)
            )),
        }
    }
}

/// The document; after a refusal, a shorter version, because most refusals are due to length.
fn fitted(document: String, attempt: Attempt) -> String {
    match attempt {
        Attempt::First => document,
        Attempt::Correction(_) => shortened(&document),
    }
}

/// The last line of the document, after its introduction or, if it has none, its first section.
fn shortened(document: &str) -> String {
    let (body, line) = document.rsplit_once("\n---\n").unwrap_or((document, ""));
    let mut sections = body.split("\n## ");
    let start = sections.next().unwrap_or_default();
    let only_a_title = start.trim().lines().count() < 2;
    let first = sections.next().filter(|_| only_a_title);
    let first = first.map(|section| format!("\n## {section}")).unwrap_or_default();
    format!("{}{first}\n\n---\n{line}", start.trim_end())
}

/// Maximum length of an error's quotation in an answer, in characters.
const QUOTE_CHARS: usize = 300;

fn first_line(text: &str) -> String {
    text.lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or_default()
        .chars()
        .take(QUOTE_CHARS)
        .collect()
}
