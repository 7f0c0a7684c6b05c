//! A WebSocket of a browser, or of a client that simulates a sandbox.

use crate::project::Project;
use crate::waiting::{PATIENCE, soon};
use futures::{SinkExt, StreamExt};
use protocol::{DIALER_HEADER, FromAgent, FromBrowser, ToBrowser, VERSION};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use std::collections::BTreeMap;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::handshake::client::Request;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

/// How many bytes a browser draws before it reports its position again.
const SHOWN_BYTES: u64 = 128 * 1024;

/// The HTTP status with which a socket was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused(pub u16);

/// An open socket.
pub struct Socket(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
    /// Opens a socket at an address: with a ticket like a page of the site, with a token like an agent.
    pub async fn open(address: &str) -> Result<Self, Refused> {
        let url = reqwest::Url::parse(address).unwrap();
        let of_page = !url.query_pairs().any(|(name, _)| name == "token");
        let site = url.origin().ascii_serialization().replacen("ws", "http", 1);
        Self::open_from(address, of_page.then_some(site.as_str())).await
    }

    /// Opens a socket from a page with this origin, or without an origin.
    pub async fn open_from(address: &str, origin: Option<&str>) -> Result<Self, Refused> {
        let mut request = address.into_client_request().unwrap();
        if let Some(origin) = origin {
            request.headers_mut().insert("origin", origin.parse().unwrap());
        }
        Self::opened(request).await
    }

    /// Opens a socket as an agent with this secret.
    pub async fn open_as(address: &str, dialer: &str) -> Result<Self, Refused> {
        let mut request = address.into_client_request().unwrap();
        request.headers_mut().insert(DIALER_HEADER, dialer.parse().unwrap());
        Self::opened(request).await
    }

    async fn opened(request: Request) -> Result<Self, Refused> {
        let address = request.uri().clone();
        // As in browsers: a key must not wait for the acknowledgment of the previous one.
        let no_delay = true;
        let opening = connect_async_with_config(request, None, no_delay);
        match soon("a socket's opening", opening).await {
            Ok((socket, _)) => Ok(Self(socket)),
            Err(Error::Http(response)) => Err(Refused(response.status().as_u16())),
            Err(error) => panic!("no socket at {address}: {error}"),
        }
    }

    /// Sends a message.
    pub async fn send(&mut self, message: &impl Serialize) {
        let text = serde_json::to_string(message).unwrap();
        self.0.send(Message::text(text)).await.unwrap();
    }

    /// Says hello with this number, as the agent of a sandbox that supports readings but answers no questions.
    pub async fn says_hello(&mut self, seq: u64) {
        let (terminals, unrecorded) = (Vec::new(), Vec::new());
        self.send(&FromAgent::Hello {
            seq,
            version: VERSION,
            terminals,
            unrecorded,
            reader: true,
            answers: false,
            looks_up: false,
            previews: false,
            tools: None,
        })
        .await;
    }

    /// The next message; `None` if the other side has closed the socket.
    pub async fn next<T: DeserializeOwned>(&mut self) -> Option<T> {
        loop {
            match soon("a message", self.0.next()).await? {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// Waits for a message that `pick` accepts; drops others.
    pub async fn wait<M: DeserializeOwned, T>(&mut self, pick: impl Fn(M) -> Option<T>) -> T {
        loop {
            let message = self.next().await.expect("the socket is open");
            if let Some(picked) = pick(message) {
                return picked;
            }
        }
    }

    /// Waits until a change is announced to this page.
    pub async fn wait_for_change(&mut self) {
        self.wait(|message| matches!(message, ToBrowser::Changed).then_some(())).await;
    }

    /// Closes the socket properly.
    pub async fn close(mut self) {
        self.0.close(None).await.ok();
    }
}

impl Project {
    /// A ticket for the project's terminals, as the address to open.
    pub async fn ticket(&self) -> String {
        let body = self.post("/terminal/ticket", json!({})).await.is(200).json();
        let text = |name: &str| body[name].as_str().unwrap().to_owned();
        format!("{}?ticket={}", text("url"), text("ticket"))
    }

    /// Opens a browser's socket from a page of the site; the socket may have another host.
    pub async fn socket(&self) -> Socket {
        let site = self.app().url("");
        Socket::open_from(&self.ticket().await, Some(&site)).await.unwrap()
    }

    /// Opens a browser's terminal.
    pub async fn terminal(&self) -> Terminal {
        Terminal::over(self.socket().await)
    }
}

/// A terminal as a browser shows it: output in byte order, whatever order it arrived in.
pub struct Terminal {
    /// Its socket.
    pub socket: Socket,
    /// Everything up to the first gap.
    pub shown: String,
    /// Bytes of the stream up to the first gap.
    pub next: u64,
    /// The commands of agents that the sandbox did not type.
    pub not_typed: Vec<String>,
    ahead: BTreeMap<u64, (u64, String)>,
    /// The position that was reported to the sandbox as drawn.
    acknowledged: u64,
}

impl Terminal {
    /// A terminal without output yet.
    pub fn over(socket: Socket) -> Self {
        let (shown, not_typed) = (String::new(), Vec::new());
        Self { socket, shown, next: 0, not_typed, ahead: BTreeMap::new(), acknowledged: 0 }
    }

    /// Requests all output from this terminal's position on.
    pub async fn attach(&mut self) {
        let terminal = protocol::MAIN_TERMINAL.to_owned();
        let attach = FromBrowser::Attach { terminal, offset: self.next, rows: 24, cols: 80 };
        self.socket.send(&attach).await;
    }

    /// Types.
    pub async fn types(&mut self, input: &str) {
        self.types_and_runs(input, None, None).await;
    }

    /// Types this part of a command as an agent's, after the text that was typed of it before.
    pub async fn types_of(&mut self, command: &str, after: &str, part: &str) {
        self.types_and_runs(part, None, Some((command, after))).await;
    }

    /// Requests Enter after a command typed for the user.
    pub async fn runs_typed(&mut self, command: &str) {
        self.types_and_runs("", Some(command.to_owned()), None).await;
    }

    async fn types_and_runs(
        &mut self,
        input: &str,
        run_typed: Option<String>,
        part: Option<(&str, &str)>,
    ) {
        let (command, after) =
            part.map(|(command, after)| (command.to_owned(), after.to_owned())).unzip();
        let input = FromBrowser::Input {
            input: input.to_owned(),
            terminal: protocol::MAIN_TERMINAL.to_owned(),
            seq: None,
            run_typed,
            command,
            after,
        };
        self.socket.send(&input).await;
    }

    /// Reads until this text is visible.
    pub async fn shows(&mut self, text: &str) {
        let end = Instant::now() + PATIENCE;
        while !self.shown.contains(text) {
            let read = timeout_at(end, self.reads()).await;
            assert!(
                read.is_ok(),
                "{text:?} never came after {:?}; {:?}",
                self.shown,
                self.not_typed
            );
        }
    }

    /// Reads until this text is visible, and forgets it with everything before it: the next wait is for later output.
    pub async fn shows_next(&mut self, text: &str) {
        self.shows(text).await;
        let (_, later) = self.shown.split_once(text).expect("it is visible");
        self.shown = later.to_owned();
    }

    /// Reads one more message, and reports from time to time what is drawn, as a page does.
    pub async fn reads(&mut self) {
        let Some(message) = self.socket.next().await else {
            panic!("the socket closed; shown so far:\n{}", self.shown)
        };
        self.take(message);
        if self.acknowledged == 0 {
            self.acknowledged = self.next;
        }
        if self.next - self.acknowledged >= SHOWN_BYTES {
            self.acknowledged = self.next;
            let terminal = protocol::MAIN_TERMINAL.to_owned();
            self.socket.send(&FromBrowser::Shown { terminal, offset: self.next }).await;
        }
    }

    fn take(&mut self, message: ToBrowser) {
        match message {
            ToBrowser::Output { data, offset, next, .. } => {
                self.ahead.insert(offset, (next, data));
            }
            ToBrowser::NotTyped { command, .. } => self.not_typed.push(command),
            _ => {}
        }
        while let Some(entry) = self.ahead.first_entry() {
            let offset = *entry.key();
            if offset > self.next {
                return;
            }
            let (next, data) = entry.remove();
            if next > self.next {
                // Tests print ASCII, in which each byte is a character.
                let known = usize::try_from(self.next - offset).unwrap();
                self.shown.push_str(data.get(known..).unwrap_or(&data));
                self.next = next;
            }
        }
    }
}
