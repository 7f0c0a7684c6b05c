//! Checks versions: what runs tomorrow must be what was approved today.

mod charts;
mod manifests;
mod moving;
mod projects;
mod sources;
mod tools;
mod unused;
mod values;
mod whole;

pub(super) use tools::{BRANCHES, on_a_branch};

use crate::check::{Task, error, tasks};
use crate::files::Written;
use crate::places::{is_compose, is_dockerfile, is_yaml};
use crate::yaml::{self, Node};
use crate::{POLICY, Unit};
use domain::gate::Finding;
use moving::latest_address;

/// Tags that name a different image every month.
const MOVING: [&str; 9] =
    ["edge", "latest", "lts", "main", "mainline", "master", "nightly", "stable", "current"];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written() {
        images(unit, file, findings);
        dockerfile(file, findings);
        packages(file, findings);
        named_images(file, findings);
        lists(file, findings);
        sources::channel(file, findings);
        sources::dependencies(file, findings);
        projects::python(unit, file, findings);
        whole::examine(file, findings);
        for (line, message) in manifests::listed(file).into_iter().chain(moving::addresses(file)) {
            findings.push(error(POLICY, message).at(Some(&file.path), line));
        }
    }
    for shell in unit.running() {
        for command in &shell.script.commands {
            let argv = command.argv();
            let message = unpinned(&argv)
                .filter(|_| !sources::charted(&argv, &shell.script))
                .or_else(|| tools::unpinned(&argv))
                .or_else(|| whole::command(&argv))
                .or_else(|| moving::command(command))
                .or_else(|| argv.iter().find_map(|word| tools::on_a_branch(word)))
                .or_else(|| sources::cloned(command, &shell.script))
                .or_else(|| tools::cloned(command, &shell.script, unit));
            if let Some(message) = message {
                let line = command.line + shell.offset;
                findings.push(error(POLICY, message).at(shell.file.as_deref(), line));
            }
        }
    }
    values::examine(unit, findings);
    unused::examine(unit, findings);
    whole::images_of_one_file(unit, findings);
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
        Some((_, tag)) if MOVING.iter().any(|moving| tag.ends_with(&format!("-{moving}}}"))) => {
            Some(format!("The image `{name}` names no version unless someone sets one."))
        }
        _ if unknown(last) && last.ends_with(":?}") && last.starts_with('$') => None,
        None if unknown(name) => None,
        None => Some(format!("The image `{name}` names no version.")),
        Some((_, tag)) if unknown(tag) => None,
        Some((_, tag)) if MOVING.contains(&tag) || !tag.contains(|c: char| c.is_ascii_digit()) => {
            Some(format!(
                "The image `{name}` names no version: `{tag}` may be another one tomorrow."
            ))
        }
        Some((_, tag)) => whole::major(name, tag),
    }
}

fn images(unit: &Unit, file: &Written, findings: &mut Vec<Finding>) {
    let kubernetes = file.text.contains("\nkind:") || file.text.starts_with("kind:");
    if !(is_compose(file) || is_yaml(file) && kubernetes) {
        return;
    }
    let Ok(documents) = yaml::documents(&file.text) else { return };
    for node in documents.iter().flat_map(Node::all) {
        let built = node.get("build").is_some();
        let Some(name) = node.get("image").filter(|_| !built) else { continue };
        let text = name.text().filter(|text| !unused::is_set_beside(unit, text));
        if let Some(message) = text.and_then(image) {
            findings.push(error(POLICY, message).at(Some(&file.path), name.line));
        }
    }
}

fn dockerfile(file: &Written, findings: &mut Vec<Finding>) {
    if !is_dockerfile(file) {
        return;
    }
    let mut tell = |at: usize, message: String| {
        findings.push(error(POLICY, message).at(Some(&file.path), at + 1));
    };
    let mut stages: Vec<String> = Vec::new();
    let mut arguments: Vec<(String, Option<String>)> = Vec::new();
    for (at, line) in file.text.lines().enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [first, rest @ ..] = words.as_slice() else { continue };
        if first.eq_ignore_ascii_case("arg") {
            let named = rest.iter().map(|word| word.split_once('=').unwrap_or((word, "")));
            let given = |value: &str| (!value.is_empty()).then(|| value.trim_matches('"').into());
            arguments.extend(named.map(|(name, value)| (name.to_owned(), given(value))));
        }
        let stage = |name: &str| stages.iter().any(|stage| stage.eq_ignore_ascii_case(name));
        if first.eq_ignore_ascii_case("copy") {
            let Some(from) = rest.iter().find_map(|word| word.strip_prefix("--from=")) else {
                continue;
            };
            let known = stage(from) || from.parse::<usize>().is_ok();
            let foreign = from.contains(['/', ':']);
            if foreign && let Some(message) = image(from).filter(|_| !known) {
                tell(at, message);
            } else if !foreign && !known && !stages.is_empty() && !from.contains('$') {
                tell(at, format!("No stage of this file is named `{from}`."));
            }
        }
        if !first.eq_ignore_ascii_case("from") {
            continue;
        }
        let mut words = rest.iter().filter(|word| !word.starts_with("--"));
        let Some(name) = words.next() else { continue };
        let known = stage(name);
        let mut filled = (*name).to_owned();
        for (argument, value) in &arguments {
            let Some(value) = value else { continue };
            filled = filled.replace(&format!("${{{argument}}}"), value);
            filled = filled.replace(&format!("${argument}"), value);
        }
        let unset = filled.split_once("${").and_then(|(_, rest)| rest.split_once('}'));
        let unset = unset.map(|(name, _)| name).filter(|name| crate::bash::is_name(name));
        let declared = |name: &str| arguments.iter().any(|(argument, _)| argument == name);
        if let Some(unset) = unset.filter(|name| !declared(name) && !file.expands) {
            tell(at, format!("No `ARG` before this line declares `{unset}`."));
        }
        if let Some(message) = image(&filled).filter(|_| !known) {
            tell(at, message);
        }
        stages.extend(words.nth(1).map(|stage| (*stage).to_owned()));
    }
}

