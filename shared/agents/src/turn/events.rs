//! The events of a turn, and the two ends of the channel that carries them.

use crate::error::AgentError;
use domain::ThreadId;
use domain::chat::ProposedCommand;
use domain::step::StepStatus;
use futures::Stream;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::sync::mpsc;

/// How many events may wait for a slow reader before the model call itself slows down.
const EVENTS_WAITING: usize = 64;

/// An event of a turn. The last event is always [`AgentEvent::Done`].
#[derive(Debug)]
pub enum AgentEvent {
    /// A piece of the reply's text.
    Text(String),
    /// A tool did its work.
    ToolDone {
        /// Its name.
        tool: String,
        /// What it did, for people: "Architecture plan written, 4 sections".
        summary: String,
    },
    /// The agent proposes a command.
    Command(ProposedCommand),
    /// A command printed more.
    CommandOutput {
        /// The command's number.
        number: u32,
        /// What it printed since the last time.
        content: String,
    },
    /// The turn no longer follows a command, because the command ended or the turn stopped waiting.
    CommandEnd {
        /// The command's number.
        number: u32,
        /// Its status.
        status: StepStatus,
        /// Its exit code, when it exited.
        exit_code: Option<i32>,
    },
    /// The turn ends early; `Done` follows.
    Failed(AgentError),
    /// The turn has ended.
    Done {
        /// The conversation of the turn.
        thread_id: ThreadId,
    },
}

/// A turn that runs in the background. Dropping it stops the model call; what was used until then is still metered, and
/// what was said is kept.
pub struct Turn {
    thread_id: ThreadId,
    events: mpsc::Receiver<AgentEvent>,
    done: bool,
}

impl Turn {
    /// The conversation of the turn.
    pub fn thread_id(&self) -> &ThreadId {
        &self.thread_id
    }
}

impl Stream for Turn {
    type Item = AgentEvent;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<AgentEvent>> {
        if self.done {
            return Poll::Ready(None);
        }
        let event = std::task::ready!(self.events.poll_recv(cx));
        // A producer that vanished without its last event has failed; the stream still ends with `Done`.
        let event = event.unwrap_or_else(|| AgentEvent::Done { thread_id: self.thread_id.clone() });
        self.done = matches!(event, AgentEvent::Done { .. });
        Poll::Ready(Some(event))
    }
}

/// The producer's end.
pub(crate) struct Reader {
    events: mpsc::Sender<AgentEvent>,
    /// Whether text was sent, and whether the next text begins a paragraph.
    spoke: bool,
    gap: bool,
    /// Whether the text of the current call is not for the reader.
    muted: bool,
    /// Whether the reader was told that the turn waits.
    waits: bool,
}

/// The tool name of the notices that a run from the queue waits; an empty summary says that the wait is over.
pub(crate) const WAITING: &str = "waiting";

/// A turn, and the producer's end that feeds it.
pub(crate) fn pipe(thread_id: ThreadId) -> (Reader, Turn) {
    let (sender, events) = mpsc::channel(EVENTS_WAITING);
    (
        Reader { events: sender, spoke: false, gap: false, muted: false, waits: false },
        Turn { thread_id, events, done: false },
    )
}

impl Reader {
    /// Passes text on. [`Reader::gone`], not this method, notices that the reader has left.
    pub(crate) async fn text(&mut self, piece: String) {
        if self.muted {
            return;
        }
        let piece = if std::mem::take(&mut self.gap) { format!("\n\n{piece}") } else { piece };
        self.spoke = true;
        self.send(AgentEvent::Text(piece)).await;
    }

    /// Sets whether text is kept from the reader; `gone` still notices when they leave.
    pub(crate) fn mute(&mut self, muted: bool) {
        self.muted = muted;
    }

    /// Tells the reader what the turn waits for.
    pub(crate) async fn waits(&mut self, notice: String) {
        if !std::mem::replace(&mut self.waits, true) {
            self.notice(notice).await;
        }
    }

    /// Tells the reader that the wait is over, if they were told about it.
    pub(crate) async fn goes_on(&mut self) {
        if std::mem::take(&mut self.waits) {
            self.notice(String::new()).await;
        }
    }

    async fn notice(&self, summary: String) {
        self.send(AgentEvent::ToolDone { tool: WAITING.to_owned(), summary }).await;
    }

    /// Makes the next text a new paragraph, as after a tool call.
    pub(crate) fn paragraph(&mut self) {
        self.gap = self.spoke;
    }

    pub(crate) async fn send(&self, event: AgentEvent) {
        let _ = self.events.send(event).await;
    }

    /// Returns once the reader has left.
    pub(crate) async fn gone(&self) {
        self.events.closed().await;
    }
}
