//! What a letter tells an owner about their project.

use crate::Timestamp;
use crate::step::{Phase, Step, Track};

/// What the letter says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoticeKind {
    /// A step waits for approval.
    Waiting,
    /// A step failed.
    Failed,
    /// Every step is completed.
    Done,
    /// So many checks find a difference from what was built.
    Drifted {
        /// How many.
        checks: usize,
    },
}

/// A moment after which the project does not continue without its owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// The list of steps.
    pub track: Track,
    /// What the letter says.
    pub kind: NoticeKind,
    /// The step that waits or failed; the last one if all are done.
    pub step_number: u32,
    /// Tells this notice from every other one of the project.
    pub id: String,
    /// When it began to wait.
    pub since: Timestamp,
}

impl Notice {
    /// The notice of a project, from its steps, its checks and those that run again: the latest, if neither steps nor
    /// checks are being worked on.
    pub fn of_project(steps: &[Step], checks: &[Step], rechecks: &[Step]) -> Option<Self> {
        if steps.iter().chain(checks).any(is_at_work) {
            return None;
        }
        let notices = [
            Self::of(Track::Execution, steps),
            Self::of(Track::Validation, checks),
            Self::of_drift(rechecks),
        ];
        notices.into_iter().flatten().max_by_key(|notice| notice.since)
    }

    /// The notice that checks find a difference; `None` while they run. It stays the same until another check finds
    /// one, so an owner gets one letter, however often the checks run.
    fn of_drift(rechecks: &[Step]) -> Option<Self> {
        if rechecks.iter().any(is_at_work) {
            return None;
        }
        let drifted = || rechecks.iter().filter(|check| check.drifted_since.is_some());
        let (first, checks) = (drifted().next()?, drifted().count());
        let since = drifted().filter_map(|check| check.drifted_since).max()?;
        let id = format!("{}/{}/{since}", Track::Drift.as_str(), first.plan_id);
        let kind = NoticeKind::Drifted { checks };
        Some(Self { track: Track::Drift, kind, step_number: first.number, id, since })
    }

    /// The notice of a list of steps; `None` while a step is being prepared or runs, or before any has begun.
    pub fn of(track: Track, steps: &[Step]) -> Option<Self> {
        let first = |is: fn(Phase) -> bool| steps.iter().find(|step| is(step.phase));
        if steps.iter().any(is_at_work) {
            return None;
        }
        if let Some(step) = first(Phase::awaits_approval) {
            return Some(Self::about(track, NoticeKind::Waiting, step));
        }
        if let Some(step) = first(Phase::has_failed) {
            return Some(Self::about(track, NoticeKind::Failed, step));
        }
        let last = steps.last().filter(|_| first(Phase::is_pending).is_none())?;
        let since = steps.iter().map(|step| step.since).max().unwrap_or(last.since);
        // A step that runs again and succeeds gives another notice.
        let attempts: u32 = steps.iter().map(|step| step.attempt).sum();
        let id = format!("{}/done/{}/{attempts}", track.as_str(), last.plan_id);
        Some(Self { track, kind: NoticeKind::Done, step_number: last.number, id, since })
    }

    fn about(track: Track, kind: NoticeKind, step: &Step) -> Self {
        let word = if kind == NoticeKind::Waiting { "waiting" } else { "failed" };
        let Step { plan_id, number, attempt, since, .. } = step;
        let id = format!("{}/{word}/{plan_id}/{number}/{attempt}", track.as_str());
        Self { track, kind, step_number: *number, id, since: *since }
    }

    /// The notice in a few words.
    pub fn words(&self) -> String {
        let (name, all) = match self.track {
            Track::Validation | Track::Drift => ("Check", "checks"),
            Track::Execution | Track::Helper | Track::Rollback => ("Step", "steps"),
        };
        match self.kind {
            NoticeKind::Waiting => format!("{name} {} is waiting for you", self.step_number),
            NoticeKind::Failed => format!("{name} {} failed", self.step_number),
            NoticeKind::Done => format!("All {all} completed"),
            NoticeKind::Drifted { checks: 1 } => {
                format!("{name} {} finds a difference from what was built", self.step_number)
            }
            NoticeKind::Drifted { checks } => {
                format!("{checks} {all} find a difference from what was built")
            }
        }
    }
}

