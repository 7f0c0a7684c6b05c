//! Checks versions: what runs tomorrow must be what was approved today.

use crate::check::{Task, error, tasks};
use crate::files::Written;
use crate::places::{is_compose, is_yaml};
use crate::yaml::{self, Node};
use crate::{POLICY, Unit};
use domain::gate::Finding;

/// Tags that name a different image every month.
const MOVING: [&str; 9] =
    ["edge", "latest", "lts", "main", "mainline", "master", "nightly", "stable", "current"];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in &unit.files {
        images(file, findings);
        dockerfile(file, findings);
        packages(file, findings);
    }
    for shell in &unit.shells {
        for command in &shell.script.commands {
            if let Some(message) = unpinned(&command.argv()) {
                let line = command.line + shell.offset;
                findings.push(error(POLICY, message).at(shell.file.as_deref(), line));
            }
        }
    }
    piped(unit, findings);
}

/// Why an image may be different tomorrow. What bash or a template fills in is not known.
fn image(name: &str) -> Option<String> {
    if name.contains("@sha256:") || name.is_empty() || name == "scratch" {
        return None;
    }
    let last = name.rsplit('/').next().unwrap_or(name);
    let unknown = |text: &str| {
        text.contains("${") || text.contains("$(") || text.contains('$') || text.contains("{{")
    };
    match last.split_once(':') {
        None if unknown(name) => None,
        None => Some(format!("The image `{name}` names no version.")),
        Some((_, tag)) if unknown(tag) => None,
        Some((_, tag)) if MOVING.contains(&tag) || !tag.contains(|c: char| c.is_ascii_digit()) => {
            Some(format!("The image `{name}` names no version: `{tag}` is another one tomorrow."))
        }
        Some(_) => None,
    }
}

fn images(file: &Written, findings: &mut Vec<Finding>) {
    let kubernetes = file.text.contains("\nkind:") || file.text.starts_with("kind:");
    if !(is_compose(file) || is_yaml(file) && kubernetes) {
        return;
    }
    let Ok(documents) = yaml::documents(&file.text) else { return };
    for node in documents.iter().flat_map(Node::all) {
        let built = node.get("build").is_some();
        let Some(name) = node.get("image").filter(|_| !built) else { continue };
        if let Some(message) = name.text().and_then(image) {
            findings.push(error(POLICY, message).at(Some(&file.path), name.line));
        }
    }
}

fn dockerfile(file: &Written, findings: &mut Vec<Finding>) {
    let named = file.name().starts_with("Dockerfile") || file.name().ends_with(".Dockerfile");
    if !named && file.name() != "Containerfile" {
        return;
    }
    let mut stages: Vec<String> = Vec::new();
    for (at, line) in file.text.lines().enumerate() {
        let mut words = line.split_whitespace();
        if !words.next().is_some_and(|word| word.eq_ignore_ascii_case("from")) {
            continue;
        }
        let mut words = words.filter(|word| !word.starts_with("--"));
        let Some(name) = words.next() else { continue };
        let known = stages.iter().any(|stage| stage.eq_ignore_ascii_case(name));
        if let Some(message) = image(name).filter(|_| !known) {
            findings.push(error(POLICY, message).at(Some(&file.path), at + 1));
        }
        stages.extend(words.nth(1).map(str::to_owned));
    }
}

/// Packages that an Ansible task installs without a version.
fn packages(file: &Written, findings: &mut Vec<Finding>) {
    let Some(documents) = crate::check::task_documents(file) else { return };
    for task in tasks(&documents, file) {
        if let Some((line, message)) = package(&task) {
            findings.push(error(POLICY, message).at(Some(&file.path), line));
        }
    }
}

fn package(task: &Task) -> Option<(usize, String)> {
    let (module, given) = task.module()?;
    let short = module.rsplit('.').next().unwrap_or(module);
    if let Some(state) = given.get("state").filter(|state| state.text() == Some("latest")) {
        let message = "`state: latest` installs another version on another day. Use `present`.";
        return Some((state.line, message.to_owned()));
    }
    match short {
        "pip" => {
            let pinned = given.get("version").is_some() || given.get("requirements").is_some();
            let name = given.get("name").filter(|_| !pinned)?;
            let names: Vec<&str> = match name.text() {
                Some(one) => one.split(',').collect(),
                None => name.list().iter().filter_map(Node::text).collect(),
            };
            let open = names.into_iter().find(|n| !n.contains("==") && !n.contains("{{"))?;
            Some((name.line, format!("The Python package `{}` has no version.", open.trim())))
        }
        "docker_container" | "docker_image" => {
            let name = given.get("image").or_else(|| given.get("name"))?;
            let tagged = short == "docker_image" && given.get("tag").is_some();
            let message = image(name.text()?).filter(|_| !tagged)?;
            Some((name.line, message))
        }
        "get_url" | "unarchive" => {
            let url = given.get("url").or_else(|| given.get("src"))?;
            latest_address(url.text()?).map(|message| (url.line, message))
        }
        "git" => {
            let version = given.get("version").and_then(Node::text);
            let moving =
                version.is_none_or(|version| ["HEAD", "main", "master"].contains(&version));
            moving.then(|| (given.line, "This checkout names no tag or commit.".to_owned()))
        }
        _ => None,
    }
}

