//! The local stack as a child process, and its table.

use crate::counterpart::Counterpart;
use crate::waiting::soon;
use crate::{Model, binaries, signing};
use aws_sdk_dynamodb::config::{AppName, BehaviorVersion, Credentials, Region};
use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process, prlimit};
use serde_json::Value;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use store::Table;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

/// Variables of the user's own model: tests must not use a developer's key.
const OWN_MODEL: [&str; 5] =
    ["MODEL_PROVIDER", "MODEL_NAME", "MODEL_BASE_URL", "MODEL_API_KEY", "MODEL_API_KEY_SECRET_ID"];

/// The name of the only table.
const TABLE: &str = "groundcrew";

/// Tests sign in and call far more often than people do.
pub const UNLIMITED: &str = "every-limit=1000000";
/// Tests run more sandboxes, projects and streams at once than people do.
const PLENTY: [&str; 4] = [
    "SANDBOXES_PER_INSTALLATION",
    "SANDBOX_STARTS_PER_INSTALLATION",
    "PROJECTS_PER_INSTALLATION",
    "STREAMS_PER_INSTALLATION",
];

/// Less processor time than a reader demands for itself, in seconds, and more than a test takes.
const CPU_SECONDS: u64 = 50;

/// The settings of a stack.
#[derive(Clone, Default)]
pub struct Settings {
    /// The value of `MODEL_BASE_URL`; the stack's own blueprint model otherwise.
    pub model: Option<String>,
    /// The name of the secret for the model's key, which does not exist yet.
    pub model_key_secret: Option<&'static str>,
    /// Seconds after which an idle sandbox is stopped; if set, the schedule's minute lasts a second.
    pub idle_stop_seconds: Option<u32>,
    /// How many sandboxes wait for a project; if set, the schedule's minute lasts a second.
    pub pool_size: Option<u32>,
    /// Limits in the format of `RATE_LIMITS`; by default tests have no limits.
    pub rate_limits: Option<&'static str>,
    /// Further variables, such as limits that tests do not have by default.
    pub variables: Vec<(&'static str, String)>,
    /// The schedule's minute lasts a second.
    pub hurried: bool,
    /// The blueprint model's texts grow as people see them; by default they arrive at once.
    pub paced: bool,
    /// The stack fails where the test requests it, and time passes when the test requests it.
    pub faults: bool,
    /// The ports of the site and the engines; free ones by default.
    pub ports: Option<(u16, u16)>,
    /// Sandboxes are containers of this image.
    pub container_image: Option<String>,
    /// The log is written, in full detail, to `stack.log` in the stack's folder.
    pub log_to_file: bool,
}

/// A running product: cheap to clone; dropping the last clone stops it.
#[derive(Clone)]
pub struct App(Arc<Inner>);

struct Inner {
    settings: Settings,
    life: Mutex<Life>,
    data: PathBuf,
    /// Third-party engines underneath; they outlive a kill of the stack.
    counterpart: Option<Counterpart>,
    // Deleted with the stack; `None` for a deployed product.
    _temporary: Option<TempDir>,
}

/// One run of the process; after a kill another can follow, over the same folder and on other ports.
struct Life {
    /// `None` for a deployed product, which `cargo dev deploy-test` starts.
    process: Option<Child>,
    // Kept open: a process fails when it prints into a closed pipe.
    _lines: Option<Lines<BufReader<ChildStdout>>>,
    site: String,
    dynamodb: aws_sdk_dynamodb::Client,
    table: String,
}

impl App {
    /// Starts a stack over a new folder.
    pub async fn start(settings: Settings) -> Self {
        let temporary = TempDir::with_prefix("groundcrew-").unwrap();
        let data = temporary.path().to_owned();
        let counterpart = Counterpart::start().await;
        let life = Life::begin(&settings, &data, counterpart.as_ref()).await;
        let (life, _temporary) = (Mutex::new(life), Some(temporary));
        Self(Arc::new(Inner { settings, life, data, counterpart, _temporary }))
    }

    /// The deployed product, if the environment names one: `cargo dev deploy-test` starts and ends it.
    pub fn deployed() -> Option<Self> {
        let var = |name: &str| std::env::var(name).ok();
        let site = var("DEPLOYED_SITE")?;
        let (endpoint, table) = (var("DEPLOYED_ENDPOINT").unwrap(), var("DEPLOYED_TABLE").unwrap());
        let dynamodb = dynamodb(&endpoint, "operator");
        let life = Life { process: None, _lines: None, site, dynamodb, table };
        let (settings, life) = (Settings::default(), Mutex::new(life));
        let data = var("DEPLOYED_DATA").unwrap().into();
        Some(Self(Arc::new(Inner { settings, life, data, counterpart: None, _temporary: None })))
    }

