//! The warm pool: sandboxes that start ahead of demand, and their assignment to projects.

use api_tests::{App, Model, Project, Settings, Socket, World, eventually, soon};
use domain::pool::{PooledTask, TaskOrigin};
use domain::sandbox::{Sandbox, SandboxStatus};
use domain::{PooledId, Timestamp};
use protocol::{Assignment, FromAgent, ToAgent};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use store::pool::Claimed;
use store::sandboxes::Sandboxes;
use store::tokens::{Grant, Tokens};

async fn world(pool_size: u32, model: Option<&Model>) -> World {
    let with = model.map(Settings::with_model).unwrap_or_default();
    World::with_settings(Settings { pool_size: Some(pool_size), ..with }).await
}

/// Changes a task of the pool in the table.
async fn change(app: &App, task: &PooledTask, act: impl Fn(&mut PooledTask)) {
    let changed = |task: &mut PooledTask| {
        act(task);
        true
    };
    app.pool().change(task.slot, &task.id, changed).await.unwrap().expect("it is in its slot");
}

/// Begins a start as a function does, before it looks for a task.
fn begin(sandbox: &mut Sandbox) -> bool {
    *sandbox = sandbox.next_life();
    true
}

/// ECS's description of a task.
async fn described(app: &App, arn: &str) -> Value {
    let received = app.ecs("DescribeTasks", &json!({"tasks": [arn]})).await;
    received["tasks"][0]["lastStatus"].clone()
}

