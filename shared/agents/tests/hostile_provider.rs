//! Tests that a provider never makes a call cost more than was held for it, whatever it sends or counts.

use crate::common::reply::{ALL, Ending, Protocol, Reply, reply};
use crate::common::world::World;
use domain::ledger::Balance;
use domain::{AgentId, MicroDollars};
use serde_json::{Value, json};
use store::costs::CostBook;
use store::ledger::Ledger;

const AGENT: AgentId = AgentId::RequirementsGatherer;
/// The cost of a reply of full length, which is more than the input of these tests costs.
const REPLY: MicroDollars = MicroDollars::of_cents(32);
const SENT: MicroDollars = MicroDollars::of_cents(10);

/// Makes a reply longer by one piece.
type Grow = fn(Reply, usize, &str) -> Reply;

async fn balance(world: &World) -> Balance {
    Ledger::new(&world.table).balance(world.scope.installation).await.unwrap()
}

/// What a turn with this one reply took from the balance, and the code with which it failed.
async fn taken_by(protocol: Protocol, hostile: Reply) -> (MicroDollars, Option<&'static str>) {
    let world = World::new(protocol, [hostile.into()]).await;
    let before = balance(&world).await.balance;
    let transcript = world.chat(AGENT, "Go").await;
    let after = balance(&world).await;
    assert_eq!(after.held, MicroDollars::ZERO, "its hold has ended");
    let taken = before - after.balance;
    assert_eq!(world.costs().await.micro_usd, taken);
    (taken, transcript.failed.map(|(code, _)| code))
}

#[tokio::test]
async fn a_count_above_the_hold_is_charged_as_the_hold() {
    for protocol in ALL {
        for (input, output) in [(1_000_000_000, 10), (10, 1_000_000_000), (i64::MAX, i64::MAX)] {
            let (taken, failed) =
                taken_by(protocol, reply().text("Hi.").usage(input, output)).await;
            assert_eq!(failed, None);
            assert!(taken > MicroDollars::ZERO && taken <= REPLY + SENT, "{taken}");
        }
    }
}

#[tokio::test]
async fn a_negative_or_missing_count_is_estimated() {
    for protocol in ALL {
        for hostile in [
            reply().text("Hi.").usage(-1_000_000_000, -1_000_000_000),
            reply().text("Hi.").usage(10, -1),
            reply().text("Hi.").without_usage(),
        ] {
            let (taken, _) = taken_by(protocol, hostile).await;
            assert!(taken > MicroDollars::ZERO && taken < SENT, "{taken}");
        }
    }
}

#[tokio::test]
async fn a_count_in_any_form_or_of_nothing_is_estimated_or_charged_within_the_hold() {
    let pair = |input: Value, output: Value| (input, output);
    let counts = [
        vec![pair(json!("12"), json!("5"))],
        vec![pair(Value::Null, Value::Null)],
        vec![pair(json!(12.5), json!(5.5))],
        vec![pair(json!(1e30), json!(1e30))],
        vec![pair(json!([1]), json!({"n": 1}))],
        vec![pair(json!(true), json!(12))],
        vec![pair(json!(0), json!(0))],
        vec![pair(json!(12), json!(0))],
        vec![pair(json!(u64::MAX), json!(i64::MIN))],
        vec![pair(json!(i32::MAX), json!(i32::MAX)), pair(json!(10), json!(1))],
        vec![pair(json!(10), json!(1)), pair(json!(i32::MAX), json!(i32::MAX))],
        vec![pair(json!(10), json!(1)), pair(json!(10), json!(1)), pair(json!(-1), json!(-1))],
    ];
    for protocol in ALL {
        for counts in &counts {
            let (taken, failed) = taken_by(protocol, reply().text("Hi.").odd_counts(counts)).await;
            assert_eq!(failed, None, "{protocol:?} {counts:?}");
            let some = taken > MicroDollars::ZERO && taken <= REPLY + SENT;
            assert!(some, "{protocol:?} {counts:?}: {taken}");
        }
    }
}

#[tokio::test]
async fn floods_of_thoughts_text_arguments_and_calls_are_ended_and_charged_as_the_longest_reply() {
    let piece = "x".repeat(10_000);
    let grow: [(&str, Grow); 4] = [
        ("thoughts", |reply, _, piece| reply.thought(piece)),
        ("text", |reply, _, piece| reply.text(piece)),
        ("arguments", |reply, n, piece| reply.raw_call(&format!("c{n}"), "t", &piece[..7_000])),
        ("calls", |reply, n, piece| {
            (0..400).fold(reply, |r, m| r.raw_call(&format!("c{n}-{m}"), &piece[..10], ""))
        }),
    ];
    for protocol in ALL {
        for (name, grow) in grow {
            let flood = (0..20).fold(reply(), |reply, n| grow(reply, n, &piece));
            let flood = flood.usage(10, 1_000_000_000).ending(Ending::Silent);
            let (taken, failed) = taken_by(protocol, flood).await;
            assert_eq!(failed, Some("turn_over_budget"), "{name}");
            assert!(taken > MicroDollars::ZERO && taken <= REPLY + SENT, "{name}: {taken}");
        }
    }
}

#[tokio::test]
async fn parallel_chats_on_a_small_budget_or_balance_use_no_more_than_there_is() {
    let limit = MicroDollars::of_cents(45);
    for by_budget in [true, false] {
        let answers = (0..30).map(|_| reply().text("Hi.").usage(1_000_000_000, 10).into());
        let world = World::new(Protocol::OpenAi, answers).await;
        let before = balance(&world).await;
        if by_budget {
            CostBook::new(&world.table).set_budget(world.scope, Some(limit)).await.unwrap();
        } else {
            let ledger = Ledger::new(&world.table);
            ledger.hold(world.scope, before.available - limit).await.unwrap();
        }
        let chats = (0..30).map(|_| {
            let (agents, scope) = (world.agents.clone(), world.scope);
            tokio::spawn(async move {
                if let Ok(turn) = agents::chat(&agents, AGENT, scope, "Go").await {
                    crate::common::world::transcript(turn).await;
                }
            })
        });
        for chat in chats.collect::<Vec<_>>() {
            chat.await.unwrap();
        }
        world.fake.discard_answers();
        let used = before.balance - balance(&world).await.balance;
        assert!(used > MicroDollars::ZERO && used <= limit, "{used}");
    }
}
