//! Defines what a tool is, and turns a model's call into an answer.

mod lenient;

use crate::error::{AgentError, Audience};
use crate::exchange::{Call, Declaration};
use crate::fence::Shown;
use crate::pipe::Reader;
use crate::provider::UNREADABLE;
use domain::chat;
use domain::chat::{MAX_ANSWER_BYTES, MAX_CALLS, MAX_NOTE_CHARS, Message};
use domain::cut::cut;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::time::Instant;

/// The longest argument that a conversation keeps; what a tool wrote can be read where it was written.
const KEPT_ARGUMENT_BYTES: usize = 2_000;
/// How much of a longer argument is kept, in characters.
const KEPT_HEAD_CHARS: usize = 200;
/// The most characters of a made-up name that an answer repeats to the model.
const NAME_CHARS: usize = 64;

/// Something that an agent can do besides talking.
#[async_trait::async_trait]
pub(crate) trait Tool: Send + Sync {
    /// Its name, a verb and an object.
    fn name(&self) -> &'static str;
    /// What it does and when to call it, for the model.
    fn description(&self) -> &'static str;
    /// The JSON Schema of its arguments.
    fn schema(&self) -> Value;
    /// Runs the call. The model gets an error for [`Audience::Model`] as its answer; any other error ends the turn.
    async fn run(&self, arguments: Value, watch: &Watch<'_>) -> Result<Outcome, AgentError>;
}

/// Who watches while a tool works, and how much time it has.
pub(crate) struct Watch<'a> {
    pub(crate) reader: &'a Reader,
    /// When a tool that waits for a person or a process must stop waiting.
    pub(crate) until: Instant,
    /// The conversation so far.
    pub(crate) messages: &'a [Message],
    /// Whether the turn has no further call in which the model could correct what it hands in now.
    pub(crate) is_last: bool,
}

/// What a tool did.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// For people: "Architecture plan written, 4 sections".
    pub(crate) summary: String,
    /// For the model: what happened and what comes next.
    pub(crate) answer: String,
}

/// The answer to one call; `summary` is set if the tool did its work. Neither text shows a secret.
pub(crate) struct Answer {
    pub(crate) content: Shown,
    pub(crate) summary: Option<String>,
}

impl Answer {
    /// The answer to a call that did nothing.
    pub(crate) fn refused(content: &str) -> Self {
        Self { content: Shown::answer(content), summary: None }
    }
}

/// Tells the model what was wrong with its call.
pub(crate) fn try_again(text: impl Into<String>) -> AgentError {
    AgentError::model(text)
}

/// The arguments as a tool's own type.
pub(crate) fn arguments<T: DeserializeOwned>(arguments: Value) -> Result<T, AgentError> {
    serde_json::from_value(arguments)
        .map_err(|error| try_again(format!("Wrong arguments: {error}.")))
}

pub(crate) fn declarations(tools: &[Box<dyn Tool>]) -> Vec<Declaration> {
    let declare = |tool: &dyn Tool| Declaration {
        name: tool.name(),
        description: tool.description(),
        schema: tool.schema(),
    };
    tools.iter().map(|tool| declare(tool.as_ref())).collect()
}

/// Carries out one call. Errors that the model can correct become answers; others end the turn.
pub(crate) async fn answer(
    tools: &[Box<dyn Tool>],
    call: &Call,
    truncated: bool,
    watch: &Watch<'_>,
) -> Result<Answer, AgentError> {
    match run(tools, call, truncated, watch).await {
        Ok(outcome) => Ok(Answer {
            content: Shown::answer(&bounded(outcome.answer)),
            summary: Some(cut(&redaction::mask(&outcome.summary), MAX_NOTE_CHARS)),
        }),
        Err(error) if error.audience() == Audience::Model => {
            Ok(Answer::refused(&bounded(format!("Error: {error}"))))
        }
        Err(error) => Err(error),
    }
}

/// The answer within its length, and a note if something is left out.
fn bounded(mut answer: String) -> String {
    if answer.len() > MAX_ANSWER_BYTES {
        let bytes = answer.len();
        answer.truncate(answer.floor_char_boundary(MAX_ANSWER_BYTES));
        answer.push_str(&format!("\n[… the rest of {bytes} bytes is left out]"));
    }
    answer
}