fn is_at_work(step: &Step) -> bool {
    step.phase.is_at_work()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PlanId;

    fn steps(phases: &[Phase]) -> Vec<Step> {
        let step = |(number, phase): (u32, &Phase)| Step {
            phase: *phase,
            attempt: 1,
            ..Step::new(PlanId::from("p"), number, "Install".into(), String::new())
        };
        (1..).zip(phases).map(step).collect()
    }

    #[test]
    fn an_owner_is_notified_when_a_step_waits_when_one_failed_and_when_all_are_done() {
        use Phase::{Completed, Failed, Pending, Preparing, Running, WaitingApproval};
        let words =
            |phases: &[Phase]| Notice::of(Track::Execution, &steps(phases)).map(|t| t.words());
        let is = |text: &str| Some(text.to_owned());
        assert_eq!(words(&[Completed, WaitingApproval]), is("Step 2 is waiting for you"));
        assert_eq!(words(&[Failed, Pending]), is("Step 1 failed"));
        assert_eq!(words(&[Completed, Completed]), is("All steps completed"));
        for at_work in [Preparing, Running] {
            assert_eq!(words(&[WaitingApproval, at_work]), None);
        }
        assert_eq!(words(&[Completed, Pending]), None);
        assert_eq!(words(&[]), None);
        let check = Notice::of(Track::Validation, &steps(&[Failed])).unwrap();
        assert_eq!(check.words(), "Check 1 failed");
    }

    #[test]
    fn a_project_has_the_latest_notice_and_none_while_work_is_under_way() {
        let (done, mut checks) = (steps(&[Phase::Completed]), steps(&[Phase::WaitingApproval]));
        let words =
            |checks: &[Step]| Notice::of_project(&done, checks, &[]).map(|notice| notice.words());
        assert_eq!(words(&[]).as_deref(), Some("All steps completed"));
        checks[0].since = done[0].since.plus_seconds(1);
        assert_eq!(words(&checks).as_deref(), Some("Check 1 is waiting for you"));
        checks[0].since = done[0].since.plus_seconds(-1);
        assert_eq!(words(&checks).as_deref(), Some("All steps completed"), "a step ran again");
        checks[0].phase = Phase::Preparing;
        assert_eq!(words(&checks), None);
    }

    #[test]
    fn an_owner_is_notified_once_of_each_difference_that_is_found_again_and_again() {
        let done = steps(&[Phase::Completed]);
        let mut again = steps(&[Phase::Failed, Phase::Failed, Phase::Completed]);
        let notice = |again: &[Step]| Notice::of_project(&done, &done, again).unwrap();
        assert_eq!(notice(&again).words(), "All checks completed", "none of them could look");
        let found = done[0].since.plus_seconds(60);
        again[0].drifted_since = Some(found);
        let first = notice(&again);
        assert_eq!(first.words(), "Check 1 finds a difference from what was built");
        again[0].attempt += 1;
        assert_eq!(notice(&again), first, "it found the same again");
        again[1].drifted_since = Some(found.plus_seconds(60));
        assert_eq!(notice(&again).words(), "2 checks find a difference from what was built");
        assert_ne!(notice(&again).id, first.id);
        again[1].phase = Phase::Running;
        assert_eq!(notice(&again).words(), "All checks completed", "one is under way");
    }

    #[test]
    fn each_attempt_has_a_separate_notice() {
        for phase in [Phase::WaitingApproval, Phase::Failed, Phase::Completed] {
            let first = steps(&[phase]);
            let mut again = first.clone();
            again[0].attempt = 2;
            let id = |steps: &[Step]| Notice::of(Track::Execution, steps).unwrap().id;
            assert_eq!(id(&first), id(&first));
            assert_ne!(id(&first), id(&again), "{phase:?}");
        }
    }
}
