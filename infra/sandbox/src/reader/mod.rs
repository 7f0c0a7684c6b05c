//! The reader: runs commands that need no approval.
//!
//! The shape of a command decides, before it gets here, whether it only reads. That judgment can be fooled, so the command
//! runs in a confinement in which a wrong judgment does no harm:
//!
//! - **Files**: programs and libraries, and the workspace without hidden files, private keys, Terraform's state and other
//!   places of secrets ([`view`]). No file can be written anywhere. The home is an empty folder made for this run, so the
//!   user's configuration is not read; programs come from the system's folders alone. A script that shows parts of lines
//!   sees only the files that it names, and of those only the ones that contain nothing like a secret and no credential of
//!   the project ([`marks`]), because neither could be recognized in its output.
//! - **Environment**: a few fixed values. An order for a reading has no field for credentials.
//! - **Processes**: no signals to others, and no access to their memory, environment, descriptors or working folder,
//!   because Landlock keeps a confined process from tracing those outside. The list of processes is visible only if the
//!   shape needs it, and then the workspace is not: a link there could lead to the arguments of a process.
//! - **Network**: no internet socket can be created ([`calls`]). If the shape names a port of the loopback interface, the
//!   supervisor relays a socket file to that one port ([`loopback`]), and the only file in the home configures curl for
//!   it.
//!
//! Landlock and a list of system calls enforce this, in the same namespaces as the sandbox's other commands: a reading
//! that lists processes, ports or a service's answer has to see the real ones, which separate namespaces would hide. Both
//! work without privileges or a second user, so the confinement is the same under bubblewrap, in a task on Fargate and
//! without confinement. On a kernel without Landlock (before 5.13, or booted without it) the reader refuses
//! ([`is_possible`]): the agent reports this when it connects, and such commands then need approval. If the confinement
//! fails only when a command is to run, the reader says so on a pipe that no script can reach ([`Session::failure`]); the
//! command has not run, and then needs approval, too.
//!
//! The reader is this same program in the role `read`: it takes a [`Plan`], confines itself and becomes bash.
//! [`Plan::scratch`] is a writable folder, for checks of a copy of the workspace (`bash -n`, `shellcheck`,
//! `terraform validate`) under the same confinement. Terraform talks to its providers through socket files, so a plan
//! that names their folders ([`Plan::programs`]) may create and connect to those: only Terraform and the providers that
//! an approved step has installed run there.

mod calls;
mod loopback;
mod marks;
mod rules;
mod view;

use std::convert::Infallible;
use std::fs::{File, OpenOptions};
use std::io::{self, PipeReader, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::Context;
use protocol::Reach;
use rustix::process::{Resource, Rlimit, setrlimit};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

pub use marks::Marks;
pub use rules::is_possible;
pub use view::{has_secret, is_open};

/// The search path for programs: none of these folders belongs to the user.
const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// The folders in which a reader finds programs.
pub fn folders() -> impl Iterator<Item = &'static str> {
    PATH.split(':')
}

/// The exit code of a reading that could not be confined and so did not run.
const NOT_CONFINED: u8 = 125;

/// How much of the reason for a failed confinement is kept, in bytes.
const FAILURE_BYTES: u64 = 1000;

/// How much processor time one process may use, in seconds.
const CPU_SECONDS: u64 = 60;

/// How much memory one process may use, in bytes.
const DATA_BYTES: u64 = 2 * 1024 * 1024 * 1024;

/// The largest file in a scratch folder, in bytes; without a scratch folder no file can grow at all.
const SCRATCH_FILE_BYTES: u64 = 256 * 1024 * 1024;

/// How many files a process may have open.
const OPEN_FILES: u64 = 1024;

/// What a reading may do.
#[derive(Debug, Serialize, Deserialize)]
pub struct Plan {
    /// The workspace, visible read-only without what may be secret.
    pub workspace: PathBuf,
    /// A folder with full read and write access.
    pub scratch: Option<PathBuf>,
    /// `HOME`: empty, or with curl's settings for the relay.
    pub home: PathBuf,
    /// Whether `/proc` is visible, in place of the workspace.
    pub processes: bool,
    /// Whether the relay may be dialed.
    pub loopback: bool,
    /// Folders of programs that are visible and may be started: Terraform's providers.
    pub programs: Vec<PathBuf>,
    /// Set if the script shows parts of lines: it sees only files that it names and that contain neither a secret nor
    /// anything marked.
    pub parts: Option<Marks>,
    /// Whether standard input is a pipe for the reason why the confinement failed.
    pub reports: bool,
}

/// The conditions of a reading.
#[derive(Debug, Serialize, Deserialize)]
pub struct Terms {
    /// What its shape needs.
    pub reach: Reach,
    /// The project's credentials.
    pub marks: Marks,
}

