//! Handles an agent's reports on its runs.

use crate::{App, MessageError};
use domain::Scope;
use domain::output::OutputView;
use domain::step::{Event, Finish, Outcome, Step, Track};
use protocol::{RunReport, ToAgent, WireRun};
use store::executions::ExecutionError;

impl App {
    pub(crate) async fn run_accepted(
        &self,
        connection_id: &str,
        scope: Scope,
        run_id: &str,
    ) -> Result<(), MessageError> {
        let Some(run) = read(run_id) else { return Ok(()) };
        let event = Event::Acknowledged { run_id: run.run_id.clone() };
        let executions = self.executions.on(run.track);
        let step = match executions.apply_to_run(scope, run.step_number, &event).await {
            Ok(after) => Some(after.step),
            Err(ExecutionError::NoSuchStep) => None,
            Err(error) => return Err(error.into()),
        };
        self.end_unless_wanted(connection_id, &run, step).await?;
        self.announcements.announce(scope).await;
        Ok(())
    }

    pub(crate) async fn run_progress(
        &self,
        connection_id: &str,
        scope: Scope,
        run_id: &str,
        view: &OutputView,
    ) -> Result<(), MessageError> {
        let Some(run) = read(run_id) else { return Ok(()) };
        let executions = self.executions.on(run.track);
        if executions.progress(scope, run.step_number, &run.run_id, view).await? {
            return Ok(());
        }
        let step = executions.step(scope, run.step_number).await?;
        self.end_unless_wanted(connection_id, &run, step).await
    }

    /// Ends a run that its owner canceled, or that was given up, while its agent was unreachable.
    async fn end_unless_wanted(
        &self,
        connection_id: &str,
        run: &WireRun,
        step: Option<Step>,
    ) -> Result<(), MessageError> {
        if step.is_none_or(|step| !step.wants(&run.run_id)) {
            let cancel = ToAgent::RunCancel { run_id: run.to_string() };
            self.gateway.post(connection_id, &cancel).await?;
        }
        Ok(())
    }

    /// Records the end of a run, then lets the agent forget it.
    ///
    /// The agent repeats its report until it receives the confirmation. So after a crash anywhere in here, the next
    /// report completes the work: the step ignores it, and the rest is done again.
    pub(crate) async fn run_finished(
        &self,
        connection_id: &str,
        (scope, generation): (Scope, u64),
        report: RunReport,
    ) -> Result<(), MessageError> {
        if report.outcome == Outcome::NotConfined {
            // First, so that nothing starts the same reading again when its step waits.
            let why = report.detail.as_deref().unwrap_or_default();
            tracing::warn!(%scope, why, "a sandbox could not confine a reader");
            self.cannot_confine(scope, generation).await?;
        }
        if let Some(run) = read(&report.run_id) {
            let event = Event::Finished { run_id: run.run_id, finish: finish(&report) };
            let executions = self.executions.on(run.track);
            let applied = executions.apply_to_run(scope, run.step_number, &event).await;
            match applied {
                // A check that finds drift says nothing about the next one, so that one runs, too.
                Ok(after) if after.step.phase.has_succeeded() || run.track == Track::Drift => {
                    self.progression.resume(scope).await?;
                }
                // A replaced plan no longer has this step, and no call waits for it.
                Ok(_) | Err(ExecutionError::NoSuchStep) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let recorded = ToAgent::RunRecorded { run_id: report.run_id };
        self.gateway.post(connection_id, &recorded).await?;
        self.announcements.announce(scope).await;
        Ok(())
    }

    /// Records that this sandbox does not confine readers after all: from now on every command needs approval.
    async fn cannot_confine(&self, scope: Scope, generation: u64) -> Result<(), MessageError> {
        let noted = self.sandboxes.change(scope, |sandbox| {
            let news = sandbox.generation == generation && sandbox.confines_readers;
            if news {
                sandbox.confines_readers = false;
            }
            news
        });
        noted.await?;
        Ok(())
    }
}

/// Parses a run id; an id that is not one of ours is ignored.
fn read(run_id: &str) -> Option<WireRun> {
    run_id.parse().inspect_err(|_| tracing::warn!("report for an unknown run")).ok()
}

fn finish(report: &RunReport) -> Finish {
    let RunReport { seq, head, tail, bytes, .. } = report;
    Finish {
        outcome: report.outcome,
        exit_code: report.exit_code,
        duration_ms: report.duration_ms,
        output: OutputView::from_overlapping(seq.saturating_add(1), head, tail, *bytes),
        detail: report.detail.clone(),
        saved_plan: report.saved_plan.as_deref().cloned(),
    }
}
