//! The local stack as a child process, and its table.

use crate::waiting::soon;
use crate::{Model, binaries};
use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::fs::File;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use store::Table;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

/// What says that the user brings a model of their own: a developer's key must not be spent on tests.
const OWN_MODEL: [&str; 5] =
    ["MODEL_PROVIDER", "MODEL_NAME", "MODEL_BASE_URL", "MODEL_API_KEY", "MODEL_API_KEY_SECRET_ID"];

/// Name of the one table here.
const TABLE: &str = "groundcrew";

/// Tests sign in and call far more often than people do.
pub const UNLIMITED: &str = "every-limit=1000000";
/// And they have more than people have.
const PLENTY: [&str; 3] =
    ["SANDBOXES_PER_INSTALLATION", "PROJECTS_PER_INSTALLATION", "STREAMS_PER_INSTALLATION"];

/// How a stack is started.
#[derive(Clone, Default)]
pub struct Settings {
    /// Where `MODEL_BASE_URL` points; the stack's own blueprint model otherwise.
    pub model: Option<String>,
    /// Seconds after which a sandbox that nobody uses is stopped; then the schedule's minute is a second.
    pub idle_stop_seconds: Option<u32>,
    /// How many sandboxes wait for a project; then the schedule's minute is a second.
    pub pool_size: Option<u32>,
    /// Limits in the form of `RATE_LIMITS`; out of the tests' way otherwise.
    pub rate_limits: Option<&'static str>,
    /// Further variables, such as limits that are out of the tests' way otherwise.
    pub variables: Vec<(&'static str, String)>,
    /// The schedule's minute is a second.
    pub hurried: bool,
    /// The log goes, with all details of ours, into `stack.log` beside what else is kept.
    pub log_to_file: bool,
}

/// A running product: cheap to clone, gone with the last clone.
#[derive(Clone)]
pub struct App(Arc<Inner>);

struct Inner {
    settings: Settings,
    life: Mutex<Life>,
    data: TempDir,
}

/// One life of the process; after a kill there can be another, over the same folder and on other ports.
struct Life {
    process: Child,
    // Held: a process that prints to nobody fails.
    _lines: Lines<BufReader<ChildStdout>>,
    site: String,
    dynamodb: aws_sdk_dynamodb::Client,
}

impl App {
    /// Starts a stack over a fresh folder.
    pub async fn start(settings: Settings) -> Self {
        let data = TempDir::with_prefix("groundcrew-").unwrap();
        let life = Life::begin(&settings, data.path()).await;
        Self(Arc::new(Inner { settings, life: Mutex::new(life), data }))
    }

    /// The site's address, with this path.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.life().site)
    }

    /// The one table, for a look behind the door.
    pub fn table(&self) -> Table {
        Table::new(self.dynamodb(), TABLE)
    }

    /// The database under it.
    pub fn dynamodb(&self) -> aws_sdk_dynamodb::Client {
        self.life().dynamodb.clone()
    }

    /// Calls ECS as a function does.
    pub async fn ecs(&self, operation: &str, call: &Value) -> Value {
        let target = format!("AmazonEC2ContainerServiceV20141113.{operation}");
        let answer = reqwest::Client::new()
            .post(engines(self.data()))
            .header("x-amz-target", target)
            .header("authorization", "AWS4-HMAC-SHA256 Credential=local/tests")
            .body(call.to_string())
            .send()
            .await
            .unwrap();
        serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap()
    }

    /// What the stack keeps.
    pub fn data(&self) -> &Path {
        self.0.data.path()
    }

    /// Kills the process as hard as can be.
    pub async fn kill(&self) {
        let pid = {
            let mut life = self.life();
            life.process.start_kill().unwrap();
            life.process.id()
        };
        // Not held over the wait: requests under way still ask for the address.
        let gone = crate::eventually("the end of a killed stack", async || {
            self.life().process.try_wait().unwrap()
        });
        gone.await;
        assert!(pid.is_some(), "the stack was dead before it was killed");
    }

