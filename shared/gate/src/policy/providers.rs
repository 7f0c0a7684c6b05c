//! Finds Terraform providers and modules without a version.

use super::pinned::{BRANCHES, on_a_branch};
use crate::check::error;
use crate::files::Written;
use crate::hcl::{self, Parsed, attribute, entry, label};
use crate::{POLICY, Unit};
use domain::gate::Finding;
use hcl_edit::expr::Expression;
use hcl_edit::structure::Body;
use std::collections::BTreeSet;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let (files, _) = hcl::parse(&unit.files);
    let (all, broken) = hcl::parse(&unit.tree);
    for parsed in &files {
        for (line, block) in parsed.blocks() {
            let path = Some(parsed.file.path.as_str());
            match block.ident.as_str() {
                "terraform" => required(parsed, &block.body, findings),
                "module" => {
                    if let Some(message) = module(&block.body) {
                        findings.push(error(POLICY, message).at(path, line));
                    }
                }
                _ => {}
            }
        }
        if broken.is_empty() {
            used(unit, parsed, &all, findings);
        }
    }
    for file in &unit.files {
        for (name, _) in in_json(file).into_iter().filter(|(_, pinned)| !pinned) {
            let line = file.text.lines().position(|line| line.contains(&format!("\"{name}\"")));
            let message = format!("The provider `{name}` has no version.");
            let line = line.unwrap_or_default() + 1;
            findings.push(error(POLICY, message).at(Some(&file.path), line));
        }
    }
}

/// The required providers of a file in Terraform's JSON, and whether each has a version.
fn in_json(file: &Written) -> Vec<(String, bool)> {
    if !file.name().ends_with(".tf.json") {
        return Vec::new();
    }
    let Ok(read) = serde_json::from_str::<serde_json::Value>(&file.filled()) else {
        return Vec::new();
    };
    let required = read.pointer("/terraform/required_providers");
    let required = required.and_then(serde_json::Value::as_object).into_iter().flatten();
    required
        .map(|(name, provider)| {
            (name.clone(), provider.is_string() || provider.get("version").is_some())
        })
        .collect()
}

/// Each entry of `required_providers` must state a version.
fn required(parsed: &Parsed, body: &Body, findings: &mut Vec<Finding>) {
    let path = Some(parsed.file.path.as_str());
    for block in body.get_blocks("required_providers") {
        for provider in block.body.attributes() {
            let name = provider.key.as_str();
            let version = match &provider.value {
                Expression::Object(object) => entry(object, "version").map(ToString::to_string),
                other => Some(other.to_string()),
            };
            let line = parsed.line_of(name);
            match version.as_deref().map(|text| text.trim().trim_matches('"')) {
                // A module takes the version of the folder that calls it.
                None if parsed.file.path.contains("modules/") => {}
                None | Some("") => {
                    let message = format!("The provider `{name}` has no version.");
                    findings.push(error(POLICY, message).at(path, line));
                }
                // The folder that calls a module limits its versions.
                Some(open)
                    if open.starts_with('>')
                        && !open.contains('<')
                        && !parsed.file.path.contains("modules/") =>
                {
                    let message = format!(
                        "The provider `{name}` may be any version from {} on. Pin it with `~>`.",
                        open.trim_start_matches(['>', '=', ' '])
                    );
                    findings.push(error(POLICY, message).at(path, line));
                }
                Some(_) => {}
            }
        }
    }
}

