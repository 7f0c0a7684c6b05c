//! Checks which crate depends on which, against the table in the README.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use house_tests::{Member, members};
use std::collections::BTreeSet;

/// Each shared crate with those of this workspace that it may depend on. A new crate needs a row, here and in the
/// README.
const SHARED: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("settings", &[]),
    ("gate", &["domain"]),
    ("protocol", &["domain"]),
    ("store", &["domain", "settings"]),
    ("aws", &["domain", "settings", "store"]),
    ("bedrock", &["settings"]),
    ("agents", &["bedrock", "domain", "gate", "settings", "store"]),
    ("http-kit", &["domain", "settings", "store"]),
    ("flows", &["aws", "domain", "gate", "protocol", "settings", "store"]),
    ("workbench", &["agents", "domain", "flows", "settings", "store"]),
    ("chats", &["agents", "aws", "domain", "flows", "http-kit", "settings", "store"]),
    ("runs", &["aws", "domain", "flows", "http-kit", "protocol", "settings", "store"]),
];

/// Crates of `infra` with those of this workspace that they may depend on; the local stack may use everything.
const INFRA: &[(&str, &[&str])] =
    &[("sandbox-agent", &["domain", "protocol"]), ("blueprint-model", &[]), ("dev", &[])];

/// What a crate may not link, by the prefix of a dependency's name.
const BANNED: &[(&str, &[&str])] = &[
    ("domain", &["aws", "axum", "hyper", "lambda", "reqwest", "tokio"]),
    ("protocol", &["aws", "axum", "hyper", "lambda", "reqwest", "tokio"]),
    ("agents", &["aws", "axum", "hyper", "lambda", "utoipa"]),
    ("store", &["axum", "hyper", "lambda", "reqwest"]),
    ("aws", &["axum", "hyper", "lambda_http", "reqwest"]),
    ("flows", &["aws-sdk", "axum", "hyper", "lambda"]),
];

fn row<'a>(table: &[(&str, &'a [&'a str])], name: &str) -> Option<&'a [&'a str]> {
    table.iter().find(|(known, _)| *known == name).map(|(_, allowed)| *allowed)
}

/// The crates of this workspace that `member` depends on but may not.
fn trespasses(member: &Member, ours: &BTreeSet<String>, allowed: &[&str]) -> Vec<String> {
    let used = member.dependencies.intersection(ours);
    let wrong = used.filter(|name| !allowed.contains(&name.as_str()));
    wrong.map(|name| format!("{} may not depend on {name}", member.name)).collect()
}

#[test]
fn each_crate_depends_only_on_the_rooms_below_it() {
    let members = members();
    let ours: BTreeSet<String> = members.iter().map(|member| member.name.clone()).collect();
    let shared: Vec<&str> = SHARED.iter().map(|(name, _)| *name).collect();
    let mut wrong = Vec::new();
    for member in &members {
        let allowed = match member.folder.split('/').next() {
            Some("functions") => Some(shared.as_slice()),
            Some("shared") => row(SHARED, &member.name),
            Some("infra") if member.name != "local-stack" => row(INFRA, &member.name),
            _ => continue,
        };
        match allowed {
            Some(allowed) => wrong.extend(trespasses(member, &ours, allowed)),
            None => wrong.push(format!("{} has no row in this table", member.name)),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_crate_links_only_what_its_room_allows() {
    let mut wrong = Vec::new();
    for member in members() {
        for banned in row(BANNED, &member.name).unwrap_or_default() {
            let linked = member.dependencies.iter().filter(|name| name.starts_with(banned));
            wrong.extend(linked.map(|name| format!("{} may not link {name}", member.name)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_tables_name_crates_that_exist() {
    let names: BTreeSet<String> = members().into_iter().map(|member| member.name).collect();
    for (name, allowed) in SHARED.iter().chain(INFRA) {
        for crate_name in [name].into_iter().chain(*allowed) {
            assert!(
                names.contains(*crate_name),
                "{crate_name} is in a table but not in the workspace"
            );
        }
    }
}

/// The blueprint model shares no code with the agents, so each has its own list of a context's sections.
#[test]
fn the_blueprint_model_reads_every_section_that_agents_receive() {
    let names = |file: &str| -> BTreeSet<String> {
        let text = std::fs::read_to_string(house_tests::repository().join(file)).unwrap();
        let list = text.split_once("const NAMES").unwrap().1.split_once("];").unwrap().0;
        list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
    };
    let given = names("shared/agents/src/fence.rs");
    assert!(given.contains("requirements") && given.len() > 10, "{given:?}");
    assert_eq!(names("infra/blueprint/src/reading/fences.rs"), given);
}
