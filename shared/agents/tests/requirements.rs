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
        for row in
            ["| R1 | a VPS | will be built |", "| R3 | Redis | not built: it was not understood |"]
        {
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

fn line(wish: &str, words: &str) -> Value {
    json!({"wish": wish, "fate": "built", "how": "", "words": words})
}

fn asking(lines: &[Value]) -> Value {
    json!({"content": "# Goal", "ready_to_continue": true, "asked": lines})
}

async fn written(world: &World) -> String {
    world.plans().requirements(world.scope).await.unwrap().unwrap().content
}

#[tokio::test]
async fn a_line_quotes_the_user_and_an_invented_quotation_is_refused() {
    for protocol in ALL {
        let invented = asking(&[line("Location: fsn1", "in Falkenstein")]);
        let corrected = asking(&[line("Location: nbg1", "“In  nuremberg”"), line("TLS", "")]);
        let answers = [
            reply().call("a", "update_requirements", invented).into(),
            reply().call("b", "update_requirements", corrected).into(),
            reply().text("Please confirm.").into(),
        ];
        let world = World::new(protocol, answers).await;
        let transcript = world.chat(AgentId::RequirementsGatherer, "In Nuremberg, please").await;
        assert_eq!(transcript.failed, None);
        let refusal = world.fake.tool_results(1).concat();
        let problem = "“Location: fsn1” quotes “in Falkenstein”, which the user never said";
        assert!(refusal.starts_with(&format!("Error: {problem}")), "{refusal}");
        let list = "| id | asked | your words | outcome |\n|---|---|---|---|\n\
                    | R1 | Location: nbg1 | “In nuremberg” | will be built |\n| R2 | TLS | – | will be built |\n";
        let written = written(&world).await;
        assert!(written.contains(list), "{written}");
        assert!(!written.contains("Falkenstein"), "{written}");
    }
}

#[tokio::test]
async fn what_no_line_quotes_is_named_to_the_model_and_shown_to_the_user() {
    for protocol in ALL {
        let answers = [
            reply().call("a", "update_requirements", asking(&[line("a VPS", "VPS")])).into(),
            reply().text("Please confirm.").into(),
        ];
        let world = World::new(protocol, answers).await;
        let said = "Hello! A VPS with MySQL, and it must survive a full moon. Thanks!";
        world.chat(AgentId::RequirementsGatherer, said).await;
        let told = world.fake.tool_results(1).concat();
        let named =
            "No wish quotes these words of the user: “MySQL, and it must survive a full moon”.";
        assert!(told.contains(named), "{told}");
        let shown = "which no line above covers: “MySQL, and it must survive a full moon”.\n";
        assert!(written(&world).await.ends_with(shown), "{}", written(&world).await);
    }
}

#[tokio::test]
async fn a_new_line_needs_a_quotation_and_a_known_one_keeps_its_own() {
    for protocol in ALL {
        let bare = json!({"wish": "a VPS", "fate": "built", "how": ""});
        let redis = json!({"wish": "Redis", "fate": "built", "how": ""});
        let first = asking(&[line("a VPS", "VPS")]);
        let careless = asking(&[bare.clone(), redis, line("TLS", "TLS")]);
        let corrected = asking(&[bare, line("Redis", "redis"), line("TLS", "TLS")]);
        let answers = [
            reply().call("a", "update_requirements", first).into(),
            reply().text("Anything else?").into(),
            reply().call("b", "update_requirements", careless).into(),
            reply().call("c", "update_requirements", corrected).into(),
            reply().text("Please confirm.").into(),
        ];
        let world = World::new(protocol, answers).await;
        world.chat(AgentId::RequirementsGatherer, "A VPS").await;
        world.chat(AgentId::RequirementsGatherer, "With Redis and TLS").await;
        let refusal = world.fake.tool_results(3).concat();
        assert!(refusal.contains("Error: “Redis” has no `words`. In"), "{refusal}");
        let written = written(&world).await;
        for row in
            ["| R1 | a VPS | “VPS” | will be built |", "| R2 | Redis | “redis” | will be built |"]
        {
            assert!(written.contains(row), "{row} is not in {written}");
        }
    }
}

#[tokio::test]
async fn a_model_that_cannot_quote_still_writes_the_document_without_its_false_quotation() {
    for protocol in ALL {
        let invented = |id: &str| {
            reply().call(id, "update_requirements", asking(&[line("a VPS", "a cluster")]))
        };
        let answers = [
            invented("a").into(),
            invented("b").into(),
            invented("c").into(),
            reply().text("Please confirm.").into(),
        ];
        let world = World::new(protocol, answers).await;
        let transcript = world.chat(AgentId::RequirementsGatherer, "A VPS").await;
        assert_eq!(transcript.failed, None);
        let told = world.fake.tool_results(3).concat();
        assert!(told.contains("1 of the wishes stand there without a quotation"), "{told}");
        let written = written(&world).await;
        assert!(written.contains("| R1 | a VPS | will be built |"), "{written}");
        assert!(written.contains("no line above covers: “A VPS”."), "{written}");
        assert!(!written.contains("cluster"), "{written}");
    }
}

#[tokio::test]
async fn a_list_without_any_quotation_is_written_and_the_model_learns_of_it() {
    let world = World::new(
        ALL[0],
        [
            reply().call("a", "update_requirements", requirements()).into(),
            reply().text("Please confirm.").into(),
        ],
    )
    .await;
    world.chat(AgentId::RequirementsGatherer, "A VPS with MySQL 5.7 and Redis").await;
    let told = world.fake.tool_results(1).concat();
    assert!(told.contains("No wish has `words`"), "{told}");
    assert!(!written(&world).await.contains("no line above"), "nothing can be compared");
}

#[tokio::test]
async fn the_projects_name_can_be_quoted() {
    let world = World::new(
        ALL[0],
        [
            reply().call("a", "update_requirements", asking(&[line("a blog", "Blog")])).into(),
            reply().text("Please confirm.").into(),
        ],
    )
    .await;
    world.chat(AgentId::RequirementsGatherer, "Use the defaults").await;
    assert!(written(&world).await.contains("| R1 | a blog | “Blog” | will be built |"));
}
