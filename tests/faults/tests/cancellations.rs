//! Cancellations that do not reach the sandbox at once, and runs that are given up: neither goes on.

use api_tests::{Model, Project, Settings, Step, World, eventually};
use domain::audit::Verdict;
use fault_tests::{Agent, ended};
use protocol::{FromAgent, Outcome, RunOrder, RunReport, ToAgent};
use serde_json::{Value, json};
use std::time::Duration;
use store::audit::Audit;

/// How far the clock of the queues is moved forward at once, in seconds: longer than a message waits for its next try.
const SKIP: u32 = 60;
/// The pause between two such moves.
const SKIP_EVERY: Duration = Duration::from_millis(100);

/// A project whose first step is ordered, its fake agent and the token for the agent's next connection.
async fn ordered(model: &Model, settings: Settings) -> (World, Project, Agent, String, RunOrder) {
    let world = World::with_settings(Settings { model: Some(model.base_url()), ..settings }).await;
    let project = world.owner.project("Cancel").await;
    let mut agent = Agent::of(&project).await;
    agent.says_hello(1).await;
    let (next, _) = agent.welcomed().await;
    project.execute(&["echo one"]).await;
    project.approve(1).await;
    let order = agent.order().await;
    (world, project, agent, next, order)
}

/// Drops the agent's connection and waits until the gateway has noticed.
async fn goes_away(project: &Project, agent: Agent) {
    drop(agent);
    eventually("the connection is gone", async || {
        project.kept_sandbox().await.connection_id.is_none().then_some(())
    })
    .await;
}

async fn is_back(project: &Project, token: &str) -> Agent {
    let mut agent = Agent::opens(project, token).await;
    agent.says_hello(2).await;
    agent.welcomed().await;
    agent
}

async fn cancel(project: &Project) -> Step {
    let step = project.step(1).await;
    let plan_id = project.progress().await.id;
    let name = json!({"plan_id": plan_id, "step_number": 1, "attempt": step.attempt});
    let answer = project.post("/execution/cancel-step", name).await.is(200);
    serde_json::from_slice(&answer.body).unwrap()
}

/// Waits for the next message about a run: whether it is a cancellation, or else an order.
async fn cancels_next(agent: &mut Agent, order: &RunOrder) -> bool {
    let about = |message: &ToAgent| match message {
        ToAgent::RunCancel { run_id } if *run_id == order.run_id => Some(true),
        ToAgent::Run(again) if again.run_id == order.run_id => Some(false),
        _ => None,
    };
    agent.wait_for(about).await
}

/// The report of a run that the sandbox has canceled.
fn cancelled(order: &RunOrder, output: &str) -> FromAgent {
    let FromAgent::RunFinished(report) = ended(&order.run_id, 0, output) else { unreachable!() };
    let (outcome, exit_code) = (Outcome::Cancelled, None);
    FromAgent::RunFinished(RunReport { outcome, exit_code, ..report })
}

#[tokio::test]
async fn a_run_that_is_canceled_while_its_agent_is_away_goes_on_until_the_agent_is_back() {
    let model = Model::start().await;
    let (world, project, mut agent, next, order) = ordered(&model, Settings::default()).await;
    agent.accepts(&order).await;
    agent.shows(&order, 1, "begun\n").await;
    project.step_when(1, "has begun", |step| step.output == "begun\n").await;
    goes_away(&project, agent).await;

    let first = cancel(&project).await;
    assert!(first.is_running() && first.cancelling, "{first:?}");
    project.decide(&first, true).await.refuses(409, "illegal_transition");
    assert!(cancel(&project).await.cancelling, "asked again");

    let mut agent = is_back(&project, &next).await;
    assert!(cancels_next(&mut agent, &order).await);
    // The message can be lost, too. The command goes on, and each sign of it is answered.
    agent.shows(&order, 2, "begun\nmore\n").await;
    assert!(cancels_next(&mut agent, &order).await);
    agent.accepts(&order).await;
    assert!(cancels_next(&mut agent, &order).await);
    assert!(project.step(1).await.is_running());
    agent.says(cancelled(&order, "begun\nmore\n")).await;
    agent.recorded(&order.run_id).await;
    let end = project.step_when(1, "failed", |step| step.status == "failed").await;
    assert_eq!(end.error_message.as_deref(), Some("Canceled by user"));
    assert_eq!((end.output.as_str(), end.cancelling), ("begun\nmore\n", false));

    let decisions = Audit::new(&world.app.table()).decisions(project.scope()).await.unwrap();
    let kept = decisions.iter().filter(|decision| decision.verdict == Verdict::Cancelled);
    assert_eq!(kept.count(), 1);
}