fn latest_address(address: &str) -> Option<String> {
    let moving = ["/latest/download", "/releases/latest", "-latest.", "/master/", "/nightly/"];
    let fetched = address.starts_with("http");
    (fetched && moving.iter().any(|part| address.contains(part)))
        .then(|| format!("`{address}` is another file tomorrow. Name a version."))
}

/// Options of `docker run` that take no value.
const DOCKER_FLAGS: [&str; 14] = [
    "-d",
    "--detach",
    "--rm",
    "-i",
    "-t",
    "-it",
    "-ti",
    "--interactive",
    "--tty",
    "--init",
    "--privileged",
    "--read-only",
    "-q",
    "--quiet",
];

fn unpinned(argv: &[&str]) -> Option<String> {
    match argv {
        ["docker" | "podman", "run" | "create", rest @ ..] => {
            let mut at = 0;
            while let Some(word) = rest.get(at).filter(|word| word.starts_with('-')) {
                at += if word.contains('=') || DOCKER_FLAGS.contains(word) { 1 } else { 2 };
            }
            image(rest.get(at)?)
        }
        ["docker" | "podman", "pull", rest @ ..] => {
            image(rest.iter().find(|word| !word.starts_with('-'))?)
        }
        ["pip" | "pip3" | "pipx", "install", rest @ ..] => python(rest),
        ["python" | "python3", "-m", "pip", "install", rest @ ..] => python(rest),
        ["npm" | "pnpm" | "yarn", verb @ ("install" | "i" | "add" | "global"), rest @ ..] => {
            let global = *verb == "add"
                || rest.contains(&"-g")
                || rest.contains(&"--global")
                || *verb == "global";
            let open = rest.iter().find(|word| {
                !word.starts_with(['-', '.', '/', '$'])
                    && **word != "add"
                    && !word.trim_start_matches('@').contains('@')
            })?;
            global.then(|| format!("The package `{open}` has no version."))
        }
        ["go", "install", rest @ ..] => {
            let open = rest.iter().find(|word| word.ends_with("@latest"))?;
            Some(format!("`{open}` is another version tomorrow."))
        }
        ["gem", "install", rest @ ..] => {
            let pinned = rest.iter().any(|word| *word == "-v" || word.starts_with("--version"));
            (!pinned).then(|| "This gem has no version.".to_owned())
        }
        ["helm", verb @ ("install" | "upgrade"), rest @ ..] => {
            let pinned = rest.iter().any(|word| word.starts_with("--version"));
            let local = rest.iter().any(|word| word.starts_with(['.', '/']) && word.len() > 1);
            (!pinned && !local).then(|| format!("`helm {verb}` has no `--version`."))
        }
        ["ansible-galaxy", rest @ ..] if rest.contains(&"install") => {
            let from_file = rest.iter().any(|word| ["-r", "--requirements-file"].contains(word));
            let name = rest.iter().skip_while(|word| **word != "install").skip(1);
            let open = name.filter(|word| !word.starts_with('-')).find(|word| {
                !word.contains([':', ',']) && !word.contains("==") && !word.contains(['$', '/'])
            })?;
            (!from_file).then(|| format!("`{open}` has no version."))
        }
        [_, rest @ ..] => rest.iter().find_map(|word| latest_address(word)),
        [] => None,
    }
}

fn python(rest: &[&str]) -> Option<String> {
    const VALUED: [&str; 7] =
        ["-r", "--requirement", "-c", "--constraint", "--target", "-i", "--index-url"];
    let mut at = 0;
    while let Some(word) = rest.get(at) {
        if ["-r", "--requirement", "-c", "--constraint"].contains(word) {
            return None;
        }
        if VALUED.contains(word) {
            at += 2;
            continue;
        }
        let local = word.starts_with(['-', '.', '/', '$']) || word.ends_with(".whl");
        let tool = ["pip", "setuptools", "wheel"].contains(word);
        if !local && !tool && !word.contains("==") && !word.contains("@ ") {
            return Some(format!("The Python package `{word}` has no version."));
        }
        at += 1;
    }
    None
}

/// A script from the network that a shell runs unseen.
fn piped(unit: &Unit, findings: &mut Vec<Finding>) {
    let heredocs: Vec<(usize, usize)> = unit
        .script
        .heredocs
        .iter()
        .map(|heredoc| (heredoc.line, heredoc.line + heredoc.text.matches('\n').count()))
        .collect();
    for (at, line) in unit.text.lines().enumerate() {
        let line = line.trim();
        let fed = heredocs.iter().any(|(from, to)| (*from..*to).contains(&(at + 1)));
        if fed || line.starts_with('#') {
            continue;
        }
        let fetches = ["curl ", "wget "].iter().any(|program| line.contains(program));
        let shell = line.rsplit('|').next().unwrap_or_default().trim();
        let shell = shell.trim_start_matches("sudo ").trim_start_matches("-E ");
        let runs = ["bash", "sh"].contains(&shell.split_whitespace().next().unwrap_or_default());
        let substituted = line.contains("bash <(curl") || line.contains("sh -c \"$(curl");
        if (fetches && runs && line.contains('|')) || substituted {
            let message = "This runs whatever a site serves at that moment. Download a version and compare its digest.";
            findings.push(error(POLICY, message).at(None, at + 1));
        }
    }
}
