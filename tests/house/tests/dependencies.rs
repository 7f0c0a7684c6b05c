//! Checks the dependencies against `deny.toml`: licenses, sources, and crates in several versions.
//!
//! cargo-deny checks the same and also asks the advisory database; it has to be installed separately, while these
//! checks need only cargo.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use house_tests::{members, repository, tracked};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

fn deny() -> toml::Table {
    std::fs::read_to_string(repository().join("deny.toml")).unwrap().parse().unwrap()
}

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

/// The crates that such a build can link, each as described by cargo.
fn packages() -> Vec<Value> {
    let metadata = metadata();
    let resolved: BTreeSet<&str> = metadata["resolve"]["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|node| node["id"].as_str().unwrap())
        .collect();
    let all = metadata["packages"].as_array().unwrap().iter();
    all.filter(|package| resolved.contains(package["id"].as_str().unwrap())).cloned().collect()
}

fn strings(list: &toml::Value) -> BTreeSet<String> {
    list.as_array().unwrap().iter().map(|item| item.as_str().unwrap().to_owned()).collect()
}

/// Whether the licenses in `allowed` satisfy an SPDX expression. `/` is the older way to write OR.
fn allows(allowed: &BTreeSet<String>, expression: &str) -> bool {
    let words = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = words.split_whitespace().collect();
    let (met, rest) = either(allowed, &words);
    assert!(rest.is_empty(), "not understood: {expression}");
    met
}

fn either<'a>(allowed: &BTreeSet<String>, words: &'a [&'a str]) -> (bool, &'a [&'a str]) {
    let (mut met, mut rest) = both(allowed, words);
    while let Some(("OR", next)) = rest.split_first().map(|(word, next)| (*word, next)) {
        let (right, after) = both(allowed, next);
        (met, rest) = (met || right, after);
    }
    (met, rest)
}

fn both<'a>(allowed: &BTreeSet<String>, words: &'a [&'a str]) -> (bool, &'a [&'a str]) {
    let (mut met, mut rest) = one(allowed, words);
    while let Some(("AND", next)) = rest.split_first().map(|(word, next)| (*word, next)) {
        let (right, after) = one(allowed, next);
        (met, rest) = (met && right, after);
    }
    (met, rest)
}

fn one<'a>(allowed: &BTreeSet<String>, words: &'a [&'a str]) -> (bool, &'a [&'a str]) {
    match words {
        ["(", inner @ ..] => {
            let (met, rest) = either(allowed, inner);
            assert_eq!(rest.first(), Some(&")"));
            (met, &rest[1..])
        }
        [license, "WITH", exception, rest @ ..] => {
            (allowed.contains(&format!("{license} WITH {exception}")), rest)
        }
        [license, rest @ ..] => (allowed.contains(*license), rest),
        [] => (false, words),
    }
}

#[test]
fn every_crate_has_a_license_and_a_source_that_are_allowed() {
    let deny = deny();
    let licenses = strings(&deny["licenses"]["allow"]);
    let registries = strings(&deny["sources"]["allow-registry"]);
    let packages = packages();
    assert!(packages.len() > 100, "the crates were not found");
    let mut wrong = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap();
        match package["license"].as_str() {
            Some(license) if allows(&licenses, license) => {}
            license => wrong.push(format!("{name}: the license {license:?}")),
        }
        // A crate of this repository has no source.
        let source =
            package["source"].as_str().map(|source| source.trim_start_matches("registry+"));
        if source.is_some_and(|source| !registries.contains(source)) {
            wrong.push(format!("{name}: the source {source:?}"));
        }
    }
    assert!(wrong.is_empty(), "deny.toml does not allow:\n{}", wrong.join("\n"));
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
fn a_crate_in_several_versions_has_a_reason() {
    let deny = deny();
    let skipped: BTreeMap<&str, &str> = deny["bans"]["skip"]
        .as_array()
        .unwrap()
        .iter()
        .map(|skip| (skip["crate"].as_str().unwrap(), skip["reason"].as_str().unwrap()))
        .collect();
    let mut versions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in packages() {
        let text = |field: &str| package[field].as_str().unwrap().to_owned();
        versions.entry(text("name")).or_default().push(text("version"));
    }
    versions.retain(|_, versions| versions.len() > 1);
    let number = |version: &String| -> Vec<u64> {
        version.split(['.', '+', '-']).map_while(|part| part.parse().ok()).collect()
    };
    let mut older = BTreeSet::new();
    for (name, mut versions) in versions {
        versions.sort_by_key(number);
        versions.pop();
        older.extend(versions.into_iter().map(|version| format!("{name}@{version}")));
    }
    let silent: Vec<_> = older.iter().filter(|id| !skipped.contains_key(id.as_str())).collect();
    assert!(silent.is_empty(), "deny.toml gives no reason for these older versions: {silent:?}");
    let gone: Vec<_> = skipped.keys().filter(|id| !older.contains(**id)).collect();
    assert!(gone.is_empty(), "deny.toml has reasons for versions that no longer exist: {gone:?}");
    assert!(skipped.values().all(|reason| reason.len() > 10), "a reason is a sentence");
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

#[test]
fn license_expressions_are_evaluated() {
    let allowed = BTreeSet::from(["MIT".to_owned(), "ISC".to_owned(), "A WITH x".to_owned()]);
    for met in [
        "MIT",
        "GPL-3.0 OR MIT",
        "MIT AND ISC",
        "(GPL-3.0 OR ISC) AND MIT",
        "A WITH x",
        "GPL-3.0/MIT",
    ] {
        assert!(allows(&allowed, met), "{met}");
    }
    for missed in ["GPL-3.0", "GPL-3.0 AND MIT", "MIT AND (GPL-3.0 OR A)", "A", "GPL-3.0 WITH x"] {
        assert!(!allows(&allowed, missed), "{missed}");
    }
}
