//! Separate namespaces, created by bubblewrap.
//!
//! The order of the start matters. bubblewrap creates the namespaces and waits; the agent maps the user in them, which
//! leaves one user namespace that owns the network namespace, so that slirp4netns can enter both without being root.
//! The supervisor comes up and waits; only then is the network connected, because bubblewrap itself sets up the
//! loopback interface. Only after that does the supervisor close itself to inspection, which would keep slirp4netns out
//! as well.
//!
//! If root starts the sandbox, the sandbox gets a host user id that owns nothing: even without capabilities, the host's
//! root inside a user namespace still owns every file of root, including sysctls.

use std::fs;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::{MetadataExt, chown, lchown};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::pipe::pipe;
use rustix::process::{getgid, getuid};
use serde::Deserialize;
use tokio::process::Command;

use super::etc::{FROM_HOST, MADE, UID};
use super::limits::Cgroup;
use super::{Inside, Plan, Starting, etc, find, network, seccomp, this_program};

/// The host's user for sandboxes that root starts: from the range that systemd assigns only temporarily.
const HOST_ID: u32 = 61_184;

/// How much `/tmp` and the home may each hold in memory, in bytes.
const TMPFS_BYTES: &str = "1073741824";

/// How much `/dev/shm` may hold in memory, in bytes.
const SHM_BYTES: &str = "268435456";

/// Path of the supervisor's program inside.
const PROGRAM: &str = "/run/groundcrew/sandbox-agent";

const NOT_INSTALLED: &str = "bubblewrap is not installed (no `bwrap` on the PATH). Install it together with slirp4netns, \
     on Debian: apt-get install bubblewrap slirp4netns. To run commands without any confinement, ask for `none` by name.";

const NOT_ALLOWED: &str = "bubblewrap cannot confine anything here. It needs user namespaces: on a host, \
     `sysctl kernel.unprivileged_userns_clone=1` (Ubuntu: also an AppArmor profile for bwrap); in a container, which \
     seldom has them, ask for confinement `user` instead.";

pub async fn start(plan: &Plan) -> anyhow::Result<Inside> {
    let bwrap = find("bwrap").context(NOT_INSTALLED)?;
    let host = HostUser::choose(plan)?;
    let workspace = plan.state.join("workspace");
    fs::create_dir_all(&workspace)?;
    host.own(&workspace)?;
    let etc = etc::write(&plan.state, &plan.user)?;

    let (info, info_in) = pipe()?;
    let (mapped, mapped_in) = pipe()?;
    let (filter, filter_in) = pipe()?;
    for ours in [&info, &mapped_in, &filter_in] {
        fcntl_setfd(ours, FdFlags::CLOEXEC)?;
    }
    // A pipe holds 64 KB and the filter is smaller, so the write does not wait for a reader.
    fs::File::from(filter_in).write_all(&seccomp::program())?;

    let mut command = host.command(&bwrap);
    isolate(&mut command);
    command
        .args(["--info-fd", &info_in.as_raw_fd().to_string()])
        .args(["--userns-block-fd", &mapped.as_raw_fd().to_string()])
        .args(["--seccomp", &filter.as_raw_fd().to_string()]);
    show_system(&mut command, &etc, &plan.visible);
    show_home(&mut command, plan, &workspace)?;
    let most = plan.workspace_bytes.to_string();
    command.args(["--", PROGRAM, "supervise", &most, "--limited"]);

    let mut starting = super::spawn(&mut command)?;
    drop((info_in, mapped, filter));
    let pid = match map_user(info, &host).await {
        Ok(pid) => pid,
        Err(error) => return Err(failure(&mut starting, error).await),
    };
    // Done before any process runs inside: a process's children are counted in its own cgroup.
    let cgroup = Cgroup::hold(pid)
        .inspect_err(|error| {
            tracing::info!("limits are per process, because there is no cgroup: {error:#}");
        })
        .ok();
    fs::File::from(mapped_in).write_all(b"1")?;
    if let Err(error) = starting.ready().await {
        return Err(error.context(NOT_ALLOWED));
    }
    let network = match find("slirp4netns") {
        Some(slirp) => match network::connect(&slirp, &host.launcher(), pid).await {
            Ok(network) => Some(network),
            Err(error) => {
                tracing::warn!(error = format!("{error:#}"), "the sandbox has no network");
                None
            }
        },
        None => {
            tracing::warn!("the sandbox has no network: install slirp4netns");
            None
        }
    };
    Ok(starting.begin(network, cgroup))
}

/// Reports bubblewrap's own message instead of the missing answer.
async fn failure(starting: &mut Starting, error: anyhow::Error) -> anyhow::Error {
    starting.ready().await.err().unwrap_or(error).context(NOT_ALLOWED)
}

fn isolate(command: &mut Command) {
    command
        .args(["--unshare-user", "--unshare-pid", "--unshare-net"])
        .args(["--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"])
        .args(["--uid", &UID.to_string(), "--gid", &UID.to_string()])
        .args(["--as-pid-1", "--die-with-parent", "--new-session"])
        .args(["--cap-drop", "ALL", "--hostname", "sandbox", "--clearenv"])
        .env_clear();
}

