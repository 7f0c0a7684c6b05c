//! Tests servers that accept a request only in another form, and refusals that only the operator can resolve.

use crate::common::reply::{ALL, Answer, Ending, Protocol, refusal, reply};
use crate::common::world::World;
use domain::AgentId;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const AGENT: AgentId = AgentId::RequirementsGatherer;

fn says(message: &str, param: Option<&str>) -> Answer {
    let error = json!({"type": "invalid_request_error", "message": message, "param": param});
    refusal(400).body(json!({"error": error, "message": message}))
}

fn hello() -> Answer {
    reply().text("Hello").into()
}

#[tokio::test]
async fn a_server_with_another_name_for_the_limit_of_a_reply_gets_it_from_then_on() {
    let no = "Unsupported parameter: 'max_tokens' is not supported with this model. Use \
              'max_completion_tokens' instead.";
    let answers = [says(no, Some("max_tokens")), hello(), hello()];
    let world = World::new(Protocol::OpenAi, answers).await;
    for _ in 0..2 {
        let transcript = world.chat(AGENT, "Hi").await;
        assert_eq!((transcript.text.as_str(), transcript.failed), ("Hello", None));
    }
    let limit = |request: &Value, name: &str| request[name].as_u64();
    let limits: Vec<_> = world
        .fake
        .requests()
        .iter()
        .map(|one| (limit(one, "max_tokens"), limit(one, "max_completion_tokens")))
        .collect();
    let (older, newer) = ((Some(16_000), None), (None, Some(16_000)));
    assert_eq!(limits, [older, newer, newer], "only the first call is refused");
}

#[tokio::test]
async fn a_model_with_shorter_replies_gets_the_limit_that_it_names() {
    for (protocol, no, most) in [
        (
            Protocol::OpenAi,
            "max_tokens is too large: 16000. This model supports at most 8192 completion tokens, \
             whereas you provided 16000.",
            8_192,
        ),
        (Protocol::OpenAi, "Invalid max_tokens value, the valid range is [1, 8,192]", 8_192),
        (
            Protocol::Anthropic,
            "max_tokens: 16000 > 4096, which is the maximum allowed number of output tokens",
            4_096,
        ),
        (
            Protocol::Bedrock,
            "The maximum tokens you requested exceeds the model limit of 4096. Try again with a \
             maximum tokens value that is lower than 4096.",
            4_096,
        ),
    ] {
        let refused = says(no, None).header("x-amzn-errortype", "ValidationException");
        let world = World::new(protocol, [refused, hello(), hello()]).await;
        for _ in 0..2 {
            assert_eq!(world.chat(AGENT, "Hi").await.text, "Hello", "{no}");
        }
        let requests = world.fake.requests();
        let limits: Vec<_> = requests.iter().map(|one| one["max_tokens"].as_u64()).collect();
        assert_eq!(limits, [Some(16_000), Some(most), Some(most)], "{no}");
    }
}

#[tokio::test]
async fn a_server_that_counts_no_streams_is_not_asked_to() {
    let extra = json!({"detail": [{"loc": ["body", "stream_options"], "msg": "Extra inputs"}]});
    let answers = [refusal(422).body(extra), hello()];
    let world = World::new(Protocol::OpenAi, answers).await;
    assert_eq!(world.chat(AGENT, "Hi").await.text, "Hello");
    let asked: Vec<_> =
        world.fake.requests().iter().map(|one| one["stream_options"].is_object()).collect();
    assert_eq!(asked, [true, false]);
}

#[tokio::test]
async fn a_request_that_no_other_form_helps_is_refused_once_with_the_setting() {
    for (message, param, setting) in [
        ("temperature must be 1", None, "MODEL_TEMPERATURE"),
        ("Unsupported value", Some("reasoning_effort"), "MODEL_EFFORT"),
        ("registry.ollama.ai/library/x does not support tools", None, "MODEL_NAME"),
    ] {
        let world = World::new(Protocol::OpenAi, [says(message, param)]).await;
        let (code, text) = world.chat(AGENT, "Hi").await.failed.unwrap();
        assert_eq!(code, "model_invalid_request");
        assert!(text.contains(setting), "{message}: {text}");
        assert_eq!(world.fake.requests().len(), 1);
    }
    let too_large = || says("too large", Some("max_tokens"));
    let world = World::new(Protocol::OpenAi, [too_large(), too_large()]).await;
    let (_, text) = world.chat(AGENT, "Hi").await.failed.unwrap();
    assert!(text.contains("MODEL_REPLY_TOKENS"), "{text}");
}

#[tokio::test]
async fn each_refused_access_has_a_text_of_its_own_that_names_what_to_check() {
    let mut texts = BTreeSet::new();
    for (status, message, names) in [
        (401, Some("Incorrect API key provided: sk-abc123"), "MODEL_API_KEY"),
        (403, Some("Country not supported"), "MODEL_NAME"),
        (402, Some("Insufficient balance"), "pay"),
        (404, Some("The model `fake` does not exist"), "MODEL_NAME"),
        (404, None, "MODEL_BASE_URL"),
    ] {
        for protocol in ALL {
            let body = match (message, protocol) {
                (Some(message), Protocol::Bedrock) => json!({"message": message}),
                (Some(message), _) => json!({"error": {"message": message}}),
                (None, _) => json!("<html>not found</html>"),
            };
            let world = World::new(protocol, [refusal(status).body(body)]).await;
            let (code, text) = world.chat(AGENT, "Hi").await.failed.unwrap();
            assert_eq!(code, "model_refused");
            assert!(text.contains(names) && !text.contains("abc123"), "{status}: {text}");
            assert!(!text.to_lowercase().contains("api key"), "{text}");
            texts.insert(text);
        }
    }
    assert_eq!(texts.len(), 5, "{texts:#?}");
}

#[tokio::test]
async fn a_web_page_in_place_of_a_reply_is_the_wrong_address() {
    for content_type in ["text/html", "application/json"] {
        let body = "\n<!doctype html><html><body>Welcome to the proxy</body></html>".to_owned();
        let page = Answer::Raw { content_type, body, ending: Ending::Proper };
        let world = World::new(Protocol::OpenAi, [page]).await;
        let (code, text) = world.chat(AGENT, "Hi").await.failed.unwrap();
        assert_eq!(code, "model_refused");
        assert!(text.contains("MODEL_BASE_URL"), "{text}");
    }
}

#[tokio::test]
async fn a_model_that_declines_in_a_field_of_its_own_has_declined() {
    let choice = json!({"index": 0, "delta": {"refusal": "I can't help"}, "finish_reason": "stop"});
    let body = format!("data: {}\n\ndata: [DONE]\n\n", json!({"choices": [choice]}));
    let declined = Answer::Raw { content_type: "text/event-stream", body, ending: Ending::Proper };
    let world = World::new(Protocol::OpenAi, [declined]).await;
    let (code, _) = world.chat(AGENT, "Hi").await.failed.unwrap();
    assert_eq!(code, "model_filtered");
}
