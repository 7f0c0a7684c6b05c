//! What automatic checks find in a script before its owner sees it.

use crate::cut::{cut, cut_start};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The most findings that are stored with a script.
pub const MAX_FINDINGS: usize = 30;

/// The longest message of a finding, in characters.
pub const MAX_FINDING_CHARS: usize = 300;

/// The longest name of a file in a finding, in characters. A script chooses the names of the files that it writes.
pub const MAX_FILE_CHARS: usize = 200;

/// The longest name of a tool, in characters.
pub const MAX_TOOL_CHARS: usize = 60;

/// The most tools that a verdict names as having run, and the most that it names as not having run.
pub const MAX_TOOLS: usize = 30;

/// The most bytes of the texts of all findings: a step keeps the verdicts on its command and on its rollback.
pub const MAX_FINDINGS_BYTES: usize = 16_000;

/// The same for the tools that did not run, with their reasons.
pub const MAX_NOT_CHECKED_BYTES: usize = 6_000;

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

/// Leaves out the last elements until the texts of the others have at most this many bytes.
fn within<T>(list: &mut Vec<T>, most: usize, bytes: impl Fn(&T) -> usize) {
    let mut sum = 0;
    list.retain(|element| {
        sum += bytes(element);
        sum <= most
    });
}

impl NotChecked {
    fn bytes(&self) -> usize {
        self.tool.len() + self.reason.len()
    }
}

impl Checked {
    /// The same with texts of a bounded length.
    fn bounded(self) -> Self {
        let finding = |found: Finding| Finding {
            tool: cut(&found.tool, MAX_TOOL_CHARS),
            file: found.file.map(|file| cut_start(&file, MAX_FILE_CHARS)),
            message: cut(&found.message, MAX_FINDING_CHARS),
            ..found
        };
        let skipped = |skipped: NotChecked| NotChecked {
            tool: cut(&skipped.tool, MAX_TOOL_CHARS),
            reason: cut(&skipped.reason, MAX_FINDING_CHARS),
        };
        Self {
            checked: self.checked.iter().map(|tool| cut(tool, MAX_TOOL_CHARS)).collect(),
            findings: self.findings.into_iter().map(finding).collect(),
            not_checked: self.not_checked.into_iter().map(skipped).collect(),
        }
    }
}

impl Finding {
    /// A finding whose message is cut to the stored length.
    pub fn new(tool: &str, severity: Severity, message: impl Into<String>) -> Self {
        let message: String = message.into();
        let message = message.trim().chars().take(MAX_FINDING_CHARS).collect();
        Self { tool: tool.to_owned(), file: None, line: None, severity, message }
    }

    /// The same with a place; without a file, the finding refers to the script.
    #[must_use]
    pub fn at(self, file: Option<&str>, line: usize) -> Self {
        let line = u32::try_from(line).ok().filter(|line| *line > 0);
        Self { file: file.map(str::to_owned), line, ..self }
    }

    fn bytes(&self) -> usize {
        self.tool.len() + self.file.as_ref().map_or(0, String::len) + self.message.len()
    }

    /// Whether the finding sends the script back to the model.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl GateVerdict {
    /// The verdict on a script, from the checks that ran, their findings, and the checks that did not run. Sandboxes
    /// and scripts choose some of these texts, so each is cut to its stored length.
    pub fn new(sha256: String, checked: Checked, rounds: u32) -> Self {
        let Checked { mut checked, mut findings, mut not_checked } = checked.bounded();
        findings.sort_by(|a, b| {
            let key = |f: &Finding| (f.severity, f.file.clone(), f.line, f.message.clone());
            key(a).cmp(&key(b))
        });
        findings.dedup();
        findings.truncate(MAX_FINDINGS);
        within(&mut findings, MAX_FINDINGS_BYTES, Finding::bytes);
        checked.sort();
        checked.dedup();
        checked.truncate(MAX_TOOLS);
        not_checked.truncate(MAX_TOOLS);
        within(&mut not_checked, MAX_NOT_CHECKED_BYTES, NotChecked::bytes);
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
    fn the_texts_of_a_verdict_are_bounded_whoever_chose_them() {
        let long = "𝄞".repeat(30_000);
        let found = Finding {
            tool: long.clone(),
            file: Some(format!("{long}/main.tf")),
            line: None,
            severity: Severity::Error,
            message: long.clone(),
        };
        let skipped = NotChecked { tool: long.clone(), reason: long };
        let kept = verdict(vec![found], vec![skipped.clone(); 100]);
        let finding = &kept.findings[0];
        let file = finding.file.as_ref().unwrap();
        assert_eq!(file.chars().count(), MAX_FILE_CHARS);
        assert!(file.starts_with('…') && file.ends_with("/main.tf"), "{file}");
        assert_eq!(finding.message.chars().count(), MAX_FINDING_CHARS);
        assert_eq!(finding.tool.chars().count(), MAX_TOOL_CHARS);
        let bytes: usize = kept.not_checked.iter().map(NotChecked::bytes).sum();
        assert!(!kept.not_checked.is_empty() && bytes <= MAX_NOT_CHECKED_BYTES, "{bytes}");
    }

    #[test]
    fn the_worst_findings_are_kept() {
        let mut found: Vec<_> =
            (0..60).map(|n| Finding::new("a", Severity::Warning, format!("{n}"))).collect();
        found.push(Finding::new("b", Severity::Error, "x".repeat(1000)));
        let kept = verdict(found, vec![]).findings;
        assert_eq!(kept.len(), MAX_FINDINGS);
        assert_eq!((kept[0].severity, kept[0].message.len()), (Severity::Error, MAX_FINDING_CHARS));
    }
}
