//! Lints and documentation of all Rust code.
//!
//! `cargo clippy` and `cargo doc` each read every library once more, for minutes. So where everything is compiled from
//! nothing, as with `--ci`, the compiler's wrapper `infra/dev/rustc.sh` lints and documents each target of the workspace as
//! it is compiled, with the libraries that the build has just made.

use crate::ci;
use crate::examples::has_example;
use crate::step::{in_root, tracked};
use anyhow::Result;
use std::path::Path;
use std::process::Command;

/// Builds everything with the wrapper of `--ci`, which lints and documents each target as it is compiled, if this run uses
/// it. What is already built, it checked before.
fn checking_build(root: &Path) -> Option<Command> {
    ci::lints_while_building().then(|| in_root(root, &["programs", "--all-targets"]))
}

/// Clippy's lints.
pub fn clippy(root: &Path) -> Result<Vec<Command>> {
    if let Some(build) = checking_build(root) {
        return Ok(vec![build]);
    }
    Ok(vec![in_root(root, &["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"])])
}

/// Checks that every link in the documentation resolves, private items included. nextest does not run examples, so they are
/// run separately if there are any: cargo takes a minute to find none.
pub fn doc(root: &Path) -> Result<Vec<Command>> {
    let links = checking_build(root).unwrap_or_else(|| {
        let mut links =
            in_root(root, &["doc", "--workspace", "--no-deps", "--document-private-items"]);
        // Private items are documented here as well, so a link to one is not an error.
        links.env("RUSTDOCFLAGS", "--deny warnings --allow rustdoc::private_intra_doc_links");
        links
    });
    let any = tracked(root, |path| path.ends_with(".rs") || path.ends_with("README.md"))?
        .iter()
        .any(|path| std::fs::read_to_string(path).is_ok_and(|text| has_example(&text)));
    let examples = any.then(|| in_root(root, &["test", "--workspace", "--doc"]));
    Ok(std::iter::once(links).chain(examples).collect())
}
