//! Runs, from their acceptance to the gateway's confirmation.

mod frames;

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::time::Duration;
use std::{fs, io};

use protocol::{Backup, FromAgent, Outcome, RunKind, RunOrder, RunReport};
use sha2::{Digest, Sha256};
use tokio::time::Instant;

use super::journal::{Journal, Record};
use super::mask::Mask;
use super::output::Output;
use super::sequence::Sequence;
use crate::pipe::Order;
use crate::reader::Terms;
use frames::{fitted, progress};

/// The shortest time between two progress messages of one run. The first output is sent at once.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);

/// An unconfirmed report is sent again after this long.
pub(super) const REPEAT_AFTER: Duration = Duration::from_secs(10);

/// How long a result waits until the backup of its run's files is recorded. The files of a run should survive even if
/// the sandbox is lost right after it, but a backup of gigabytes may take longer than its owner should wait.
const BACKUP_WAIT: Duration = Duration::from_secs(10);

/// How many runs may be in progress at once; the gateway orders one per project.
const RUNNING: usize = 8;

/// The error of a step whose command has no proof.
const NO_PROOF: &str = "This command has no proof that it worked, so it was not run. Re-execute the step to have it written again.";

/// All unsettled runs.
pub struct Runs {
    journal: Journal,
    running: HashMap<String, Running>,
    finished: BTreeMap<String, Finished>,
}

struct Running {
    log_url: Option<String>,
    backup: Option<Backup>,
    output: Output,
    /// When progress was last sent; `None` before the first.
    sent: Option<Instant>,
    news: bool,
}

struct Finished {
    report: RunReport,
    /// False while the whole output is being uploaded.
    ready: bool,
    /// The backup that the result waits for, and its deadline.
    backup: Option<(String, Instant)>,
    sent: Option<Instant>,
}

impl Finished {
    /// When the result may be sent; `None` during the upload of the log.
    fn due(&self, now: Instant) -> Option<Instant> {
        let backup = self.backup.as_ref().map_or(now, |(_, until)| *until);
        let again = self.sent.map_or(now, |sent| sent + REPEAT_AFTER);
        self.ready.then_some(backup.max(again))
    }
}

/// The response to an order for a run.
pub enum Reply {
    /// A new run: acknowledge it and start it.
    Start(Order, Vec<u8>),
    /// A known run: acknowledge it, and repeat its result if there is one.
    Known,
    /// The run cannot be accepted now; the gateway delivers it again.
    NotNow,
}

/// The work that remains after a run's end.
pub struct Remainder {
    pub run_id: String,
    pub log: PathBuf,
    pub log_url: Option<String>,
    pub backup: Option<Backup>,
}

impl Runs {
    /// Opens the journal in `folder`; runs that were in progress when the agent died are lost.
    pub fn open(folder: PathBuf) -> io::Result<Self> {
        let journal = Journal::open(folder)?;
        let mut runs = Self { finished: BTreeMap::new(), running: HashMap::new(), journal };
        for record in runs.journal.open_records()? {
            let report = match record.report {
                Some(report) => report,
                None => runs.lost(record.run_id, "The sandbox stopped while this command ran.")?,
            };
            runs.finish(report, true);
        }
        Ok(runs)
    }

    /// Accepts an order; repeated orders have no effect. A `reading` runs as a reader.
    pub fn order(&mut self, order: RunOrder, reading: Option<Terms>) -> io::Result<Reply> {
        if self.is_known(&order.run_id)? {
            return Ok(Reply::Known);
        }
        if self.running.len() >= RUNNING {
            return Ok(Reply::NotNow);
        }
        let digest = hex::encode(Sha256::digest(&order.script));
        if !digest.eq_ignore_ascii_case(&order.sha256) {
            return self.refuse(order.run_id, "The command is not the one that was approved.");
        }
        let (script, proof) = protocol::parts(&order.script);
        if order.kind == RunKind::Step && proof.is_none_or(|proof| proof.trim().is_empty()) {
            return self.refuse(order.run_id, NO_PROOF);
        }
        let mask = Mask::of(order.env.values().chain(&order.hidden).map(String::as_str));
        let output = Output::create(&self.journal.output(&order.run_id), mask)?;
        self.journal.write(&Record {
            run_id: order.run_id.clone(),
            report: None,
            recorded: false,
        })?;
        let (script, proof) = (script.as_bytes().to_vec(), proof.map(str::to_owned));
        let running = Running {
            log_url: order.log_url,
            backup: order.backup,
            output,
            sent: None,
            news: false,
        };
        self.running.insert(order.run_id.clone(), running);
        let start = Order::Start {
            run_id: order.run_id,
            deadline_ms: order.deadline_ms,
            env: order.env,
            reading,
            strict: order.kind != RunKind::Command,
            proof,
            backend: None,
        };
        Ok(Reply::Start(start, script))
    }

