//! Handles the supervisor's messages, and replaces a supervisor that ended.

use std::time::Duration;

use protocol::{FromAgent, Outcome, RunReport};
use tokio::time::timeout;

use super::runs::Remainder;
use super::{Agent, Done, Restore, backend, transfer};
use crate::pipe::{Event, Frame, Order};

/// How long a run's result waits for the upload of its log.
const LOG_LIMIT: Duration = Duration::from_secs(30);

/// A supervisor that accepts no order for this long counts as tampered with.
const DEAF: Duration = Duration::from_secs(5);

impl Agent {
    pub(super) async fn heard(
        &mut self,
        Frame { message, data }: Frame<Event>,
    ) -> anyhow::Result<()> {
        match message {
            Event::Ready => {}
            Event::Output { run_id } => self.runs.printed(&run_id, &data),
            Event::Ended { run_id, outcome, exit_code, duration_ms, files, detail, saved_plan } => {
                self.unsaved = true;
                self.confines &= outcome != Outcome::NotConfined;
                self.backend.over(&run_id);
                let report = RunReport {
                    run_id,
                    seq: 0,
                    outcome,
                    exit_code,
                    duration_ms,
                    head: String::new(),
                    tail: String::new(),
                    bytes: 0,
                    files,
                    detail,
                    saved_plan,
                };
                if let Some(remainder) = self.runs.ended(report)? {
                    self.wind_up(remainder).await?;
                }
            }
            Event::Printed { terminal } => self.terminals.printed(&terminal, &data),
            Event::NotTyped { terminal, part } => {
                let (connection, command) = (part.connection, part.command);
                self.say_if_up(&FromAgent::TerminalNotTyped { connection, terminal, command });
            }
            Event::Closed { terminal, exit_code } => {
                self.backend.over(&backend::terminal(&terminal));
                self.terminals.closed(&terminal, exit_code);
            }
            Event::Files { job, done } => self.files.done(job, done, data),
            Event::Answered { request_id, answer } => self.answered(request_id, answer),
            Event::PreviewPart { job } => self.previews.part(job, &data),
            Event::Previewed { job, answer } => self.preview_done(job, answer)?,
            Event::BackendPart { job } => self.backend.part(job, &data),
            Event::Backend { job, method, path, lock_id, password, bytes } => {
                let request = backend::Request { job, method, path, lock_id, password, bytes };
                self.backend_asked(request).await?;
            }
            Event::Packed { job } => self.backups.part(job, &data),
            Event::PackDone { job, error, workspace } => {
                if let Some(packed) = self.backups.end(job, error, workspace) {
                    self.upload(packed);
                }
                self.go_on_restoring().await?;
            }
            Event::Unpacked { refused, error } => {
                if !refused.is_empty() {
                    tracing::warn!(?refused, "entries of the backup were refused");
                }
                if self.restoring.is_some() {
                    return self.restore_is_over(error).await;
                }
                if let Some(error) = error {
                    anyhow::bail!("the workspace could not be restored: {error}");
                }
                self.restored().await?;
            }
        }
        Ok(())
    }

    /// Finishes a run: uploads its log and a backup. If either fails, the result is still reported.
    pub(super) async fn wind_up(&mut self, remainder: Remainder) -> anyhow::Result<()> {
        let (client, done) = (self.client.clone(), self.done.clone());
        let Remainder { run_id, log, log_url, backup } = remainder;
        if let Some(backup) = backup {
            let request_id = backup.request_id.clone();
            if self.back_up(backup).await? {
                self.runs.wait_for_backup(&run_id, request_id);
            }
        }
        match log_url {
            Some(url) => {
                tokio::spawn(async move {
                    let kind = "text/plain; charset=utf-8";
                    if let Err(error) = transfer::put(&client, &log, kind, &url, LOG_LIMIT).await {
                        tracing::error!(
                            error = format!("{error:#}"),
                            "a log could not be uploaded"
                        );
                    }
                    let _ = done.send(Done::LogPut { run_id }).await;
                });
            }
            None => self.runs.log_done(&run_id),
        }
        Ok(())
    }

    /// Handles the supervisor's end, which ends every process inside: reports it and starts another supervisor.
    pub(super) async fn start_over(&mut self) -> anyhow::Result<()> {
        tracing::error!("the supervisor ended");
        self.runs.all_lost()?;
        self.terminals.all_closed(137);
        self.files.all_failed();
        self.inquiries.all_failed();
        self.previews_failed();
        self.backend.all_over();
        for packed in self.backups.all_failed() {
            self.upload(packed);
        }
        if self.restore == Restore::UnderWay && self.restoring.is_none() {
            anyhow::bail!(
                "the workspace could not be restored: the sandbox's own processes were ended"
            );
        }
        let new = self.plan.start().await?;
        std::mem::replace(&mut self.inside, new).kill().await;
        self.restore_lost().await
    }

    /// Sends the supervisor an order; a supervisor that does not accept it is replaced.
    pub(super) async fn order(&mut self, order: Order, data: Vec<u8>) -> anyhow::Result<()> {
        match timeout(DEAF, self.inside.orders.send((order, data))).await {
            Ok(Ok(())) => Ok(()),
            // The next event reports its end.
            Ok(Err(_)) => Ok(()),
            Err(_) => Box::pin(self.start_over()).await,
        }
    }
}
