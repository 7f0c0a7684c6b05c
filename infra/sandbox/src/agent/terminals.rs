//! Terminals and who looks at them.
//!
//! A terminal is its scrollback; a viewer is a browser connection with a cursor in it. Nothing is queued per
//! viewer: a frame is cut from the scrollback when the viewer's turn comes, at once after a silence so that an echo is
//! fast, and otherwise every [`CADENCE`]. That makes 2 MB/s at most, which a browser can draw. The shell may run ahead of
//! the foremost viewer by [`AHEAD_BYTES`] and then has to wait. With nobody looking it runs freely and the
//! oldest output gives way.
//!
//! A frame that was written may still be lost with its connection. So each viewer's cursor goes back, after an
//! outage, to what the gateway had confirmed by answering a ping; a browser drops what it has already.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use protocol::{FRAME_BYTES, FromAgent, MAIN_TERMINAL, Reorder};
use tokio::time::Instant;

use super::scrollback::Scrollback;
use super::sequence::micros_now;
use super::viewer::{CADENCE, Terminal, Viewer};
use crate::pipe::Order;

/// How far a shell may run ahead of what was sent, in bytes. It is what Ctrl-C has to wait for.
const AHEAD_BYTES: u64 = FRAME_BYTES as u64;

/// How many terminals a sandbox has at most.
const TERMINALS: usize = 16;

/// How many browser connections are remembered; the one that was quiet longest is forgotten.
const CONNECTIONS: usize = 64;

/// How long inputs wait for one that is missing before it is given up: a lost key is better than a dead keyboard.
const MISSING_KEY: Duration = Duration::from_secs(5);

/// The longest name of a terminal.
const NAME_BYTES: usize = 64;

/// The highest offset that is believed: half of what a browser's numbers hold.
const HIGHEST_OFFSET: u64 = 1 << 52;

/// The size of a terminal that is typed into before it was ever attached.
const USUAL_SIZE: (u16, u16) = (24, 80);

/// All terminals of the sandbox, and all browser connections to them.
#[derive(Default)]
pub struct Terminals {
    terminals: BTreeMap<String, Terminal>,
    connections: HashMap<String, Connection>,
    /// Orders for the supervisor that came of the last calls.
    orders: Vec<(Order, Vec<u8>)>,
    pings: u64,
}

/// What is typed into a terminal at once.
pub struct Keys {
    pub terminal: String,
    pub data: String,
    /// Enter follows if exactly this stands at the shell's prompt.
    pub run_typed: Option<String>,
}

struct Connection {
    keys: Reorder<Keys>,
    missing_since: Option<Instant>,
    heard: Instant,
}

impl Terminals {
    /// Orders for the supervisor, in order.
    pub fn take_orders(&mut self) -> Vec<(Order, Vec<u8>)> {
        std::mem::take(&mut self.orders)
    }

    /// Whether anybody looks at one.
    pub fn has_viewers(&self) -> bool {
        self.terminals.values().any(|terminal| !terminal.viewers.is_empty())
    }

    /// Names of the terminals that are alive.
    pub fn names(&self) -> Vec<String> {
        self.terminals.keys().cloned().collect()
    }

    /// Shows a terminal to a connection from `offset` on, and starts a shell where there is none.
    pub fn attach(&mut self, connection: String, name: &str, offset: u64, size: (u16, u16)) {
        let existed = self.terminals.contains_key(name);
        if !self.ensure(name, size) {
            return;
        }
        if existed {
            self.resize(name, size);
        }
        self.connection(&connection);
        if let Some(terminal) = self.terminals.get_mut(name) {
            if offset > terminal.scrollback.end() && offset < HIGHEST_OFFSET {
                // The clock went back since, or the last shell printed faster than it counts: what the browser
                // has must lie before what it gets.
                terminal.scrollback.renumber(offset);
            }
            let cursor = offset.min(terminal.scrollback.end());
            terminal.viewers.insert(connection, Viewer::at(cursor));
        }
        self.grant(name, true);
    }

