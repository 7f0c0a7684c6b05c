//! Limits the length of code files.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use house_tests::{repository, tracked};

/// How many lines a code file may have, tests included; a longer one covers more than one subject.
const LONGEST: usize = 400;

/// Generated files, and files that are data in the form of code.
const EXEMPT: &[&str] = &["web/src/api/schema.ts"];

#[test]
fn a_file_of_code_has_at_most_400_lines() {
    let code = |path: &String| {
        [".rs", ".ts", ".tsx", ".js", ".css", ".py"].iter().any(|ending| path.ends_with(ending))
            && !EXEMPT.contains(&path.as_str())
    };
    let mut long = Vec::new();
    for path in tracked().into_iter().filter(code) {
        let lines = std::fs::read_to_string(repository().join(&path)).unwrap().lines().count();
        if lines > LONGEST {
            long.push(format!("{path}: {lines} lines"));
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}
