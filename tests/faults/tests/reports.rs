//! Reports of a sandbox that arrive twice, late, in the wrong order or from the wrong sandbox.

use api_tests::{Model, Project, World, eventually};
use fault_tests::{Agent, ended};
use protocol::FromAgent;
use store::executions::Executions;

/// A project of the owner with two steps, its fake agent, and the model.
async fn begin(model: &Model) -> (World, Project, Agent) {
    let world = World::with(model).await;
    let project = world.owner.project("Reports").await;
    let agent = Agent::of(&project).await;
    project.execute(&["echo one", "echo two"]).await;
    (world, project, agent)
}

#[tokio::test]
async fn a_repeated_report_changes_nothing() {
    let model = Model::start().await;
    let (_world, project, mut agent) = begin(&model).await;
    project.approve(1).await;
    let order = agent.order().await;
    agent.runs(&order, 0, "one\n").await;
    project.step_is(2, "waiting_approval").await;

    agent.accepts(&order).await;
    agent.shows(&order, 2_000, "something else\n").await;
    // The same report, and one that contradicts it: both are confirmed, so that the agent can forget them.
    for report in [ended(&order.run_id, 0, "one\n"), ended(&order.run_id, 9, "other\n")] {
        agent.says(report).await;
        agent.recorded(&order.run_id).await;
    }
    let (first, second) = (project.step(1).await, project.step(2).await);
    assert_eq!((first.status.as_str(), first.output.as_str()), ("completed", "one\n"));
    assert_eq!((second.status.as_str(), second.attempt), ("waiting_approval", 1));
    assert_eq!(model.times_asked(), 2, "each step was prepared once");
}

#[tokio::test]
async fn a_report_of_an_earlier_attempt_comes_too_late() {
    let model = Model::start().await;
    let (_world, project, mut agent) = begin(&model).await;
    project.approve(1).await;
    let first = agent.order().await;
    agent.runs(&first, 1, "failed\n").await;
    let failed = project.step_is(1, "failed").await;
    project.decide(&failed, true).await.is(200);
    let second = agent.order().await;
    assert_ne!(first.run_id, second.run_id);
    agent.accepts(&second).await;

    agent.shows(&first, 5_000, "late\n").await;
    agent.says(ended(&first.run_id, 0, "late\n")).await;
    agent.recorded(&first.run_id).await;
    let still = project.step(1).await;
    assert!(still.is_running() && still.output.is_empty(), "{still:?}");
    agent.runs(&second, 0, "second\n").await;
    assert_eq!(project.step_is(1, "completed").await.output, "second\n");
}

#[tokio::test]
async fn the_newest_view_of_an_output_is_not_replaced_by_a_late_one() {
    let model = Model::start().await;
    let (_world, project, mut agent) = begin(&model).await;
    project.approve(1).await;
    let order = agent.order().await;
    agent.accepts(&order).await;
    agent.shows(&order, 7, "one two three").await;
    project.step_when(1, "shows it", |step| step.output == "one two three").await;
    agent.shows(&order, 3, "one").await;
    agent.shows(&order, 7, "again").await;
    agent.shows(&order, 8, "one two three four").await;
    project.step_when(1, "shows more", |step| step.output == "one two three four").await;
    // Nothing overtook the report of the end, so anything that arrives after it is old.
    agent.says(ended(&order.run_id, 0, "all of it")).await;
    agent.recorded(&order.run_id).await;
    agent.shows(&order, 9_999, "too late").await;
    agent.says(ended(&order.run_id, 0, "all of it")).await;
    agent.recorded(&order.run_id).await;
    assert_eq!(project.step(1).await.output, "all of it");
}

#[tokio::test]
async fn an_end_that_overtakes_its_acknowledgement_counts() {
    let model = Model::start().await;
    let (_world, project, mut agent) = begin(&model).await;
    project.approve(1).await;
    let order = agent.order().await;
    agent.says(ended(&order.run_id, 0, "quick\n")).await;
    agent.accepts(&order).await;
    project.step_is(2, "waiting_approval").await;
    assert_eq!(project.step(1).await.output, "quick\n");
}

