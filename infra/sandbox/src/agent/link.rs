//! The connection to the gateway: dials it, keeps it up, and replaces it before it expires.
//!
//! Each `welcome` carries the token for the next connection, and this task always dials with the newest one. The
//! gateway may have seen that token before, if the answer was lost or the function that handled it crashed. So the
//! agent also presents a secret, kept only in its memory, and the gateway binds each token to that secret.
//!
//! When a connection grows old, this task dials the next one first; the loop then switches to it and drops the old one,
//! which writes its queued messages and closes. Messages that still arrive on the old connection are handled like those
//! on the new one.

use std::time::Duration;

use futures::stream::{SplitSink, SplitStream};
use futures::{SinkExt, StreamExt};
use protocol::{DIALER_HEADER, FromAgent, ToAgent};
use rand::Rng;
use tokio::net::TcpStream;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::handshake::client::Request;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// An event of a connection.
pub enum Happening {
    /// A connection is up and should be used from now on.
    Up(Link),
    /// A message that arrived on this connection.
    Message(u64, ToAgent),
    /// The gateway has received everything that was sent before this ping.
    Pong(u64),
    /// Connection `id` is gone.
    Down(u64),
}

/// The writing end of a connection; dropping it closes the connection once its queue is written.
pub struct Link {
    pub id: u64,
    outgoing: mpsc::Sender<Message>,
    writer: JoinHandle<()>,
}

/// How many messages may wait to be written; each is a frame of at most 32 KB.
const OUTGOING: usize = 64;

/// While this many wait, terminals and progress hold back: their messages would only become stale in the queue.
const BUSY: usize = 4;

/// Time limit for dialing, and for writing one message.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long an agent that shuts down waits for its last messages to be written.
const GOODBYE: Duration = Duration::from_secs(2);

/// A connection without any message for this long is dead; pings, which the gateway answers, go out every 20 s.
const SILENCE: Duration = Duration::from_secs(60);

/// The first pause before dialing again, and the longest.
const PAUSE: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(30));

/// Random bytes in the secret that this agent presents when it dials: 256 bits, which cannot be guessed.
const DIALER_BYTES: usize = 32;

/// After a connection that lasted this long, the pauses start over.
const GOOD: Duration = Duration::from_secs(5);

impl Link {
    /// Queues a message that must arrive; `false` if the connection cannot keep up and is lost.
    pub fn send(&self, message: &FromAgent) -> bool {
        match serde_json::to_string(message) {
            Ok(text) => self.outgoing.try_send(Message::text(text)).is_ok(),
            Err(error) => {
                tracing::error!(%error, "a message could not be serialized");
                true
            }
        }
    }

    /// Whether there is room for messages that can also be sent later.
    pub fn has_room(&self) -> bool {
        self.outgoing.max_capacity() - self.outgoing.capacity() < BUSY
    }

    /// Closes the connection and waits briefly for everything to be written.
    pub async fn close(self) {
        drop(self.outgoing);
        let _ = timeout(GOODBYE, self.writer).await;
    }

    /// Asks the gateway to confirm the messages so far.
    pub fn ping(&self, number: u64) {
        let payload = number.to_be_bytes().to_vec();
        let _ = self.outgoing.try_send(Message::Ping(payload.into()));
    }
}

/// Keeps a connection up as long as `happenings` has a receiver.
pub async fn keep(
    url: String,
    renew_after: Duration,
    tokens: watch::Receiver<String>,
    happenings: mpsc::Sender<Happening>,
) {
    let dialer = hex::encode(rand::rng().random::<[u8; DIALER_BYTES]>());
    let mut pause = PAUSE.0;
    for id in 0.. {
        let socket = dial(&url, &dialer, &tokens, &mut pause).await;
        let (sink, stream) = socket.split();
        let (outgoing, queue) = mpsc::channel(OUTGOING);
        let link = Link { id, outgoing, writer: tokio::spawn(write(sink, queue)) };
        if happenings.send(Happening::Up(link)).await.is_err() {
            return;
        }
        let up = Instant::now();
        let reader = tokio::spawn(read(id, stream, happenings.clone()));
        // The reader of an old connection keeps running until the owner of its link closes it.
        if timeout(renew_after, reader).await.is_ok() {
            if up.elapsed() > GOOD {
                pause = PAUSE.0;
            }
            rest(&mut pause).await;
        }
    }
}

