//! The audit of a project: its decisions, and the runs that followed from them.
//!
//! Both records are written in the same transaction as the step's transition, and never change. A repeated call finds
//! the decision by its attempt and gets the same answer.

pub use crate::actor::Actor;
use crate::backup::Backup;
use crate::saved_plan::SavedPlan;
use crate::schedule::Every;
use crate::share::Share;
use crate::step::{Approval, Autonomy, Command, Failure, Phase, Step, Track};
use crate::{PlanId, RunId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The command may run, or the step may be executed again.
    Approved,
    /// The command was rejected.
    Rejected,
    /// The attempt was canceled while it was under way.
    Cancelled,
    /// The command was edited before it was decided on.
    Edited,
    /// The owner changed which commands they are asked about, for all steps of the plan from then on.
    Autonomy,
    /// A standing approval was withdrawn.
    ApprovalWithdrawn,
    /// The schedule of the checks for drift was changed.
    Scheduled,
    /// The project's timeline was shared by a link.
    Shared,
    /// A link to the timeline was withdrawn.
    Withdrawn,
    /// The workspace was replaced with a backup.
    Restored,
}

impl Verdict {
    /// The name in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::Cancelled => "cancelled",
            Self::Edited => "edited",
            Self::Autonomy => "autonomy",
            Self::ApprovalWithdrawn => "approval_withdrawn",
            Self::Scheduled => "scheduled",
            Self::Shared => "shared",
            Self::Withdrawn => "withdrawn",
            Self::Restored => "restored",
        }
    }

    /// Whether the decision is about a link to the timeline, and not about a step.
    pub fn is_about_a_link(self) -> bool {
        matches!(self, Self::Shared | Self::Withdrawn)
    }
}

/// The record of an owner's decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionRecord {
    /// The kind of step: a step, a check or a command of the helper.
    pub track: Track,
    /// The plan that the owner saw.
    pub plan_id: PlanId,
    /// The step, from 1.
    pub step_number: u32,
    /// The attempt that the owner saw.
    pub attempt: u32,
    /// The decision.
    pub verdict: Verdict,
    /// The step's title.
    pub description: String,
    /// The command that the owner saw, if one was prepared; for an edit, the new command.
    pub command: Option<Command>,
    /// For an edit: SHA-256 of the command before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256_before: Option<String>,
    /// The credentials that an approved command will receive, by name.
    pub credentials: Vec<String>,
    /// The person who decided.
    pub by: Actor,
    /// The time of the decision.
    pub at: Timestamp,
    /// The step's phase after the decision.
    pub phase: Phase,
    /// The run that the decision began or ended.
    pub run_id: Option<RunId>,
    /// The attempt that the decision began, or the same attempt if it began none.
    pub next_attempt: u32,
}

impl DecisionRecord {
    /// The record of a decision that turned `before` into `after`.
    pub fn new(track: Track, verdict: Verdict, before: &Step, after: &Step, by: Actor) -> Self {
        let approval = after.approval.clone().filter(|_| verdict == Verdict::Approved);
        let edited = verdict == Verdict::Edited;
        let shown = before.command.as_ref().filter(|_| edited);
        // The answer to a repeated call is made from this record, so both name the same moment.
        let moved = (after.phase, after.attempt) != (before.phase, before.attempt);
        Self {
            track,
            plan_id: before.plan_id.clone(),
            step_number: before.number,
            attempt: before.attempt,
            verdict,
            description: before.description.clone(),
            command: if edited { &after.command } else { &before.command }.clone(),
            sha256_before: shown.map(|command| command.sha256.clone()),
            credentials: approval.map(|approval| approval.credentials).unwrap_or_default(),
            by,
            at: if moved { after.since } else { Timestamp::now() },
            phase: after.phase,
            run_id: after.run_id.clone(),
            next_attempt: after.attempt,
        }
    }

    /// The record of a change of autonomy: what the owner is asked about from now on. It belongs to no step, so its
    /// number is 0.
    pub fn of_autonomy(track: Track, plan_id: PlanId, autonomy: Autonomy, by: Actor) -> Self {
        let words = autonomy.words().to_owned();
        Self::of_no_step(track, plan_id, Verdict::Autonomy, words, by)
    }

