//! Follows a requirement to its proof: the list of what was asked, the steps that build it, the checks that prove it.

use crate::common::reply::{ALL, reply};
use crate::common::world::World;
use domain::step::Track;
use domain::{AgentId, PlanId, RunId};
use serde_json::{Value, json};
use store::executions::Executions;
use store::plans::PlanKind;

fn requirements() -> Value {
    json!({"content": "# Goal", "ready_to_continue": true, "asked": [
        {"wish": "a VPS", "fate": "built", "how": ""},
        {"wish": "MySQL 5.7", "fate": "differently", "how": "MySQL 8.4"},
        {"wish": "Redis", "fate": "not", "how": "it was not understood"},
    ]})
}

fn step(requirements: &[&str]) -> Value {
    json!({"description": "Do it", "prompt": "now", "requirements": requirements})
}

fn plan(key: &str, requirements: &[&str]) -> Value {
    json!({"plan": "# The plan", key: [step(&[]), step(requirements)]})
}

/// Starts the plan's steps; returns the first step's run.
async fn begun(world: &World, track: Track, kind: PlanKind) -> (PlanId, RunId) {
    let plan = world.plans().get(world.scope, kind).await.unwrap().unwrap();
    let plan_id = plan.plan_id.unwrap();
    let executions = Executions::new(&world.table).on(track);
    executions.start(world.scope, &plan_id, &plan.steps).await.unwrap().unwrap();
    let run_id = RunId::random();
    let prepare = domain::step::Event::Prepare { run_id: run_id.clone() };
    world.apply_on(track, &plan_id, 1, prepare).await;
    (plan_id, run_id)
}

#[tokio::test]
async fn a_plan_says_what_builds_each_requirement_and_what_nothing_builds() {
    for protocol in ALL {
        let answers = [
            reply().call("a", "update_requirements", requirements()).into(),
            reply().text("Please confirm.").into(),
            reply().call("b", "write_implementation_plan", plan("steps", &["R7"])).into(),
            reply().call("c", "write_implementation_plan", plan("steps", &["r1"])).into(),
            reply().text("Written.").into(),
        ];
        let world = World::new(protocol, answers).await;
        world.chat(AgentId::RequirementsGatherer, "A VPS with MySQL 5.7 and Redis").await;
        let transcript = world.chat(AgentId::ImplementationPlanner, "Generate the plan").await;
        assert_eq!(transcript.failed, None);
        let shown = world.fake.last_user_text(2);
        for row in ["| R1 | a VPS | built |", "| R3 | Redis | not built: it was not understood |"] {
            assert!(shown.contains(row), "{row} is not in {shown}");
        }
        let unknown =
            "Error: Step 2 names R7, and there is no such requirement. There are R1, R2, R3.";
        assert_eq!(world.fake.tool_results(3), [unknown]);
        let written = world.fake.tool_results(4).concat();
        assert!(written.contains("No step names R2: the user is shown that."), "{written}");
        let plan = world.plans().get(world.scope, PlanKind::Implementation).await.unwrap().unwrap();
        assert_eq!(plan.steps[1].requirements, ["R1"]);
        for row in [
            "| R1 | a VPS | 2 |",
            "| R2 | MySQL 5.7 | no step names it |",
            "| R3 | Redis | not built: it was not understood |",
        ] {
            assert!(plan.text.contains(row), "{row} is not in {}", plan.text);
        }
    }
}

#[tokio::test]
async fn a_report_says_what_is_proved_of_each_requirement_whatever_the_model_claims() {
    for protocol in ALL {
        let claimed =
            "# All is proved\n\n## What you asked for, and what is proved\n\n| all | proved |\n";
        let answers = [
            reply().call("a", "update_requirements", requirements()).into(),
            reply().text("Please confirm.").into(),
            reply().call("b", "write_implementation_plan", plan("steps", &["R1"])).into(),
            reply().text("Written.").into(),
            reply().call("c", "write_validation_plan", plan("checks", &["R1", "R2"])).into(),
            reply().call("d", "report", json!({"content": claimed})).into(),
            reply().text("Written.").into(),
        ];
        let world = World::new(protocol, answers).await;
        world.chat(AgentId::RequirementsGatherer, "A VPS with MySQL 5.7 and Redis").await;
        world.chat(AgentId::ImplementationPlanner, "Generate the plan").await;
        begun(&world, Track::Execution, PlanKind::Implementation).await;
        world.chat(AgentId::Validator, "Create a validation plan").await;
        let (plan_id, run_id) = begun(&world, Track::Validation, PlanKind::Validation).await;
        world.ran(Track::Validation, &plan_id, 1, &run_id, "PASS: it is there", 0).await;
        world.chat(AgentId::Validator, "Report").await;
        let plan = world.plans().get(world.scope, PlanKind::Validation).await.unwrap().unwrap();
        assert!(plan.text.contains("| R2 | MySQL 5.7 | 2 |"), "{}", plan.text);
        assert!(!plan.report.contains("| all | proved |"), "{}", plan.report);
        for row in [
            "| R1 | a VPS | step 2 | check 2 | not checked yet |",
            "| R2 | MySQL 5.7 (instead: MySQL 8.4) | no step names it | check 2 | not checked yet |",
            "| R3 | Redis | – | – | not built |",
        ] {
            assert!(plan.report.contains(row), "{row} is not in {}", plan.report);
        }
    }
}
