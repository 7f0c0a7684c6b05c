//! The real process, killed with SIGKILL, and its next start.

use crate::local::{Clients, github_key, soon};
use crate::tables;
use crate::tasks::{Ready, agent, describe, run};
use local_stack::environment::Ports;
use std::path::Path;
use std::process::Stdio;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

fn command(data: &Path, sandbox: &str) -> Command {
    let mut stack = Command::new(env!("CARGO_BIN_EXE_local-stack"));
    stack.args(["--engines-only", "--port", "0", "--sandbox", sandbox, "--data-dir"]).arg(data);
    stack.arg("--sandbox-agent").arg(data.join("agent"));
    stack.arg("--github-key").arg(github_key());
    stack
}

async fn start(data: &Path, mut stack: Command) -> (Child, Clients) {
    let mut stack = stack.stdout(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
    let mut lines = BufReader::new(stack.stdout.take().unwrap()).lines();
    soon(lines.next_line()).await.unwrap().expect("the stack started");
    let environment = std::fs::read_to_string(data.join("engines.env")).unwrap();
    let port = |name: &str| {
        let line = environment.lines().find(|line| line.starts_with(name)).unwrap();
        line.rsplit(':').next().unwrap().parse().unwrap()
    };
    let ports = Ports { site: port("PUBLIC_URL="), engines: port("AWS_ENDPOINT_URL_SQS=") };
    (stack, Clients { ports })
}

#[tokio::test]
async fn acknowledged_writes_survive_a_kill_and_tasks_do_not() {
    let data = TempDir::new().unwrap();
    agent(data.path());
    let pipe = Ready::make(data.path());
    let (mut stack, at) = start(data.path(), command(data.path(), "none")).await;
    tables::put(&at, "kept").await;
    let send = at.sqs().send_message().queue_url(at.queue("steps.fifo")).message_body("kept");
    send.message_group_id("a").message_deduplication_id("a").send().await.unwrap();
    at.secrets().create_secret().name("mine").secret_string("kept").send().await.unwrap();
    at.s3()
        .put_object()
        .bucket("groundcrew")
        .key("kept")
        .body(b"kept".to_vec().into())
        .send()
        .await
        .unwrap();
    let task = run(&at.ecs(), "t", &[("READY", pipe.to_str().unwrap())]).await;
    let mut ready = Ready::open(&pipe).await;
    ready.lines().await;

    stack.kill().await.unwrap();
    ready.end().await;

    let (mut stack, at) = start(data.path(), command(data.path(), "none")).await;
    assert!(tables::is_there(&at, "kept").await);
    let message =
        at.sqs().receive_message().queue_url(at.queue("steps.fifo")).send().await.unwrap();
    assert_eq!(message.messages()[0].body(), Some("kept"));
    let secret = at.secrets().get_secret_value().secret_id("mine").send().await.unwrap();
    assert_eq!(secret.secret_string(), Some("kept"));
    at.s3().head_object().bucket("groundcrew").key("kept").send().await.unwrap();
    assert_eq!(describe(&at.ecs(), task.task_arn().unwrap()).await.last_status(), Some("STOPPED"));
    stack.kill().await.unwrap();
}

#[tokio::test]
async fn without_bubblewrap_a_task_is_refused_with_install_instructions() {
    let data = TempDir::new().unwrap();
    agent(data.path());
    let mut stack = command(data.path(), "bubblewrap");
    stack.env("PATH", "/nonexistent");
    let (mut stack, at) = start(data.path(), stack).await;
    let run = at.ecs().run_task().cluster("groundcrew").task_definition("groundcrew-sandbox");
    let answer = run.send().await.unwrap();
    let reason = answer.failures()[0].reason().unwrap();
    assert!(reason.contains("apt-get install bubblewrap"), "{reason}");
    stack.kill().await.unwrap();
}

#[tokio::test]
async fn a_taken_port_is_named() {
    let data = TempDir::new().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let mut stack = Command::new(env!("CARGO_BIN_EXE_local-stack"));
    let refused = stack.args(["--port", &port, "--data-dir"]).arg(data.path()).output();
    let refused = soon(refused).await.unwrap();
    assert!(!refused.status.success());
    let words = String::from_utf8(refused.stderr).unwrap();
    assert!(words.contains(&format!("port {port} is taken")), "{words}");
}
