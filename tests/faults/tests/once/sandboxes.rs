use super::STACKS;
use api_tests::{App, Project, Settings, World};
use domain::sandbox::SandboxStatus;
use fault_tests::once::{Scenario, Ways, every_fault};
use reqwest::Method;
use serde_json::{Value, json};
use store::sandboxes::Sandboxes;

struct Starting;

/// The tasks of a project that ECS reports as running.
fn up(app: &App, project: &Project) -> Vec<String> {
    let kept = std::fs::read(app.data().join("tasks.json")).unwrap_or_default();
    let tasks: Value = serde_json::from_slice(&kept).unwrap_or_default();
    let ours = format!("{}/", project.scope().username());
    let is_up = |task: &&Value| {
        task["status"] != "STOPPED"
            && task["started_by"].as_str().is_some_and(|by| by.starts_with(&ours))
    };
    let tasks = tasks.as_object().into_iter().flatten().map(|(_, task)| task);
    tasks.filter(is_up).map(|task| task["id"].as_str().unwrap().to_owned()).collect()
}

impl Scenario for Starting {
    type Case = Project;

    async fn begin(&self, world: &World) -> Project {
        world.owner.project("Up").await
    }

    async fn act(&self, project: &Project) -> bool {
        let start = project.call(Method::POST, &project.path("/sandbox/initialize"));
        let answer = start.json(&json!({})).attempt().await;
        answer.is_some_and(|answer| answer.status == 200 && answer.json()["status"] == "success")
    }

    /// A machine that dies takes the sandbox with it, and its owner sees that it is down.
    async fn must_be_asked_again(&self, world: &World, project: &Project) -> bool {
        let sandbox = Sandboxes::new(&world.app.table()).get(project.scope()).await;
        sandbox.is_ok_and(|sandbox| sandbox.is_some_and(|sandbox| !sandbox.is_up()))
    }

    async fn has_ended(&self, world: &World, project: &Project) -> bool {
        let sandbox = Sandboxes::new(&world.app.table()).get(project.scope()).await;
        let Ok(Some(sandbox)) = sandbox else { return false };
        let arn = sandbox.task_arn.unwrap_or_default();
        let up = up(&world.app, project);
        sandbox.status == SandboxStatus::Ready && up.len() == 1 && arn.ends_with(&up[0])
    }

    async fn check(&self, world: &World, project: &Project, calls: Option<&[String]>) {
        let runs =
            calls.map(|calls| calls.iter().filter(|call| call.starts_with("RunTask")).count());
        assert!(runs.is_none_or(|runs| runs >= 1));
        assert_eq!(up(&world.app, project).len(), 1, "one task");
        project.post(&project.path("/sandbox/stop"), json!({})).await.is(200);
    }
}

#[tokio::test]
async fn a_sandbox_starts_once_despite_any_fault() {
    every_fault(Settings::default(), STACKS, Ways::Sharpest, &Starting).await;
}
