//! Tests what `MODEL_EFFORT` sends, in Anthropic's own protocol and on Bedrock.

use crate::common::converse;
use crate::common::reply::{Protocol, reply};
use crate::common::world::{World, transcript};
use agents::{AgentContext, Model, ModelConfig, Provider, ReplySettings};
use domain::AgentId;
use serde_json::{Value, json};

/// The request to the model with this name.
async fn sent(protocol: Protocol, name: &str, effort: &str) -> Value {
    let world = World::new(protocol, [reply().text("Hello").into()]).await;
    let url = world.fake.url().to_owned();
    let config = match protocol {
        Protocol::Bedrock => {
            let name = converse::named(name);
            ModelConfig::new(Provider::Bedrock, name, Some(&url), converse::signer())
        }
        _ => ModelConfig::new(Provider::Anthropic, name, Some(&url), "a-key"),
    };
    let replies = ReplySettings::parse("16000", "0.2", effort).unwrap();
    let agents = AgentContext::new(&world.table, Model::new(config.with_replies(replies)).unwrap());
    let agent = AgentId::RequirementsGatherer;
    let told = transcript(agents::chat(&agents, agent, world.scope, "Hi").await.unwrap()).await;
    assert_eq!((told.text.as_str(), told.failed), ("Hello", None));
    let mut request = world.fake.requests().remove(0);
    // The library asks for a summary of the thoughts, which we do not control.
    if let Some(thinking) = request["thinking"].as_object_mut() {
        thinking.remove("display");
    }
    request
}

#[tokio::test]
async fn an_older_claude_thinks_within_its_reply_and_at_its_own_temperature() {
    for protocol in [Protocol::Anthropic, Protocol::Bedrock] {
        for name in ["claude-sonnet-4-5", "claude-3-7-sonnet-20250219", "claude-opus-4-1"] {
            for (effort, tokens) in
                [("low", 2_000), ("medium", 6_000), ("high", 10_000), ("max", 12_000)]
            {
                let request = sent(protocol, name, effort).await;
                let thinking = json!({"type": "enabled", "budget_tokens": tokens});
                assert_eq!(request["thinking"], thinking, "{name} {effort}");
                assert_eq!(request["max_tokens"], 16_000);
                assert!(request["temperature"].is_null(), "{name} {effort}");
            }
        }
    }
}

#[tokio::test]
async fn a_newer_claude_decides_itself_how_long_it_thinks() {
    for protocol in [Protocol::Anthropic, Protocol::Bedrock] {
        let request = sent(protocol, "claude-opus-4-6", "high").await;
        assert_eq!(request["thinking"], json!({"type": "adaptive"}));
        assert_eq!(request["output_config"], json!({"effort": "high"}));
        assert!(request["temperature"].is_null());
    }
}

#[tokio::test]
async fn a_model_that_should_not_or_cannot_think_keeps_its_temperature() {
    for protocol in [Protocol::Anthropic, Protocol::Bedrock] {
        for (name, effort) in [("claude-sonnet-4-5", "none"), ("claude-3-5-haiku-latest", "high")] {
            let request = sent(protocol, name, effort).await;
            assert!(request["thinking"].is_null(), "{name} {effort}");
            assert_eq!(request["temperature"], 0.2, "{name} {effort}");
        }
    }
}

#[tokio::test]
async fn an_unknown_model_name_gets_a_thinking_budget_within_its_reply() {
    let request = sent(Protocol::Anthropic, "a-model", "high").await;
    assert_eq!(request["thinking"], json!({"type": "enabled", "budget_tokens": 10_000}));
}