async fn run(
    tools: &[Box<dyn Tool>],
    call: &Call,
    truncated: bool,
    watch: &Watch<'_>,
) -> Result<Outcome, AgentError> {
    let Some(tool) = named(tools, &call.name) else {
        let known = tools.iter().map(|tool| tool.name()).collect::<Vec<_>>().join(", ");
        let unknown: String = call.name.chars().take(NAME_CHARS).collect();
        return Err(try_again(format!("There is no tool `{unknown}`. The tools are: {known}.")));
    };
    let arguments = match meant(call, &tool.schema()) {
        // The end of a text may be missing although the call is closed: some servers close it themselves.
        Some(_) if truncated => {
            return Err(try_again(
                "The reply ended at the length limit in this call, so its end may be missing. Write a shorter text \
                 and call again.",
            ));
        }
        Some(arguments) => arguments,
        None if truncated => {
            return Err(try_again(
                "The arguments were cut off at the length limit. Write a shorter text and call again.",
            ));
        }
        None => {
            return Err(try_again(
                "The arguments are not a JSON object. Call again with valid JSON.",
            ));
        }
    };
    tool.run(arguments, watch).await
}

/// The tool that a call names, in any spelling: `Write_Plan`, `functions.write_plan`, `writePlan`.
pub(crate) fn named<'a>(tools: &'a [Box<dyn Tool>], name: &str) -> Option<&'a dyn Tool> {
    let exact = tools.iter().find(|tool| tool.name() == name);
    let last = name.trim().rsplit(['.', ':', '/']).next().unwrap_or(name);
    let meant = || tools.iter().find(|tool| lenient::plain(tool.name()) == lenient::plain(last));
    exact.or_else(meant).map(AsRef::as_ref)
}

/// A call's arguments, read as the tool's schema allows; `None` if they are not an object.
pub(crate) fn meant(call: &Call, schema: &Value) -> Option<Value> {
    let arguments = match call.arguments.get(UNREADABLE) {
        Some(Value::String(given)) => lenient::object(given)?,
        Some(given) => given.clone(),
        None => call.arguments.clone(),
    };
    let arguments = lenient::unwrapped(arguments, schema);
    arguments.is_object().then(|| lenient::fit(arguments, schema))
}

/// A call as the conversation keeps it, with long arguments cut to their head.
pub(crate) fn kept(call: &Call) -> chat::ToolCall {
    chat::ToolCall {
        id: call.id.clone(),
        name: call.name.chars().take(NAME_CHARS).collect(),
        arguments: shortened(call.arguments.clone()).to_string(),
    }
}

fn shortened(value: Value) -> Value {
    match value {
        Value::String(text) if text.len() > KEPT_ARGUMENT_BYTES => {
            let head: String = text.chars().take(KEPT_HEAD_CHARS).collect();
            Value::String(format!("{head} […, {} bytes in all]", text.len()))
        }
        Value::Array(items) if items.len() > MAX_CALLS => {
            Value::String(format!("[{} items]", items.len()))
        }
        Value::Array(items) => items.into_iter().map(shortened).collect(),
        Value::Object(fields) => {
            fields.into_iter().map(|(name, value)| (name, shortened(value))).collect()
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_long_answer_is_cut_between_characters_and_says_so() {
        let cut = bounded("€".repeat(MAX_ANSWER_BYTES));
        assert!(cut.starts_with("€€") && cut.len() < MAX_ANSWER_BYTES + 100);
        assert!(cut.ends_with("[… the rest of 72000 bytes is left out]"), "{cut}");
        assert_eq!(bounded("short".to_owned()), "short");
    }

    #[test]
    fn a_long_argument_is_kept_as_its_head_and_its_length() {
        let call = Call {
            id: "1".into(),
            name: "write".into(),
            arguments: json!({"plan": "é".repeat(3_000), "ready": true}),
        };
        let kept: Value = serde_json::from_str(&kept(&call).arguments).unwrap();
        assert!(kept["plan"].as_str().unwrap().ends_with("[…, 6000 bytes in all]"));
        assert_eq!(kept["ready"], json!(true));
    }
}
