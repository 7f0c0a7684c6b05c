//! Tests that no model call begins that the credits or the project's budget do not cover, even in the middle of a turn.

use crate::common::reply::{ALL, Protocol, refusal, reply};
use crate::common::world::World;
use domain::ledger::{Balance, Refusal};
use domain::plan::PlanStatus;
use domain::step::{Event, Phase, Seen, Track};
use domain::{AgentId, MicroDollars, RunId};
use serde_json::json;
use store::costs::CostBook;
use store::ledger::{Hold, Ledger};
use store::plans::PlanKind;

const AGENT: AgentId = AgentId::RequirementsGatherer;
const INSUFFICIENT: &str = "Your credits do not cover the next call. Add credits to continue.";

fn ledger(world: &World) -> Ledger {
    Ledger::new(&world.table)
}

async fn balance(world: &World) -> Balance {
    ledger(world).balance(world.scope.installation).await.unwrap()
}

/// Holds all credits except this many cents.
async fn leave(world: &World, cents: i64) -> Hold {
    let all = balance(world).await.available;
    ledger(world).hold(world.scope, all - MicroDollars::of_cents(cents)).await.unwrap()
}

#[tokio::test]
async fn a_chat_that_cannot_be_paid_is_refused_before_it_begins() {
    let world = World::new(Protocol::OpenAi, []).await;
    leave(&world, 31).await;
    let refused = agents::chat(&world.agents, AGENT, world.scope, "Go").await;
    let error = refused.err().expect("a refusal");
    assert_eq!(
        (error.code().as_str(), error.public_text()),
        ("insufficient_credits", INSUFFICIENT)
    );
    assert!(world.messages(AGENT).await.is_empty(), "a refused message is not stored");
    let asked = world.agents.check_credit(world.scope).await.unwrap_err();
    assert_eq!(asked.code().as_str(), "insufficient_credits");
    assert!(world.fake.requests().is_empty());
}

#[tokio::test]
async fn a_turn_that_runs_out_of_credits_ends_with_the_reason_and_keeps_its_work() {
    for protocol in ALL {
        let arguments = json!({"content": "x", "ready_to_continue": false});
        let first = reply().text("First.").call("a", "update_requirements", arguments);
        let world = World::new(protocol, [first.usage(1_000, 10_000).into()]).await;
        let rest = leave(&world, 40).await;
        let transcript = world.chat(AGENT, "Go").await;
        assert_eq!(transcript.failed, Some(("insufficient_credits", INSUFFICIENT.to_owned())));
        assert_eq!(transcript.text, "First.");
        assert_eq!(world.fake.requests().len(), 1, "no second call was made");
        let last = world.messages(AGENT).await.pop().unwrap();
        assert!(last.partial && last.notes == [INSUFFICIENT]);
        assert_eq!(balance(&world).await.held, rest.amount, "its own hold has ended");
    }
}

#[tokio::test]
async fn a_budget_that_is_reached_stops_the_agents_until_it_is_raised() {
    let world = World::new(Protocol::OpenAi, [reply().text("Hello.").usage(100, 10).into()]).await;
    let book = CostBook::new(&world.table);
    book.set_budget(world.scope, Some(MicroDollars::of_cents(200))).await.unwrap();
    assert_eq!(world.chat(AGENT, "Go").await.failed, None);
    book.set_budget(world.scope, Some(MicroDollars(700))).await.unwrap();
    let refused = agents::chat(&world.agents, AGENT, world.scope, "More").await;
    let error = refused.err().expect("a refusal");
    assert_eq!(error.code().as_str(), "budget_reached");
    assert_eq!(error.public_text(), Refusal::BudgetReached.to_string());
    book.set_budget(world.scope, Some(MicroDollars::of_cents(200))).await.unwrap();
    assert!(world.agents.check_credit(world.scope).await.is_ok());
}

#[tokio::test]
async fn a_step_that_runs_out_of_credits_fails_with_the_reason_and_can_be_prepared_again() {
    let script =
        json!({"step": 1, "script": "mkdir -p app", "proof": "test -d app", "summary": "Nothing."});
    let answer = reply().call("a", "propose_command", script).usage(100, 10);
    let world = World::new(Protocol::OpenAi, [answer.into()]).await;
    let rest = leave(&world, 1).await;
    let (plan_id, run_id) = world.execution(1).await;
    let prepare = async |run_id: &RunId| {
        let prepared =
            agents::prepare_step(&world.agents, world.scope, Track::Execution, &plan_id, 1, run_id);
        prepared.await.unwrap().unwrap()
    };
    let failed = prepare(&run_id).await;
    assert_eq!((failed.phase, failed.error.as_deref()), (Phase::Failed, Some(INSUFFICIENT)));
    ledger(&world).release(&rest).await.unwrap();
    let again = RunId::random();
    world
        .apply(
            &plan_id,
            1,
            Event::Approve {
                run_id: again.clone(),
                seen: Seen::default(),
                credentials: Vec::new(),
            },
        )
        .await;
    assert_eq!(prepare(&again).await.phase, Phase::WaitingApproval);
}

#[tokio::test]
async fn a_plan_that_runs_out_of_credits_fails_with_the_reason() {
    let world = World::new(Protocol::OpenAi, []).await;
    leave(&world, 1).await;
    let run_id = RunId::random();
    let agent = AgentId::CloudArchitect;
    agents::generate_plan(&world.agents, agent, world.scope, &run_id, "Generate").await.unwrap();
    let plan = world.plans().get(world.scope, PlanKind::Architecture).await.unwrap().unwrap();
    assert_eq!((plan.status, plan.detail.as_deref()), (PlanStatus::Failed, Some(INSUFFICIENT)));
}

#[tokio::test]
async fn a_call_that_returned_nothing_releases_its_hold() {
    for answer in [refusal(401), refusal(400)] {
        let world = World::new(Protocol::OpenAi, [answer]).await;
        let before = balance(&world).await;
        world.chat(AGENT, "Go").await;
        assert_eq!(balance(&world).await, before);
    }
}

#[tokio::test]
async fn a_hold_covers_the_longest_reply_that_the_model_may_give() {
    let world = World::new(Protocol::OpenAi, [reply().text("Hello.").usage(10, 1).into()]).await;
    world.fake.hold();
    let turn = agents::chat(&world.agents, AGENT, world.scope, "Go").await.unwrap();
    let held = loop {
        let held = balance(&world).await.held;
        if held > MicroDollars::ZERO {
            break held;
        }
        tokio::task::yield_now().await;
    };
    world.fake.release(100);
    crate::common::world::transcript(turn).await;
    let allowed = world.fake.requests()[0]["max_tokens"].as_i64().unwrap();
    assert!(held.0 > allowed * 20, "{held} for {allowed} tokens of reply");
}
