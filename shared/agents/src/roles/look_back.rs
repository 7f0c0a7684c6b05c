//! Lets agents read again what a step contained and printed, page by page.
//!
//! The sections show every script and output only in part, because a model's window is limited. An error in the middle of
//! a long output, or a setting in an earlier script, is in none of them. The tool reads what is stored: no sandbox has to
//! run, nothing runs again, and no approval is needed. Secrets are masked in the whole text before it is cut into pages, so
//! no page begins or ends within one.

use crate::context::AgentContext;
use crate::error::AgentError;
use crate::fence::{fence, plain};
use crate::machines::Machines;
use crate::tools::{Outcome, Tool, Watch, arguments, try_again};
use domain::Scope;
use domain::manual::PAGE_BYTES;
use domain::saved_plan::{PlanAction, PlannedValue, SavedPlan};
use domain::step::{Step, Track};
use serde::Deserialize;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use store::executions::{Execution, Executions};

/// The tool's name.
const LOOK_BACK: &str = "read_step";

/// The most pages in one turn.
const PAGES: usize = 12;

/// The longest line of a page, in bytes; a longer one becomes several.
const LINE_BYTES: usize = 2_000;

/// The rule for reading again, for the prompt of each agent that may.
const RULE: &str = "\
# How you read again
The sections shorten what earlier steps and checks printed, and their scripts. With read_step you read a script, an output or \
a saved Terraform plan in full, page by page. Read it when what you write depends on a part that is left out.";

/// The tool, and the rule for it.
pub(crate) struct LookingBack {
    pub(crate) tool: Option<Box<dyn Tool>>,
    pub(crate) rule: Option<&'static str>,
}

/// Offers the tool for a preparation: a check follows steps that have run, a step may follow others.
pub(crate) fn in_preparation(
    context: &AgentContext,
    scope: Scope,
    execution: &Execution,
    track: Track,
) -> LookingBack {
    match track {
        Track::Validation => offer(context, scope, true),
        _ => offered(context, scope, &[execution]),
    }
}

/// Offers the tool if one of these executions has something to read.
pub(crate) fn offered(
    context: &AgentContext,
    scope: Scope,
    executions: &[&Execution],
) -> LookingBack {
    let has_run = |step: &Step| {
        step.command.is_some() && (has_ended(step) || step.error.is_some() || step.attempt > 1)
    };
    let any = executions.iter().flat_map(|execution| &execution.steps).any(has_run);
    offer(context, scope, any)
}

fn offer(context: &AgentContext, scope: Scope, any: bool) -> LookingBack {
    let tool = any.then(|| {
        let (executions, machines) = (context.executions.clone(), context.machines.clone());
        Box::new(LookBack { executions, machines, scope, pages: AtomicUsize::new(0) }) as _
    });
    LookingBack { tool, rule: any.then_some(RULE) }
}

fn has_ended(step: &Step) -> bool {
    step.phase.has_ended()
}

impl LookingBack {
    /// The prompt with the rule.
    pub(crate) fn rules(&self, prompt: String) -> String {
        match self.rule {
            Some(rule) => format!("{prompt}\n\n{rule}"),
            None => prompt,
        }
    }
}

struct LookBack {
    executions: Executions,
    machines: Option<Arc<dyn Machines>>,
    scope: Scope,
    pages: AtomicUsize,
}

#[derive(Deserialize)]
struct Arguments {
    list: List,
    number: u32,
    part: Part,
    #[serde(default)]
    from: usize,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum List {
    Steps,
    Checks,
    Commands,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Part {
    Script,
    Output,
    Plan,
}

impl List {
    fn track(self) -> Track {
        match self {
            Self::Steps => Track::Execution,
            Self::Checks => Track::Validation,
            Self::Commands => Track::Helper,
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Steps => "step",
            Self::Checks => "check",
            Self::Commands => "command",
        }
    }
}

impl Part {
    fn title(self) -> &'static str {
        match self {
            Self::Script => "script",
            Self::Output => "output",
            Self::Plan => "saved plan",
        }
    }
}

#[async_trait::async_trait]
impl Tool for LookBack {
    fn name(&self) -> &'static str {
        LOOK_BACK
    }

    fn description(&self) -> &'static str {
        "Shows the whole script of a step, the whole output of its last run, or the Terraform plan that it saved, in \
         pages. `list` is steps (of the implementation plan), checks (of the validation plan) or commands (of the DevOps \
         helper)."
    }

    fn schema(&self) -> Value {
        json!({
            "type": "object",
            "properties": {
                "list": {"type": "string", "enum": ["steps", "checks", "commands"]},
                "number": {"type": "integer"},
                "part": {"type": "string", "enum": ["script", "output", "plan"]},
                "from": {"type": "integer", "description": "The first line to show, 0 if it is left out"},
            },
            "required": ["list", "number", "part"],
            "additionalProperties": false,
        })
    }

    async fn run(&self, given: Value, _: &Watch<'_>) -> Result<Outcome, AgentError> {
        let Arguments { list, number, part, from } = arguments(given)?;
        if self.pages.fetch_add(1, Ordering::Relaxed) >= PAGES {
            return Err(try_again(format!(
                "You have read {PAGES} pages, which is all for one reply. Go on with what you know."
            )));
        }
        let what = format!("the {} of {} {number}", part.title(), list.title());
        let executions = self.executions.on(list.track());
        let step = executions.current_step(self.scope, number).await;
        let step = step.map_err(AgentError::internal)?;
        let step =
            step.ok_or_else(|| try_again(format!("There is no {} {number}.", list.title())))?;
        let text = match part {
            Part::Script => step.command.as_ref().map(|command| command.script.clone()),
            Part::Output => Some(self.output(&step).await?),
            Part::Plan => step.saved_plan.as_ref().map(described),
        };
        let text = redaction::mask(&plain(text.unwrap_or_default().trim_end()));
        if text.is_empty() {
            return Err(try_again(format!("There is nothing to read: {what} is empty.")));
        }
        let lines = lines(&text);
        let page = page(&lines, from).ok_or_else(|| {
            try_again(format!("The text has {} lines, and the first one is 0.", lines.len()))
        })?;
        let next = from + page.len();
        let more = match lines.len() > next {
            true => format!("\n\nThere is more: ask again with \"from\": {next}."),
            false => String::new(),
        };
        let shown = fence("command_output", &page.join("\n"));
        let from_line = if from > 0 { format!(", from line {from}") } else { String::new() };
        let answer = format!("{} lines in all.\n\n{}{more}", lines.len(), &*shown);
        Ok(Outcome { summary: format!("Read {what}{from_line}"), answer })
    }
}