/// Dials until the gateway answers.
async fn dial(
    url: &str,
    dialer: &str,
    tokens: &watch::Receiver<String>,
    pause: &mut Duration,
) -> Socket {
    loop {
        let token = tokens.borrow().clone();
        let dialing = async {
            let no_delay = true;
            connect_async_with_config(request(url, dialer, &token)?, None, no_delay).await
        };
        match timeout(PATIENCE, dialing).await {
            Ok(Ok((socket, _))) => return socket,
            // The error's own text may contain the address and with it the token.
            Ok(Err(tungstenite::Error::Http(answer))) => {
                tracing::warn!(
                    status = answer.status().as_u16(),
                    "the gateway refuses the connection"
                );
            }
            Ok(Err(tungstenite::Error::Io(error))) => tracing::warn!(%error, "no gateway"),
            Ok(Err(_)) => tracing::warn!("the gateway does not speak WebSocket"),
            Err(_) => tracing::warn!("the gateway does not answer"),
        }
        rest(pause).await;
    }
}

fn request(url: &str, dialer: &str, token: &str) -> Result<Request, tungstenite::Error> {
    let separator = if url.contains('?') { '&' } else { '?' };
    let mut request = format!("{url}{separator}token={token}").into_client_request()?;
    let mut dialer = HeaderValue::from_str(dialer)?;
    dialer.set_sensitive(true);
    request.headers_mut().insert(DIALER_HEADER, dialer);
    Ok(request)
}

/// Sleeps between half of the pause and all of it, so that agents that lost the same gateway do not all reconnect at
/// once.
async fn rest(pause: &mut Duration) {
    let share = rand::rng().random_range(0.5..1.0);
    sleep(pause.mul_f64(share)).await;
    *pause = (*pause * 2).min(PAUSE.1);
}

async fn write(mut sink: SplitSink<Socket, Message>, mut queue: mpsc::Receiver<Message>) {
    while let Some(message) = queue.recv().await {
        match timeout(PATIENCE, sink.send(message)).await {
            Ok(Ok(())) => {}
            // The reader sees the same end, or the queue fills up and the loop drops the connection.
            _ => return,
        }
    }
    let _ = timeout(PATIENCE, sink.close()).await;
}

async fn read(id: u64, mut stream: SplitStream<Socket>, happenings: mpsc::Sender<Happening>) {
    let mut answers_pings = false;
    loop {
        let message = match timeout(SILENCE, stream.next()).await {
            Ok(Some(Ok(message))) => message,
            Ok(Some(Err(_)) | None) => break,
            Err(_) if answers_pings => break,
            Err(_) => continue,
        };
        let happening = match message {
            Message::Text(text) => match serde_json::from_str(&text) {
                Ok(message) => Happening::Message(id, message),
                Err(error) => {
                    // A newer gateway may send messages that this agent does not support.
                    tracing::warn!(%error, "dropped a message of an unknown kind");
                    continue;
                }
            },
            Message::Pong(payload) => {
                answers_pings = true;
                match payload.as_ref().try_into() {
                    Ok(number) => Happening::Pong(u64::from_be_bytes(number)),
                    Err(_) => continue,
                }
            }
            Message::Close(_) => break,
            _ => continue,
        };
        if happenings.send(happening).await.is_err() {
            return;
        }
    }
    let _ = happenings.send(Happening::Down(id)).await;
}

#[cfg(test)]
mod tests {
    use super::*;
    use growth::assert_linear;
    use std::io::{Cursor, Read, Write};
    use tokio_tungstenite::tungstenite::protocol::{Role, WebSocket};

    /// The shorter length of what the gateway sends, in bytes.
    const BYTES: usize = 16 * 1024;

    /// A connection on which these bytes arrive, and on which answers are lost.
    struct Wire(Cursor<Vec<u8>>);

    impl Read for Wire {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            self.0.read(into)
        }
    }

    impl Write for Wire {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn frames_are_read_in_linear_time() {
        let terminal = br#"{"type":"terminal_detach","connection":"c"}"#;
        let whole = [&[0x81, u8::try_from(terminal.len()).unwrap()], &terminal[..]].concat();
        for (what, begin, piece) in [
            ("messages", &[][..], &whole[..]),
            ("empty messages", &[], &[0x81, 0]),
            ("a message in frames of one byte", &[0x01, 1, b'"'], &[0x00, 1, b'a']),
            ("a message in frames of nothing", &[0x01, 1, b'"'], &[0x00, 0]),
            ("brackets", &[0x01, 1, b'['], &[0x00, 1, b'[']),
            ("pings", &[], &[0x89, 1, b'a']),
            ("pongs between fragments", &[0x01, 1, b'"'], &[0x8a, 0, 0x00, 1, b'a']),
        ] {
            let make = |bytes: usize| [begin, &piece.repeat(bytes / piece.len())[..]].concat();
            assert_linear(what, BYTES, make, |bytes| {
                let wire = Wire(Cursor::new(bytes.clone()));
                let mut socket = WebSocket::from_raw_socket(wire, Role::Client, None);
                while let Ok(message) = socket.read() {
                    if let Message::Text(text) = message {
                        std::hint::black_box(serde_json::from_str::<ToAgent>(&text).ok());
                    }
                }
            });
        }
    }
}
