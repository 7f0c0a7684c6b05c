//! The time before a project: an agent of the warm pool waits for its assignment.
//!
//! It has no user yet, so it has confined and started nothing, and its token gives access to no project. It keeps a
//! connection, sends heartbeats, and takes two messages: `assign`, once, and `stop`. After an assignment it lives
//! like any agent, on its own new connections; later messages on this one are lost.

use std::time::Duration;

use anyhow::{Context, bail, ensure};
use protocol::{Assignment, FromAgent, ToAgent, VERSION};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, interval, sleep_until};

use super::link::{self, Happening, Link};
use super::sequence::Sequence;
use super::serve::HEARTBEAT;
use super::settings::{Settings, is_user};

/// How often the connection is checked.
const PING: Duration = Duration::from_secs(20);

/// How long the gateway may be unreachable before this agent ends: its task costs money, and no other part of the
/// system can know of it.
const ALONE: Duration = Duration::from_secs(30 * 60);

/// How many events of connections may wait.
const WAITING: usize = 16;

/// Waits for an assignment; `None` if the agent has to stop.
pub async fn wait(settings: &Settings) -> anyhow::Result<Option<Assignment>> {
    let (tokens, newest) = watch::channel(settings.token.clone());
    let (happened, happenings) = mpsc::channel(WAITING);
    let (url, renew_after) = (settings.websocket_url.clone(), settings.renew_after());
    let dialling = tokio::spawn(link::keep(url, renew_after, newest, happened));
    tracing::info!("waiting for a project");
    let mut pooled =
        Pooled { tokens, sequence: Sequence::start(), link: None, heard_at: Instant::now() };
    let waited = pooled.serve(happenings).await;
    dialling.abort();
    waited
}

struct Pooled {
    tokens: watch::Sender<String>,
    sequence: Sequence,
    link: Option<Link>,
    /// When the last message of the gateway arrived.
    heard_at: Instant,
}

impl Pooled {
    async fn serve(
        &mut self,
        mut happenings: mpsc::Receiver<Happening>,
    ) -> anyhow::Result<Option<Assignment>> {
        let (mut heartbeat, mut ping) = (interval(HEARTBEAT), interval(PING));
        let mut terminated = signal(SignalKind::terminate())?;
        let mut interrupted = signal(SignalKind::interrupt())?;
        loop {
            tokio::select! {
                happening = happenings.recv() => {
                    match happening.context("nobody dials the gateway any more")? {
                        Happening::Up(link) => {
                            self.link = Some(link);
                            self.hello();
                        }
                        Happening::Down(id) => drop(self.link.take_if(|link| link.id == id)),
                        Happening::Pong(_) => self.heard_at = Instant::now(),
                        Happening::Message(ToAgent::Assign(assignment)) => {
                            ensure!(is_user(&assignment.user), "{:?} is not a user", assignment.user);
                            return Ok(Some(assignment));
                        }
                        Happening::Message(ToAgent::Stop) => break,
                        Happening::Message(ToAgent::Welcome { next_token, .. }) => {
                            self.tokens.send_replace(next_token);
                            self.heard_at = Instant::now();
                        }
                        Happening::Message(_) => {
                            tracing::warn!("dropped a message for a project's agent");
                        }
                    }
                }
                _ = heartbeat.tick() => {
                    let seq = self.sequence.next();
                    self.say(&FromAgent::Heartbeat { seq, idle_seconds: None });
                }
                _ = ping.tick() => if let Some(link) = &self.link { link.ping(0) },
                () = sleep_until(self.heard_at + ALONE) => bail!("the gateway was not to be reached"),
                _ = terminated.recv() => break,
                _ = interrupted.recv() => break,
            }
        }
        tracing::info!("stopping, without a project");
        if let Some(link) = self.link.take() {
            link.close().await;
        }
        Ok(None)
    }

    fn hello(&mut self) {
        let (terminals, unrecorded) = (Vec::new(), Vec::new());
        let seq = self.sequence.next();
        self.say(&FromAgent::Hello {
            seq,
            version: VERSION,
            terminals,
            unrecorded,
            reader: false,
            answers: false,
            tools: None,
        });
    }

    fn say(&self, message: &FromAgent) {
        if let Some(link) = &self.link {
            link.send(message);
        }
    }
}
