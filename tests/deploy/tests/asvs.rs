//! Checks that the map of the OWASP ASVS in `docs/security/asvs.md` is complete, and that the tests and files it
//! names exist.
use deploy_tests::{repository, text};
use std::collections::{BTreeMap, BTreeSet};

/// The allowed states of a requirement.
const STANDS: [&str; 4] = ["met", "partly", "not met", "not applicable"];

/// A requirement's row.
struct Row {
    id: String,
    level: String,
    stands: String,
    why: String,
}

fn rows() -> Vec<Row> {
    let map = text("docs/security/asvs.md");
    let rows = map.lines().filter(|line| line.starts_with("| V"));
    rows.map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [id, level, about, stands, why] = cells[..] else { panic!("not five cells: {line}") };
        assert!(!about.is_empty() && !why.is_empty(), "{id} has a blank");
        let (id, level) = (id.to_owned(), level.to_owned());
        Row { id, level, stands: stands.to_owned(), why: why.to_owned() }
    })
    .collect()
}

/// The texts between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// A test by its file and name: `tests/api/tests/x.rs::a_sentence`.
fn named_test(quoted: &str) -> Option<(&str, &str)> {
    quoted.split_once("::").filter(|(file, _)| file.ends_with(".rs"))
}

#[test]
fn every_requirement_of_both_levels_has_one_row_and_no_row_is_made_up() {
    let listed = text("docs/security/asvs-5.0.0.txt");
    let listed: BTreeMap<&str, &str> = listed
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_once(' ').unwrap())
        .collect();
    assert_eq!(listed.len(), 253, "the number of requirements in levels 1 and 2 of 5.0.0");
    let rows = rows();
    let mapped: BTreeMap<&str, &str> =
        rows.iter().map(|row| (row.id.as_str(), row.level.as_str())).collect();
    assert_eq!(mapped.len(), rows.len(), "a requirement has two rows");
    assert_eq!(mapped, listed);
}

#[test]
fn every_row_has_a_state_and_the_sums_are_right() {
    let rows = rows();
    for row in &rows {
        assert!(STANDS.contains(&row.stands.as_str()), "{}: {:?}", row.id, row.stands);
    }
    let sums = STANDS.map(|stands| rows.iter().filter(|row| row.stands == stands).count());
    let line = format!("| {} |", sums.map(|sum| sum.to_string()).join(" | "));
    assert!(text("docs/security/asvs.md").contains(&line), "the sums are {line}");
}

#[test]
fn every_named_test_and_file_exists() {
    let mut missing = BTreeSet::new();
    let mut tests = 0;
    for row in rows() {
        for name in quoted(&row.why) {
            if let Some((file, function)) = named_test(name) {
                tests += 1;
                let source = std::fs::read_to_string(repository().join(file)).unwrap_or_default();
                let is_test = source.match_indices(&format!("fn {function}(")).any(|(at, _)| {
                    let before = source[..at].trim_end_matches("async ").trim_end();
                    before.ends_with(']') && before.contains("test")
                });
                if !is_test {
                    missing.insert(format!("{}: {name}", row.id));
                }
            } else if is_path(name) && !repository().join(name).exists() {
                missing.insert(format!("{}: {name}", row.id));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(tests > 100, "the tests were not found: {tests}");
}

/// Whether a quoted word is a file or a folder of the repository; routes begin with a slash.
fn is_path(word: &str) -> bool {
    const FILES: [&str; 6] = [".rs", ".md", ".yaml", ".toml", ".lock", ".json"];
    // Created by a build.
    let is_made = word == "web/dist";
    let nested = word.contains('/') && !word.starts_with('/') && !word.contains(' ');
    !is_made && (nested || FILES.iter().any(|end| word.ends_with(end)))
}

#[test]
fn a_word_in_backticks_differs_from_a_path() {
    assert!(is_path("infra/template.yaml") && is_path("README.md") && is_path("tests/browser"));
    assert!(!is_path("/api") && !is_path("no-store") && !is_path("wss:") && !is_path("web/dist"));
}
