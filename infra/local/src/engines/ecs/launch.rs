//! Starts and ends the process of a task.
//!
//! # A task must not outlive the stack
//!
//! This holds even if the stack is killed with SIGKILL. A pipe that the agent watches would need the agent's help, and
//! its standard input is closed in Fargate; asking the kernel for a signal when the parent dies takes code between
//! `fork` and `exec`, which Rust calls unsafe. `setpriv --pdeathsig`, which every Linux has (util-linux), does just
//! that and then becomes the agent. The kernel watches the *thread* that forked, so one thread that lives as long as
//! the stack starts all tasks.

use super::network::Network;
use super::{STOP_GRACE, Task};
use crate::Options;
use crate::options::Sandbox;
use crate::ready::WhenReady;
use anyhow::{Context, Result, bail, ensure};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::Duration;
use tokio::process::{Child, Command};
use tokio::sync::{OnceCell, mpsc, oneshot};

/// Label of this stack's containers and networks, by which the next start finds those of a killed stack.
const CONTAINER_LABEL: &str = "groundcrew.data-dir";
/// Variables of this process that an agent outside a container needs to find programs and its locale.
const INHERITED: [&str; 4] = ["PATH", "HOME", "LANG", "RUST_LOG"];

/// The variable with the time that an agent has between SIGTERM and SIGKILL.
const STOP_SECONDS: (&str, u64) = ("GROUNDCREW_STOP_SECONDS", STOP_GRACE.as_secs());

/// What a container may use and change: as much as a task of the template's default size, with the same capabilities.
const CONTAINER_LIMITS: [&str; 14] = [
    "--memory=2g",
    "--memory-swap=2g",
    "--cpus=2",
    "--pids-limit=1024",
    "--ulimit=nofile=4096:16384",
    "--security-opt=no-new-privileges",
    "--read-only",
    "--cap-drop=AUDIT_WRITE",
    "--cap-drop=FSETID",
    "--cap-drop=MKNOD",
    "--cap-drop=NET_BIND_SERVICE",
    "--cap-drop=NET_RAW",
    "--cap-drop=SETFCAP",
    "--cap-drop=SYS_CHROOT",
];

/// Starts tasks.
pub struct Launcher {
    sandbox: Sandbox,
    image: String,
    agent: PathBuf,
    sandboxes: PathBuf,
    agents: WhenReady,
    forks: mpsc::UnboundedSender<Fork>,
    checked: OnceCell<()>,
}

type Fork = (Command, oneshot::Sender<std::io::Result<Child>>);

impl Launcher {
    /// Starts the thread that starts tasks.
    pub fn new(options: &Options, sandboxes: PathBuf, agents: WhenReady) -> Result<Self> {
        let (forks, mut asked) = mpsc::unbounded_channel::<Fork>();
        let runtime = tokio::runtime::Handle::current();
        std::thread::Builder::new().name("sandbox-launcher".to_owned()).spawn(move || {
            let _runtime = runtime.enter();
            while let Some((mut command, reply)) = asked.blocking_recv() {
                let _ = reply.send(command.spawn());
            }
        })?;
        let launcher = Self {
            sandbox: options.sandbox,
            image: options.sandbox_image.clone(),
            agents,
            agent: std::path::absolute(&options.sandbox_agent)?,
            sandboxes: std::path::absolute(&sandboxes)?,
            forks,
            checked: OnceCell::new(),
        };
        if launcher.sandbox == Sandbox::Docker {
            launcher.remove_old_containers();
        }
        Ok(launcher)
    }

    /// Checks whether a task can be started; the error says how to fix it.
    pub async fn check(&self) -> Result<()> {
        self.checked.get_or_try_init(|| self.try_out()).await?;
        let own = self.sandbox == Sandbox::Docker || self.agent.is_file();
        ensure!(own, "{} is missing: cargo build --package sandbox-agent", self.agent.display());
        Ok(())
    }

    async fn try_out(&self) -> Result<()> {
        match self.sandbox {
            Sandbox::None => Ok(()),
            Sandbox::Bubblewrap => {
                let mut bwrap = Command::new("bwrap");
                bwrap.args(["--unshare-user", "--unshare-pid", "--ro-bind", "/", "/", "true"]);
                worked(bwrap.output().await).context(
                    "Sandboxes need bubblewrap, which does not work here: install it \
                     (sudo apt-get install bubblewrap slirp4netns) and allow unprivileged user namespaces, \
                     or start with --sandbox docker",
                )
            }
            Sandbox::Docker => {
                let mut docker = Command::new("docker");
                docker.args(["image", "inspect", &self.image]);
                worked(docker.output().await).context(
                    "Sandboxes need a running Docker and their image: \
                     docker build --file infra/sandbox/Dockerfile --tag groundcrew-sandbox .",
                )
            }
        }
    }

