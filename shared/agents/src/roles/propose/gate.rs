//! The gate: automatic checks of a script before its owner sees it.

use super::local;
use crate::context::AgentContext;
use crate::error::AgentError;
use crate::machines::Sandbox;
use domain::Scope;
use domain::chat::{Message, Role};
use domain::gate::{Checked, Finding, GateVerdict, NotChecked};
use domain::secret_token::sha256_hex;
use domain::step::Step;
use std::fmt::Write;
use store::executions::Execution;

/// The check that every script passes first.
pub(super) const SYNTAX: &str = "bash -n";

/// How many of the user's latest messages can allow a command of the helper to destroy something.
const SAID_MESSAGES: usize = 10;

/// The most findings that go back to the model at once.
const TOLD: usize = 12;

/// What is known about a script's place, besides its text.
#[derive(Debug, Clone, Default)]
pub(crate) struct Known {
    asked: String,
    pub(super) step: String,
    environment: Vec<String>,
    pub(super) earlier: Vec<String>,
    check: bool,
}

impl Known {
    /// What its owner asked for, in the requirements and in the chat, what the step is for, and what ran before it.
    pub(crate) async fn of(
        context: &AgentContext,
        scope: Scope,
        execution: &Execution,
        step: &Step,
        chat: &[Message],
    ) -> Result<Self, AgentError> {
        let (requirements, environment, mut earlier) = futures::try_join!(
            context.requirements(scope),
            context.variables(scope),
            standing(context, scope)
        )?;
        let purpose = format!("{}\n{}", step.description, step.prompt);
        let mut asked = format!("{}\n{purpose}", requirements.content);
        for text in said(chat) {
            asked.push('\n');
            asked.push_str(text);
        }
        if let Some(reason) = &step.rejection {
            asked.push('\n');
            asked.push_str(reason);
        }
        let before = execution.steps.iter().filter(|other| other.number < step.number);
        earlier.extend(before.filter_map(script));
        Ok(Self { asked, step: purpose, environment, earlier, check: false })
    }

    /// The same for a check, or for a step, which has a proof.
    #[must_use]
    pub(crate) fn of_check(self, check: bool) -> Self {
        Self { check, ..self }
    }

    /// What is known besides a command of the helper: what was asked for, and the names of the credentials.
    pub(crate) async fn of_project(
        context: &AgentContext,
        scope: Scope,
    ) -> Result<Self, AgentError> {
        let (requirements, environment) =
            futures::try_join!(context.requirements(scope), context.variables(scope))?;
        Ok(Self { asked: requirements.content, environment, ..Self::default() })
    }

    /// The same with the user's latest words, which alone can allow a command to destroy something.
    pub(crate) fn with_said(&self, messages: &[Message]) -> Self {
        let last: Vec<&str> = said(messages).rev().take(SAID_MESSAGES).collect();
        let step = last.join("\n");
        Self { asked: format!("{}\n{step}", self.asked), step, ..self.clone() }
    }

    /// The same on a server. Its environment is not known, so each variable that a command names counts as set.
    pub(crate) fn on_server(&self, command: &str) -> Self {
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let named = command.split('$').skip(1).map(|rest| {
            let rest = rest.strip_prefix('{').unwrap_or(rest);
            rest.split(|c| !is_of_name(c)).next().unwrap_or_default().to_owned()
        });
        Self { environment: named.filter(|name| !name.is_empty()).collect(), ..self.clone() }
    }
}

fn script(step: &Step) -> Option<String> {
    Some(step.command.as_ref()?.script.clone())
}

/// The scripts of the changes on which this one builds, oldest first: the files that they wrote are in the workspace.
async fn standing(context: &AgentContext, scope: Scope) -> Result<Vec<String>, AgentError> {
    let changes = &context.changes;
    let mut change = changes.under_way(scope).await.map_err(AgentError::internal)?;
    let mut newest_first: Vec<Vec<String>> = Vec::new();
    while let Some(below) = change.map(|change| change.on_top_of).filter(|number| *number > 0) {
        let (past, next) =
            futures::try_join!(changes.past(scope, below), changes.get(scope, below))
                .map_err(AgentError::internal)?;
        let steps = past.map(|past| past.execution.steps).unwrap_or_default();
        newest_first.push(steps.iter().filter_map(script).collect());
        // Each change builds on an earlier one, so this ends.
        change = next.filter(|next| next.on_top_of < below);
    }
    Ok(newest_first.into_iter().rev().flatten().collect())
}

/// The user's own words.
fn said(messages: &[Message]) -> impl DoubleEndedIterator<Item = &str> {
    let own = messages.iter().filter(|message| message.role == Role::User);
    own.map(|message| message.text.as_str())
}

