//! Checks that the crates of the functions read environment variables only through the crate `settings`, which names a
//! missing or unusable one; `tests/deploy` compares these variables with the template.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use house_tests::modules::Modules;
use house_tests::{members, repository};

/// The ends of the paths that read a variable.
const READS: [&[&str]; 4] =
    [&["env", "var"], &["env", "var_os"], &["env", "vars"], &["env", "vars_os"]];

#[test]
fn only_settings_reads_the_environment() {
    let mut wrong = Vec::new();
    let mut reads = 0;
    for member in members() {
        let served =
            member.folder.starts_with("shared/") || member.folder.starts_with("functions/");
        for root in ["src/lib.rs", "src/main.rs"] {
            let root = repository().join(&member.folder).join(root);
            let modules = (served && root.is_file()).then(|| Modules::of_crate(&root));
            for module in modules.iter().flat_map(|modules| modules.naming(&READS)) {
                match member.name.as_str() {
                    "settings" => reads += 1,
                    name => wrong.push(format!("{name}::{module}")),
                }
            }
        }
    }
    assert!(reads > 0, "the reads of settings were not found");
    assert!(wrong.is_empty(), "use settings::var instead of std::env in: {}", wrong.join(", "));
}

#[test]
fn each_way_to_read_a_variable_is_found() {
    let reads = [
        "fn f() { std::env::var(\"X\"); }",
        "use std::env; fn f() { env::var_os(\"X\"); }",
        "use std::env::{self as e, args}; fn f() { e::vars(); }",
        "use std::env::var; fn f() { var(\"X\"); }",
        "fn f() { println!(\"{:?}\", std::env::var(\"X\")); }",
        "mod inner { impl S { fn f(&self) { [1].map(std::env::vars_os); } } }",
    ];
    for text in reads {
        assert_eq!(Modules::of_text(text).naming(&READS).len(), 1, "{text}");
    }
    let others = "use settings::var; fn f() { var(\"X\"); env!(\"X\"); std::env::args(); }
        #[cfg(test)] mod tests { fn f() { std::env::var(\"X\"); } }";
    assert!(Modules::of_text(others).naming(&READS).is_empty());
}
