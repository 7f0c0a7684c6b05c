//! The transitions of a step, one function each.

use super::{
    Applied, Approval, Command, Earlier, Event, Failure, Finish, MAX_ERROR_CHARS, Outcome, Phase,
    Refusal, Seen, Step,
};
use crate::cut::cut;
use crate::output::OutputView;
use crate::{RunId, Timestamp};

impl Step {
    /// The step after the event.
    pub fn apply(&self, event: Event) -> Result<Applied, Refusal> {
        match event {
            Event::Prepare { run_id } => Ok(self.prepare(run_id)),
            Event::Prepared { run_id, next_run_id, script, verdict, rollback } => {
                let command = Command { verdict, rollback, ..Command::new(script) };
                Ok(self.prepared(&run_id, next_run_id, command))
            }
            Event::Waiting { run_id, notice } => Ok(self.waiting(&run_id, notice)),
            Event::PreparationFailed { run_id, error } => {
                Ok(self.preparation_failed(&run_id, error))
            }
            Event::Approve { run_id, seen, credentials } => {
                self.approve(run_id, &seen, credentials)
            }
            Event::Edit { edit, command, by } => self.edit(&edit, command, by),
            Event::Read { run_id, reach } => self.read(run_id, reach),
            Event::ReadStep { run_id, seen, command, reach } => {
                seen.check(self.attempt, self.shown())?;
                self.read_in_other_words(run_id, command, reach)
            }
            Event::Reject { seen, reason } => self.reject(&seen, reason),
            Event::RunReading { run_id } => Ok(self.run_reading(run_id)),
            Event::Recheck => Ok(self.recheck()),
            Event::RunStanding { run_id } => Ok(self.run_standing(run_id)),
            Event::Acknowledged { run_id } => Ok(self.acknowledge(&run_id)),
            Event::Cancel { run_id } => Ok(self.cancel(&run_id)),
            Event::Finished { run_id, finish } => Ok(self.finish(&run_id, finish)),
            Event::Abandoned { run_id, failure, detail } => {
                Ok(self.abandon(&run_id, failure, detail))
            }
        }
    }

    pub(super) fn enter(&self, phase: Phase) -> Self {
        let since = Timestamp::now();
        Self { phase, asked: None, since, notice: None, cancelling: false, ..self.clone() }
    }

    fn begin(&self, phase: Phase, run_id: RunId) -> Self {
        Self {
            run_id: Some(run_id),
            attempt: self.attempt + 1,
            reading: None,
            acknowledged: false,
            ..self.enter(phase)
        }
    }

    pub(super) fn begin_running(&self, run_id: RunId) -> Self {
        self.begin(Phase::Running, run_id).without_results()
    }

    /// The step without the previous attempt's results: a page shows results only beside their own command.
    pub(super) fn without_results(self) -> Self {
        Self {
            output: OutputView::default(),
            exit_code: None,
            duration_ms: None,
            saved_plan: None,
            failure: None,
            error: None,
            rejection: None,
            approved_sha256: None,
            ..self
        }
    }

    fn prepare(&self, run_id: RunId) -> Applied {
        match self.phase {
            Phase::Pending => changed(self.begin(Phase::Preparing, run_id)),
            _ => Applied::Ignored,
        }
    }

    fn prepared(&self, run_id: &RunId, next_run_id: RunId, command: Command) -> Applied {
        if self.phase != Phase::Preparing || !self.is_under_way(run_id) {
            return Applied::Ignored;
        }
        let same_rollback = self.shown_rollback() == command.rollback.as_ref().map(|r| &*r.sha256);
        let approved = self.approved_sha256.as_ref() == Some(&command.sha256) && same_rollback;
        let earlier = self.earlier_attempt();
        let took = Timestamp::now().epoch_milliseconds() - self.since.epoch_milliseconds();
        let prepared_ms = self.prepared_ms.saturating_add(u64::try_from(took).unwrap_or_default());
        let prepared = Self { command: Some(command), earlier, prepared_ms, ..self.clone() };
        changed(if approved {
            prepared.begin_running(next_run_id)
        } else {
            Self { approval: None, ..prepared.enter(Phase::WaitingApproval).without_results() }
        })
    }

