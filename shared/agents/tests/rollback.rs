//! Tests that the command of a change comes with the script that rolls the change back.

use crate::common::reply::{Answer, Protocol, reply};
use crate::common::world::World;
use domain::Timestamp;
use domain::audit::Actor;
use domain::change::ChangeKind;
use domain::stage::Pipeline;
use domain::step::{Phase, Step, Track};
use serde_json::json;
use store::changes::Changes;
use store::pipelines::Pipelines;

const BACK: &str = "test -d there && rmdir there\ntest ! -e there";

fn proposed(script: &str, rollback: &str) -> Answer {
    let call = json!({"step": 1, "script": script, "proof": "test -d there", "summary": "x",
        "rollback": rollback});
    reply().call("a", "propose_command", call).into()
}

/// The first step of a change, or of a tear-down, once the agent has prepared it.
async fn prepared(world: &World, kind: ChangeKind) -> Step {
    let done = |pipeline: &mut Pipeline| {
        *pipeline = Pipeline::done_with(1, Timestamp::now());
        Ok(())
    };
    Pipelines::new(&world.table).change(world.scope, done).await.unwrap().unwrap();
    let by = Actor { user_id: 1, login: "ada".into() };
    let changes = Changes::new(&world.table);
    changes.begin(world.scope, kind, "Make a folder", &by).await.unwrap().unwrap();
    let (plan_id, run_id) = world.execution(1).await;
    let track = Track::Execution;
    let step = agents::prepare_step(&world.agents, world.scope, track, &plan_id, 1, &run_id).await;
    let step = step.unwrap().unwrap();
    assert_eq!(step.phase, Phase::WaitingApproval, "{:?}", step.error);
    step
}

#[tokio::test]
async fn a_model_that_leaves_the_rollback_out_or_writes_a_bad_one_gets_the_reason() {
    let answers = [
        proposed("mkdir -p there", ""),
        proposed("mkdir -p there", "if then"),
        proposed("mkdir -p there", "docker pull nginx:latest"),
        proposed("mkdir -p there", BACK),
    ];
    let world = World::new(Protocol::OpenAi, answers).await;
    let step = prepared(&world, ChangeKind::Change).await;
    let rollback = step.rollback().unwrap();
    assert_eq!(rollback.script.trim_end(), BACK);
    let verdict = rollback.verdict.as_ref().unwrap();
    assert_eq!((&verdict.sha256, verdict.findings.len()), (&rollback.sha256, 0));
    let requests = world.fake.requests();
    assert!(requests[0].to_string().contains("How a change is rolled back"));
    for (request, complaint) in
        [(1, "`rollback` is missing"), (2, "`rollback`"), (3, "names no version")]
    {
        assert!(requests[request].to_string().contains(complaint), "{}", requests[request]);
    }
}

#[tokio::test]
async fn a_change_that_terraform_makes_has_no_rollback_script() {
    let script = "mkdir -p there\nterraform -chdir=terraform plan -input=false -out=tfplan";
    let world = World::new(Protocol::OpenAi, [proposed(script, "")]).await;
    assert_eq!(prepared(&world, ChangeKind::Change).await.rollback(), None);
    assert_eq!(world.fake.requests().len(), 1);
}

#[tokio::test]
async fn a_tear_down_has_no_rollback() {
    let world = World::new(Protocol::OpenAi, [proposed("mkdir -p there", BACK)]).await;
    assert_eq!(prepared(&world, ChangeKind::TearDown).await.rollback(), None);
    assert!(!world.fake.requests()[0].to_string().contains("How a change is rolled back"));
}