/// The system: programs and libraries, a minimal `/dev`, and only the sandbox's own processes.
fn show_system(command: &mut Command, etc: &Path, visible: &[PathBuf]) {
    command.args(["--ro-bind", "/usr", "/usr"]);
    for link in ["bin", "sbin", "lib", "lib32", "lib64"] {
        let path = format!("/{link}");
        match fs::read_link(&path) {
            Ok(target) => command.arg("--symlink").arg(target).arg(&path),
            Err(_) => command.args(["--ro-bind-try", &path, &path]),
        };
    }
    for name in FROM_HOST {
        let path = format!("/etc/{name}");
        command.args(["--ro-bind-try", &path, &path]);
    }
    for name in MADE {
        command.arg("--ro-bind").arg(etc.join(name)).arg(Path::new("/etc").join(name));
    }
    for path in visible {
        command.arg("--ro-bind").arg(path).arg(path);
    }
    command.args(["--proc", "/proc"]);
    for path in ["/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs"] {
        command.args(["--ro-bind-try", path, path]);
    }
    command
        .args(["--dev", "/dev"])
        .args(["--size", SHM_BYTES, "--perms", "1777", "--tmpfs", "/dev/shm"])
        // The folder itself is in memory as well, and nothing may be created in it.
        .args(["--remount-ro", "/dev"])
        .args(["--size", TMPFS_BYTES, "--perms", "1777", "--tmpfs", "/tmp"])
        .args(["--symlink", "/tmp", "/var/tmp"]);
}

/// The home in memory, the workspace on disk, and this program.
fn show_home(command: &mut Command, plan: &Plan, workspace: &Path) -> anyhow::Result<()> {
    let home = plan.home();
    command
        .args(["--size", TMPFS_BYTES, "--tmpfs"])
        .arg(&home)
        .arg("--bind")
        .arg(workspace)
        .arg(home.join("workspace"))
        .arg("--ro-bind")
        .arg(this_program()?)
        .arg(PROGRAM)
        .arg("--setenv")
        .arg("HOME")
        .arg(&home)
        .args(["--setenv", "USER", &plan.user])
        // All of this is in a root file system in memory, which is writable until this point.
        .args(["--remount-ro", "/", "--chdir", "/"]);
    Ok(())
}

#[derive(Deserialize)]
struct Info {
    #[serde(rename = "child-pid")]
    child_pid: u32,
}

/// Reads the process id of the sandbox and maps one user and one group into its namespace.
async fn map_user(info: OwnedFd, host: &HostUser) -> anyhow::Result<u32> {
    let text = tokio::task::spawn_blocking(move || {
        let mut text = String::new();
        fs::File::from(info).read_to_string(&mut text).map(|_| text)
    });
    let info: Info = serde_json::from_str(&text.await??).context("bwrap reported no process id")?;
    let process = PathBuf::from(format!("/proc/{}", info.child_pid));
    for (file, text) in [
        ("setgroups", "deny".to_owned()),
        ("uid_map", format!("{UID} {} 1\n", host.uid)),
        ("gid_map", format!("{UID} {} 1\n", host.gid)),
    ] {
        fs::write(process.join(file), text).with_context(|| format!("cannot write {file}"))?;
    }
    Ok(info.child_pid)
}

/// The sandbox's user outside, on the host.
struct HostUser {
    uid: u32,
    gid: u32,
    /// Set if root must become that user first.
    setpriv: Option<PathBuf>,
}

impl HostUser {
    fn choose(plan: &Plan) -> anyhow::Result<Self> {
        let (uid, gid) = (getuid().as_raw(), getgid().as_raw());
        if uid != 0 {
            return Ok(Self { uid, gid, setpriv: None });
        }
        let Some(setpriv) = find("setpriv") else {
            bail!("setpriv is not installed: install util-linux");
        };
        if open_to_all(&plan.state) && open_to_all(&this_program()?) {
            return Ok(Self { uid: HOST_ID, gid: HOST_ID, setpriv: Some(setpriv) });
        }
        tracing::warn!(
            "the sandbox runs as the host's root without capabilities, because the agent's files are in a folder that \
             no other user may enter"
        );
        Ok(Self { uid, gid, setpriv: None })
    }

    /// The launcher that switches to that user.
    fn launcher(&self) -> Vec<String> {
        let Some(setpriv) = &self.setpriv else {
            return Vec::new();
        };
        let (uid, gid) = (self.uid.to_string(), self.gid.to_string());
        let setpriv = setpriv.display().to_string();
        [&setpriv, "--reuid", &uid, "--regid", &gid, "--clear-groups", "--"]
            .map(str::to_owned)
            .to_vec()
    }

    fn command(&self, program: &Path) -> Command {
        match self.launcher().split_first() {
            Some((setpriv, rest)) => {
                let mut command = Command::new(setpriv);
                command.args(rest).arg(program);
                command
            }
            None => Command::new(program),
        }
    }

    /// Gives the workspace to that user, once: if the folder belongs to another user, so does everything in it.
    fn own(&self, folder: &Path) -> anyhow::Result<()> {
        if fs::metadata(folder)?.uid() == self.uid {
            return Ok(());
        }
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder)? {
                let entry = entry?;
                if entry.file_type()?.is_dir() {
                    folders.push(entry.path());
                } else {
                    lchown(entry.path(), Some(self.uid), Some(self.gid))?;
                }
            }
            chown(&folder, Some(self.uid), Some(self.gid))?;
        }
        Ok(())
    }
}

/// Whether every user may traverse all folders on the way to `path`.
fn open_to_all(path: &Path) -> bool {
    path.ancestors()
        .all(|step| fs::metadata(step).is_ok_and(|meta| !meta.is_dir() || meta.mode() & 0o001 != 0))
}
