//! The local stack's engines and `cargo lambda watch`, as processes that end with the test.

use api_tests::binaries::outside_a_package;
use deploy_tests::{Engines, repository};
use rustix::process::{Pid, Signal, kill_process};
use std::path::PathBuf;
use std::process::{Child, Command};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};

/// How long it may take to listen; the functions are built before that.
const START: Duration = Duration::from_secs(60);
/// The pause between two checks whether it listens.
const LOOK: Duration = Duration::from_millis(50);

/// A process that is ended and waited for when the test is over.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let pid = i32::try_from(self.0.id()).ok().and_then(Pid::from_raw);
        if let Some(pid) = pid {
            kill_process(pid, Signal::TERM).ok();
        }
        self.0.wait().ok();
    }
}

/// Functions served by `cargo lambda watch`.
pub struct Watch {
    /// The address of the stack's site, which passes calls of the API on to the functions.
    site: String,
    // Dropped in this order: functions first, then the services that they call.
    _functions: Process,
    _engines: Engines,
}

impl Watch {
    /// Builds the functions, starts the engines and serves the functions with the model at `model`.
    pub async fn start(model: &str) -> Self {
        let tools = tools();
        let port = free_port().await;
        let functions = ["github", "projects", "planning"].map(str::to_owned);
        let api = format!("http://127.0.0.1:{port}");
        let engines = Engines::start(&functions, &["--api", &api]).await;

        // It runs each function with `cargo run` and the features of the tests.
        let mut watch = outside_a_package(tools.join("cargo-lambda"));
        watch.args(["lambda", "watch", "--ignore-changes", "--invoke-address", "127.0.0.1"]);
        watch.args(["--features", &features()]);
        watch.args(["--invoke-port", &port.to_string(), "--env-file"]);
        watch.arg(engines.environment_file());
        let model = format!(
            "MODEL_BASE_URL={model},MODEL_PROVIDER=openai,MODEL_NAME=told,MODEL_API_KEY=none"
        );
        watch.args(["--env-var", &model]);
        let functions = Process(watch.current_dir(repository()).spawn().unwrap());
        listens(port, "cargo lambda watch").await;

        let site = engines.environment()["PUBLIC_URL"].clone();
        Self { site, _functions: functions, _engines: engines }
    }

    /// The address of a path of the REST API for a browser.
    pub fn url(&self, path: &str) -> String {
        format!("{}/api{path}", self.site)
    }
}

/// The features with which programs are compiled for tests, from the alias that builds them: with other features, every
/// dependency of the functions would be recompiled here.
fn features() -> String {
    let config = std::fs::read_to_string(repository().join(".cargo/config.toml")).unwrap();
    let config: toml::Table = config.parse().unwrap();
    let programs = config["alias"]["programs"].as_str().unwrap();
    programs.split_once(" --features ").unwrap().1.to_owned()
}

/// The folder with the version of cargo-lambda that infra/requirements-sam.txt names.
fn tools() -> PathBuf {
    let made =
        Command::new(repository().join("infra/lint.sh")).arg("--tools-only").status().unwrap();
    assert!(made.success(), "infra/lint.sh --tools-only failed");
    repository().join("target/venv/bin")
}

async fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port()
}

async fn listens(port: u16, what: &str) {
    let knocking = async {
        while TcpStream::connect(("127.0.0.1", port)).await.is_err() {
            tokio::time::sleep(LOOK).await;
        }
    };
    tokio::time::timeout(START, knocking)
        .await
        .unwrap_or_else(|_| panic!("{what} does not listen on {port}"));
}