impl LookBack {
    /// The output of the step's last run: from its log if the table holds only a part.
    async fn output(&self, step: &Step) -> Result<String, AgentError> {
        let view = step.output.text();
        let run_id = step.run_id.as_ref().filter(|_| has_ended(step) && step.output.omitted() > 0);
        let (Some(machines), Some(run_id)) = (&self.machines, run_id) else { return Ok(view) };
        let log = machines.log(self.scope, run_id).await.map_err(try_again)?;
        Ok(match log {
            None => view,
            Some(log) if !log.cut => log.text,
            Some(log) => {
                let left_out = "[… the log is too long; its middle is left out …]";
                format!("{}\n{left_out}\n{}", log.text, step.output.tail)
            }
        })
    }
}

/// The lines of a text, none longer than [`LINE_BYTES`].
fn lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    for mut line in text.lines() {
        while line.len() > LINE_BYTES {
            let (first, rest) = line.split_at(line.floor_char_boundary(LINE_BYTES));
            lines.push(first);
            line = rest;
        }
        lines.push(line);
    }
    lines
}

/// The lines of one page; `None` if there is no such line.
fn page<'a>(lines: &'a [&'a str], from: usize) -> Option<&'a [&'a str]> {
    let rest = lines.get(from..).filter(|rest| !rest.is_empty())?;
    let mut bytes = 0;
    let fits = rest.iter().take_while(|line| {
        bytes += line.len() + 1;
        bytes <= PAGE_BYTES
    });
    let fits = fits.count();
    Some(&rest[..fits])
}

/// A saved plan in words, like `terraform show`. Sensitive values are not in it.
fn described(plan: &SavedPlan) -> String {
    let SavedPlan { create, update, replace, delete, left_out, .. } = plan;
    let mut text = format!(
        "{create} to create, {update} to update, {replace} to replace, {delete} to delete\n"
    );
    for resource in &plan.resources {
        let action = match resource.action {
            PlanAction::Create => "create",
            PlanAction::Update => "update",
            PlanAction::Replace => "replace",
            PlanAction::Delete => "delete",
        };
        let _ = writeln!(text, "\n{action} {}", resource.address);
        for value in &resource.values {
            let _ = writeln!(text, "  {}", changed(value));
        }
        if resource.left_out > 0 {
            let _ = writeln!(text, "  and {} more", resource.left_out);
        }
    }
    if *left_out > 0 {
        let _ = writeln!(text, "\nand {left_out} more resources");
    }
    text
}

fn changed(value: &PlannedValue) -> String {
    let shown = |text: &Option<String>| text.clone().unwrap_or_else(|| "(none)".to_owned());
    let after = match (value.hidden, value.unknown) {
        (true, _) => return format!("{}: (sensitive)", value.name),
        (false, true) => "(known after apply)".to_owned(),
        (false, false) => shown(&value.after),
    };
    format!("{}: {} -> {after}", value.name, shown(&value.before))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_follow_each_other_without_gap_or_repetition() {
        let text = (0..400).map(|n| format!("{n} {}", "é".repeat(n * 7 % 3_000)));
        let text = text.collect::<Vec<_>>().join("\n");
        let lines = lines(&text);
        let (mut from, mut read) = (0, String::new());
        while let Some(page) = page(&lines, from) {
            assert!(!page.is_empty() && page.join("\n").len() <= PAGE_BYTES);
            read.extend(page.iter().copied());
            from += page.len();
        }
        assert_eq!(read, text.replace('\n', ""));
        assert_eq!(page(&lines, from), None);
    }

    #[test]
    fn a_saved_plan_is_described_without_its_sensitive_values() {
        let plan = json!({"resource_changes": [{"address": "aws_db_instance.a", "mode": "managed",
            "change": {"actions": ["create"], "before": null,
                "after": {"password": "hunter2", "size": 5}, "after_unknown": {"id": true},
                "after_sensitive": {"password": true}}}]});
        let plan = SavedPlan::of("0".into(), Some(plan.to_string().as_bytes()));
        let text = described(&plan);
        assert!(text.starts_with("1 to create, 0 to update"), "{text}");
        for line in ["create aws_db_instance.a\n", "  password: (sensitive)\n"] {
            assert!(text.contains(line), "{text}");
        }
        assert!(text.contains("  id: (none) -> (known after apply)\n"), "{text}");
        assert!(text.contains("  size: (none) -> 5\n") && !text.contains("hunter2"), "{text}");
    }
}
