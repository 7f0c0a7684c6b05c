//! Tests the validator: its plan, its checks' scripts, its report.

use crate::common::reply::{ALL, Protocol, reply};
use crate::common::world::World;
use domain::plan::PlanStatus;
use domain::step::{Event, Phase, Seen, Track};
use domain::{AgentId, RunId};
use serde_json::json;
use store::plans::{PlanKind, Plans};

const AGENT: AgentId = AgentId::Validator;

fn plan() -> serde_json::Value {
    json!({"plan": "# Checks", "checks": [
        {"description": "The site answers", "prompt": "GET / gives 200"},
        {"description": "Nothing would change", "prompt": "terraform plan"},
    ]})
}

#[tokio::test]
async fn the_first_reply_writes_a_plan_of_checks_from_what_the_steps_printed() {
    for protocol in ALL {
        let answers = [
            reply().text("I will look at the site.").into(),
            reply().call("a", "write_validation_plan", plan()).into(),
        ];
        let world = World::new(protocol, answers).await;
        let (plan_id, run_id) = world.execution(1).await;
        world.ran(Track::Execution, &plan_id, 1, &run_id, "listening on 8080", 0).await;
        let transcript = world.chat(AGENT, "Create a validation plan").await;
        assert_eq!(transcript.failed, None);
        assert_eq!(transcript.tools[0].1, "Validation plan written, 2 checks");
        let written = world.plans().get(world.scope, PlanKind::Validation).await.unwrap().unwrap();
        assert_eq!((written.status, written.steps.len()), (PlanStatus::Ready, 2));
        let shown = world.fake.last_user_text(0);
        let results = "<execution_results>\nStep 1, exit code 0\nScript:\ntrue\nOutput:\nlistening on 8080\n</execution_results>";
        assert!(shown.contains(results), "{shown}");
        // There is nothing to report on yet.
        assert!(!world.fake.requests()[0]["tools"].to_string().contains("report"));
    }
}

#[tokio::test]
async fn the_validator_also_writes_its_plan_in_the_background() {
    let answers = [reply().call("a", "write_validation_plan", plan()).into()];
    let world = World::new(Protocol::OpenAi, answers).await;
    let run_id = RunId::random();
    agents::generate_plan(&world.agents, AGENT, world.scope, &run_id, "Plan").await.unwrap();
    let written = world.plans().get(world.scope, PlanKind::Validation).await.unwrap().unwrap();
    assert_eq!((written.status, written.run_id), (PlanStatus::Ready, Some(run_id)));
}

#[tokio::test]
async fn a_check_gets_its_script_from_the_validator_and_waits_for_its_owner() {
    for protocol in ALL {
        let propose = |step: u32| json!({"step": step, "script": "curl -f localhost", "summary": "Asks the site"});
        let answers = [
            reply().call("a", "propose_check", propose(2)).into(),
            reply().call("b", "propose_check", propose(1)).into(),
        ];
        let world = World::new(protocol, answers).await;
        let (execution, run_id) = world.execution(1).await;
        world.ran(Track::Execution, &execution, 1, &run_id, "listening on 8080", 0).await;
        let (plan_id, run_id) = world.validation(2).await;
        let prepared = agents::prepare_step(
            &world.agents,
            world.scope,
            Track::Validation,
            &plan_id,
            1,
            &run_id,
        );
        let check = prepared.await.unwrap().unwrap();
        assert_eq!(check.phase, Phase::WaitingApproval);
        assert_eq!(check.command.unwrap().script, "curl -f localhost\n");
        assert_eq!(world.fake.tool_results(1), ["Error: You were asked for check 1, not 2."]);
        let shown = world.fake.last_user_text(0);
        for part in [
            "<validation_plan>\n# Checks\n</validation_plan>",
            "<execution_results>\nStep 1, exit code 0",
            "<step number=\"1\">\nCheck 1\n\nProve part 1\n</step>",
            "Write the script of check 1 and pass it to `propose_check`.",
        ] {
            assert!(shown.contains(part), "{part} is not in {shown}");
        }
        let check = json!({"number": 1, "status": "in_progress", "description": "Check 1"});
        assert_eq!(world.fake.shown_json(0, "checks")[0], check);
        assert!(world.fake.requests()[0].to_string().contains("Groundcrew's validator"));
        assert_eq!(world.step(1).await.phase, Phase::Completed, "the execution is another track");
    }
}

#[tokio::test]
async fn a_report_can_be_written_once_a_check_has_run_and_shows_no_secret() {
    let report = json!({"content": "# All is well\nThe key AKIAIOSFODNN7ABCDEFG works."});
    let answers =
        [reply().call("a", "report", report).into(), reply().text("The report is written.").into()];
    let world = World::new(Protocol::Anthropic, answers).await;
    let (plan_id, run_id) = world.validation(2).await;
    world.ran(Track::Validation, &plan_id, 1, &run_id, "PASS: 200", 0).await;
    let transcript = world.chat(AGENT, "Report").await;
    assert_eq!(transcript.tools, [("report".to_owned(), "Validation report written".to_owned())]);
    let plans = Plans::new(&world.table);
    let written = plans.get(world.scope, PlanKind::Validation).await.unwrap().unwrap();
    assert!(written.report.starts_with("# All is well") && !written.report.contains("AKIA"));
    let shown = world.fake.last_user_text(0);
    let results = "<earlier_results>\nCheck 1, exit code 0\nScript:\ntrue\nOutput:\nPASS: 200\n</earlier_results>";
    assert!(shown.contains(results), "{shown}");
}

#[tokio::test]
async fn a_helpers_command_is_proposed_again_unchanged_without_a_model() {
    let world = World::new(Protocol::OpenAi, []).await;
    let (plan_id, run_id) = world.on_track(Track::Helper, 1).await;
    let script = "docker restart web\n".to_owned();
    let prepared = Event::Prepared {
        run_id,
        next_run_id: RunId::random(),
        script: script.clone(),
        verdict: None,
        rollback: None,
    };
    world.apply_on(Track::Helper, &plan_id, 1, prepared).await;
    world
        .apply_on(Track::Helper, &plan_id, 1, Event::Reject { seen: Seen::default(), reason: None })
        .await;
    let again = RunId::random();
    let approve =
        Event::Approve { run_id: again.clone(), seen: Seen::default(), credentials: Vec::new() };
    world.apply_on(Track::Helper, &plan_id, 1, approve).await;
    let prepared =
        agents::prepare_step(&world.agents, world.scope, Track::Helper, &plan_id, 1, &again).await;
    let step = prepared.unwrap().unwrap();
    assert_eq!((step.phase, step.command.unwrap().script), (Phase::WaitingApproval, script));
}