    /// The site's address with this path.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.life().site)
    }

    /// The one table, to check effects.
    pub fn table(&self) -> Table {
        Table::new(self.dynamodb(), self.table_name())
    }

    /// Its name.
    pub fn table_name(&self) -> String {
        self.life().table.clone()
    }

    /// Whether this is a deployment: then all tests share it.
    pub fn is_shared(&self) -> bool {
        self.life().process.is_none()
    }

    /// Whether its engines are the local stack's, which keep their data below [`App::data`].
    pub fn has_own_engines(&self) -> bool {
        self.0.counterpart.is_none()
    }

    /// The database under it.
    pub fn dynamodb(&self) -> aws_sdk_dynamodb::Client {
        self.life().dynamodb.clone()
    }

    /// Calls ECS as a function does.
    pub async fn ecs(&self, operation: &str, call: &Value) -> Value {
        self.engine(&format!("AmazonEC2ContainerServiceV20141113.{operation}"), call).await
    }

    /// The address of the AWS engines.
    pub fn engines(&self) -> String {
        engines(self.data())
    }

    /// Creates a secret as an operator does.
    pub async fn make_secret(&self, name: &str, value: &str) {
        let call = serde_json::json!({"Name": name, "SecretString": value, "ClientRequestToken": "1".repeat(32)});
        let made = self.engine("secretsmanager.CreateSecret", &call).await;
        assert_eq!(made["Name"], name, "{made}");
    }

    /// Gives an existing secret another value.
    pub async fn change_secret(&self, name: &str, value: &str) {
        let call = serde_json::json!({"SecretId": name, "SecretString": value, "ClientRequestToken": "2".repeat(32)});
        let changed = self.engine("secretsmanager.PutSecretValue", &call).await;
        assert_eq!(changed["Name"], name, "{changed}");
    }

    async fn engine(&self, target: &str, call: &Value) -> Value {
        let service = if target.starts_with("secretsmanager") { "secretsmanager" } else { "ecs" };
        let call = signing::signed(&engines(self.data()), service, target, call.to_string());
        let answer = call.send().await.unwrap();
        serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap()
    }

    /// The stack's folder; for a deployed product, the folder of its GitHub and its Stripe.
    pub fn data(&self) -> &Path {
        &self.0.data
    }

    /// Kills the process without warning.
    pub async fn kill(&self) {
        let pid = {
            let mut life = self.life();
            let process = life.process.as_mut().expect("a stack of ours");
            process.start_kill().unwrap();
            process.id()
        };
        // Released before the wait: requests in progress still ask for the address.
        let gone = crate::eventually("the end of a killed stack", async || {
            self.life().process.as_mut()?.try_wait().unwrap()
        });
        gone.await;
        assert!(pid.is_some(), "the stack had ended before it was killed");
    }

    /// Kills every sandbox of the stack, but not the stack itself, as a failing host would.
    pub fn kill_sandboxes(&self) {
        self.signal_sandboxes(Signal::KILL);
    }

    /// Sends a signal to the agent of every sandbox.
    pub fn signal_sandboxes(&self, signal: Signal) {
        let stack = self.life().process.as_ref().and_then(Child::id).expect("the stack runs");
        for child in children(stack) {
            kill_process(child, signal).unwrap();
        }
    }

    /// Gives everything that the stack starts from now on less processor time than a reader demands. The confinement of
    /// each reader then fails, although the kernel is able to confine and everything else works.
    pub fn break_confinement(&self) {
        let pid = self.pid().and_then(|pid| Pid::from_raw(i32::try_from(pid).ok()?));
        let little = Rlimit { current: Some(CPU_SECONDS), maximum: Some(CPU_SECONDS) };
        prlimit(Some(pid.expect("the stack runs")), Resource::Cpu, little).unwrap();
    }

    /// Makes the schedule's call of each minute now, on a stack whose clock belongs to the test.
    pub async fn minute_passes(&self) {
        let clock = format!("{}/_local/clock/minute", self.engines());
        let made = reqwest::Client::new().post(clock).json(&Value::Null).send().await.unwrap();
        assert!(made.json::<bool>().await.unwrap(), "the reaper failed");
    }

    /// The process id, for inspecting its memory.
    pub fn pid(&self) -> Option<u32> {
        self.life().process.as_ref().and_then(Child::id)
    }

    /// Whether the process has ended.
    pub fn is_dead(&self) -> bool {
        self.life().process.as_mut().is_some_and(|process| process.try_wait().unwrap().is_some())
    }

