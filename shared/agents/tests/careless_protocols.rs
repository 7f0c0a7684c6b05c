//! Tests servers that only resemble OpenAI's protocol: what is whole is used and counted once, what broke off is not.

use crate::common::reply::{Answer, Ending, Protocol, reply};
use crate::common::world::World;
use domain::plan::{Plan, PlanStatus};
use domain::{AgentId, RunId};
use serde_json::{Value, json};
use store::plans::PlanKind;

const AGENT: AgentId = AgentId::RequirementsGatherer;
const UPDATE: &str = "update_requirements";
const WRITE: &str = "write_implementation_plan";
const EVENTS: &str = "text/event-stream";
const JSON: &str = "application/json";

fn arguments(content: &str) -> String {
    json!({"content": content, "ready_to_continue": false}).to_string()
}

fn plan() -> String {
    let steps = json!([{"description": "Prepare", "prompt": "mkdir"}]);
    json!({"plan": "# Plan\nDo it.", "steps": steps}).to_string()
}

fn usage() -> Value {
    json!({"prompt_tokens": 900, "completion_tokens": 30, "total_tokens": 930,
        "prompt_tokens_details": {"cached_tokens": 500}})
}

fn delta(delta: Value) -> Value {
    json!({"choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
}

fn finish(reason: &str) -> Value {
    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
}

fn counted() -> Value {
    json!({"choices": [], "usage": usage()})
}

fn calls(calls: Value) -> Value {
    delta(json!({"tool_calls": calls}))
}

fn events(events: &[Value]) -> String {
    events.iter().map(|event| format!("data: {event}\n\n")).collect()
}

fn raw(content_type: &'static str, body: impl Into<String>) -> Answer {
    Answer::Raw { content_type, body: body.into(), ending: Ending::Proper }
}

fn document(content_type: &'static str, message: Value) -> Answer {
    let reason = if message["tool_calls"].is_array() { "tool_calls" } else { "stop" };
    let choice = json!({"index": 0, "message": message, "finish_reason": reason});
    let whole = json!({"object": "chat.completion", "choices": [choice], "usage": usage()});
    raw(content_type, serde_json::to_string_pretty(&whole).unwrap())
}

/// The plan at the end of a run from the queue, and its world.
async fn planned(answers: Vec<Answer>) -> (World, Plan) {
    let world = World::new(Protocol::OpenAi, answers).await;
    let (agent, run_id) = (AgentId::ImplementationPlanner, RunId::random());
    agents::generate_plan(&world.agents, agent, world.scope, &run_id, "Go").await.unwrap();
    let plan = world.plans().get(world.scope, PlanKind::Implementation).await.unwrap().unwrap();
    (world, plan)
}

/// Asserts that the reply, made with a tool and its arguments, works in a chat and in a run from the queue: one call to
/// the provider for each, counted as the provider did.
async fn works(name: &str, reply_with: impl Fn(&str, &str) -> Answer) {
    let done = || reply().text("Done.").usage(100, 10).into();
    let called = reply_with(UPDATE, &arguments("# Goal"));
    let world = World::new(Protocol::OpenAi, [called, done()]).await;
    let transcript = world.chat(AGENT, "Hi").await;
    assert_eq!((transcript.failed, transcript.tools.len()), (None, 1), "{name}");
    let kept = world.plans().requirements(world.scope).await.unwrap().unwrap();
    assert_eq!(kept.content, "# Goal", "{name}");
    let costs = world.costs().await;
    assert_eq!((costs.input_tokens, costs.output_tokens), (1_000, 40), "{name}");
    assert_eq!(costs.cached_tokens, 500, "{name}");
    let (world, plan) = planned(vec![reply_with(WRITE, &self::plan())]).await;
    assert_eq!(plan.status, PlanStatus::Ready, "{name}: {:?}", plan.detail);
    assert_eq!(world.fake.requests().len(), 1, "{name}");
    let costs = world.costs().await;
    assert_eq!((costs.input_tokens, costs.output_tokens), (900, 30), "{name}");
}

/// The arguments in two pieces, neither of which is JSON.
fn halves(arguments: &str) -> (&str, &str) {
    arguments.split_at(arguments.len() / 2)
}

#[tokio::test]
async fn calls_without_an_index_are_carried_out() {
    works("the id only in the first piece", |tool, arguments| {
        let (first, rest) = halves(arguments);
        let begin = json!([{"id": "a", "function": {"name": tool, "arguments": first}}]);
        let more = json!([{"function": {"arguments": rest}}]);
        let all = [calls(begin), calls(more), finish("tool_calls"), counted()];
        raw(EVENTS, format!("{}data: [DONE]\n\n", events(&all)))
    })
    .await;
    works("no id, in one piece", |tool, arguments| {
        let call = json!([{"function": {"name": tool, "arguments": arguments}}]);
        let all = [calls(call), finish("tool_calls"), counted()];
        raw(EVENTS, format!("{}data: [DONE]\n\n", events(&all)))
    })
    .await;
    works("the arguments as an object", |tool, arguments| {
        let arguments: Value = serde_json::from_str(arguments).unwrap();
        let call = json!([{"id": "a", "function": {"name": tool, "arguments": arguments}}]);
        let all = [calls(call), finish("stop"), counted()];
        raw(EVENTS, format!("{}data: [DONE]\n\n", events(&all)))
    })
    .await;
}

#[tokio::test]
async fn two_calls_without_an_index_or_with_one_index_are_two_calls() {
    for index in [None, Some(0)] {
        let call = |id: &str, arguments: String| {
            let mut call = json!({"id": id, "function": {"name": UPDATE, "arguments": arguments}});
            if let Some(index) = index {
                call["index"] = json!(index);
            }
            calls(json!([call]))
        };
        let all = [
            call("a", arguments("# One")),
            call("b", arguments("# Two")),
            finish("tool_calls"),
            counted(),
        ];
        let answers = [raw(EVENTS, events(&all)), reply().text("Done.").into()];
        let world = World::new(Protocol::OpenAi, answers).await;
        let transcript = world.chat(AGENT, "Hi").await;
        assert_eq!((transcript.failed, transcript.tools.len()), (None, 2), "{index:?}");
        let kept = world.plans().requirements(world.scope).await.unwrap().unwrap();
        assert_eq!(kept.content, "# Two");
    }
}

#[tokio::test]
async fn a_stream_without_its_last_line_is_whole_if_it_says_why_it_ended() {
    let call = |tool: &str, arguments: &str| {
        calls(json!([{"index": 0, "id": "a", "function": {"name": tool, "arguments": arguments}}]))
    };
    works("the count in a message of its own", |tool, arguments| {
        raw(EVENTS, events(&[call(tool, arguments), finish("tool_calls"), counted()]))
    })
    .await;
    works("the count beside the reason, and a blank line missing", |tool, arguments| {
        let mut last = finish("tool_calls");
        last["usage"] = usage();
        raw(EVENTS, events(&[call(tool, arguments), last]).trim_end().to_owned())
    })
    .await;
    works("everything in one message", |tool, arguments| {
        let mut only = call(tool, arguments);
        only["choices"][0]["finish_reason"] = json!("tool_calls");
        only["usage"] = usage();
        raw(EVENTS, events(&[only]))
    })
    .await;
    works("a count that grows in each message", |tool, arguments| {
        let mut all = [call(tool, arguments), finish("tool_calls"), counted()];
        all[0]["usage"] = json!({"prompt_tokens": 900, "completion_tokens": 3});
        all[1]["usage"] = Value::Null;
        raw(EVENTS, events(&all))
    })
    .await;
    works("a connection that breaks after the count", |tool, arguments| {
        let body = events(&[call(tool, arguments), finish("tool_calls"), counted()]);
        Answer::Raw { content_type: EVENTS, body, ending: Ending::Broken }
    })
    .await;
    works("a connection that stays open after the count", |tool, arguments| {
        let body = events(&[call(tool, arguments), finish("tool_calls"), counted()]);
        Answer::Raw { content_type: EVENTS, body, ending: Ending::Silent }
    })
    .await;
}

#[tokio::test]
async fn one_json_document_is_read_whatever_its_content_type_is() {
    for content_type in [JSON, EVENTS, "text/plain"] {
        works(content_type, |tool, arguments| {
            let call = json!({"id": "a", "type": "function",
                "function": {"name": tool, "arguments": arguments}});
            let message = json!({"role": "assistant", "content": null, "tool_calls": [call]});
            document(content_type, message)
        })
        .await;
        let said = json!({"role": "assistant", "content": "<think>Hm.</think>\n\nGrüße 👋"});
        let world = World::new(Protocol::OpenAi, [document(content_type, said)]).await;
        let transcript = world.chat(AGENT, "Hi").await;
        assert_eq!((transcript.text.as_str(), transcript.failed), ("Grüße 👋", None));
        assert_eq!(world.costs().await.output_tokens, 30);
    }
    works("as the only event of a stream", |tool, arguments| {
        let call = json!({"function": {"name": tool, "arguments": arguments}});
        let choice = json!({"message": {"content": "", "tool_calls": [call]}});
        raw(EVENTS, events(&[json!({"choices": [choice], "usage": usage()})]))
    })
    .await;
    works("an event stream that is called JSON", |tool, arguments| {
        let call =
            json!([{"index": 0, "id": "a", "function": {"name": tool, "arguments": arguments}}]);
        raw(JSON, events(&[calls(call), finish("tool_calls"), counted()]))
    })
    .await;
}

#[tokio::test]
async fn a_whole_reply_that_is_repeated_at_the_end_is_read_once() {
    let last = json!({"choices": [{"message": {"content": "Hello"}, "finish_reason": "stop"}]});
    let body = events(&[delta(json!({"content": "Hel"})), delta(json!({"content": "lo"})), last]);
    let world = World::new(Protocol::OpenAi, [raw(EVENTS, body)]).await;
    let transcript = world.chat(AGENT, "Hi").await;
    assert_eq!((transcript.text.as_str(), transcript.failed), ("Hello", None));
}

#[tokio::test]
async fn what_broke_off_is_not_taken_for_whole() {
    let half = json!({"choices": [{"message": {"content": "Hello"}}]}).to_string();
    let half = &half[..half.len() - 4];
    let call = json!([{"id": "a", "function": {"name": WRITE, "arguments": plan()}}]);
    let error = json!({"error": {"message": "x", "code": 502}});
    for (content_type, body) in [
        (EVENTS, String::new()),
        (EVENTS, events(&[delta(json!({"role": "assistant", "content": ""}))])),
        (EVENTS, events(&[calls(call)])),
        (EVENTS, events(&[finish("error")])),
        (JSON, half.to_owned()),
        (JSON, json!({"choices": []}).to_string()),
        (JSON, error.to_string()),
        (EVENTS, events(&[error])),
    ] {
        let whole = || reply().call("a", WRITE, serde_json::from_str(&plan()).unwrap()).into();
        let (world, plan) = planned(vec![raw(content_type, body.clone()), whole()]).await;
        assert_eq!(plan.status, PlanStatus::Ready, "{body}: {:?}", plan.detail);
        assert_eq!(world.fake.requests().len(), 2, "{body}");
    }
}

#[tokio::test]
async fn a_document_that_broke_off_costs_what_was_sent_once() {
    let half = || raw(JSON, "{\"choices\": [{\"message\": {\"content\": \"Hello");
    let world = World::new(Protocol::OpenAi, [half(), half(), half()]).await;
    let transcript = world.chat(AGENT, "Hi").await;
    assert_eq!(transcript.failed.map(|(code, _)| code), Some("model_interrupted"));
    let costs = world.costs().await;
    assert!((500..2_000).contains(&costs.input_tokens) && costs.output_tokens == 0, "{costs:?}");
}

#[tokio::test]
async fn an_error_in_place_of_a_reply_is_classified_by_its_status() {
    for (status, code) in [(429, "model_rate_limited"), (401, "model_refused")] {
        let error = || raw(JSON, json!({"error": {"code": status, "message": "x"}}).to_string());
        let world = World::new(Protocol::OpenAi, [error(), error(), error()]).await;
        let transcript = world.chat(AGENT, "Hi").await;
        world.fake.discard_answers();
        assert_eq!(transcript.failed.map(|(code, _)| code), Some(code));
    }
}
