//! Checks which crate depends on which, that the table in the README says so, and that no modules of a crate use each
//! other.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use house_tests::modules::Modules;
use house_tests::{Member, members, repository, tracked};
use std::collections::{BTreeMap, BTreeSet};

/// Each shared crate with those of this workspace that it may depend on. A new crate needs a row, here and in the
/// README.
const SHARED: &[(&str, &[&str])] = &[
    ("redaction", &[]),
    ("read-only", &[]),
    ("domain", &["read-only", "redaction"]),
    ("settings", &[]),
    ("gate", &["domain", "redaction"]),
    ("protocol", &["domain", "read-only", "redaction"]),
    ("store", &["domain", "settings"]),
    ("aws", &["domain", "settings", "store"]),
    ("bedrock", &["settings"]),
    ("agents", &["bedrock", "domain", "gate", "read-only", "redaction", "settings", "store"]),
    ("http-kit", &["domain", "settings", "store"]),
    (
        "flows",
        &["aws", "domain", "gate", "protocol", "read-only", "redaction", "settings", "store"],
    ),
    ("workbench", &["agents", "domain", "flows", "read-only", "settings", "store"]),
    (
        "chats",
        &[
            "agents",
            "aws",
            "bedrock",
            "domain",
            "flows",
            "http-kit",
            "redaction",
            "settings",
            "store",
        ],
    ),
    ("runs", &["aws", "domain", "flows", "http-kit", "protocol", "settings", "store"]),
];

/// Crates of `infra` with those of this workspace that they may depend on; the local stack may use everything.
const INFRA: &[(&str, &[&str])] =
    &[("sandbox-agent", &["domain", "protocol"]), ("blueprint-model", &[]), ("dev", &[])];

/// What a crate may not link, by the prefix of a dependency's name.
const BANNED: &[(&str, &[&str])] = &[
    ("redaction", &["aws", "axum", "hyper", "lambda", "reqwest", "tokio"]),
    ("read-only", &["aws", "axum", "hyper", "lambda", "reqwest", "tokio"]),
    ("domain", &["aws", "axum", "hyper", "lambda", "reqwest", "tokio"]),
    ("gate", &["aws", "axum", "hyper", "lambda", "reqwest", "tokio"]),
    ("protocol", &["aws", "axum", "hyper", "lambda", "reqwest", "tokio"]),
    ("agents", &["aws", "axum", "hyper", "lambda", "utoipa"]),
    ("store", &["axum", "hyper", "lambda", "reqwest"]),
    ("aws", &["axum", "hyper", "lambda_http", "reqwest"]),
    ("flows", &["axum", "hyper", "lambda"]),
];

