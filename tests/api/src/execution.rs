//! Executions, as their owner sees and controls them.

use crate::answer::Answer;
use crate::project::Project;
use crate::waiting::eventually;
use domain::plan::PlannedStep;
use serde::Deserialize;
use serde_json::json;

/// A step as the API shows it.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs, reason = "the contract says what they are")]
pub struct Step {
    pub step_number: u32,
    pub status: String,
    pub running: bool,
    #[serde(default)]
    pub cancelling: bool,
    pub description: String,
    pub prompt: String,
    pub command: Option<String>,
    pub command_sha256: Option<String>,
    pub output: String,
    pub output_bytes: u64,
    pub output_truncated: bool,
    pub error_message: Option<String>,
    pub failure: Option<String>,
    pub exit_code: Option<i32>,
    pub duration_ms: Option<u64>,
    pub attempt: u32,
}

/// An execution as the API shows it.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the contract says what they are")]
pub struct Progress {
    pub id: String,
    pub current_step: u32,
    pub total_steps: u32,
    pub steps: Vec<Step>,
}

/// A prompt for a step: a directed [`crate::Model`] then proposes this script.
pub fn script_prompt(script: &str) -> String {
    format!("Run this:\n```bash\n{script}\n```\n")
}

/// The same, with a proof to propose as well.
pub fn proved_script(script: &str, proof: &str) -> String {
    format!("{script}{}{proof}", crate::model::PROOF)
}

impl Step {
    /// The script of its command, without the proof.
    pub fn script(&self) -> Option<&str> {
        self.command.as_deref().map(|command| protocol::parts(command).0.trim_end())
    }

    /// Whether its command is running in the sandbox.
    pub fn is_running(&self) -> bool {
        self.status == "in_progress" && self.running
    }

    /// Whether it waits for its owner's approval.
    pub fn is_waiting(&self) -> bool {
        self.status == "waiting_approval"
    }
}

impl Project {
    /// Starts executing a plan with these scripts; afterward the first step is being prepared.
    pub async fn execute(&self, scripts: &[&str]) -> String {
        let planned = |script: &&str| PlannedStep {
            description: format!("Runs {}", script.lines().next().unwrap_or_default()),
            prompt: script_prompt(script),
            ..PlannedStep::default()
        };
        let plan_id = self.has_steps(&scripts.iter().map(planned).collect::<Vec<_>>()).await;
        self.trigger().await;
        plan_id
    }

    /// Starts executing the current plan.
    pub async fn trigger(&self) {
        let start = json!({"message": "Start execution"});
        self.post("/execution/trigger", start).await.is(202);
    }

    /// The progress of the execution.
    pub async fn progress(&self) -> Progress {
        let answer = self.get("/execution/progress").await.is(200);
        serde_json::from_slice(&answer.body).unwrap()
    }

    /// A step in its current state.
    pub async fn step(&self, number: u32) -> Step {
        let steps = self.progress().await.steps;
        steps.into_iter().find(|step| step.step_number == number).expect("there is such a step")
    }

    /// Waits until a step meets a condition.
    pub async fn step_when(&self, number: u32, what: &str, wish: impl Fn(&Step) -> bool) -> Step {
        eventually(&format!("step {number} {what}"), async || {
            let step = self.step(number).await;
            wish(&step).then_some(step)
        })
        .await
    }

    /// Waits until a step has this status. If the step fails instead, the test ends at once.
    pub async fn step_is(&self, number: u32, status: &str) -> Step {
        let ended = |step: &Step| step.status == status || step.status == "failed";
        let step = self.step_when(number, &format!("is {status}"), ended).await;
        assert_eq!(step.status, status, "{step:#?}");
        step
    }

    /// Sends the owner's decision on a step, for the command that was shown.
    pub async fn decide(&self, step: &Step, approved: bool) -> Answer {
        let decision = json!({
            "plan_id": self.progress().await.id,
            "step_number": step.step_number,
            "approved": approved,
            "command_sha256": step.command_sha256,
            "attempt": step.attempt,
        });
        self.post("/execution/approve-step", decision).await
    }

    /// Approves a step as soon as it waits for approval.
    pub async fn approve(&self, number: u32) -> Step {
        let waiting = self.step_is(number, "waiting_approval").await;
        let answer = self.decide(&waiting, true).await.is(200);
        serde_json::from_slice(&answer.body).unwrap()
    }

    /// Approves a step and waits until it is completed.
    pub async fn complete(&self, number: u32) -> Step {
        self.approve(number).await;
        self.step_is(number, "completed").await
    }
}
