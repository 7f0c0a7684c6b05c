//! The time before a project: an agent of the warm pool waits for its assignment.
//!
//! It has no user yet, so it has confined and started nothing, and its token gives access to no project. It keeps a
//! connection open, sends heartbeats, and accepts two messages: `assign`, once, and `stop`. After an assignment it
//! works like any other agent, on new connections; later messages on this one are lost.

use std::time::Duration;

use anyhow::{Context, bail, ensure};
use protocol::{Assignment, FromAgent, ToAgent, VERSION};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, interval, sleep_until};

use super::hello::Hello;
use super::link::{self, Happening, Link};
use super::sequence::Sequence;
use super::serve::HEARTBEAT;
use super::settings::{Settings, is_user};

/// How often the connection is checked.
const PING: Duration = Duration::from_secs(20);

/// How long the gateway may be unreachable before this agent exits: its task costs money, and nothing else can find and
/// stop it.
const ALONE: Duration = Duration::from_secs(30 * 60);

/// How many connection events may wait.
const WAITING: usize = 16;

/// Waits for an assignment; `None` if the agent has to stop.
pub async fn wait(settings: &Settings) -> anyhow::Result<Option<Assignment>> {
    let (tokens, newest) = watch::channel(settings.token.clone());
    let (happened, happenings) = mpsc::channel(WAITING);
    let (url, renew_after) = (settings.websocket_url.clone(), settings.renew_after());
    let dialing = tokio::spawn(link::keep(url, renew_after, newest, happened));
    tracing::info!("waiting for a project");
    let (sequence, hello) = (Sequence::start(), Hello::default());
    let mut pooled = Pooled { tokens, sequence, link: None, hello, heard_at: Instant::now() };
    let waited = pooled.serve(happenings).await;
    dialing.abort();
    waited
}

struct Pooled {
    tokens: watch::Sender<String>,
    sequence: Sequence,
    link: Option<Link>,
    hello: Hello,
    /// When the gateway's last message arrived.
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
            if self.hello.is_due(Instant::now()) {
                self.say_hello();
            }
            let alone = self.heard_at + ALONE;
            let hello = self.hello.next_turn();
            tokio::select! {
                happening = happenings.recv() => {
                    match happening.context("the dialing task has ended")? {
                        Happening::Up(link) => {
                            self.link = Some(link);
                            self.hello.begin();
                        }
                        Happening::Down(id) => {
                            if self.link.take_if(|link| link.id == id).is_some() {
                                self.hello.end();
                            }
                        }
                        Happening::Pong(_) => self.heard_at = Instant::now(),
                        Happening::Message(_, ToAgent::Assign(assignment)) => {
                            ensure!(is_user(&assignment.user), "{:?} is not a user", assignment.user);
                            return Ok(Some(assignment));
                        }
                        Happening::Message(_, ToAgent::Stop) => break,
                        Happening::Message(id, ToAgent::Welcome { next_token, .. }) => {
                            if self.link.as_ref().is_some_and(|link| link.id == id) {
                                self.hello.end();
                            }
                            self.tokens.send_replace(next_token);
                            self.heard_at = Instant::now();
                        }
                        Happening::Message(..) => {
                            tracing::warn!("dropped a message for a project's agent");
                        }
                    }
                }
                _ = heartbeat.tick() => {
                    let seq = self.sequence.next();
                    self.say(&FromAgent::Heartbeat { seq, idle_seconds: None });
                }
                _ = ping.tick() => if let Some(link) = &self.link { link.ping(0) },
                () = sleep_until(hello.unwrap_or(alone)), if hello.is_some() => {}
                () = sleep_until(alone) => bail!("the gateway could not be reached"),
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

    fn say_hello(&mut self) {
        let (terminals, unrecorded) = (Vec::new(), Vec::new());
        let seq = self.sequence.next();
        self.say(&FromAgent::Hello {
            seq,
            version: VERSION,
            terminals,
            unrecorded,
            reader: false,
            answers: false,
            looks_up: false,
            previews: false,
            tools: None,
        });
    }

    fn say(&self, message: &FromAgent) {
        if let Some(link) = &self.link {
            link.send(message);
        }
    }
}
