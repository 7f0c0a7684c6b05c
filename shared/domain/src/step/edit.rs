//! A command that its owner edits before they approve it.
//!
//! The edit belongs to the attempt that is shown and changes its digest, so an approval of the earlier text is refused.
//! The agent's text is kept beside it, so that the page can show the difference.

use super::{Applied, Command, Failure, Phase, Refusal, Step};
use crate::actor::Actor;
use crate::secret_token::sha256_hex;
use crate::{PlanId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An owner's new text for a command that waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StepEdit {
    /// The plan that was shown.
    pub plan_id: PlanId,
    /// The step, from 1.
    pub step_number: u32,
    /// The attempt that was shown; if it is over, the answer is 409.
    pub attempt: u32,
    /// SHA-256 of the command that was edited; if the step has another command now, the answer is 409.
    pub command_sha256: String,
    /// The whole new script, in at most 24,000 bytes.
    pub script: String,
}

/// Who edited a command, and what the agent had written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Edited {
    /// Author of the edit.
    pub by: Actor,
    /// When they edited it.
    pub at: Timestamp,
    /// SHA-256 of the command before this edit.
    pub sha256_before: String,
    /// The script as the agent wrote it.
    pub written: String,
}

impl Step {
    /// The step with its owner's text as the command; the same text again changes nothing.
    pub(super) fn edit(
        &self,
        edit: &StepEdit,
        command: Command,
        by: Actor,
    ) -> Result<Applied, Refusal> {
        if edit.attempt != self.attempt {
            return Err(Refusal::AttemptOver);
        }
        let waiting = self.phase == Phase::WaitingApproval;
        let shown = self.command.as_ref().filter(|_| waiting).ok_or(Refusal::IllegalTransition)?;
        if shown.sha256 == command.sha256 {
            return Ok(Applied::Ignored);
        }
        if shown.sha256 != edit.command_sha256 {
            return Err(Refusal::CommandChanged);
        }
        let written = shown.edited.as_ref().map_or(&shown.script, |edited| &edited.written).clone();
        let agents_own = sha256_hex(written.as_bytes()) == command.sha256;
        let sha256_before = shown.sha256.clone();
        let edited = Edited { by, at: Timestamp::now(), sha256_before, written };
        let (edited, rollback) = ((!agents_own).then_some(edited), shown.rollback.clone());
        let command = Command { edited, rollback, ..command };
        Ok(Applied::Changed(Box::new(Self { command: Some(command), ..self.clone() })))
    }

    /// Whether the command is its owner's text. An approval must then name it, even for a first attempt.
    pub(super) fn is_edited(&self) -> bool {
        self.command.as_ref().is_some_and(|command| command.edited.is_some())
    }

