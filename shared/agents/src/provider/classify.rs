//! From the client library's errors to ours.

use super::error::{Kind, ModelError};
use genai::Error;
use genai::webc::StreamTimeout;
use serde_json::Value;
use std::time::Duration;

/// Longest piece of a provider's message that goes to the log, in characters.
const CAUSE_CHARS: usize = 300;

/// Sorts an error of a streamed call; `answering` says whether the reply had begun.
pub(crate) fn classify(error: &Error, answering: bool) -> ModelError {
    match error {
        Error::WebStream { error: cause, .. } => {
            if let Some(http) = cause.downcast_ref::<Error>() {
                return classify(http, answering);
            }
            let kind = match cause.downcast_ref::<StreamTimeout>() {
                Some(StreamTimeout::Read) => Kind::Interrupted,
                Some(StreamTimeout::Headers) => Kind::Unreachable,
                None if answering => Kind::Interrupted,
                None => Kind::Unreachable,
            };
            ModelError::new(kind, short(&with_sources(cause.as_ref())))
        }
        Error::HttpError { status, body, headers, .. } => {
            let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
            let wait = retry_after(header("retry-after-ms"), header("retry-after"));
            let body = serde_json::from_str(body).unwrap_or(Value::Null);
            by_status(status.as_u16(), wait, &body)
        }
        Error::ChatResponse { body, .. } => in_mid_reply(body),
        Error::StreamParse { serde_error, .. } => {
            ModelError::new(Kind::Interrupted, format!("malformed event: {serde_error}"))
        }
        Error::SerdeJson(_) | Error::JsonValueExt(_) => {
            ModelError::new(Kind::Interrupted, "an event without its fields")
        }
        other => ModelError::new(Kind::Invalid, short(&other.to_string())),
    }
}

/// A refusal before the reply: the status says what kind, the body's error type refines it.
fn by_status(status: u16, wait: Option<Duration>, body: &Value) -> ModelError {
    let (name, message) = name_and_message(body);
    let kind = match status {
        // An exhausted quota answers 429 as well, and no waiting will mend it.
        429 if name.contains("insufficient_quota") => Kind::Refused,
        429 => Kind::RateLimited(wait),
        408 | 500..=599 => Kind::Overloaded(wait),
        401..=404 => Kind::Refused,
        413 => Kind::ContextOverflow,
        _ if is_overflow(&name, &message) => Kind::ContextOverflow,
        _ => Kind::Invalid,
    };
    // A provider's text about a key can quote parts of it.
    let message = if kind == Kind::Refused { String::new() } else { short(&message) };
    ModelError::new(kind, format!("status {status} {name} {message}"))
}

/// An error event after the reply began.
fn in_mid_reply(body: &Value) -> ModelError {
    let (name, message) = name_and_message(body);
    let kind = match name.as_str() {
        name if name.contains("rate_limit") => Kind::RateLimited(None),
        name if name.contains("overloaded")
            || name.contains("server_error")
            || name == "api_error" =>
        {
            Kind::Overloaded(None)
        }
        name if is_overflow(name, &message) => Kind::ContextOverflow,
        _ => Kind::Interrupted,
    };
    ModelError::new(kind, format!("error event {name} {}", short(&message)))
}

/// The error's type or code, and its message, in either provider's shape.
fn name_and_message(body: &Value) -> (String, String) {
    let error = body.get("error").unwrap_or(body);
    let text = |key: &str| error.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let names = [text("type"), text("code")];
    (names.join(" ").trim().to_lowercase(), text("message"))
}

fn is_overflow(name: &str, message: &str) -> bool {
    let message = message.to_lowercase();
    name.contains("context_length")
        || ["maximum context length", "prompt is too long", "context window", "input is too long"]
            .iter()
            .any(|sign| message.contains(sign))
}

/// The wait a provider asks for: milliseconds first, else seconds; a date is not honoured.
fn retry_after(millis: Option<&str>, seconds: Option<&str>) -> Option<Duration> {
    let number = |text: Option<&str>| text.and_then(|text| text.trim().parse::<f64>().ok());
    let seconds = number(millis).map(|ms| ms / 1000.0).or_else(|| number(seconds))?;
    Duration::try_from_secs_f64(seconds).ok()
}

fn with_sources(error: &(dyn std::error::Error + 'static)) -> String {
    let chain = std::iter::successors(Some(error), |error| error.source());
    chain.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

fn short(text: &str) -> String {
    text.chars().take(CAUSE_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn kind(status: u16, body: Value) -> Kind {
        by_status(status, None, &body).kind
    }

    #[test]
    fn statuses_are_told_apart_by_what_to_do_about_them() {
        assert_eq!(kind(429, json!({})), Kind::RateLimited(None));
        assert_eq!(
            kind(529, json!({"error": {"type": "overloaded_error"}})),
            Kind::Overloaded(None)
        );
        assert_eq!(kind(503, Value::Null), Kind::Overloaded(None));
        assert_eq!(kind(401, json!({})), Kind::Refused);
        assert_eq!(kind(404, json!({"error": {"code": "model_not_found"}})), Kind::Refused);
        assert_eq!(kind(429, json!({"error": {"code": "insufficient_quota"}})), Kind::Refused);
        assert_eq!(
            kind(400, json!({"error": {"type": "invalid_request_error", "message": "tools: bad"}})),
            Kind::Invalid
        );
    }

    #[test]
    fn both_providers_ways_of_saying_too_long_are_known() {
        let openai = json!({"error": {"code": "context_length_exceeded", "message": "…"}});
        let anthropic = json!({"type": "error", "error": {"type": "invalid_request_error", "message": "prompt is too long: 210000 tokens > 200000 maximum"}});
        assert_eq!(kind(400, openai), Kind::ContextOverflow);
        assert_eq!(kind(400, anthropic), Kind::ContextOverflow);
    }

    #[test]
    fn a_message_about_a_key_stays_out_of_the_log() {
        let body =
            json!({"error": {"code": "invalid_api_key", "message": "Incorrect key: sk-abc"}});
        let error = by_status(401, None, &body);
        assert!(!error.to_string().contains("sk-abc"), "{error}");
    }

    #[test]
    fn the_wait_is_read_in_seconds_or_milliseconds() {
        assert_eq!(retry_after(None, Some("7")), Some(Duration::from_secs(7)));
        assert_eq!(retry_after(Some("250"), Some("7")), Some(Duration::from_millis(250)));
        assert_eq!(retry_after(None, Some("-3")), None);
        assert_eq!(retry_after(None, Some("Wed, 21 Oct 2026 07:28:00 GMT")), None);
    }
}
