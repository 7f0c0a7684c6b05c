//! Tests the features that only Bedrock has: signatures instead of a key, checksums, and errors by name during a reply.
//! All other suites run with its protocol as well as with the other two.

use crate::common::converse;
use crate::common::reply::{Ending, Protocol, refusal, reply};
use crate::common::world::{Transcript, World, transcript};
use agents::{AgentContext, Model, ModelConfig, Provider, ReplySettings};
use aws_config::SdkConfig;
use bedrock::Signer;
use domain::AgentId;
use serde_json::json;

const AGENT: AgentId = AgentId::RequirementsGatherer;

fn code(transcript: &Transcript) -> Option<&'static str> {
    transcript.failed.as_ref().map(|(code, _)| *code)
}

/// A turn with a model other than the world's.
async fn with(world: &World, config: ModelConfig) -> Transcript {
    let agents = AgentContext::new(&world.table, Model::new(config).unwrap());
    transcript(agents::chat(&agents, AGENT, world.scope, "Hi").await.unwrap()).await
}

#[tokio::test]
async fn a_reply_with_a_wrong_checksum_does_not_count_as_complete() {
    let corrupt = reply().text("Half a rep").ending(Ending::Corrupt);
    let world = World::new(Protocol::Bedrock, [corrupt.into()]).await;
    let transcript = world.chat(AGENT, "Hi").await;
    assert_eq!(
        (transcript.text.as_str(), code(&transcript)),
        ("Half a rep", Some("model_interrupted"))
    );
    let before_the_first_word = reply().ending(Ending::Corrupt);
    let answers = [before_the_first_word.into(), reply().text("Hello").into()];
    let world = World::new(Protocol::Bedrock, answers).await;
    let transcript = world.chat(AGENT, "Hi").await;
    assert_eq!((transcript.text.as_str(), code(&transcript)), ("Hello", None));
}

#[tokio::test]
async fn the_name_of_an_error_determines_the_code_that_the_reader_gets() {
    for (status, name, expected) in [
        (400, "ServiceQuotaExceededException", "model_rate_limited"),
        (424, "ModelErrorException", "model_overloaded"),
        (403, "AccessDeniedException", "model_refused"),
        (404, "ResourceNotFoundException", "model_refused"),
        (400, "ValidationException", "model_invalid_request"),
    ] {
        let kind = format!("{name}:http://internal.amazon.com/coral/com.amazon.bedrock/");
        let refuse = || {
            let refusal = refusal(status).body(json!({"message": "no"}));
            refusal.header("x-amzn-errortype", &kind).header("retry-after-ms", "1")
        };
        let tried_again = ["model_rate_limited", "model_overloaded"].contains(&expected);
        let answers = (0..if tried_again { 3 } else { 1 }).map(|_| refuse());
        let world = World::new(Protocol::Bedrock, answers.collect::<Vec<_>>()).await;
        assert_eq!(code(&world.chat(AGENT, "Hi").await), Some(expected), "{name}");
        assert_eq!(world.costs().await.micro_usd.0, 0);
    }
}

#[tokio::test]
async fn a_model_that_thinks_gets_its_signed_thoughts_back_with_the_results() {
    let arguments = json!({"content": "Goal: a blog", "ready_to_continue": false});
    let call =
        reply().thought("Hm, ").thought("a blog.").call("a", "update_requirements", arguments);
    let answers = [call.into(), reply().text("Where shall it run?").into()];
    let world = World::new(Protocol::Bedrock, answers).await;
    let replies = ReplySettings::parse("", "0.2", "high").unwrap();
    let transcript = with(&world, world.fake.config().with_replies(replies)).await;
    assert_eq!((transcript.text.as_str(), code(&transcript)), ("Where shall it run?", None));
    let asked = world.fake.requests();
    assert!(asked[0]["temperature"].is_null(), "a model that thinks gets no temperature");
    let thoughts = |request: &serde_json::Value| {
        let messages = request["messages"].as_array().unwrap().iter();
        let blocks = messages.filter_map(|m| m["content"].as_array()).flatten();
        let thoughts = blocks.filter(|block| block["type"] == "thinking").cloned();
        thoughts.collect::<Vec<_>>()
    };
    assert_eq!(thoughts(&asked[0]).len(), 0);
    // The two thoughts are separate blocks.
    let back = thoughts(&asked[1]);
    let said: Vec<_> = back.iter().map(|thought| thought["thinking"].as_str().unwrap()).collect();
    assert_eq!(said, ["Hm, ", "a blog."]);
    assert!(back.iter().all(|thought| thought["signature"] == "a-signature"));
}

#[tokio::test]
async fn without_credentials_no_call_is_made_and_the_error_names_the_operator() {
    let world = World::new(Protocol::Bedrock, []).await;
    let unsigned = Signer::new(&SdkConfig::builder().build());
    let url = Some("http://127.0.0.1:9/v1");
    let transcript = with(&world, ModelConfig::new(Provider::Bedrock, "m", url, unsigned)).await;
    assert_eq!(code(&transcript), Some("model_refused"));
    assert!(transcript.failed.unwrap().1.contains("operator"));
}

#[tokio::test]
async fn a_profile_that_hides_its_model_family_gets_no_cache_marks() {
    let world = World::new(Protocol::Bedrock, [reply().text("Hello").into()]).await;
    let hidden = "a-model";
    let url = world.fake.url().to_owned();
    let config = ModelConfig::new(Provider::Bedrock, hidden, Some(&url), converse::signer());
    assert_eq!(with(&world, config).await.text, "Hello");
    assert_eq!(world.fake.marks(), [0]);
}

#[test]
fn bedrock_is_called_by_a_role_and_the_others_with_a_key() {
    let role = converse::signer;
    for provider in [Provider::OpenAi, Provider::Anthropic] {
        assert!(Model::new(ModelConfig::new(provider, "m", None, role())).is_err());
    }
    assert!(Model::new(ModelConfig::new(Provider::Bedrock, "m", None, "a-key")).is_err());
    assert!(Model::new(ModelConfig::new(Provider::Bedrock, "m", None, role())).is_ok());
    let nowhere = Signer::new(&SdkConfig::builder().build());
    assert!(Model::new(ModelConfig::new(Provider::Bedrock, "m", None, nowhere)).is_err());
}
