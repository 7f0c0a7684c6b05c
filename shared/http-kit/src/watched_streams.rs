//! Checks the open event streams of a process together: one read for all of them, however many there are.

use domain::report::Chain;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use store::Table;
use store::access::{Access, Accesses};
use tokio::sync::oneshot::{Sender, channel};
use tokio::task::JoinHandle;
use tokio::time::sleep;

/// How often the sessions and projects of open streams are checked; a stream ends within 5 s of either.
const LOOK_EVERY: Duration = Duration::from_secs(4);

/// The event streams that are open in this process.
#[derive(Clone, Debug)]
pub(crate) struct WatchedStreams(Arc<Watched>);

#[derive(Debug)]
struct Watched {
    accesses: Accesses,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    streams: Vec<Stream>,
    /// The task that checks them; it goes on as long as there are any.
    task: Option<JoinHandle<()>>,
}

/// Dropping it ends the stream.
#[derive(Debug)]
struct Stream {
    access: Access,
    goes_on: Sender<()>,
}

impl WatchedStreams {
    /// Streams that depend on sessions and projects in `table`.
    pub fn new(table: &Table) -> Self {
        let (accesses, open) = (Accesses::new(table), Mutex::default());
        Self(Arc::new(Watched { accesses, open }))
    }

    /// Opens a stream: the result is ready when this access has ended.
    pub fn end_of(&self, access: Access) -> impl Future<Output = ()> + Send + use<> {
        let (goes_on, ended) = channel();
        let mut open = self.open();
        open.streams.push(Stream { access, goes_on });
        if open.task.as_ref().is_none_or(JoinHandle::is_finished) {
            open.task = Some(tokio::spawn(self.clone().check()));
        }
        async {
            let _ = ended.await;
        }
    }

    /// Ends streams whose access has ended, until no stream is open.
    async fn check(self) {
        loop {
            sleep(LOOK_EVERY).await;
            let Some(accesses) = self.accesses() else { return };
            match self.0.accesses.lasting(&accesses).await {
                Ok(lasting) => self.open().streams.retain(|Stream { access, .. }| {
                    // A stream that was opened in the meantime has not been checked.
                    lasting.contains(access) || !accesses.contains(access)
                }),
                // The next check decides, because a short outage of the table must not end conversations.
                Err(error) => {
                    tracing::warn!(error = %Chain(&error), "the sessions and projects of open streams cannot be read; the streams stay open for now");
                }
            }
        }
    }

    /// Forgets the streams that are over. The accesses of the others; `None` says that there are none, and that the
    /// next stream needs a new task.
    fn accesses(&self) -> Option<HashSet<Access>> {
        let mut open = self.open();
        open.streams.retain(|stream| !stream.goes_on.is_closed());
        if open.streams.is_empty() {
            open.task = None;
            return None;
        }
        Some(open.streams.iter().map(|stream| stream.access.clone()).collect())
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.0.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