/// Images that Terraform's files name, in variables and in containers.
fn named_images(file: &Written, findings: &mut Vec<Finding>) {
    for (at, line) in file.text.lines().enumerate().filter(|_| file.extension() == "tf") {
        let quoted = line.split('"').skip(1).step_by(2);
        let key = line.trim().trim_start_matches('"').starts_with("image");
        let moves = |text: &&str| {
            let tag = text.rsplit_once(':').map(|(_, tag)| tag);
            let known = tag.is_some_and(|tag| MOVING.contains(&tag)) && !text.contains("://");
            known && (key || (text.ends_with(":latest") && text.contains('/')))
        };
        for name in quoted.filter(moves) {
            if let Some(message) = image(name) {
                findings.push(error(POLICY, message).at(Some(&file.path), at + 1));
            }
        }
    }
}

/// Packages that an Ansible task installs without a version.
fn packages(file: &Written, findings: &mut Vec<Finding>) {
    let Some(documents) = crate::check::task_documents(file) else { return };
    for task in tasks(&documents, file) {
        if let Some((line, message)) = package(&task).or_else(|| moving::task(&task)) {
            findings.push(error(POLICY, message).at(Some(&file.path), line));
        }
    }
}

/// Packages, actions and images that a project's own files name without a version.
fn lists(file: &Written, findings: &mut Vec<Finding>) {
    let name = file.name();
    let requirements = name.starts_with("requirements") && name.ends_with(".txt");
    let workflow = file.is_workflow() && is_yaml(file);
    let kustomize = name.starts_with("kustomization.");
    for (at, line) in file.filled().lines().enumerate() {
        let line = line.split(" #").next().unwrap_or_default().trim();
        let message = if line.is_empty() || line.starts_with(['#', '-']) && requirements {
            continue;
        } else if requirements {
            let pinned = line.contains("==") || line.contains(" @ ") || line.contains("--hash");
            let package = line.split([' ', ';', '>', '<', '~', '!']).next().unwrap_or(line);
            (!pinned).then(|| format!("The Python package `{package}` has no version."))
        } else if workflow {
            line.trim_start_matches("- ").strip_prefix("uses:").and_then(|action| {
                let (_, version) = action.trim().split_once('@')?;
                let moving = ["main", "master", "HEAD", "latest"].contains(&version);
                moving
                    .then(|| format!("The action `{}` may be another one tomorrow.", action.trim()))
            })
        } else if kustomize {
            // `x` stands for what bash fills in.
            line.strip_prefix("newTag:")
                .filter(|tag| tag.trim().trim_matches(['"', '\'']) != "x")
                .and_then(|tag| image(&format!("image:{}", tag.trim().trim_matches(['"', '\'']))))
        } else {
            None
        };
        if let Some(message) = message {
            findings.push(error(POLICY, message).at(Some(&file.path), at + 1));
        }
    }
}

fn package(task: &Task) -> Option<(usize, String)> {
    let (module, given) = task.module()?;
    let short = module.rsplit('.').next().unwrap_or(module);
    if let Some(state) = given.get("state").filter(|state| state.text() == Some("latest")) {
        let message = "`state: latest` may install another version on another day. Use `present`.";
        return Some((state.line, message.to_owned()));
    }
    match short {
        "apt" | "dnf" | "package" | "yum" => {
            let names = given.get("name").or_else(|| given.get("pkg"))?;
            let words: Vec<&str> = names.list().iter().filter_map(Node::text).collect();
            unused::partly(&words).map(|message| (names.line, message))
        }
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
            let tag = given.get("tag").and_then(Node::text);
            let tagged = short == "docker_image" && tag.is_some_and(|tag| !MOVING.contains(&tag));
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
            let own = ["install", "i"].contains(verb);
            (global || own).then(|| format!("The package `{open}` has no version."))
        }
        ["apt" | "apt-get" | "dnf" | "yum", rest @ ..] if rest.contains(&"install") => {
            unused::partly(rest).or_else(|| rest.iter().find_map(|word| latest_address(word)))
        }
        ["gem", "install", rest @ ..] => {
            let pinned = rest.iter().any(|word| *word == "-v" || word.starts_with("--version"));
            (!pinned).then(|| "This gem has no version.".to_owned())
        }
        ["helm", "install" | "upgrade", rest @ ..] => charts::open(argv, rest),
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
    const VALUED: [&str; 5] = ["--target", "-i", "--index-url", "--only-binary", "--no-binary"];
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
