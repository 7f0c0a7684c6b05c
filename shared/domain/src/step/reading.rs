//! Commands that run without approval because they only read.
//!
//! In the sandbox such a command runs as a reader, in a confinement in which a wrong judgment does no harm. The sandbox
//! says in advance whether it can confine, but a kernel or a container may still refuse. Then nothing has run, and the
//! owner is asked: about the agent's own command with its proof and its verdict, not about the words that were judged.

use super::apply::changed;
use super::{Applied, Command, Phase, Refusal, Step};
use crate::RunId;
use read_only::Reach;

impl Step {
    /// Runs the command as a reader.
    pub(super) fn read(&self, run_id: RunId, reach: Reach) -> Result<Applied, Refusal> {
        match self.phase {
            Phase::WaitingApproval => {
                Ok(changed(Self { reading: Some(reach), ..self.begin_running(run_id) }))
            }
            _ => Err(Refusal::IllegalTransition),
        }
    }

    /// Runs the command as a reader, in the words that were judged.
    pub(super) fn read_in_other_words(
        &self,
        run_id: RunId,
        judged: Command,
        reach: Reach,
    ) -> Result<Applied, Refusal> {
        let reading = Self { command: Some(judged), ..self.clone() }.read(run_id, reach)?;
        Ok(match reading {
            Applied::Changed(step) => {
                let asked = self.command.clone().map(Box::new);
                changed(Self { asked, ..*step })
            }
            Applied::Ignored => Applied::Ignored,
        })
    }

    /// Runs a command on the owner's server, where nothing confines it; our own script carries it there.
    pub(super) fn run_reading(&self, run_id: RunId) -> Applied {
        match self.phase {
            Phase::WaitingApproval => changed(self.begin_running(run_id)),
            _ => Applied::Ignored,
        }
    }