    /// Takes keys; they are typed when everything before them has been.
    pub fn input(&mut self, connection: &str, seq: Option<u64>, keys: Keys) {
        let state = self.connection(connection);
        let ready = match seq {
            Some(seq) => state.keys.push(seq, keys).unwrap_or_else(|gap| {
                tracing::warn!(%gap, "an input is dropped");
                Vec::new()
            }),
            None => state.keys.push_next(keys),
        };
        state.note_gap();
        self.type_all(ready);
    }

    /// Changes a terminal's size; the last to ask has its way.
    pub fn resize(&mut self, name: &str, (rows, cols): (u16, u16)) {
        if self.terminals.contains_key(name) {
            let terminal = name.to_owned();
            let order = Order::Resize { terminal, rows, cols };
            self.orders.push((order, Vec::new()));
        }
    }

    /// Forgets a connection.
    pub fn detach(&mut self, connection: &str) {
        self.connections.remove(connection);
        for terminal in self.terminals.values_mut() {
            terminal.viewers.remove(connection);
        }
    }

    /// Takes what a terminal printed.
    pub fn printed(&mut self, name: &str, data: &[u8]) {
        if let Some(terminal) = self.terminals.get_mut(name) {
            terminal.scrollback.push(data);
            terminal.granted = terminal.granted.saturating_sub(data.len() as u64);
        }
    }

    /// Takes the end of a terminal's shell; its viewers hear of it after its last output.
    pub fn closed(&mut self, name: &str, exit_code: i32) {
        if let Some(terminal) = self.terminals.get_mut(name) {
            terminal.exit_code = Some(exit_code);
        }
    }

    /// All shells ended with the supervisor.
    pub fn all_closed(&mut self, exit_code: i32) {
        for terminal in self.terminals.values_mut() {
            terminal.exit_code.get_or_insert(exit_code);
        }
        self.orders.clear();
    }

    /// After an outage: everything that was not confirmed is sent again.
    pub fn rewind(&mut self) {
        for viewer in self.viewers() {
            viewer.cursor = viewer.confirmed;
            viewer.sent = None;
            viewer.stuck_at = None;
        }
    }

    /// The number for a ping, when something was sent since the last.
    pub fn ping(&mut self) -> Option<u64> {
        let number = self.pings + 1;
        let mut news = false;
        for viewer in self.viewers() {
            if viewer.cursor > viewer.pinged.1 {
                viewer.pinged = (number, viewer.cursor);
                news = true;
            }
        }
        news.then(|| {
            self.pings = number;
            number
        })
    }

    /// The gateway has what was sent before ping `number`.
    pub fn pong(&mut self, number: u64) {
        for viewer in self.viewers() {
            if viewer.pinged.0 <= number {
                viewer.confirmed = viewer.pinged.1;
            }
        }
    }

    /// Gives `send` the next frame of each viewer whose turn it is, until it has no room.
    pub fn pump(&mut self, now: Instant, mut send: impl FnMut(FromAgent) -> bool) {
        self.give_up_on_missing_keys(now);
        for (name, terminal) in &mut self.terminals {
            terminal.pump(name, now, &mut send);
        }
        self.terminals
            .retain(|_, terminal| terminal.exit_code.is_none() || !terminal.viewers.is_empty());
    }

    /// Lets shells run on, as far as viewers have come; `online` is whether anybody can see them at all.
    pub fn grant_all(&mut self, online: bool) {
        for name in self.names() {
            self.grant(&name, online);
        }
    }

    /// When the next frame is due.
    pub fn next_turn(&self) -> Option<Instant> {
        let now = Instant::now();
        let frames = self.terminals.values().flat_map(|terminal| {
            let waiting = terminal.viewers.values().filter(|v| v.is_behind(terminal));
            waiting.map(move |viewer| viewer.sent.map_or(now, |sent| sent + CADENCE))
        });
        let gaps = self.connections.values();
        let gaps = gaps.filter_map(|c| c.missing_since.map(|since| since + MISSING_KEY));
        frames.chain(gaps).min()
    }

