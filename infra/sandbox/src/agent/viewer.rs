//! One terminal, and those who look at it.

use std::collections::HashMap;
use std::time::Duration;

use protocol::{FRAME_BYTES, FromAgent, Piece, terminal_frames};
use tokio::time::Instant;

use super::scrollback::Scrollback;

/// The pause between two frames of a terminal to one viewer.
pub const CADENCE: Duration = Duration::from_millis(16);

/// A shell on a terminal, or what it left.
pub struct Terminal {
    pub scrollback: Scrollback,
    pub viewers: HashMap<String, Viewer>,
    /// Bytes that the supervisor may still read.
    pub granted: u64,
    pub exit_code: Option<i32>,
}

/// A browser connection that looks at a terminal.
pub struct Viewer {
    pub cursor: u64,
    pub sent: Option<Instant>,
    /// Where the cursor was at the last ping, with its number, and at the last one that was answered.
    pub pinged: (u64, u64),
    pub confirmed: u64,
    /// The end of a stream that ends within a character, which is not tried again until more comes.
    pub stuck_at: Option<u64>,
}

impl Terminal {
    /// Gives `send` the next frame of each viewer whose turn it is, until it has no room.
    pub fn pump(&mut self, name: &str, now: Instant, send: &mut impl FnMut(FromAgent) -> bool) {
        let mut told = Vec::new();
        for (connection, viewer) in &mut self.viewers {
            if viewer.sent.is_some_and(|sent| now < sent + CADENCE) {
                continue;
            }
            if let Some(piece) = viewer.next_piece(&self.scrollback, self.exit_code.is_some()) {
                let next = piece.next;
                let output = FromAgent::TerminalOutput {
                    connection: connection.clone(),
                    terminal: name.to_owned(),
                    offset: piece.offset,
                    next,
                    data: piece.data,
                };
                if !send(output) {
                    return;
                }
                viewer.cursor = next;
                // A gap piece costs nothing: what follows it need not wait.
                viewer.sent = (next > self.scrollback.start()).then_some(now);
            }
            if let Some(exit_code) = self.exit_code
                && viewer.cursor == self.scrollback.end()
            {
                let exited = FromAgent::TerminalExited {
                    connection: connection.clone(),
                    terminal: name.to_owned(),
                    exit_code,
                };
                if !send(exited) {
                    return;
                }
                told.push(connection.clone());
            }
        }
        for connection in told {
            self.viewers.remove(&connection);
        }
    }
}

impl Viewer {
    /// A viewer that has everything before `cursor`.
    pub fn at(cursor: u64) -> Self {
        Self { cursor, sent: None, pinged: (0, cursor), confirmed: cursor, stuck_at: None }
    }

    /// Whether there is anything to send.
    pub fn is_behind(&self, terminal: &Terminal) -> bool {
        let end = terminal.scrollback.end();
        (self.cursor < end && self.stuck_at != Some(end)) || terminal.exit_code.is_some()
    }

    /// What comes next: a gap where the stream is no longer kept, or as much text as a frame holds.
    fn next_piece(&mut self, scrollback: &Scrollback, is_over: bool) -> Option<Piece> {
        if self.cursor < scrollback.start() {
            return Some(Piece {
                offset: self.cursor,
                next: scrollback.start(),
                data: String::new(),
            });
        }
        let bytes = scrollback.read(self.cursor, FRAME_BYTES);
        let reaches_end = self.cursor + bytes.len() as u64 == scrollback.end();
        let pieces = terminal_frames(&bytes, self.cursor, is_over && reaches_end);
        let piece = pieces.into_iter().next();
        self.stuck_at = (piece.is_none()).then_some(scrollback.end());
        piece
    }
}
