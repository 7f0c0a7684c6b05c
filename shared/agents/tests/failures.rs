//! Tests a model's failures and the texts for the reader: every stream ends in a named way.

use crate::common::reply::{ALL, Answer, Ending, Protocol, refusal, reply};
use crate::common::world::{Transcript, World};
use domain::AgentId;
use serde_json::json;

const AGENT: AgentId = AgentId::RequirementsGatherer;

async fn after(
    protocol: Protocol,
    answers: impl IntoIterator<Item = Answer>,
) -> (World, Transcript) {
    let world = World::new(protocol, answers).await;
    let transcript = world.chat(AGENT, "Hi").await;
    (world, transcript)
}

fn code(transcript: &Transcript) -> Option<&'static str> {
    transcript.failed.as_ref().map(|(code, _)| *code)
}

#[tokio::test]
async fn a_busy_provider_is_asked_again_after_the_wait_that_it_requests() {
    for protocol in ALL {
        for status in [429, 503, 529] {
            let busy = || refusal(status).header("retry-after", "0");
            let (world, transcript) =
                after(protocol, [busy(), busy(), reply().text("Hello").into()]).await;
            assert_eq!((transcript.text.as_str(), code(&transcript)), ("Hello", None));
            assert_eq!(world.fake.requests().len(), 3);
        }
    }
}

#[tokio::test]
async fn a_provider_that_stays_busy_ends_the_turn_with_the_time_to_try_again() {
    for protocol in ALL {
        let busy = || refusal(429).header("retry-after-ms", "1");
        let (world, transcript) = after(protocol, [busy(), busy(), busy()]).await;
        assert_eq!(code(&transcript), Some("model_rate_limited"));
        let (_, transcript) = after(protocol, [refusal(429).header("retry-after", "120")]).await;
        assert!(transcript.failed.unwrap().1.contains("in 120 seconds"));
        let overloaded = || refusal(529).header("retry-after", "0");
        let (_, transcript) = after(protocol, [overloaded(), overloaded(), overloaded()]).await;
        assert_eq!(code(&transcript), Some("model_overloaded"));
        assert_eq!(world.costs().await.micro_usd.0, 0);
    }
}

#[tokio::test]
async fn a_refused_key_is_not_tried_again_and_the_error_names_the_operator() {
    for protocol in ALL {
        let (_, transcript) = after(protocol, [refusal(401)]).await;
        let (code, text) = transcript.failed.unwrap();
        assert_eq!(code, "model_refused");
        // The page would recognize these words as a cloud provider's.
        assert!(
            !text.to_lowercase().contains("api key") && !text.to_lowercase().contains("credential")
        );
    }
}

#[tokio::test]
async fn an_interrupted_reply_is_kept_and_marked_as_partial() {
    for protocol in ALL {
        for ending in [Ending::Cut, Ending::Broken, Ending::Malformed, Ending::Silent] {
            let cut = reply().text("Half a rep").ending(ending);
            let (world, transcript) =
                after(protocol, [cut.into(), reply().text("Again.").into()]).await;
            assert_eq!(
                (transcript.text.as_str(), code(&transcript)),
                ("Half a rep", Some("model_interrupted")),
                "{ending:?}"
            );
            let last = world.messages(AGENT).await.pop().unwrap();
            assert!(last.partial && last.text == "Half a rep", "{last:?}");
            assert_eq!(last.notes, [transcript.failed.unwrap().1]);
            // The conversation continues as if nothing had happened.
            assert_eq!(code(&world.chat(AGENT, "Go on").await), None);
        }
    }
}

#[tokio::test]
async fn a_providers_error_in_the_middle_of_a_reply_is_reported() {
    for protocol in ALL {
        for (ending, expected) in
            [(Ending::Overloaded, "model_overloaded"), (Ending::RateLimited, "model_rate_limited")]
        {
            let (world, transcript) =
                after(protocol, [reply().text("Half").ending(ending).into()]).await;
            assert_eq!((transcript.text.as_str(), code(&transcript)), ("Half", Some(expected)));
            assert_eq!(world.costs().await.output_tokens, 1, "what the model said is paid for");
        }
    }
}

#[tokio::test]
async fn a_reply_that_breaks_off_before_its_first_word_is_asked_for_again() {
    for protocol in ALL {
        let nothing = reply().ending(Ending::Cut);
        let (_, transcript) = after(protocol, [nothing.into(), reply().text("Hello").into()]).await;
        assert_eq!((transcript.text.as_str(), code(&transcript)), ("Hello", None));
    }
}

