//! The execution chat: the state of the steps, what failed and why, and what comes next.

use serde_json::json;

use super::{devops_helper, executor, first_line};
use crate::choice::Choice;
use crate::conversation::{Conversation, Outcome};
use crate::reading::states::{self, State};
use crate::reply::Reply;
use crate::words::Words;

/// Types a line into the user's terminal.
pub const TYPE: &str = "type_in_terminal";

/// How many of the last lines of a step's output are quoted.
const OUTPUT_LINES: usize = 12;

/// Answers a message in the execution chat.
pub fn answer(conversation: &Conversation) -> Reply {
    let steps = steps(conversation);
    let messages = conversation.user_words();
    let words = Words::of(messages.last().map_or("", String::as_str));
    let known = executor::choice(conversation);

    if conversation.offers(TYPE)
        && let Some(reply) = typed(conversation, words.text())
    {
        return reply;
    }
    if let Some(step) = named(&steps, &words, "step") {
        return Reply::text(describe("Step", step, meaning(&known, step)));
    }
    if words.means_any(&["fail", "failed", "error", "wrong", "why", "problem", "broken"])
        && let Some(step) = steps.iter().rev().find(|step| step.status == "failed")
    {
        return Reply::text(describe("Step", step, meaning(&known, step)));
    }
    let about_state = words.means_any(&[
        "status",
        "progress",
        "state",
        "far",
        "now",
        "next",
        "done",
        "step",
        "happening",
        "finished",
    ]);
    if !about_state
        && let Some(choice) = known
        && let Some(answer) = choice.answer(&words)
    {
        return Reply::text(answer);
    }
    Reply::text(overview(&steps))
}

/// Types the command between backticks into the user's terminal. In the execution chat, it can run nowhere else.
fn typed(conversation: &Conversation, said: &str) -> Option<Reply> {
    let command = devops_helper::given(said)?;
    Some(match conversation.outcome(TYPE) {
        Outcome::NotCalled => {
            Reply::call("I type it into your terminal.", TYPE, json!({"command": command}))
        }
        Outcome::Succeeded => Reply::text(
            "It is at the prompt of your terminal. What only reads has run already; for anything else, press Enter.",
        ),
        Outcome::Refused { error, .. } => {
            Reply::text(format!("It could not be typed. {}", first_line(error)))
        }
    })
}

/// The meaning of a failed step's error, if it is known.
fn meaning(choice: &Option<Choice>, step: &State) -> Option<String> {
    let text = format!("{}\n{}", step.error, step.output);
    executor::meaning(choice.as_ref()?, &text)
}

fn overview(steps: &[State]) -> String {
    if steps.is_empty() {
        return "There are no steps yet: they appear here when the implementation plan is confirmed.".into();
    }
    let completed = steps.iter().filter(|step| step.status == "completed").count();
    let mut text = format!("{completed} of {} steps are completed.", steps.len());
    let current = steps.iter().find(|step| step.status != "completed");
    let Some(step) = current else {
        return format!("{text} That was all of them; the next stage is validation.");
    };
    let name = format!("step {}, **{}**", step.number, step.description);
    text.push(' ');
    text.push_str(&match step.status.as_str() {
        "waiting_approval" => format!(
            "Waiting for your approval: {name}. Read its script, then approve or reject it."
        ),
        "in_progress" => format!("Under way: {name}."),
        "failed" => format!(
            "Failed: {name}.{} Re-execute it when the cause is fixed, or ask me why it failed.",
            quoted_error(step)
        ),
        _ => format!("Next: {name}."),
    });
    text
}

/// The state of a step or a check, as the end of a sentence.
pub fn stands(status: &str) -> String {
    match status {
        "failed" => "failed".into(),
        "waiting_approval" => "is waiting for approval".into(),
        other => format!("is {}", other.replace('_', " ")),
    }
}

/// One step or check: its state, its error with the meaning, and the end of its output.
pub fn describe(kind: &str, step: &State, meaning: Option<String>) -> String {
    let mut parts = vec![format!(
        "{kind} {}, **{}**, {}.",
        step.number,
        step.description,
        stands(&step.status)
    )];
    if step.status == "failed" {
        let error = quoted_error(step);
        parts.push(match error.trim() {
            "" => "It left no error text.".into(),
            error => error.into(),
        });
        parts.extend(meaning);
    } else if !step.prompt.is_empty() {
        parts.push(step.prompt.clone());
    }
    let output: Vec<&str> = step.output.lines().collect();
    if !output.is_empty() {
        let tail = output[output.len().saturating_sub(OUTPUT_LINES)..].join("\n");
        parts.push(format!("The end of its output:\n\n{}", code(&tail)));
    }
    parts.join("\n\n")
}

fn quoted_error(step: &State) -> String {
    if step.error.is_empty() { String::new() } else { format!("\n\n{}\n\n", code(&step.error)) }
}

/// Untrusted text in a code block, with a fence that the text does not contain.
pub fn code(text: &str) -> String {
    let mut ticks = String::from("```");
    while text.contains(&ticks) {
        ticks.push('`');
    }
    format!("{ticks}text\n{}\n{ticks}", text.trim_end())
}

/// The step or check that the words name by its number: “step 3”, or “check 3”.
pub fn named<'a>(steps: &'a [State], words: &Words, called: &str) -> Option<&'a State> {
    let number: u64 = words.value_after(called)?.parse().ok()?;
    steps.iter().find(|step| step.number == number)
}

fn steps(conversation: &Conversation) -> Vec<State> {
    let mut steps = states::steps(conversation);
    let known = executor::choice(conversation);
    for step in &mut steps {
        if let (Some(choice), true) = (&known, step.prompt.is_empty()) {
            let planned = choice
                .possible_steps()
                .into_iter()
                .find(|planned| planned.title == step.description);
            step.prompt = planned.map(|planned| choice.fill(planned.summary)).unwrap_or_default();
        }
    }
    steps
}
