//! What a project's audit shows: who decided what, and what ran because of it.
//!
//! Both records are written in the same transaction as the step's transition, and never change. A
//! decision is found again by its attempt, which is how a repeated call is answered.

use crate::step::{Approval, Command, Failure, Phase, Step, Track};
use crate::{PlanId, RunId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The person who acted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Actor {
    /// The user's number at GitHub.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    pub user_id: u64,
    /// The user's login at GitHub, as it was then.
    pub login: String,
}

/// What was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The command may run, or the step may be executed again.
    Approved,
    /// The command was rejected.
    Rejected,
    /// The attempt was cancelled while it was under way.
    Cancelled,
}

impl Verdict {
    /// The word of the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::Cancelled => "cancelled",
        }
    }
}

/// An owner's decision, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionRecord {
    /// Step, check or command of the helper.
    pub track: Track,
    /// The plan that was shown.
    pub plan_id: PlanId,
    /// The step, from 1.
    pub step_number: u32,
    /// The attempt that was shown.
    pub attempt: u32,
    /// What was decided.
    pub verdict: Verdict,
    /// The step's title.
    pub description: String,
    /// The command that was shown, if one was prepared.
    pub command: Option<Command>,
    /// The credentials that an approved command will be given, by name.
    pub credentials: Vec<String>,
    /// Who decided.
    pub by: Actor,
    /// When.
    pub at: Timestamp,
    /// Where the decision put the step.
    pub phase: Phase,
    /// The run that it began, or ended.
    pub run_id: Option<RunId>,
    /// The attempt that it began; the same attempt when it began none.
    pub next_attempt: u32,
}

impl DecisionRecord {
    /// The record of a decision that turned `before` into `after`.
    pub fn new(track: Track, verdict: Verdict, before: &Step, after: &Step, by: Actor) -> Self {
        let approval = after.approval.clone().filter(|_| verdict == Verdict::Approved);
        Self {
            track,
            plan_id: before.plan_id.clone(),
            step_number: before.number,
            attempt: before.attempt,
            verdict,
            description: before.description.clone(),
            command: before.command.clone(),
            credentials: approval.map(|approval| approval.credentials).unwrap_or_default(),
            by,
            at: Timestamp::now(),
            phase: after.phase,
            run_id: after.run_id.clone(),
            next_attempt: after.attempt,
        }
    }

    /// What the call that made this record was answered: the step as the decision left it.
    pub fn answer(&self, now: Step) -> Step {
        let same_plan = now.plan_id == self.plan_id;
        if same_plan && now.attempt == self.next_attempt && now.phase == self.phase {
            return now;
        }
        let prompt = if same_plan { now.prompt } else { String::new() };
        let description = self.description.clone();
        let step = Step::new(self.plan_id.clone(), self.step_number, description, prompt);
        let failure = (self.phase == Phase::Failed).then_some(Failure::Rejected);
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

/// A run that ended, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRecord {
    /// Step, check or command of the helper.
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
    /// The approval that it goes back to; none for a command that ran because it only reads.
    pub approval: Option<Approval>,
    /// SHA-256 of the command that ran.
    pub command_sha256: String,
    /// The command itself, where no approval keeps it.
    pub script: Option<String>,
    /// Why it failed; none when it completed.
    pub failure: Option<Failure>,
    /// Its exit code, when it exited.
    pub exit_code: Option<i32>,
    /// How long it took, in milliseconds.
    pub duration_ms: Option<u64>,
    /// When it ended.
    pub ended_at: Timestamp,
}

impl RunRecord {
    /// The record of the run that ended between these two, if one did.
    pub fn of(track: Track, before: &Step, after: &Step) -> Option<Self> {
        let ended = matches!(after.phase, Phase::Completed | Phase::Failed);
        if before.phase != Phase::Running || !ended {
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
            ended_at: after.since,
        })
    }
}
