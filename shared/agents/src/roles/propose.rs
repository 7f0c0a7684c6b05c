//! The only tool of a preparation: it submits the script of the requested step or check.
//!
//! A person never sees what a machine can reject: a script that bash cannot parse, a script in Markdown, a step without
//! a proof, or a script in which the gate finds errors. The model learns the reason, and may try again [`ROUNDS`]
//! times. Whatever the gate still finds after that is shown to the owner beside the script; a script that cannot be
//! parsed at all is not shown.

mod gate;
mod local;
mod proofs;
mod rollback;
mod saved_plan;
mod script;
mod syntax;

use crate::error::{AgentError, Audience, EarlyEnd};
use crate::machines::Sandbox;
use crate::roles::writable;
use crate::tools::{Outcome, Tool, Watch, arguments, try_again};
use domain::gate::GateVerdict;
use domain::step::{Event, MAX_SCRIPT_BYTES};
use domain::{PlanId, RunId, Scope};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};
use store::executions::{ExecutionError, Executions};

pub(crate) use gate::{Known, complaint, verdict};
pub(crate) use proofs::Proofs;
pub(crate) use rollback::RULES as ROLLBACK_RULES;
pub(crate) use saved_plan::Plan;

/// The words in which the tool differs between the two stages.
pub(crate) struct Wording {
    /// The tool's name; it must have submitted a prepared command.
    pub(crate) tool: &'static str,
    pub(crate) description: &'static str,
    /// "step" or "check".
    pub(crate) thing: &'static str,
    /// The same at the beginning of a line.
    pub(crate) title: &'static str,
    /// Whether a script comes with a proof; a check is itself a proof.
    pub(crate) proved: bool,
}

/// How often a model may submit a better script after a rejection.
pub(crate) const ROUNDS: usize = 3;

/// The longest summary of a command, in characters.
const SUMMARY_CHARS: usize = 300;

/// Belongs to one attempt at one step or check; nothing that the model says can redirect it.
pub(crate) struct ProposeCommand {
    pub(crate) wording: &'static Wording,
    pub(crate) executions: Executions,
    pub(crate) scope: Scope,
    pub(crate) plan_id: PlanId,
    pub(crate) step_number: u32,
    pub(crate) run_id: RunId,
    /// What the gate uses to judge the script besides its text.
    pub(crate) known: Known,
    /// The saved plan that the script may apply.
    pub(crate) plan: Plan,
    /// The sandbox whose tools check the script.
    pub(crate) sandbox: Sandbox,
    /// Whether a script comes with one that rolls the change back.
    pub(crate) with_rollback: bool,
    /// The step's earlier proofs.
    pub(crate) proofs: Proofs,
    /// How many scripts were rejected.
    pub(crate) rejected: AtomicUsize,
}

#[derive(Deserialize)]
struct Arguments {
    /// The step that was asked for, if the model names none.
    step: Option<u32>,
    script: String,
    #[serde(default)]
    proof: String,
    #[serde(default)]
    summary: String,
    #[serde(default)]
    rollback: String,
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
        let mut schema = json!({
            "type": "object",
            "properties": {
                "step": {"type": "integer", "description": format!("Number of the {}", self.wording.thing)},
                "script": {"type": "string", "description": "The bash script, at most 24,000 bytes"},
                "summary": {"type": "string", "description": "What it does, in one sentence"},
            },
            "required": ["step", "script", "summary"],
            "additionalProperties": false,
        });
        if self.wording.proved {
            schema["properties"]["proof"] = json!({"type": "string", "description": PROOF});
            schema["required"] = json!(["step", "script", "proof", "summary"]);
        }
        if self.with_rollback {
            schema["properties"]["rollback"] =
                json!({"type": "string", "description": rollback::ROLLBACK});
            schema["required"] = json!(["step", "script", "proof", "summary", "rollback"]);
        }
        schema
    }

    async fn run(&self, given: Value, watch: &Watch<'_>) -> Result<Outcome, AgentError> {
        let given: Arguments = arguments(given)?;
        let asked = self.step_number;
        if let Some(other) = given.step.filter(|step| *step != asked) {
            let thing = self.wording.thing;
            return Err(try_again(format!("You were asked for {thing} {asked}, not {other}.")));
        }
        let (script, verdict) = self.checked(&given, watch.is_last).await?;
        let rollback = self.rollback_of(&given, watch.is_last).await?;
        let event = Event::Prepared {
            run_id: self.run_id.clone(),
            next_run_id: RunId::random(),
            script,
            verdict: Some(verdict),
            rollback,
        };
        let after = self
            .executions
            .apply(self.scope, &self.plan_id, asked, &event)
            .await
            .map_err(failed)?;
        if !after.changed {
            return Err(superseded());
        }
        let answer = match after.step.phase.is_running() {
            true => "It is the command that was approved before, so it runs now.",
            false => "It waits for the user's approval.",
        };
        let summary: String = given.summary.trim().chars().take(SUMMARY_CHARS).collect();
        let summary = if summary.is_empty() { "Command proposed".to_owned() } else { summary };
        Ok(Outcome {
            summary: format!("{} {asked}: {summary}", self.wording.title),
            answer: answer.to_owned(),
        })
    }
}

