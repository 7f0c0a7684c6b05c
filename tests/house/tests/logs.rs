//! Checks that the functions log an error with its causes: an SDK's error says only which call failed, and its causes say
//! why.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use house_tests::{repository, tracked};

/// An error as a field of an event, without its causes.
const ALONE: [&str; 4] = ["(%error", " %error", "= %error", "%cause"];

#[test]
fn every_logged_error_is_logged_with_its_causes() {
    let code = |path: &String| {
        let place = ["functions/", "shared/"].iter().any(|folder| path.starts_with(folder));
        place && path.ends_with(".rs") && path.contains("/src/")
    };
    let (mut whole, mut alone) = (0, Vec::new());
    for path in tracked().into_iter().filter(code) {
        let text = std::fs::read_to_string(repository().join(&path)).unwrap();
        for (number, line) in text.lines().map(str::trim).enumerate() {
            whole += usize::from(line.contains("= %Chain(") || line.starts_with("error = %Chain("));
            if !line.starts_with("//") && ALONE.iter().any(|form| line.contains(form)) {
                alone.push(format!("{path}:{}: {line}", number + 1));
            }
        }
    }
    assert!(whole > 20, "the events of the functions: {whole}");
    assert!(alone.is_empty(), "log `%Chain(&error)` in:\n{}", alone.join("\n"));
}
