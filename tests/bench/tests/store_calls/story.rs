//! A project's life, in which every call is counted.

use crate::meter::{Cost, cost};
use api_tests::contract::{Route, routes};
use api_tests::{Call, Model, Project, World, eventually};
use domain::sandbox::SandboxStatus;
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A sandbox's heartbeat or the reaper's sweep may fall into one life, but not into each.
const LIVES: usize = 3;

/// The cost of each call: the lowest of all lives.
#[derive(Default)]
struct Costs(BTreeMap<String, Cost>);

impl Costs {
    async fn count(&mut self, project: &Project, name: &str, body: Option<Value>) {
        let route = routes().into_iter().find(|route| route.name() == name);
        let route = route.unwrap_or_else(|| panic!("there is no {name}"));
        let path = filled(&route, project);
        let call = project.call(route.method.clone(), &path);
        let call = match &body {
            Some(body) => call.json(body),
            None => call,
        };
        self.note(project, name, call).await;
    }

    async fn note(&mut self, project: &Project, name: &str, call: Call) {
        let cost = cost(project.app(), call).await;
        match self.0.get(name) {
            Some(known) if known.size() <= cost.size() => {}
            _ => drop(self.0.insert(name.to_owned(), cost)),
        }
    }
}

/// The cost of each call of the contract that a person makes without waiting for a model.
pub async fn costs() -> BTreeMap<String, Cost> {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let mut costs = Costs::default();
    for life in 0..LIVES {
        let project = owner.project(&format!("Life {life}")).await;
        plan(&mut costs, &project).await;
        execute(&mut costs, &project).await;
        read(&mut costs, &project).await;
        let name = json!({"name": format!("Life {life}, again")});
        costs.count(&project, "POST /projects", Some(name)).await;
        costs.count(&project, "DELETE /projects/{id}", None).await;
    }
    costs.0
}

async fn plan(costs: &mut Costs, project: &Project) {
    let name = project.get(&project.path("/projects")).await.is(200).json()["name"].clone();
    costs.count(project, "PATCH /projects/{id}", Some(json!({"name": name}))).await;
    costs.count(project, "PUT /projects/{id}/budget", Some(json!({"amount": 5}))).await;
    let values = json!({"values": {"HCLOUD_TOKEN": "a".repeat(64)}});
    costs.count(project, "PUT /planning/credentials/{provider}", Some(values)).await;
    costs.count(project, "DELETE /planning/credentials/{provider}", None).await;
    let draft = json!({"message": "A blog on one server."});
    costs.count(project, "POST /planning/draft-secrets", Some(draft)).await;
    share(costs, project).await;
    let policy = json!({"policy": "refused"});
    costs.count(project, "PUT /github/guests", Some(policy)).await;
    project.has_requirements().await;
    let done = json!({"is_completed": true});
    costs.count(project, "PUT /project-states/{id}/stages/{stage_id}", Some(done)).await;
    costs.count(project, "PUT /project-states/{id}/current-stage/{stage_id}", None).await;
}

async fn share(costs: &mut Costs, project: &Project) {
    let new = json!({"days": 1, "with_output": false});
    costs.count(project, "POST /projects/{id}/shares", Some(new)).await;
    let path = format!("{}/shares", project.path("/projects"));
    let shares = project.get(&path).await.is(200).json();
    let withdraw = format!("{path}/{}", shares[0]["id"].as_str().unwrap());
    let call = project.call(Method::DELETE, &withdraw);
    costs.note(project, "DELETE /projects/{id}/shares/{share_id}", call).await;
}

async fn execute(costs: &mut Costs, project: &Project) {
    project.has_architecture().await;
    project.execute(&["echo one > one.txt; cat one.txt", "echo two"]).await;
    let step = project.step_is(1, "waiting_approval").await;
    let plan = project.progress().await.id;
    let level = json!({"plan_id": plan, "autonomy": "ask_for_everything"});
    costs.count(project, "POST /execution/autonomy", Some(level)).await;
    let edit = json!({
        "plan_id": plan,
        "step_number": step.step_number,
        "attempt": step.attempt,
        "command_sha256": step.command_sha256,
        "script": step.command.clone().unwrap().replace("echo one", "echo one more"),
    });
    costs.count(project, "POST /execution/edit-step", Some(edit)).await;
    project.sandbox_is_up().await;
    project.complete(1).await;
    project.step_is(2, "waiting_approval").await;
    eventually("the backup after the step", async || {
        project.kept().await.into_keys().find(|key| key.starts_with("TRANSFER#"))
    })
    .await;
    // Reads after the sandbox's report of its backup may still fall into these measurements; the lowest count.
    for _ in 0..3 {
        costs.count(project, "POST /terminal/ticket", None).await;
        costs.count(project, "POST /sandbox/initialize/{id}", None).await;
    }
    project.post(&project.path("/sandbox/stop"), json!({})).await.is(200);
    eventually("the sandbox is stopped", async || {
        (project.kept_sandbox().await.status == SandboxStatus::Stopped).then_some(())
    })
    .await;
}

/// Everything that can be read, except streams, in a project in which nothing happens.
async fn read(costs: &mut Costs, project: &Project) {
    for route in routes() {
        let name = route.name();
        if route.method == Method::GET && !crate::is_left_out(&name) {
            costs.count(project, &name, None).await;
        }
    }
}

fn filled(route: &Route, project: &Project) -> String {
    route.filled(&[
        ("id", &project.id.to_string()),
        ("stage_id", "requirements"),
        ("agent", "requirements-gatherer"),
        ("provider", "hetzner"),
        ("document", "requirements"),
        ("number", "1"),
        ("step_number", "1"),
        ("before_stop", "false"),
        ("transfer", ""),
        ("repository", "owner/infra"),
        ("limit", "50"),
        ("cursor", "00000000000000000000000000000000"),
        ("format", "json"),
    ])
}