    /// Whether a run was accepted or canceled before; repeats its result if there is one.
    fn is_known(&mut self, run_id: &str) -> io::Result<bool> {
        if self.running.contains_key(run_id) {
            return Ok(true);
        }
        let Some(record) = self.journal.find(run_id)? else { return Ok(false) };
        if let Some(report) = record.report
            && !self.finished.contains_key(run_id)
        {
            self.finish(report, true);
        }
        self.repeat(run_id);
        Ok(true)
    }

    /// Records the end of a run that has not begun, so that no order for it, whenever it comes, starts it. A run in
    /// progress ends in the supervisor.
    pub fn cancel(&mut self, run_id: &str) -> io::Result<()> {
        if self.is_known(run_id)? {
            return Ok(());
        }
        self.settle(empty(run_id.to_owned(), Outcome::Cancelled), true)
    }

    fn refuse(&mut self, run_id: String, why: &str) -> io::Result<Reply> {
        let mut report = empty(run_id, Outcome::Refused);
        report.detail = Some(why.to_owned());
        self.settle(report, true)?;
        Ok(Reply::Known)
    }

    /// Whether any run is in progress.
    pub fn any_running(&self) -> bool {
        !self.running.is_empty()
    }

    /// Appends a piece of a run's output.
    pub fn printed(&mut self, run_id: &str, data: &[u8]) {
        if let Some(run) = self.running.get_mut(run_id) {
            if let Err(error) = run.output.push(data) {
                tracing::error!(%error, "could not store output");
            }
            run.news = true;
        }
    }

    /// Ends a run. `report` lacks the output, which is added here.
    pub fn ended(&mut self, mut report: RunReport) -> io::Result<Option<Remainder>> {
        let Some(mut run) = self.running.remove(&report.run_id) else {
            return Ok(None);
        };
        run.output.end()?;
        set_output(&mut report, &run.output);
        for file in &mut report.files {
            file.path = run.output.masked(&file.path);
        }
        report.detail = report.detail.map(|detail| run.output.masked(&detail));
        if let Some(plan) = &mut report.saved_plan {
            plan.mask(|text, is_cut| match is_cut {
                true => run.output.masked_beginning(text),
                false => run.output.masked(text),
            });
        }
        let remainder = Remainder {
            run_id: report.run_id.clone(),
            log: self.journal.output(&report.run_id),
            log_url: run.log_url,
            backup: run.backup,
        };
        self.settle(report, false)?;
        Ok(Some(remainder))
    }

    /// All runs in progress are lost with the supervisor.
    pub fn all_lost(&mut self) -> io::Result<()> {
        for (run_id, _) in std::mem::take(&mut self.running) {
            let report = self
                .lost(run_id, "The sandbox's own processes were ended while this command ran.")?;
            self.finish(report, true);
        }
        Ok(())
    }

    /// The upload of the log ended, whether it succeeded or not: the result may be sent.
    pub fn log_done(&mut self, run_id: &str) {
        if let Some(finished) = self.finished.get_mut(run_id) {
            finished.ready = true;
        }
    }

    /// Makes the result wait until this backup is recorded.
    pub fn wait_for_backup(&mut self, run_id: &str, request_id: String) {
        if let Some(finished) = self.finished.get_mut(run_id) {
            finished.backup = Some((request_id, Instant::now() + BACKUP_WAIT));
        }
    }

