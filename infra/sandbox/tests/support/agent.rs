//! The agent's process.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use tempfile::TempDir;
use tokio::process::{Child, Command};

use super::Gateway;
use super::gateway::FIRST_TOKEN;

/// An agent and the state directory that outlives it.
pub struct Agent {
    child: Child,
    state: TempDir,
}

const PROGRAM: &str = env!("CARGO_BIN_EXE_sandbox-agent");

/// The user inside.
pub const USER: &str = "user_4512_8841";

impl Agent {
    /// Starts an agent whose commands run under bubblewrap.
    pub fn start(gateway: &Gateway) -> Self {
        Self::start_with(gateway, &[])
    }

    /// Starts an agent with additional environment variables.
    pub fn start_with(gateway: &Gateway, environment: &[(&str, &str)]) -> Self {
        Self::start_for(Some(USER), gateway, environment)
    }

    /// Starts an agent of the warm pool, which has no user yet.
    pub fn start_pooled(gateway: &Gateway, environment: &[(&str, &str)]) -> Self {
        Self::start_for(None, gateway, environment)
    }

    fn start_for(user: Option<&str>, gateway: &Gateway, environment: &[(&str, &str)]) -> Self {
        for program in ["bwrap", "slirp4netns"] {
            assert!(
                Path::new("/usr/bin").join(program).exists(),
                "these tests need {program}: apt-get install bubblewrap slirp4netns"
            );
        }
        let state = tempfile::Builder::new()
            .permissions(fs::Permissions::from_mode(0o711))
            .tempdir()
            .unwrap();
        let program = Command::new(PROGRAM);
        let child = spawn(program, gateway, state.path(), FIRST_TOKEN, user, environment);
        Self { child, state }
    }

    /// Starts an agent that has less processor time than a reader demands, so that the confinement of each reader fails.
    pub fn start_without_time(gateway: &Gateway) -> Self {
        let state = tempfile::Builder::new()
            .permissions(fs::Permissions::from_mode(0o711))
            .tempdir()
            .unwrap();
        let mut program = Command::new("bash");
        program.args(["-c", "ulimit -t 50; exec \"$0\"", PROGRAM]);
        let child = spawn(program, gateway, state.path(), FIRST_TOKEN, Some(USER), &[]);
        Self { child, state }
    }

    /// Starts an unconfined agent in a view of this machine in which other folders are mounted over some paths. Where it
    /// may, it comes before other tests: a check has a time limit for a sandbox that has nothing else to do.
    pub fn start_where(gateway: &Gateway, other: &[(&Path, &str)]) -> Self {
        let state = tempfile::tempdir().unwrap();
        let mut program = Command::new("nice");
        program.args(["--adjustment=-10", "bwrap", "--dev-bind", "/", "/", "--die-with-parent"]);
        for (folder, place) in other {
            program.arg("--ro-bind").arg(folder).arg(place);
        }
        program.args(["--", PROGRAM]);
        let environment = [("GROUNDCREW_CONFINEMENT", "none")];
        let child = spawn(program, gateway, state.path(), FIRST_TOKEN, Some(USER), &environment);
        Self { child, state }
    }

    /// Kills the agent as a machine failure would, and starts it again with the token of connection `n`.
    pub async fn die_and_start_again(&mut self, gateway: &Gateway, n: usize) {
        self.child.kill().await.unwrap();
        let token = format!("token-{n}-secret");
        let program = Command::new(PROGRAM);
        self.child = spawn(program, gateway, self.state.path(), &token, Some(USER), &[]);
    }

    pub async fn die(&mut self) {
        self.child.kill().await.unwrap();
    }

    /// Asks the agent to stop, and waits until it has.
    pub async fn terminate(&mut self) -> std::process::ExitStatus {
        self.is_asked_to_end();
        self.ended().await
    }

    pub fn is_asked_to_end(&self) {
        let pid = rustix::process::Pid::from_raw(self.pid().cast_signed()).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    }

    pub async fn ended(&mut self) -> std::process::ExitStatus {
        self.child.wait().await.unwrap()
    }

    pub fn pid(&self) -> u32 {
        self.child.id().unwrap()
    }

    /// The workspace, seen from the host.
    pub fn workspace(&self) -> PathBuf {
        self.state.path().join("workspace")
    }

    pub fn state(&self) -> &Path {
        self.state.path()
    }
}

fn spawn(
    mut program: Command,
    gateway: &Gateway,
    state: &Path,
    token: &str,
    user: Option<&str>,
    environment: &[(&str, &str)],
) -> Child {
    program
        .env("GROUNDCREW_WEBSOCKET_URL", format!("ws://127.0.0.1:{}/ws", gateway.port))
        .env("GROUNDCREW_TOKEN", token)
        .envs(user.map(|user| ("GROUNDCREW_USER", user)))
        .env("GROUNDCREW_CONFINEMENT", "bubblewrap")
        .env("GROUNDCREW_STATE_DIR", state)
        .env("RUST_LOG", "warn")
        .envs(environment.iter().copied())
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .unwrap()
}
