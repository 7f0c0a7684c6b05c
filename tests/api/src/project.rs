//! A project on its owner's page.

use crate::actor::Actor;
use crate::answer::Answer;
use crate::events::Events;
use crate::waiting::eventually;
use aws_sdk_dynamodb::types::AttributeValue;
use domain::chat::Message;
use domain::plan::{Plan, PlannedStep};
use domain::sandbox::Sandbox;
use domain::{AgentId, Scope};
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ops::Deref;
use store::plans::{PlanKind, Plans};
use store::sandboxes::Sandboxes;
use store::threads::Threads;

/// A project and the page on which its owner has it open; calls of the page name the project.
#[derive(Clone)]
pub struct Project {
    /// Its id.
    pub id: u64,
    owner: Actor,
}

impl Deref for Project {
    type Target = Actor;

    fn deref(&self) -> &Actor {
        &self.owner
    }
}

impl Actor {
    /// The same project on this actor's page.
    pub fn project_of(&self, project: &Project) -> Project {
        Project { id: project.id, owner: self.within(project.id) }
    }

    /// Creates a project.
    pub async fn project(&self, name: &str) -> Project {
        let made = self.post("/projects", json!({"name": name})).await.is(201).json();
        let id = made["id"].as_u64().unwrap();
        Project { id, owner: self.within(id) }
    }
}

impl Project {
    /// Its owner and its id.
    pub fn scope(&self) -> Scope {
        self.owner.scope(self.id)
    }

    /// A path followed by the project's id.
    pub fn path(&self, before: &str) -> String {
        format!("{before}/{}", self.id)
    }

    /// Sends an agent a message and reads the whole reply.
    pub async fn chat(&self, path: &str, message: &str) -> Vec<Value> {
        let mut events = self.says(path, message).await;
        assert_eq!(events.status, 200, "{path}");
        events.all().await
    }

    /// Sends an agent a message; returns the reply as a stream.
    pub async fn says(&self, path: &str, message: &str) -> Events {
        self.call(Method::POST, path).json(&json!({"message": message})).events().await
    }

    /// The plan with this name once it has the status `status`.
    pub async fn plan_is(&self, plan: &str, status: &str) -> Answer {
        let path = format!("/planning/{plan}");
        eventually(&format!("the {plan} is {status}"), async || {
            let answer = self.get(&path).await.is(200);
            (answer.header("plan-status") == status).then_some(answer)
        })
        .await
    }

    /// A plan from the table.
    pub async fn kept_plan(&self, kind: PlanKind) -> Plan {
        let plans = Plans::new(&self.app().table());
        plans
            .get(self.scope(), kind)
            .await
            .unwrap()
            .expect("a project has its plans from the start")
    }

    /// The messages of a conversation from the table.
    pub async fn kept_messages(&self, agent: AgentId) -> Vec<Message> {
        let threads = Threads::new(&self.app().table());
        let thread = threads.load(self.scope(), agent).await.unwrap();
        thread.map(|thread| thread.messages).unwrap_or_default()
    }

    /// The sandbox from the table.
    pub async fn kept_sandbox(&self) -> Sandbox {
        let sandboxes = Sandboxes::new(&self.app().table());
        let sandbox = sandboxes.get(self.scope()).await.unwrap();
        sandbox.expect("a project has the record of its sandbox from the start")
    }

    /// All items of the project by sort key, without its sandbox's heartbeats.
    pub async fn kept(&self) -> BTreeMap<String, Value> {
        let Scope { installation, project } = self.scope();
        let query = self.app().dynamodb().query().table_name(self.app().table_name());
        let items = query
            .key_condition_expression("pk = :pk")
            .expression_attribute_values(
                ":pk",
                AttributeValue::S(format!("P#{installation}#{project}")),
            )
            .send()
            .await
            .unwrap();
        let items: Vec<Value> = serde_dynamo::from_items(items.items().to_vec()).unwrap();
        let row = |item: Value| (item["sk"].as_str().unwrap().to_owned(), item);
        items.into_iter().map(row).filter(|(key, _)| key != "SANDBOX").collect()
    }

    /// Writes requirements to the table, as their agent would.
    pub async fn has_requirements(&self) {
        let plans = Plans::new(&self.app().table());
        assert!(plans.put_requirements(self.scope(), "# A blog", &[], true).await.unwrap());
    }

    /// Writes an architecture plan to the table, as its agent would.
    pub async fn has_architecture(&self) {
        let plans = Plans::new(&self.app().table());
        let put = plans.put(self.scope(), PlanKind::Architecture, "# One server", &[]);
        put.await.unwrap().unwrap();
    }

    /// Writes an implementation plan to the table, as its agent would; returns its id.
    pub async fn has_steps(&self, steps: &[PlannedStep]) -> String {
        let plans = Plans::new(&self.app().table());
        let put = plans.put(self.scope(), PlanKind::Implementation, "# Steps", steps);
        put.await.unwrap().unwrap().to_string()
    }

    /// Writes a validation plan to the table, as its agent would; returns its id.
    pub async fn has_checks(&self, scripts: &[&str]) -> String {
        let none: &[&str] = &[];
        let checks: Vec<_> = scripts.iter().map(|script| (*script, none)).collect();
        self.has_proofs(&checks).await
    }

    /// The same, each check with the ids of the requirements that it proves.
    pub async fn has_proofs(&self, checks: &[(&str, &[&str])]) -> String {
        let plans = Plans::new(&self.app().table());
        let check = |(script, requirements): &(&str, &[&str])| PlannedStep {
            description: "A check".to_owned(),
            prompt: crate::script_prompt(script),
            requirements: requirements.iter().map(|id| (*id).to_owned()).collect(),
        };
        let checks: Vec<_> = checks.iter().map(check).collect();
        let put = plans.put(self.scope(), PlanKind::Validation, "# Checks", &checks);
        put.await.unwrap().unwrap().to_string()
    }

    /// The workspace, downloaded.
    pub async fn files(&self) -> BTreeMap<String, String> {
        self.get(&format!("/projects/{}/workspace/download", self.id)).await.is(200).files()
    }

    /// Writes a file in the running sandbox, as the page's editor does.
    pub async fn writes(&self, path: &str, content: &str) {
        let mut socket = self.socket().await;
        let read = json!({"type": "files.read", "request": "r", "path": path, "offset": 0});
        socket.send(&read).await;
        let before: Value =
            socket.wait(|answer: Value| (answer["request"] == "r").then_some(answer)).await;
        let write = json!({"type": "files.write", "request": "w", "path": path,
            "base_sha256": before["sha256"], "content": content});
        socket.send(&write).await;
        let done: Value =
            socket.wait(|answer: Value| (answer["request"] == "w").then_some(answer)).await;
        assert_eq!(done["type"], "files.written", "{done}");
        socket.close().await;
    }

    /// Starts the sandbox and waits until its agent has connected.
    pub async fn sandbox_is_up(&self) {
        let path = self.path("/sandbox/initialize");
        eventually("the sandbox is up", async || {
            let body = self.post(&path, json!({})).await.is(200).json();
            assert_ne!(body["status"], "failed", "{body}");
            (body["status"] == "success").then_some(())
        })
        .await;
    }
}