/// Each provider whose resources are used must be required somewhere in the folder.
fn used(unit: &Unit, parsed: &Parsed, all: &[Parsed], findings: &mut Vec<Finding>) {
    if parsed.file.extension() != "tf" {
        return;
    }
    let folder = parsed.file.folder();
    // A module inherits what the folder that calls it requires, if it needs nothing newer.
    let calls = |other: &Parsed| {
        other.body.blocks().filter(|block| block.ident.as_str() == "module").any(|block| {
            attribute(&block.body, "source").is_some_and(|source| {
                let place = source.trim_matches('"').trim_start_matches("./");
                !place.is_empty() && folder.ends_with(place.trim_start_matches("../"))
            })
        })
    };
    let above = all.iter().filter(|other| other.file.folder() != folder && calls(other));
    let folders: BTreeSet<&str> =
        above.map(|other| other.file.folder()).chain(std::iter::once(folder)).collect();
    let mut pinned = BTreeSet::from(["terraform".to_owned()]);
    for other in all.iter().filter(|other| folders.contains(other.file.folder())) {
        let blocks = other.body.get_blocks("terraform");
        for required in blocks.flat_map(|block| block.body.get_blocks("required_providers")) {
            pinned.extend(required.body.attributes().map(|a| a.key.as_str().to_owned()));
        }
    }
    for file in unit.tree.iter().filter(|file| file.folder() == parsed.file.folder()) {
        pinned.extend(in_json(file).into_iter().map(|(name, _)| name));
    }
    let mut reported = BTreeSet::new();
    for (line, block) in parsed.blocks() {
        let kind = block.ident.as_str();
        if !["resource", "data", "provider"].contains(&kind) || block.body.has_attribute("provider")
        {
            continue;
        }
        let name = label(block, 0).split('_').next().unwrap_or_default();
        if !pinned.contains(name) && reported.insert(name.to_owned()) {
            let message = format!(
                "The provider `{name}` has no version: no `required_providers` in this folder names it."
            );
            findings.push(error(POLICY, message).at(Some(&parsed.file.path), line));
        }
    }
}

fn module(body: &Body) -> Option<String> {
    let source = attribute(body, "source")?;
    let source = source.trim_matches('"');
    let from_git =
        source.contains("git::") || source.contains("github.com") || source.ends_with(".git");
    if source.starts_with('.') {
        return None;
    }
    if from_git {
        let Some((_, reference)) = source.split_once("ref=") else {
            let message = "This module names no `ref`, so it may change any day.";
            return Some(message.to_owned());
        };
        let branch = reference.split('&').next().unwrap_or(reference);
        let branch = branch.trim_start_matches("refs/heads/");
        // Every release has a number, and every commit a digit.
        let named = !branch.contains(['$', '{']) && !branch.contains(|c: char| c.is_ascii_digit());
        let moves = named || BRANCHES.contains(&branch) || reference.starts_with("refs/heads/");
        return moves.then(|| {
            format!("The branch `{branch}` may be another module tomorrow: name a tag or a commit.")
        });
    }
    if let Some(message) = on_a_branch(source) {
        return Some(message);
    }
    let registry = source.split('/').count() >= 3 && !source.contains("://");
    let version = attribute(body, "version").filter(|_| registry);
    // `~> 5.8` ends before the next major version.
    let endless =
        |version: String| version.replace("~>", "").contains('>') && !version.contains('<');
    if version.is_some_and(endless) {
        return Some(
            "This module may be any later version: give its version an upper limit.".to_owned(),
        );
    }
    (registry && !body.has_attribute("version")).then(|| "This module has no version.".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Context;

    #[test]
    fn modules_are_the_same_tomorrow() {
        let said = |arguments: &str| {
            let text = format!("cat >main.tf <<'E'\nmodule \"a\" {{\n{arguments}\n}}\nE\n");
            let context = Context::default();
            let unit = Unit::new(&text, &context);
            let mut findings = Vec::new();
            examine(&unit, &mut findings);
            findings.len()
        };
        for text in [
            "source = \"git::ssh://git@git.example.org/a/b.git//c?depth=1&ref=develop\"",
            "source = \"github.com/a/b//c\"",
            "source = \"git::https://git.example.org/a/b.git?ref=feature/network\"",
            "source = \"github.com/a/b?ref=refs/heads/next-one\"",
            "source = \"https://github.com/a/b/archive/refs/heads/main.zip\"",
            "source = \"a/b/aws\"\nversion = \">= 2.0\"",
        ] {
            assert_eq!(said(text), 1, "{text}");
        }
        for text in [
            "source = \"git::https://git.example.org/a/b.git?ref=v1.4.0\"",
            "source = \"github.com/a/b?ref=5c3f1e2\"",
            "source = \"../modules/main\"",
            "source = \"a/b/aws\"\nversion = \">= 2.0, < 3.0\"",
            "source = \"a/b/aws\"\nversion = \"~> 2.0\"",
        ] {
            assert_eq!(said(text), 0, "{text}");
        }
    }
}
