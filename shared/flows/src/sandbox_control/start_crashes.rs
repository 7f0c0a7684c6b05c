//! Tests that let the function that starts or stops a sandbox die before and after each of its calls to the table and
//! to ECS.
//!
//! Then either the owner asks again, or the reaper runs first. Either way, one task carries a sandbox that should be up
//! and none carries one that is down, ECS was never asked for two tasks of one generation, and the sandbox takes as
//! many of its installation's places as it has tasks.

use super::SandboxControl;
use aws::{Gateway, TaskState, Tasks};
use aws_sdk_ecs::config::retry::RetryConfig;
use aws_sdk_ecs::config::{BehaviorVersion, Credentials, Region};
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use domain::pool::TaskOrigin;
use domain::project::Project;
use domain::{InstallationId, MicroDollars, ProjectId, Scope};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use store::ledger::Ledger;
use store::pool::Pool;
use store::projects::Projects;
use store::sandboxes::{Limits, Sandboxes};
use store::testing::faults::{Death, Fault};
use store::tokens::Tokens;
use store::{Table, testing};

const SCOPE: Scope = Scope { installation: InstallationId(1), project: ProjectId(1) };
const OTHER: Scope = Scope { installation: InstallationId(1), project: ProjectId(2) };

/// A task in the simulated ECS.
#[derive(Debug, Clone)]
struct Task {
    started_by: String,
    runs: bool,
}

/// Tasks by the client token that started them; a token starts one task.
type Ecs = Arc<Mutex<BTreeMap<String, Task>>>;

async fn answer(State(ecs): State<Ecs>, headers: HeaderMap, body: String) -> Response {
    let call: Value = serde_json::from_str(&body).unwrap();
    let target = headers["x-amz-target"].to_str().unwrap().rsplit('.').next().unwrap().to_owned();
    let text = |name: &str| call[name].as_str().unwrap_or_default().to_owned();
    let mut tasks = ecs.lock().unwrap();
    let shown = |arn: &str, task: &Task| {
        let status = if task.runs { "RUNNING" } else { "STOPPED" };
        json!({"taskArn": arn, "lastStatus": status})
    };
    let body = match target.as_str() {
        "RunTask" => {
            let token = text("clientToken");
            if tasks.contains_key(&token) {
                let conflict = json!({"__type": "ConflictException", "message": "again", "resourceIds": [token]});
                return (StatusCode::BAD_REQUEST, conflict.to_string()).into_response();
            }
            let task = Task { started_by: text("startedBy"), runs: true };
            let answer = json!({"tasks": [shown(&token, &task)], "failures": []});
            tasks.insert(token, task);
            answer
        }
        "StopTask" => {
            let task = tasks.get_mut(&text("task")).unwrap();
            task.runs = false;
            json!({"task": shown(&text("task"), task)})
        }
        "DescribeTasks" => {
            let arn = call["tasks"][0].as_str().unwrap();
            let found: Vec<_> = tasks.get(arn).iter().map(|task| shown(arn, task)).collect();
            json!({"tasks": found, "failures": []})
        }
        other => panic!("{other}"),
    };
    body.to_string().into_response()
}

/// A control of sandboxes whose calls to the outside all pass the fault.
async fn control(ecs: &Ecs, table: &Table, fault: &Arc<Fault>) -> SandboxControl {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let router = Router::new().route("/", post(answer)).with_state(ecs.clone());
    tokio::spawn(async move { axum::serve(listener, router).await });
    let config = aws_sdk_ecs::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        .credentials_provider(Credentials::new("test", "test", None, None, "test"))
        .retry_config(RetryConfig::disabled())
        .endpoint_url(&address)
        .interceptor(fault.interceptor());
    let gateway = aws_sdk_apigatewaymanagement::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        .credentials_provider(Credentials::new("test", "test", None, None, "test"))
        .endpoint_url(address);
    SandboxControl {
        sandboxes: Sandboxes::new(table),
        pool: Pool::new(table),
        tokens: Tokens::new(table),
        gateway: Gateway::of(aws_sdk_apigatewaymanagement::Client::from_conf(gateway.build())),
        tasks: Tasks::of(aws_sdk_ecs::Client::from_conf(config.build())),
        websocket_url: "wss://example.invalid".to_owned(),
        limits: Limits { running: 1, starts: u32::MAX },
    }
}