    /// The end of a backup is recorded, whether it succeeded or not.
    pub fn backup_done(&mut self, request_id: &str) {
        let waiting = |finished: &&mut Finished| {
            finished.backup.as_ref().is_some_and(|(waited, _)| waited == request_id)
        };
        if let Some(finished) = self.finished.values_mut().find(waiting) {
            finished.backup = None;
        }
    }

    /// The gateway has recorded the result.
    pub fn recorded(&mut self, run_id: &str) -> io::Result<()> {
        let Some(finished) = self.finished.remove(run_id) else {
            return Ok(());
        };
        self.journal.write(&Record {
            run_id: run_id.to_owned(),
            report: Some(finished.report),
            recorded: true,
        })?;
        match fs::remove_file(self.journal.output(run_id)) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
            _ => Ok(()),
        }
    }

    /// Ids of unconfirmed results.
    pub fn unrecorded(&self) -> Vec<String> {
        let ready = self.finished.iter().filter(|(_, finished)| finished.ready);
        ready.map(|(run_id, _)| run_id.clone()).collect()
    }

    /// Makes every message due again: messages on the old connection may be lost.
    pub fn say_again(&mut self) {
        for run in self.running.values_mut() {
            run.news = true;
            run.sent = None;
        }
        for finished in self.finished.values_mut() {
            finished.sent = None;
        }
    }

    /// The messages to send now: results first, then progress.
    pub fn news(&mut self, now: Instant, sequence: &mut Sequence) -> Vec<FromAgent> {
        let mut news = Vec::new();
        for finished in self.finished.values_mut() {
            if finished.due(now).is_some_and(|due| due <= now) {
                finished.sent = Some(now);
                let mut report = finished.report.clone();
                report.seq = sequence.next();
                news.push(fitted(report));
            }
        }
        for (run_id, run) in &mut self.running {
            if run.news && run.sent.is_none_or(|sent| now >= sent + PROGRESS_EVERY) {
                run.sent = Some(now);
                run.news = false;
                news.push(progress(run_id, &run.output, sequence.next()));
            }
        }
        news
    }

    /// When the next message may be due.
    pub fn next_news(&self) -> Option<Instant> {
        let now = Instant::now();
        let progress = self.running.values().filter(|run| run.news);
        let progress = progress.map(|run| run.sent.map_or(now, |sent| sent + PROGRESS_EVERY));
        let results = self.finished.values().filter_map(|finished| finished.due(now));
        progress.chain(results).min()
    }

    fn repeat(&mut self, run_id: &str) {
        if let Some(finished) = self.finished.get_mut(run_id) {
            finished.sent = None;
        }
    }

    /// Records a result and keeps it for sending.
    fn settle(&mut self, report: RunReport, ready: bool) -> io::Result<()> {
        self.journal.write(&Record {
            run_id: report.run_id.clone(),
            report: Some(report.clone()),
            recorded: false,
        })?;
        self.finish(report, ready);
        Ok(())
    }

    fn finish(&mut self, report: RunReport, ready: bool) {
        let finished = Finished { report, ready, backup: None, sent: None };
        self.finished.insert(finished.report.run_id.clone(), finished);
    }

    fn lost(&self, run_id: String, why: &str) -> io::Result<RunReport> {
        let mut report = empty(run_id, Outcome::Lost);
        report.detail = Some(why.to_owned());
        if let Ok(output) = Output::recall(&self.journal.output(&report.run_id)) {
            set_output(&mut report, &output);
        }
        self.journal.write(&Record {
            run_id: report.run_id.clone(),
            report: Some(report.clone()),
            recorded: false,
        })?;
        Ok(report)
    }
}

fn empty(run_id: String, outcome: Outcome) -> RunReport {
    RunReport {
        run_id,
        seq: 0,
        outcome,
        exit_code: None,
        duration_ms: 0,
        head: String::new(),
        tail: String::new(),
        bytes: 0,
        files: Vec::new(),
        detail: None,
        saved_plan: None,
    }
}

fn set_output(report: &mut RunReport, output: &Output) {
    report.head = output.head().to_owned();
    report.tail = output.tail().to_owned();
    report.bytes = output.bytes();
}
