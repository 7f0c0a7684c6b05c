//! Checks a command that its owner edited.
//!
//! Owners may write what a model may not: they see the gate's findings, but the findings do not stop an edit. The edit
//! is refused only for reasons that apply to every script: it is too long, bash cannot parse it, its proof is missing,
//! or it contains a secret in plain text, which would be stored and shown.

use crate::context::AgentContext;
use crate::error::{AgentError, EarlyEnd};
use crate::roles::propose::{Plan, readable};
use domain::Scope;
use domain::gate::{Checked, Finding, GateVerdict, NotChecked};
use domain::script::{PROOF_LINE, parts};
use domain::step::{
    Command, MAX_SCRIPT_BYTES, MAX_WRITTEN_SCRIPT_BYTES, Step, StepEdit, Track,
    written_script_bytes,
};
use store::executions::Execution;

/// The reason why the sandbox's tools did not check it.
const NOT_ASKED: &str =
    "It looks at what an agent writes, before you are asked. This is your text.";

/// Bash's own parser, which every script must pass here.
const SYNTAX: &str = "bash -n";

/// An owner's text as a command with the gate's verdict, or the reason why it cannot be one.
pub async fn examine_edit(
    context: &AgentContext,
    scope: Scope,
    track: Track,
    edit: &StepEdit,
) -> Result<Command, AgentError> {
    let execution = context.execution(scope, track).await?;
    let step = execution.step(edit.step_number).ok_or_else(no_such_step)?;
    let text = tidy(&edit.script).await?;
    if track == Track::Execution && parts(&text).1.is_none_or(|proof| proof.trim().is_empty()) {
        // The sandbox does not run a step that cannot be proved.
        return Err(refused(format!(
            "The proof is missing. Keep the line \"{PROOF_LINE}\", and below it a command that fails unless the step \
             did its work."
        )));
    }
    let (requirements, environment) =
        futures::try_join!(context.requirements(scope), context.variables(scope))?;
    let asked = format!("{}\n{}\n{}", requirements.content, step.description, step.prompt);
    let (text, unbound) = Plan::of(track, &execution, step.number).bind(&text);
    let mut findings = findings(&text, &asked, &environment, &execution, step);
    findings.extend(unbound);
    findings.extend(weakened(step, &text));
    if let Some(secret) = findings.iter().find(|found| found.tool == gate::SECRETS) {
        return Err(with_secret(secret));
    }
    let checked = [SYNTAX, gate::POLICY, gate::SECRETS, gate::FILES].map(str::to_owned).into();
    let not_asked = |tool: &str| NotChecked { tool: tool.to_owned(), reason: NOT_ASKED.to_owned() };
    let (bench, _) = gate::bench(&text);
    let tools = bench.tools.iter().map(|tool| tool.name.as_str());
    let not_checked = tools.filter(|name| *name != SYNTAX).map(not_asked).collect();
    let command = Command::new(text);
    let checked = Checked { checked, findings, not_checked };
    let verdict = GateVerdict::new(command.sha256.clone(), checked, 0);
    Ok(Command { verdict: Some(verdict), ..command })
}

/// The text as bash reads it: one line break at its end, none of them with a carriage return.
async fn tidy(given: &str) -> Result<String, AgentError> {
    let script = given.replace("\r\n", "\n");
    let script = script.trim_end();
    if script.trim().is_empty() {
        return Err(refused("The script is empty. Write at least one command."));
    }
    let text = format!("{script}\n");
    if text.len() > MAX_SCRIPT_BYTES {
        return Err(refused(format!(
            "The script has {} bytes; {MAX_SCRIPT_BYTES} are allowed. Shorten it.",
            text.len()
        )));
    }
    let written = written_script_bytes(&text);
    if written > MAX_WRITTEN_SCRIPT_BYTES {
        return Err(refused(format!(
            "The script has {written} bytes as JSON; {MAX_WRITTEN_SCRIPT_BYTES} are allowed. Each quote, backslash and \
             line break counts twice. Shorten it."
        )));
    }
    // Bash runs a step and its proof as two scripts.
    let (body, proof) = parts(&text);
    for (what, part) in [("script", Some(body)), ("proof", proof)] {
        let Some(part) = part.filter(|part| !part.trim().is_empty()) else { continue };
        let read = readable(what, part).await;
        read.map_err(|error| refused(error.public_text().replace('`', "")))?;
    }
    Ok(text)
}

fn findings(
    text: &str,
    asked: &str,
    environment: &[String],
    execution: &Execution,
    step: &Step,
) -> Vec<Finding> {
    let before = execution.steps.iter().filter(|other| other.number < step.number);
    let earlier: Vec<&str> =
        before.filter_map(|other| Some(other.command.as_ref()?.script.as_str())).collect();
    let purpose = format!("{}\n{}", step.description, step.prompt);
    // Every step has a proof here, so a script without one is a check.
    let check = parts(text).1.is_none();
    let context = gate::Context { asked, step: &purpose, environment, earlier: &earlier, check };
    gate::examine(text, &context)
}

/// The warning if the owner's proof requires less than the agent's.
fn weakened(step: &Step, text: &str) -> Option<Finding> {
    let shown = step.command.as_ref()?;
    let written = shown.edited.as_ref().map_or(&shown.script, |edited| &edited.written);
    gate::weakened(written, text)
}

fn with_secret(found: &Finding) -> AgentError {
    let line = found.line.map_or_else(|| "A line".to_owned(), |line| format!("Line {line}"));
    let file = found.file.as_deref().map(|file| format!(" of {file}")).unwrap_or_default();
    AgentError::caller(
        EarlyEnd::SecretInScript,
        format!(
            "{line}{file} holds a secret in plain text, so nothing was saved. Add it to your \
             credentials and write its variable instead."
        ),
    )
}

fn refused(detail: impl Into<String>) -> AgentError {
    AgentError::caller(EarlyEnd::InvalidScript, detail)
}

fn no_such_step() -> AgentError {
    AgentError::caller(EarlyEnd::NotFound, "There is no such step.")
}