async fn is_stopped(app: &App, arn: &str) {
    eventually("the task is stopped", async || {
        (described(app, arn).await == "STOPPED").then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_start_takes_a_waiting_task_and_the_pool_is_filled_again() {
    let model = Model::start().await;
    let World { app, owner, .. } = world(1, Some(&model)).await;
    let waiting = app.pooled(1).await.remove(0);
    let project = owner.project("Warm").await;
    project.sandbox_is_up().await;
    let sandbox = project.kept_sandbox().await;
    assert_eq!((sandbox.generation, &sandbox.task_arn), (1, &waiting.task_arn));
    project.execute(&["whoami; pwd; echo kept > note.txt"]).await;
    let user = project.scope().username();
    assert_eq!(project.complete(1).await.output, format!("{user}\n/home/{user}/workspace\n"));
    assert_eq!(project.files().await["note.txt"], "kept\n");
    let next = app.pooled(1).await.remove(0);
    assert_ne!(next.id, waiting.id);

    // It never returns, and the next generation of the sandbox uses another task.
    project.post(&project.path("/sandbox/stop"), json!({})).await.is(200);
    is_stopped(&app, &waiting.task_arn.unwrap()).await;
    eventually("its claim has ended", async || {
        app.pool().claims().await.unwrap().is_empty().then_some(())
    })
    .await;
    project.sandbox_is_up().await;
    let again = project.kept_sandbox().await;
    assert_eq!((again.generation, again.task_arn), (2, next.task_arn));
    assert_eq!(project.files().await["note.txt"], "kept\n");
}

#[tokio::test]
async fn projects_that_start_at_once_never_share_one() {
    let World { app, owner, stranger, .. } = world(2, None).await;
    let waiting: BTreeSet<_> = app.pooled(2).await.into_iter().map(|task| task.task_arn).collect();
    let mut projects = Vec::new();
    for (actor, name) in [(&owner, "One"), (&owner, "Two"), (&stranger, "Three")] {
        projects.push(actor.project(name).await);
    }
    futures::future::join_all(projects.iter().map(Project::sandbox_is_up)).await;
    let mut arns = BTreeSet::new();
    for project in &projects {
        let sandbox = project.kept_sandbox().await;
        assert_eq!((sandbox.status, sandbox.generation), (SandboxStatus::Ready, 1));
        assert!(arns.insert(sandbox.task_arn), "two projects share a task");
        let mut terminal = project.terminal().await;
        terminal.attach().await;
        terminal.types("pwd; ls -d /home/*; echo do''ne\r").await;
        terminal.shows("done").await;
        for other in &projects {
            let theirs = terminal.shown.contains(&other.scope().username());
            assert_eq!(theirs, other.scope() == project.scope(), "{}", terminal.shown);
        }
    }
    assert!(waiting.is_subset(&arns), "waiting tasks were used: {waiting:?}, {arns:?}");
}

#[tokio::test]
async fn a_task_that_died_unnoticed_costs_its_project_nothing() {
    let World { app, owner, .. } = world(1, None).await;
    let before = app.pooled(1).await.remove(0);
    app.kill_sandboxes();
    let project = owner.project("Dead").await;
    project.sandbox_is_up().await;
    let sandbox = project.kept_sandbox().await;
    assert_ne!(sandbox.task_arn, before.task_arn);
    let next = app.pooled(1).await.remove(0);
    assert_ne!(next.id, before.id);
}

#[tokio::test]
async fn the_pool_ends_tasks_without_a_slot() {
    let World { app, .. } = world(1, None).await;
    let first = app.pooled(1).await.remove(0);
    // One from a larger pool, and an old one, as if it had been started half a day ago.
    let surplus = PooledTask { slot: 5, ..PooledTask::new(5, &first.task_definition) };
    assert!(app.pool().occupy(&surplus).await.unwrap());
    change(&app, &first, |task| task.started_at = Timestamp::now().plus_seconds(-24 * 3600)).await;
    is_stopped(&app, &first.task_arn.unwrap()).await;
    let next = app.pooled(1).await.remove(0);
    assert_ne!(next.id, first.id);
    eventually("the surplus tasks are gone", async || {
        app.pool().find(5, &surplus.id).await.unwrap().is_none().then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_reaper_that_dies_while_filling_the_pool_leaves_no_unknown_task() {
    let World { app, .. } = world(1, None).await;
    let task = app.pooled(1).await.remove(0);
    // ECS was asked for its task, but the task was not recorded: the repeated request returns it.
    change(&app, &task, |task| task.task_arn = None).await;
    assert_eq!(app.pooled(1).await.remove(0), task);
    // A task whose slot is gone ends: this one is started by hand.
    let origin = TaskOrigin::Pool { slot: 0, id: PooledId::random() };
    let arn = run_task(&app, &origin).await;
    is_stopped(&app, &arn).await;
}

/// Has ECS start a task whose agent never connects.
async fn run_task(app: &App, origin: &TaskOrigin) -> String {
    let environment = json!([
        {"name": "GROUNDCREW_WEBSOCKET_URL", "value": "ws://127.0.0.1:1/ws"},
        {"name": "GROUNDCREW_TOKEN", "value": "none"},
    ]);
    let call = json!({"cluster": "groundcrew", "taskDefinition": "groundcrew-sandbox",
        "startedBy": origin.to_string(),
        "overrides": {"containerOverrides": [{"name": "agent", "environment": environment}]}});
    let started = app.ecs("RunTask", &call).await;
    started["tasks"][0]["taskArn"].as_str().unwrap_or_else(|| panic!("{started}")).to_owned()
}

#[tokio::test]
async fn an_unrecorded_task_is_recorded_or_ended() {
    let World { app, owner, .. } = World::start().await;
    let (project, sandboxes) = (owner.project("Hole").await, Sandboxes::new(&app.table()));
    let scope = project.scope();
    // The state after a function crashes between the two writes.
    sandboxes.change(scope, begin).await.unwrap();
    let arn = run_task(&app, &TaskOrigin::Project { scope, generation: 1 }).await;
    eventually("the task is recorded", async || {
        (project.kept_sandbox().await.task_arn.as_deref() == Some(&arn)).then_some(())
    })
    .await;
    project.post(&project.path("/sandbox/stop"), json!({})).await.is(200);
    is_stopped(&app, &arn).await;

    // Belongs to an earlier generation, whether that one was stopped or followed by another.
    let late = run_task(&app, &TaskOrigin::Project { scope, generation: 1 }).await;
    is_stopped(&app, &late).await;
    sandboxes.change(scope, begin).await.unwrap();
    let late = run_task(&app, &TaskOrigin::Project { scope, generation: 1 }).await;
    is_stopped(&app, &late).await;
    assert_eq!(project.kept_sandbox().await.task_arn, None);
}

#[tokio::test]
async fn a_lost_start_is_continued() {
    let World { app, owner, .. } = world(0, None).await;
    let project = owner.project("Lost").await;
    let sandboxes = Sandboxes::new(&app.table());
    sandboxes.list_active(project.scope(), Timestamp::now()).await.unwrap();
    let lost = sandboxes.change(project.scope(), |sandbox| {
        *sandbox = sandbox.next_life();
        sandbox.started_at = Some(Timestamp::now().plus_seconds(-60));
        true
    });
    lost.await.unwrap();
    let up = eventually("it is up", async || {
        let sandbox = project.kept_sandbox().await;
        (sandbox.status == SandboxStatus::Ready).then_some(sandbox)
    });
    assert_eq!(up.await.generation, 2);
}

/// A client that simulates an agent of the pool.
struct Pooled {
    socket: Socket,
    task: PooledTask,
    next_token: String,
}

impl Pooled {
    /// Takes a slot that the reaper does not check for a minute, and sends a hello.
    async fn of(app: &App) -> Self {
        let mut task = PooledTask::new(9, "sandbox");
        task.task_arn = Some(format!("arn:aws:ecs:us-east-1:000000000000:task/c/{}", task.id));
        assert!(app.pool().occupy(&task).await.unwrap());
        let grant = Grant::Pooled { slot: task.slot, id: task.id.clone() };
        let token = Tokens::new(&app.table()).issue(grant, 600).await.unwrap();
        let mut socket = dial(app, token.expose()).await;
        socket.says_hello(0).await;
        let next_token = welcomed(&mut socket).await;
        Self { socket, task, next_token }
    }

    async fn beats(&mut self) {
        self.socket.send(&FromAgent::Heartbeat { seq: 1, idle_seconds: None }).await;
    }

    async fn assigned(&mut self) -> Assignment {
        match self.socket.next().await {
            Some(ToAgent::Assign(assignment)) => assignment,
            other => panic!("{other:?}"),
        }
    }

    async fn stopped(&mut self) {
        let received: Option<ToAgent> = self.socket.next().await;
        assert_eq!(received, Some(ToAgent::Stop));
    }
}

async fn dial(app: &App, token: &str) -> Socket {
    let address = app.url("/ws").replacen("http", "ws", 1);
    Socket::open(&format!("{address}?token={token}")).await.unwrap()
}

async fn welcomed(socket: &mut Socket) -> String {
    let received: Option<ToAgent> = socket.next().await;
    let Some(ToAgent::Welcome { next_token, restore_url: None, .. }) = received else {
        panic!("{received:?}")
    };
    next_token
}

#[tokio::test]
async fn an_agent_of_the_pool_learns_and_reports_nothing_of_any_project() {
    let model = Model::start().await;
    let World { app, owner, .. } = World::with(&model).await;
    let project = owner.project("Watched").await;
    project.execute(&["echo begun; sleep 600"]).await;
    project.approve(1).await;
    let step = project.step_when(1, "has begun", |step| step.output.contains("begun")).await;
    let mut terminal = project.terminal().await;
    terminal.attach().await;
    terminal.types("echo mi''ne\r").await;
    terminal.shows("mine").await;
    let before = project.kept_sandbox().await;

    let mut pooled = Pooled::of(&app).await;
    let run = store::executions::Executions::new(&app.table());
    let kept = run.step(project.scope(), 1).await.unwrap().unwrap();
    let run_id = format!("e1-{}", kept.run_id.unwrap());
    for message in [
        json!({"type": "run.accepted", "run_id": run_id, "seq": 1}),
        json!({"type": "run.progress", "run_id": run_id, "seq": u32::MAX, "head": "forged",
            "tail": "", "bytes": 6}),
        json!({"type": "run.finished", "run_id": run_id, "seq": 9, "outcome": "exited",
            "exit_code": 0, "duration_ms": 1, "head": "forged", "tail": "", "bytes": 6, "files": []}),
        json!({"type": "workspace.uploaded", "request_id": "x", "bytes": 1, "error": null}),
        json!({"type": "terminal.output", "connection": "guessed", "terminal": "main",
            "offset": 0, "next": 6, "data": "forged"}),
        json!({"type": "attach", "terminal": "main", "offset": 0, "rows": 24, "cols": 80}),
        json!({"type": "input", "input": "touch forged\r"}),
    ] {
        pooled.socket.send(&message).await;
    }
    // None of them gets an answer; the first message is the order to stop.
    assert!(app.pool().give_up(pooled.task.slot, &pooled.task.id).await.unwrap());
    pooled.beats().await;
    pooled.stopped().await;
    let after = project.step(1).await;
    assert_eq!((&after.output, after.is_running()), (&step.output, true));
    let now = project.kept_sandbox().await;
    assert_eq!((now.connection_id, now.generation), (before.connection_id, before.generation));
    assert!(!project.files().await.contains_key("forged"));
}

#[tokio::test]
async fn a_claimed_agent_gets_its_assignment_until_it_connects_and_never_again() {
    let World { app, owner, stranger, .. } = World::start().await;
    let (project, other) = (owner.project("Mine").await, stranger.project("Theirs").await);
    let mut pooled = Pooled::of(&app).await;
    let body = project.post(&project.path("/sandbox/start"), json!({})).await.is(200).json();
    assert_eq!(body["status"], "pending", "{body}");
    let first = pooled.assigned().await;
    assert_eq!(first.user, project.scope().username());
    assert_eq!(project.kept_sandbox().await.task_arn, pooled.task.task_arn);

    // It got no further, for whatever reason: its next heartbeat shows that it still waits.
    pooled.beats().await;
    let second = pooled.assigned().await;
    assert_ne!(first.token, second.token);
    // Another project's start finds no task to claim.
    other.sandbox_is_up().await;
    assert_ne!(other.kept_sandbox().await.task_arn, pooled.task.task_arn);

    let mut agent = dial(&app, &second.token).await;
    agent.says_hello(0).await;
    welcomed(&mut agent).await;
    assert_eq!(project.kept_sandbox().await.status, SandboxStatus::Ready);
    // Its earlier access has ended: neither its connection nor its next token works.
    pooled.beats().await;
    pooled.stopped().await;
    pooled.socket = dial(&app, &pooled.next_token).await;
    pooled.socket.says_hello(0).await;
    pooled.stopped().await;
}

#[tokio::test]
async fn a_claim_whose_agent_is_gone_is_followed_by_another_start() {
    let World { app, owner, .. } = World::start().await;
    let project = owner.project("Gone").await;
    let pooled = Pooled::of(&app).await;
    // Its connection closes without a notice from API Gateway.
    change(&app, &pooled.task, |task| task.connection_id = Some("gone".to_owned())).await;
    project.sandbox_is_up().await;
    let sandbox = project.kept_sandbox().await;
    assert_eq!((sandbox.generation, sandbox.status), (2, SandboxStatus::Ready));
    assert_ne!(sandbox.task_arn, pooled.task.task_arn);
    // If it still connects, it is stopped.
    let mut pooled = pooled;
    pooled.beats().await;
    pooled.stopped().await;
}

#[tokio::test]
async fn a_caller_that_dies_before_the_assignment_is_replaced() {
    let World { app, owner, .. } = World::start().await;
    let project = owner.project("Killed").await;
    let mut pooled = Pooled::of(&app).await;
    let task = app.pool().find(pooled.task.slot, &pooled.task.id).await.unwrap().unwrap();
    let sandboxes = Sandboxes::new(&app.table());
    sandboxes.change(project.scope(), begin).await.unwrap();
    let claimed = app.pool().claim(&task, project.scope(), 1).await.unwrap();
    assert!(matches!(claimed, Claimed::Yes(_)), "{claimed:?}");
    pooled.beats().await;
    let assignment = pooled.assigned().await;
    let mut agent = dial(&app, &assignment.token).await;
    agent.says_hello(0).await;
    soon("a welcome", welcomed(&mut agent)).await;
    let sandbox = project.kept_sandbox().await;
    assert_eq!((sandbox.status, sandbox.generation), (SandboxStatus::Ready, 1));
}
