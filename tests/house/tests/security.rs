//! Checks that the code writes every event that the security log documents, and that every key, every use of cryptography
//! and every kind of data is in the documents about them.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use house_tests::{repository, tracked};
use std::collections::BTreeSet;

/// The files that define the events.
const EVENTS: &str = "shared/domain/src/security.rs";

/// The policy for keys, with the inventory of cryptography.
const KEYS: &str = "docs/security/keys.md";
/// The levels of data.
const DATA: &str = "docs/security/data.md";

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

/// The texts between backticks in a document.
fn quoted(document: &str) -> BTreeSet<String> {
    text(document).split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn every_key_and_secret_of_the_template_has_a_row_in_the_policy() {
    let template = text("infra/template.yaml");
    let lines: Vec<&str> = template.lines().collect();
    let kinds = ["    Type: AWS::KMS::Key", "    Type: AWS::SecretsManager::Secret"];
    let declared = lines.windows(2).filter(|pair| kinds.contains(&pair[1]));
    let declared: Vec<&str> = declared.map(|pair| pair[0].trim().trim_end_matches(':')).collect();
    assert!(declared.len() > 10, "{declared:?}");
    let rows = quoted(KEYS);
    let silent: Vec<_> = declared.iter().filter(|name| !rows.contains(**name)).collect();
    assert!(silent.is_empty(), "{KEYS} does not describe {silent:?}");
}

#[test]
fn the_documents_say_how_long_deleted_data_can_be_restored() {
    let template = text("infra/template.yaml");
    // DynamoDB keeps 35 days unless the template says otherwise.
    assert!(template.contains("{PointInTimeRecoveryEnabled: true}"));
    assert!(template.contains("NoncurrentVersionExpiration: {NoncurrentDays: 30}\n"));
    for document in [DATA, "web/src/public-site/privacy.tsx"] {
        let words = text(document).split_whitespace().collect::<Vec<_>>().join(" ");
        for days in ["35 days", "30 days"] {
            assert!(words.contains(days), "{document} does not name {days}");
        }
    }
}

#[test]
fn every_use_of_cryptography_is_in_the_inventory() {
    const CRATES: [&str; 4] = ["aws_lc_rs::", "sha2::", "md5::", "sha1::"];
    let code = |path: &String| {
        let place =
            ["functions/", "shared/", "infra/sandbox/"].iter().any(|one| path.starts_with(one));
        let tests =
            path.contains("/tests/") || path.ends_with("tests.rs") || path.contains("/testing");
        place && path.ends_with(".rs") && !tests
    };
    let listed = quoted(KEYS);
    let uses = tracked().into_iter().filter(code).filter(|path| {
        let text = text(path);
        CRATES.iter().any(|used| text.contains(used))
    });
    let uses: BTreeSet<String> = uses.collect();
    assert!(uses.len() > 10, "{uses:?}");
    let silent: Vec<_> = uses.difference(&listed).collect();
    assert!(silent.is_empty(), "{KEYS} does not name {silent:?}");
}

#[test]
fn every_kind_of_data_has_a_level() {
    /// Modules that keep nothing of their own.
    const WITHOUT_DATA: [&str; 6] = ["copies", "error", "keys", "lib", "table", "testing"];
    let listed = quoted(DATA);
    let module = |path: String| {
        let name = path.strip_prefix("shared/store/src/")?.strip_suffix(".rs")?.to_owned();
        (!name.contains('/') && !WITHOUT_DATA.contains(&name.as_str())).then_some(name)
    };
    let mut kinds: Vec<String> = tracked().into_iter().filter_map(module).collect();
    assert!(kinds.len() > 30, "{kinds:?}");
    let objects = text("shared/aws/src/objects.rs");
    let prefix = |format: &str| format.split_once('/').map(|(prefix, _)| format!("{prefix}/"));
    let prefixes = objects.split("format!(\"").skip(1).filter_map(prefix);
    kinds.extend(prefixes.filter(|prefix| !prefix.contains(['{', '"'])));
    let silent: Vec<_> = kinds.iter().filter(|kind| !listed.contains(*kind)).collect();
    assert!(silent.is_empty(), "{DATA} gives no level to {silent:?}");
    for level in ["secret", "confidential", "internal", "public"] {
        let rows =
            text(DATA).lines().filter(|line| line.starts_with(&format!("| {level} |"))).count();
        assert_eq!(rows, 2, "{level}: what it requires, and what has it");
    }
}

#[test]
fn vulnerable_components_have_a_time_frame_for_each_severity() {
    let policy = text("SECURITY.md");
    let policy = policy.split("## Vulnerable components").nth(1).expect("the section");
    for severity in ["critical", "high", "moderate", "low"] {
        let row = policy.lines().find(|line| line.starts_with(&format!("| {severity} |")));
        let row = row.unwrap_or_else(|| panic!("no row for {severity}"));
        assert!(row.contains("days"), "{row}");
    }
}
