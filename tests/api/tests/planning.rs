//! Conversations with the planning agents.

use api_tests::{Model, Settings, World, eventually};
use domain::AgentId;
use domain::chat::{Message, Role};
use reqwest::Method;
use serde_json::{Value, json};
use store::plans::Plans;
use store::threads::Threads;

const GATHERER: &str = "/planning/requirements-gatherer";
const WISH: &str =
    "A small web service with a health check inside the sandbox itself, use the defaults";

/// All text of a reply.
fn text(events: &[Value]) -> String {
    events.iter().filter_map(|event| event["chunk"]["content"].as_str()).collect()
}

/// A page polls the conversation, so its answer must not grow with it.
#[tokio::test]
async fn only_the_end_of_a_long_conversation_is_shown() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Long").await;
    let path = "/planning/threads/requirements-gatherer";
    assert!(project.get(path).await.is(200).json().get("earlier_left_out").is_none());
    let threads = Threads::new(&owner.app().table());
    let (scope, agent) = (project.scope(), AgentId::RequirementsGatherer);
    let mut thread = threads.load_or_begin(scope, agent).await.unwrap();
    for n in 0..500 {
        let message = Message::user(format!("{n} {}", "x".repeat(20_000)));
        threads.append(scope, agent, &mut thread, message).await.unwrap();
    }
    let shown = project.get(path).await.is(200);
    assert!(shown.text().len() < 600_000, "{}", shown.text().len());
    let shown = shown.json();
    assert_eq!(
        (&shown["earlier_left_out"], &shown["thread_id"]),
        (&json!(true), &json!(thread.id))
    );
    let last = shown["messages"].as_array().unwrap().last().unwrap();
    assert!(last["content"].as_str().unwrap().starts_with("499 "));
}

#[tokio::test]
async fn a_reply_is_a_stream_of_named_events_that_ends_once() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Shop").await;
    let mut reply = project.says(GATHERER, WISH).await;
    assert_eq!(reply.status, 200);
    assert_eq!(reply.headers["content-type"], "text/event-stream");
    assert_eq!(reply.headers["cache-control"], "no-cache, no-transform");
    let events = reply.all().await;
    let lines: Vec<_> = reply.lines.iter().filter(|line| !line.is_empty()).collect();
    let known = |line: &&&String| line.starts_with("data:") || line.starts_with(':');
    assert!(lines.iter().all(|line| known(&line)), "{lines:?}");

    let (last, before) = events.split_last().unwrap();
    let thread = last["thread_id"].as_str().unwrap();
    assert_eq!(last, &json!({"event": "on_chat_model_end", "thread_id": thread}));
    assert_eq!(before[0]["event"], "on_chat_model_stream");
    for event in before {
        assert_eq!(event["thread_id"], thread, "{event}");
        match event["event"].as_str().unwrap() {
            "on_chat_model_stream" => assert!(event["chunk"]["content"].is_string(), "{event}"),
            "on_tool_end" => {
                assert_eq!(event["tool"], "update_requirements");
                assert!(!event["summary"].as_str().unwrap().is_empty());
            }
            _ => panic!("an event of another name: {event}"),
        }
    }
    assert!(text(&events).len() > 20, "{events:?}");
}

#[tokio::test]
async fn a_reply_arrives_while_it_is_written() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    model.stand_still();
    let mut reply = project.says(GATHERER, WISH).await;
    reply.text_begins().await;
    model.go_on();
    assert_eq!(reply.all().await.last().unwrap()["event"], "on_chat_model_end");
}

#[tokio::test]
async fn requirements_come_from_the_conversation_and_say_when_they_are_complete() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Shop").await;
    project.chat(GATHERER, "Hello, what can you do?").await;
    let requirements = || project.get("/planning/requirements");
    assert_eq!(requirements().await.is(200).json()["ready_to_continue"], false);
    let tag = requirements().await.header("etag");
    let again =
        || project.call(Method::GET, "/planning/requirements").header("if-none-match", &tag);
    again().send().await.is(304);

    project.chat(GATHERER, WISH).await;
    let body = again().send().await.is(200).json();
    assert_eq!(body["ready_to_continue"], true, "{body}");
    let kept =
        Plans::new(&owner.app().table()).requirements(project.scope()).await.unwrap().unwrap();
    assert_eq!(body["content"], kept.content);
}

