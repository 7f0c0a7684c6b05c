//! Tests that a run from the queue says what it waits for where its user looks, and no longer than it waits.

use crate::common::reply::{ALL, Answer, Protocol, refusal, reply};
use crate::common::world::World;
use domain::plan::{Plan, PlanStatus};
use domain::step::{Event, Phase, Track};
use domain::{AgentId, RunId};
use serde_json::json;
use std::sync::mpsc;
use std::time::Duration;
use store::plans::PlanKind;

const KIND: PlanKind = PlanKind::Implementation;

/// Stops the clock until it is dropped. The clock moves only when a test says so, because a blocking task runs meanwhile.
struct StoppedClock {
    _running: mpsc::Sender<()>,
}

impl StoppedClock {
    fn new() -> Self {
        let (running, ended) = mpsc::channel::<()>();
        tokio::task::spawn_blocking(move || ended.recv());
        tokio::time::pause();
        Self { _running: running }
    }
}

impl Drop for StoppedClock {
    fn drop(&mut self) {
        tokio::time::resume();
    }
}

fn busy() -> Answer {
    refusal(529).header("retry-after", "120")
}

fn written() -> Answer {
    let steps = json!([{"description": "Prepare", "prompt": "mkdir"}]);
    reply().call("a", "write_implementation_plan", json!({"plan": "# Plan", "steps": steps})).into()
}

fn proposed() -> Answer {
    let call = json!({"step": 1, "script": "mkdir -p a", "proof": "test -d a", "summary": "x"});
    reply().call("p", "propose_command", call).into()
}

async fn plan(world: &World) -> Plan {
    world.plans().get(world.scope, KIND).await.unwrap().unwrap()
}

fn assert_is_notice(text: &str) {
    assert!(text.starts_with("The AI model is busy; trying again until "), "{text}");
    assert!(text.ends_with(" UTC."), "{text}");
}

#[tokio::test]
async fn a_plan_says_that_its_run_waits_for_a_busy_model_and_until_when() {
    for protocol in ALL {
        let world = World::new(protocol, [busy(), written()]).await;
        let (agents, scope, run_id) = (world.agents.clone(), world.scope, RunId::random());
        let _stopped = StoppedClock::new();
        let run = tokio::spawn(async move {
            let agent = AgentId::ImplementationPlanner;
            agents::generate_plan(&agents, agent, scope, &run_id, "Go").await
        });
        let waiting = loop {
            let plan = plan(&world).await;
            if plan.detail.is_some() {
                break plan;
            }
        };
        assert_eq!(waiting.status, PlanStatus::Generating);
        assert_is_notice(&waiting.detail.unwrap());
        world.fake.hold();
        tokio::time::advance(Duration::from_secs(121)).await;
        while world.fake.requests().len() < 2 {
            tokio::task::yield_now().await;
        }
        world.fake.release(1_000);
        run.await.unwrap().unwrap();
        let plan = plan(&world).await;
        assert_eq!((plan.status, plan.detail), (PlanStatus::Ready, None));
    }
}

#[tokio::test]
async fn a_step_says_that_its_preparation_waits_and_stops_saying_it() {
    let world = World::new(Protocol::OpenAi, [busy(), proposed()]).await;
    let (plan_id, run_id) = world.execution(1).await;
    let (agents, scope) = (world.agents.clone(), world.scope);
    let _stopped = StoppedClock::new();
    let run = tokio::spawn({
        let (plan_id, run_id) = (plan_id.clone(), run_id.clone());
        async move {
            let track = Track::Execution;
            agents::prepare_step(&agents, scope, track, &plan_id, 1, &run_id).await
        }
    });
    let waiting = loop {
        let step = world.step(1).await;
        if step.notice.is_some() {
            break step;
        }
    };
    assert_eq!(waiting.phase, Phase::Preparing);
    assert_is_notice(&waiting.notice.unwrap());
    tokio::time::advance(Duration::from_secs(121)).await;
    let step = run.await.unwrap().unwrap().unwrap();
    assert_eq!((step.phase, step.notice), (Phase::WaitingApproval, None));
}

#[tokio::test]
async fn a_notice_of_another_run_or_of_a_step_that_is_not_prepared_is_ignored() {
    let world = World::new(Protocol::OpenAi, []).await;
    let (plan_id, run_id) = world.execution(1).await;
    let waits =
        |run_id: &RunId| Event::Waiting { run_id: run_id.clone(), notice: Some("x".into()) };
    assert_eq!(world.apply(&plan_id, 1, waits(&RunId::random())).await.notice, None);
    assert_eq!(world.apply(&plan_id, 1, waits(&run_id)).await.notice.as_deref(), Some("x"));
    world.ran(Track::Execution, &plan_id, 1, &run_id, "done", 0).await;
    assert_eq!(world.apply(&plan_id, 1, waits(&run_id)).await.notice, None);
    let run_id = RunId::random();
    assert!(world.plans().generating(world.scope, KIND, &run_id).await.unwrap());
    for (run_id, notice) in [(RunId::random(), None), (run_id, Some("x"))] {
        world.plans().waiting(world.scope, KIND, &run_id, Some("x")).await.unwrap();
        assert_eq!(plan(&world).await.detail.as_deref(), notice);
    }
}
