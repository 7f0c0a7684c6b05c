//! LiteLLM's proxy, from PyPI, in front of the provider.

use api_tests::binaries;
use std::net::TcpListener;
use std::process::Stdio;
use std::time::{Duration, Instant};
use tokio::process::{Child, Command};
use tokio::time::sleep;

/// How long the proxy may take to start (it starts slowly), and how often that is checked.
const PATIENCE: Duration = Duration::from_secs(180);
const LOOK_EVERY: Duration = Duration::from_millis(200);

const KEY: &str = "sk-bench";

/// The running proxy; ends when dropped.
pub struct LiteLlm {
    url: String,
    http: reqwest::Client,
    _proxy: Child,
}

impl LiteLlm {
    /// Starts it in front of this upstream, or says why it is unavailable.
    pub async fn start(upstream: &str) -> Result<Self, String> {
        let root = binaries::repository();
        let program = root.join("target/counterparts-venv/bin/litellm");
        if !program.is_file() {
            return Err(format!("{} is missing", program.display()));
        }
        let port = free_port().map_err(|error| error.to_string())?.to_string();
        let mut command = Command::new(program);
        command.args(["--config", "litellm.yaml", "--host", "127.0.0.1", "--port", &port]);
        command.args(["--telemetry", "False"]).current_dir(root.join("tests/counterparts"));
        command.env("UPSTREAM", upstream).env("MASTER_KEY", KEY);
        // Otherwise it would download a price list, and ask a proxy for addresses of this machine.
        command.env("LITELLM_LOCAL_MODEL_COST_MAP", "True").env("NO_PROXY", "localhost,127.0.0.1");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut proxy = command.kill_on_drop(true).spawn().map_err(|error| error.to_string())?;
        let http = reqwest::Client::builder().no_proxy().build().map_err(|e| e.to_string())?;
        let url = format!("http://127.0.0.1:{port}");
        let deadline = Instant::now() + PATIENCE;
        let health = format!("{url}/health/liveliness");
        while !http.get(&health).send().await.is_ok_and(|answer| answer.status().is_success()) {
            if let Ok(Some(status)) = proxy.try_wait() {
                return Err(format!("LiteLLM ended: {status}"));
            }
            if Instant::now() > deadline {
                return Err(format!("LiteLLM did not answer in {PATIENCE:?}"));
            }
            sleep(LOOK_EVERY).await;
        }
        Ok(Self { url, http, _proxy: proxy })
    }

    /// Requests a stream.
    pub async fn ask(&self, question: &str) -> reqwest::Response {
        super::ask(&self.http, &format!("{}/chat/completions", self.url), KEY, question).await
    }
}

fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}
