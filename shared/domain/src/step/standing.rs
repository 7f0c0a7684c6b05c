//! Checks that run again under a standing approval.
//!
//! Once a project is validated, its owner may let some of its checks run again unchanged, on request or
//! on a schedule. Such a check is a copy on the track [`Drift`](super::Track::Drift), so a run never touches the
//! validation's own evidence. The approval belongs to one digest: no other text can take its place in the copy.

use super::apply::changed;
use super::{Applied, Approval, Failure, Phase, Step};
use crate::actor::Actor;
use crate::{RunId, Timestamp};
use serde::{Deserialize, Serialize};

/// The exit code of a check that could not look, because a provider's API did not answer or refused the credentials:
/// `EX_TEMPFAIL` of `sysexits.h`.
const COULD_NOT_LOOK: i32 = 75;

/// Who lets a check run again, and since when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// The owner who allowed it.
    pub by: Actor,
    /// When they allowed it.
    pub at: Timestamp,
}

impl Step {
    /// The copy of a check that passed, which may run again with these credentials. `attempt` has not been used yet.
    pub fn standing(&self, attempt: u32, by: &Actor, credentials: &[String]) -> Self {
        Self {
            attempt,
            standing: Some(Standing { by: by.clone(), at: Timestamp::now() }),
            approval: Some(Approval { attempt, credentials: credentials.to_vec() }),
            approved_as_shown: true,
            reading: None,
            drifted_since: None,
            ..self.clone()
        }
    }

    /// Whether its standing approval is for exactly this check.
    pub fn stands_for(&self, check: &Self) -> bool {
        self.standing.is_some() && self.plan_id == check.plan_id && self.shown() == check.shown()
    }

    /// The step without its standing approval; a run that is under way still finishes.
    pub fn withdrawn(&self) -> Self {
        Self { standing: None, drifted_since: None, ..self.clone() }
    }

    /// Whether its last run could tell the current state; a run without a sandbox could not.
    pub fn has_answered(&self) -> bool {
        match self.failure() {
            None => self.phase == Phase::Completed,
            Some(failure) => {
                matches!(failure, Failure::ExitCode | Failure::Signal | Failure::Deadline)
            }
        }
    }

    /// Whether its last run ended without having seen the current state.
    pub fn could_not_look(&self) -> bool {
        self.failure() == Some(Failure::ExitCode) && self.exit_code == Some(COULD_NOT_LOOK)
    }

    pub(super) fn recheck(&self) -> Applied {
        match self.phase {
            Phase::Completed | Phase::Failed if self.standing.is_some() => {
                changed(self.enter(Phase::Pending))
            }
            _ => Applied::Ignored,
        }
    }

    pub(super) fn run_standing(&self, run_id: RunId) -> Applied {
        match self.phase {
            Phase::Pending if self.standing.is_some() => changed(self.begin_running(run_id)),
            _ => Applied::Ignored,
        }
    }

    /// Since when the check finds a difference. Only a check that ran to its end and could look decides: if it failed,
    /// something differs; if it passed, nothing does.
    pub(super) fn drift_after(
        &self,
        failure: Option<Failure>,
        exit_code: Option<i32>,
    ) -> Option<Timestamp> {
        self.standing.as_ref()?;
        match failure {
            None => None,
            Some(Failure::ExitCode) if exit_code != Some(COULD_NOT_LOOK) => {
                self.drifted_since.or_else(|| Some(Timestamp::now()))
            }
            Some(_) => self.drifted_since,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PlanId;
    use crate::output::OutputView;
    use crate::step::{Command, Event, Finish, Outcome};

    fn after(step: &Step, event: Event) -> Step {
        match step.apply(event).unwrap() {
            Applied::Changed(next) => *next,
            Applied::Ignored => step.clone(),
        }
    }

    fn ran(step: &Step, outcome: Outcome, code: i32) -> Step {
        let run_id = RunId::random();
        let running =
            after(&after(step, Event::Recheck), Event::RunStanding { run_id: run_id.clone() });
        let finish = Finish {
            outcome,
            exit_code: Some(code),
            duration_ms: 1,
            output: OutputView::default(),
            detail: None,
            saved_plan: None,
        };
        after(&running, Event::Finished { run_id, finish })
    }

    fn passed() -> Step {
        let step = Step::new(PlanId::from("p"), 1, String::new(), String::new());
        Step { phase: Phase::Completed, command: Some(Command::new("true")), ..step }
    }

    #[test]
    fn only_a_standing_approval_runs_a_check_again() {
        let check = passed();
        assert_eq!(ran(&check, Outcome::Exited, 0), check);
        let by = Actor { user_id: 1, login: "ada".to_owned() };
        let standing = check.standing(4, &by, &["TOKEN".to_owned()]);
        let again = ran(&standing, Outcome::Exited, 0);
        assert_eq!((again.attempt, again.phase), (5, Phase::Completed));
        assert_eq!(again.approval, standing.approval);
        let withdrawn = again.withdrawn();
        assert_eq!(ran(&withdrawn, Outcome::Exited, 1), withdrawn);
        let queued = after(&again, Event::Recheck).withdrawn();
        assert_eq!(after(&queued, Event::RunStanding { run_id: RunId::random() }), queued);
    }

    #[test]
    fn a_standing_approval_covers_one_script_of_one_plan() {
        let by = Actor { user_id: 1, login: "ada".to_owned() };
        let check = passed();
        let standing = check.standing(1, &by, &[]);
        assert!(standing.stands_for(&check) && !check.stands_for(&check));
        let other = Step { command: Some(Command::new("false")), ..check.clone() };
        let replanned = Step { plan_id: PlanId::from("q"), ..check.clone() };
        assert!(!standing.stands_for(&other) && !standing.stands_for(&replanned));
        assert!(!standing.withdrawn().stands_for(&check));
    }

    #[test]
    fn drift_lasts_from_its_first_finding_to_the_next_pass() {
        let by = Actor { user_id: 1, login: "ada".to_owned() };
        let found = ran(&passed().standing(1, &by, &[]), Outcome::Exited, 2);
        let since = found.drifted_since;
        assert!(since.is_some() && found.has_answered());
        assert_eq!(ran(&found, Outcome::Exited, 2).drifted_since, since);
        let lost = ran(&found, Outcome::Lost, 0);
        assert_eq!((lost.drifted_since, lost.has_answered()), (since, false));
        assert_eq!(ran(&lost, Outcome::Exited, 0).drifted_since, None);
    }

    #[test]
    fn a_check_that_could_not_look_finds_no_drift_and_ends_none() {
        let by = Actor { user_id: 1, login: "ada".to_owned() };
        let blind = ran(&passed().standing(1, &by, &[]), Outcome::Exited, COULD_NOT_LOOK);
        assert!(blind.could_not_look() && blind.has_answered(), "the next check may run");
        assert_eq!(blind.drifted_since, None);
        let found = ran(&blind, Outcome::Exited, 1);
        let since = found.drifted_since;
        assert!(since.is_some() && !found.could_not_look());
        assert_eq!(ran(&found, Outcome::Exited, COULD_NOT_LOOK).drifted_since, since);
    }
}
