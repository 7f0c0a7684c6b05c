//! Turns the errors of providers and connections into ours.
//!
//! A provider's error repeats what it received: parts of keys and of prompts. So its text does not go to the log. The log gets the status, the names of errors, and the kind of a broken connection.

use super::error::{Kind, ModelError};
use reqwest::header::HeaderMap;
use serde_json::Value;
use std::time::Duration;

/// The longest error name that goes to the log, in bytes.
const NAME_BYTES: usize = 64;
/// Parts of the error names by which a provider reports during a reply that it is overloaded.
const BUSY: [&str; 5] =
    ["overloaded", "server_error", "internalserver", "serviceunavailable", "modeltimeout"];

/// The error of an answer that is not a reply.
pub(super) fn refusal(status: u16, headers: &HeaderMap, body: &Value) -> ModelError {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    by_status(status, retry_after(header("retry-after-ms"), header("retry-after")), body)
}

/// The error of a refusal before the reply: the status decides the kind, and the error type in the body refines it.
fn by_status(status: u16, wait: Option<Duration>, body: &Value) -> ModelError {
    let (name, message) = name_and_message(body);
    let kind = match status {
        // An exhausted quota answers 429 as well, and waiting does not help.
        429 if name.contains("insufficient_quota") => Kind::Refused,
        429 => Kind::RateLimited(wait),
        // Bedrock's status for a model that failed on its side.
        408 | 424 | 500..=599 => Kind::Overloaded(wait),
        401..=404 => Kind::Refused,
        413 => Kind::ContextOverflow,
        _ if name == "servicequotaexceededexception" => Kind::RateLimited(wait),
        _ if is_overflow(&name, &message) => Kind::ContextOverflow,
        _ if is_unpaid(&name, &message) => Kind::Refused,
        _ => Kind::Invalid,
    };
    ModelError::new(kind, format!("status {status} {}", logged(&name)).trim_end())
}

/// The error of an error event after the reply began.
pub(super) fn in_mid_reply(body: &Value) -> ModelError {
    let (name, message) = name_and_message(body);
    let kind = match name.as_str() {
        name if name.contains("rate_limit") || name.contains("throttling") => {
            Kind::RateLimited(None)
        }
        name if BUSY.iter().any(|sign| name.contains(sign)) || name == "api_error" => {
            Kind::Overloaded(None)
        }
        name if is_overflow(name, &message) => Kind::ContextOverflow,
        name if name.contains("validation") => Kind::Invalid,
        _ => Kind::Interrupted,
    };
    ModelError::new(kind, format!("error event {}", logged(&name)))
}

/// The error's type or code, and its message, in the form of either provider.
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

/// Whether the account has no credit left. Anthropic answers that with 400 and the name of an invalid request.
fn is_unpaid(name: &str, message: &str) -> bool {
    let message = message.to_lowercase();
    let signs = ["credit balance is too low", "billing hard limit"];
    name.contains("billing") || signs.iter().any(|sign| message.contains(sign))
}

