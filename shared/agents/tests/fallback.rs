//! Tests that a second model takes over a turn if the first one does not answer.

use crate::common::fake_model::FakeModel;
use crate::common::reply::{ALL, Answer, Ending, Protocol, refusal, reply};
use crate::common::world::World;
use domain::AgentId;
use serde_json::{Value, json};

const AGENT: AgentId = AgentId::RequirementsGatherer;
const NOTE: &str = "The AI model did not answer, so another one goes on";

/// The answers of a model, a new list for each world.
type Answers = fn() -> Vec<Answer>;

fn busy() -> Answer {
    refusal(529).header("retry-after", "0")
}

fn requirements() -> Value {
    json!({"content": "Goal: a blog", "ready_to_continue": false})
}

/// A world whose first and second model give these answers, for every pair of protocols.
async fn worlds(
    first: impl Fn() -> Vec<Answer>,
    second: impl Fn() -> Vec<Answer>,
) -> Vec<(World, FakeModel)> {
    let mut worlds = Vec::new();
    for protocol in ALL {
        for other in ALL {
            let mut world = World::new(protocol, first()).await;
            let fallback = FakeModel::new(other, second()).await;
            world.agents = world.agents.clone().with_fallback(fallback.model());
            worlds.push((world, fallback));
        }
    }
    worlds
}

#[tokio::test]
async fn a_model_that_stays_busy_or_refuses_the_key_hands_the_turn_over() {
    let outages: [Answers; 2] = [|| vec![busy(), busy(), busy()], || vec![refusal(401)]];
    for outage in outages {
        let answers = || vec![reply().text("Hello").usage(100, 10).into()];
        for (world, fallback) in worlds(outage, answers).await {
            let transcript = world.chat(AGENT, "Hi").await;
            assert_eq!((transcript.text.as_str(), transcript.failed), ("Hello", None));
            assert_eq!(transcript.tools, [("fallback_model".to_owned(), NOTE.to_owned())]);
            assert_eq!(world.fake.requests().len(), outage().len());
            assert_eq!(fallback.requests().len(), 1);
            assert_eq!(world.messages(AGENT).await.pop().unwrap().notes, [NOTE]);
            assert_eq!(
                world.costs().await.input_tokens,
                100,
                "only the model that answered is charged, once"
            );
        }
    }
}

#[tokio::test]
async fn a_model_whose_account_is_empty_hands_the_turn_over() {
    let message = "Your credit balance is too low to access the Anthropic API.";
    let unpaid = json!({"error": {"type": "invalid_request_error", "message": message}});
    let mut world = World::new(Protocol::Anthropic, [refusal(400).body(unpaid)]).await;
    let fallback = FakeModel::new(Protocol::OpenAi, [reply().text("Hello").into()]).await;
    world.agents = world.agents.clone().with_fallback(fallback.model());
    let transcript = world.chat(AGENT, "Hi").await;
    assert_eq!((transcript.text.as_str(), transcript.failed), ("Hello", None));
}

#[tokio::test]
async fn a_model_without_a_key_hands_the_turn_over() {
    for first in [Protocol::OpenAi, Protocol::Anthropic] {
        let mut world = World::new(first, []).await;
        let provider = match first {
            Protocol::OpenAi => agents::Provider::OpenAi,
            _ => agents::Provider::Anthropic,
        };
        let keyless = agents::ModelConfig::new(provider, "m", Some("http://127.0.0.1:9"), "");
        let keyless = agents::Model::new(keyless).unwrap();
        world.agents = agents::AgentContext::new(&world.table, keyless);
        assert!(world.agents.check_credit(world.scope).await.is_err());

        let fallback = FakeModel::new(Protocol::Bedrock, [reply().text("Hello").into()]).await;
        world.agents = world.agents.clone().with_fallback(fallback.model());
        assert!(world.agents.check_credit(world.scope).await.is_ok());
        let transcript = world.chat(AGENT, "Hi").await;
        assert_eq!((transcript.text.as_str(), transcript.failed), ("Hello", None));
    }
}

#[tokio::test]
async fn the_turn_stays_with_the_second_model_and_the_next_begins_with_the_first() {
    let first = || {
        let call = reply().thought("Hm.").call("a", "update_requirements", requirements());
        vec![call.into(), busy(), busy(), busy(), reply().text("Back again.").into()]
    };
    let second = || {
        vec![
            reply().call("b", "update_requirements", requirements()).into(),
            reply().text("Where shall it run?").into(),
        ]
    };
    for (world, fallback) in worlds(first, second).await {
        let transcript = world.chat(AGENT, "A blog").await;
        assert_eq!((transcript.text.as_str(), transcript.failed), ("Where shall it run?", None));
        let [taken, last] = &fallback.requests()[..] else { panic!("expected two rounds") };
        // The second model gets what the first one did, without the parts that only the first can read.
        assert_eq!(fallback.tool_results(0).len(), 1);
        assert!(!taken.to_string().contains("Hm."), "{taken}");
        assert!(last.to_string().contains("update_requirements"));
        let transcript = world.chat(AGENT, "In the sandbox").await;
        assert_eq!((transcript.text.as_str(), transcript.failed), ("Back again.", None));
        assert_eq!(fallback.requests().len(), 2);
    }
}

#[tokio::test]
async fn a_reply_that_has_begun_and_an_invalid_request_stay_with_the_first_model() {
    let failures: [(Answers, &str); 2] = [
        (|| vec![reply().text("Half a rep").ending(Ending::Cut).into()], "model_interrupted"),
        (|| vec![refusal(400)], "model_invalid_request"),
    ];
    for (failure, code) in failures {
        for (world, fallback) in worlds(failure, Vec::new).await {
            let transcript = world.chat(AGENT, "Hi").await;
            assert_eq!(transcript.failed.map(|(code, _)| code), Some(code));
            assert_eq!(fallback.requests(), Vec::<Value>::new());
        }
    }
}

#[tokio::test]
async fn when_neither_model_answers_the_error_says_why_the_second_did_not() {
    let mut world = World::new(Protocol::OpenAi, [busy(), busy(), busy()]).await;
    let limited = || refusal(429).header("retry-after-ms", "1");
    let fallback = FakeModel::new(Protocol::Anthropic, [limited(), limited(), limited()]).await;
    world.agents = world.agents.clone().with_fallback(fallback.model());
    let transcript = world.chat(AGENT, "Hi").await;
    assert_eq!(transcript.failed.map(|(code, _)| code), Some("model_rate_limited"));
    assert_eq!(world.costs().await.micro_usd.0, 0);
}
