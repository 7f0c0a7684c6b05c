//! Breaks the architecture into steps.

use super::planned::{PLAN_BYTES, Traces, requirements};
use super::{Role, counted, document, planned};
use crate::context::{AgentContext, Until, gathered};
use crate::error::AgentError;
use crate::fence::{self, fence};
use crate::tools::{Outcome, Tool, Watch, arguments};
use domain::Scope;
use domain::document::Fingerprint;
use domain::plan::{Plan, PlannedStep};
use serde_json::{Value, json};
use store::plans::{PlanKind, Plans, Writing};

/// The tool that must have written a generated plan.
pub(crate) const WRITE: &str = "write_implementation_plan";

pub(super) const PROMPT: &str = "\
You are Groundcrew's implementation planner. You break the architecture plan into steps that an \
execution agent carries out one after another in the user's sandbox.

# What you write
- plan: markdown, about a page. What is done in which order and why, what each phase leaves behind, \
how it is checked, and how it is undone.
- steps: as few as the work allows, usually 3 to 12, never more than 30. Each has
  - description: its title in up to ten words, beginning with a verb;
  - prompt: what the execution agent is to do, with every name, version, path, port and address it \
needs, and how the step itself proves that it worked;
  - requirements: the ids (R1, R2 …) of what it builds, from the list in the requirements. Each requirement that is \
built, also one that is built differently, is named by at least one step.

# How you cut steps
- Each step is one bash script that ends on its own, usually within ten minutes.
- Each can be run again without harm, and builds only on the steps before it.
- Writing files, showing what would change (terraform plan, ansible --check) and changing it are \
different steps when the change costs money or cannot be taken back.
- Terraform changes nothing without a plan that the user has seen: one step runs `terraform plan -out=tfplan` in \
terraform/, the next one applies that file and nothing else.
- The section environment says where the steps run: system, tools with their versions, limits.
- The first step prepares the workspace and checks that tools and credentials are there. The last \
one checks the result from outside, as a user would.
- Files belong under ~/workspace: terraform/, ansible/, ssh/. Those of the section imported_files lie there already, \
at the paths that it names: steps read them, build on them and keep their layout instead of writing them anew.

# How you work
Call write_implementation_plan with plan and steps whenever you are asked for a plan or it changes. \
A question about the plan is answered without writing it anew.";

pub(super) async fn role(context: &AgentContext, scope: Scope) -> Result<Role, AgentError> {
    let (read, plan, environment) = futures::try_join!(
        gathered(context, scope, Until::Implementation),
        context.plan(scope, PlanKind::Implementation),
        context.environment(scope),
    )?;
    let shown = fence::join(&[read.shown, environment, fence("steps", &steps(&plan))]);
    let written_from = read.architecture;
    let tool = WriteImplementationPlan { plans: context.plans.clone(), scope, written_from };
    Ok(Role::new(PROMPT, shown, vec![Box::new(tool)]))
}

/// The planned steps as JSON; empty if there are none.
fn steps(plan: &Plan) -> String {
    if plan.steps.is_empty() {
        return String::new();
    }
    let step = |(number, step): (u32, &PlannedStep)| json!({"number": number, "description": step.description, "prompt": step.prompt, "requirements": step.requirements});
    Value::from_iter((1..).zip(&plan.steps).map(step)).to_string()
}

/// The table that shows which steps build what.
const TRACES: Traces =
    Traces { thing: "step", heading: "## What builds what you asked for", column: "built by step" };

struct WriteImplementationPlan {
    plans: Plans,
    scope: Scope,
    written_from: Fingerprint,
}

#[derive(serde::Deserialize)]
struct Arguments {
    plan: String,
    steps: Vec<planned::Given>,
}

#[async_trait::async_trait]
impl Tool for WriteImplementationPlan {
    fn name(&self) -> &'static str {
        WRITE
    }

    fn description(&self) -> &'static str {
        "Writes the implementation plan and its steps, replacing those before. The user reads the \
         plan and confirms it to start the execution."
    }

    fn schema(&self) -> Value {
        json!({
            "type": "object",
            "properties": {
                "plan": {"type": "string", "description": "The whole plan, in markdown"},
                "steps": planned::schema("step", "builds", "What the execution agent is to do"),
            },
            "required": ["plan", "steps"],
            "additionalProperties": false,
        })
    }

    async fn run(&self, given: Value, _: &Watch<'_>) -> Result<Outcome, AgentError> {
        let given: Arguments = arguments(given)?;
        let plan = document(&given.plan, "plan", PLAN_BYTES)?.text;
        let requirements = requirements(&self.plans, self.scope).await?;
        let steps = planned::checked("Step", given.steps, &requirements)?;
        let plan = planned::traced(&plan, &TRACES, &steps, &requirements);
        let written_from = Some(&self.written_from);
        let writing = Writing { text: &plan, steps: &steps, written_from };
        let written = self.plans.write(self.scope, PlanKind::Implementation, writing).await;
        planned::stored(written.map_err(AgentError::internal)?)?;
        Ok(Outcome {
            summary: format!("Implementation plan written, {}", counted(steps.len(), "step")),
            answer: format!(
                "Written. The user can read and confirm it.{}",
                planned::unserved("step", &steps, &requirements)
            ),
        })
    }
}