    /// Starts the process of a task.
    pub async fn launch(&self, task: &Task) -> Result<Process> {
        let log = self.sandboxes.join(format!("{}.log", task.id));
        let out = std::fs::File::create(&log)
            .with_context(|| format!("cannot write {}", log.display()))?;
        let mut network = None;
        let mut command = match self.sandbox {
            Sandbox::Bubblewrap => self.process(task, "bubblewrap")?,
            Sandbox::None => self.process(task, "none")?,
            Sandbox::Docker => {
                let own = Network::open(container_name(task), &self.label(), &self.agents).await?;
                self.container(task, network.insert(own))
            }
        };
        command.stdin(Stdio::null()).stdout(out.try_clone()?).stderr(out);
        // In a separate process group, so that Ctrl-C in a terminal reaches only the stack, which then stops its tasks.
        command.process_group(0).kill_on_drop(true);
        let (reply, started) = oneshot::channel();
        self.forks.send((command, reply)).ok().context("the thread that starts tasks has ended")?;
        let child =
            started.await?.with_context(|| format!("cannot start {}", self.agent.display()))?;
        let pid = child.id().and_then(|pid| Pid::from_raw(i32::try_from(pid).ok()?));
        Ok(Process { child, pid, network })
    }

    fn process(&self, task: &Task, confinement: &str) -> Result<Command> {
        let state = self.sandboxes.join(&task.id);
        std::fs::create_dir_all(&state)
            .with_context(|| format!("cannot create {}", state.display()))?;
        let mut command = match find("setpriv") {
            Some(setpriv) => {
                let mut command = Command::new(setpriv);
                command.args(["--pdeathsig", "KILL", "--"]).arg(&self.agent);
                command
            }
            None => Command::new(&self.agent),
        };
        let own = INHERITED.iter().filter_map(|name| Some((*name, std::env::var_os(name)?)));
        command.arg("agent").env_clear().envs(own).envs(&task.environment);
        command.env("GROUNDCREW_CONFINEMENT", confinement).env("GROUNDCREW_STATE_DIR", &state);
        command.env(STOP_SECONDS.0, STOP_SECONDS.1.to_string());
        command.current_dir(&state);
        Ok(command)
    }

    fn container(&self, task: &Task, network: &Network) -> Command {
        let mut command = Command::new("docker");
        command.args(["run", "--rm", "--init", "--network", network.name()]).args(CONTAINER_LIMITS);
        command.args(["--name", &container_name(task), "--label", &self.label()]);
        for (name, value) in &task.environment {
            // By name only: docker takes the value from its own environment, where no process list shows it.
            command.env(name, network.variable(name, value)).args(["--env", name]);
        }
        command.arg("--env").arg(format!("{}={}", STOP_SECONDS.0, STOP_SECONDS.1));
        // The image contains the agent and sets its confinement, as in Fargate.
        command.arg(&self.image);
        command
    }

    fn label(&self) -> String {
        format!("{CONTAINER_LABEL}={}", self.sandboxes.display())
    }

    /// Removes the containers and networks of a killed stack, which docker keeps running.
    fn remove_old_containers(&self) {
        let filter = format!("label={}", self.label());
        let listed = std::process::Command::new("docker")
            .args(["ps", "--all", "--quiet", "--filter", &filter])
            .output();
        let Ok(listed) = listed else { return };
        for id in String::from_utf8_lossy(&listed.stdout).split_whitespace() {
            let _ = std::process::Command::new("docker").args(["rm", "--force", id]).output();
        }
        let _ = std::process::Command::new("docker")
            .args(["network", "prune", "--force", "--filter", &filter])
            .output();
    }
}

/// The process of a task.
pub struct Process {
    child: Child,
    pid: Option<Pid>,
    // A container has the same name as its network.
    network: Option<Network>,
}

impl Process {
    /// Waits for its end and returns the exit code; `None` after a signal.
    pub async fn wait(&mut self) -> Option<i32> {
        let code = self.child.wait().await.ok().and_then(|status| status.code());
        self.sweep().await;
        code
    }

    /// Sends it `signal`, and kills it if it takes longer than `grace` to exit.
    pub async fn stop(mut self, signal: Signal, grace: Duration) -> Option<i32> {
        let Some(pid) = self.pid else { return self.wait().await };
        // The docker client passes the signal on to the container.
        if let Err(error) = kill_process(pid, signal) {
            tracing::debug!(%error, "the task has already ended");
        }
        if let Ok(code) = tokio::time::timeout(grace, self.wait()).await {
            return code;
        }
        let _ = kill_process_group(pid, Signal::KILL);
        self.wait().await
    }

    /// Ends what the agent leaves behind: its process group, or its container.
    async fn sweep(&self) {
        if let Some(group) = self.pid {
            let _ = kill_process_group(group, Signal::KILL);
        }
        if let Some(network) = &self.network {
            let remove = ["rm", "--force", "--volumes", network.name()];
            let _ = Command::new("docker").args(remove).output().await;
            network.close().await;
        }
    }
}

fn container_name(task: &Task) -> String {
    format!("groundcrew-{}", task.id)
}

/// Turns a program's failure into an error with its output.
pub fn worked(output: std::io::Result<Output>) -> Result<()> {
    let output = output?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim().to_owned());
    }
    Ok(())
}

fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| is_program(file))
}

fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(file)
        .is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}