    /// The part of this attempt that a page shows beside the next command.
    fn earlier_attempt(&self) -> Option<Earlier> {
        let command = self.command.as_ref()?.script.clone();
        let (error_message, reason) = (self.error.clone(), self.rejection.clone());
        Some(Earlier { command, error_message, reason })
    }

    pub(super) fn shown(&self) -> Option<&str> {
        self.command.as_ref().map(|command| command.sha256.as_str())
    }

    fn shown_rollback(&self) -> Option<&str> {
        self.rollback().map(|rollback| rollback.sha256.as_str())
    }

    fn approve(
        &self,
        run_id: RunId,
        seen: &Seen,
        credentials: Vec<String>,
    ) -> Result<Applied, Refusal> {
        seen.check(self.attempt, self.shown())?;
        seen.check_status(self.status())?;
        if seen.rollback_sha256.is_some()
            && seen.rollback_sha256.as_deref() != self.shown_rollback()
        {
            return Err(Refusal::CommandChanged);
        }
        if self.is_edited() && seen.command_sha256.is_none() {
            return Err(Refusal::CommandChanged);
        }
        let approved_as_shown = seen.command_sha256.is_some();
        let approval = Some(Approval { attempt: self.attempt, credentials });
        match self.phase {
            Phase::WaitingApproval | Phase::Completed => {
                Ok(changed(Self { approved_as_shown, approval, ..self.begin_running(run_id) }))
            }
            // The agent would replace the owner's text, so the owner decides on that text again, and may edit or reject
            // it.
            Phase::Failed if self.ran_as_edited() => {
                let earlier = self.earlier_attempt();
                let again = self.begin(Phase::WaitingApproval, run_id).without_results();
                Ok(changed(Self { earlier, approval: None, ..again }))
            }
            Phase::Failed => {
                // A person asks here for another try, which does not approve a command that was rejected, or that ran
                // as a reading: the next one waits, or runs as a reading again, even if it is the same.
                let rejected = self.failure() == Some(Failure::Rejected);
                let was_approved = self.approval.is_some() && !rejected;
                let approved = self.shown().filter(|_| was_approved);
                Ok(changed(Self {
                    approved_sha256: approved.map(str::to_owned),
                    approved_as_shown,
                    approval: approval.filter(|_| approved.is_some()),
                    ..self.begin(Phase::Preparing, run_id)
                }))
            }
            Phase::Pending | Phase::Preparing | Phase::Running => Err(Refusal::IllegalTransition),
        }
    }

    fn reject(&self, seen: &Seen, reason: Option<String>) -> Result<Applied, Refusal> {
        seen.check(self.attempt, self.shown())?;
        seen.check_status(self.status())?;
        match self.phase {
            Phase::WaitingApproval => {
                let rejected = self.fail(Failure::Rejected, None);
                Ok(changed(Self { rejection: reason, ..rejected }))
            }
            _ => Err(Refusal::IllegalTransition),
        }
    }

    fn acknowledge(&self, run_id: &RunId) -> Applied {
        if self.phase != Phase::Running || !self.is_under_way(run_id) || self.acknowledged {
            return Applied::Ignored;
        }
        changed(Self { acknowledged: true, ..self.clone() })
    }

    fn cancel(&self, run_id: &RunId) -> Applied {
        match self.phase {
            Phase::Running if self.wants(run_id) => {
                changed(Self { cancelling: true, ..self.clone() })
            }
            Phase::Preparing => self.abandon(run_id, Failure::Cancelled, None),
            _ => Applied::Ignored,
        }
    }

    fn finish(&self, run_id: &RunId, finish: Finish) -> Applied {
        if self.phase != Phase::Running || !self.is_under_way(run_id) {
            return Applied::Ignored;
        }
        if finish.outcome == Outcome::NotConfined && self.reading.is_some() && !self.cancelling {
            return changed(self.ask_instead());
        }
        let has_result = matches!(finish.outcome, Outcome::Exited | Outcome::TimedOut);
        let failure = match failure_of(&finish) {
            Some(_) if self.cancelling && !has_result => Some(Failure::Cancelled),
            failure => failure,
        };
        let phase = if failure.is_none() { Phase::Completed } else { Phase::Failed };
        changed(Self {
            acknowledged: true,
            drifted_since: self.drift_after(failure, finish.exit_code),
            error: failure.map(|failure| words_of(failure, &finish)),
            failure,
            output: finish.output,
            exit_code: finish.exit_code,
            duration_ms: Some(finish.duration_ms),
            saved_plan: finish.saved_plan,
            ..self.enter(phase)
        })
    }

