//! Checks that the recipes of CONTRIBUTING name files that exist, and every file in which the compiler asks for a new
//! variant. The section `skeletons` tries those recipes for which `cargo dev new` writes the files; trying the others
//! would compile most of the workspace twice.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use house_tests::matches::{handles_each, variants};
use house_tests::{repository, tracked};
use std::collections::{BTreeMap, BTreeSet};

/// The recipes that add a variant to an enum, by their titles, with the file of the enum.
const VARIANTS: [(&str, &str, &str); 3] = [
    ("An agent", "shared/domain/src/agent.rs", "AgentId"),
    ("A state of a step", "shared/domain/src/step/phase.rs", "Phase"),
    ("A model provider", "shared/agents/src/config.rs", "Provider"),
];

/// The recipes by their titles.
fn recipes() -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(repository().join("CONTRIBUTING.md")).unwrap();
    let (_, recipes) = text.split_once("## How to add\n").unwrap();
    let sections = recipes.split("\n### ").skip(1).map(|section| section.split_once('\n').unwrap());
    sections.map(|(title, text)| (title.to_owned(), text.to_owned())).collect()
}

/// The paths from the root of the repository in a recipe.
fn named(recipe: &str) -> BTreeSet<&str> {
    let codes = recipe.split('`').skip(1).step_by(2);
    let roots = ["docs/", "events/", "functions/", "infra/", "shared/", "tests/", "web/"];
    codes.filter(|code| roots.iter().any(|root| code.starts_with(root))).collect()
}

#[test]
fn each_file_of_a_recipe_exists() {
    let recipes = recipes();
    let paths: Vec<&str> = recipes.values().flat_map(|recipe| named(recipe)).collect();
    assert!(paths.len() > 20, "{paths:?}");
    // A placeholder such as `<group>` stands for any name.
    let plain = paths.iter().filter(|path| !path.contains('<'));
    let gone: Vec<_> = plain.filter(|path| !repository().join(path).exists()).collect();
    assert!(gone.is_empty(), "CONTRIBUTING.md names files that do not exist: {gone:?}");
}

#[test]
fn each_recipe_names_the_files_in_which_the_compiler_asks_for_a_new_variant() {
    let recipes = recipes();
    let served = |path: &&String| {
        let code = ["functions/", "shared/", "infra/"].iter().any(|root| path.starts_with(root));
        code && path.ends_with(".rs") && path.contains("/src/") && !path.ends_with("tests.rs")
    };
    let tracked = tracked();
    let sources: Vec<(&String, String)> = tracked
        .iter()
        .filter(served)
        .map(|path| (path, std::fs::read_to_string(repository().join(path)).unwrap()))
        .collect();
    let mut missing = Vec::new();
    for (title, file, name) in VARIANTS {
        let named = named(&recipes[title]);
        let variants = variants(&repository().join(file), name);
        assert!(variants.len() > 2, "{name} in {file}");
        let first = variants.first().unwrap();
        let asked = sources.iter().filter(|(_, text)| text.contains(first.as_str()));
        let asked = asked.filter(|(_, text)| handles_each(text, &variants));
        let unnamed = asked.filter(|(path, _)| !named.contains(path.as_str()));
        missing.extend(unnamed.map(|(path, _)| format!("{title}: {path}")));
    }
    assert!(missing.is_empty(), "CONTRIBUTING.md does not name:\n{}", missing.join("\n"));
}

#[test]
fn the_table_counts_the_rust_files_of_each_recipe_for_a_variant() {
    let text = std::fs::read_to_string(repository().join("CONTRIBUTING.md")).unwrap();
    for (title, ..) in VARIANTS {
        let start = format!("| {} | ", title.to_lowercase());
        let row = text.lines().find_map(|line| line.strip_prefix(&start)).expect(title);
        let counted = row.split('|').nth(1).unwrap().trim();
        let recipes = recipes();
        let rust = named(&recipes[title]).into_iter().filter(|path| path.ends_with(".rs"));
        assert_eq!(counted, rust.count().to_string(), "{title}");
    }
}

#[test]
fn a_match_is_found_if_a_new_variant_would_break_it() {
    let variants = BTreeSet::from(["One".to_owned(), "Two".to_owned()]);
    let broken = [
        "fn f() { match x { E::One => 1, E::Two => 2 } }",
        "impl E { fn f() { match x { Self::One | Self::Two if y => 1, One => 2, Two(_) => 3 } } }",
        "fn f() { match (x, y) { (E::One, _) => 1, (E::Two, true) => 2, (E::Two { .. }, _) => 3 } }",
        "fn f() { match &x { all @ (E::One | E::Two) => 1, _ if y => 2 } }",
    ];
    for text in broken {
        assert!(handles_each(text, &variants), "{text}");
    }
    let others = [
        "fn f() { match x { E::One => 1, E::Two => 2, _ => 3 } }",
        "fn f() { match x { E::One => 1, other => 2 } }",
        "fn f() { matches!(x, E::One | E::Two); }",
        "#[cfg(test)] mod tests { fn f() { match x { E::One => 1, E::Two => 2 } } }",
    ];
    for text in others {
        assert!(!handles_each(text, &variants), "{text}");
    }
}