/// The wait that a provider asks for: in milliseconds if given, else in seconds; a date is ignored.
fn retry_after(millis: Option<&str>, seconds: Option<&str>) -> Option<Duration> {
    let number = |text: Option<&str>| text.and_then(|text| text.trim().parse::<f64>().ok());
    let seconds = number(millis).map(|ms| ms / 1000.0).or_else(|| number(seconds))?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// The name of an error, if it looks like one.
fn logged(name: &str) -> &str {
    let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_-. ".contains(&b);
    if name.len() <= NAME_BYTES && name.bytes().all(fits) { name } else { "(a text)" }
}

/// What broke a connection: the kinds of the system's errors, without their text.
pub(super) fn connection(error: &(dyn std::error::Error + 'static)) -> String {
    let chain = std::iter::successors(Some(error), |error| error.source());
    let kinds = chain.filter_map(|error| error.downcast_ref::<std::io::Error>());
    let kinds: Vec<_> = kinds.map(|error| format!("{:?}", error.kind())).collect();
    format!(
        "the connection failed: {}",
        if kinds.is_empty() { "no reply".to_owned() } else { kinds.join(", ") }
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn kind(status: u16, body: Value) -> Kind {
        by_status(status, None, &body).kind
    }

    #[test]
    fn each_status_is_classified_by_what_to_do_about_it() {
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
    fn an_account_without_credit_is_refused() {
        let anthropic = json!({"type": "error", "error": {"type": "invalid_request_error", "message": "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits."}});
        let openai = json!({"error": {"code": "billing_hard_limit_reached", "message": "Billing hard limit has been reached"}});
        assert_eq!(kind(400, anthropic), Kind::Refused);
        assert_eq!(kind(400, openai), Kind::Refused);
    }

    #[test]
    fn both_providers_errors_for_a_long_conversation_are_recognized() {
        let openai = json!({"error": {"code": "context_length_exceeded", "message": "…"}});
        let anthropic = json!({"type": "error", "error": {"type": "invalid_request_error", "message": "prompt is too long: 210000 tokens > 200000 maximum"}});
        assert_eq!(kind(400, openai), Kind::ContextOverflow);
        assert_eq!(kind(400, anthropic), Kind::ContextOverflow);
    }

    #[test]
    fn bedrocks_error_names_are_recognized() {
        let named = |name: &str, message: &str| json!({"type": name, "message": message});
        for (status, name, message, expected) in [
            (429, "ThrottlingException", "Too many tokens", Kind::RateLimited(None)),
            (400, "ServiceQuotaExceededException", "x", Kind::RateLimited(None)),
            (424, "ModelErrorException", "x", Kind::Overloaded(None)),
            (408, "ModelTimeoutException", "x", Kind::Overloaded(None)),
            (403, "AccessDeniedException", "x", Kind::Refused),
            (404, "ResourceNotFoundException", "x", Kind::Refused),
            (
                400,
                "ValidationException",
                "Input is too long for requested model.",
                Kind::ContextOverflow,
            ),
            (400, "ValidationException", "x", Kind::Invalid),
        ] {
            assert_eq!(kind(status, named(name, message)), expected, "{name}");
        }
        for (name, message, expected) in [
            ("throttlingException", "x", Kind::RateLimited(None)),
            ("internalServerException", "x", Kind::Overloaded(None)),
            ("serviceUnavailableException", "x", Kind::Overloaded(None)),
            ("modelTimeoutException", "x", Kind::Overloaded(None)),
            ("modelStreamErrorException", "x", Kind::Interrupted),
            ("validationException", "prompt is too long: 3 tokens", Kind::ContextOverflow),
            ("validationException", "x", Kind::Invalid),
        ] {
            assert_eq!(in_mid_reply(&named(name, message)).kind, expected, "{name}");
        }
    }

    #[test]
    fn a_message_about_a_key_stays_out_of_the_log() {
        let body =
            json!({"error": {"code": "invalid_api_key", "message": "Incorrect key: sk-abc"}});
        let error = by_status(401, None, &body);
        assert!(!error.to_string().contains("sk-abc"), "{error}");
    }

    #[test]
    fn no_text_of_a_provider_goes_to_the_log() {
        let canary = "canary: the root password is hunter2";
        let shapes = [
            json!({"error": {"type": canary, "message": canary, "code": canary}}),
            json!({"type": "error", "error": {"type": "invalid_request_error", "message": canary}}),
            json!({"message": canary}),
        ];
        for body in &shapes {
            for status in [400, 401, 404, 413, 429, 500, 529] {
                let error = by_status(status, None, body);
                assert!(!error.to_string().contains("canary"), "{error}");
            }
            assert!(!in_mid_reply(body).to_string().contains("canary"));
        }
        let connection = connection(&std::io::Error::other(canary));
        assert!(!connection.contains("canary"), "{connection}");
    }

    #[test]
    fn the_wait_is_read_in_seconds_or_milliseconds() {
        assert_eq!(retry_after(None, Some("7")), Some(Duration::from_secs(7)));
        assert_eq!(retry_after(Some("250"), Some("7")), Some(Duration::from_millis(250)));
        assert_eq!(retry_after(None, Some("-3")), None);
        assert_eq!(retry_after(None, Some("Wed, 21 Oct 2026 07:28:00 GMT")), None);
    }
}