    fn viewers(&mut self) -> impl Iterator<Item = &mut Viewer> {
        self.terminals.values_mut().flat_map(|terminal| terminal.viewers.values_mut())
    }

    /// Makes sure of a terminal that lives.
    fn ensure(&mut self, name: &str, (rows, cols): (u16, u16)) -> bool {
        let old = self.terminals.get(name);
        if old.is_some_and(|terminal| terminal.exit_code.is_none()) {
            return true;
        }
        let room = old.is_some() || self.terminals.len() < TERMINALS;
        if !room || name.is_empty() || name.len() > NAME_BYTES {
            tracing::warn!("a terminal too many, or with an impossible name");
            return false;
        }
        let begin = micros_now().max(old.map_or(0, |terminal| terminal.scrollback.end()));
        let terminal = Terminal {
            scrollback: Scrollback::begin(begin),
            viewers: HashMap::new(),
            granted: 0,
            exit_code: None,
        };
        self.terminals.insert(name.to_owned(), terminal);
        let order = Order::Open { terminal: name.to_owned(), rows, cols };
        self.orders.push((order, Vec::new()));
        true
    }

    fn connection(&mut self, id: &str) -> &mut Connection {
        if !self.connections.contains_key(id) && self.connections.len() >= CONNECTIONS {
            let quiet = self.connections.iter().min_by_key(|(_, c)| c.heard);
            if let Some(quiet) = quiet.map(|(id, _)| id.clone()) {
                self.detach(&quiet);
            }
        }
        let now = Instant::now();
        let new = || Connection { keys: Reorder::default(), missing_since: None, heard: now };
        let connection = self.connections.entry(id.to_owned()).or_insert_with(new);
        connection.heard = now;
        connection
    }

    fn type_all(&mut self, keys: Vec<Keys>) {
        for Keys { terminal, data, run_typed } in keys {
            let name = if terminal.is_empty() { MAIN_TERMINAL.to_owned() } else { terminal };
            if self.ensure(&name, USUAL_SIZE) {
                let order = Order::Type { terminal: name, run_typed };
                self.orders.push((order, data.into_bytes()));
            }
        }
    }

    fn give_up_on_missing_keys(&mut self, now: Instant) {
        let mut late = Vec::new();
        for connection in self.connections.values_mut() {
            if connection.missing_since.is_some_and(|since| now >= since + MISSING_KEY) {
                tracing::warn!("an input never came");
                late.extend(connection.keys.skip_gap());
                connection.missing_since = None;
                connection.note_gap();
            }
        }
        self.type_all(late);
    }

    fn grant(&mut self, name: &str, online: bool) {
        let Some(terminal) = self.terminals.get_mut(name) else {
            return;
        };
        let foremost = terminal.viewers.values().map(|viewer| viewer.cursor).max();
        let unseen = match foremost {
            Some(cursor) if online => terminal.scrollback.end().saturating_sub(cursor),
            _ => 0,
        };
        let wanted = AHEAD_BYTES.saturating_sub(unseen);
        // Small grants are saved up, so that a flood does not make an order per line.
        if wanted > terminal.granted + AHEAD_BYTES / 4 && terminal.exit_code.is_none() {
            let bytes = usize::try_from(wanted - terminal.granted).unwrap_or(0);
            terminal.granted = wanted;
            let terminal = name.to_owned();
            self.orders.push((Order::Grant { terminal, bytes }, Vec::new()));
        }
    }
}

impl Connection {
    fn note_gap(&mut self) {
        if !self.keys.is_waiting() {
            self.missing_since = None;
        } else if self.missing_since.is_none() {
            self.missing_since = Some(Instant::now());
        }
    }
}
