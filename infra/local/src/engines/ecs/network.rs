//! A separate network for each container, with access to a single port of this machine.
//!
//! On the host's network a sandbox would reach everything that listens on loopback here, including the engines, and two
//! sandboxes would compete for ports. On a separate bridge it reaches the internet but no other sandbox, and of this
//! machine only what listens on that bridge's own address: the stack serves the WebSocket API there, and nothing else.

use super::launch::worked;
use crate::listen;
use crate::ready::WhenReady;
use anyhow::{Context, Result};
use std::io::ErrorKind;
use std::net::IpAddr;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::process::Command;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

/// Docker Desktop, whose bridges are in a virtual machine, uses this name for the machine that it runs on.
const DESKTOP_HOST: &str = "host.docker.internal";
/// How long Docker may take to release a network whose container has ended, and the pause between two attempts.
const REMOVAL: Duration = Duration::from_secs(30);
const REMOVAL_PAUSE: Duration = Duration::from_millis(200);
/// The variable with the address to which an agent connects.
const DIALED: &str = "GROUNDCREW_WEBSOCKET_URL";

/// A container's network.
pub struct Network {
    name: String,
    /// Where its agent finds the WebSocket API; `None` if that is the site's own port.
    door: Option<std::net::SocketAddr>,
    closing: CancellationToken,
}

impl Network {
    /// Creates the network, and serves `agents` on its address.
    pub async fn open(name: String, label: &str, agents: &WhenReady) -> Result<Self> {
        let create = ["network", "create", "--driver", "bridge", "--label", label, &name];
        worked(docker(&create).await).context("cannot create a network for the sandbox")?;
        let mut network = Self { name, door: None, closing: CancellationToken::new() };
        let listener = match TcpListener::bind((network.gateway().await?, 0)).await {
            Ok(listener) => listener,
            // Not an address of this machine, so this is Docker Desktop.
            Err(error) if error.kind() == ErrorKind::AddrNotAvailable => return Ok(network),
            Err(error) => return Err(error).context("cannot listen on the sandbox's network"),
        };
        network.door = Some(listener.local_addr()?);
        tokio::spawn(listen::serve(listener, agents.router(), network.closing.clone()));
        Ok(network)
    }

    /// The network's name for `docker run`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Adapts a variable of the task for the agent: inside the network, the WebSocket API has another address.
    pub fn variable(&self, name: &str, value: &str) -> String {
        if name != DIALED {
            return value.to_owned();
        }
        match self.door {
            Some(door) => {
                let path = value.split('/').skip(3).collect::<Vec<_>>().join("/");
                format!("ws://{door}/{path}")
            }
            None => value.replacen("localhost", DESKTOP_HOST, 1),
        }
    }

    /// Closes the listener and removes the network. Docker refuses until it has detached the container, which on a busy
    /// machine may take until after the container has ended.
    pub async fn close(&self) {
        self.closing.cancel();
        let deadline = Instant::now() + REMOVAL;
        while let Err(error) = worked(docker(&["network", "rm", &self.name]).await) {
            let gone = error.to_string().contains("not found");
            if gone || Instant::now() > deadline {
                tracing::debug!(network = self.name, %error, "could not remove the network");
                return;
            }
            sleep(REMOVAL_PAUSE).await;
        }
    }

    async fn gateway(&self) -> Result<IpAddr> {
        let form = "{{(index .IPAM.Config 0).Gateway}}";
        let said = docker(&["network", "inspect", &self.name, "--format", form]).await?;
        let text = String::from_utf8_lossy(&said.stdout).trim().to_owned();
        text.parse().with_context(|| format!("the sandbox's network has no address: {text:?}"))
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        self.closing.cancel();
    }
}

async fn docker(arguments: &[&str]) -> std::io::Result<std::process::Output> {
    Command::new("docker").args(arguments).output().await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(door: Option<&str>) -> Network {
        let door = door.map(|address| address.parse().unwrap());
        Network { name: "n".to_owned(), door, closing: CancellationToken::new() }
    }

    #[test]
    fn an_agent_dials_the_address_of_its_own_network() {
        let (linux, desktop) = (network(Some("172.18.0.1:4711")), network(None));
        let dialed = "ws://localhost:3000/ws?a=b";
        assert_eq!(linux.variable(DIALED, dialed), "ws://172.18.0.1:4711/ws?a=b");
        assert_eq!(desktop.variable(DIALED, dialed), "ws://host.docker.internal:3000/ws?a=b");
        assert_eq!(linux.variable("OTHER", "ws://localhost:1/"), "ws://localhost:1/");
    }
}
