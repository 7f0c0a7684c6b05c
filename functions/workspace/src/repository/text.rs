//! Writes the text of a pull request: what was asked for, how it is done, and who approved which script with what
//! result.
//!
//! The text comes from models and people, and GitHub acts on some of it: it notifies the account that an `@` names, and
//! `closes #1` closes an issue. So this module breaks up both, and replaces whatever still looks like a secret with
//! stars.

use crate::App;
use domain::Scope;
use domain::audit::DecisionRecord;
use domain::change::{Change, ChangeKind, FIRST};
use domain::plan::Plan;
use domain::project::Project;
use domain::requirement::Coverage;
use domain::secret_token::sha256_hex;
use domain::step::{Step, StepStatus, Track};
use http_kit::ApiError;
use redaction::mask;
use std::fmt::Write;
use store::evidence;
use store::executions::Execution;
use store::plans::PlanKind;

/// The longest title, in characters.
const TITLE_CHARS: usize = 72;
/// How much of the plan is shown, in characters: GitHub accepts 65,536 for the whole text.
const PLAN_CHARS: usize = 20_000;
/// The longest text, in characters.
const BODY_CHARS: usize = 60_000;

/// Everything that the text of a change is written from.
pub(super) struct Story {
    pub change: Change,
    project: Project,
    plan: Plan,
    steps: Execution,
    checks: Execution,
    requirements: Vec<Coverage>,
    decisions: Vec<DecisionRecord>,
}

impl App {
    /// The story of the current change; `None` if the project is gone.
    pub(super) async fn story(&self, scope: Scope) -> Result<Option<Story>, ApiError> {
        let Some(project) = self.projects.get(scope).await? else { return Ok(None) };
        let steps = self.executions.on(Track::Execution);
        let checks = self.executions.on(Track::Validation);
        let audit = self.executions.audit();
        let (changes, plan, steps, checks, evidence, decisions) = tokio::try_join!(
            self.changes.list(scope),
            self.plans.get(scope, PlanKind::Implementation),
            steps.load(scope),
            checks.load(scope),
            evidence::of_requirements(&self.plans, &self.executions, scope),
            audit.decisions(scope),
        )?;
        let changes = changes.unwrap_or_default();
        let Some(current) = changes.into_iter().find(|listed| listed.current) else {
            return Ok(None);
        };
        Ok(Some(Story {
            change: current.change,
            project,
            plan: plan.unwrap_or_default(),
            steps: steps.unwrap_or_default(),
            checks: checks.unwrap_or_default(),
            requirements: evidence.requirements,
            decisions,
        }))
    }
}

impl Story {
    /// The title of the pull request and of its commits.
    pub fn title(&self) -> String {
        let number = self.change.number;
        let title = match self.change.kind {
            ChangeKind::TearDown => format!("Change {number}: tear everything down"),
            ChangeKind::Change if number == FIRST => format!("Build {}", self.project.name),
            ChangeKind::Change => format!("Change {number}: {}", self.change.wish),
        };
        let line: String = harmless(&title).split_whitespace().collect::<Vec<_>>().join(" ");
        cut(&line, TITLE_CHARS)
    }

