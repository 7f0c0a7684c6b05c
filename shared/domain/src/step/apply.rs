//! The transitions, one function each.

use super::{Applied, Command, Event, Finish, LOST, Outcome, Phase, REJECTED, Refusal, Step};
use crate::output::OutputView;
use crate::read_only::Reach;
use crate::{RunId, Timestamp};

impl Step {
    /// What the event makes of this step.
    pub fn apply(&self, event: Event) -> Result<Applied, Refusal> {
        match event {
            Event::Prepare { run_id } => Ok(self.prepare(run_id)),
            Event::Prepared { run_id, next_run_id, script } => {
                Ok(self.prepared(&run_id, next_run_id, script))
            }
            Event::PreparationFailed { run_id, error } => {
                Ok(self.fail_under_way(&run_id, Phase::Preparing, error))
            }
            Event::Approve { run_id, sha256 } => self.approve(run_id, sha256),
            Event::Read { run_id, reach } => self.read(run_id, reach),
            Event::Reject => self.reject(),
            Event::Acknowledged { run_id } => Ok(self.acknowledge(&run_id)),
            Event::Finished { run_id, finish } => Ok(self.finish(&run_id, finish)),
            Event::Abandoned { run_id, error } => Ok(self.abandon(&run_id, error)),
        }
    }

    fn enter(&self, phase: Phase) -> Self {
        Self { phase, since: Timestamp::now(), ..self.clone() }
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

    fn begin_running(&self, run_id: RunId) -> Self {
        self.begin(Phase::Running, run_id).without_results()
    }

    /// Nothing of an attempt before: what is shown belongs to the command that is shown.
    fn without_results(self) -> Self {
        Self {
            output: OutputView::default(),
            exit_code: None,
            duration_ms: None,
            error: None,
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

    fn prepared(&self, run_id: &RunId, next_run_id: RunId, script: String) -> Applied {
        if self.phase != Phase::Preparing || !self.is_under_way(run_id) {
            return Applied::Ignored;
        }
        let command = Command::new(script);
        let approved = self.approved_sha256.as_ref() == Some(&command.sha256);
        let prepared = Self { command: Some(command), ..self.clone() };
        changed(if approved {
            prepared.begin_running(next_run_id)
        } else {
            prepared.enter(Phase::WaitingApproval).without_results()
        })
    }

    fn approve(&self, run_id: RunId, sha256: Option<String>) -> Result<Applied, Refusal> {
        let shown = self.command.as_ref().map(|command| command.sha256.as_str());
        if sha256.is_some() && sha256.as_deref() != shown {
            return Err(Refusal::CommandChanged);
        }
        let approved_as_shown = sha256.is_some();
        match self.phase {
            Phase::WaitingApproval | Phase::Completed => {
                Ok(changed(Self { approved_as_shown, ..self.begin_running(run_id) }))
            }
            Phase::Failed => {
                // A rejected command was never agreed to: its successor waits, even if it is the same.
                let approved = shown.filter(|_| self.error.as_deref() != Some(REJECTED));
                Ok(changed(Self {
                    approved_sha256: approved.map(str::to_owned),
                    approved_as_shown,
                    ..self.begin(Phase::Preparing, run_id)
                }))
            }
            Phase::Pending | Phase::Preparing | Phase::Running => Err(Refusal::IllegalTransition),
        }
    }

    fn read(&self, run_id: RunId, reach: Reach) -> Result<Applied, Refusal> {
        match self.phase {
            Phase::WaitingApproval => {
                Ok(changed(Self { reading: Some(reach), ..self.begin_running(run_id) }))
            }
            _ => Err(Refusal::IllegalTransition),
        }
    }

    fn reject(&self) -> Result<Applied, Refusal> {
        match self.phase {
            Phase::WaitingApproval => Ok(changed(self.fail(REJECTED.to_owned()))),
            _ => Err(Refusal::IllegalTransition),
        }
    }

    fn acknowledge(&self, run_id: &RunId) -> Applied {
        if self.phase != Phase::Running || !self.is_under_way(run_id) || self.acknowledged {
            return Applied::Ignored;
        }
        changed(Self { acknowledged: true, ..self.clone() })
    }

    fn finish(&self, run_id: &RunId, finish: Finish) -> Applied {
        if self.phase != Phase::Running || !self.is_under_way(run_id) {
            return Applied::Ignored;
        }
        let error = error_text(&finish);
        let phase = if error.is_none() { Phase::Completed } else { Phase::Failed };
        changed(Self {
            acknowledged: true,
            output: finish.output,
            exit_code: finish.exit_code,
            duration_ms: Some(finish.duration_ms),
            error,
            ..self.enter(phase)
        })
    }

    fn abandon(&self, run_id: &RunId, error: String) -> Applied {
        if self.is_under_way(run_id) { changed(self.fail(error)) } else { Applied::Ignored }
    }

    fn fail_under_way(&self, run_id: &RunId, phase: Phase, error: String) -> Applied {
        if self.phase == phase { self.abandon(run_id, error) } else { Applied::Ignored }
    }

    fn fail(&self, error: String) -> Self {
        Self { error: Some(error), approved_sha256: None, ..self.enter(Phase::Failed) }
    }
}

fn changed(step: Step) -> Applied {
    Applied::Changed(Box::new(step))
}

fn error_text(finish: &Finish) -> Option<String> {
    if let (Some(detail), false) = (&finish.detail, finish.outcome == Outcome::Exited) {
        return Some(detail.clone());
    }
    match (finish.outcome, finish.exit_code) {
        (Outcome::Exited, Some(0)) => None,
        (Outcome::Exited, Some(code)) => Some(format!("The command exited with code {code}.")),
        (Outcome::Exited, None) => Some("The command was ended by a signal.".to_owned()),
        (Outcome::TimedOut, _) => {
            Some("The command ran past its deadline and was stopped.".to_owned())
        }
        (Outcome::Cancelled, _) => Some("Cancelled by user".to_owned()),
        (Outcome::Lost, _) => Some(LOST.to_owned()),
        (Outcome::Refused, _) => Some("The sandbox could not start this command.".to_owned()),
    }
}
