//! The agent's loop: handles one event after the other, then sends the resulting messages.

use std::time::Duration;

use anyhow::Context;
use protocol::FromAgent;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until, timeout_at};

use super::gateway::Next;
use super::link::Happening;
use super::{Agent, Done, PARKED, Restore};
use crate::pipe::Order;

/// How often a heartbeat is sent.
pub(super) const HEARTBEAT: Duration = Duration::from_secs(30);

/// How often the gateway is asked to look at the browsers' connections while there are any.
const WATCHED: Duration = Duration::from_secs(3);

/// How often the gateway is asked to confirm terminal output while there is any; every few of these pings are sent
/// regardless. A ping and its answer may each be charged as a message, so they are few; after an outage, up to this
/// much output is sent twice.
const PING: Duration = Duration::from_secs(2);
const IDLE_PINGS: u32 = 10;

/// How long to wait with terminal output when the connection has no room.
const NO_ROOM: Duration = Duration::from_millis(4);

/// How long an idle loop sleeps.
const IDLE: Duration = Duration::from_secs(3600);

/// How long the processes inside have to exit when the agent stops.
const STOP: Duration = Duration::from_secs(8);

impl Agent {
    pub(super) async fn serve(
        &mut self,
        mut happenings: mpsc::Receiver<Happening>,
        mut finished: mpsc::Receiver<Done>,
    ) -> anyhow::Result<()> {
        let mut heartbeat = interval(HEARTBEAT);
        let mut ping = interval(PING);
        let mut watched = interval(WATCHED);
        watched.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // After a delay the agent does not catch up on missed ticks.
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut pings = 0;
        let mut terminated = signal(SignalKind::terminate())?;
        let mut interrupted = signal(SignalKind::interrupt())?;
        loop {
            let turn = self.next_turn();
            let patience = self.leaves_by().unwrap_or(turn);
            tokio::select! {
                happening = happenings.recv() => {
                    let happening = happening.context("the dialing task has ended")?;
                    if self.happened(happening).await? == Next::Stop {
                        break;
                    }
                }
                event = self.inside.events.recv() => match event {
                    Some(event) => self.heard(event).await?,
                    None => self.start_over().await?,
                },
                Some(done) = finished.recv() => self.finished(done).await?,
                _ = heartbeat.tick() => {
                    self.beat();
                }
                _ = watched.tick() => {
                    if self.welcomed && self.browsers.any(Instant::now()) {
                        self.say_if_up(&FromAgent::Watched);
                    }
                }
                _ = ping.tick() => {
                    pings += 1;
                    let number = self.terminals.ping();
                    if let Some(link) = &self.link
                        && (number.is_some() || pings % IDLE_PINGS == 0)
                    {
                        link.ping(number.unwrap_or(0));
                    }
                }
                () = sleep_until(turn) => {}
                () = sleep_until(patience), if self.leaves_by().is_some() => {
                    tracing::error!("there was no time for the last backup");
                    break;
                }
                // A second SIGTERM ends the agent at once, and so does an interrupt.
                _ = terminated.recv() => if !self.leave() { break },
                _ = interrupted.recv() => break,
            }
            self.speak().await?;
            if self.may_leave() {
                break;
            }
        }
        self.stop().await
    }

    fn next_turn(&self) -> Instant {
        let now = Instant::now();
        let turn = match &self.link {
            None => None,
            Some(_) if !self.welcomed => None,
            Some(link) => {
                let turn = [
                    self.runs.next_news(),
                    self.reports.next_turn(),
                    self.backend.next_turn(),
                    self.terminals.next_turn(),
                    self.files.next_turn(),
                    self.usage.next_turn(),
                ];
                let turn = turn.into_iter().flatten().min();
                if link.has_room() { turn } else { turn.map(|turn| turn.max(now + NO_ROOM)) }
            }
        };
        [turn, self.hello.next_turn(), self.backend.gives_up()]
            .into_iter()
            .flatten()
            .min()
            .unwrap_or(now + IDLE)
    }

    /// Sends the messages for which there is room, and forwards orders.
    async fn speak(&mut self) -> anyhow::Result<()> {
        let now = Instant::now();
        self.say_hello(now);
        if self.welcomed && self.link.is_some() {
            while let Some(message) = self.parked.pop_front() {
                self.say(message);
            }
            if self.usage.has_news(self.is_in_use(), now) {
                self.beat();
            }
            for message in self.reports.news(now) {
                self.say(message);
            }
            for message in self.backend.news(now) {
                self.say_if_up(&message);
            }
            for message in self.runs.news(now, &mut self.sequence) {
                self.say(message);
            }
            if let Some(link) = &self.link {
                self.terminals.pump(now, |message| link.has_room() && link.send(&message));
                self.files.pump(now, |answer| link.has_room() && link.send(answer));
            }
        }
        self.give_up_states(now).await?;
        self.terminals.grant_all(self.link.is_some());
        for (mut order, data) in self.terminals.take_orders() {
            self.let_terraform_in(&mut order);
            self.order(order, data).await?;
        }
        Ok(())
    }

    /// Sends a heartbeat with the idle time.
    fn beat(&mut self) {
        let seq = self.sequence.next();
        let idle_seconds = self.usage.idle_seconds(self.is_in_use(), Instant::now());
        self.say_if_up(&FromAgent::Heartbeat { seq, idle_seconds });
    }

    pub(super) fn is_in_use(&self) -> bool {
        let busy = self.restore != Restore::Done || self.runs.any_running();
        busy || self.terminals.has_viewers()
    }

    /// Sends a message that must not get lost: now, or on the next connection.
    pub(super) fn say(&mut self, message: FromAgent) {
        let sent = self.welcomed && self.link.as_ref().is_some_and(|link| link.send(&message));
        if !sent {
            if self.link.take_if(|_| self.welcomed).is_some() {
                self.lose_link();
            }
            if self.parked.len() < PARKED && !matches!(message, FromAgent::RunProgress { .. }) {
                self.parked.push_back(message);
            }
        }
    }

    /// Sends a message that would be useless later.
    pub(super) fn say_if_up(&mut self, message: &FromAgent) {
        if let Some(link) = &self.link {
            link.send(message);
        }
    }

    async fn stop(&mut self) -> anyhow::Result<()> {
        tracing::info!("stopping");
        self.order(Order::Stop, Vec::new()).await?;
        let until = Instant::now() + STOP.min(self.grace / 2);
        while let Ok(Some(event)) = timeout_at(until, self.inside.events.recv()).await {
            self.heard(event).await?;
            self.speak().await?;
        }
        let _ = timeout_at(until, self.inside.ended()).await;
        self.speak().await?;
        // Lets the connection's writer empty its queue and close.
        if let Some(link) = self.link.take() {
            link.close().await;
        }
        Ok(())
    }
}