    /// The text of the pull request.
    pub fn body(&self) -> String {
        let mut body = String::new();
        let wish = match self.change.wish.as_str() {
            "" => self.project.description.as_deref().unwrap_or_default(),
            wish => wish,
        };
        let number = self.change.number;
        let _ = writeln!(body, "Change {number} of the project {}.\n", cell(&self.project.name));
        if !wish.is_empty() {
            let _ = writeln!(body, "> {}\n", cell(wish));
        }
        if !self.requirements.is_empty() {
            body.push_str("## Requirements\n\n| id | asked | state |\n|---|---|---|\n");
            for Coverage { id, wish, verdict, .. } in &self.requirements {
                let _ = writeln!(body, "| {id} | {} | {} |", cell(wish), verdict.in_words());
            }
            body.push('\n');
        }
        if self.steps.is_rolled_back() {
            let undone = match self.steps.rollback.as_ref().map(Step::status) {
                Some(StepStatus::Completed) => "was rolled back: what its steps did is undone",
                _ => "is being rolled back: what its steps did is being undone",
            };
            let _ = writeln!(body, "**This change {undone}.**\n");
        }
        self.table(&mut body, "Steps", Track::Execution, &self.steps.steps);
        self.table(&mut body, "Checks", Track::Validation, &self.checks.steps);
        if !self.plan.text.is_empty() {
            let plan = cut(&self.plan.text, PLAN_CHARS);
            let _ = writeln!(body, "<details><summary>The plan</summary>\n\n{plan}\n\n</details>");
        }
        cut(&harmless(&body), BODY_CHARS)
    }

    /// SHA-256 of both; a push names by it what its owner saw.
    pub fn sha256(&self) -> String {
        // A title is one line, so the first line break ends it.
        sha256_hex(format!("{}\n{}", self.title(), self.body()).as_bytes())
    }

    fn table(&self, body: &mut String, title: &str, track: Track, steps: &[Step]) {
        if steps.is_empty() {
            return;
        }
        let _ = writeln!(
            body,
            "## {title}\n\n| # | what | result | approved by | script (SHA-256) |\n|---|---|---|---|---|"
        );
        for step in steps {
            let result = step.status().as_str().replace('_', " ");
            let by = self.approver(track, step);
            let script = step.command.as_ref().map(|command| command.sha256.as_str());
            let script = script.map(|sha256| format!("`{sha256}`")).unwrap_or_default();
            let (number, what) = (step.number, cell(&step.description));
            let _ = writeln!(body, "| {number} | {what} | {result} | {by} | {script} |");
        }
        body.push('\n');
    }

    /// Who approved the script of a step's row.
    fn approver(&self, track: Track, step: &Step) -> &str {
        match self.decisions.iter().find(|decision| decision.approves(track, step)) {
            Some(approval) => &approval.by.login,
            None if step.reading.is_some() => "not needed: it only reads",
            None => "not approved",
        }
    }
}

/// A text without secrets, on which GitHub does not act.
fn harmless(text: &str) -> String {
    let text = mask(text).replace("GH-", "GH\u{200b}-");
    let mut harmless = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        harmless.push(c);
        let next = chars.peek().copied().unwrap_or(' ');
        // Add a zero-width character after the sign: people see the same text, but GitHub finds no name and no number.
        if (c == '@' && next.is_alphanumeric()) || (c == '#' && next.is_ascii_digit()) {
            harmless.push('\u{200b}');
        }
    }
    harmless
}

/// A text for a cell of a table.
fn cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

fn cut(text: &str, chars: usize) -> String {
    if text.chars().count() <= chars {
        return text.to_owned();
    }
    let kept: String = text.chars().take(chars.saturating_sub(1)).collect();
    format!("{kept}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn github_notifies_no_account_and_closes_no_issue() {
        let text = harmless("# Plan\n\ncloses #1, a/b#22 and GH-3; thanks @octocat and @org/team");
        for acted_on in ["#1", "#22", "GH-3", "@octocat", "@org"] {
            assert!(!text.contains(acted_on), "{acted_on}: {text}");
        }
        assert!(text.starts_with("# Plan\n"), "{text}");
    }

    #[test]
    fn a_secret_is_masked_and_text_stays_within_its_table_cell() {
        let key = format!("AKIA{}", "IOSFODNN7ABCDEFG");
        assert!(!harmless(&format!("key {key}")).contains(&key));
        assert_eq!(cell("a | b\n| c"), "a \\| b \\| c");
        assert_eq!(cut("abcdef", 4), "abc…");
        assert_eq!(cut("abcd", 4), "abcd");
    }
}
