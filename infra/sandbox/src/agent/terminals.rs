//! Terminals and their viewers.
//!
//! A terminal is its scrollback; a viewer is a browser connection with a cursor in it. No frames are queued per viewer:
//! a frame is cut from the scrollback when the viewer's turn comes. That is at once after a silence or a key, so that
//! an echo is fast, and otherwise every [`CADENCE`](super::viewer::CADENCE). That makes 2 MB/s at most, which any
//! browser can draw. A browser that reports what it has drawn gets full frames without a pause, up to a window of
//! undrawn bytes: output is as fast as the browser draws, and no queue grows. While the user types, the window is small:
//! the echo comes behind the output in it. The shell may run ahead of the foremost viewer by [`AHEAD_BYTES`] and then
//! has to wait. Without viewers it runs freely and the oldest output is dropped.
//!
//! A frame that was written may still be lost with its connection. So after an outage each viewer's cursor returns to
//! the last position that the gateway confirmed by answering a ping; a browser drops output that it already has.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use protocol::{FRAME_BYTES, FromAgent, MAIN_TERMINAL, Reorder};
use tokio::time::Instant;

use super::scrollback::Scrollback;
use super::sequence::micros_now;
use super::viewer::{Terminal, Viewer};
use crate::pipe::{Order, Part};

/// How far a shell may run ahead of the sent output, in bytes. A Ctrl-C takes effect only after that much output.
const AHEAD_BYTES: u64 = 2 * FRAME_BYTES as u64;

/// The same while a user types: the echo comes after that output.
const TYPING_AHEAD_BYTES: u64 = AHEAD_BYTES / 8;

/// How many terminals a sandbox may have.
const TERMINALS: usize = 16;

/// How many browser connections are remembered; the least recently active one is dropped first.
const CONNECTIONS: usize = 64;

/// How long inputs wait for a missing one before all of them are given up: a line with a gap may do what its author
/// never meant, such as `rm -rf /srv/old-copy` without its end.
const MISSING_KEY: Duration = Duration::from_secs(10);

/// Ctrl-C clears the line, so the input after it is independent of the input before.
const INTERRUPT: char = '\u{3}';

/// The longest name of a terminal.
const NAME_BYTES: usize = 64;

/// The highest accepted offset: half of the range of a browser's integers.
const HIGHEST_OFFSET: u64 = 1 << 52;

/// The size of a terminal that receives keys before any browser was attached.
const USUAL_SIZE: (u16, u16) = (24, 80);

/// All terminals of the sandbox, and all browser connections to them.
#[derive(Default)]
pub struct Terminals {
    terminals: BTreeMap<String, Terminal>,
    connections: HashMap<String, Connection>,
    /// Orders for the supervisor that recent calls produced.
    orders: Vec<(Order, Vec<u8>)>,
    pings: u64,
}

/// One input for a terminal.
pub struct Keys {
    pub terminal: String,
    pub data: String,
    /// Press Enter afterward if the shell's prompt holds exactly this text.
    pub run_typed: Option<String>,
    /// Set if the keys are a part of a command that an agent types.
    pub part: Option<Part>,
}

impl Keys {
    /// The terminal's name; an empty name means the first terminal.
    fn shown_on(&self) -> &str {
        if self.terminal.is_empty() { MAIN_TERMINAL } else { &self.terminal }
    }
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

    /// Whether any terminal has a viewer.
    pub fn has_viewers(&self) -> bool {
        self.terminals.values().any(|terminal| !terminal.viewers.is_empty())
    }

    /// Names of the terminals that are open.
    pub fn names(&self) -> Vec<String> {
        self.terminals.keys().cloned().collect()
    }

