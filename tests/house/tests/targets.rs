//! Checks that each program and library without tests says so in its manifest: cargo would otherwise compile and link
//! one more binary for each of them, only to run no test in it. One that says so must not have tests, because nothing
//! would run them.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use house_tests::repository;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The libraries and programs of the workspace, each as described by cargo.
fn targets() -> Vec<Value> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(repository()).args(["metadata", "--no-deps", "--format-version", "1"]);
    let found = cargo.output().unwrap();
    assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stderr));
    let metadata: Value = serde_json::from_slice(&found.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap().iter();
    let targets = packages.flat_map(|package| package["targets"].as_array().unwrap());
    let compiled = |target: &&Value| ["lib", "bin"].iter().any(|kind| target["kind"][0] == *kind);
    targets.filter(compiled).cloned().collect()
}

/// A source file and those of its modules.
fn sources(file: &Path, folder: &Path) -> Vec<PathBuf> {
    let text = std::fs::read_to_string(file).unwrap();
    let modules = text.lines().filter_map(|line| {
        let line = line.trim_start().trim_start_matches("pub").trim_start_matches("(crate)");
        line.trim_start().strip_prefix("mod ")?.strip_suffix(';').map(str::to_owned)
    });
    let mut all = vec![file.to_owned()];
    for module in modules {
        let inner = folder.join(&module);
        let places = [folder.join(format!("{module}.rs")), inner.join("mod.rs")];
        // A line in the text of a skeleton also looks like a module.
        if let Some(file) = places.iter().find(|place| place.is_file()) {
            all.extend(sources(file, &inner));
        }
    }
    all
}

fn has_tests(target: &Value) -> bool {
    let root = Path::new(target["src_path"].as_str().unwrap());
    sources(root, root.parent().unwrap()).iter().any(|file| {
        let text = std::fs::read_to_string(file).unwrap();
        text.lines().any(|line| {
            let line = line.trim_start();
            line.starts_with("#[test]")
                || line.starts_with("#[tokio::test")
                || line.starts_with("proptest!")
        })
    })
}

#[test]
fn a_library_or_program_is_compiled_for_tests_exactly_if_it_has_any() {
    let targets = targets();
    assert!(targets.len() > 40, "{} targets", targets.len());
    let wrong = targets.iter().filter_map(|target| {
        let (has, runs) = (has_tests(target), target["test"].as_bool().unwrap());
        let what = match (has, runs) {
            (false, true) => "has no tests; say `test = false`",
            (true, false) => "has tests, but its manifest says `test = false`",
            _ => return None,
        };
        Some(format!("{}: {what}", target["src_path"].as_str().unwrap()))
    });
    let wrong: Vec<_> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