    /// Starts it again over the existing data.
    pub async fn start_again(&self) {
        let mut settings = self.0.settings.clone();
        if settings.faults {
            // External callers use its address.
            settings.ports = Some((port(&self.life().site), port(&self.engines())));
        }
        let life = Life::begin(&settings, self.data(), self.0.counterpart.as_ref()).await;
        *self.life() = life;
    }

    fn life(&self) -> std::sync::MutexGuard<'_, Life> {
        self.0.life.lock().unwrap()
    }
}

impl Settings {
    /// Uses a model that the test controls.
    pub fn with_model(model: &Model) -> Self {
        Self { model: Some(model.base_url()), ..Self::default() }
    }
}

impl Life {
    async fn begin(settings: &Settings, data: &Path, aws: Option<&Counterpart>) -> Self {
        let agent = binaries::program("sandbox-agent");
        let mut command = Command::new(binaries::program("local-stack"));
        let (of_site, of_engines) = settings.ports.unwrap_or_default();
        command.args(["--port", &of_site.to_string()]);
        command.args(["--engines-port", &of_engines.to_string()]);
        command.arg("--data-dir").arg(data);
        // Making a key takes a tenth of a second, so all tests share one.
        command.arg("--github-key").arg(agent.with_file_name("tests-github-key.pem"));
        command.arg("--sandbox-agent").arg(agent).arg("--web").arg(data.join("no-web"));
        if !settings.paced {
            command.args(["--model-pace", "0"]);
        }
        if let Some(aws) = aws {
            command.args(["--aws", aws.address()]);
        }
        command.env("RATE_LIMITS", settings.rate_limits.unwrap_or(UNLIMITED));
        for name in OWN_MODEL {
            command.env_remove(name);
        }
        if let Some(url) = &settings.model {
            let variables = [("PROVIDER", "openai"), ("NAME", "blueprint-1"), ("API_KEY", "none")];
            command.envs(variables.map(|(name, value)| (format!("MODEL_{name}"), value)));
            command.env("MODEL_BASE_URL", url);
        }
        if let Some(secret) = settings.model_key_secret {
            command.env_remove("MODEL_API_KEY").env("MODEL_API_KEY_SECRET_ID", secret);
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
        if settings.faults {
            command.args(["--faults", "--schedule-seconds", "1000000"]);
        }
        if let Some(image) = &settings.container_image {
            command.args(["--sandbox", "docker", "--sandbox-image", image]);
        }
        if settings.log_to_file {
            let log = File::options().create(true).append(true).open(data.join("stack.log"));
            command.stderr(log.unwrap()).env("RUST_LOG", "debug");
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut process = command.spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let ready = soon("the stack's start", lines.next_line()).await.unwrap();
        let ready = ready.expect("the stack ended at once; its output is above");
        let site = ready.split_whitespace().next_back().unwrap().to_owned();
        let dynamodb = dynamodb(&engines(data), "local");
        let (process, lines, table) = (Some(process), Some(lines), TABLE.to_owned());
        Self { process, _lines: lines, site, dynamodb, table }
    }
}

fn port(address: &str) -> u16 {
    address.rsplit(':').next().unwrap().parse().unwrap()
}

/// The address of the AWS engines.
fn engines(data: &Path) -> String {
    let environment = std::fs::read_to_string(data.join("engines.env")).unwrap();
    let named = |line: &str| line.strip_prefix("AWS_ENDPOINT_URL_DYNAMODB=").map(str::to_owned);
    environment.lines().find_map(named).expect("engines.env names the engines")
}

fn dynamodb(engines: &str, key: &str) -> aws_sdk_dynamodb::Client {
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        .credentials_provider(Credentials::new(key, key, None, None, "tests"))
        .endpoint_url(engines)
        // A test's own reads of the store are not calls of the product, so faults do not apply to them.
        .app_name(AppName::new("observer").unwrap())
        .build();
    aws_sdk_dynamodb::Client::from_conf(config)
}

/// The direct children of a process: a stack's are its sandboxes' agents.
fn children(parent: u32) -> Vec<Pid> {
    let processes = std::fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().file_name());
    let pids = processes.filter_map(|name| name.to_str()?.parse::<i32>().ok());
    let ours = |pid: &i32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // `pid (name) state parent …`, where the name may contain anything.
        let parent_of = stat.rsplit_once(") ").and_then(|(_, rest)| rest.split(' ').nth(1));
        parent_of == Some(parent.to_string().as_str())
    };
    pids.filter(ours).filter_map(Pid::from_raw).collect()
}
