//! The gateway's WebSocket and the store's PUT and GET, on one loopback port.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::serve::ListenerExt;
use futures::{SinkExt, StreamExt};
use protocol::{Answer, Backup, DIALER_HEADER, FRAME_BYTES, FromAgent, Inquiry, Question, ToAgent};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};

use super::PATIENCE;

/// A gateway that one agent talks to.
pub struct Gateway {
    pub port: u16,
    /// All messages from the agent, by connection.
    heard: mpsc::UnboundedReceiver<(usize, Heard)>,
    /// Messages that no test has waited for yet.
    kept: Vec<FromAgent>,
    shared: Arc<Shared>,
    /// The connection that sent the last hello.
    current: usize,
    ended: HashSet<usize>,
    ignored: HashSet<String>,
}

/// A message of an agent; `None` once its connection has ended.
type Heard = Option<FromAgent>;

/// Ways in which a hello can go unanswered.
#[derive(Clone, Copy, Debug)]
pub enum Unheard {
    /// The hello is lost, and the connection stays open.
    Lost,
    /// The connection closes.
    HungUp,
}

struct Shared {
    heard: mpsc::UnboundedSender<(usize, Heard)>,
    /// Valid tokens, and the secret of the agent that has presented each.
    tokens: Mutex<HashMap<String, Option<String>>>,
    /// What happens to the next hellos.
    unheard: Mutex<VecDeque<Unheard>>,
    restore_url: Mutex<Option<String>>,
    connections: Mutex<Vec<mpsc::UnboundedSender<Message>>>,
    objects: Mutex<HashMap<String, Bytes>>,
    refuse_puts: Mutex<bool>,
    /// Whether objects that are fetched have to wait.
    holds_fetches: watch::Sender<bool>,
    last_backup: Mutex<Option<Backup>>,
    misses_report: Mutex<bool>,
    pings: AtomicUsize,
}

/// The token of the first connection.
pub const FIRST_TOKEN: &str = "token-0-secret";

