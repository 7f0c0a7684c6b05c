use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::{Value, json};

use crate::support::{Chat, post, send};

#[tokio::test]
async fn the_model_is_listed() {
    let (status, body) = send(Request::get("/v1/models").body(Body::empty()).unwrap()).await;
    let body: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(status, StatusCode::OK);
    assert_eq!(body["data"][0]["id"], "blueprint-1");
}

#[tokio::test]
async fn another_model_is_not_found() {
    let mut request = Chat::gatherer().user("hello").request();
    request["model"] = json!("gpt-oss");
    let (status, body) = post(&request).await;
    let body: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert_eq!(body["error"]["code"], "model_not_found");
}

#[tokio::test]
async fn a_body_that_is_not_a_request_is_refused() {
    for body in ["", "[]", "{\"model\": 3}", "nonsense"] {
        let request = Request::post("/v1/chat/completions").body(Body::from(body)).unwrap();
        let (status, body) = send(request).await;
        assert_eq!(status, StatusCode::BAD_REQUEST);
        let body: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(body["error"]["type"], "invalid_request_error");
    }
}

#[tokio::test]
async fn every_tool_call_must_be_answered_immediately_and_only_once() {
    let call = json!({"role": "assistant", "content": null, "tool_calls": [
        {"id": "a", "type": "function", "function": {"name": "update_requirements", "arguments": "{}"}},
    ]});
    let answer = |id: &str| json!({"role": "tool", "tool_call_id": id, "content": "ok"});
    let user = json!({"role": "user", "content": "hello"});
    let mut broken = call.clone();
    broken["tool_calls"][0]["function"]["arguments"] = json!("{");
    let cases = [
        (vec![user.clone(), call.clone(), answer("a")], StatusCode::OK),
        (vec![user.clone(), call.clone()], StatusCode::BAD_REQUEST),
        (vec![user.clone(), call.clone(), user.clone()], StatusCode::BAD_REQUEST),
        (vec![user.clone(), call.clone(), answer("b")], StatusCode::BAD_REQUEST),
        (vec![user.clone(), call.clone(), answer("a"), answer("a")], StatusCode::BAD_REQUEST),
        (vec![user.clone(), answer("a")], StatusCode::BAD_REQUEST),
        (vec![user.clone(), broken, answer("a")], StatusCode::BAD_REQUEST),
    ];
    for (messages, expected) in cases {
        let (status, body) = post(&json!({"model": "blueprint-1", "messages": messages})).await;
        assert_eq!(status, expected, "{body}");
    }
}

#[tokio::test]
async fn content_in_parts_is_read() {
    let parts = json!([{"type": "text", "text": "A small web service,"}, {"type": "text", "text": "use the defaults"}]);
    let mut chat = Chat::gatherer();
    chat.messages.push(json!({"role": "user", "content": parts}));
    assert_eq!(chat.ask().await.argument("ready_to_continue"), true);
}

#[tokio::test]
async fn the_same_question_has_the_same_answer() {
    let chat = Chat::gatherer().user("An EC2 server in Frankfurt, use the defaults");
    assert_eq!(chat.ask().await, chat.ask().await);
    let later = chat.clone().tool_result(&chat.ask().await, "Written.").user("make it t3.small");
    assert_ne!(chat.ask().await.call.unwrap().id, later.ask().await.call.unwrap().id);
}

#[tokio::test]
async fn usage_is_counted_and_left_out_unless_asked_for() {
    let chat = Chat::gatherer().user("hello");
    let answer = chat.ask().await;
    let count = |name: &str| answer.usage[name].as_u64().unwrap();
    assert!(count("prompt_tokens") > 10 && count("completion_tokens") > 50);
    assert_eq!(count("total_tokens"), count("prompt_tokens") + count("completion_tokens"));

    let mut request = chat.request();
    request["stream"] = json!(true);
    let (_, body) = post(&request).await;
    assert!(!body.contains("usage"));
}

#[tokio::test]
async fn tool_descriptions_count_as_prompt_tokens() {
    let prompt_tokens = async |description: &str| {
        let mut request = Chat::gatherer().user("hello").request();
        request["tools"][0]["function"]["description"] = json!(description);
        let (_, body) = post(&request).await;
        let body: Value = serde_json::from_str(&body).unwrap();
        body["usage"]["prompt_tokens"].as_u64().unwrap()
    };
    let short = prompt_tokens("").await;
    assert_eq!(prompt_tokens(&"word".repeat(100)).await, short + 100);
}

#[tokio::test]
async fn a_token_limit_cuts_the_answer_and_is_the_finish_reason() {
    let mut request = Chat::gatherer().user("hello").request();
    request["max_tokens"] = json!(5);
    let (_, body) = post(&request).await;
    let body: Value = serde_json::from_str(&body).unwrap();
    let choice = &body["choices"][0];
    assert_eq!(choice["finish_reason"], "length");
    assert!(choice["message"]["tool_calls"].is_null());
    assert!(body["usage"]["completion_tokens"].as_u64().unwrap() <= 5);
}

#[tokio::test]
async fn tool_choice_none_is_respected() {
    let mut request = Chat::gatherer().user("a web service").request();
    request["tool_choice"] = json!("none");
    let (_, body) = post(&request).await;
    let body: Value = serde_json::from_str(&body).unwrap();
    assert!(body["choices"][0]["message"]["tool_calls"].is_null());
    assert_eq!(body["choices"][0]["finish_reason"], "stop");
}

#[tokio::test]
async fn a_long_answer_comes_in_many_small_pieces() {
    let project = crate::support::Project::planned("A web service, use the defaults").await;
    assert!(project.preparing(1, "").stream().await.len() > 100);
}
