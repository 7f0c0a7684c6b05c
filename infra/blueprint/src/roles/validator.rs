//! The validator plans the checks, prepares each of them, and reports their results.

use serde_json::{Value, json};

use super::executor::choice;
use super::planning::WRITE;
use super::prepare::{self, Track, meaning_for_check};
use super::progress::{describe, named, stands};
use super::{ToolUse, fitted, tracing};
use crate::catalogue::Step;
use crate::choice::Choice;
use crate::conversation::{Conversation, Outcome};
use crate::reading::states::{self, State};
use crate::reply::Reply;
use crate::words::Words;

pub const PLAN: &str = "write_validation_plan";
pub const CHECK: &str = "propose_check";
pub const REPORT: &str = "report";

const CHECKS: Track = Track { tool: CHECK, called: "check", steps: Choice::checks, repairs: false };

/// Words that ask for the report.
const REPORTS: &[&str] =
    &["report", "summary", "summarise", "summarize", "verdict", "conclusion", "conclude"];

/// Words that start the stage.
const STARTS: &[&str] = &["validation plan", "start validation", "begin validation", "validate"];

/// Prepares the check in the context, or answers in the validation chat.
pub fn answer(conversation: &Conversation) -> Reply {
    match conversation.fence("step") {
        Some(step) if conversation.offers(CHECK) => prepare::answer(&CHECKS, conversation, &step),
        _ => chat(conversation),
    }
}

fn chat(conversation: &Conversation) -> Reply {
    let Some(choice) = choice(conversation) else {
        return Reply::text(
            "I cannot plan a validation yet: the plans name none of the deployments I know how to check.",
        );
    };
    let checks = states::checks(conversation);
    let messages = conversation.user_words();
    let words = Words::of(messages.last().map_or("", String::as_str));
    match wanted(conversation, &checks, &words) {
        Wanted::Plan => plan(conversation, &choice),
        Wanted::Report => report(conversation, &choice, &checks),
        Wanted::Answer => Reply::text(talk(&choice, &checks, &words)),
    }
}

enum Wanted {
    Plan,
    Report,
    Answer,
}

fn wanted(conversation: &Conversation, checks: &[State], words: &Words) -> Wanted {
    let called = |tool| conversation.outcome(tool) != Outcome::NotCalled;
    let have_plan =
        conversation.fence("validation_plan").is_some_and(|plan| !plan.content.is_empty());
    let reportable = conversation.offers(REPORT) && checks.iter().any(State::ended);
    let question = words.text().contains('?');
    let over = !checks.is_empty() && checks.iter().all(State::ended);
    if called(PLAN) {
        Wanted::Plan
    } else if called(REPORT) || (reportable && words.means_any(REPORTS)) {
        Wanted::Report
    } else if conversation.offers(PLAN)
        && (!have_plan || (!question && (words.means_any(STARTS) || words.means_any(WRITE))))
    {
        Wanted::Plan
    } else if reportable && over && !words.is_question() {
        Wanted::Report
    } else {
        Wanted::Answer
    }
}

fn plan(conversation: &Conversation, choice: &Choice) -> Reply {
    let count = choice.checks().len();
    let tool_use = ToolUse {
        tool: PLAN,
        lead: "I am writing the validation plan from what was built.".into(),
        closing: format!(
            "The validation plan is written, in {count} checks. Each is shown to you as a script before it runs, and none of them repairs anything, so that you see what is broken."
        ),
    };
    tool_use.reply(conversation, |attempt| {
        let plan = choice.document(choice.blueprint.validation);
        json!({"plan": fitted(plan, attempt), "checks": checks(conversation, choice)})
    })
}

fn checks(conversation: &Conversation, choice: &Choice) -> Vec<Value> {
    let check = |check: &'static Step| {
        json!({
            "description": check.title,
            "prompt": choice.fill(check.prompt.trim()),
            "requirements": tracing::proved_by(conversation, choice, check),
        })
    };
    choice.checks().into_iter().map(check).collect()
}

