//! Checks that the code writes every event that the security log documents.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use house_tests::{repository, tracked};

/// The files that define the events.
const EVENTS: &str = "shared/domain/src/security.rs";

fn text(path: &str) -> String {
    std::fs::read_to_string(repository().join(path)).unwrap()
}

#[test]
fn every_event_of_the_security_log_is_written_somewhere() {
    let defined = text(EVENTS);
    let from = defined.find("pub enum SecurityEvent {").unwrap();
    let body = &defined[from..from + defined[from..].find("\n}").unwrap()];
    let events: Vec<&str> = body.lines().filter_map(|line| line.trim().strip_suffix(',')).collect();
    assert!(events.len() > 10, "{events:?}");
    let code = |path: &String| {
        let product = path.starts_with("functions/") || path.starts_with("shared/");
        product && path.ends_with(".rs") && !path.contains("/tests/") && path != EVENTS
    };
    let code: Vec<String> =
        tracked().iter().filter(|path| code(path)).map(|path| text(path)).collect();
    let is_written = |event: &&&str| {
        let name = format!("SecurityEvent::{event}");
        let whole = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_alphanumeric());
        code.iter().any(|text| text.split(&name).skip(1).any(whole))
    };
    let (_, silent): (Vec<&&str>, Vec<&&str>) = events.iter().partition(is_written);
    assert!(silent.is_empty(), "nothing writes {silent:?}");
}
