#![doc = include_str!("../README.md")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

pub mod loose;
pub mod matches;
pub mod modules;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A crate of the workspace, as described by its manifest.
#[derive(Debug)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Its folder, relative to the repository.
    pub folder: String,
    /// Its dependencies on any platform, also those of its build script, without those that only its tests need. Each
    /// has the name of its package, whatever the crate calls it.
    pub dependencies: BTreeSet<String>,
}

/// Every crate of the workspace.
pub fn members() -> Vec<Member> {
    let manifests = tracked().into_iter().filter(|path| path.ends_with("/Cargo.toml"));
    let workspace = std::fs::read_to_string(repository().join("Cargo.toml")).unwrap();
    let workspace: toml::Table = workspace.parse().unwrap();
    manifests
        .map(|path| {
            let text = std::fs::read_to_string(repository().join(&path)).unwrap();
            let manifest: toml::Table = text.parse().unwrap_or_else(|e| panic!("{path}: {e}"));
            Member {
                name: manifest["package"]["name"].as_str().unwrap().to_owned(),
                folder: path.trim_end_matches("/Cargo.toml").to_owned(),
                dependencies: dependencies(&manifest, &workspace["workspace"]["dependencies"]),
            }
        })
        .collect()
}

/// The packages that a manifest's crate can link, where `shared` has the dependencies that the workspace declares.
pub fn dependencies(manifest: &toml::Table, shared: &toml::Value) -> BTreeSet<String> {
    let platforms = manifest.get("target").and_then(toml::Value::as_table);
    let platforms = platforms.into_iter().flat_map(|table| table.values());
    let tables = platforms.filter_map(toml::Value::as_table).chain([manifest]);
    let named = tables.flat_map(|table| {
        let kinds = ["dependencies", "build-dependencies"];
        kinds.into_iter().filter_map(|kind| table.get(kind)?.as_table()).flatten()
    });
    let package = |(name, entry): (&String, &toml::Value)| {
        let in_workspace = entry.get("workspace").and_then(|_| shared.get(name));
        let renamed = in_workspace.unwrap_or(entry).get("package");
        renamed.and_then(toml::Value::as_str).unwrap_or(name).to_owned()
    };
    named.map(package).collect()
}

/// What Git prints in the repository; `None` if it fails.
pub fn git(arguments: &[&str]) -> Option<String> {
    let ended = Command::new("git").current_dir(repository()).args(arguments).output().unwrap();
    ended.status.success().then(|| String::from_utf8(ended.stdout).unwrap())
}

/// Files under version control and new files that are not ignored, relative to the repository.
pub fn tracked() -> Vec<String> {
    let listed = git(&["ls-files", "--cached", "--others", "--exclude-standard"]);
    let listed = listed.expect("git ls-files failed");
    let there = listed.lines().filter(|path| repository().join(path).is_file());
    there.map(str::to_owned).collect()
}