    /// Kills every sandbox of the stack, and not the stack, as a failing host would.
    pub fn kill_sandboxes(&self) {
        let stack = self.life().process.id().expect("the stack runs");
        for child in children(stack) {
            kill_process(child, Signal::KILL).unwrap();
        }
    }

    /// Starts it again over what is there.
    pub async fn start_again(&self) {
        let life = Life::begin(&self.0.settings, self.data()).await;
        *self.life() = life;
    }

    fn life(&self) -> std::sync::MutexGuard<'_, Life> {
        self.0.life.lock().unwrap()
    }
}

impl Settings {
    /// With a model that the test directs.
    pub fn with_model(model: &Model) -> Self {
        Self { model: Some(model.base_url()), ..Self::default() }
    }
}

impl Life {
    async fn begin(settings: &Settings, data: &Path) -> Self {
        let agent = binaries::program("sandbox-agent");
        let mut command = Command::new(binaries::program("local-stack"));
        command.args(["--port", "0", "--data-dir"]).arg(data);
        command.arg("--sandbox-agent").arg(agent).arg("--web").arg(data.join("no-web"));
        command.env("RATE_LIMITS", settings.rate_limits.unwrap_or(UNLIMITED));
        for name in OWN_MODEL {
            command.env_remove(name);
        }
        if let Some(url) = &settings.model {
            let variables = [("PROVIDER", "openai"), ("NAME", "blueprint-1"), ("API_KEY", "none")];
            command.envs(variables.map(|(name, value)| (format!("MODEL_{name}"), value)));
            command.env("MODEL_BASE_URL", url);
        }
        if let Some(seconds) = settings.idle_stop_seconds {
            command.env("IDLE_STOP_SECONDS", seconds.to_string());
        }
        command.env("SANDBOX_POOL_SIZE", settings.pool_size.unwrap_or(0).to_string());
        command.envs(PLENTY.map(|name| (name, "1000")));
        command.envs(settings.variables.clone());
        let hurried = settings.idle_stop_seconds.is_some() || settings.pool_size.is_some();
        if hurried || settings.hurried {
            command.args(["--schedule-seconds", "1"]);
        }
        if settings.log_to_file {
            let log = File::options().create(true).append(true).open(data.join("stack.log"));
            command.stderr(log.unwrap()).env("RUST_LOG", "debug");
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut process = command.spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let ready = soon("the stack's start", lines.next_line()).await.unwrap();
        let ready = ready.expect("the stack ended at once; its own words are above");
        let site = ready.split_whitespace().next_back().unwrap().to_owned();
        Self { process, _lines: lines, site, dynamodb: dynamodb(&engines(data)) }
    }
}

/// Where the AWS engines are.
fn engines(data: &Path) -> String {
    let environment = std::fs::read_to_string(data.join("engines.env")).unwrap();
    let named = |line: &str| line.strip_prefix("AWS_ENDPOINT_URL_DYNAMODB=").map(str::to_owned);
    environment.lines().find_map(named).expect("engines.env names the engines")
}

fn dynamodb(engines: &str) -> aws_sdk_dynamodb::Client {
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        .credentials_provider(Credentials::new("local", "local", None, None, "tests"))
        .endpoint_url(engines)
        .build();
    aws_sdk_dynamodb::Client::from_conf(config)
}

/// The processes that this one started itself: a stack's are its sandboxes' agents.
fn children(parent: u32) -> Vec<Pid> {
    let processes = std::fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().file_name());
    let pids = processes.filter_map(|name| name.to_str()?.parse::<i32>().ok());
    let ours = |pid: &i32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // `pid (name) state parent …`, where the name may hold anything.
        let parent_of = stat.rsplit_once(") ").and_then(|(_, rest)| rest.split(' ').nth(1));
        parent_of == Some(parent.to_string().as_str())
    };
    pids.filter(ours).filter_map(Pid::from_raw).collect()
}