    /// The record of a change of schedule: how often the checks for drift run from now on. It belongs to no step
    /// either.
    pub fn of_schedule(plan_id: PlanId, every: Every, by: Actor) -> Self {
        let words = every.words().to_owned();
        Self::of_no_step(Track::Drift, plan_id, Verdict::Scheduled, words, by)
    }

    /// The record of a link that was made or withdrawn. Its track has no meaning, and the link's id is in the plan's
    /// place.
    pub fn of_share(verdict: Verdict, share: &Share, by: Actor) -> Self {
        let plan_id = PlanId::from(share.id.as_str());
        let output = if share.with_output { "with output" } else { "without output" };
        let end = share.ends_at.to_string();
        let day = end.get(.."2026-11-21".len()).unwrap_or_default();
        let words = format!("Link {}, {output}, until {day}", share.id);
        Self::of_no_step(Track::Execution, plan_id, verdict, words, by)
    }

    /// The record of a restored backup. Its track has no meaning, and the backup's id is in the plan's place.
    pub fn of_restore(backup: &Backup, by: Actor) -> Self {
        let (plan_id, at) = (PlanId::from(backup.id.0.as_str()), backup.at.to_string());
        let moment = at.get(.."2026-11-21T12:00:00".len()).unwrap_or_default().replace('T', " ");
        let words = format!("Backup of {moment} UTC");
        Self::of_no_step(Track::Execution, plan_id, Verdict::Restored, words, by)
    }

    fn of_no_step(
        track: Track,
        plan_id: PlanId,
        verdict: Verdict,
        description: String,
        by: Actor,
    ) -> Self {
        Self {
            track,
            plan_id,
            step_number: 0,
            attempt: 0,
            verdict,
            description,
            command: None,
            sha256_before: None,
            credentials: Vec::new(),
            by,
            at: Timestamp::now(),
            phase: Phase::Pending,
            run_id: None,
            next_attempt: 0,
        }
    }

    /// Whether it approved the command that the step shows now: not an earlier attempt's, which may be another script or
    /// may have been rejected since.
    pub fn approves(&self, track: Track, step: &Step) -> bool {
        let attempt = step.approval.as_ref().map(|approval| approval.attempt);
        let sha256 = |command: &Option<Command>| command.as_ref().map(|one| one.sha256.clone());
        self.verdict == Verdict::Approved
            && (self.track, &self.plan_id, self.step_number) == (track, &step.plan_id, step.number)
            && Some(self.attempt) == attempt
            && sha256(&self.command) == sha256(&step.command)
    }

    /// The answer to the call that made this record: the step as the decision left it.
    pub fn answer(&self, now: Step) -> Step {
        let same_plan = now.plan_id == self.plan_id;
        if same_plan && now.attempt == self.next_attempt && now.phase == self.phase {
            return now;
        }
        let prompt = if same_plan { now.prompt } else { String::new() };
        let description = self.description.clone();
        let step = Step::new(self.plan_id.clone(), self.step_number, description, prompt);
        let failure = (self.phase.has_failed()).then_some(Failure::Rejected);
        Step {
            phase: self.phase,
            run_id: self.run_id.clone(),
            attempt: self.next_attempt,
            command: self.command.clone(),
            failure,
            error: failure.map(|failure| failure.words().to_owned()),
            since: self.at,
            ..step
        }
    }
}

/// The record of a finished run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRecord {
    /// The kind of step: a step, a check or a command of the helper.
    pub track: Track,
    /// The plan.
    pub plan_id: PlanId,
    /// The step, from 1.
    pub step_number: u32,
    /// The attempt that ran.
    pub attempt: u32,
    /// The step's title.
    pub description: String,
    /// The run.
    pub run_id: RunId,
    /// The approval behind the run; `None` for a command that ran because it only reads.
    pub approval: Option<Approval>,
    /// SHA-256 of the command that ran.
    pub command_sha256: String,
    /// The command itself, if no approval's record contains it.
    pub script: Option<String>,
    /// The reason for the run's failure; `None` if the run completed.
    pub failure: Option<Failure>,
    /// Its exit code, when it exited.
    pub exit_code: Option<i32>,
    /// How long the run took, in milliseconds.
    pub duration_ms: Option<u64>,
    /// The Terraform plan that the run saved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saved_plan: Option<SavedPlan>,
    /// When the run ended.
    pub ended_at: Timestamp,
}

