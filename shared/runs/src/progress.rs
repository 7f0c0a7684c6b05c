//! An execution as the API shows it: the steps of the execution stage, the checks of validation, and
//! the commands of the DevOps helper are the same thing.

use domain::Timestamp;
use domain::step::{Failure, Phase, Step, StepStatus};
use serde::{Deserialize, Serialize};
use store::executions::Execution;
use utoipa::ToSchema;

/// Where an execution stands.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    /// The plan; empty before the first trigger.
    pub id: String,
    /// The first step that is not completed, from 1; the last one when all are.
    pub current_step: u32,
    /// How many there are.
    pub total_steps: u32,
    /// In their order.
    pub steps: Vec<StepBody>,
}

/// One step.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct StepBody {
    /// Its place in the plan, from 1.
    pub step_number: u32,
    /// Where it stands.
    pub status: StepStatus,
    /// Tells the two kinds of `in_progress` apart: the command runs, rather than being prepared.
    pub running: bool,
    /// A short title.
    pub description: String,
    /// What the execution agent is told to do.
    pub prompt: String,
    /// When it came to stand there.
    pub since: Timestamp,
    /// The script, once prepared.
    #[schema(required)]
    pub command: Option<String>,
    /// SHA-256 of the script: an approval sends it back, and is for no other.
    #[schema(required)]
    pub command_sha256: Option<String>,
    /// Head and tail of what it printed, also while it runs.
    pub output: String,
    /// Bytes of the whole output.
    pub output_bytes: u64,
    /// Whether `output` leaves something out; all of it is at its group's call `output/{step_number}`.
    pub output_truncated: bool,
    /// Why it failed, for people.
    #[schema(required)]
    pub error_message: Option<String>,
    /// Why it failed, for programs.
    #[schema(required)]
    pub failure: Option<Failure>,
    /// Exit code of its last run.
    #[schema(required)]
    pub exit_code: Option<i32>,
    /// How long its last run took, in milliseconds.
    #[schema(required)]
    pub duration_ms: Option<u64>,
    /// Attempts begun so far, preparations included: a decision sends it back, and is for no other.
    pub attempt: u32,
}

impl From<&Execution> for Progress {
    fn from(execution: &Execution) -> Self {
        let steps: Vec<_> = execution.steps.iter().map(StepBody::from).collect();
        let open = steps.iter().find(|step| step.status != StepStatus::Completed);
        Self {
            id: execution.plan_id.as_ref().map(ToString::to_string).unwrap_or_default(),
            current_step: open.or(steps.last()).map_or(0, |step| step.step_number),
            total_steps: u32::try_from(steps.len()).unwrap_or(u32::MAX),
            steps,
        }
    }
}

impl From<&Step> for StepBody {
    fn from(step: &Step) -> Self {
        let command = step.command.as_ref();
        Self {
            step_number: step.number,
            status: step.status(),
            running: step.phase == Phase::Running,
            description: step.description.clone(),
            prompt: step.prompt.clone(),
            since: step.since,
            command: command.map(|command| command.script.clone()),
            command_sha256: command.map(|command| command.sha256.clone()),
            output: step.output.text(),
            output_bytes: step.output.bytes,
            output_truncated: step.output.omitted() > 0,
            error_message: step.error.clone(),
            failure: step.failure(),
            exit_code: step.exit_code,
            duration_ms: step.duration_ms,
            attempt: step.attempt,
        }
    }
}
