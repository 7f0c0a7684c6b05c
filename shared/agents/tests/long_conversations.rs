//! Tests conversations longer than the model can read: the beginning is condensed, not only dropped.

use crate::careless_replies::longest;
use crate::common::reply::{ALL, Answer, Protocol, refusal, reply, too_long};
use crate::common::world::{World, transcript};
use agents::{AgentContext, Model, ReplySettings};
use domain::AgentId;
use domain::chat::Message;
use store::threads::Threads;

const AGENT: AgentId = AgentId::RequirementsGatherer;

/// A conversation of about 35,000 tokens, stored without a model.
async fn long(protocol: Protocol, answers: impl IntoIterator<Item = Answer>) -> World {
    let world = World::new(protocol, answers).await;
    let threads = Threads::new(&world.table);
    let mut thread = threads.load_or_begin(world.scope, AGENT).await.unwrap();
    for n in 0..7 {
        let said = format!("Wish {n}. {}", "word ".repeat(4_000));
        for message in [Message::user(said), Message::assistant(format!("Noted {n}."))] {
            threads.append(world.scope, AGENT, &mut thread, message).await.unwrap();
        }
    }
    world
}

#[tokio::test]
async fn a_conversation_that_is_too_long_is_condensed_once_and_the_summary_kept() {
    for protocol in ALL {
        let answers = [
            too_long(protocol),
            too_long(protocol),
            reply().text("- The user wants a blog.").usage(1_000, 20).into(),
            reply().text("Short enough.").usage(500, 5).into(),
            reply().text("Still.").into(),
        ];
        let world = long(protocol, answers).await;
        let transcript = world.chat(AGENT, "And now?").await;
        assert_eq!((transcript.text.as_str(), transcript.failed), ("Short enough.", None));
        let costs = world.costs().await;
        assert_eq!(
            (costs.input_tokens, costs.output_tokens),
            (1_500, 25),
            "both calls are paid for"
        );

        let asked = world.fake.last_user_text(2);
        assert!(
            asked.starts_with("<conversation>\n") && asked.contains("User: Wish 0."),
            "{asked}"
        );
        assert!(asked.ends_with("</conversation>\n\nWrite the summary."));
        assert!(world.fake.requests()[2]["tools"].is_null());
        let lengths: Vec<_> = world.fake.requests().iter().map(|r| r.to_string().len()).collect();
        assert!(lengths[3] < lengths[0] / 2, "{lengths:?}");
        let sent = world.fake.requests()[3].to_string();
        assert!(sent.contains("<earlier_conversation>\\n- The user wants a blog."), "{sent}");
        assert!(!sent.contains("Wish 0.") && sent.contains("Wish 6."));

        let kept = world.messages(AGENT).await;
        assert_eq!(kept.len(), 16, "the user still reads all of it");
        let summary = kept.last().unwrap().summary.as_ref().unwrap();
        assert_eq!(summary.text, "- The user wants a blog.");
        assert!(
            kept[summary.messages].text.starts_with("Wish"),
            "the summary ends where a message begins"
        );

        // The next message finds the summary and pays only for itself.
        assert_eq!(world.chat(AGENT, "Good").await.text, "Still.");
        let sent = world.fake.requests()[4].to_string();
        assert!(sent.contains("The user wants a blog.") && sent.contains("And now?"));
    }
}

#[tokio::test]
async fn without_a_summary_the_beginning_is_left_out_and_a_note_says_so() {
    for protocol in ALL {
        let answers = [
            too_long(protocol),
            too_long(protocol),
            refusal(400),
            reply().text("Short enough.").into(),
        ];
        let world = long(protocol, answers).await;
        assert_eq!(world.chat(AGENT, "And now?").await.text, "Short enough.");
        assert!(world.fake.requests()[3].to_string().contains("are left out"));
        assert!(world.messages(AGENT).await.iter().all(|message| message.summary.is_none()));
    }
}

#[tokio::test]
async fn a_model_may_think_before_it_condenses() {
    for protocol in ALL {
        let answers = [
            too_long(protocol),
            too_long(protocol),
            reply().thought(&"hm ".repeat(4_000)).text("- The user wants a blog.").into(),
            reply().text("Short enough.").into(),
        ];
        let world = long(protocol, answers).await;
        assert_eq!(world.chat(AGENT, "And now?").await.text, "Short enough.");
        let kept = world.messages(AGENT).await;
        let summary = kept.last().unwrap().summary.as_ref().unwrap();
        assert_eq!(summary.text, "- The user wants a blog.");
    }
}

#[tokio::test]
async fn a_summary_that_breaks_off_says_so() {
    for protocol in ALL {
        let answers = [
            too_long(protocol),
            too_long(protocol),
            reply().text("- The user wants a").stop(longest(protocol)).into(),
            reply().text("Short enough.").into(),
        ];
        let world = long(protocol, answers).await;
        assert_eq!(world.chat(AGENT, "And now?").await.text, "Short enough.");
        let sent = world.fake.requests()[3].to_string();
        assert!(sent.contains("wants a\\n[This summary breaks off."), "{sent}");
    }
}

#[tokio::test]
async fn a_model_that_condenses_nothing_is_not_asked_again_for_the_same_messages() {
    for protocol in ALL {
        let nothing = [
            reply().thought("hm").into(),
            reply().thought(&"hm ".repeat(40_000)).text("Late.").into(),
        ];
        for answer in nothing {
            let answers = [
                too_long(protocol),
                too_long(protocol),
                answer,
                reply().text("Short enough.").into(),
                reply().text("Still.").into(),
            ];
            let world = long(protocol, answers).await;
            assert_eq!(world.chat(AGENT, "And now?").await.text, "Short enough.");
            assert!(world.fake.requests()[3].to_string().contains("could not be condensed"));
            assert_eq!(world.chat(AGENT, "Good").await.text, "Still.");
            assert_eq!(world.fake.requests().len(), 5, "one call for the second message");
        }
    }
}

#[tokio::test]
async fn a_conversation_that_cannot_be_shortened_ends_the_turn_with_an_error() {
    for protocol in ALL {
        let world = World::new(protocol, (0..4).map(|_| too_long(protocol))).await;
        let (code, text) = world.chat(AGENT, "Hi").await.failed.unwrap();
        assert_eq!(code, "model_context_overflow");
        assert!(text.contains("too long"), "{text}");
        assert_eq!(world.costs().await.micro_usd.0, 0);
    }
}

#[tokio::test]
async fn the_models_settings_reach_its_provider() {
    for protocol in ALL {
        let world = long(
            protocol,
            [
                too_long(protocol),
                too_long(protocol),
                reply().text("- The user wants a blog.").into(),
                reply().text("Short enough.").into(),
            ],
        )
        .await;
        let replies = ReplySettings::parse("8000", "0.2", "").unwrap();
        let config = world.fake.config().with_replies(replies).with_summary_model("a-small-model");
        let agents = AgentContext::new(&world.table, Model::new(config).unwrap());
        let turn = agents::chat(&agents, AGENT, world.scope, "And now?").await.unwrap();
        assert_eq!(transcript(turn).await.failed, None);
        let asked: Vec<_> = world.fake.requests();
        let models: Vec<_> = asked.iter().map(|request| request["model"].clone()).collect();
        assert_eq!(models, ["a-model", "a-model", "a-small-model", "a-model"]);
        for request in [&asked[0], &asked[3]] {
            assert_eq!(
                (&request["max_tokens"], &request["temperature"]),
                (&8000.into(), &0.2.into())
            );
        }
    }
}
