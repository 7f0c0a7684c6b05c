//! Shows what the checks of a validated project find.

use domain::Timestamp;
use domain::requirement::Named;
use domain::schedule::{Every, Schedule};
use domain::step::Step;
use serde::{Deserialize, Serialize};
use store::evidence::{Proofs, outdated};
use store::executions::Execution;
use utoipa::ToSchema;

/// The checks of the validated state, what they find now, and when they run automatically.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct Drift {
    /// The checks that passed, in their order; empty until all have.
    pub checks: Vec<DriftCheck>,
    /// How often those with a standing approval run automatically.
    pub every: Every,
    /// When they run next; null while automatic runs are off.
    #[schema(required)]
    pub due_at: Option<Timestamp>,
}

/// A check of the validated state.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct DriftCheck {
    /// The check, from 1.
    pub step_number: u32,
    /// What the check expects.
    pub description: String,
    /// The requirements that it proves, in their order: what it finds is about them.
    pub requirements: Vec<Named>,
    /// Why it cannot run again: what its script changes; null if it only reads.
    #[schema(required)]
    pub changes: Option<String>,
    /// The script that passed.
    pub command: String,
    /// SHA-256 of the script: a standing approval names it, and applies to no other.
    pub command_sha256: String,
    /// The check's status.
    pub status: DriftStatus,
    /// Login of the user who lets it run again; null without a standing approval.
    #[schema(required)]
    pub approved_by: Option<String>,
    /// Since when it may run again.
    #[schema(required)]
    pub approved_at: Option<Timestamp>,
    /// The credentials that it gets when it runs again, by name.
    pub credentials: Vec<String>,
    /// When it last came to an end.
    pub checked_at: Timestamp,
    /// Since when it finds a difference from what is described.
    #[schema(required)]
    pub drifted_since: Option<Timestamp>,
    /// Head and tail of what its last run printed.
    pub output: String,
    /// Why it failed, for people.
    #[schema(required)]
    pub error_message: Option<String>,
}

/// The status of a check of the validated state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DriftStatus {
    /// The last run passed.
    AsDescribed,
    /// The last run passed, but a step ran again after it.
    Outdated,
    /// The last run found something else.
    Drifted,
    /// It waits for the checks before it.
    Waiting,
    /// It is running.
    Checking,
    /// The last run could not decide.
    Unknown,
}

/// The steps, the checks that may run again, their schedule, and what they prove.
pub(super) struct Watched {
    pub(super) steps: Execution,
    pub(super) standing: Execution,
    pub(super) schedule: Schedule,
    pub(super) proofs: Proofs,
}

impl Drift {
    pub(super) fn new(checks: &Execution, watched: &Watched) -> Self {
        let Watched { steps, standing, schedule, proofs } = watched;
        let passed = if checks.is_done() { checks.steps.as_slice() } else { &[] };
        let under_way = standing.is_rechecking();
        let outdated = outdated(steps, checks, standing);
        let found = |check: &Step| {
            let again = standing.step(check.number).filter(|step| step.stands_for(check));
            let requirements = proofs.of(&check.plan_id, check.number);
            let mut found = DriftCheck::of(check, again, under_way, requirements)?;
            if found.status == DriftStatus::AsDescribed && outdated.contains(check) {
                found.status = DriftStatus::Outdated;
            }
            Some(found)
        };
        let Schedule { every, due_at } = *schedule;
        Self { checks: passed.iter().filter_map(found).collect(), every, due_at }
    }
}

impl DriftCheck {
    fn of(
        check: &Step,
        again: Option<&Step>,
        under_way: bool,
        requirements: Vec<Named>,
    ) -> Option<Self> {
        let command = check.command.clone()?;
        let shown = again.unwrap_or(check);
        let standing = again.and_then(|step| step.standing.clone());
        let approval = again.and_then(|step| step.approval.clone());
        Some(Self {
            step_number: check.number,
            description: check.description.clone(),
            requirements,
            changes: flows::changes(check),
            command: command.script,
            command_sha256: command.sha256,
            status: DriftStatus::of(shown, under_way),
            approved_by: standing.as_ref().map(|standing| standing.by.login.clone()),
            approved_at: standing.map(|standing| standing.at),
            credentials: approval.map(|approval| approval.credentials).unwrap_or_default(),
            checked_at: shown.since,
            drifted_since: shown.drifted_since,
            output: shown.output.text(),
            error_message: shown.error.clone(),
        })
    }
}

impl DriftStatus {
    fn of(step: &Step, under_way: bool) -> Self {
        let phase = step.phase;
        let drifted = step.drifted_since.is_some() && step.has_answered() && !step.could_not_look();
        if phase.is_running() {
            Self::Checking
        } else if phase.is_pending() && under_way {
            Self::Waiting
        } else if phase.has_succeeded() {
            Self::AsDescribed
        } else if phase.has_failed() && drifted {
            Self::Drifted
        } else {
            Self::Unknown
        }
    }
}
