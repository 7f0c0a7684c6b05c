//! The documenter writes down what was built, from the real output of the steps and the checks.

use serde_json::{Map, Value, json};

use super::executor::choice;
use super::planning::WRITE;
use super::{ToolUse, fitted, validator};
use crate::catalogue::Values;
use crate::choice::Choice;
use crate::conversation::{Conversation, Outcome};
use crate::reading::states::{self, State};
use crate::reply::Reply;
use crate::words::Words;

pub const TOOL: &str = "write_documentation";

/// Writes the documentation, or answers a question about the existing one.
pub fn answer(conversation: &Conversation) -> Reply {
    let Some(choice) = choice(conversation) else {
        return Reply::text(
            "I cannot document this project: its plans name none of the deployments I know.",
        );
    };
    let messages = conversation.user_words();
    let words = Words::of(messages.last().map_or("", String::as_str));
    let written = conversation.fence("documentation").is_some_and(|text| !text.content.is_empty());
    if written
        && words.is_question()
        && !words.means_any(WRITE)
        && conversation.outcome(TOOL) == Outcome::NotCalled
        && let Some(answer) = choice.answer(&words)
    {
        return Reply::text(answer);
    }
    let (steps, checks) = (states::steps(conversation), states::checks(conversation));
    let found = found(&choice, &steps, &checks);
    let tool_use = ToolUse {
        tool: TOOL,
        lead: "I am writing the documentation from what was executed and validated.".into(),
        closing: "The documentation, the quickstart and the configuration data are written.".into(),
    };
    tool_use.reply(conversation, |attempt| {
        let written = choice.with_additions(choice.blueprint.documentation, "documentation.md");
        let documentation = choice.fill_with(&written, &found);
        let quickstart = choice.with_additions(choice.blueprint.quickstart, "quickstart.md");
        let documentation = format!("{}\n\n---\n\n{}\n", documentation.trim_end(), choice.line());
        json!({
            "documentation": fitted(documentation, attempt),
            "quickstart": choice.fill_with(&quickstart, &found),
            "key_value_data": facts(&choice, &found, &steps, &checks),
        })
    })
}

/// Values known only after the execution: addresses, and the outcome of all steps and checks.
fn found(choice: &Choice, steps: &[State], checks: &[State]) -> Values {
    let outputs: Vec<&str> =
        steps.iter().chain(checks).map(|state| state.output.as_str()).collect();
    let findings = choice.blueprint.findings.iter().map(|finding| {
        let value = finding.find(&outputs).unwrap_or_else(|| choice.fill(finding.unknown));
        (finding.key.to_string(), value)
    });
    let mut found: Values = findings.collect();
    found.insert("executed".into(), executed(steps));
    found.insert("validated".into(), validated(checks));
    found
}

fn executed(steps: &[State]) -> String {
    if steps.is_empty() {
        return "No step has run yet.".into();
    }
    let row = |step: &State| {
        let status = step.status.replace('_', " ");
        format!(
            "| {} | {} | {status} | {} |",
            step.number,
            step.description,
            validator::evidence(step)
        )
    };
    let mut rows =
        vec!["| # | step | result | last line printed |".to_string(), "|---|---|---|---|".into()];
    rows.extend(steps.iter().map(row));
    with_open(rows.join("\n"), steps, "steps")
}

fn validated(checks: &[State]) -> String {
    match checks.is_empty() {
        true => "Nothing has been validated yet.".into(),
        false => with_open(validator::table(checks), checks, "checks"),
    }
}

/// The table, after a note on how many steps or checks are not completed.
fn with_open(table: String, states: &[State], called: &str) -> String {
    let open = states.iter().filter(|state| !state.completed()).count();
    match open {
        0 => table,
        _ => format!(
            "**{open} of {} {called} are not completed**, so parts of this document describe a plan.\n\n{table}",
            states.len()
        ),
    }
}

/// The configuration data, with the progress of the steps and checks.
fn facts(choice: &Choice, found: &Values, steps: &[State], checks: &[State]) -> Value {
    let mut facts = Map::new();
    for part in choice.facts() {
        let part = choice.fill_with(part, found);
        merge(&mut facts, serde_json::from_str(&part).unwrap_or_default());
    }
    let count = |states: &[State]| {
        let completed = states.iter().filter(|state| state.completed()).count();
        json!({"completed": completed, "planned": states.len()})
    };
    facts.insert("deployment".into(), choice.blueprint.id.into());
    facts.insert("progress".into(), json!({"steps": count(steps), "checks": count(checks)}));
    Value::Object(facts)
}

/// Adds the facts of a part. Objects that both have are merged.
fn merge(facts: &mut Map<String, Value>, part: Map<String, Value>) {
    for (key, value) in part {
        match (facts.get_mut(&key), value) {
            (Some(Value::Object(known)), Value::Object(more)) => known.extend(more),
            (_, value) => {
                facts.insert(key, value);
            }
        }
    }
}
