//! The two ends of the channel that carries a turn's events.

use crate::error::AgentError;
use domain::ThreadId;
use domain::chat::ChatEvent;
use futures::{FutureExt, Stream, StreamExt, stream};
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::sync::{mpsc, oneshot};

/// How many events may wait for a slow reader before the model call itself slows down.
const EVENTS_WAITING: usize = 64;

/// A turn that runs in the background. If it ends early, its last event is the error. Dropping it stops the model call;
/// the turn still meters what the model used and keeps what it said until then.
pub struct Turn {
    thread_id: ThreadId,
    events: mpsc::Receiver<Result<ChatEvent, AgentError>>,
    /// Closed when the producer's end is dropped.
    ended: oneshot::Receiver<Infallible>,
}

impl Turn {
    /// The conversation of the turn.
    pub fn thread_id(&self) -> &ThreadId {
        &self.thread_id
    }

    /// The events for a reader, who sees an error's code and public text; and the end of the turn, which is ready once
    /// the turn has kept what the model said and charged for what it used.
    ///
    /// Dropping the events stops the model call, but only the end says that the rest is done: a function that answers
    /// waits for it, because it may stop running once it has answered.
    pub fn into_reply(
        self,
    ) -> (impl Stream<Item = ChatEvent> + Send + 'static, impl Future<Output = ()> + Send + 'static)
    {
        let Self { mut events, ended, .. } = self;
        let events = stream::poll_fn(move |cx| events.poll_recv(cx)).map(|event| {
            event.unwrap_or_else(|error| ChatEvent::Error {
                code: error.code(),
                detail: error.public_text().to_owned(),
            })
        });
        (events, ended.map(drop))
    }
}

impl Stream for Turn {
    type Item = Result<ChatEvent, AgentError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.events.poll_recv(cx)
    }
}

/// The producer's end.
pub(crate) struct Reader {
    events: mpsc::Sender<Result<ChatEvent, AgentError>>,
    /// Its drop announces that the turn has ended.
    _under_way: oneshot::Sender<Infallible>,
    /// Whether text was sent, and whether the next text begins a paragraph.
    spoke: bool,
    gap: bool,
    /// Whether the text of the current call is not for the reader.
    muted: bool,
    /// Whether the reader knows that the turn waits.
    waits: bool,
}

/// The tool name of the notices that a run from the queue waits; an empty summary says that the wait is over.
pub(crate) const WAITING: &str = "waiting";

/// A turn, and the producer's end that feeds it.
pub(crate) fn pipe(thread_id: ThreadId) -> (Reader, Turn) {
    let (sender, events) = mpsc::channel(EVENTS_WAITING);
    let (under_way, ended) = oneshot::channel();
    let reader = Reader {
        events: sender,
        _under_way: under_way,
        spoke: false,
        gap: false,
        muted: false,
        waits: false,
    };
    (reader, Turn { thread_id, events, ended })
}

impl Reader {
    /// Passes text on. [`Reader::gone`], not this method, notices that the reader has left.
    pub(crate) async fn text(&mut self, piece: String) {
        if self.muted {
            return;
        }
        let piece = if std::mem::take(&mut self.gap) { format!("\n\n{piece}") } else { piece };
        self.spoke = true;
        self.send(ChatEvent::text(piece)).await;
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

    /// Tells the reader that the wait is over, if they know about it.
    pub(crate) async fn goes_on(&mut self) {
        if std::mem::take(&mut self.waits) {
            self.notice(String::new()).await;
        }
    }

    async fn notice(&self, summary: String) {
        self.send(ChatEvent::Tool { tool: WAITING.to_owned(), summary }).await;
    }

    /// Makes the next text a new paragraph, as after a tool call.
    pub(crate) fn paragraph(&mut self) {
        self.gap = self.spoke;
    }

    pub(crate) async fn send(&self, event: ChatEvent) {
        let _ = self.events.send(Ok(event)).await;
    }

    /// Ends the turn early.
    pub(crate) async fn fail(self, error: AgentError) {
        let _ = self.events.send(Err(error)).await;
    }

    /// Whether the reader has left.
    pub(crate) fn has_left(&self) -> bool {
        self.events.is_closed()
    }

    /// Returns once the reader has left.
    pub(crate) async fn gone(&self) {
        self.events.closed().await;
    }
}
