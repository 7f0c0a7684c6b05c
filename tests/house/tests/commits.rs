//! Checks the subjects of commits.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use house_tests::git;

/// The most characters of a subject.
const LONGEST: usize = 72;
/// The last commit before this check. Earlier subjects stay as they are.
const BEFORE: &str = "3bb8526deafc8ac68b7355023b3c57f5b662a9c4";

/// Why a subject breaks the rule.
fn wrong(subject: &str) -> Option<String> {
    let length = subject.chars().count();
    if length > LONGEST {
        return Some(format!("{length} characters"));
    }
    subject.ends_with('.').then(|| "ends with a period".to_owned())
}

/// The commits to check, each with its abbreviated hash: those since the check began, or the newest one if the history
/// does not go back so far, as in a shallow clone. Merges are left out, because Git writes their subjects.
fn commits() -> Vec<(String, String)> {
    let known = git(&["merge-base", "--is-ancestor", BEFORE, "HEAD"]).is_some();
    let range = if known { format!("{BEFORE}..HEAD") } else { "-1".to_owned() };
    // A repository without a commit has none to check.
    let log = git(&["log", "--no-merges", "--format=%h %s", &range]).unwrap_or_default();
    let lines = log.lines().filter_map(|line| line.split_once(' '));
    lines.map(|(hash, subject)| (hash.to_owned(), subject.to_owned())).collect()
}

#[test]
fn a_subject_has_at_most_72_characters_and_no_period_at_its_end() {
    let checked = commits().into_iter();
    let found: Vec<String> = checked
        .filter_map(|(hash, subject)| Some(format!("{hash}: {}: {subject}", wrong(&subject)?)))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn long_subjects_and_periods_are_found() {
    assert_eq!(wrong("Refuse approvals of a finished attempt"), None);
    assert_eq!(wrong(&"é".repeat(LONGEST)), None);
    assert!(wrong(&"e".repeat(LONGEST + 1)).is_some());
    assert!(wrong("Refuse approvals.").is_some());
}
