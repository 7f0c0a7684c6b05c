//! Handles the gateway's messages.

use std::collections::BTreeMap;

use protocol::{FilesRequest, FromAgent, ReadOrder, RunKind, RunOrder, ToAgent, VERSION};
use tokio::time::Instant;

use super::link::Happening;
use super::mask::marks_for;
use super::runs::Reply;
use super::terminals::Keys;
use super::{Agent, EARLY_RUNS, Restore};
use crate::pipe::{Order, Part};
use crate::reader::Terms;

/// Whether the loop continues.
#[derive(PartialEq, Eq)]
pub(super) enum Next {
    GoOn,
    Stop,
}

impl Agent {
    pub(super) async fn happened(&mut self, happening: Happening) -> anyhow::Result<Next> {
        match happening {
            Happening::Up(link) => {
                // This drops any old connection, which closes once everything is written.
                self.link = Some(link);
                self.hello.begin();
            }
            Happening::Down(id) => {
                if self.link.as_ref().is_some_and(|link| link.id == id) {
                    self.lose_link();
                }
            }
            Happening::Pong(number) => self.terminals.pong(number),
            Happening::Message(_, ToAgent::Stop) => return Ok(Next::Stop),
            Happening::Message(id, message) => {
                let welcome = matches!(message, ToAgent::Welcome { .. });
                if welcome && self.link.as_ref().is_some_and(|link| link.id == id) {
                    self.hello.end();
                }
                self.note_use(&message);
                self.receive(message).await?;
            }
        }
        Ok(Next::GoOn)
    }

    /// Sends a hello if one is due.
    pub(super) fn say_hello(&mut self, now: Instant) {
        if !self.hello.is_due(now) {
            return;
        }
        let confines = self.confines;
        let hello = FromAgent::Hello {
            seq: self.sequence.next(),
            version: VERSION,
            terminals: self.terminals.names(),
            unrecorded: self.runs.unrecorded(),
            reader: confines,
            answers: confines,
            looks_up: confines,
            previews: true,
            tools: crate::tools::listed(),
        };
        self.say_if_up(&hello);
    }

    /// Records a person's action; the gateway's own messages do not count as use.
    fn note_use(&mut self, message: &ToAgent) {
        let used = match message {
            // It changes nothing, so it needs no backup.
            ToAgent::Ask(_) => {
                self.usage.note();
                false
            }
            ToAgent::Run(_)
            | ToAgent::Read(_)
            | ToAgent::RunCancel { .. }
            | ToAgent::Files { .. } => true,
            ToAgent::TerminalAttach { .. }
            | ToAgent::TerminalInput { .. }
            | ToAgent::TerminalResize { .. }
            | ToAgent::TerminalDetach { .. }
            | ToAgent::WorkspaceRestore(_) => true,
            ToAgent::Welcome { .. }
            // A page asks for the ports as long as it is open, so that is not use; a request to a service is recorded
            // separately.
            | ToAgent::Preview(_)
            // A browser sends this on its own, not because of its user.
            | ToAgent::TerminalShown { .. }
            | ToAgent::RunRecorded { .. }
            | ToAgent::WorkspaceUpload(_)
            | ToAgent::WorkspaceRecorded { .. }
            | ToAgent::State { .. }
            | ToAgent::Assign(_)
            | ToAgent::Stop => false,
        };
        if used {
            self.usage.note();
            self.unsaved = true;
        }
    }

    /// Messages in flight may be lost, so all of them are sent again on the next connection. The gateway does the same
    /// with the runs that wait for the files, unless they were canceled or given up in the meantime.
    pub(super) fn lose_link(&mut self) {
        self.link = None;
        self.early.clear();
        self.hello.end();
        self.usage.tell_again();
        self.runs.say_again();
        self.backend.say_again();
        self.reports.say_again();
        self.terminals.rewind();
    }

