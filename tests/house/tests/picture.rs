//! Compares the README's table and diagram of the functions with the folder `functions`.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use house_tests::{repository, tracked};
use std::collections::BTreeSet;

fn readme() -> String {
    std::fs::read_to_string(repository().join("README.md")).unwrap()
}

/// The folders in `functions`.
fn functions() -> BTreeSet<String> {
    let tracked = tracked();
    let manifests = tracked.iter().filter_map(|path| path.strip_suffix("/Cargo.toml"));
    let names = manifests.filter_map(|folder| folder.strip_prefix("functions/"));
    names.map(str::to_owned).collect()
}

/// The names in the first column of the table of functions.
fn listed(readme: &str) -> BTreeSet<String> {
    let table = readme.lines().skip_while(|line| !line.starts_with("| function |"));
    let rows = table.take_while(|line| line.starts_with('|'));
    let names = rows.filter_map(|row| row.split('|').nth(1));
    names.flat_map(|names| names.split('`').skip(1).step_by(2)).map(str::to_owned).collect()
}

/// The words in the diagram.
fn drawn(readme: &str) -> BTreeSet<String> {
    let (_, diagram) = readme.split_once("\n```text\n").expect("the README has a diagram");
    let diagram = diagram.split("```").next().unwrap();
    diagram.split(|c: char| !(c.is_alphanumeric() || c == '-')).map(str::to_owned).collect()
}

#[test]
fn the_readme_lists_each_function_and_no_other() {
    assert_eq!(listed(&readme()), functions());
}

#[test]
fn the_diagram_shows_each_function() {
    let drawn = drawn(&readme());
    let missing: Vec<_> = functions().into_iter().filter(|name| !drawn.contains(name)).collect();
    assert!(missing.is_empty(), "the README's diagram lacks {missing:?}");
}

#[test]
fn names_are_read_from_the_table_and_the_diagram() {
    let text = "# A\n```text\n a ──▶ b-c · d │\n```\n| function | for |\n|---|---|\n| `a`, `b-c` | `x` |\n\n| `y` |";
    assert_eq!(listed(text), BTreeSet::from(["a".to_owned(), "b-c".to_owned()]));
    assert!(["a", "b-c", "d"].iter().all(|name| drawn(text).contains(*name)));
}
