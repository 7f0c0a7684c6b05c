//! The rollback of a change.
//!
//! With the command of each step of a change comes a rollback: a script that restores what existed before the *change*,
//! whether that step ran completely, in part or not at all. So wherever a change stops, one script undoes it. It passes
//! the gate, the page shows it beside the command, and the record of the command's approval keeps it. It runs when its
//! owner asks for it by its digest, as a separate step on the track [`Rollback`](super::Track::Rollback).

use super::{Approval, Command, Phase, Step};
use crate::RunId;
use crate::gate::GateVerdict;
use crate::secret_token::sha256_hex;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The longest rollback, in bytes: a step's item has room for it beside its command and the previous attempt.
pub const MAX_ROLLBACK_BYTES: usize = 16_000;

/// A script that restores what existed before a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Rollback {
    /// A bash script.
    pub script: String,
    /// SHA-256 of the script's bytes, hexadecimal.
    pub sha256: String,
    /// The verdict of automatic checks before its owner saw it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub verdict: Option<GateVerdict>,
}

impl Rollback {
    /// The rollback of this script.
    pub fn new(script: impl Into<String>, verdict: Option<GateVerdict>) -> Self {
        let script = script.into();
        Self { sha256: sha256_hex(script.as_bytes()), script, verdict }
    }
}

/// The last of these steps that ran and its rollback, which undoes all of them; `None` if no step has run, or if the
/// step's agent prepared none.
pub fn offered(steps: &[Step]) -> Option<(&Step, &Rollback)> {
    // A step that waits again ran before, perhaps in part.
    let ran = |step: &&Step| {
        step.phase.has_ended() || (step.phase == Phase::WaitingApproval && step.earlier.is_some())
    };
    let last = steps.iter().rfind(ran)?;
    Some((last, last.rollback()?))
}

impl Step {
    /// The rollback that was shown with its command.
    pub fn rollback(&self) -> Option<&Rollback> {
        self.command.as_ref()?.rollback.as_ref()
    }

    /// Its rollback as a separate step, as its owner sees it and as it runs with these credentials. `attempts` were
    /// made before.
    pub fn rolling_back(
        &self,
        rollback: &Rollback,
        run_id: RunId,
        attempts: u32,
        credentials: Vec<String>,
    ) -> (Self, Self) {
        let Rollback { script, verdict, .. } = rollback.clone();
        let title = format!("Roll the change back, from step {} on", self.number);
        let shown = Self {
            phase: Phase::WaitingApproval,
            command: Some(Command { verdict, ..Command::new(script) }),
            attempt: attempts + 1,
            approved_as_shown: true,
            approval: Some(Approval { attempt: attempts + 1, credentials }),
            ..Self::new(self.plan_id.clone(), self.number, title, String::new())
        };
        let runs = shown.begin_running(run_id);
        (shown, runs)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::PlanId;
    use crate::actor::Actor;
    use crate::step::{Applied, Event, Refusal, Seen, StepEdit};

    fn moved(step: &Step, event: Event) -> Result<Step, Refusal> {
        Ok(match step.apply(event)? {
            Applied::Changed(next) => *next,
            Applied::Ignored => step.clone(),
        })
    }

    fn prepared(step: &Step, script: &str) -> Step {
        let run_id = step.run_id.clone().unwrap();
        let rollback = Some(Rollback::new(script, None));
        let (next_run_id, script) = (RunId::random(), "echo there\n".to_owned());
        moved(step, Event::Prepared { run_id, next_run_id, script, verdict: None, rollback })
            .unwrap()
    }

    fn waiting(number: u32) -> Step {
        let step = Step::new(PlanId::from("p"), number, String::new(), String::new());
        let begun = moved(&step, Event::Prepare { run_id: RunId::random() }).unwrap();
        prepared(&begun, "echo back\n")
    }

    fn approved(step: &Step, script: Option<&str>) -> Result<Step, Refusal> {
        let command = step.command.as_ref().unwrap().sha256.clone();
        let rollback_sha256 = script.map(|script| Rollback::new(script, None).sha256);
        let seen = Seen { rollback_sha256, ..Seen::of(step.attempt, Some(&command)) };
        moved(step, Event::Approve { run_id: RunId::random(), seen, credentials: Vec::new() })
    }

    #[test]
    fn an_approval_covers_the_rollback_that_was_shown() {
        let step = waiting(1);
        assert_eq!(approved(&step, Some("echo other\n")), Err(Refusal::CommandChanged));
        assert_eq!(approved(&step, Some("echo back\n")).unwrap().phase, Phase::Running);
        assert_eq!(
            approved(&step, None).unwrap().phase,
            Phase::Running,
            "a caller may omit the rollback"
        );
    }

    #[test]
    fn an_edit_of_the_command_asks_again_and_keeps_the_rollback() {
        let step = waiting(1);
        let edit = StepEdit {
            plan_id: step.plan_id.clone(),
            step_number: 1,
            attempt: step.attempt,
            command_sha256: step.command.as_ref().unwrap().sha256.clone(),
            script: "echo here\n".into(),
        };
        let by = Actor { user_id: 1, login: "ada".into() };
        let command = Command::new(edit.script.clone());
        let edited = moved(&step, Event::Edit { edit, command, by }).unwrap();
        assert_eq!(edited.rollback(), step.rollback());
        let before = Seen::of(step.attempt, step.shown());
        let run_id = RunId::random();
        let approve = Event::Approve { run_id, seen: before, credentials: Vec::new() };
        assert_eq!(moved(&edited, approve), Err(Refusal::CommandChanged));
    }

    #[test]
    fn the_same_command_with_another_rollback_waits_again() {
        let running = approved(&waiting(1), None).unwrap();
        let run_id = running.run_id.clone().unwrap();
        let lost = Event::Abandoned { run_id, failure: super::super::Failure::Lost, detail: None };
        let failed = moved(&running, lost).unwrap();
        let again = approved(&failed, None).unwrap();
        assert_eq!(again.phase, Phase::Preparing);
        assert_eq!(prepared(&again, "echo back\n").phase, Phase::Running);
        assert_eq!(prepared(&again, "echo other\n").phase, Phase::WaitingApproval);
    }

    #[test]
    fn the_offered_rollback_belongs_to_the_last_step_that_ran() {
        assert_eq!(offered(&[waiting(1), waiting(2)]), None, "nothing ran");
        let done = Step { phase: Phase::Completed, ..waiting(1) };
        let failed = Step { phase: Phase::Failed, ..waiting(2) };
        let of = |steps: &[Step]| offered(steps).map(|(step, _)| step.number);
        assert_eq!(of(&[done.clone(), waiting(2)]), Some(1));
        assert_eq!(of(&[done.clone(), failed.clone(), waiting(3)]), Some(2));
        let (shown, runs) =
            failed.rolling_back(failed.rollback().unwrap(), RunId::random(), 2, vec![]);
        assert_eq!((shown.attempt, runs.attempt, runs.phase), (3, 4, Phase::Running));
        assert_eq!(runs.command.unwrap().script, "echo back\n");
    }
}