#[tokio::test]
async fn an_output_that_races_with_its_acknowledgement_is_not_lost() {
    let model = Model::start().await;
    let (world, project, mut agent) = begin(&model).await;
    let executions = Executions::new(&world.app.table());
    project.step_is(1, "waiting_approval").await;
    for round in 0..15 {
        project.decide(&project.step(1).await, true).await.is(200);
        let order = agent.order().await;
        // Two messages that the gateway handles at the same time.
        agent.accepts(&order).await;
        let output = format!("round {round}\n");
        agent.shows(&order, 1, &output).await;
        eventually("the acknowledgment", async || {
            let execution = executions.load(project.scope()).await.unwrap().unwrap();
            execution.step(1).unwrap().acknowledged.then_some(())
        })
        .await;
        project.step_when(1, "shows its output", |step| step.output == output).await;
        agent.says(ended(&order.run_id, 0, &output)).await;
        agent.recorded(&order.run_id).await;
    }
}

#[tokio::test]
async fn a_sandbox_changes_only_its_own_projects_steps() {
    let model = Model::start().await;
    let (world, project, mut agent) = begin(&model).await;
    project.approve(1).await;
    let order = agent.order().await;
    agent.accepts(&order).await;

    let theirs = world.stranger.project("Elsewhere").await;
    let mut foreign = Agent::of(&theirs).await;
    foreign.shows(&order, 10, "forged\n").await;
    foreign.says(ended(&order.run_id, 0, "forged\n")).await;
    foreign.recorded(&order.run_id).await;
    for run_id in ["1-made-up", "99-made-up", "x", "", "1"] {
        agent.says(ended(run_id, 0, "made up\n")).await;
        agent.recorded(run_id).await;
    }
    let still = project.step(1).await;
    assert!(still.is_running() && still.output.is_empty(), "{still:?}");
}

#[tokio::test]
async fn an_agent_that_connects_again_gets_what_waits_for_it() {
    let model = Model::start().await;
    let world = World::with(&model).await;
    let project = world.owner.project("Again").await;
    let agent = Agent::of(&project).await;
    let generation = project.kept_sandbox().await.generation;
    let tokens = store::tokens::Tokens::new(&world.app.table());
    let grant = store::tokens::Grant::Sandbox { scope: project.scope(), generation };
    let token = tokens.issue(grant, 60).await.unwrap();
    // It renews its connection before it drops the old one.
    let (mut renewed, _) = Agent::with_token(&project, token.expose()).await;
    let connection = project.kept_sandbox().await.connection_id;
    drop(agent);
    project.execute(&["echo one"]).await;
    project.approve(1).await;
    let order = renewed.order().await;
    renewed.runs(&order, 0, "one\n").await;
    assert_eq!(project.kept_sandbox().await.connection_id, connection);
    renewed.says(FromAgent::Heartbeat { seq: 2, idle_seconds: None }).await;
    project.step_is(1, "completed").await;
}

#[tokio::test]
async fn a_token_opens_one_connection() {
    let model = Model::start().await;
    let world = World::with(&model).await;
    let project = world.owner.project("Once").await;
    let tokens = store::tokens::Tokens::new(&world.app.table());
    let grant = store::tokens::Grant::Sandbox { scope: project.scope(), generation: 1 };
    let token = tokens.issue(grant, 60).await.unwrap();
    let address = world.app.url("/ws").replacen("http", "ws", 1);
    let address = format!("{address}?token={}", token.expose());
    let (one, other) =
        futures::join!(api_tests::Socket::open(&address), api_tests::Socket::open(&address));
    assert_eq!(u8::from(one.is_ok()) + u8::from(other.is_ok()), 1);
}
