//! Turns the errors of providers and connections into ours.
//!
//! A provider's error repeats what it received: parts of keys and of prompts. So its text does not go to the log. The log
//! gets the status, the names of errors and of refused fields, and the kind of a broken connection.

use super::error::{Denied, Field, Kind, ModelError};
use super::fields;
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
    let said = Said::of(body);
    let (name, message) = (said.name.as_str(), said.message.as_str());
    let kind = match status {
        // An exhausted quota answers 429 as well, and waiting does not help.
        429 if is_unpaid(name, message) => Kind::Refused(Denied::Money),
        429 => Kind::RateLimited(wait),
        // Bedrock's status for a model that failed on its side.
        408 | 424 | 500..=599 => Kind::Overloaded(wait),
        402 => Kind::Refused(Denied::Money),
        401 => Kind::Refused(Denied::Key),
        403 if is_unpaid(name, message) => Kind::Refused(Denied::Money),
        403 if is_about_key(name, message) => Kind::Refused(Denied::Key),
        403 => Kind::Refused(Denied::Use),
        400 | 404 | 422 if fields::lacks_tools(message) => Kind::Invalid(Field::Tools),
        404 if is_about_model(name, message) => Kind::Refused(Denied::Model),
        // Redirects are not followed, because the key would go along.
        300..=399 | 404 | 405 | 410 => Kind::Refused(Denied::Address),
        413 => Kind::ContextOverflow,
        _ if name == "servicequotaexceededexception" => Kind::RateLimited(wait),
        _ if is_overflow(name, message) => Kind::ContextOverflow,
        _ if is_unpaid(name, message) => Kind::Refused(Denied::Money),
        _ if is_about_key(name, message) => Kind::Refused(Denied::Key),
        _ if is_unknown_model(&said) => Kind::Refused(Denied::Model),
        _ => Kind::Invalid(fields::refused(&said.field, message)),
    };
    let mut cause = format!("status {status} {}", logged(name)).trim_end().to_owned();
    if !said.field.is_empty() {
        cause.push_str(&format!(" about {}", logged(&said.field)));
    }
    let numbers = fields::numbers(message);
    ModelError { numbers, ..ModelError::new(kind, cause) }
}

/// The error of an error event after the reply began.
pub(super) fn in_mid_reply(body: &Value) -> ModelError {
    let Said { name, message, .. } = Said::of(body);
    let kind = match name.as_str() {
        name if name.contains("rate_limit") || name.contains("throttling") => {
            Kind::RateLimited(None)
        }
        name if BUSY.iter().any(|sign| name.contains(sign)) || name == "api_error" => {
            Kind::Overloaded(None)
        }
        name if is_overflow(name, &message) => Kind::ContextOverflow,
        name if name.contains("validation") => Kind::Invalid(Field::Other),
        _ => Kind::Interrupted,
    };
    ModelError::new(kind, format!("error event {}", logged(&name)))
}

/// What a refusal says, in lower case.
struct Said {
    /// The error's type and code.
    name: String,
    message: String,
    /// The field of the request that it names, if it has a place of its own for that.
    field: String,
}

impl Said {
    /// Reads a refusal in the form of any provider, or of the frameworks that servers are built with.
    fn of(body: &Value) -> Self {
        let error = body.get("error").unwrap_or(body);
        let text = |key: &str| error.get(key).and_then(Value::as_str).unwrap_or_default();
        let name = [text("type"), text("code")].join(" ").trim().to_lowercase();
        let detail = error.get("detail").or_else(|| body.get("detail"));
        let detail = match detail {
            Some(Value::Array(details)) => details.first(),
            other => other,
        };
        let message = [error.as_str(), error["message"].as_str(), detail.and_then(Value::as_str)];
        let message = message.into_iter().flatten().next();
        let message = message.or_else(|| detail?.get("msg")?.as_str()).unwrap_or_default();
        let place = || detail?.get("loc")?.as_array()?.last()?.as_str();
        let field = error["param"].as_str().or_else(place).unwrap_or_default();
        Self { name, message: message.to_lowercase(), field: field.to_lowercase() }
    }
}

fn is_overflow(name: &str, message: &str) -> bool {
    name.contains("context_length")
        || ["maximum context length", "prompt is too long", "context window", "input is too long"]
            .iter()
            .any(|sign| message.contains(sign))
}

/// Whether the account has no credit left. Anthropic answers that with 400 and the name of an invalid request.
fn is_unpaid(name: &str, message: &str) -> bool {
    let names = ["billing", "insufficient_quota", "current_quota", "insufficient_balance"];
    let signs = ["credit balance is too low", "billing hard limit", "insufficient balance"];
    names.iter().any(|sign| name.contains(sign)) || signs.iter().any(|sign| message.contains(sign))
}

/// Whether a refusal is about the key. Some providers answer that with the status of an invalid request.
fn is_about_key(name: &str, message: &str) -> bool {
    // AWS's names for a signature by a wrong, unknown or expired key.
    let signed = ["invalidsignature", "unrecognizedclient", "expiredtoken", "incompletesignature"];
    name.contains("api_key")
        || message.contains("api key")
        || signed.iter().any(|sign| name.contains(sign))
}

