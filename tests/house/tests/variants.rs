//! Checks that a new variant of an enum cannot be forgotten in a place about which the compiler does not ask.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use house_tests::loose::loose_uses;
use house_tests::matches::variants;
use house_tests::{repository, tracked};
use std::collections::BTreeMap;
use syn::{Expr, ImplItem, Item, Lit, Type};

fn read(path: &str) -> String {
    std::fs::read_to_string(repository().join(path)).unwrap()
}

/// The sources of what is served, without tests in files of their own.
fn sources() -> Vec<(String, String)> {
    let is_source = |path: &String| {
        ["functions/", "shared/", "infra/"].iter().any(|root| path.starts_with(root))
            && path.ends_with(".rs")
            && path.contains("/src/")
            && !path.ends_with("tests.rs")
            && !path.contains("/tests/")
    };
    let paths = tracked().into_iter().filter(is_source);
    paths.map(|path| (path.clone(), read(&path))).collect()
}

#[test]
fn code_asks_the_methods_of_a_phase() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        // The state machine itself moves steps from phase to phase.
        if text.contains("Phase::") && !path.starts_with("shared/domain/src/step/") {
            let found = loose_uses(&text, "Phase", "phase");
            wrong.extend(found.iter().map(|found| format!("{path}: {found}")));
        }
    }
    assert!(
        wrong.is_empty(),
        "use or add a method of `Phase`, or name every phase in a `match` without `_`:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn a_use_that_the_compiler_does_not_ask_about_is_found() {
    for text in [
        "fn f() -> bool { step.phase == Phase::Running }",
        "fn f() -> bool { Phase::Running != step.phase }",
        "fn f() -> bool { matches!(step.phase, Phase::Running) }",
        "fn f() -> u8 { match step.phase { Phase::Running => 1, _ => 2 } }",
        "fn f() -> u8 { match (step.phase, x) { (domain::step::Phase::Running, 1) => 1, _ => 2 } }",
        "fn f() -> u8 { match step.phase { Phase::Running => 1, other => 2 } }",
        "fn f() { if let Phase::Running = step.phase { g(); } }",
        "fn f() { let Phase::Running = step.phase else { return; }; }",
        "fn f() -> bool { [Phase::Running].contains(&step.phase) }",
        "fn f() { find(Phase::Running); }",
        "use domain::step::Phase::Running;",
        "use domain::step::{Step, Phase::*};",
        "fn f() -> u8 { match x { Some(1) => u8::from(step.phase == Phase::Failed), _ => 2 } }",
    ] {
        assert_eq!(loose_uses(text, "Phase", "phase").len(), 1, "{text}");
    }
    for text in [
        "fn f() -> bool { step.phase.is_running() }",
        "fn f() { find(Phase::is_running); }",
        "fn f() -> Step { Step { phase: Phase::Pending, ..step } }",
        "fn f() -> u8 { match step.phase { Phase::Running => 1, Phase::Failed | Phase::Done => 2 } }",
        "fn f() -> &'static str { Phase::Running.as_str() }",
        "fn f() { for phase in Phase::ALL {} }",
        "#[cfg(test)] mod tests { fn f() -> bool { step.phase == Phase::Running } }",
        "fn f() -> u8 { match step.phase { Phase::A if x => 1, Phase::A | Phase::B => 2 } }",
    ] {
        assert!(loose_uses(text, "Phase", "phase").is_empty(), "{text}");
    }
}

/// Expressions of DynamoDB get the names of phases from `Phase::as_str`.
#[test]
fn the_store_writes_no_phase_by_hand() {
    let phases = variants(&repository().join("shared/domain/src/step/phase.rs"), "Phase");
    let words = phases.iter().map(|phase| {
        let snake = phase.chars().flat_map(|letter| {
            let before = letter.is_uppercase().then_some('_');
            before.into_iter().chain(letter.to_lowercase())
        });
        format!("\"{}\"", snake.skip(1).collect::<String>())
    });
    let words: Vec<String> = words.collect();
    assert!(words.contains(&"\"waiting_approval\"".to_owned()), "{words:?}");
    let of_steps = |path: &str| path.starts_with("shared/store/src/executions");
    let sources = sources().into_iter().filter(|(path, _)| of_steps(path));
    let wrong = sources.filter(|(_, text)| words.iter().any(|word| text.contains(word.as_str())));
    let wrong: Vec<String> = wrong.map(|(path, _)| path).collect();
    assert!(wrong.is_empty(), "use `Phase::as_str` in: {wrong:?}");
}

/// The enums of a file by their names, with the numbers of their variants and the lengths of their lists `ALL`.
fn lists(text: &str) -> BTreeMap<String, (usize, usize)> {
    let items = syn::parse_file(text).unwrap().items;
    let mut enums = BTreeMap::new();
    let mut lists = BTreeMap::new();
    for item in &items {
        match item {
            Item::Enum(found) => {
                enums.insert(found.ident.to_string(), found.variants.len());
            }
            Item::Impl(block) => {
                let Type::Path(owner) = &*block.self_ty else { continue };
                let owner = owner.path.segments.last().unwrap().ident.to_string();
                for part in &block.items {
                    if let ImplItem::Const(list) = part
                        && list.ident == "ALL"
                        && let Type::Array(array) = &list.ty
                        && let Expr::Lit(length) = &array.len
                        && let Lit::Int(length) = &length.lit
                    {
                        lists.insert(owner.clone(), length.base10_parse().unwrap());
                    }
                }
            }
            _ => {}
        }
    }
    let both = lists.into_iter().filter_map(|(name, length)| {
        let variants = *enums.get(&name)?;
        Some((name, (variants, length)))
    });
    both.collect()
}

#[test]
fn a_list_of_all_variants_has_all_of_them() {
    let mut seen = 0;
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        if !text.contains("const ALL:") {
            continue;
        }
        for (name, (variants, length)) in lists(&text) {
            seen += 1;
            if variants != length {
                wrong.push(format!("{path}: {name} has {variants} variants, its ALL {length}"));
            }
        }
    }
    assert!(seen > 3, "{seen}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let short = "enum E { A, B } impl E { const ALL: [Self; 1] = [Self::A]; }";
    assert_eq!(lists(short)["E"], (2, 1));
}

#[test]
fn the_documentation_lists_every_agent() {
    let text = read("shared/domain/src/agent.rs");
    let strings = |function: &str| {
        let (_, after) = text.split_once(&format!("fn {function}(self)")).unwrap();
        let (body, _) = after.split_once("\n    }\n").unwrap();
        body.split('"').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>()
    };
    let ids = strings("as_str");
    assert_eq!(
        ids.len(),
        variants(&repository().join("shared/domain/src/agent.rs"), "AgentId").len()
    );
    let line = |path: &str, start: &str| {
        let text = read(path);
        let found = text.lines().find(|line| line.starts_with(start));
        found.unwrap_or_else(|| panic!("{path} has no line {start}")).to_lowercase()
    };
    let configured = line("docs/configuration.md", "| `MODEL_AGENT_NAMES`");
    let explained = line("docs/glossary.md", "| **agent**");
    for id in ids {
        assert!(configured.contains(&format!("`{id}`")), "docs/configuration.md: {id}");
        assert!(explained.contains(&id.replace('-', " ")), "docs/glossary.md: {id}");
    }
}
