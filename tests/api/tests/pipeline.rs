//! A whole project, from the first message to the downloaded files, using only API calls.

mod handover;

use api_tests::{Actor, Project, World};
use aws_sdk_dynamodb::types::AttributeValue;
use serde_json::{Value, json};

async fn confirm(project: &Project, stage: &str, next: &str) {
    let states = format!("/project-states/{}", project.id);
    let complete = json!({"is_completed": true});
    project.put(&format!("{states}/stages/{stage}"), complete).await.is(200);
    project.put(&format!("{states}/current-stage/{next}"), json!({})).await.is(200);
}

/// Approves each step as it waits and checks its result.
async fn carry_out(project: &Project) {
    let total = project.progress().await.total_steps;
    assert!(total >= 3, "a plan with enough steps");
    for number in 1..=total {
        let shown = project.step_is(number, "waiting_approval").await;
        assert!(!shown.prompt.is_empty() && !shown.description.is_empty(), "{shown:?}");
        assert!(shown.command.is_some_and(|command| command.starts_with("#!/usr/bin/env bash")));
        let ran = project.complete(number).await;
        assert_eq!((ran.exit_code, ran.error_message), (Some(0), None));
        assert!(!ran.output.trim().is_empty(), "step {number} printed something");
        let whole = project.get(&format!("/execution/output/{number}")).await.is(200).text();
        assert_eq!(whole.len() as u64, ran.output_bytes);
    }
}

/// The recorded cost of a project's model calls, in micro-dollars, and their number.
async fn recorded(project: &Project) -> (i64, usize) {
    let scope = project.scope();
    let partition = AttributeValue::S(format!("P#{}#{}", scope.installation, scope.project));
    let calls = project.app().dynamodb().query().table_name(project.app().table_name());
    let calls = calls.key_condition_expression("pk = :pk AND begins_with(sk, :call)");
    let calls = calls.expression_attribute_values(":pk", partition);
    let calls = calls.expression_attribute_values(":call", AttributeValue::S("CALL#".into()));
    let calls = calls.send().await.unwrap();
    let cost = |item: &std::collections::HashMap<String, AttributeValue>| {
        item["micro_usd"].as_n().unwrap().parse::<i64>().unwrap()
    };
    (calls.items().iter().map(cost).sum(), calls.items().len())
}

#[tokio::test]
async fn a_request_becomes_a_running_service() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Orders").await;
    let wish = "A small web service with a health check inside the sandbox itself, named orders, \
                the other things by default";
    project.chat("/planning/requirements-gatherer", wish).await;
    let requirements = project.get("/planning/requirements").await.is(200).json();
    assert_eq!(requirements["ready_to_continue"], true, "{requirements}");

    project
        .post("/planning/cloud-architect", json!({"message": "Generate architecture plan"}))
        .await
        .is(202);
    confirm(&project, "requirements", "architecture").await;
    let architecture = project.plan_is("architecture-plan", "ready").await.text();
    assert!(architecture.contains("orders"), "{architecture}");

    let ask = json!({"message": "Generate implementation plan"});
    project.post("/planning/implementation-planner", ask).await.is(202);
    confirm(&project, "architecture", "implementation").await;
    let plan = project.plan_is("implementation-plan", "ready").await.text();
    assert!(plan.contains("orders"), "{plan}");

    project.sandbox_is_up().await;
    project.trigger().await;
    confirm(&project, "implementation", "execution").await;
    carry_out(&project).await;
    let last = project.progress().await.steps.pop().unwrap();
    assert!(last.output.contains("orders is running on port"), "{}", last.output);

    files_are_there(&project).await;
    costs_add_up(&project).await;
    confirm(&project, "execution", "validation").await;
    listed_first(&owner, &project).await;

    handover::validated(&project).await;
    handover::documented(&project).await;
    handover::helped(&project).await;
    handover::stopped_and_started(&project).await;
}

async fn files_are_there(project: &Project) {
    let files = project.files().await;
    for name in ["service.py", "service.json", "control.sh", "docker-compose.yml", "README.md"] {
        let text = files.get(&format!("orders/{name}")).unwrap_or_else(|| panic!("no {name}"));
        assert!(!text.is_empty(), "{name}");
    }
    let settings: Value = serde_json::from_str(&files["orders/service.json"]).unwrap();
    assert_eq!(settings["name"], "orders");
}

async fn costs_add_up(project: &Project) {
    let (recorded, calls) = recorded(project).await;
    assert!(calls >= 6, "a chat, two plans and the steps: {calls}");
    let path = format!("/projects/{}", project.id);
    let costs = project.get(&format!("{path}/costs")).await.is(200).json();
    let dollars: f64 = costs["total_cost"].as_str().unwrap().parse().unwrap();
    assert!(dollars > 0.0);
    assert_eq!((dollars * 1e6).round() as i64, recorded);
    let usage = project.get(&format!("{path}/token-usage")).await.is(200).json();
    let tokens = |name: &str| usage[name].as_i64().unwrap();
    assert_eq!(tokens("input_tokens") * 5 + tokens("output_tokens") * 20, recorded);
}

async fn listed_first(owner: &Actor, project: &Project) {
    owner.project("Afterward").await;
    let states = format!("/project-states/{}/current-stage/validation", project.id);
    project.put(&states, json!({})).await.is(200);
    let list = owner.get("/projects").await.is(200).json();
    assert_eq!(list[0]["id"], project.id);
}