/// The crates that may link a client of an AWS service, so that no other crate of the product knows the table's keys, a
/// bucket or a queue. The local stack has engines in the services' place.
const CLIENTS: &[&str] = &["settings", "store", "aws", "local-stack"];
/// How the names of these clients begin.
const CLIENT: &str = "aws-sdk-";

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
        let is_of_product = !member.folder.starts_with("tests/");
        if is_of_product && !CLIENTS.contains(&member.name.as_str()) {
            let linked = member.dependencies.iter().filter(|name| name.starts_with(CLIENT));
            wrong.extend(linked.map(|name| format!("{} may not link {name}", member.name)));
        }
        for banned in row(BANNED, &member.name).unwrap_or_default() {
            let linked = member.dependencies.iter().filter(|name| name.starts_with(banned));
            wrong.extend(linked.map(|name| format!("{} may not link {name}", member.name)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_dependency_is_found_in_each_table_and_behind_another_name() {
    let manifest = r#"
        [dependencies]
        plain.workspace = true
        ours = { package = "renamed", version = "1" }
        shared.workspace = true
        [dev-dependencies]
        of-tests = "1"
        [build-dependencies]
        of-build = "1"
        [target.'cfg(unix)'.dependencies]
        of-unix = "1"
        [target.x86_64-pc-windows-gnu.build-dependencies]
        of-windows = { path = "." }
    "#;
    let workspace = "plain = '1'\nshared = { package = 'renamed-for-all', version = '1' }";
    let workspace: toml::Table = workspace.parse().unwrap();
    let found = house_tests::dependencies(&manifest.parse().unwrap(), &workspace.into());
    let expected = ["of-build", "of-unix", "of-windows", "plain", "renamed", "renamed-for-all"];
    assert_eq!(found, expected.map(str::to_owned).into());
}

/// Names that the code of a crate may not use, because another crate's re-export would bring a type that the room bans.
const UNNAMED: &[(&str, &str)] = &[("agents", "SdkConfig"), ("domain", "SdkConfig")];

#[test]
fn no_room_gets_a_banned_type_through_another() {
    let (members, files) = (members(), tracked());
    let mut wrong = Vec::new();
    for (room, name) in UNNAMED {
        let member = members.iter().find(|member| member.name == *room).unwrap();
        let sources = format!("{}/src/", member.folder);
        let named = files.iter().filter(|path| {
            path.starts_with(&sources)
                && std::fs::read_to_string(repository().join(path)).unwrap().contains(name)
        });
        wrong.extend(named.map(|path| format!("{path} names {name}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Rooms with those directly below them.
type Rooms = BTreeMap<String, BTreeSet<String>>;

/// All rooms below one.
fn below(rooms: &Rooms, name: &str) -> BTreeSet<String> {
    let direct = rooms.get(name).cloned().unwrap_or_default();
    let further: Vec<_> = direct.iter().flat_map(|room| below(rooms, room)).collect();
    direct.into_iter().chain(further).collect()
}

/// The shared crates in the README's table, with the crates that the third column names.
fn readme() -> Rooms {
    let named =
        |member: Member| Some((member.folder.strip_prefix("shared/")?.to_owned(), member.name));
    let names: BTreeMap<String, String> = members().into_iter().filter_map(named).collect();
    let text = std::fs::read_to_string(repository().join("README.md")).unwrap();
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `shared/"));
    let room = |row: &str| {
        let (folder, rest) = row.split_once('`').unwrap();
        let column = rest.trim_end_matches(['|', ' ']).rsplit('|').next().unwrap();
        let rooms = column.split('`').skip(1).step_by(2).map(|folder| names[folder].clone());
        (names[folder].clone(), rooms.collect())
    };
    rows.map(room).collect()
}

#[test]
fn the_readme_names_what_each_shared_crate_builds_on() {
    let owned = |rooms: &[&str]| rooms.iter().map(|room| (*room).to_owned()).collect();
    let checked: Rooms =
        SHARED.iter().map(|(name, rooms)| ((*name).to_owned(), owned(rooms))).collect();
    let readme = readme();
    assert!(readme.keys().eq(checked.keys()), "{:?}", readme.keys());
    for name in checked.keys() {
        assert_eq!(below(&readme, name), below(&checked, name), "{name}");
    }
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

/// Crates with knots that are still to be untangled, and how many of their modules are in one. A number may only fall.
const TIED: &[(&str, usize)] = &[("blueprint-model", 36), ("redaction", 3)];

/// A folder of modules uses its neighbors in one direction only, as in the web application: two that use each other would
/// be one room with two names. A file beside the folder is a neighbor, too.
#[test]
fn no_folder_of_modules_uses_a_neighbor_that_leads_back_to_it() {
    let mut wrong = Vec::new();
    for member in members() {
        for root in ["src/lib.rs", "src/main.rs"] {
            let root = repository().join(&member.folder).join(root);
            if !root.is_file() {
                continue;
            }
            let modules = Modules::of_crate(&root);
            let allowed = TIED.iter().find(|(name, _)| *name == member.name);
            let (allowed, tied) = (allowed.map_or(0, |(_, number)| *number), modules.tied());
            if tied != allowed {
                let cycles = modules.cycles().iter().map(|way| way.join(", ")).collect::<Vec<_>>();
                let cycles = cycles.join("\n  ");
                wrong.push(format!(
                    "{}: {tied} modules in knots, not {allowed}\n  {cycles}",
                    member.name
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn folders_that_use_each_other_are_found_behind_groups_reexports_and_macros() {
    let ones = ["use crate::two::Two;", "use crate::{two as other, three};", "use crate::Two;"];
    let twos = ["use super::super::one;", "fn f() { select! { x = crate::one::f() => {} } }"];
    for one in ones {
        for two in twos {
            let text = format!(
                "pub use two::Two; mod one {{ {one} mod a {{}} }} mod two {{ mod b {{ {two} }} }} mod three {{}}"
            );
            let cycles = Modules::of_text(&text).cycles();
            assert_eq!(cycles, [["one uses two", "two::b uses one"]], "{text}");
        }
    }
    let harmless = "mod one { use crate::two::Two; use std::two; mod inner { use super::One; } use inner::I; }
        mod two { #[cfg(test)] mod tests { use crate::one; } use self::one::f; mod one {} use crate::file; }
        mod file { use crate::other; } mod other { use crate::file; }";
    assert_eq!(Modules::of_text(harmless).cycles(), [[""; 0]; 0]);
}

/// The folder's own files may use each other: together they are one room.
#[test]
fn a_folder_that_leads_back_to_itself_through_a_file_is_found() {
    let text = "mod provider { mod blocks { use crate::meter::hold; } } mod meter { use crate::turn::Turn; }
        mod turn { use crate::provider; use crate::meter; mod step {} }";
    let cycles = Modules::of_text(text).cycles();
    let way = ["meter uses turn", "turn uses meter"];
    assert!(cycles.len() == 1 && way.iter().all(|step| cycles[0].contains(&(*step).to_owned())));
    let long =
        "mod a { mod inner { use crate::b; } } mod b { use crate::c; } mod c { use crate::d; }
        mod d { use crate::a; }";
    let way = ["a::inner uses b", "b uses c", "c uses d", "d uses a"];
    assert_eq!(Modules::of_text(long).cycles(), [way]);
}

/// The blueprint model shares no code with the agents, so each has its own list of a context's sections.
#[test]
fn the_blueprint_model_reads_every_section_that_agents_receive() {
    let names = |file: &str| -> BTreeSet<String> {
        let text = std::fs::read_to_string(repository().join(file)).unwrap();
        let list = text.split_once("const NAMES").unwrap().1.split_once("];").unwrap().0;
        list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
    };
    let given = names("shared/agents/src/fence.rs");
    assert!(given.contains("requirements") && given.len() > 10, "{given:?}");
    assert_eq!(names("infra/blueprint/src/reading/fences.rs"), given);
}