    /// Shows a terminal to a connection from `offset` on, and starts a shell if the terminal has none.
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
                // The clock went backward since, or the last shell printed faster than a byte per microsecond: the
                // browser's output must come before the new output.
                terminal.scrollback.renumber(offset);
            }
            let cursor = offset.min(terminal.scrollback.end());
            terminal.viewers.insert(connection, Viewer::at(cursor));
        }
        self.grant(name, true);
    }

    /// Takes keys and types them after all earlier ones.
    pub fn input(&mut self, connection: &str, seq: Option<u64>, keys: Keys) {
        let state = self.connection(connection);
        let ready = match seq {
            Some(seq) => state.keys.push(seq, keys).unwrap_or_else(|gap| {
                tracing::warn!(%gap, "dropped an input");
                Vec::new()
            }),
            None => state.keys.push_next(keys),
        };
        state.note_gap();
        let now = state.heard;
        for keys in &ready {
            let terminal = self.terminals.get_mut(keys.shown_on());
            if let Some(viewer) = terminal.and_then(|terminal| terminal.viewers.get_mut(connection))
            {
                viewer.typed(now);
            }
        }
        self.type_all(ready);
    }

    /// Changes a terminal's size; the last request wins.
    pub fn resize(&mut self, name: &str, (rows, cols): (u16, u16)) {
        if self.terminals.contains_key(name) {
            let terminal = name.to_owned();
            let order = Order::Resize { terminal, rows, cols };
            self.orders.push((order, Vec::new()));
        }
    }

    /// Records that a connection has drawn a terminal up to `offset`.
    pub fn shown(&mut self, connection: &str, name: &str, offset: u64) {
        let terminal = self.terminals.get_mut(name);
        if let Some(viewer) = terminal.and_then(|terminal| terminal.viewers.get_mut(connection)) {
            viewer.has_drawn(offset);
        }
    }

    /// Forgets a connection.
    pub fn detach(&mut self, connection: &str) {
        self.connections.remove(connection);
        for terminal in self.terminals.values_mut() {
            terminal.viewers.remove(connection);
        }
    }

    /// Takes a piece of a terminal's output.
    pub fn printed(&mut self, name: &str, data: &[u8]) {
        if let Some(terminal) = self.terminals.get_mut(name) {
            terminal.scrollback.push(data);
            terminal.granted = terminal.granted.saturating_sub(data.len() as u64);
        }
    }

    /// Handles the exit of a terminal's shell; its viewers are notified after the last output.
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

    /// Makes all unconfirmed output due again after an outage.
    pub fn rewind(&mut self) {
        for viewer in self.viewers() {
            viewer.rewind();
        }
    }

    /// The number for a ping, if anything was sent since the last one.
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

    /// The gateway has received everything before ping `number`.
    pub fn pong(&mut self, number: u64) {
        for viewer in self.viewers() {
            if viewer.pinged.0 <= number {
                viewer.confirmed = viewer.pinged.1;
            }
        }
    }

    /// Passes the next frame of each viewer whose turn it is to `send`, until it has no room.
    pub fn pump(&mut self, now: Instant, mut send: impl FnMut(FromAgent) -> bool) {
        self.give_up_on_missing_keys(now);
        for (name, terminal) in &mut self.terminals {
            terminal.pump(name, now, &mut send);
        }
        self.terminals
            .retain(|_, terminal| terminal.exit_code.is_none() || !terminal.viewers.is_empty());
    }

    /// Lets shells run as far ahead of the viewers as allowed; `online` is whether viewers can be reached at all.
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
            waiting.map(move |viewer| viewer.due(terminal.scrollback.end(), now))
        });
        let gaps = self.connections.values();
        let gaps = gaps.filter_map(|c| c.missing_since.map(|since| since + MISSING_KEY));
        frames.chain(gaps).min()
    }

    fn viewers(&mut self) -> impl Iterator<Item = &mut Viewer> {
        self.terminals.values_mut().flat_map(|terminal| terminal.viewers.values_mut())
    }

    /// Makes sure that the terminal exists and its shell runs.
    fn ensure(&mut self, name: &str, (rows, cols): (u16, u16)) -> bool {
        let old = self.terminals.get(name);
        if old.is_some_and(|terminal| terminal.exit_code.is_none()) {
            return true;
        }
        let room = old.is_some() || self.terminals.len() < TERMINALS;
        if !room || name.is_empty() || name.len() > NAME_BYTES {
            tracing::warn!("refused a terminal beyond the limit, or with an invalid name");
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
        let order = Order::Open { terminal: name.to_owned(), rows, cols, backend: None };
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
        for keys in keys {
            let name = keys.shown_on().to_owned();
            let Keys { data, run_typed, part, .. } = keys;
            if self.ensure(&name, USUAL_SIZE) {
                let order = Order::Type { terminal: name, run_typed, part };
                self.orders.push((order, data.into_bytes()));
            }
        }
    }

    fn give_up_on_missing_keys(&mut self, now: Instant) {
        let mut late = Vec::new();
        for connection in self.connections.values_mut() {
            if connection.missing_since.is_some_and(|since| now >= since + MISSING_KEY) {
                tracing::warn!("gave up on a missing input");
                late.extend(after_interrupt(connection.keys.skip_gap()));
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
        let now = Instant::now();
        let is_typing = terminal.viewers.values().any(|viewer| viewer.is_typing(now));
        let ahead = if is_typing { TYPING_AHEAD_BYTES } else { AHEAD_BYTES };
        let wanted = ahead.saturating_sub(unseen);
        // Small grants are collected so that a flood does not cause an order per line.
        if wanted > terminal.granted + ahead / 4 && terminal.exit_code.is_none() {
            let bytes = usize::try_from(wanted - terminal.granted).unwrap_or(0);
            terminal.granted = wanted;
            let terminal = name.to_owned();
            self.orders.push((Order::Grant { terminal, bytes }, Vec::new()));
        }
    }
}

/// The keys after a gap that are independent of it.
fn after_interrupt(mut keys: Vec<Keys>) -> Vec<Keys> {
    let last = keys.iter().rposition(|keys| keys.data.contains(INTERRUPT));
    let mut kept = last.map_or_else(Vec::new, |last| keys.split_off(last));
    if let Some(first) = kept.first_mut()
        && let Some(at) = first.data.rfind(INTERRUPT)
    {
        first.data.drain(..at);
    }
    kept
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The text to type from these inputs, some of which never arrived, once the wait is over.
    fn typed(inputs: &[(u64, &str)]) -> String {
        let mut terminals = Terminals::default();
        for (seq, data) in inputs {
            let terminal = MAIN_TERMINAL.to_owned();
            let keys = Keys { terminal, data: (*data).to_owned(), run_typed: None, part: None };
            terminals.input("browser", Some(*seq), keys);
        }
        terminals.pump(Instant::now() + 2 * MISSING_KEY, |_| true);
        let orders = terminals.take_orders().into_iter();
        let keys = orders.filter(|(order, _)| matches!(order, Order::Type { .. }));
        keys.map(|(_, data)| String::from_utf8(data).unwrap()).collect()
    }

    #[test]
    fn keys_after_a_missing_one_are_not_typed() {
        assert_eq!(typed(&[(0, "rm -rf "), (2, "old\r"), (3, "ls\r")]), "rm -rf ");
        assert_eq!(typed(&[(0, "a"), (2, "c"), (1, "b")]), "abc");
    }

    #[test]
    fn an_interrupt_after_a_missing_key_counts() {
        assert_eq!(typed(&[(0, "sleep 9"), (2, "9\r\u{3}"), (3, "ls\r")]), "sleep 9\u{3}ls\r");
    }
}
