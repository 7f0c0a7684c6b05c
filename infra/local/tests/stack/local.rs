//! A stack started for one test, in this process and on free ports, and clients for it.

use local_stack::environment::Ports;
use local_stack::{Functions, Listeners, Options, Sandbox, Stack};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// Far longer than anything here takes, so an event that has not come by then never will.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// A running stack and its data folder.
pub struct Local {
    pub stack: Stack,
    pub clients: Clients,
    pub data: TempDir,
}

impl Local {
    /// Starts a stack whose functions do nothing.
    pub async fn start() -> Self {
        Self::with(Functions::nothing()).await
    }

    /// Starts a stack with these functions.
    pub async fn with(functions: Functions) -> Self {
        let data = TempDir::new().unwrap();
        let options = options(data.path());
        Self::with_options(data, options, functions).await
    }

    /// Starts a stack with these options and functions.
    pub async fn with_options(data: TempDir, options: Options, functions: Functions) -> Self {
        let listeners = Listeners::bind(Ports { site: 0, engines: 0 }).await.unwrap();
        let stack = Stack::start(&options, listeners, async |_| Ok(functions)).await.unwrap();
        let clients = Clients { ports: stack.ports };
        Self { stack, clients, data }
    }
}

/// The key that these stacks share.
pub fn github_key() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("github-key.pem")
}

/// Options for a stack over this folder, with unconfined sandboxes.
pub fn options(data: &Path) -> Options {
    Options {
        port: 0,
        engines_port: None,
        data_dir: data.to_owned(),
        sandbox: Sandbox::None,
        sandbox_image: "none".to_owned(),
        github_key: Some(github_key()),
        sandbox_agent: PathBuf::from("/nonexistent"),
        web: PathBuf::from("/nonexistent"),
        schedule_seconds: 60,
        model_pace: 0,
        engines_only: false,
        recorded: None,
        api: None,
        aws: None,
        faults: false,
    }
}

/// Clients of a stack.
#[derive(Clone, Copy)]
pub struct Clients {
    pub ports: Ports,
}

macro_rules! client {
    ($name:ident, $sdk:ident $(, $option:ident = $value:expr)*) => {
        pub fn $name(&self) -> $sdk::Client {
            use $sdk::config::{BehaviorVersion, Config, Credentials, Region};
            let config = Config::builder()
                .behavior_version(BehaviorVersion::latest())
                .region(Region::new("us-east-1"))
                .credentials_provider(Credentials::new("local", "local", None, None, "tests"))
                .endpoint_url(self.engines())
                $(.$option($value))*
                .build();
            $sdk::Client::from_conf(config)
        }
    };
}

impl Clients {
    client!(sqs, aws_sdk_sqs);
    client!(dynamodb, aws_sdk_dynamodb);
    client!(ecs, aws_sdk_ecs);
    client!(secrets, aws_sdk_secretsmanager);
    client!(connections, aws_sdk_apigatewaymanagement);
    client!(s3, aws_sdk_s3, force_path_style = true);

    pub fn engines(&self) -> String {
        format!("http://127.0.0.1:{}", self.ports.engines)
    }

    pub fn site(&self, path: &str) -> String {
        format!("http://localhost:{}{path}", self.ports.site)
    }

    pub fn queue(&self, name: &str) -> String {
        format!("{}/000000000000/{name}", self.engines())
    }
}

/// A browser that reports a redirect instead of following it.
pub fn browser() -> reqwest::Client {
    let redirects = reqwest::redirect::Policy::none();
    reqwest::Client::builder().redirect(redirects).no_proxy().user_agent("tests").build().unwrap()
}

/// Waits for an event.
pub async fn soon<T>(event: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, event).await.expect("the event never came")
}