#[tokio::test]
async fn a_conversation_continues_in_its_thread_and_can_be_read_again() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    let first = project.chat(GATHERER, "  Hello there  ").await;
    let second = project.chat(GATHERER, WISH).await;
    let thread = first[0]["thread_id"].clone();
    assert!(second.iter().all(|event| event["thread_id"] == thread));

    // The model received the earlier messages.
    let asked = model.requests().last().unwrap().to_string();
    assert!(asked.contains("Hello there") && asked.contains("use the defaults"), "{asked}");

    let history = project.get("/planning/threads/requirements-gatherer").await.is(200).json();
    assert_eq!(history["thread_id"], thread);
    let messages = history["messages"].as_array().unwrap();
    let roles: Vec<_> = messages.iter().map(|m| m["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["user", "assistant", "user", "assistant"]);
    assert_eq!(messages[0], json!({"role": "user", "content": "Hello there", "notes": []}));
    assert_eq!(messages[1]["content"].as_str().unwrap().trim(), text(&first).trim());
    assert!(
        !messages[3]["notes"].as_array().unwrap().is_empty(),
        "a tool's action is recorded: {history}"
    );
}

#[tokio::test]
async fn each_agent_has_its_own_thread() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Shop").await;
    project.has_requirements().await;
    project.chat(GATHERER, "Hello").await;
    let architect = project.chat("/planning/cloud-architect", "What is this about?").await;
    let read = async |agent: &str| {
        project.get(&format!("/planning/threads/{agent}")).await.is(200).json()["thread_id"].clone()
    };
    assert_eq!(read("cloud-architect").await, architect[0]["thread_id"]);
    assert_ne!(read("cloud-architect").await, read("requirements-gatherer").await);
    assert_eq!(read("implementation-planner").await, Value::Null);
    assert_eq!(read("executor").await, Value::Null);
    project.get("/planning/threads/unknown-agent").await.refuses(404, "not_found");
}

#[tokio::test]
async fn an_empty_message_and_one_that_is_too_long_are_refused() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    project.has_requirements().await;
    project.has_architecture().await;
    let too_long = "ä".repeat(20_001);
    for path in [GATHERER, "/planning/cloud-architect", "/planning/implementation-planner"] {
        for (message, text) in [
            ("", "Write a message first."),
            (" \n ", "Write a message first."),
            (&too_long, "This message is too long. Keep it within 20,000 characters."),
        ] {
            for accept in ["text/event-stream", "application/json"] {
                let call = project.call(Method::POST, path).json(&json!({"message": message}));
                let answer = call.header("accept", accept).send().await;
                assert_eq!(answer.refuses(422, "invalid_message"), text);
            }
        }
        project.post(path, json!({})).await.refuses(422, "invalid_body");
    }
    assert_eq!(model.times_asked(), 0);
    project.chat(GATHERER, &"ä".repeat(20_000)).await;
}

#[tokio::test]
async fn a_partial_reply_is_stored_when_its_reader_leaves() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    model.stand_still();
    let mut reply = project.says(GATHERER, WISH).await;
    let seen = reply.text_begins().await["chunk"]["content"].as_str().unwrap().to_owned();
    drop(reply);

    let kept = eventually("the turn ends when its reader has left", async || {
        let messages = project.kept_messages(AgentId::RequirementsGatherer).await;
        (messages.len() == 2).then_some(messages)
    })
    .await;
    assert_eq!((kept[0].role, kept[0].text.as_str()), (Role::User, WISH));
    assert_eq!(kept[1].role, Role::Assistant);
    assert!(kept[1].partial && kept[1].text.starts_with(&seen), "{:?}", kept[1]);

    model.go_on();
    let again = project.chat(GATHERER, "I am back").await;
    assert_eq!(again.last().unwrap()["event"], "on_chat_model_end");
}

#[tokio::test]
async fn a_missing_model_is_reported_in_the_stream_and_the_message_is_stored() {
    let mut model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    model.leave();
    let events = project.chat(GATHERER, WISH).await;
    let [error, end] = &events[..] else { panic!("{events:?}") };
    assert_eq!(error["event"], "error");
    assert!(!error["detail"].as_str().unwrap().is_empty());
    assert_eq!(end["event"], "on_chat_model_end");

    model.come_back().await;
    let events = project.chat(GATHERER, WISH).await;
    assert!(events.iter().all(|event| event["event"] != "error"), "{events:?}");
    let history = project.get("/planning/threads/requirements-gatherer").await.json();
    assert_eq!(history["messages"][0]["content"], WISH);
}

#[tokio::test]
async fn a_missing_model_key_is_named_by_the_calls_that_need_it_and_used_once_it_is_added() {
    const SECRET: &str = "tests/model-key";
    let model = Model::start().await;
    let settings = Settings { model_key_secret: Some(SECRET), ..Settings::with_model(&model) };
    let World { app, owner, .. } = World::with_settings(settings).await;
    let project = owner.project("Shop").await;
    // Calls without a model still work.
    project.get("/planning/requirements").await.is(200);
    let refused = project.post(GATHERER, json!({"message": WISH})).await;
    let detail = refused.refuses(503, "not_configured");
    assert!(detail.contains("the key of the AI model is missing"), "{detail}");
    app.make_secret(SECRET, "a-key").await;
    let mut reply = project.says(GATHERER, WISH).await;
    assert_eq!(reply.all().await.last().unwrap()["event"], "on_chat_model_end");
}