fn report(conversation: &Conversation, choice: &Choice, checks: &[State]) -> Reply {
    let failed = checks.iter().filter(|check| check.status == "failed").count();
    let tool_use = ToolUse {
        tool: REPORT,
        lead: "I am writing the report from what the checks printed.".into(),
        closing: match failed {
            0 => "The report is written. Nothing that was checked failed.".into(),
            _ => format!(
                "The report is written. {failed} of the checks failed; it says what to do about each."
            ),
        },
    };
    tool_use.reply(
        conversation,
        |attempt| json!({"content": fitted(written_report(choice, checks), attempt)}),
    )
}

fn written_report(choice: &Choice, checks: &[State]) -> String {
    let completed = checks.iter().filter(|check| check.completed()).count();
    let verdict = match completed == checks.len() {
        true => format!("All {completed} checks succeeded."),
        false => format!("{completed} of {} checks succeeded.", checks.len()),
    };
    let mut text = format!("# Validation report\n\n{verdict}\n\n{}\n", table(checks));
    for check in checks.iter().filter(|check| check.status == "failed") {
        text.push_str(&format!("\n## Failed: {}\n\n", check.description));
        text.push_str(&describe("Check", check, meaning(choice, check)));
        text.push('\n');
    }
    format!("{text}\n---\n\n{}\n", choice.line())
}

/// A table of all checks, each with its outcome and the evidence.
pub fn table(checks: &[State]) -> String {
    let row = |check: &State| {
        format!(
            "| {} | {} | {} | {} |",
            check.number,
            check.description,
            check.status.replace('_', " "),
            evidence(check)
        )
    };
    let mut rows =
        vec!["| # | check | result | evidence |".to_string(), "|---|---|---|---|".into()];
    rows.extend(checks.iter().map(row));
    rows.join("\n")
}

/// The start of the line in which a check's script reports what it saw.
const VERIFIED: &str = "Verified:";

/// Maximum length of the evidence in a table, in characters.
const EVIDENCE_CHARS: usize = 200;

/// The line in which the check reports what it saw, or else the last line of its output.
pub fn evidence(check: &State) -> String {
    let said = match check.status.as_str() {
        "failed" => check.output.lines().last().unwrap_or(&check.error),
        _ => {
            let seen = check.output.lines().rev().find_map(|line| line.strip_prefix(VERIFIED));
            seen.unwrap_or_else(|| check.output.lines().last().unwrap_or(""))
        }
    };
    // The text goes into a code span in a table, so it must not contain the end of either.
    let said: String = said.trim().chars().take(EVIDENCE_CHARS).collect();
    match said.is_empty() {
        true => "none".into(),
        false => format!("`{}`", said.replace('`', "'").replace('|', "/")),
    }
}

fn meaning(choice: &Choice, check: &State) -> Option<String> {
    meaning_for_check(choice, &format!("{}\n{}", check.error, check.output))
}

fn talk(choice: &Choice, checks: &[State], words: &Words) -> String {
    if let Some(check) = named(checks, words, "check").or_else(|| named(checks, words, "step")) {
        return describe("Check", check, meaning(choice, check));
    }
    let about_failure = words.means_any(&["fail", "failed", "error", "wrong", "why", "problem"]);
    if let (true, Some(check)) =
        (about_failure, checks.iter().rev().find(|check| check.status == "failed"))
    {
        return describe("Check", check, meaning(choice, check));
    }
    if let Some(answer) = choice.answer(words) {
        return answer;
    }
    if checks.is_empty() {
        return "There are no checks yet. Say “write the validation plan” to have them planned."
            .into();
    }
    let completed = checks.iter().filter(|check| check.completed()).count();
    let mut text = format!("{completed} of {} checks are completed.", checks.len());
    if let Some(check) = checks.iter().find(|check| !check.completed()) {
        let stands = stands(&check.status);
        text.push_str(&format!(" Check {}, **{}**, {stands}.", check.number, check.description));
    }
    text
}
