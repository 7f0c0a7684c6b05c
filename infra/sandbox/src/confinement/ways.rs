//! Makes addresses unreachable in a sandbox's routing table, as a separate short-lived program.
//!
//! Only a process with a single thread may enter a user namespace, and a program that it starts there under any user
//! except root loses the capability to change routes unless it is an ambient one.

use std::fs::File;
use std::os::fd::AsFd;
use std::process::Command;

use anyhow::{Context, ensure};
use rustix::thread::{
    CapabilitySet, LinkNameSpaceType, capabilities, configure_capability_in_ambient_set,
    move_into_link_name_space, set_capabilities,
};

/// The role `close-ways`: makes addresses unreachable in the network namespace of a process.
pub fn close(arguments: &[String]) -> anyhow::Result<()> {
    let (pid, addresses) = arguments.split_first().context("expected a process id")?;
    let ip = super::find("ip").context("`ip` is not installed: install iproute2")?;
    let open = |space: &str| {
        let path = format!("/proc/{pid}/ns/{space}");
        File::open(&path).context(path)
    };
    let (user, net) = (open("user")?, open("net")?);
    move_into_link_name_space(user.as_fd(), Some(LinkNameSpaceType::User))
        .context("the user namespace")?;
    move_into_link_name_space(net.as_fd(), Some(LinkNameSpaceType::Network))
        .context("the network namespace")?;
    let mut sets = capabilities(None)?;
    sets.inheritable |= CapabilitySet::NET_ADMIN;
    set_capabilities(None, sets).context("the capability to change routes")?;
    configure_capability_in_ambient_set(CapabilitySet::NET_ADMIN, true)?;
    for address in addresses {
        let closed = Command::new(&ip).args(["route", "add", "unreachable", address]).status()?;
        ensure!(closed.success(), "cannot block access to {address}");
    }
    Ok(())
}
