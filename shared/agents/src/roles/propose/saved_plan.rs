//! Binds a script that applies Terraform's saved plan to exactly the plan that its owner sees.
//!
//! The digest of the plan becomes a line of the script, so the one approved digest covers both, and the sandbox runs
//! the script with no other plan. A script cannot bind itself: such a line from the model is removed.

use domain::gate::{Finding, Severity};
use domain::saved_plan::PLAN_FILE;
use domain::script::bound_to_plan;
use domain::step::Track;
use store::executions::Execution;

/// The saved plan of an execution.
#[derive(Debug, Clone, Default)]
pub(crate) enum Plan {
    /// No plan is bound: commands of the helper, and checks.
    #[default]
    Unbound,
    /// No earlier step saved one.
    None,
    /// The digest of the last plan that an earlier step saved.
    Saved(String),
}

impl Plan {
    /// The plan that the step with this number may apply.
    pub(crate) fn of(track: Track, execution: &Execution, step_number: u32) -> Self {
        if track != Track::Execution {
            return Self::Unbound;
        }
        let before = execution.steps.iter().filter(|step| step.number < step_number);
        let done = before.filter(|step| step.phase.has_succeeded());
        let last = done.rev().find_map(|step| step.saved_plan.as_ref());
        last.map_or(Self::None, |plan| Self::Saved(plan.sha256.clone()))
    }

    /// The text in the form that is approved, and what is wrong with it.
    pub(crate) fn bind(&self, text: &str) -> (String, Option<Finding>) {
        let applies = gate::applies_plan(text);
        match self {
            Self::Saved(sha256) if applies => (bound_to_plan(text, Some(sha256)), None),
            Self::None if applies => {
                let message = format!(
                    "No earlier step saved a plan in `{PLAN_FILE}`, so its owner cannot see what is applied. A step \
                     before this one has to save it."
                );
                let finding = Finding::new(gate::POLICY, Severity::Error, message);
                (bound_to_plan(text, None), Some(finding))
            }
            _ => (bound_to_plan(text, None), None),
        }
    }
}