/// Whether something was not found because of the model's name, and not because of the address.
fn is_about_model(name: &str, message: &str) -> bool {
    let signs = ["model", "deployment", "resourcenotfound"];
    signs.iter().any(|sign| name.contains(sign) || message.contains(sign))
}

/// Whether a refused request named a model that does not exist.
fn is_unknown_model(said: &Said) -> bool {
    let identifier = ["model identifier", "model id", "model name", "no such model"];
    said.field == "model"
        || said.name.contains("model_not_found")
        || identifier.iter().any(|sign| said.message.contains(sign))
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
        assert_eq!(kind(401, json!({})), Kind::Refused(Denied::Key));
        let unknown = json!({"error": {"code": "model_not_found"}});
        assert_eq!(kind(404, unknown), Kind::Refused(Denied::Model));
        let spent = json!({"error": {"code": "insufficient_quota"}});
        assert_eq!(kind(429, spent), Kind::Refused(Denied::Money));
        let invalid = json!({"error": {"type": "invalid_request_error", "message": "tools: bad"}});
        assert_eq!(kind(400, invalid), Kind::Invalid(Field::Other));
    }

    #[test]
    fn each_refusal_of_the_access_differs_from_the_others() {
        use Denied::{Address, Key, Model, Money, Use};
        let of = |message: &str| json!({"error": {"message": message}});
        for (status, body, denied) in [
            (400, of("API key not valid. Please pass a valid API key."), Key),
            (401, Value::Null, Key),
            (403, of("Invalid API key"), Key),
            (403, of("Country, region, or territory not supported"), Use),
            (403, Value::Null, Use),
            (402, of("Insufficient Balance"), Money),
            (429, json!({"error": {"type": "exceeded_current_quota_error"}}), Money),
            (404, of("The model `x` does not exist"), Model),
            (404, json!({"error": "model 'x' not found"}), Model),
            (404, json!({"error": {"code": "DeploymentNotFound", "message": "No such"}}), Model),
            (400, json!({"error": {"message": "unsupported", "param": "model"}}), Model),
            (400, json!({"message": "The provided model identifier is invalid."}), Model),
            (404, Value::Null, Address),
            (404, json!({"detail": "Not Found"}), Address),
            (404, of("Invalid URL (POST /v1/v1/chat/completions)"), Address),
            (301, Value::Null, Address),
            (405, json!({"detail": "Method Not Allowed"}), Address),
        ] {
            assert_eq!(kind(status, body.clone()), Kind::Refused(denied), "{status} {body}");
        }
    }

    #[test]
    fn a_refused_field_is_found_in_the_form_of_any_server() {
        let of =
            |message: &str, param: Value| json!({"error": {"message": message, "param": param}});
        let listed =
            json!({"detail": [{"loc": ["body", "stream_options"], "msg": "Extra inputs"}]});
        for (body, field) in [
            (of("x", json!("max_tokens")), Field::ReplyTokens),
            (
                of("max_tokens: 64000 > 32000, which is the maximum", Value::Null),
                Field::ReplyTokens,
            ),
            (of("Extra inputs are not permitted: stream_options", Value::Null), Field::Usage),
            (listed, Field::Usage),
            (json!({"detail": "temperature must be 1"}), Field::Temperature),
            (of("Unsupported value", json!("reasoning_effort")), Field::Effort),
            (json!({"error": "registry/x does not support tools"}), Field::Tools),
            (of("tool_choice 'required' is not supported", Value::Null), Field::Other),
            (of("tool_use ids were found without tool_result", Value::Null), Field::Other),
        ] {
            assert_eq!(kind(400, body.clone()), Kind::Invalid(field), "{body}");
        }
        let routed = of("No endpoints found that support tool use", Value::Null);
        assert_eq!(kind(404, routed), Kind::Invalid(Field::Tools));
    }

    #[test]
    fn the_log_names_the_refused_field_and_nothing_else_of_the_body() {
        let named = |param: &str| {
            let body = json!({"error": {"type": "invalid_request_error", "param": param, "message": "m: secret"}});
            by_status(400, None, &body).cause
        };
        assert_eq!(named("max_tokens"), "status 400 invalid_request_error about max_tokens");
        let text = named("My password: hunter2!");
        assert_eq!(text, "status 400 invalid_request_error about (a text)");
    }

    #[test]
    fn an_account_without_credit_is_refused() {
        let anthropic = json!({"type": "error", "error": {"type": "invalid_request_error", "message": "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits."}});
        let openai = json!({"error": {"code": "billing_hard_limit_reached", "message": "Billing hard limit has been reached"}});
        assert_eq!(kind(400, anthropic), Kind::Refused(Denied::Money));
        assert_eq!(kind(400, openai), Kind::Refused(Denied::Money));
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
            (403, "AccessDeniedException", "x", Kind::Refused(Denied::Use)),
            (403, "InvalidSignatureException", "x", Kind::Refused(Denied::Key)),
            (403, "UnrecognizedClientException", "x", Kind::Refused(Denied::Key)),
            (404, "ResourceNotFoundException", "x", Kind::Refused(Denied::Model)),
            (
                400,
                "ValidationException",
                "Input is too long for requested model.",
                Kind::ContextOverflow,
            ),
            (400, "ValidationException", "x", Kind::Invalid(Field::Other)),
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
            ("validationException", "x", Kind::Invalid(Field::Other)),
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
