//! The sandbox's way out: a user-mode network that cannot reach this machine's own loopback.

use std::io::Read;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::Path;
use std::process::Stdio;

use anyhow::Context;
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::pipe::pipe;
use tokio::process::{Child, Command};

/// A network that lasts as long as this value, and no longer than the agent.
pub struct Network {
    _child: Child,
    /// slirp4netns ends when the other end sees this one closed, however the agent ended.
    _alive: OwnedFd,
}

/// Connects the network namespace of process `pid`; `launcher` is what the program is started through.
pub async fn connect(slirp: &Path, launcher: &[String], pid: u32) -> anyhow::Result<Network> {
    let (ready, ready_in) = pipe()?;
    let (exit, alive) = pipe()?;
    for fd in [&ready, &alive] {
        fcntl_setfd(fd, FdFlags::CLOEXEC)?;
    }
    let mut command = match launcher.split_first() {
        Some((program, rest)) => {
            let mut command = Command::new(program);
            command.args(rest).arg(slirp);
            command
        }
        None => Command::new(slirp),
    };
    let child = command
        .args(["--configure", "--mtu=65520", "--disable-host-loopback"])
        .arg("--enable-seccomp")
        .arg(format!("--userns-path=/proc/{pid}/ns/user"))
        .args(["--ready-fd", &ready_in.as_raw_fd().to_string()])
        .args(["--exit-fd", &exit.as_raw_fd().to_string()])
        .args([&pid.to_string(), "tap0"])
        .env_clear()
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .context("cannot start slirp4netns")?;
    drop((ready_in, exit));
    let said = tokio::task::spawn_blocking(move || {
        let mut byte = [0];
        std::fs::File::from(ready).read_exact(&mut byte)
    });
    said.await?.context("slirp4netns could not connect the sandbox (is /dev/net/tun there?)")?;
    Ok(Network { _child: child, _alive: alive })
}
