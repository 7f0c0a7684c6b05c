//! One terminal and its viewers.

use std::collections::HashMap;
use std::time::Duration;

use protocol::{FRAME_BYTES, FromAgent, Piece, terminal_frames};
use tokio::time::Instant;

use super::scrollback::Scrollback;

/// The pause between two frames of a terminal to one viewer.
pub const CADENCE: Duration = Duration::from_millis(16);

/// Once this much output waits, in bytes, waiting for more would hardly fill the frame better.
const FULL_BYTES: u64 = 3 * FRAME_BYTES as u64 / 4;

/// How much a browser that reports what it has drawn may have left to draw, in bytes. Browsers turn sluggish past 500
/// kB.
const WINDOW_BYTES: u64 = 384 * 1024;

/// The same while the user types: an echo must not wait until the browser has drawn a full window. A still smaller one
/// would empty during each report and make the flood, and the echo in it, slower.
const TYPING_WINDOW_BYTES: u64 = FRAME_BYTES as u64;

/// The largest step in which a browser reports while its user types: a frame, because it reports after each. One that
/// reports in larger steps, such as a page from before an update, would wait for more output than the small window lets
/// through.
const TYPING_STEP_BYTES: u64 = TYPING_WINDOW_BYTES;

/// [`FULL_BYTES`] while the user types: waiting for a fuller frame would delay the echo behind it.
const TYPING_FULL_BYTES: u64 = FRAME_BYTES as u64 / 8;

/// How long after a key the user counts as typing. The page reports small steps for twice as long: it must not wait
/// for more output than the window lets through.
const TYPING: Duration = Duration::from_millis(1_500);

/// The pause before the next frame to a browser whose window is full. The browser's report may have been lost, so it
/// gets a little more output to report on.
const STALLED: Duration = Duration::from_secs(1);

/// How many frames may be sent without that pause after a key: its echo, the command's first output, and the next
/// prompt. A key is charged as a message anyway, so answering it at once costs at most this many more.
const ANSWERS: u8 = 3;

/// A shell on a terminal, or the output of one that has ended.
pub struct Terminal {
    pub scrollback: Scrollback,
    pub viewers: HashMap<String, Viewer>,
    /// How many bytes the supervisor may still read.
    pub granted: u64,
    pub exit_code: Option<i32>,
}

/// A browser connection that shows a terminal.
pub struct Viewer {
    pub cursor: u64,
    sent: Option<Instant>,
    /// Where the drawn part ends, if the browser reports it.
    drawn: Option<u64>,
    /// Whether its last report was a small step.
    reports_finely: bool,
    /// Frames that may be sent before the pause ends.
    answers: u8,
    /// When the last key came.
    typed: Option<Instant>,
    /// The cursor at the last ping, with the ping's number, and the cursor at the last answered ping.
    pub pinged: (u64, u64),
    pub confirmed: u64,
    /// The first bytes of a character at the end of the stream; they wait for the rest.
    pub stuck_at: Option<u64>,
}

impl Terminal {
    /// Passes the next frame of each viewer whose turn it is to `send`, until it has no room.
    pub fn pump(&mut self, name: &str, now: Instant, send: &mut impl FnMut(FromAgent) -> bool) {
        let mut notified = Vec::new();
        for (connection, viewer) in &mut self.viewers {
            if now < viewer.due(self.scrollback.end(), now) {
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
                viewer.answers = viewer.answers.saturating_sub(1);
                // A gap message costs nothing, so the next frame need not wait.
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
                notified.push(connection.clone());
            }
        }
        for connection in notified {
            self.viewers.remove(&connection);
        }
    }
}

impl Viewer {
    /// A viewer that has everything before `cursor`.
    pub fn at(cursor: u64) -> Self {
        let pinged = (0, cursor);
        Self {
            cursor,
            sent: None,
            drawn: None,
            reports_finely: false,
            answers: 0,
            typed: None,
            pinged,
            confirmed: cursor,
            stuck_at: None,
        }
    }

    /// When the next frame of a stream up to `end` may be sent: at once after a silence or a key, otherwise after the
    /// pause.
    pub fn due(&self, end: u64, now: Instant) -> Instant {
        let Some(sent) = self.sent else { return now };
        match self.drawn {
            Some(drawn) if self.cursor >= drawn + WINDOW_BYTES => sent + STALLED,
            Some(drawn) if self.cursor >= drawn + self.window(now) => {
                (sent + STALLED).min(self.typed.map_or(now, |typed| typed + TYPING))
            }
            _ if self.answers > 0 => now,
            Some(_) if end.saturating_sub(self.cursor) >= self.full(now) => now,
            _ => sent + CADENCE,
        }
    }

    /// Records that the browser has drawn everything before `offset`.
    pub fn has_drawn(&mut self, offset: u64) {
        let drawn = offset.min(self.cursor);
        match self.drawn {
            Some(before) if drawn <= before => return,
            before => {
                let step = before.map(|before| drawn - before);
                self.reports_finely = step.is_some_and(|step| step <= TYPING_STEP_BYTES);
            }
        }
        self.drawn = Some(drawn);
    }

    /// Records that the user typed and waits for the echo.
    pub fn typed(&mut self, now: Instant) {
        self.answers = ANSWERS;
        self.typed = Some(now);
    }

    /// Whether the user typed a moment ago.
    pub fn is_typing(&self, now: Instant) -> bool {
        self.typed.is_some_and(|typed| now < typed + TYPING)
    }

    /// How much output is sent without waiting for more.
    fn full(&self, now: Instant) -> u64 {
        if self.is_typing(now) { TYPING_FULL_BYTES } else { FULL_BYTES }
    }

