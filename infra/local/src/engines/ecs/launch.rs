//! Starting and ending the process of a task.
//!
//! # A task must not outlive the stack
//!
//! Not even one that is killed with SIGKILL. A pipe that the agent watches would need the agent's help,
//! and its standard input is closed in Fargate; asking the kernel for a signal at the parent's death takes
//! code between `fork` and `exec`, which Rust calls unsafe. `setpriv --pdeathsig`, which every Linux has
//! (util-linux), does just that and then becomes the agent. The kernel looks at the *thread* that forked,
//! so all tasks are started by one thread that lives as long as the stack.

use super::Task;
use crate::options::Sandbox;
use crate::{Options, names};
use anyhow::{Context, Result, bail, ensure};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::Duration;
use tokio::process::{Child, Command};
use tokio::sync::{OnceCell, mpsc, oneshot};

/// Label of our containers, so that those of a killed stack are found again.
const CONTAINER_LABEL: &str = "groundcrew.data-dir";
/// Variables of our own that an agent outside a container needs: to find programs and its locale.
const INHERITED: [&str; 4] = ["PATH", "HOME", "LANG", "RUST_LOG"];

/// Starts tasks.
pub struct Launcher {
    sandbox: Sandbox,
    agent: PathBuf,
    sandboxes: PathBuf,
    forks: mpsc::UnboundedSender<Fork>,
    checked: OnceCell<()>,
}

type Fork = (Command, oneshot::Sender<std::io::Result<Child>>);

impl Launcher {
    /// Starts the thread that starts tasks.
    pub fn new(options: &Options, sandboxes: PathBuf) -> Result<Self> {
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

    /// Whether a task could be started; if not, what to do about it.
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
                docker.args(["image", "inspect", names::SANDBOX_IMAGE]);
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
        let mut command = match self.sandbox {
            Sandbox::Bubblewrap => self.process(task, "bubblewrap")?,
            Sandbox::None => self.process(task, "none")?,
            Sandbox::Docker => self.container(task),
        };
        command.stdin(Stdio::null()).stdout(out.try_clone()?).stderr(out);
        // Of its own, so that Ctrl-C in a terminal reaches the stack alone, which then stops its tasks.
        command.process_group(0).kill_on_drop(true);
        let (reply, started) = oneshot::channel();
        self.forks.send((command, reply)).ok().context("the launcher is gone")?;
        let child =
            started.await?.with_context(|| format!("cannot start {}", self.agent.display()))?;
        let container = (self.sandbox == Sandbox::Docker).then(|| container_name(task));
        let pid = child.id().and_then(|pid| Pid::from_raw(i32::try_from(pid).ok()?));
        Ok(Process { child, pid, container })
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
        command.current_dir(&state);
        Ok(command)
    }

    fn container(&self, task: &Task) -> Command {
        let mut command = Command::new("docker");
        // On the host's network, where the agent reaches the WebSocket on localhost.
        command.args(["run", "--rm", "--init", "--network", "host"]);
        command.args(["--name", &container_name(task), "--label", &self.label()]);
        for (name, value) in &task.environment {
            // By name alone: docker takes the value from its own environment, where no process list shows it.
            command.env(name, value).args(["--env", name]);
        }
        // The image brings the agent and says how it confines, as it does in Fargate.
        command.arg(names::SANDBOX_IMAGE);
        command
    }

    fn label(&self) -> String {
        format!("{CONTAINER_LABEL}={}", self.sandboxes.display())
    }

    /// Removes the containers of a killed stack: docker keeps them running, the kernel does not.
    fn remove_old_containers(&self) {
        let filter = format!("label={}", self.label());
        let listed = std::process::Command::new("docker")
            .args(["ps", "--all", "--quiet", "--filter", &filter])
            .output();
        let Ok(listed) = listed else { return };
        for id in String::from_utf8_lossy(&listed.stdout).split_whitespace() {
            let _ = std::process::Command::new("docker").args(["rm", "--force", id]).output();
        }
    }
}

/// The process of a task.
pub struct Process {
    child: Child,
    pid: Option<Pid>,
    container: Option<String>,
}

impl Process {
    /// Waits for its end and gives the exit code; none after a signal.
    pub async fn wait(&mut self) -> Option<i32> {
        let code = self.child.wait().await.ok().and_then(|status| status.code());
        self.sweep().await;
        code
    }

    /// Asks it to end, and ends it when it takes longer than `grace`.
    pub async fn stop(mut self, grace: Duration) -> Option<i32> {
        let Some(pid) = self.pid else { return self.wait().await };
        // The docker client passes the signal on to the container.
        if let Err(error) = kill_process(pid, Signal::TERM) {
            tracing::debug!(%error, "the task is gone already");
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
        if let Some(container) = &self.container {
            let _ = Command::new("docker").args(["rm", "--force", container]).output().await;
        }
    }
}

fn container_name(task: &Task) -> String {
    format!("groundcrew-{}", task.id)
}

/// Turns a program's failure into what it said.
fn worked(output: std::io::Result<Output>) -> Result<()> {
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
