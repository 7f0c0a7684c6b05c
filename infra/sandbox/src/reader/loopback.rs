//! One port of the loopback interface for a reader that cannot make internet sockets.
//!
//! The reader dials a socket file in its home, and the supervisor relays the connection to that port alone, whatever
//! address the reader's curl was given.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::path::Path;

use tokio::io::copy_bidirectional;
use tokio::net::{TcpStream, UnixListener, UnixStream};
use tokio::task::AbortHandle;

/// The file that curl reads in the folder `CURL_HOME`.
const CURL_SETTINGS: &str = ".curlrc";

/// The relay to one port; it ends with this value, and with it all its connections.
pub(super) struct Relay(AbortHandle);

impl Drop for Relay {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Relay {
    /// Listens in `home` and writes curl's settings.
    pub(super) fn start(home: &Path, port: u16) -> io::Result<Self> {
        let socket = home.join("loopback");
        let listener = UnixListener::bind(&socket)?;
        std::fs::write(
            home.join(CURL_SETTINGS),
            format!("unix-socket = \"{}\"\n", socket.display()),
        )?;
        let serving = tokio::spawn(async move {
            // The connections end with the set, which ends with this task.
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((reader, _)) = listener.accept().await {
                connections.spawn(pass_on(reader, port));
            }
        });
        Ok(Self(serving.abort_handle()))
    }
}

async fn pass_on(mut reader: UnixStream, port: u16) -> io::Result<()> {
    let mut service = match TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await {
        Ok(service) => service,
        Err(_) => TcpStream::connect((Ipv6Addr::LOCALHOST, port)).await?,
    };
    copy_bidirectional(&mut reader, &mut service).await.map(drop)
}
