//! An execution as the API shows it: the steps of the execution stage, the checks of validation and the commands of
//! the DevOps helper all have this form.

use domain::gate::GateVerdict;
use domain::saved_plan::SavedPlan;
use domain::script::plans_of;
use domain::step::{Autonomy, Earlier, Edited, Failure, Rollback, Step, StepStatus, offered};
use domain::{PlanId, Timestamp};
use serde::{Deserialize, Serialize};
use store::executions::Execution;
use utoipa::ToSchema;

/// The progress of an execution.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    /// The plan; empty before the first trigger.
    pub id: String,
    /// The first step that is not completed, from 1; the last one when all are.
    pub current_step: u32,
    /// How many there are.
    pub total_steps: u32,
    /// What its owner is asked about; absent before the first trigger.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub autonomy: Option<Autonomy>,
    /// In their order.
    pub steps: Vec<StepBody>,
    /// The rollback of what has run so far; absent while nothing has run, and outside of a change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub rollback: Option<RollbackBody>,
}

/// The rollback of the change under way.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct RollbackBody {
    /// The step with which it was shown: a decision names it.
    pub step_number: u32,
    /// What would run.
    pub rollback: Rollback,
    /// Its run, once its owner has asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub run: Option<StepBody>,
}

impl RollbackBody {
    fn of(execution: &Execution) -> Option<Self> {
        let (step, rollback) = offered(&execution.steps)?;
        Some(Self {
            step_number: step.number,
            rollback: rollback.clone(),
            run: execution.rollback.as_ref().map(StepBody::from),
        })
    }
}

/// The owner's choice of what to be asked about.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct AutonomyRequest {
    /// The plan that was shown; another plan starts with asking for everything.
    pub plan_id: PlanId,
    /// The choice, which applies from now on.
    pub autonomy: Autonomy,
}

/// One step.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct StepBody {
    /// Its place in the plan, from 1.
    pub step_number: u32,
    /// Its status.
    pub status: StepStatus,
    /// Distinguishes the two kinds of `in_progress`: true while the command runs, false while it is being prepared.
    pub running: bool,
    /// Whether its owner canceled the run and the sandbox has not ended it yet; absent otherwise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub cancelling: bool,
    /// A short title.
    pub description: String,
    /// The task for the execution agent.
    pub prompt: String,
    /// The time of its last change of status.
    pub since: Timestamp,
    /// The script, once prepared.
    #[schema(required)]
    pub command: Option<String>,
    /// SHA-256 of the script: an approval names it, and applies to no other.
    #[schema(required)]
    pub command_sha256: Option<String>,
    /// The verdict of automatic checks on the script; absent for older scripts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<GateVerdict>,
    /// How the change is rolled back after it; absent outside of a change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub rollback: Option<Rollback>,
    /// Who edited the script after the agent wrote it; absent if it is the agent's text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edited: Option<Edited>,
    /// Head and tail of what it printed, also while it runs.
    pub output: String,
    /// Bytes of the whole output.
    pub output_bytes: u64,
    /// Whether `output` omits a part; its group's call `output/{step_number}` returns all of it.
    pub output_truncated: bool,
    /// What its agent waits for while it prepares the command, for people; absent while it waits for nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub notice: Option<String>,
    /// Why it failed, for people.
    #[schema(required)]
    pub error_message: Option<String>,
    /// Why it failed, for programs.
    #[schema(required)]
    pub failure: Option<Failure>,
    /// The owner's reason for rejecting its command.
    #[schema(required)]
    pub reason: Option<String>,
    /// The attempt before the current command, if the command was written again.
    #[schema(required)]
    pub earlier: Option<Earlier>,
    /// Exit code of its last run.
    #[schema(required)]
    pub exit_code: Option<i32>,
    /// How long its last run took, in milliseconds.
    #[schema(required)]
    pub duration_ms: Option<u64>,
    /// The plan that its last run saved, or that its command applies; in the answer to a decision only the former.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saved_plan: Option<SavedPlan>,
    /// SHA-256 of the only saved plan that its command applies; absent if it applies none. If `saved_plan` is absent
    /// then, the plan was made again, and the sandbox refuses the command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub applies_plan: Option<String>,
    /// Attempts begun so far, including preparations: a decision names it, and applies to no other.
    pub attempt: u32,
}

impl From<&Execution> for Progress {
    fn from(execution: &Execution) -> Self {
        let mut steps: Vec<_> = execution.steps.iter().map(StepBody::from).collect();
        for step in steps.iter_mut().filter(|step| step.applies_plan.is_some()) {
            let saved = execution.steps.iter().filter_map(|other| other.saved_plan.as_ref());
            let mut saved = saved.filter(|plan| Some(&plan.sha256) == step.applies_plan.as_ref());
            step.saved_plan = saved.next().cloned();
        }
        let open = steps.iter().find(|step| step.status != StepStatus::Completed);
        Self {
            id: execution.plan_id.as_ref().map(ToString::to_string).unwrap_or_default(),
            current_step: open.or(steps.last()).map_or(0, |step| step.step_number),
            total_steps: u32::try_from(steps.len()).unwrap_or(u32::MAX),
            autonomy: execution.plan_id.as_ref().map(|_| execution.autonomy),
            steps,
            rollback: RollbackBody::of(execution),
        }
    }
}

impl From<&Step> for StepBody {
    fn from(step: &Step) -> Self {
        let command = step.command.as_ref();
        Self {
            step_number: step.number,
            status: step.status(),
            running: step.phase.is_running(),
            cancelling: step.cancelling,
            description: step.description.clone(),
            prompt: step.prompt.clone(),
            since: step.since,
            command: command.map(|command| command.script.clone()),
            command_sha256: command.map(|command| command.sha256.clone()),
            verdict: command.and_then(|command| command.verdict.clone()),
            rollback: step.rollback().cloned(),
            edited: command.and_then(|command| command.edited.clone()),
            output: step.output.text(),
            output_bytes: step.output.bytes,
            output_truncated: step.output.omitted() > 0,
            notice: step.notice.clone(),
            error_message: step.error.clone(),
            failure: step.failure(),
            reason: step.rejection.clone(),
            earlier: step.earlier.clone(),
            exit_code: step.exit_code,
            duration_ms: step.duration_ms,
            saved_plan: step.saved_plan.clone(),
            applies_plan: command
                .and_then(|command| plans_of(&command.script).next())
                .map(str::to_owned),
            attempt: step.attempt,
        }
    }
}