#[tokio::test]
async fn a_models_refusal_differs_from_a_broken_reply_and_its_tokens_are_charged() {
    for protocol in ALL {
        let refuses = match protocol {
            Protocol::OpenAi => "content_filter",
            Protocol::Anthropic => "refusal",
            Protocol::Bedrock => "guardrail_intervened",
        };
        for answer in [reply().stop(refuses), reply().text("I can").stop(refuses)] {
            let (world, transcript) = after(protocol, [answer.usage(90, 3).into()]).await;
            assert_eq!(code(&transcript), Some("model_filtered"));
            let costs = world.costs().await;
            assert_eq!((costs.input_tokens, costs.output_tokens), (90, 3));
        }
        let (_, transcript) = after(protocol, [reply().into()]).await;
        assert_eq!(code(&transcript), Some("model_interrupted"));
    }
}

#[tokio::test]
async fn a_reply_that_reaches_the_length_limit_is_kept_and_reported() {
    for protocol in ALL {
        let reason = match protocol {
            Protocol::OpenAi => "length",
            Protocol::Anthropic | Protocol::Bedrock => "max_tokens",
        };
        let (world, transcript) =
            after(protocol, [reply().text("On and on").stop(reason).into()]).await;
        assert_eq!(
            (transcript.text.as_str(), code(&transcript)),
            ("On and on", Some("reply_cut_short"))
        );
        let last = world.messages(AGENT).await.pop().unwrap();
        assert!(last.partial && last.text == "On and on", "{last:?}");
    }
}

#[tokio::test]
async fn a_stream_in_packets_that_end_anywhere_is_read_as_if_in_one_piece() {
    for protocol in ALL {
        let content = "# Ziel\nGrüße 👋";
        let written = json!({"content": content, "ready_to_continue": false});
        for bytes in [1, 3, 1_000] {
            let answers = [
                reply().text("Grüße 👋").call("a", "update_requirements", written.clone()),
                reply().text("Gut.").usage(7, 3),
            ];
            let answers = answers.map(|answer| answer.in_packets_of(bytes).into());
            let (world, transcript) = after(protocol, answers).await;
            assert_eq!((transcript.text.as_str(), code(&transcript)), ("Grüße 👋\n\nGut.", None));
            let requirements = world.plans().requirements(world.scope).await.unwrap().unwrap();
            assert_eq!(requirements.content, content);
            assert_eq!(world.costs().await.output_tokens, 13);
        }
    }
}

#[tokio::test]
async fn a_provider_that_stays_silent_times_out() {
    for protocol in ALL {
        let silent = || reply().ending(Ending::Silent).into();
        let (world, transcript) = after(protocol, [silent(), silent(), silent()]).await;
        assert_eq!((transcript.text.as_str(), code(&transcript)), ("", Some("model_interrupted")));
        let costs = world.costs().await;
        let once = (100..2_000).contains(&costs.input_tokens) && costs.output_tokens == 0;
        assert!(once, "what was sent is paid for once, however often it was sent: {costs:?}");
    }
}

#[tokio::test]
async fn a_tool_call_with_incomplete_arguments_is_not_carried_out() {
    for protocol in ALL {
        let written = json!({"content": "x", "ready_to_continue": true});
        for ending in [Ending::Cut, Ending::Broken] {
            let cut = reply().call("a", "update_requirements", written.clone()).ending(ending);
            let (world, transcript) = after(protocol, [cut.into()]).await;
            assert_eq!((transcript.tools.len(), code(&transcript)), (0, Some("model_interrupted")));
            let requirements = world.plans().requirements(world.scope).await.unwrap().unwrap();
            assert_eq!(requirements.content, "");
            assert!(world.costs().await.output_tokens > 5, "the arguments are charged");
        }
    }
}

#[tokio::test]
async fn a_model_that_calls_tools_without_end_is_stopped() {
    for protocol in ALL {
        let written = json!({"content": "x", "ready_to_continue": false});
        let call = |_| reply().call("c", "update_requirements", written.clone()).into();
        let (world, transcript) = after(protocol, (0..8).map(call)).await;
        assert_eq!((transcript.tools.len(), code(&transcript)), (8, Some("turn_over_budget")));
        let last = world.messages(AGENT).await.pop().unwrap();
        assert!(last.partial && !last.notes.is_empty());
        assert_eq!(world.costs().await.input_tokens, 800);
    }
}

#[tokio::test]
async fn an_unreachable_provider_is_reported_as_unreachable() {
    let mut world = World::new(Protocol::OpenAi, []).await;
    // A port that was free a moment ago and on which no process listens.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    drop(listener);
    let config = agents::ModelConfig::new(agents::Provider::OpenAi, "m", Some(&url), "k");
    let model = agents::Model::new(config).unwrap();
    world.agents = agents::AgentContext::new(&world.table, model);
    assert_eq!(code(&world.chat(AGENT, "Hi").await), Some("model_unreachable"));
}

#[test]
fn an_invalid_base_url_is_refused_when_the_function_starts() {
    for (name, url) in [("m", "localhost:8080/v1"), (" ", "http://localhost/v1")] {
        let config = agents::ModelConfig::new(agents::Provider::OpenAi, name, Some(url), "k");
        assert!(agents::Model::new(config).is_err());
    }
}