/// The automatic checks' verdict on a text: this crate's own reading, and the sandbox's tools if there is a sandbox.
pub(crate) async fn verdict(
    sandbox: &Sandbox,
    scope: Scope,
    known: &Known,
    text: &str,
    rounds: usize,
) -> GateVerdict {
    let earlier: Vec<&str> = known.earlier.iter().map(String::as_str).collect();
    let context = gate::Context {
        asked: &known.asked,
        step: &known.step,
        environment: &known.environment,
        earlier: &earlier,
        check: known.check,
    };
    let mut checked = in_sandbox(sandbox, scope, text).await;
    let here = local::check(text, |tool| !has_looked(&checked, tool)).await;
    checked.not_checked.retain(|left| !here.checked.contains(&left.tool));
    checked.checked.extend(here.checked);
    // The sandbox's bash parses written scripts as well.
    let new = here.findings.into_iter().filter(|found| !checked.findings.contains(found));
    let new: Vec<Finding> = new.collect();
    checked.findings.extend(new);
    // A script that bash cannot read never gets here.
    if !has_looked(&checked, SYNTAX) {
        checked.checked.push(SYNTAX.to_owned());
    }
    checked.not_checked.retain(|left| left.tool != SYNTAX);
    checked.checked.extend([gate::POLICY, gate::SECRETS, gate::FILES].map(str::to_owned));
    checked.findings.extend(gate::examine(text, &context));
    GateVerdict::new(
        sha256_hex(text.as_bytes()),
        checked,
        u32::try_from(rounds).unwrap_or(u32::MAX),
    )
}

/// The findings of the sandbox's tools; if there is no sandbox, all tools are listed as not checked.
async fn in_sandbox(sandbox: &Sandbox, scope: Scope, text: &str) -> Checked {
    let (laid_out, left_out) = gate::bench(text);
    let tools: Vec<String> = laid_out.tools.iter().map(|tool| tool.name.clone()).collect();
    let mut checked = sandbox.check(scope, laid_out).await.unwrap_or_else(|reason| {
        let reason = format!("Not checked in the sandbox: {reason}");
        let left = |tool| NotChecked { tool, reason: reason.clone() };
        Checked { not_checked: tools.into_iter().map(left).collect(), ..Checked::default() }
    });
    checked.not_checked.extend(left_out);
    checked
}

/// Whether a tool has checked the script, with or without its version.
fn has_looked(checked: &Checked, tool: &str) -> bool {
    checked.checked.iter().any(|name| {
        let rest = name.strip_prefix(tool);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    })
}

/// What the model must correct; `None` if nothing. Warnings alone do not cost another round: they are shown to the owner.
/// Beside errors they go back, too, because the model writes the script again anyway.
pub(crate) fn complaint(verdict: &GateVerdict) -> Option<String> {
    let errors: Vec<&Finding> = verdict.findings.iter().filter(|found| found.is_error()).collect();
    if errors.is_empty() {
        return None;
    }
    let mut text =
        "Machines checked the script and found what must be fixed before its owner sees it:\n"
            .to_owned();
    errors.iter().take(TOLD).for_each(|found| tell(&mut text, found));
    if errors.len() > TOLD {
        let _ = writeln!(text, "- and {} more", errors.len() - TOLD);
    }
    let warnings: Vec<&Finding> =
        verdict.findings.iter().filter(|found| !found.is_error()).take(TOLD).collect();
    if !warnings.is_empty() {
        text.push_str("They warn of this as well:\n");
        warnings.iter().for_each(|found| tell(&mut text, found));
    }
    text.push_str("Mend them and call again with the whole script.");
    Some(text)
}

/// Adds a finding to a text for the model.
fn tell(text: &mut String, found: &Finding) {
    let place = found.file.as_deref().unwrap_or("the script");
    let line = found.line.map(|line| format!(", line {line}")).unwrap_or_default();
    let _ = writeln!(text, "- {place}{line} ({}): {}", found.tool, found.message);
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::gate::Severity;

    fn finding(severity: Severity, message: &str) -> Finding {
        let (tool, message) = ("ansible-lint".to_owned(), message.to_owned());
        Finding { tool, file: Some("site.yml".to_owned()), line: Some(3), severity, message }
    }

    fn of(findings: Vec<Finding>) -> Option<String> {
        complaint(&GateVerdict::new("0".repeat(64), Checked { findings, ..Checked::default() }, 0))
    }

    #[test]
    fn warnings_go_back_beside_errors_and_never_alone() {
        let (error, warning) =
            (finding(Severity::Error, "no such module"), finding(Severity::Warning, "name it"));
        assert_eq!(of(vec![warning.clone()]), None);
        assert!(!of(vec![error.clone()]).unwrap().contains("warn"));
        let both = of(vec![warning, error]).unwrap();
        let lines: Vec<&str> = both.lines().collect();
        assert_eq!(lines[1], "- site.yml, line 3 (ansible-lint): no such module");
        assert_eq!(
            lines[2..4],
            ["They warn of this as well:", "- site.yml, line 3 (ansible-lint): name it"]
        );
    }
}