    fn abandon(&self, run_id: &RunId, failure: Failure, detail: Option<String>) -> Applied {
        match self.is_under_way(run_id) {
            // Its owner does not want it anymore, so no page may execute it again automatically.
            true if self.cancelling => changed(self.fail(Failure::Cancelled, None)),
            true => changed(self.fail(failure, detail)),
            false => Applied::Ignored,
        }
    }

    fn waiting(&self, run_id: &RunId, notice: Option<String>) -> Applied {
        let preparing = self.phase == Phase::Preparing && self.is_under_way(run_id);
        let notice = notice.map(|notice| cut(&notice, MAX_ERROR_CHARS));
        match preparing && self.notice != notice {
            true => changed(Self { notice, ..self.clone() }),
            false => Applied::Ignored,
        }
    }

    fn preparation_failed(&self, run_id: &RunId, error: String) -> Applied {
        match self.phase {
            Phase::Preparing => self.abandon(run_id, Failure::PreparationFailed, Some(error)),
            _ => Applied::Ignored,
        }
    }

    fn fail(&self, failure: Failure, detail: Option<String>) -> Self {
        Self {
            failure: Some(failure),
            error: Some(match detail {
                Some(detail) => cut(&detail, MAX_ERROR_CHARS),
                None => failure.words().to_owned(),
            }),
            approved_sha256: None,
            ..self.enter(Phase::Failed)
        }
    }
}

pub(super) fn changed(step: Step) -> Applied {
    Applied::Changed(Box::new(step))
}

fn failure_of(finish: &Finish) -> Option<Failure> {
    match (finish.outcome, finish.exit_code) {
        (Outcome::Exited, Some(0)) => None,
        (Outcome::Exited, Some(_)) => Some(Failure::ExitCode),
        (Outcome::Exited, None) => Some(Failure::Signal),
        (Outcome::TimedOut, _) => Some(Failure::Deadline),
        (Outcome::Cancelled, _) => Some(Failure::Cancelled),
        (Outcome::Lost, _) => Some(Failure::Lost),
        (Outcome::Refused | Outcome::NotConfined, _) => Some(Failure::NotStarted),
    }
}

fn words_of(failure: Failure, finish: &Finish) -> String {
    match (failure, finish.exit_code, &finish.detail) {
        (Failure::ExitCode, Some(code), None) => format!("The command exited with code {code}."),
        (_, _, None) => failure.words().to_owned(),
        (_, _, Some(detail)) => cut(detail, MAX_ERROR_CHARS),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::PlanId;

    /// A step whose command a signal ended, as the sandbox reports it with this message.
    fn killed(detail: Option<&str>) -> Step {
        let step = Step::new(PlanId::from("p"), 1, String::new(), String::new());
        let run_id = RunId::from("r");
        let finish = Finish {
            outcome: Outcome::Exited,
            exit_code: None,
            duration_ms: 1,
            output: OutputView::default(),
            detail: detail.map(str::to_owned),
            saved_plan: None,
        };
        match step.begin_running(run_id.clone()).apply(Event::Finished { run_id, finish }) {
            Ok(Applied::Changed(step)) => *step,
            other => panic!("the run did not end: {other:?}"),
        }
    }

    #[test]
    fn a_step_that_the_sandbox_ended_says_why() {
        let full = "The workspace takes 70 MiB, more than the 64 MiB that it may take.";
        let step = killed(Some(full));
        assert_eq!((step.failure(), step.error.as_deref()), (Some(Failure::Signal), Some(full)));
        let words = Failure::Signal.words();
        assert_eq!(killed(None).error.as_deref(), Some(words), "an agent that gives no reason");
    }
}