/// The resources of a reading, which end with it: its home, the relay to a port, and the pipe for its failure.
pub struct Session {
    home: TempDir,
    relay: Option<loopback::Relay>,
    failure: PipeReader,
}

impl Session {
    /// Why the reading was not confined and has not run; `None` if it has. Ask once the reader's process has ended.
    pub fn failure(&self) -> Option<String> {
        let mut reason = Vec::new();
        (&self.failure).take(FAILURE_BYTES).read_to_end(&mut reason).ok()?;
        let reason = String::from_utf8_lossy(&reason);
        let text =
            format!("The sandbox could not confine this command, so it was not run. ({reason})");
        (!reason.is_empty()).then_some(text)
    }
}

/// Prepares to run `script` as a reader; keep the session alive until the command has ended.
pub fn command(workspace: &Path, terms: &Terms, script: &str) -> io::Result<(Command, Session)> {
    let Terms { reach, marks } = terms;
    let home = tempfile::Builder::new().prefix("reader-").tempdir()?;
    let whole = || reach.parts.then(|| marks.clone());
    let relay = reach.loopback_port.map(|port| loopback::Relay::start(home.path(), port, whole()));
    let relay = relay.transpose()?;
    let (failure, report) = io::pipe()?;
    let session = Session { home, relay, failure };
    let plan = Plan {
        workspace: workspace.to_owned(),
        scratch: None,
        home: session.home.path().to_owned(),
        processes: reach.processes,
        loopback: session.relay.is_some(),
        programs: Vec::new(),
        parts: reach.parts.then(|| marks.clone()),
        reports: true,
    };
    let mut command = plan.command(script)?;
    command.stdin(report);
    Ok((command, session))
}

impl Plan {
    /// The command that confines itself as planned and becomes `bash -c script`.
    pub fn command(&self, script: &str) -> io::Result<Command> {
        let mut command = Command::new(std::env::current_exe()?);
        command
            .arg("read")
            .arg(serde_json::to_string(self)?)
            .arg(script)
            .current_dir(self.folder())
            .env_clear()
            .envs([("PATH", PATH), ("USER", "reader"), ("LANG", "C.UTF-8"), ("TERM", "dumb")])
            .envs([("PAGER", "cat"), ("CHECKPOINT_DISABLE", "1")])
            .env("HOME", &self.home)
            .env("CURL_HOME", &self.home);
        Ok(command)
    }

    /// Where the script runs. If it sees processes, this is its empty home, so no name leads through a link in the
    /// workspace to what `/proc` shows of a process.
    fn folder(&self) -> &Path {
        let of_files = if self.processes { &self.home } else { &self.workspace };
        self.scratch.as_ref().unwrap_or(of_files)
    }

    fn enter(&self, script: &str) -> anyhow::Result<()> {
        let file_bytes = self.scratch.as_ref().map_or(0, |_| SCRATCH_FILE_BYTES);
        for (resource, most) in [
            (Resource::Cpu, CPU_SECONDS),
            (Resource::Data, DATA_BYTES),
            (Resource::Fsize, file_bytes),
            (Resource::Nofile, OPEN_FILES),
            (Resource::Core, 0),
        ] {
            setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })
                .with_context(|| format!("cannot limit {resource:?}"))?;
        }
        rules::restrict(self, script).context("cannot apply Landlock")?;
        calls::restrict(self).context("cannot filter system calls")
    }
}

/// The role `read`: confines itself and becomes bash. It returns only on failure, and then no command has run.
pub fn become_reader(arguments: &[String]) -> ExitCode {
    let [plan, script] = arguments else {
        eprintln!("sandbox-agent read: expected a plan and a script");
        return ExitCode::from(NOT_CONFINED);
    };
    let mut report = None;
    let error = match serde_json::from_str::<Plan>(plan) {
        Ok(plan) => match plan.become_script(script, &mut report) {
            Ok(never) => match never {},
            Err(error) => error,
        },
        Err(error) => error.into(),
    };
    let told = report.and_then(|mut report: File| write!(report, "{error:#}").ok());
    if told.is_none() {
        eprintln!("This command could not be confined, so it was not run. ({error:#})");
    }
    ExitCode::from(NOT_CONFINED)
}

impl Plan {
    /// Confines this process and becomes bash. `report` is then the pipe for a failure, if the plan has one: a copy that
    /// closes when the script begins, which finds a descriptor that cannot be read as its standard input.
    fn become_script(&self, script: &str, report: &mut Option<File>) -> anyhow::Result<Infallible> {
        let mut bash = Command::new("/bin/bash");
        bash.args(["--noprofile", "--norc", "-c", script]);
        if self.reports {
            let pipe = io::stdin().as_fd().try_clone_to_owned().context("cannot copy the pipe")?;
            *report = Some(File::from(pipe));
            bash.stdin(OpenOptions::new().write(true).open("/dev/null")?);
        }
        self.enter(script)?;
        Err(bash.exec().into())
    }
}
