//! Listeners, bound before anything starts, so that a taken port is reported at once and clearly.

use crate::Options;
use crate::environment::Ports;
use anyhow::{Context, Result, bail};
use axum::Router;
use axum::serve::{Listener, ListenerExt};
use std::io::ErrorKind;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// The stack's listeners, bound but not yet serving.
pub struct Listeners {
    /// The site on 127.0.0.1, and on ::1 if the machine has it: browsers try either for `localhost`.
    pub site: Vec<TcpListener>,
    /// The AWS engines, on 127.0.0.1 only.
    pub engines: TcpListener,
}

impl Listeners {
    /// Binds both ports, or says which one is taken.
    pub async fn bind(ports: Ports) -> Result<Self> {
        let site = bind(ports.site, "--port").await?;
        let engines = bind(ports.engines, "--engines-port").await?;
        let site_port = site.local_addr()?.port();
        let mut sites = vec![site];
        if let Ok(second) = TcpListener::bind((Ipv6Addr::LOCALHOST, site_port)).await {
            sites.push(second);
        }
        Ok(Self { site: sites, engines })
    }

    /// The ports that were bound.
    pub fn ports(&self) -> Result<Ports> {
        let site = self.site.first().context("the site has no listener")?.local_addr()?.port();
        Ok(Ports { site, engines: self.engines.local_addr()?.port() })
    }
}

async fn bind(port: u16, option: &str) -> Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .await
        .map_err(|error| refusal(port, option, &error))
}

fn refusal(port: u16, option: &str, error: &std::io::Error) -> anyhow::Error {
    match error.kind() {
        ErrorKind::AddrInUse => {
            anyhow::anyhow!(
                "port {port} is taken by another program: stop it or choose another port with {option}"
            )
        }
        _ => anyhow::anyhow!("cannot listen on port {port}: {error}"),
    }
}

/// Finds the ports to use, asking the system for free ones where an option is 0, and checks that they are free.
pub fn free_ports(options: &Options) -> Result<Ports> {
    let free = |port: u16, option: &str| {
        std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port))
            .map_err(|e| refusal(port, option, &e))
    };
    if options.port != 0 && options.port == options.engines_port() {
        bail!("--port and --engines-port are both {}: they must differ", options.port);
    }
    let site = free(options.port, "--port")?;
    let engines = free(options.engines_port(), "--engines-port")?;
    Ok(Ports { site: site.local_addr()?.port(), engines: engines.local_addr()?.port() })
}

/// Serves until `stop`, with Nagle's algorithm off: a token or a keystroke must not wait for the next one.
pub async fn serve(listener: TcpListener, router: Router, stop: CancellationToken) {
    let listener = listener.tap_io(|stream| {
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "cannot set TCP_NODELAY");
        }
    });
    let address = listener.local_addr().ok();
    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    // Deliberately not graceful: streams and sockets live for hours, and stopping may take three seconds at most.
    tokio::select! {
        () = stop.cancelled() => {}
        result = async { axum::serve(listener, service).await } => {
            if let Err(error) = result {
                tracing::error!(?address, %error, "listener failed");
            }
        }
    }
}
