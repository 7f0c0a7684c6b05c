//! Steps and checks as the context shows them: a list with their states, and the output of each.
//!
//! The list is JSON, in `steps` or `checks`. The output is in the list itself or in a section of results. In such a
//! section, each part begins with a line such as “Step 3, exit code 0”, and “Script:” marks a script before the output.

use serde_json::Value;

use crate::conversation::Conversation;

/// One step or check.
#[derive(Debug, Default, Clone)]
pub struct State {
    pub number: u64,
    pub description: String,
    pub status: String,
    pub prompt: String,
    pub script: String,
    pub output: String,
    pub error: String,
}

impl State {
    pub fn completed(&self) -> bool {
        self.status == "completed"
    }

    pub fn ended(&self) -> bool {
        self.completed() || self.status == "failed"
    }
}

/// The steps of the execution. Later stages have their output in `execution_results`; the execution itself has it in
/// `earlier_results`.
pub fn steps(conversation: &Conversation) -> Vec<State> {
    let results = match conversation.fence("execution_results") {
        Some(_) => "execution_results",
        None => "earlier_results",
    };
    with_results(listed(conversation, "steps"), conversation, results, "Step")
}

/// The checks of the validation. Their results are in `earlier_results`: as checks, or as steps if those cannot be the
/// execution's steps.
pub fn checks(conversation: &Conversation) -> Vec<State> {
    let checks = listed(conversation, "checks");
    let results = conversation.fence("earlier_results");
    let named = results.is_some_and(|fence| part(fence.content, "Check", 1).is_some());
    let apart =
        conversation.fence("execution_results").is_some() || conversation.fence("steps").is_none();
    match (named, apart) {
        (true, _) => with_results(checks, conversation, "earlier_results", "Check"),
        (false, true) => with_results(checks, conversation, "earlier_results", "Step"),
        (false, false) => checks,
    }
}

fn with_results(
    mut states: Vec<State>,
    conversation: &Conversation,
    results: &str,
    kind: &str,
) -> Vec<State> {
    let Some(fence) = conversation.fence(results) else { return states };
    for state in &mut states {
        let Some(part) = part(fence.content, kind, state.number) else { continue };
        let (ending, rest) = part.split_once('\n').unwrap_or((part, ""));
        let (script, output) = apart(rest);
        if state.status == "failed" && state.error.is_empty() {
            state.error = ending.trim().into();
        }
        if state.output.is_empty() {
            state.output = output.trim().into();
        }
        if state.script.is_empty() {
            state.script = script.trim().into();
        }
    }
    states
}

/// The script, if there is one, and the output.
fn apart(rest: &str) -> (&str, &str) {
    const OUTPUTS: &[&str] = &["\nEnd of its output:\n", "\nOutput:\n"];
    let scripts = ["Script:\n", "Command:\n"];
    let Some(shown) = scripts.iter().find_map(|start| rest.trim_start().strip_prefix(start)) else {
        return ("", rest);
    };
    OUTPUTS.iter().find_map(|output| shown.rsplit_once(output)).unwrap_or((shown, ""))
}

/// The part of a results section that begins with “Step 3, ”.
fn part<'a>(results: &'a str, kind: &str, number: u64) -> Option<&'a str> {
    let heading = format!("{kind} {number}, ");
    let start = match results.starts_with(&heading) {
        true => 0,
        false => results.find(&format!("\n\n{heading}"))? + 2,
    };
    let rest = &results[start + heading.len()..];
    let end = rest.find(&format!("\n\n{kind} {}, ", number + 1)).unwrap_or(rest.len());
    Some(&rest[..end])
}

fn listed(conversation: &Conversation, fence: &str) -> Vec<State> {
    let fence = conversation.fence(fence);
    let value = fence.and_then(|fence| serde_json::from_str::<Value>(fence.content).ok());
    let list = match value {
        Some(Value::Array(list)) => list,
        Some(Value::Object(mut object)) => match object.remove("steps") {
            Some(Value::Array(list)) => list,
            _ => Vec::new(),
        },
        _ => Vec::new(),
    };
    (1..).zip(list).map(|(position, value)| state(position, &value)).collect()
}

fn state(position: u64, value: &Value) -> State {
    let text = |names: &[&str]| {
        let found = names.iter().find_map(|name| value.get(name).and_then(Value::as_str));
        found.unwrap_or_default().to_string()
    };
    let number =
        ["step_number", "number"].iter().find_map(|name| value.get(name).and_then(Value::as_u64));
    let status = text(&["status"]);
    State {
        number: number.unwrap_or(position),
        description: text(&["description"]),
        status: if status.is_empty() { "pending".into() } else { status },
        prompt: text(&["prompt"]),
        script: text(&["command", "script"]),
        output: text(&["output", "evidence", "result"]),
        error: text(&["error_message", "error"]),
    }
}