    /// Waits for the owner, because the sandbox could not confine the reading.
    pub(super) fn ask_instead(&self) -> Self {
        let asked = self.asked.as_deref().or(self.command.as_ref()).cloned();
        Self {
            command: asked,
            reading: None,
            acknowledged: false,
            ..self.enter(Phase::WaitingApproval).without_results()
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::PlanId;
    use crate::output::OutputView;
    use crate::step::{Event, Failure, Finish, Outcome, Seen};

    fn after(step: &Step, event: Event) -> Step {
        match step.apply(event).unwrap() {
            Applied::Changed(next) => *next,
            Applied::Ignored => step.clone(),
        }
    }

    fn waiting(script: &str) -> Step {
        let step = Step::new(PlanId::from("p"), 1, String::new(), String::new());
        let prepares = after(&step, Event::Prepare { run_id: "a".into() });
        after(&prepares, prepared("a", script))
    }

    fn prepared(run_id: &str, script: &str) -> Event {
        Event::Prepared {
            run_id: run_id.into(),
            next_run_id: RunId::random(),
            script: script.to_owned(),
            verdict: None,
            rollback: None,
        }
    }

    fn ended(outcome: Outcome) -> Event {
        let output = OutputView { seq: 1, head: "x".into(), tail: String::new(), bytes: 1 };
        let finish = Finish {
            outcome,
            exit_code: None,
            duration_ms: 1,
            output,
            detail: None,
            saved_plan: None,
        };
        Event::Finished { run_id: "r".into(), finish }
    }

    #[test]
    fn a_reading_that_is_not_confined_waits_with_the_command_as_it_was() {
        let written = waiting("ls  # look\n# PROOF\ntrue");
        let seen = Seen::of(written.attempt, written.shown());
        let (command, reach) = (Command::new("ls\ntrue"), Reach::default());
        let run_id: RunId = "r".into();
        let reads = after(&written, Event::ReadStep { run_id, seen, command, reach });
        assert_eq!(
            (reads.phase, reads.shown()),
            (Phase::Running, Some(&*Command::new("ls\ntrue").sha256))
        );
        let waits = after(&reads, ended(Outcome::NotConfined));
        assert_eq!((waits.phase, &waits.command), (Phase::WaitingApproval, &written.command));
        assert_eq!((&waits.reading, &waits.asked, waits.exit_code), (&None, &None, None));
        assert_eq!(waits.output, OutputView::default());
        // The owner decides about the current attempt; an answer to the earlier one is refused.
        let approve = |attempt| {
            let seen = Seen::of(attempt, waits.shown());
            waits.apply(Event::Approve { run_id: "s".into(), seen, credentials: Vec::new() })
        };
        assert_eq!(approve(written.attempt), Err(Refusal::AttemptOver));
        assert!(
            matches!(approve(waits.attempt), Ok(Applied::Changed(step)) if step.reading.is_none())
        );
    }

    #[test]
    fn a_helpers_reading_that_is_not_confined_waits_with_its_words() {
        let reads =
            after(&waiting("df -h"), Event::Read { run_id: "r".into(), reach: Reach::default() });
        let waits = after(&reads, ended(Outcome::NotConfined));
        assert_eq!((waits.phase, waits.shown()), (Phase::WaitingApproval, reads.shown()));
    }

    /// The step after its owner, or the page for them, asked for another try, and its agent wrote this.
    fn tried_again(failed: &Step, script: &str) -> Step {
        let seen = Seen::of(failed.attempt, failed.shown());
        let credentials = vec!["TOKEN".to_owned()];
        let again = after(failed, Event::Approve { run_id: "t".into(), seen, credentials });
        assert_eq!((again.phase, &again.approval), (Phase::Preparing, &None));
        after(&again, prepared("t", script))
    }

    #[test]
    fn a_reading_that_failed_does_not_run_unconfined_when_it_is_tried_again() {
        let written = waiting("cat x");
        let seen = Seen::of(written.attempt, written.shown());
        let (command, reach) = (Command::new("cat x"), Reach::default());
        let reads = after(&written, Event::ReadStep { run_id: "r".into(), seen, command, reach });
        for outcome in [Outcome::Exited, Outcome::TimedOut, Outcome::Lost, Outcome::Cancelled] {
            let mut finished = ended(outcome);
            if let Event::Finished { finish, .. } = &mut finished {
                finish.exit_code = Some(1);
            }
            let failed = after(&reads, finished);
            assert_eq!(failed.phase, Phase::Failed, "{outcome:?}");
            let again = tried_again(&failed, "cat x");
            assert_eq!((again.phase, &again.approval), (Phase::WaitingApproval, &None));
        }
    }

    #[test]
    fn a_preparation_that_failed_between_approves_nothing_either() {
        let written = waiting("cat x");
        let reads = after(&written, Event::Read { run_id: "r".into(), reach: Reach::default() });
        let seen = Seen::of(written.attempt, written.shown());
        let rejected = after(&written, Event::Reject { seen, reason: None });
        for failed in [after(&reads, ended(Outcome::TimedOut)), rejected] {
            let seen = Seen::of(failed.attempt, failed.shown());
            let again =
                after(&failed, Event::Approve { run_id: "u".into(), seen, credentials: vec![] });
            let error = "The AI model is busy.".to_owned();
            let failed = after(&again, Event::PreparationFailed { run_id: "u".into(), error });
            assert_eq!(failed.failure(), Some(Failure::PreparationFailed));
            assert_eq!(tried_again(&failed, "cat x").phase, Phase::WaitingApproval);
        }
    }

    #[test]
    fn only_a_reading_can_be_asked_about_instead() {
        let approved =
            Event::Approve { run_id: "r".into(), seen: Seen::default(), credentials: Vec::new() };
        let runs = after(&waiting("rm x"), approved);
        let failed = after(&runs, ended(Outcome::NotConfined));
        assert_eq!(failed.failure(), Some(Failure::NotStarted));
    }
}