impl Gateway {
    pub async fn start() -> Self {
        let (sender, heard) = mpsc::unbounded_channel();
        let shared = Arc::new(Shared {
            heard: sender,
            tokens: Mutex::new(HashMap::from([(FIRST_TOKEN.to_owned(), None)])),
            unheard: Mutex::default(),
            restore_url: Mutex::default(),
            connections: Mutex::default(),
            objects: Mutex::default(),
            refuse_puts: Mutex::default(),
            holds_fetches: watch::Sender::default(),
            last_backup: Mutex::default(),
            misses_report: Mutex::default(),
            pings: AtomicUsize::default(),
        });
        let router = Router::new()
            .route("/ws", get(upgrade))
            .route("/store/{name}", get(fetch).put(store))
            .layer(DefaultBodyLimit::disable())
            .with_state(shared.clone());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        // Without this, the kernel delays small frames by 40 ms.
        let listener = listener.tap_io(|stream| stream.set_nodelay(true).unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self {
            port,
            heard,
            kept: Vec::new(),
            shared,
            current: 0,
            ended: HashSet::new(),
            ignored: HashSet::new(),
        }
    }

    pub fn address(&self, name: &str) -> String {
        format!("http://127.0.0.1:{}/store/{name}", self.port)
    }

    pub fn object(&self, name: &str) -> Option<Bytes> {
        self.shared.objects.lock().unwrap().get(name).cloned()
    }

    pub fn put(&self, name: &str, bytes: Vec<u8>) {
        let mut objects = self.shared.objects.lock().unwrap();
        objects.insert(name.to_owned(), bytes.into());
    }

    pub fn refuse_puts(&self) {
        *self.shared.refuse_puts.lock().unwrap() = true;
    }

    /// Lets every fetch of an object wait, until [`Self::release_fetches`].
    pub fn hold_fetches(&self) {
        self.shared.holds_fetches.send_replace(true);
    }

    pub fn release_fetches(&self) {
        self.shared.holds_fetches.send_replace(false);
    }

    /// Leaves the next report on the workspace unrecorded.
    pub fn misses_a_report(&self) {
        *self.shared.misses_report.lock().unwrap() = true;
    }

    /// Gives this address to an agent that is shutting down; without an address the agent has nothing to save.
    pub fn saves_the_last_of_it(&self, name: &str) {
        let backup = Backup { request_id: name.to_owned(), url: self.address(name) };
        *self.shared.last_backup.lock().unwrap() = Some(backup);
    }

    pub fn restore_from(&self, name: &str) {
        *self.shared.restore_url.lock().unwrap() = Some(self.address(name));
    }

    /// Admits the first agent that presents this token.
    pub fn let_in(&self, token: &str) {
        self.shared.tokens.lock().unwrap().insert(token.to_owned(), None);
    }

    /// Leaves the next hello unanswered.
    pub fn misses_a_hello(&self, how: Unheard) {
        self.shared.unheard.lock().unwrap().push_back(how);
    }

    /// Whether no agent has used this token yet.
    pub fn expects(&self, token: &str) -> bool {
        self.shared.tokens.lock().unwrap().get(token).is_some_and(Option::is_none)
    }

    /// How many connections there have been.
    pub fn connections(&self) -> usize {
        self.shared.connections.lock().unwrap().len()
    }

    /// How many pings have arrived.
    pub fn pings(&self) -> usize {
        self.shared.pings.load(Ordering::Relaxed)
    }

    /// Sends to the connection with the last hello.
    pub fn tell(&self, message: ToAgent) {
        let text = serde_json::to_string(&message).unwrap();
        let connections = self.shared.connections.lock().unwrap();
        let _ = connections[self.current].send(Message::text(text));
    }

    /// Waits for a hello, which the gateway has answered already, and returns its list of results.
    pub async fn hello(&mut self) -> Vec<String> {
        self.wait(|message| match message {
            FromAgent::Hello { unrecorded, .. } => Some(unrecorded.clone()),
            _ => None,
        })
        .await
    }

    /// Asks a question whose answer may not show this text, and waits for the answer.
    pub async fn ask(&mut self, request_id: &str, question: Question, hidden: &str) -> Answer {
        let (request_id, hidden) = (request_id.to_owned(), vec![hidden.to_owned()]);
        self.tell(ToAgent::Ask(Inquiry { request_id: request_id.clone(), question, hidden }));
        self.wait(|message| match message {
            FromAgent::Answered { request_id: id, answer } if *id == request_id => {
                Some(answer.clone())
            }
            _ => None,
        })
        .await
    }

    /// Drops the current connection without a close frame.
    pub fn cut(&self) {
        self.shared.connections.lock().unwrap()[self.current] = mpsc::unbounded_channel().0;
    }

    /// Drops the output for a browser connection, which would pile up here.
    pub fn ignore(&mut self, connection: &str) {
        self.ignored.insert(connection.to_owned());
    }

    /// Waits until the agent closes a connection.
    pub async fn gone(&mut self, connection: usize) {
        while !self.ended.contains(&connection) {
            let heard = tokio::time::timeout(PATIENCE, self.heard.recv()).await;
            let (id, heard) = heard.expect("the connection never ended").unwrap();
            self.keep(id, heard);
        }
    }

    /// Waits for a message that `pick` accepts; later calls get the others.
    pub async fn wait<T>(&mut self, pick: impl FnMut(&FromAgent) -> Option<T>) -> T {
        let picked = self.wait_or(PATIENCE, pick).await;
        picked.unwrap_or_else(|| panic!("it never came; what came was {:#?}", self.kept))
    }

    /// Like `wait`, with a time limit.
    pub async fn wait_or<T>(
        &mut self,
        patience: Duration,
        mut pick: impl FnMut(&FromAgent) -> Option<T>,
    ) -> Option<T> {
        let mut seen = 0;
        let until = tokio::time::Instant::now() + patience;
        loop {
            while seen < self.kept.len() {
                if let Some(picked) = pick(&self.kept[seen]) {
                    self.kept.remove(seen);
                    return Some(picked);
                }
                seen += 1;
            }
            let heard = tokio::time::timeout_at(until, self.heard.recv()).await;
            let (id, heard) = heard.ok()??;
            self.keep(id, heard);
        }
    }

    fn keep(&mut self, id: usize, heard: Heard) {
        match heard {
            None => drop(self.ended.insert(id)),
            Some(FromAgent::Heartbeat { .. } | FromAgent::Watched) => {}
            Some(FromAgent::TerminalOutput { connection, .. })
                if self.ignored.contains(&connection) => {}
            Some(message) => {
                if matches!(message, FromAgent::Hello { .. }) {
                    self.current = id;
                }
                self.kept.push(message);
            }
        }
    }
}

async fn upgrade(
    State(shared): State<Arc<Shared>>,
    Query(query): Query<HashMap<String, String>>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let token = query.get("token").cloned().unwrap_or_default();
    let dialer = headers[DIALER_HEADER].to_str().unwrap().to_owned();
    assert!(dialer.len() >= 64, "a secret that cannot be guessed");
    let presented = match shared.tokens.lock().unwrap().get_mut(&token) {
        Some(by) => *by.get_or_insert_with(|| dialer.clone()) == dialer,
        None => false,
    };
    if !presented {
        return StatusCode::FORBIDDEN.into_response();
    }
    upgrade.on_upgrade(move |socket| serve(socket, shared))
}

async fn serve(socket: WebSocket, shared: Arc<Shared>) {
    let (mut sink, mut stream) = socket.split();
    let (sender, mut queue) = mpsc::unbounded_channel();
    let id = {
        let mut connections = shared.connections.lock().unwrap();
        connections.push(sender.clone());
        connections.len() - 1
    };
    // The token for the next connection, as the real gateway gives it with every welcome.
    let next_token = format!("token-{}-secret", id + 1);
    shared.tokens.lock().unwrap().insert(next_token.clone(), None);
    let weak = sender.downgrade();
    drop(sender);
    let writing = tokio::spawn(async move {
        while let Some(message) = queue.recv().await {
            if sink.send(message).await.is_err() {
                break;
            }
        }
    });
    let cut = writing.abort_handle();
    loop {
        let message = tokio::select! {
            message = stream.next() => message,
            () = async { while !cut.is_finished() { tokio::time::sleep(Duration::from_millis(1)).await } } => None,
        };
        let Some(Ok(message)) = message else { break };
        if matches!(message, Message::Ping(_)) {
            shared.pings.fetch_add(1, Ordering::Relaxed);
        }
        let Message::Text(text) = message else { continue };
        assert!(text.len() <= FRAME_BYTES, "a frame of {} bytes", text.len());
        let message: FromAgent = serde_json::from_str(&text).unwrap();
        if matches!(message, FromAgent::Hello { .. }) {
            let unheard = shared.unheard.lock().unwrap().pop_front();
            match unheard {
                Some(Unheard::Lost) => continue,
                Some(Unheard::HungUp) => break,
                None => {}
            }
        }
        if matches!(message, FromAgent::Hello { .. })
            && let Some(sender) = weak.upgrade()
        {
            let welcome = ToAgent::Welcome {
                next_token: next_token.clone(),
                restore_url: shared.restore_url.lock().unwrap().clone(),
                keeps_state: true,
            };
            let text = serde_json::to_string(&welcome).unwrap();
            let _ = sender.send(Message::text(text));
        }
        if matches!(message, FromAgent::Leaving { .. })
            && let Some(sender) = weak.upgrade()
        {
            let backup = shared.last_backup.lock().unwrap().clone();
            let answer = backup.map_or(ToAgent::Stop, ToAgent::WorkspaceUpload);
            let _ = sender.send(Message::text(serde_json::to_string(&answer).unwrap()));
        }
        if let FromAgent::WorkspaceUploaded { request_id, .. }
        | FromAgent::WorkspaceRestored { request_id, .. } = &message
            && let Some(sender) = weak.upgrade()
            && !std::mem::take(&mut *shared.misses_report.lock().unwrap())
        {
            let recorded = ToAgent::WorkspaceRecorded { request_id: request_id.clone() };
            let _ = sender.send(Message::text(serde_json::to_string(&recorded).unwrap()));
        }
        let _ = shared.heard.send((id, Some(message)));
    }
    writing.abort();
    let _ = shared.heard.send((id, None));
}

async fn fetch(State(shared): State<Arc<Shared>>, Path(name): Path<String>) -> Response {
    let _ = shared.holds_fetches.subscribe().wait_for(|holds| !holds).await;
    match shared.objects.lock().unwrap().get(&name) {
        Some(bytes) => bytes.clone().into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn store(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
    body: Bytes,
) -> StatusCode {
    if *shared.refuse_puts.lock().unwrap() {
        return StatusCode::FORBIDDEN;
    }
    shared.objects.lock().unwrap().insert(name, body);
    StatusCode::OK
}
