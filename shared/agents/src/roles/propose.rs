//! The only tool of a preparation: hand in the script of the step, or the check, that was asked for.

use crate::error::AgentError;
use crate::roles::bounded;
use crate::tools::{Outcome, Tool, Watch, arguments, try_again};
use domain::step::{Event, MAX_SCRIPT_BYTES, Phase};
use domain::{PlanId, RunId, Scope};
use serde::Deserialize;
use serde_json::{Value, json};
use store::executions::{ExecutionError, Executions};

/// What the tool is called and speaks of: the two stages differ in no more.
pub(crate) struct Wording {
    /// The tool's name; a prepared command must have gone through it.
    pub(crate) tool: &'static str,
    pub(crate) description: &'static str,
    /// "step" or "check".
    pub(crate) thing: &'static str,
    /// The same at the beginning of a line.
    pub(crate) title: &'static str,
}

/// Longest summary of a command, in characters.
const SUMMARY_CHARS: usize = 300;

/// Bound to one attempt at one step or check: nothing that the model says can aim it elsewhere.
pub(crate) struct ProposeCommand {
    pub(crate) wording: &'static Wording,
    pub(crate) executions: Executions,
    pub(crate) scope: Scope,
    pub(crate) plan_id: PlanId,
    pub(crate) step_number: u32,
    pub(crate) run_id: RunId,
}

#[derive(Deserialize)]
struct Arguments {
    step: u32,
    script: String,
    #[serde(default)]
    summary: String,
}

#[async_trait::async_trait]
impl Tool for ProposeCommand {
    fn name(&self) -> &'static str {
        self.wording.tool
    }

    fn description(&self) -> &'static str {
        self.wording.description
    }

    fn schema(&self) -> Value {
        json!({
            "type": "object",
            "properties": {
                "step": {"type": "integer", "description": format!("Number of the {}", self.wording.thing)},
                "script": {"type": "string", "description": "The bash script, at most 24,000 bytes"},
                "summary": {"type": "string", "description": "What it does, in one sentence"},
            },
            "required": ["step", "script", "summary"],
            "additionalProperties": false,
        })
    }

    async fn run(&self, given: Value, _: &Watch<'_>) -> Result<Outcome, AgentError> {
        let given: Arguments = arguments(given)?;
        let asked = self.step_number;
        if given.step != asked {
            let thing = self.wording.thing;
            return Err(try_again(format!(
                "You were asked for {thing} {asked}, not {}.",
                given.step
            )));
        }
        let event = Event::Prepared {
            run_id: self.run_id.clone(),
            next_run_id: RunId::random(),
            script: script(&given.script)?,
        };
        let (step, moved) = self
            .executions
            .apply(self.scope, &self.plan_id, asked, &event)
            .await
            .map_err(failed)?;
        if !moved {
            return Err(superseded());
        }
        let answer = match step.phase {
            Phase::Running => "It is the command that was approved before, so it runs now.",
            _ => "It waits for the user's approval.",
        };
        let summary: String = given.summary.trim().chars().take(SUMMARY_CHARS).collect();
        let summary = if summary.is_empty() { "Command proposed".to_owned() } else { summary };
        Ok(Outcome {
            summary: format!("{} {asked}: {summary}", self.wording.title),
            answer: answer.to_owned(),
        })
    }
}

/// The script as bash takes it: a carriage return would become part of a word.
pub(crate) fn script(given: &str) -> Result<String, AgentError> {
    let script = bounded(given, "script", MAX_SCRIPT_BYTES - 1)?;
    if script.contains('\0') {
        return Err(try_again("`script` has a NUL character, which bash does not take."));
    }
    Ok(format!("{}\n", script.replace("\r\n", "\n")))
}

fn superseded() -> AgentError {
    AgentError::caller("stale_run", "This step is not waiting for this command any more.")
}

fn failed(error: ExecutionError) -> AgentError {
    match error {
        ExecutionError::Store(error) => AgentError::internal(error),
        _ => superseded(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_handed_in_as_bash_takes_it() {
        assert_eq!(script(" echo a\r\necho b \n").unwrap(), "echo a\necho b\n");
        assert!(script("echo \0").is_err());
        assert!(script("  ").is_err());
    }

    #[test]
    fn a_script_has_at_most_24_000_bytes() {
        assert_eq!(script(&"x".repeat(MAX_SCRIPT_BYTES - 1)).unwrap().len(), MAX_SCRIPT_BYTES);
        assert!(script(&"x".repeat(MAX_SCRIPT_BYTES)).is_err());
    }
}
