//! Finds tools, packages and images that a project's own files take from a branch, or without a version.

use super::tools::{BRANCHES, on_a_branch};
use crate::files::Written;
use crate::places::is_yaml;
use crate::yaml::{self, Node};

/// Hooks, tools and settings of pipelines that a project's own file names without a version.
pub(super) fn listed(file: &Written) -> Vec<(usize, String)> {
    let mut found = tool_versions(file);
    found.extend(packaged(file));
    if !is_yaml(file) {
        return found;
    }
    let Ok(documents) = yaml::documents(&file.filled()) else { return found };
    for node in documents.iter().flat_map(Node::all) {
        found.extend(hook(file, node));
        found.extend(tools_of_a_workflow(file, node));
        found.extend(image_of_a_pipeline(file, node));
        found.extend(chart_of_argo(node));
    }
    found.extend(dependencies_of_a_chart(file, &documents));
    found.extend(bases(file, &documents));
    found
}

type Found = (usize, String);

/// The line and the text of a value.
fn text<'a>(node: &'a Node, key: &str) -> Option<(usize, &'a str)> {
    node.get(key).and_then(|it| Some((it.line, it.text()?)))
}

fn tool_versions(file: &Written) -> Vec<Found> {
    if ![".tool-versions", ".nvmrc", ".python-version"].contains(&file.name()) {
        return Vec::new();
    }
    let moving = ["latest", "lts/*", "node", "stable"];
    let text = file.filled();
    let lines = text.lines().enumerate().filter(|(_, line)| {
        line.split_whitespace().last().is_some_and(|word| moving.contains(&word))
    });
    lines
        .map(|(at, line)| (at + 1, format!("`{}` may be another version tomorrow.", line.trim())))
        .collect()
}

/// A hook of pre-commit.
fn hook(file: &Written, node: &Node) -> Option<Found> {
    let (line, rev) = text(node, "rev")?;
    (file.name().starts_with(".pre-commit-config") && BRANCHES.contains(&rev))
        .then(|| (line, format!("The hooks at `{rev}` may be different tomorrow: name a tag.")))
}

/// Versions of tools that a workflow's action installs.
fn tools_of_a_workflow(file: &Written, node: &Node) -> Vec<Found> {
    if !file.is_workflow() {
        return Vec::new();
    }
    let moving = ["latest", "lts/*", "node", "nightly", "*", "stable"];
    let versions = node.map().iter().filter_map(|entry| {
        let names = entry.key.ends_with("-version") || entry.key.ends_with("_version");
        let value = entry.value.text().unwrap_or_default();
        (names && moving.contains(&value)).then(|| {
            (entry.line, format!("`{}: {value}` may be another version tomorrow.", entry.key))
        })
    });
    versions.collect()
}

/// The image in which a job runs.
fn image_of_a_pipeline(file: &Written, node: &Node) -> Option<Found> {
    if !file.is_workflow() && !file.name().starts_with(".gitlab-ci") {
        return None;
    }
    let (line, name) = text(node, "image").or_else(|| text(node, "container"))?;
    Some((line, super::image(name)?))
}

fn chart_of_argo(node: &Node) -> Option<Found> {
    text(node, "chart")?;
    let (line, target) = text(node, "targetRevision")?;
    (target == "*" || BRANCHES.contains(&target))
        .then(|| (line, "This chart has no version.".to_owned()))
}

fn dependencies_of_a_chart(file: &Written, documents: &[Node]) -> Vec<Found> {
    if file.name() != "Chart.yaml" {
        return Vec::new();
    }
    let charts = documents.iter().filter_map(|document| document.get("dependencies"));
    let open = charts.flat_map(Node::list).filter(|chart| {
        let version = chart.get("version").and_then(Node::text);
        let source = chart.get("repository").and_then(Node::text);
        let local = source.is_some_and(|it| it.starts_with("file:"));
        !local && version.is_none_or(super::moving::is_open)
    });
    open.map(|chart| (chart.line, "This chart has no version.".to_owned())).collect()
}

/// What kustomize takes from a repository.
fn bases(file: &Written, documents: &[Node]) -> Vec<Found> {
    if !file.name().starts_with("kustomization.") {
        return Vec::new();
    }
    let lists = documents.iter().flat_map(|it| [it.get("resources"), it.get("bases")]).flatten();
    let moving = lists.flat_map(Node::list).filter_map(|node| {
        let text = node.text().filter(|text| text.contains("github.com/"))?;
        let reference =
            text.split_once("ref=").map(|(_, rest)| rest.split('&').next().unwrap_or(rest));
        let release = text.contains("/releases/download/") || text.contains("version=");
        (!release && reference.is_none_or(|it| BRANCHES.contains(&it)))
            .then(|| (node.line, format!("`{text}` may be another one tomorrow: name a tag.")))
    });
    moving.collect()
}

/// Packages of a project in JavaScript or PHP that may be any version, images of Terraform, and files that an image fetches.
fn packaged(file: &Written) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let project = ["package.json", "composer.json"].contains(&file.name());
    for (at, line) in file.text.lines().enumerate() {
        if project && let Some((name, version)) = line.split_once(':') {
            // Several pairs may be on one line.
            let name = name.rsplit(['{', ',']).next().unwrap_or(name).trim();
            let version = version.trim().trim_end_matches([',', '}', ' ']).trim_matches('"');
            let version = version.split('"').next().unwrap_or(version);
            if ["*", "latest", "x"].contains(&version) {
                found.push((at + 1, format!("The package {name} has no version.")));
            }
        }
        let image = (file.extension() == "tf").then(|| line.trim().split_once('=')).flatten();
        if let Some((key, value)) = image
            && ["image", "name"].contains(&key.trim())
            && value.trim().trim_matches('"').ends_with(":latest")
            && let Some(message) = super::image(value.trim().trim_matches('"'))
            && !value.contains('/')
        {
            found.push((at + 1, message));
        }
        if line.starts_with("ADD ") && crate::places::is_dockerfile(file) {
            let message = line.split_whitespace().find_map(on_a_branch);
            found.extend(message.map(|message| (at + 1, message)));
        }
    }
    found
}
