//! Checks what each crate depends on. cargo-deny checks licenses, sources and versions, in the section `supply`.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use house_tests::{members, repository, tracked};
use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Command;

/// What cargo says of the crates and of what each uses, in a build for this machine.
fn metadata() -> Value {
    let rustc = Command::new("rustc").arg("-vV").output().unwrap();
    let rustc = String::from_utf8(rustc.stdout).unwrap();
    let host = rustc.lines().find_map(|line| line.strip_prefix("host: ")).unwrap().to_owned();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(repository()).args(["metadata", "--format-version", "1", "--locked"]);
    let found = cargo.args(["--filter-platform", &host]).output().unwrap();
    assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stderr));
    serde_json::from_slice(&found.stdout).unwrap()
}

/// The code of a crate of this repository, with its tests.
fn code(folder: &str) -> String {
    let files = tracked().into_iter();
    let own = files.filter(|path| path.starts_with(folder) && path.ends_with(".rs"));
    own.map(|path| std::fs::read_to_string(repository().join(path)).unwrap()).collect()
}

/// Whether a text has this name, not only as a part of a longer one.
fn names(text: &str, name: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name)
        .any(|(at, _)| !text[..at].ends_with(part) && !text[at + name.len()..].starts_with(part))
}

#[test]
fn a_crate_names_each_of_its_dependencies() {
    let metadata = metadata();
    let nodes = metadata["resolve"]["nodes"].as_array().unwrap();
    let mut unused = Vec::new();
    for member in members() {
        let ends = format!("/{}#{}@", member.folder, member.name);
        let plain = format!("/{}#", member.folder);
        let own = |node: &&Value| {
            let id = node["id"].as_str().unwrap();
            id.contains(&ends) || id.contains(&plain)
        };
        let node = nodes.iter().find(own).unwrap_or_else(|| panic!("cargo knows no {ends}"));
        let code = code(&format!("{}/", member.folder));
        let used = node["deps"].as_array().unwrap().iter();
        let used = used.map(|used| used["name"].as_str().unwrap());
        let own = member.name.replace('-', "_");
        let idle = used.filter(|name| *name != own && !names(&code, name));
        unused.extend(idle.map(|name| format!("{} does not use {name}", member.folder)));
    }
    assert!(unused.is_empty(), "{}", unused.join("\n"));
}

#[test]
fn a_name_is_not_a_part_of_a_longer_one() {
    assert!(names("use aws::Queue;", "aws") && names("aws_lc::aws", "aws"));
    assert!(!names("aws_lc laws", "aws"));
}

#[test]
fn an_older_version_beside_a_newer_one_has_a_reason() {
    let deny = std::fs::read_to_string(repository().join("deny.toml")).unwrap();
    let deny: toml::Table = deny.parse().unwrap();
    let skipped = deny["bans"]["skip"].as_array().unwrap();
    let reasons = skipped.iter().map(|skip| skip.get("reason").and_then(toml::Value::as_str));
    let short = |reason: &Option<&str>| reason.is_none_or(|reason| reason.len() <= 10);
    assert_eq!(reasons.filter(short).count(), 0, "a reason is a sentence");
}

/// The libraries that a build of the workspace with the tests' features compiles, each with its features.
fn compiled(edges: &str) -> BTreeSet<String> {
    let aliases = std::fs::read_to_string(repository().join(".cargo/config.toml")).unwrap();
    let aliases: toml::Table = aliases.parse().unwrap();
    let programs = aliases["alias"]["programs"].as_str().unwrap();
    let features = programs.split_whitespace().skip_while(|word| *word != "--features");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(repository()).args(["tree", "--locked", "--workspace", "--prefix", "none"]);
    cargo.args(["--format", "{p} {f}", "--edges", edges]).args(features);
    let found = cargo.output().unwrap();
    assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stderr));
    let lines = String::from_utf8(found.stdout).unwrap();
    let lines = lines.lines().filter(|line| !line.is_empty() && !line.contains(" (/"));
    lines.map(|line| line.trim_end_matches(" (*)").to_owned()).collect()
}

#[test]
fn programs_and_tests_share_every_library() {
    let (programs, tests) = (compiled("normal,build"), compiled("normal,build,dev"));
    assert!(programs.len() > 100, "{programs:?}");
    let other: Vec<_> = programs.difference(&tests).collect();
    assert!(other.is_empty(), "tests compile these once more, with other features: {other:?}");
}
