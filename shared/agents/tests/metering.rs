//! Tests that every model call is counted once, at the rates of the price list.

use crate::common::reply::{ALL, Answer, Ending, Protocol, refusal, reply};
use crate::common::world::World;
use domain::chat::ChatEvent;
use domain::{AgentId, MicroDollars};
use futures::StreamExt;
use serde_json::json;
use store::costs::Costs;
use store::ledger::Ledger;
use tokio::runtime::Builder;

const AGENT: AgentId = AgentId::RequirementsGatherer;

#[tokio::test]
async fn each_call_of_a_turn_costs_what_the_provider_counted() {
    for protocol in ALL {
        let arguments = json!({"content": "x", "ready_to_continue": false});
        let world = World::new(
            protocol,
            [
                refusal(503).header("retry-after", "0"),
                reply().call("a", "update_requirements", arguments).usage(1_000, 50).into(),
                reply().text("Done.").usage(1_100, 5).into(),
            ],
        )
        .await;
        world.chat(AGENT, "Go").await;
        let costs = world.costs().await;
        assert_eq!((costs.input_tokens, costs.output_tokens), (2_100, 55));
        assert_eq!(costs.micro_usd, MicroDollars(2_100 * 5 + 55 * 20));
    }
}

#[tokio::test]
async fn the_provider_may_cache_input_and_cached_tokens_are_counted() {
    for (protocol, marks) in ALL.into_iter().zip([[0, 0], [2, 2], [2, 2]]) {
        let arguments = json!({"content": "x", "ready_to_continue": false});
        let first = reply().call("a", "update_requirements", arguments).usage(1_000, 50);
        let second = reply().text("Done.").usage(1_100, 5).cached(900);
        let world = World::new(protocol, [first.into(), second.into()]).await;
        world.chat(AGENT, "Go").await;
        assert_eq!(world.fake.marks(), marks, "behind the instructions and the newest message");
        let costs = world.costs().await;
        assert_eq!((costs.input_tokens, costs.cached_tokens), (2_100, 900));
        assert_eq!(
            costs.saved_micro_usd,
            MicroDollars(900 * 5 * 9 / 10),
            "the provider's discount"
        );
        assert_eq!(costs.cached_share(), 900.0 / 2_100.0);
        assert_eq!(
            costs.micro_usd,
            MicroDollars(2_100 * 5 + 55 * 20),
            "cached tokens cost the user the same"
        );
    }
}

#[tokio::test]
async fn a_call_that_the_provider_did_not_count_is_estimated() {
    for protocol in ALL {
        let whole = reply().text(&"word ".repeat(100)).without_usage();
        let cut = reply().text(&"word ".repeat(100)).ending(Ending::Cut);
        for answer in [whole, cut] {
            let world = World::new(protocol, [answer.into()]).await;
            world.chat(AGENT, "Go").await;
            let costs = world.costs().await;
            assert_eq!(costs.output_tokens, 125, "estimated at four bytes per token");
            // Anthropic counts the input at the beginning.
            let counted = protocol == Protocol::Anthropic && costs.input_tokens == 100;
            assert!(counted || (500..2_000).contains(&costs.input_tokens), "{costs:?}");
        }
    }
}

#[tokio::test]
async fn a_call_without_a_reply_costs_nothing() {
    let world = World::new(Protocol::OpenAi, [refusal(401)]).await;
    world.chat(AGENT, "Go").await;
    assert_eq!(world.costs().await.micro_usd, MicroDollars(0));
}

#[tokio::test]
async fn a_reader_who_leaves_stops_the_call_and_the_reply_until_then_is_counted_and_kept() {
    for protocol in ALL {
        let world =
            World::new(protocol, [reply().text("Only this").ending(Ending::Silent).into()]).await;
        let mut turn = agents::chat(&world.agents, AGENT, world.scope, "Go").await.unwrap();
        assert!(turn.next().await.is_some());
        drop(turn);
        world.fake.hung_up().await;
        // The turn counts and stores its reply last, and nothing announces that.
        while world.messages(AGENT).await.len() < 2 {
            tokio::task::yield_now().await;
        }
        let last = world.messages(AGENT).await.pop().unwrap();
        assert!(last.partial && last.text == "Only this");
        assert_eq!(world.costs().await.output_tokens, 3);
    }
}