    pub(super) async fn receive(&mut self, message: ToAgent) -> anyhow::Result<()> {
        self.browsers.note(&message, Instant::now());
        match message {
            ToAgent::Welcome { next_token, restore_url, keeps_state } => {
                self.backend.set_open(keeps_state);
                self.tokens.send_replace(next_token);
                self.welcomed = true;
                self.welcome(restore_url).await?;
                self.ask_to_leave();
            }
            ToAgent::Run(order) => self.run(order).await?,
            ToAgent::Read(order) => self.read(order).await?,
            ToAgent::Ask(inquiry) => self.inquire(inquiry).await?,
            ToAgent::Preview(order) => self.preview_asked(order).await?,
            ToAgent::RunCancel { run_id } => {
                self.early.retain(|order| order.run_id != run_id);
                self.runs.cancel(&run_id)?;
                self.order(Order::Cancel { run_id }, Vec::new()).await?;
            }
            ToAgent::RunRecorded { run_id } => self.runs.recorded(&run_id)?,
            ToAgent::TerminalAttach { connection, terminal, offset, rows, cols } => {
                self.terminals.attach(connection, &terminal, offset, (rows, cols))
            }
            ToAgent::TerminalInput {
                connection,
                terminal,
                seq,
                data,
                run_typed,
                command,
                after,
            } => {
                let part = command.map(|command| Part {
                    connection: connection.clone(),
                    command,
                    after: after.unwrap_or_default(),
                });
                let keys = Keys { terminal, data, run_typed, part };
                self.terminals.input(&connection, seq, keys)
            }
            ToAgent::TerminalResize { connection: _, terminal, rows, cols } => {
                self.terminals.resize(&terminal, (rows, cols))
            }
            ToAgent::TerminalShown { connection, terminal, offset } => {
                self.terminals.shown(&connection, &terminal, offset)
            }
            ToAgent::TerminalDetach { connection } => {
                self.terminals.detach(&connection);
                self.files.detach(&connection);
            }
            ToAgent::Files { connection, request } => self.asked(connection, request).await?,
            ToAgent::WorkspaceUpload(backup) => self.upload_asked(backup).await?,
            ToAgent::WorkspaceRecorded { request_id } => {
                self.reports.recorded(&request_id);
                self.runs.backup_done(&request_id);
            }
            ToAgent::State { request_id, answer } => {
                self.state_answered(&request_id, answer).await?
            }
            ToAgent::WorkspaceRestore(order) => self.restore_asked(order).await?,
            ToAgent::Assign(_) => {
                // An agent is assigned only once, and this one already serves a project.
                tracing::warn!("dropped an assignment for an agent that already has a project");
            }
            ToAgent::Stop => {}
        }
        Ok(())
    }

    async fn asked(&mut self, connection: String, request: FilesRequest) -> anyhow::Result<()> {
        if self.restore != Restore::Done {
            let detail = "Your files are being restored. Try again in a moment.";
            self.files.refuse(&connection, request.id(), detail);
            return Ok(());
        }
        match self.files.ask(connection, request) {
            Some((order, data)) => self.order(order, data).await,
            None => Ok(()),
        }
    }

    pub(super) async fn run(&mut self, order: RunOrder) -> anyhow::Result<()> {
        if self.leaves_by().is_some() {
            // The last backup would miss what it changes. The gateway delivers it to the next sandbox.
            return Ok(());
        }
        if self.restore != Restore::Done {
            let known = self.early.iter().any(|early| early.run_id == order.run_id);
            if !known && self.early.len() < EARLY_RUNS {
                self.early.push_back(order);
            }
            return Ok(());
        }
        self.start(order, None).await
    }

    /// Runs a command that needs no approval. Until the workspace is filled there is nothing to read; the gateway
    /// delivers the command again.
    async fn read(&mut self, order: ReadOrder) -> anyhow::Result<()> {
        if self.restore != Restore::Done {
            return Ok(());
        }
        let ReadOrder { run_id, script, sha256, deadline_ms, reach, hidden, log_url } = order;
        let env = BTreeMap::new();
        let terms = Terms { marks: marks_for(&reach, &hidden), reach };
        let order = RunOrder {
            run_id,
            script,
            sha256,
            deadline_ms,
            env,
            hidden,
            log_url,
            backup: None,
            kind: RunKind::Command,
        };
        self.start(order, Some(terms)).await
    }

    async fn start(&mut self, mut order: RunOrder, reading: Option<Terms>) -> anyhow::Result<()> {
        let run_id = order.run_id.clone();
        // A reading has no password for Terraform's backend, so it cannot see a state.
        let password = if reading.is_none() { self.backend.password() } else { None };
        order.hidden.extend(password.clone());
        let reply = match self.runs.order(order, reading) {
            Ok(reply) => reply,
            Err(error) => {
                // Not recorded, so not accepted: the gateway delivers it again.
                tracing::error!(%error, "a run cannot be recorded");
                return Ok(());
            }
        };
        let accepted = FromAgent::RunAccepted { run_id, seq: self.sequence.next() };
        match reply {
            Reply::NotNow => Ok(()),
            Reply::Known => {
                self.say_if_up(&accepted);
                Ok(())
            }
            Reply::Start(mut order, script) => {
                self.say_if_up(&accepted);
                if let (Order::Start { run_id, backend, .. }, Some(password)) =
                    (&mut order, password)
                {
                    self.backend.admit(run_id, &password);
                    *backend = Some(password);
                }
                self.order(order, script).await
            }
        }
    }
}