impl RunRecord {
    /// The record of the run that ended between these two states, if one did.
    pub fn of(track: Track, before: &Step, after: &Step) -> Option<Self> {
        let ended = after.phase.has_ended();
        if !before.phase.is_running() || !ended {
            return None;
        }
        let command = before.command.clone()?;
        Some(Self {
            track,
            plan_id: after.plan_id.clone(),
            step_number: after.number,
            attempt: after.attempt,
            description: after.description.clone(),
            run_id: after.run_id.clone()?,
            script: before.approval.is_none().then_some(command.script),
            approval: before.approval.clone(),
            command_sha256: command.sha256,
            failure: after.failure(),
            exit_code: after.exit_code,
            duration_ms: after.duration_ms,
            saved_plan: after.saved_plan.clone(),
            ended_at: after.since,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::{Applied, Event, Seen};

    fn after(step: &Step, event: Event) -> Step {
        match step.apply(event) {
            Ok(Applied::Changed(next)) => *next,
            other => panic!("the step did not move: {other:?}"),
        }
    }

    fn prepared(step: &Step, run_id: &str, script: &str) -> Step {
        let script = Event::Prepared {
            run_id: run_id.into(),
            next_run_id: RunId::random(),
            script: script.to_owned(),
            verdict: None,
            rollback: None,
        };
        after(step, script)
    }

    fn approved(step: &Step, run_id: &str) -> (Step, DecisionRecord) {
        let seen = Seen::of(step.attempt, step.command.as_ref().map(|one| &*one.sha256));
        let run = Event::Approve { run_id: run_id.into(), seen, credentials: Vec::new() };
        let (next, by) = (after(step, run), Actor { user_id: 2, login: "kim".to_owned() });
        let record = DecisionRecord::new(Track::Execution, Verdict::Approved, step, &next, by);
        (next, record)
    }

    #[test]
    fn an_approval_counts_for_the_script_and_the_attempt_that_its_owner_saw() {
        let step = Step::new("p1".into(), 1, "a".to_owned(), "b".to_owned());
        let waits = prepared(&after(&step, Event::Prepare { run_id: "a".into() }), "a", "one");
        let (runs, first) = approved(&waits, "b");
        assert!(!first.approves(Track::Execution, &waits), "before the decision");
        assert!(first.approves(Track::Execution, &runs));
        assert!(!first.approves(Track::Validation, &runs));

        let lost = Event::Abandoned { run_id: "b".into(), failure: Failure::Lost, detail: None };
        let failed = after(&runs, lost);
        assert!(first.approves(Track::Execution, &failed), "it ran with the approval");
        let (again, second) = approved(&failed, "c");
        let same = prepared(&again, "c", "one");
        assert_eq!((same.phase, second.approves(Track::Execution, &same)), (Phase::Running, true));
        let other = prepared(&again, "c", "two");
        let seen = Seen::of(other.attempt, other.command.as_ref().map(|one| &*one.sha256));
        let rejected = after(&other, Event::Reject { seen, reason: None });
        for unapproved in [other, rejected] {
            for record in [&first, &second] {
                assert!(!record.approves(Track::Execution, &unapproved), "{unapproved:?}");
            }
        }
    }

    #[test]
    fn a_repeated_decision_gets_the_moment_of_the_first() {
        let waits = Step {
            phase: Phase::WaitingApproval,
            ..Step::new("p1".into(), 1, "a".to_owned(), "b".to_owned())
        };
        let moment = waits.since.plus_seconds(-7);
        let runs = Step { phase: Phase::Running, attempt: 1, since: moment, ..waits.clone() };
        let by = Actor { user_id: 2, login: "kim".to_owned() };
        let record = DecisionRecord::new(Track::Execution, Verdict::Approved, &waits, &runs, by);
        let completed = Step { phase: Phase::Completed, ..runs };
        assert_eq!(record.answer(completed).since, moment);
    }
}