/// Reports the state of ECS's tasks and reacts to it, as the function `sandbox-reaper` does.
async fn reap(control: &SandboxControl, ecs: &Ecs) {
    // The time that the caller of a start has to finish it is over.
    let aged = control.sandboxes.change(SCOPE, |sandbox| {
        sandbox.started_at = sandbox.started_at.map(|at| at.plus_seconds(-60));
        sandbox.started_at.is_some()
    });
    aged.await.unwrap();
    for active in control.sandboxes.active().await.unwrap() {
        let scope = active.scope;
        let sandbox = control.sandboxes.get(scope).await.unwrap().unwrap();
        if sandbox.start_was_lost() {
            control.ensure_started(scope).await.unwrap();
        } else if let Some(arn) = sandbox.task_arn.as_deref().filter(|_| sandbox.is_up())
            && control.tasks.state(arn).await.unwrap() == TaskState::Down
        {
            control.note_stopped(scope, sandbox.generation, None).await.unwrap();
        }
    }
    let tasks = ecs.lock().unwrap().clone();
    for (arn, task) in tasks.into_iter().filter(|(_, task)| task.runs) {
        let TaskOrigin::Project { scope, generation } = task.started_by.parse().unwrap() else {
            panic!("no test filled a pool");
        };
        if !control.note_task(scope, generation, &arn).await.unwrap() {
            control.tasks.stop(&arn, "of an earlier life").await.unwrap();
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Story {
    Start,
    Stop,
}

/// Runs a story with one fault; returns whether the story reached the call that the fault strikes.
async fn tell(story: Story, at: usize, death: Death, asked_again: bool) -> bool {
    let fault = Fault::at(at, death);
    let table = testing::table_with(|config| {
        config.interceptor(fault.interceptor()).retry_config(RetryConfig::disabled())
    })
    .await;
    for scope in [SCOPE, OTHER] {
        let project = Project { id: scope.project, ..Project::new("blog", None).unwrap() };
        assert!(Projects::new(&table).create(scope.installation, &project).await.unwrap());
    }
    let credit = MicroDollars::of_cents(100);
    Ledger::new(&table).grant(SCOPE.installation, "gift", credit, "Gift").await.unwrap();
    let ecs = Ecs::default();
    let control = control(&ecs, &table, &fault).await;
    if story == Story::Stop {
        control.ensure_started(SCOPE).await.unwrap();
    }
    let act = async || match story {
        Story::Start => control.ensure_started(SCOPE).await.map(drop),
        Story::Stop => control.stop(SCOPE).await.map(drop),
    };
    fault.arm();
    let died = act().await.is_err();
    let struck = fault.disarm();
    if died && asked_again {
        act().await.unwrap();
    }
    reap(&control, &ecs).await;
    reap(&control, &ecs).await;

    let what = format!("{story:?}, {death:?} {at}, asked again: {asked_again}");
    let sandbox = control.sandboxes.get(SCOPE).await.unwrap().unwrap();
    let tasks = ecs.lock().unwrap().clone();
    let running: Vec<_> = tasks.iter().filter(|(_, task)| task.runs).map(|(arn, _)| arn).collect();
    match sandbox.is_up() {
        true => assert_eq!(running, [sandbox.task_arn.as_ref().unwrap()], "{what}"),
        false => assert!(running.is_empty(), "{what}: {running:?}"),
    }
    if !died || asked_again {
        assert_eq!(sandbox.is_up(), story == Story::Start, "{what}");
    }
    let other = control.ensure_started(OTHER).await.is_ok_and(|sandbox| sandbox.is_up());
    assert_eq!(other, !sandbox.is_up(), "{what}: places are counted as tasks are");
    struck
}

#[tokio::test]
async fn a_crash_at_any_call_leaves_one_task_if_the_sandbox_is_up_and_none_if_it_is_down() {
    for story in [Story::Start, Story::Stop] {
        for death in [Death::BeforeTheCall, Death::AfterTheCall] {
            for asked_again in [false, true] {
                let mut calls = 0;
                while tell(story, calls, death, asked_again).await {
                    calls += 1;
                }
                assert!(calls >= 3, "{story:?} has more calls than {calls}");
            }
        }
    }
}
