//! Gives a reader, which cannot create internet sockets, access to one port of the loopback interface.
//!
//! The reader connects to a socket file in its home, and the supervisor relays the connection to that port alone,
//! whatever address the reader's curl was given.
//!
//! For a script that shows parts of lines, the relay reads each answer to its end and passes it on only if it contains
//! nothing like a secret, as with files ([`view`](super::view)); curl then makes one request per connection.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::path::Path;

use tokio::io::{AsyncReadExt, AsyncWriteExt, copy, copy_bidirectional};
use tokio::net::{TcpStream, UnixListener, UnixStream};
use tokio::task::AbortHandle;

use super::{Marks, has_secret};

/// The longest answer that is searched for secrets, in bytes; a longer one is not passed on.
const SEARCHED_BYTES: u64 = 4 * 1024 * 1024;

/// The file in the folder `CURL_HOME` that curl reads.
const CURL_SETTINGS: &str = ".curlrc";

/// The relay to one port; dropping it closes all its connections.
pub(super) struct Relay(AbortHandle);

impl Drop for Relay {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Relay {
    /// Listens in `home` and writes curl's settings; with marks, no answer with a secret is passed on.
    pub(super) fn start(home: &Path, port: u16, whole: Option<Marks>) -> io::Result<Self> {
        let socket = home.join("loopback");
        let listener = UnixListener::bind(&socket)?;
        let once = if whole.is_some() { "http1.1\nheader = \"Connection: close\"\n" } else { "" };
        std::fs::write(
            home.join(CURL_SETTINGS),
            format!("unix-socket = \"{}\"\n{once}", socket.display()),
        )?;
        let serving = tokio::spawn(async move {
            // The connections end with the set, which ends with this task.
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((reader, _)) = listener.accept().await {
                connections.spawn(pass_on(reader, port, whole.clone()));
            }
        });
        Ok(Self(serving.abort_handle()))
    }
}

async fn pass_on(mut reader: UnixStream, port: u16, whole: Option<Marks>) -> io::Result<()> {
    let mut service = match TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await {
        Ok(service) => service,
        Err(_) => TcpStream::connect((Ipv6Addr::LOCALHOST, port)).await?,
    };
    let Some(marks) = whole else {
        return copy_bidirectional(&mut reader, &mut service).await.map(drop);
    };
    let (mut asks, mut hears) = reader.split();
    let (answers, mut takes) = service.split();
    let mut answer = Vec::new();
    let mut answers = answers.take(SEARCHED_BYTES + 1);
    tokio::select! {
        read = answers.read_to_end(&mut answer) => read?,
        gone = copy(&mut asks, &mut takes) => return gone.map(drop),
    };
    if answer.len() as u64 <= SEARCHED_BYTES && !has_secret(&marks, &answer) {
        hears.write_all(&answer).await?;
    }
    Ok(())
}
