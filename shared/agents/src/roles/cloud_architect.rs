//! Designs what the requirements ask for.

use super::{Role, counted, document, planned};
use crate::context::{AgentContext, Until, gathered};
use crate::error::AgentError;
use crate::fence;
use crate::tools::{Outcome, Tool, Watch, arguments};
use domain::Scope;
use domain::document::Fingerprint;
use domain::plan::MAX_DOCUMENT_BYTES;
use serde::Deserialize;
use serde_json::{Value, json};
use store::plans::{PlanKind, Plans, Writing};

/// The tool that must have written a generated plan.
pub(crate) const WRITE: &str = "write_architecture_plan";

pub(super) const PROMPT: &str = "\
You are Groundcrew's cloud architect. You turn the requirements into an architecture plan that a \
person can judge and a planner can break into steps.

# What the plan holds
Markdown, one to three pages, with a heading of the second level for each section:
- Overview: what is built, in a few sentences, and a small diagram in a text code block.
- Components: each with its purpose, product and pinned version, size, and where it runs.
- Network and access: addresses, ports, who may reach what, TLS, SSH keys.
- Data: what is stored where, backups and how they are restored.
- Operation: how it is started, watched and updated.
- Cost: a monthly estimate with its parts, in US dollars; zero for what runs in the sandbox.
- Risks and assumptions.
- Files: what will lie in the workspace under terraform/, ansible/ and ssh/.

# How you design
- The simplest thing that meets the requirements. Every component must trace back to one of them.
- Infrastructure by Terraform, configuration by Ansible or Docker Compose, keys generated in the workspace.
- Nothing public that need not be. Least privilege. No secret in a file that is kept.
- When the target is the sandbox itself, design for one Linux machine without systemd and without \
root; services listen on localhost.

# How you work
Call write_architecture_plan with the whole plan whenever you are asked for one or the design \
changes. A question about the plan is answered without writing it anew.";

pub(super) async fn role(context: &AgentContext, scope: Scope) -> Result<Role, AgentError> {
    let (read, environment) = futures::try_join!(
        gathered(context, scope, Until::Architecture),
        context.environment(scope),
    )?;
    let shown = fence::join(&[read.shown, environment]);
    let written_from = read.requirements;
    let tool = WriteArchitecturePlan { plans: context.plans.clone(), scope, written_from };
    Ok(Role::new(PROMPT, shown, vec![Box::new(tool)]))
}

struct WriteArchitecturePlan {
    plans: Plans,
    scope: Scope,
    written_from: Fingerprint,
}

#[derive(Deserialize)]
struct Arguments {
    plan: String,
}

#[async_trait::async_trait]
impl Tool for WriteArchitecturePlan {
    fn name(&self) -> &'static str {
        WRITE
    }

    fn description(&self) -> &'static str {
        "Writes the architecture plan, replacing the one before. The user reads it beside the chat."
    }

    fn schema(&self) -> Value {
        json!({
            "type": "object",
            "properties": {"plan": {"type": "string", "description": "The whole plan, in markdown"}},
            "required": ["plan"],
            "additionalProperties": false,
        })
    }

    async fn run(&self, given: Value, _: &Watch<'_>) -> Result<Outcome, AgentError> {
        let given: Arguments = arguments(given)?;
        let plan = document(&given.plan, "plan", MAX_DOCUMENT_BYTES)?.text;
        let written_from = Some(&self.written_from);
        let writing = Writing { text: &plan, steps: &[], written_from };
        let written = self.plans.write(self.scope, PlanKind::Architecture, writing).await;
        planned::stored(written.map_err(AgentError::internal)?)?;
        let sections = plan.lines().filter(|line| line.starts_with("## ")).count();
        let summary = match sections {
            0 => "Architecture plan written".to_owned(),
            n => format!("Architecture plan written, {}", counted(n, "section")),
        };
        Ok(Outcome { summary, answer: "Written. The user can read and confirm it.".to_owned() })
    }
}
