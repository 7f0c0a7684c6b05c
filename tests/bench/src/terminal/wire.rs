//! A shell over a WebSocket: Groundcrew's or terminado's.

use super::PROMPT;
use api_tests::{Socket, Terminal};
use protocol::{FromBrowser, MAIN_TERMINAL, ToBrowser};
use serde_json::{Value, json};

pub enum Wire {
    Ours(Box<Terminal>),
    Terminado { socket: Box<Socket>, shown: String },
}

impl Wire {
    /// An attached terminal of Groundcrew.
    pub fn of(terminal: Terminal) -> Self {
        Self::Ours(Box::new(terminal))
    }

    /// A plain shell: no echo of control keys, and a prompt that differs from everything else.
    pub async fn prepare(&mut self) {
        self.types(&format!("stty -echoctl; unset PROMPT_COMMAND; {}\r", PROMPT.0)).await;
        self.shows(PROMPT.1).await;
    }

    pub async fn types(&mut self, keys: &str) {
        match self {
            Self::Ours(terminal) => terminal.types(keys).await,
            Self::Terminado { socket, .. } => socket.send(&json!(["stdin", keys])).await,
        }
    }

    /// Reads one message.
    pub async fn reads(&mut self) {
        match self {
            Self::Ours(terminal) => terminal.reads().await,
            Self::Terminado { socket, shown } => {
                let message: Value = socket.next().await.expect("terminado lives");
                if message[0] == "stdout" {
                    shown.push_str(message[1].as_str().unwrap_or_default());
                }
            }
        }
    }

    /// Reads one message as a page that draws nothing does; returns its size in bytes.
    pub async fn reads_without_drawing(&mut self) -> usize {
        let Self::Ours(terminal) = self else {
            self.reads().await;
            return self.take().len();
        };
        match terminal.socket.next().await.expect("the socket is open") {
            ToBrowser::Output { data, next, .. } => {
                terminal.next = terminal.next.max(next);
                data.len()
            }
            _ => 0,
        }
    }

    /// Reports that all output is drawn, as a page that draws again does: until then, a sandbox sends no more output.
    pub async fn draws_again(&mut self) {
        if let Self::Ours(terminal) = self {
            let (name, offset) = (MAIN_TERMINAL.to_owned(), terminal.next);
            terminal.socket.send(&FromBrowser::Shown { terminal: name, offset }).await;
        }
    }

    /// Takes the text so far.
    pub fn take(&mut self) -> String {
        std::mem::take(self.text())
    }

    /// Puts text back, to be read before anything else.
    pub fn put_back(&mut self, text: &str) {
        self.text().insert_str(0, text);
    }

    /// Reads up to this text and drops it; returns how many bytes came before its end.
    pub async fn shows(&mut self, text: &str) -> usize {
        let mut before = 0;
        loop {
            if let Some(at) = self.text().find(text) {
                let end = at + text.len();
                self.text().drain(..end);
                return before + end;
            }
            // The text may be split between two messages; earlier output is not searched again.
            let shown = self.text();
            let kept = shown.floor_char_boundary(shown.len().saturating_sub(text.len()));
            before += kept;
            shown.drain(..kept);
            self.reads().await;
        }
    }

    fn text(&mut self) -> &mut String {
        match self {
            Self::Ours(terminal) => &mut terminal.shown,
            Self::Terminado { shown, .. } => shown,
        }
    }
}