#[tokio::test]
async fn a_run_that_is_canceled_before_it_is_accepted_is_never_ordered_again() {
    let model = Model::start().await;
    let (_world, project, mut agent, next, order) = ordered(&model, Settings::default()).await;
    // The agent is filling its workspace, so the order waits there.
    assert!(cancel(&project).await.cancelling);
    assert!(cancels_next(&mut agent, &order).await);
    goes_away(&project, agent).await;
    let mut agent = is_back(&project, &next).await;
    assert!(cancels_next(&mut agent, &order).await, "not the order once more");
    agent.says(cancelled(&order, "")).await;
    agent.recorded(&order.run_id).await;
    let end = project.step_when(1, "failed", |step| step.status == "failed").await;
    assert_eq!(end.failure.as_deref(), Some("cancelled"));
}

#[tokio::test]
async fn a_canceled_run_ends_with_its_sandbox_and_stays_canceled() {
    let model = Model::start().await;
    let (_world, project, mut agent, _, order) = ordered(&model, Settings::default()).await;
    agent.accepts(&order).await;
    agent.shows(&order, 1, "begun\n").await;
    project.step_when(1, "has begun", |step| step.output == "begun\n").await;
    goes_away(&project, agent).await;
    assert!(cancel(&project).await.cancelling);
    // The next sandbox has nothing of the former one's runs.
    let _next = Agent::of(&project).await;
    let end = project.step_when(1, "failed", |step| step.status == "failed").await;
    assert_eq!(end.failure.as_deref(), Some("cancelled"), "no page executes it again");
}

#[tokio::test]
async fn the_gateway_ends_a_run_that_an_agent_continues_after_its_end() {
    let model = Model::start().await;
    let (_world, project, mut agent, _, first) = ordered(&model, Settings::default()).await;
    agent.runs(&first, 1, "failed\n").await;
    let failed = project.step_when(1, "failed", |step| step.status == "failed").await;
    project.decide(&failed, true).await.is(200);
    let second = agent.order().await;
    agent.accepts(&second).await;
    agent.shows(&first, 2_000, "still here\n").await;
    assert!(cancels_next(&mut agent, &first).await);
    agent.runs(&second, 0, "second\n").await;
    assert_eq!(project.step_is(1, "completed").await.output, "second\n");
}

#[tokio::test]
async fn a_run_that_no_agent_accepts_is_canceled_at_the_agent_before_its_step_fails() {
    let model = Model::start().await;
    let settings = Settings { faults: true, ..Settings::default() };
    let (world, project, mut agent, _, order) = ordered(&model, settings).await;
    let clock = format!("{}/_local/clock/skip", world.app.engines());
    let time_passes = async {
        loop {
            let skip = reqwest::Client::new().post(&clock).json(&json!({"seconds": SKIP}));
            skip.send().await.unwrap().json::<Value>().await.ok();
            tokio::time::sleep(SKIP_EVERY).await;
        }
    };
    let given_up = async { while !cancels_next(&mut agent, &order).await {} };
    tokio::select! {
        () = given_up => {}
        () = time_passes => {}
    }
    let end = project.step_when(1, "failed", |step| step.status == "failed").await;
    assert_eq!(end.failure.as_deref(), Some("unreachable"));
}
