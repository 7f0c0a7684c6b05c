//! The sandbox's connection to the internet: a user-mode network that reaches neither this machine nor its link-local
//! neighbors.
//!
//! slirp4netns refuses this machine's loopback addresses and would forward everything else. So before it connects, the
//! sandbox's routing table marks the machine's own addresses and the link-local ones, where clouds serve their
//! metadata, as unreachable. No process inside has the capability to change that table. It lists the addresses that the
//! machine had when the sandbox started; an address added later is reachable until the next start.

use std::collections::BTreeSet;
use std::io::Read;
use std::net::Ipv4Addr;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, ensure};
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::pipe::pipe;
use tokio::process::{Child, Command};

use super::this_program;

/// A network that lasts as long as this value, and no longer than the agent.
pub struct Network {
    _child: Child,
    /// slirp4netns exits when it sees the other end of this close, however the agent ended.
    _alive: OwnedFd,
}

/// udev opens the device to every user. Without udev only root may open it, and slirp4netns seldom runs as root.
const NOT_CONNECTED: &str = "slirp4netns could not connect the sandbox. It needs /dev/net/tun, which every user must be \
     allowed to open: sudo chmod 666 /dev/net/tun";

/// Connects the network namespace of process `pid`; `launcher` starts the program.
pub async fn connect(slirp: &Path, launcher: &[String], pid: u32) -> anyhow::Result<Network> {
    close_ways(pid).await?;
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
    said.await?.context(NOT_CONNECTED)?;
    Ok(Network { _child: child, _alive: alive })
}

/// The link-local addresses.
const LINK_LOCAL: &str = "169.254.0.0/16";

/// The network that slirp4netns makes, whose addresses are not this machine's.
const INSIDE: &str = "10.0.2.";

/// Makes this machine's addresses and the link-local ones unreachable in the network namespace of process `pid`.
async fn close_ways(pid: u32) -> anyhow::Result<()> {
    let table = std::fs::read_to_string("/proc/net/fib_trie").context("/proc/net/fib_trie")?;
    let closed = Command::new(this_program()?)
        .args(["close-ways", &pid.to_string(), LINK_LOCAL])
        .args(own_addresses(&table))
        .stdin(Stdio::null())
        .output()
        .await?;
    let said = String::from_utf8_lossy(&closed.stderr);
    ensure!(
        closed.status.success(),
        "access to this machine could not be blocked: {}",
        said.trim()
    );
    Ok(())
}

/// The addresses of this machine that others can reach, from the kernel's routing table.
fn own_addresses(table: &str) -> BTreeSet<String> {
    let lines: Vec<_> = table.lines().map(str::trim).collect();
    let pairs = lines.windows(2).filter(|pair| pair.get(1) == Some(&"/32 host LOCAL"));
    pairs
        .filter_map(|pair| pair.first()?.strip_prefix("|-- ")?.parse().ok())
        .filter(|address: &Ipv4Addr| !address.is_loopback())
        .map(|address| address.to_string())
        .filter(|address| !address.starts_with(INSIDE))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reachable_addresses_are_found_in_the_table_of_routes() {
        let table = "Main:\n  +-- 0.0.0.0/0 3 0 5\n     |-- 0.0.0.0\n        /0 universe UNICAST\nLocal:\n     |-- 127.0.0.1\n\
                     \u{20}       /32 host LOCAL\n     |-- 192.0.2.2\n        /32 host LOCAL\n     |-- 192.0.2.255\n        /32 link BROADCAST\n";
        assert_eq!(own_addresses(table), BTreeSet::from(["192.0.2.2".to_owned()]));
    }
}