/// A function may stop running as soon as its answer is over, and the answer of a turn is over when the turn has ended.
#[test]
fn a_call_whose_reader_leaves_is_paid_before_its_turn_has_ended() {
    let outside = Builder::new_multi_thread().enable_all().build().unwrap();
    for protocol in ALL {
        let said = reply().text("Only this").ending(Ending::Silent);
        let world = outside.block_on(World::new(protocol, [said.into()]));
        let function = Builder::new_current_thread().enable_all().build().unwrap();
        function.block_on(async {
            let turn = agents::chat(&world.agents, AGENT, world.scope, "Go").await.unwrap();
            let (reply, ended) = turn.into_reply();
            let mut reply = Box::pin(reply);
            assert!(reply.next().await.is_some());
            drop(reply);
            ended.await;
        });
        function.shutdown_background();
        let costs = outside.block_on(world.costs());
        assert_eq!(costs.output_tokens, 3, "{protocol:?}");
        assert!(costs.micro_usd > MicroDollars::ZERO);
    }
}

/// What a turn costs whose reader leaves as soon as the provider has the request.
async fn costs_of_a_reader_who_leaves_early(protocol: Protocol, answer: Answer) -> Costs {
    let world = World::new(protocol, [answer]).await;
    let turn = agents::chat(&world.agents, AGENT, world.scope, "Go").await.unwrap();
    while world.fake.requests().is_empty() {
        tokio::task::yield_now().await;
    }
    drop(turn);
    // Nothing announces the end of a turn that no one reads.
    let ledger = Ledger::new(&world.table);
    while ledger.balance(world.scope.installation).await.unwrap().held > MicroDollars::ZERO {
        tokio::task::yield_now().await;
    }
    world.costs().await
}

#[tokio::test]
async fn a_reader_who_leaves_before_the_first_word_pays_for_what_the_provider_has_accepted() {
    for protocol in ALL {
        let begins = reply().ending(Ending::Silent);
        let costs = costs_of_a_reader_who_leaves_early(protocol, begins.into()).await;
        match protocol {
            Protocol::Anthropic => assert_eq!(costs.input_tokens, 100, "counted at the beginning"),
            _ => assert!((500..2_000).contains(&costs.input_tokens), "{costs:?}"),
        }
        assert_eq!(costs.output_tokens, 0);
        let (content_type, body) = ("text/event-stream", String::new());
        let silent = Answer::Raw { content_type, body, ending: Ending::Silent };
        let costs = costs_of_a_reader_who_leaves_early(protocol, silent).await;
        assert!((500..2_000).contains(&costs.input_tokens), "{protocol:?}: {costs:?}");
    }
}

#[tokio::test]
async fn a_reader_who_leaves_pays_nothing_for_a_call_that_the_provider_refuses() {
    for protocol in ALL {
        for answer in [refusal(401), refusal(400), refusal(503).header("retry-after", "9")] {
            let costs = costs_of_a_reader_who_leaves_early(protocol, answer).await;
            assert_eq!(costs.micro_usd, MicroDollars(0), "{protocol:?}");
        }
    }
}

#[tokio::test]
async fn a_reader_gets_each_piece_when_it_is_made_and_not_later() {
    let world = World::new(Protocol::OpenAi, [reply().text("one").text("two").into()]).await;
    world.fake.hold();
    let mut turn = agents::chat(&world.agents, AGENT, world.scope, "Go").await.unwrap();
    world.fake.release(2);
    let Some(Ok(ChatEvent::Text { chunk })) = turn.next().await else { panic!("no text") };
    assert_eq!(chunk.content, "one");
    world.fake.release(100);
    assert_eq!(crate::common::world::transcript(turn).await.text, "two");
}