/// The prompt's definition of a proof.
const PROOF: &str = "A bash script that runs after the script, reads and changes nothing, and exits with 0 only if the \
                     step did its work";

impl ProposeCommand {
    /// The text that a person approves and the sandbox runs, and the automatic checks' verdict on it. If the model has no
    /// further call to correct it, its owner sees it with the findings.
    async fn checked(
        &self,
        given: &Arguments,
        is_last: bool,
    ) -> Result<(String, GateVerdict), AgentError> {
        let readable = match self.wording.proved {
            true => proved(given).await,
            false => readable("script", &given.script).await,
        };
        let text =
            readable.map_err(|error| match self.rejected.fetch_add(1, Ordering::Relaxed) {
                _ if error.audience() != Audience::Model => error,
                rounds if rounds < ROUNDS => error,
                _ => AgentError::caller(
                    EarlyEnd::BadScript,
                    format!(
                        "The AI model wrote no usable script in {} tries. The last one: {error}",
                        ROUNDS + 1
                    ),
                ),
            })?;
        let rounds = self.rejected.load(Ordering::Relaxed);
        let (text, unbound) = self.plan.bind(&text);
        let verdict = gate::verdict(&self.sandbox, self.scope, &self.known, &text, rounds).await;
        let verdict = verdict.with(unbound);
        let weaker = self.proofs.weaker(&text);
        if rounds < ROUNDS && !is_last {
            let told =
                gate::complaint(&verdict).into_iter().chain(self.proofs.tell(weaker.as_ref()));
            let complaint = told.collect::<Vec<_>>().join("\n");
            if !complaint.is_empty() {
                self.rejected.fetch_add(1, Ordering::Relaxed);
                self.proofs.keep(&text, &verdict);
                return Err(try_again(complaint));
            }
        }
        Ok((text, verdict.with(weaker)))
    }
}

/// A script without Markdown that bash can read.
pub(crate) async fn readable(what: &str, given: &str) -> Result<String, AgentError> {
    let script = script::clean(what, given)?;
    syntax::check(what, &script).await?;
    Ok(script)
}

/// A script and its proof in one text.
async fn proved(given: &Arguments) -> Result<String, AgentError> {
    let script = readable("script", &given.script).await?;
    if given.proof.trim().is_empty() {
        return Err(try_again(format!("`proof` is missing. {PROOF}. Call again with both.")));
    }
    let proof = readable("proof", &given.proof).await?;
    if !script::can_fail(&proof) {
        return Err(try_again(format!("`proof` cannot fail, so it proves nothing. {PROOF}.")));
    }
    let text = domain::script::with_proof(&script, &proof).ok_or_else(|| {
        try_again(format!(
            "Leave out the line `{}`; it is added for you.",
            domain::script::PROOF_LINE
        ))
    })?;
    match text.len() {
        n if n > MAX_SCRIPT_BYTES => Err(try_again(format!(
            "`script` and `proof` have {n} bytes together, {MAX_SCRIPT_BYTES} are allowed. Write them shorter."
        ))),
        _ => writable(&text, "script` and `proof").map(str::to_owned),
    }
}

fn superseded() -> AgentError {
    AgentError::caller(EarlyEnd::StaleRun, "This step is no longer waiting for this command.")
}

fn failed(error: ExecutionError) -> AgentError {
    match error {
        ExecutionError::Store(error) => AgentError::internal(error),
        _ => superseded(),
    }
}