    /// Whether the attempt that failed was a run of its owner's text. Text that they rejected is not offered again.
    pub(super) fn ran_as_edited(&self) -> bool {
        let ran = !matches!(self.failure(), Some(Failure::Rejected | Failure::PreparationFailed));
        self.is_edited() && ran
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::RunId;
    use crate::step::{Event, Seen, StepStatus};

    fn waiting() -> Step {
        let step = Step::new(PlanId::from("p"), 1, String::new(), String::new());
        let prepare = Event::Prepare { run_id: RunId::from("a") };
        let prepared = Event::Prepared {
            run_id: RunId::from("a"),
            next_run_id: RunId::from("b"),
            script: "echo a\n".into(),
            verdict: None,
            rollback: None,
        };
        moved(&moved(&step, prepare).unwrap(), prepared).unwrap()
    }

    fn moved(step: &Step, event: Event) -> Result<Step, Refusal> {
        Ok(match step.apply(event)? {
            Applied::Changed(next) => *next,
            Applied::Ignored => step.clone(),
        })
    }

    fn edited(step: &Step, before: &str, script: &str) -> Result<Step, Refusal> {
        let edit = StepEdit {
            plan_id: step.plan_id.clone(),
            step_number: 1,
            attempt: step.attempt,
            command_sha256: sha256_hex(before.as_bytes()),
            script: script.to_owned(),
        };
        let by = Actor { user_id: 1, login: "ada".into() };
        moved(step, Event::Edit { edit, command: Command::new(script), by })
    }

    fn approved(step: &Step, shown: Option<&str>) -> Result<Step, Refusal> {
        let sha256 = shown.map(|script| sha256_hex(script.as_bytes()));
        let seen = Seen::of(step.attempt, sha256.as_deref());
        moved(step, Event::Approve { run_id: RunId::from("c"), seen, credentials: Vec::new() })
    }

    #[test]
    fn an_edited_command_is_what_gets_approved_and_the_agents_text_is_kept() {
        let step = edited(&waiting(), "echo a\n", "echo b\n").unwrap();
        let step = edited(&step, "echo b\n", "echo c\n").unwrap();
        assert_eq!(step.attempt, 1);
        let mark = step.command.as_ref().unwrap().edited.clone().unwrap();
        assert_eq!((mark.written.as_str(), mark.by.login.as_str()), ("echo a\n", "ada"));
        assert_eq!(mark.sha256_before, sha256_hex(b"echo b\n"));
        for shown in [Some("echo a\n"), Some("echo b\n"), None] {
            assert_eq!(approved(&step, shown), Err(Refusal::CommandChanged), "{shown:?}");
        }
        assert_eq!(approved(&step, Some("echo c\n")).unwrap().phase, Phase::Running);
    }

    #[test]
    fn a_retry_of_an_edited_command_offers_its_owners_text_again() {
        let step = edited(&waiting(), "echo a\n", "echo b\n").unwrap();
        let running = approved(&step, Some("echo b\n")).unwrap();
        let lost = Event::Abandoned {
            run_id: running.run_id.clone().unwrap(),
            failure: Failure::Cancelled,
            detail: None,
        };
        let failed = moved(&running, lost).unwrap();
        let again = approved(&failed, Some("echo b\n")).unwrap();
        assert_eq!(again.phase, Phase::WaitingApproval);
        assert_eq!((again.command.as_ref(), again.attempt), (failed.command.as_ref(), 3));
        assert_eq!((again.error.as_ref(), again.approval.as_ref()), (None, None));
        assert_eq!(again.earlier.as_ref().unwrap().command, "echo b\n");
        assert_eq!(approved(&again, Some("echo b\n")).unwrap().phase, Phase::Running);

        let sha256 = sha256_hex(b"echo b\n");
        let seen = Seen::of(again.attempt, Some(&sha256));
        let rejected = moved(&again, Event::Reject { seen, reason: None }).unwrap();
        let written_anew = approved(&rejected, Some("echo b\n")).unwrap();
        assert_eq!(written_anew.phase, Phase::Preparing, "the agent writes it after a rejection");
    }

    #[test]
    fn an_approval_of_a_command_that_was_rejected_meanwhile_is_refused() {
        let step = waiting();
        let sha256 = sha256_hex(b"echo a\n");
        let seen = |status| Seen { status: Some(status), ..Seen::of(1, Some(&sha256)) };
        let reject = Event::Reject { seen: seen(StepStatus::WaitingApproval), reason: None };
        let rejected = moved(&step, reject).unwrap();
        let approve = |status| Event::Approve {
            run_id: RunId::from("c"),
            seen: seen(status),
            credentials: Vec::new(),
        };
        let stale = moved(&rejected, approve(StepStatus::WaitingApproval));
        assert_eq!(stale, Err(Refusal::IllegalTransition));
        let again = moved(&rejected, approve(StepStatus::Failed)).unwrap();
        assert_eq!(again.phase, Phase::Preparing);
    }

    #[test]
    fn an_edit_applies_to_the_command_that_was_shown_and_counts_once() {
        let first = waiting();
        assert_eq!(edited(&first, "echo x\n", "echo b\n"), Err(Refusal::CommandChanged));
        let step = edited(&first, "echo a\n", "echo b\n").unwrap();
        assert_eq!(edited(&step, "echo a\n", "echo b\n").unwrap(), step, "repeated");
        let back = edited(&step, "echo b\n", "echo a\n").unwrap();
        assert_eq!(back.command.as_ref().unwrap().edited, None, "it is the agent's again");
        let running = approved(&step, Some("echo b\n")).unwrap();
        assert_eq!(edited(&running, "echo b\n", "echo c\n"), Err(Refusal::IllegalTransition));
    }
}