    /// How much the browser may have left to draw.
    fn window(&self, now: Instant) -> u64 {
        let small = self.is_typing(now) && self.reports_finely;
        if small { TYPING_WINDOW_BYTES } else { WINDOW_BYTES }
    }

    /// Makes unconfirmed output due again at once after an outage.
    pub fn rewind(&mut self) {
        self.cursor = self.confirmed;
        self.sent = None;
        self.stuck_at = None;
    }

    /// Whether there is anything to send.
    pub fn is_behind(&self, terminal: &Terminal) -> bool {
        let end = terminal.scrollback.end();
        (self.cursor < end && self.stuck_at != Some(end)) || terminal.exit_code.is_some()
    }

    /// The next piece: a gap where the stream is no longer kept, or as much text as a frame holds.
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

#[cfg(test)]
mod tests {
    use super::super::terminals::{Keys, Terminals};
    use super::*;

    const MOMENT: Duration = Duration::from_millis(1);

    /// A terminal with one viewer, and its clock.
    struct Screen {
        terminals: Terminals,
        now: Instant,
    }

    impl Screen {
        fn new() -> Self {
            let mut terminals = Terminals::default();
            terminals.attach("browser".to_owned(), "main", 0, (24, 80));
            Self { terminals, now: Instant::now() }
        }

        fn types(&mut self, seq: u64) {
            let (terminal, data) = ("main".to_owned(), "x".to_owned());
            let keys = Keys { terminal, data, run_typed: None, part: None };
            self.terminals.input("browser", Some(seq), keys);
        }

        /// How many frames are sent, a moment later, after the shell has printed a full frame.
        fn floods(&mut self) -> usize {
            self.prints(&"x".repeat(usize::try_from(FULL_BYTES).unwrap()))
        }

        /// The browser reports that it has drawn everything.
        fn draws(&mut self) {
            self.terminals.shown("browser", "main", u64::MAX);
        }

        /// How many frames are sent, a moment later, after the shell has printed this.
        fn prints(&mut self, text: &str) -> usize {
            self.now += MOMENT;
            self.terminals.printed("main", text.as_bytes());
            let mut frames = 0;
            self.terminals.pump(self.now, |message| {
                frames += usize::from(
                    matches!(message, FromAgent::TerminalOutput { data, .. } if !data.is_empty()),
                );
                true
            });
            frames
        }
    }

    #[test]
    fn every_key_is_echoed_at_once_however_fast_they_come() {
        let mut screen = Screen::new();
        screen.prints("$ ");
        for seq in 0..100 {
            screen.types(seq);
            assert_eq!(screen.prints("x"), 1, "key {seq} waited");
        }
    }

    #[test]
    fn output_without_keys_is_gathered() {
        let mut screen = Screen::new();
        let frames: usize = (0..160).map(|_| screen.prints("more\r\n")).sum();
        assert!((9..=11).contains(&frames), "{frames} frames in 160 ms");
    }

    #[test]
    fn a_browser_that_draws_gets_a_flood_without_pauses() {
        let mut screen = Screen::new();
        screen.prints("$ ");
        for _ in 0..100 {
            screen.draws();
            assert_eq!(screen.floods(), 1);
        }
    }

    #[test]
    fn a_browser_that_stops_drawing_gets_a_window_and_then_a_frame_a_second() {
        let mut screen = Screen::new();
        screen.prints("$ ");
        screen.draws();
        for frame in 0..WINDOW_BYTES / FULL_BYTES {
            assert_eq!(screen.floods(), 1, "frame {frame} fits the window");
        }
        assert_eq!(screen.floods(), 0, "the window is full");
        let mut half_a_second = || (0..500).map(|_| screen.prints("")).sum::<usize>();
        assert_eq!((half_a_second(), half_a_second()), (0, 1));
        screen.draws();
        assert_eq!(screen.floods(), 1, "it draws again");
    }

    #[test]
    fn while_the_user_types_the_window_is_small() {
        let mut screen = Screen::new();
        screen.prints("$ ");
        screen.draws();
        screen.types(0);
        screen.prints("x");
        screen.draws();
        let frames: usize = (0..20).map(|_| screen.floods()).sum();
        assert_eq!(frames as u64, TYPING_WINDOW_BYTES.div_ceil(FULL_BYTES));
        screen.draws();
        assert_eq!(screen.floods(), 1, "it drew");
        screen.now += TYPING;
        let frames: usize = (0..20).map(|_| screen.floods()).sum();
        assert!(
            frames as u64 > TYPING_WINDOW_BYTES.div_ceil(FULL_BYTES),
            "no key came for a while"
        );
    }

    #[test]
    fn a_browser_that_reports_in_large_steps_never_waits_for_its_own_report() {
        let mut screen = Screen::new();
        screen.prints("$ ");
        screen.draws();
        // It will report these only with the next ones.
        assert_eq!((screen.floods(), screen.floods()), (1, 1));
        for seq in 0..5 {
            screen.types(seq);
            assert_eq!(screen.prints("x"), 1, "key {seq} waited");
        }
        screen.draws();
        screen.types(5);
        let frames: usize = (0..20).map(|_| screen.floods()).sum();
        assert_eq!(frames as u64, WINDOW_BYTES.div_ceil(FULL_BYTES), "its step was large");
    }

    #[test]
    fn a_key_in_a_flood_lets_few_frames_through() {
        let mut screen = Screen::new();
        screen.prints("flood");
        screen.types(0);
        let frames: usize = (0..10).map(|_| screen.prints("flood")).sum();
        assert_eq!(frames, usize::from(ANSWERS));
    }
}
