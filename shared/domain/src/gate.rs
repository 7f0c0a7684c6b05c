//! The findings of automatic checks in a script, made before its owner sees it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The most findings that are stored with a script.
pub const MAX_FINDINGS: usize = 30;

/// The longest message of a finding, in characters.
pub const MAX_MESSAGE_CHARS: usize = 300;

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The script fails or does harm: its author has to fix it.
    Error,
    /// Worth a look, but no reason to send the script back to its author.
    Warning,
}

/// A finding of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Finding {
    /// The tool, or `policy`.
    pub tool: String,
    /// The file that the script writes; absent for the script itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line in that file or in the script, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Its severity.
    pub severity: Severity,
    /// The problem, for people and for the model that wrote the script.
    pub message: String,
}

/// A check that applies to the script but did not run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NotChecked {
    /// The tool.
    pub tool: String,
    /// Why it did not run.
    pub reason: String,
}

/// The findings of some tools in a script.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checked {
    /// The tools that checked the script.
    pub checked: Vec<String>,
    /// Their findings.
    pub findings: Vec<Finding>,
    /// The tools that apply to the script but did not check it.
    pub not_checked: Vec<NotChecked>,
}

/// The verdict in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GateOutcome {
    /// Every applicable check ran and found nothing.
    Passed,
    /// There are findings.
    Findings,
    /// Nothing was found, but a check did not run.
    NotChecked,
}

/// The verdict of automatic checks on a script.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GateVerdict {
    /// SHA-256 of the script that was checked, hexadecimal.
    pub sha256: String,
    /// The outcome in one word.
    pub outcome: GateOutcome,
    /// The checks that ran.
    pub checked: Vec<String>,
    /// Their findings, worst first; at most 30.
    pub findings: Vec<Finding>,
    /// The checks that apply but did not run.
    pub not_checked: Vec<NotChecked>,
    /// How many scripts went back to the model before this one.
    pub rounds: u32,
}

impl Finding {
    /// A finding whose message is cut to the stored length.
    pub fn new(tool: &str, severity: Severity, message: impl Into<String>) -> Self {
        let message: String = message.into();
        let message = message.trim().chars().take(MAX_MESSAGE_CHARS).collect();
        Self { tool: tool.to_owned(), file: None, line: None, severity, message }
    }

    /// The same with a place; without a file, the finding refers to the script.
    #[must_use]
    pub fn at(self, file: Option<&str>, line: usize) -> Self {
        let line = u32::try_from(line).ok().filter(|line| *line > 0);
        Self { file: file.map(str::to_owned), line, ..self }
    }

    /// Whether the finding sends the script back to the model.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl GateVerdict {
    /// The verdict on a script, from the checks that ran, their findings, and the checks that did not run.
    pub fn new(
        sha256: String,
        Checked { mut checked, mut findings, not_checked }: Checked,
        rounds: u32,
    ) -> Self {
        findings.sort_by(|a, b| {
            let key = |f: &Finding| (f.severity, f.file.clone(), f.line, f.message.clone());
            key(a).cmp(&key(b))
        });
        findings.dedup();
        findings.truncate(MAX_FINDINGS);
        checked.sort();
        checked.dedup();
        let outcome = match (findings.is_empty(), not_checked.is_empty()) {
            (false, _) => GateOutcome::Findings,
            (true, false) => GateOutcome::NotChecked,
            (true, true) => GateOutcome::Passed,
        };
        Self { sha256, outcome, checked, findings, not_checked, rounds }
    }

    /// The same with another finding, if there is one.
    #[must_use]
    pub fn with(self, finding: Option<Finding>) -> Self {
        let Self { sha256, checked, mut findings, not_checked, rounds, .. } = self;
        findings.extend(finding);
        Self::new(sha256, Checked { checked, findings, not_checked }, rounds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(findings: Vec<Finding>, not_checked: Vec<NotChecked>) -> GateVerdict {
        let checked = vec!["policy".to_owned()];
        GateVerdict::new("s".into(), Checked { checked, findings, not_checked }, 0)
    }

    #[test]
    fn an_unchecked_script_has_not_passed() {
        let skipped =
            NotChecked { tool: "shellcheck".into(), reason: "It is not installed.".into() };
        assert_eq!(verdict(vec![], vec![]).outcome, GateOutcome::Passed);
        assert_eq!(verdict(vec![], vec![skipped.clone()]).outcome, GateOutcome::NotChecked);
        let found = Finding::new("policy", Severity::Warning, "x");
        assert_eq!(verdict(vec![found], vec![skipped]).outcome, GateOutcome::Findings);
    }

    #[test]
    fn the_worst_findings_are_kept() {
        let mut found: Vec<_> =
            (0..60).map(|n| Finding::new("a", Severity::Warning, format!("{n}"))).collect();
        found.push(Finding::new("b", Severity::Error, "x".repeat(1000)));
        let kept = verdict(found, vec![]).findings;
        assert_eq!(kept.len(), MAX_FINDINGS);
        assert_eq!((kept[0].severity, kept[0].message.len()), (Severity::Error, MAX_MESSAGE_CHARS));
    }
}
