//! A gateway and a store in the test's own process, and a real agent in a real confinement.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used)]

pub mod agent;
mod assembler;
pub mod gateway;

use std::collections::BTreeMap;
use std::time::Duration;

pub use agent::Agent;
use assembler::Assembler;
pub use gateway::Gateway;
use protocol::{FromAgent, Piece, RunKind, RunOrder, RunReport, ToAgent};
use sha2::{Digest, Sha256};

/// A test that waits this long for an event has failed; no test relies on elapsed time.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// A gateway and a connected agent.
pub async fn sandbox() -> (Gateway, Agent) {
    let mut gateway = Gateway::start().await;
    let agent = Agent::start(&gateway);
    gateway.hello().await;
    (gateway, agent)
}

/// An order to run `script`, due within a minute.
pub fn order(run_id: &str, script: &str) -> RunOrder {
    RunOrder {
        run_id: run_id.to_owned(),
        script: script.to_owned(),
        kind: RunKind::Command,
        sha256: hex::encode(Sha256::digest(script)),
        deadline_ms: 60_000,
        env: BTreeMap::new(),
        hidden: Vec::new(),
        log_url: None,
        backup: None,
    }
}

impl Gateway {
    /// Runs a script to its end.
    pub async fn run(&mut self, run_id: &str, script: &str) -> RunReport {
        self.tell(ToAgent::Run(order(run_id, script)));
        self.report(run_id).await
    }

    /// Waits for the result of a run and confirms it.
    pub async fn report(&mut self, run_id: &str) -> RunReport {
        let report = self
            .wait(|message| match message {
                FromAgent::RunFinished(report) if report.run_id == run_id => Some(report.clone()),
                _ => None,
            })
            .await;
        let run_id = run_id.to_owned();
        self.tell(ToAgent::RunRecorded { run_id });
        report
    }

    /// Waits until a run's output contains `text`.
    pub async fn progress(&mut self, run_id: &str, text: &str) {
        self.wait(|message| match message {
            FromAgent::RunProgress { run_id: id, head, .. }
                if id == run_id && head.contains(text) =>
            {
                Some(())
            }
            _ => None,
        })
        .await;
    }

    /// Attaches a browser connection to a terminal.
    pub fn attach(&self, connection: &str, terminal: &str, offset: u64) -> Screen {
        self.tell(ToAgent::TerminalAttach {
            connection: connection.to_owned(),
            terminal: terminal.to_owned(),
            offset,
            rows: 24,
            cols: 80,
        });
        Screen {
            connection: connection.to_owned(),
            terminal: terminal.to_owned(),
            stream: Assembler::resume(offset),
            text: String::new(),
            passed: String::new(),
        }
    }

    /// Types into a terminal.
    pub fn keys(&self, connection: &str, terminal: &str, seq: u64, data: &str) {
        self.keys_and_run(connection, terminal, seq, (data, None, None));
    }

    /// Types a command for the user, as a page does, and requests Enter after it.
    pub fn types_for(&self, connection: &str, terminal: &str, seq: u64, command: &str) {
        self.types_part(connection, terminal, seq, (command, "", command));
        self.keys_and_run(connection, terminal, seq + 1, ("", Some(command), None));
    }

    /// Types a part of a command: the command, what was typed of it before, and the part.
    pub fn types_part(&self, connection: &str, terminal: &str, seq: u64, part: (&str, &str, &str)) {
        let (command, after, data) = part;
        self.keys_and_run(connection, terminal, seq, (data, None, Some((command, after))));
    }

    /// Waits for the next hello; returns whether it promises to confine readers.
    pub async fn hello_promises_reader(&mut self) -> bool {
        self.wait(|message| match message {
            FromAgent::Hello { reader, .. } => Some(*reader),
            _ => None,
        })
        .await
    }

    /// Waits until the agent says that a command was not typed.
    pub async fn does_not_type(&mut self, command: &str) {
        let refused = |message: &FromAgent| match message {
            FromAgent::TerminalNotTyped { command: refused, .. } => refused == command,
            _ => false,
        };
        self.wait(|message| refused(message).then_some(())).await;
    }

    fn keys_and_run(
        &self,
        connection: &str,
        terminal: &str,
        seq: u64,
        (data, run_typed, part): (&str, Option<&str>, Option<(&str, &str)>),
    ) {
        self.tell(ToAgent::TerminalInput {
            connection: connection.to_owned(),
            terminal: terminal.to_owned(),
            seq: Some(seq),
            data: data.to_owned(),
            run_typed: run_typed.map(str::to_owned),
            command: part.map(|(command, _)| command.to_owned()),
            after: part.map(|(_, after)| after.to_owned()),
        });
    }

    /// Waits until a screen shows `text`, and clears it up to that point.
    pub async fn shows(&mut self, screen: &mut Screen, text: &str) {
        let shown = self.shows_within(PATIENCE, screen, text).await;
        assert!(shown, "{text:?} never came, only {:?}", screen.text);
    }

    /// Like `shows`, but gives up after `patience` without output; returns whether it showed `text`.
    pub async fn shows_within(
        &mut self,
        patience: Duration,
        screen: &mut Screen,
        text: &str,
    ) -> bool {
        while !screen.text.contains(text) {
            let Some(piece) = self.wait_or(patience, |message| screen.piece(message)).await else {
                return false;
            };
            screen.text.push_str(&screen.stream.push(piece));
        }
        let end = screen.text.find(text).unwrap() + text.len();
        screen.passed = screen.text.drain(..end).collect();
        true
    }
}

/// The content of a browser's terminal.
pub struct Screen {
    connection: String,
    terminal: String,
    pub stream: Assembler,
    pub text: String,
    /// The text that [`Gateway::shows`] cleared last.
    pub passed: String,
}

impl Screen {
    fn piece(&self, message: &FromAgent) -> Option<Piece> {
        match message {
            FromAgent::TerminalOutput { connection, terminal, offset, next, data }
                if *connection == self.connection && *terminal == self.terminal =>
            {
                Some(Piece { offset: *offset, next: *next, data: data.clone() })
            }
            _ => None,
        }
    }
}
