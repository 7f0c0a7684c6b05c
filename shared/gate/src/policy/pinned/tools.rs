//! Finds tools and files that a script or a project's own file takes from a branch, or without a version.

use crate::Unit;
use crate::bash::{Command, Script, operand};
use crate::files::{Written, known};
use crate::places::is_yaml;
use crate::yaml::{self, Node};

/// Names of branches, which are another commit tomorrow.
pub(in crate::policy) const BRANCHES: [&str; 11] = [
    "HEAD", "develop", "dev", "latest", "main", "master", "next", "nightly", "stable", "trunk",
    "edge",
];

/// Hosts of code that others publish.
const FORGES: [&str; 6] =
    ["github.com", "gitlab.com", "codeberg.org", "bitbucket.org", "git.kernel.org", "gitea.com"];

/// A copy of another person's repository as it is at that moment: no tag is named, and nothing chooses a commit later.
pub(super) fn cloned(command: &Command, script: &Script, unit: &Unit) -> Option<String> {
    let argv = command.argv();
    let ["git", "clone", rest @ ..] = argv.as_slice() else { return None };
    let named = |word: &&str| {
        ["-b", "--branch", "--revision", "--mirror", "--bare"].contains(word)
            || word.starts_with("--branch=")
            || word.starts_with("--revision=")
    };
    let chooses =
        ["git checkout", "git switch", "git reset", "checkout ", "worktree add", "git fetch"];
    let texts = unit.everywhere().flat_map(|shell| &shell.script.commands);
    let later = texts.filter(|command| command.program() == Some("git")).any(|command| {
        let said = format!("git {}", command.argv()[1..].join(" "));
        chooses.iter().any(|words| said.contains(words))
    });
    let address = rest.iter().find(|word| word.contains("://") || word.starts_with("git@"))?;
    let address = known(address, script);
    let foreign = FORGES.iter().any(|host| address.contains(&format!("{host}/")));
    (foreign && !later && !rest.iter().any(named) && !address.contains('$'))
        .then(|| format!("This copies whatever `{address}` holds at that moment: name a tag."))
}

/// The package of a command that installs or runs one without a version.
pub(super) fn unpinned(argv: &[&str]) -> Option<String> {
    let plain = |rest: &[&str], valued: &[&str]| operand(rest, valued).map(str::to_owned);
    let versioned = |name: &str| {
        name.trim_start_matches('@').contains(['@', '=', '$', '/', ':', '{'])
            && !["@latest", "@next"].iter().any(|end| name.ends_with(end))
    };
    let has = |rest: &[&str], names: &[&str]| {
        rest.iter().any(|word| {
            names.iter().any(|name| word == name || word.starts_with(&format!("{name}=")))
        })
    };
    match argv {
        ["npx" | "bunx", rest @ ..] | ["npm" | "pnpm", "exec" | "dlx", rest @ ..] => {
            if has(rest, &["--no-install", "--no", "--offline"]) {
                return None;
            }
            let given = rest.windows(2).find(|two| ["-p", "--package"].contains(&two[0]));
            let joined = rest.iter().find_map(|word| word.strip_prefix("--package="));
            let name = given.map(|two| two[1]).or(joined).map(str::to_owned);
            let explicit = name.is_some()
                || has(rest, &["-y", "--yes"])
                || rest.iter().any(|word| word.ends_with("@latest"));
            let name = name.or_else(|| plain(rest, &["-c", "--call"]))?;
            // Without `--yes`, it may be a dependency of the project.
            (explicit && !versioned(&name)).then(|| format!("The package `{name}` has no version."))
        }
        ["uvx", rest @ ..]
        | ["uv", "tool", "run" | "install", rest @ ..]
        | ["pipx", "run", rest @ ..] => {
            let from = rest.windows(2).find(|two| two[0] == "--from" || two[0] == "--spec");
            let name = from.map(|two| two[1].to_owned());
            let name =
                name.or_else(|| plain(rest, &["--with", "--python", "-p", "--index-url"]))?;
            (!versioned(&name) || name.ends_with("@latest"))
                .then(|| format!("The Python package `{name}` has no version."))
        }
        ["cargo", "install" | "binstall", rest @ ..] => {
            let named = has(rest, &["--version", "--vers", "--path", "--rev", "--tag"]);
            let name = plain(
                rest,
                &["--git", "--branch", "--root", "--features", "-F", "--target", "--registry"],
            );
            let name = name.or_else(|| {
                rest.windows(2).find(|two| two[0] == "--git").map(|two| two[1].to_owned())
            })?;
            (!named && (!versioned(&name) || rest.contains(&"--git")))
                .then(|| format!("The crate `{name}` has no version."))
        }
        ["go", "install" | "run" | "get", rest @ ..] => {
            let moving = |word: &&&str| {
                word.split_once('@').is_some_and(|(_, version)| BRANCHES.contains(&version))
            };
            let open = rest.iter().find(moving)?;
            Some(format!("`{open}` may be another version tomorrow."))
        }
        ["asdf" | "mise" | "nvm" | "pyenv" | "rbenv" | "tfenv" | "fnm" | "n", rest @ ..] => {
            let moving = |word: &&&str| {
                ["latest", "node", "lts", "stable", "--lts"].contains(*word)
                    || word.ends_with("@latest")
            };
            let installs = ["install", "use", "global", "local", "set"];
            let verb = rest.iter().any(|word| installs.contains(word)) || argv[0] == "n";
            let open = rest.iter().find(moving).filter(|_| verb)?;
            Some(format!("`{open}` may be another version tomorrow."))
        }
        ["composer", "global" | "require", rest @ ..] => {
            let name = plain(rest, &["-d"])?;
            let name = if name == "require" { plain(rest.get(1..)?, &[])? } else { name };
            (name.contains('/') && !name.contains([':', '=', '$']))
                .then(|| format!("The package `{name}` has no version."))
        }
        ["deno", "run" | "install", rest @ ..] => {
            let open = rest.iter().find(|word| {
                ["npm:", "jsr:"].iter().any(|start| {
                    word.strip_prefix(start)
                        .is_some_and(|name| !name.trim_start_matches('@').contains('@'))
                })
            })?;
            Some(format!("The package `{open}` has no version."))
        }
        ["snap", "install", rest @ ..] => {
            let moving = |word: &&&str| {
                ["--edge", "--beta", "--candidate"].contains(*word)
                    || word
                        .strip_prefix("--channel=")
                        .is_some_and(|it| it.ends_with("edge") || it.ends_with("beta"))
            };
            let open = rest.iter().find(moving)?;
            Some(format!("The channel `{open}` has unreleased packages."))
        }
        ["kubectl" | "oc", rest @ ..] => {
            let image = rest.iter().find_map(|word| word.strip_prefix("--image="));
            let image =
                image.or_else(|| rest.windows(2).find(|two| two[0] == "--image").map(|two| two[1]));
            let sets = rest.windows(2).position(|two| two == ["set", "image"]);
            let set = rest.iter().skip(sets.map_or(usize::MAX, |at| at + 3));
            let set = set.filter_map(|word| word.split_once('=')).map(|(_, image)| image).next();
            super::image(image.or(set)?)
        }
        ["gcloud" | "az", rest @ ..] => {
            let image = rest.iter().find_map(|word| word.strip_prefix("--image="));
            let image = image
                .or_else(|| rest.windows(2).find(|two| two[0] == "--image").map(|two| two[1]))?;
            let container =
                ["run", "container", "containerapp"].iter().any(|word| rest.contains(word));
            super::image(image).filter(|_| container)
        }
        _ => None,
    }
}

/// An address of a file on a branch.
pub(in crate::policy) fn on_a_branch(address: &str) -> Option<String> {
    if !address.starts_with("http") || address.contains('$') && !address.contains("github") {
        return None;
    }
    let (_, rest) = address.split_once("://")?;
    let parts: Vec<&str> = rest.split(['/', '?']).collect();
    let branch = match parts.as_slice() {
        ["raw.githubusercontent.com", _, _, "refs", "heads", branch, ..]
        | ["raw.githubusercontent.com", _, _, branch, ..] => branch,
        ["github.com", _, _, "raw" | "archive", "refs", "heads", branch, ..]
        | ["github.com", _, _, "raw" | "archive", branch, ..]
        | ["gitlab.com", .., "-", "raw" | "archive", branch, _] => branch,
        ["cdn.jsdelivr.net", "gh", _, name, ..] => {
            name.split_once('@').map(|(_, version)| version)?
        }
        _ => return None,
    };
    let branch = branch.split(".tar").next().unwrap_or(branch).trim_end_matches(".zip");
    BRANCHES
        .contains(&branch)
        .then(|| format!("`{address}` may be another file tomorrow. Name a version."))
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

/// Hooks, tools and settings of pipelines that a project's own file names without a version.
pub(super) fn listed(file: &Written) -> Vec<(usize, String)> {
    let name = file.name();
    let mut found = Vec::new();
    if name == ".tool-versions" || name == ".nvmrc" || name == ".python-version" {
        for (at, line) in file.filled().lines().enumerate() {
            let moving = ["latest", "lts/*", "node", "stable"];
            if line.split_whitespace().last().is_some_and(|word| moving.contains(&word)) {
                found.push((at + 1, format!("`{}` may be another version tomorrow.", line.trim())));
            }
        }
    }
    found.extend(packaged(file));
    if !is_yaml(file) {
        return found;
    }
    let Ok(documents) = yaml::documents(&file.filled()) else { return found };
    let workflow = file.is_workflow();
    for node in documents.iter().flat_map(Node::all) {
        let text = |key: &str| node.get(key).and_then(|it| Some((it.line, it.text()?)));
        if name.starts_with(".pre-commit-config")
            && let Some((line, rev)) = text("rev")
            && BRANCHES.contains(&rev)
        {
            found.push((
                line,
                format!("The hooks at `{rev}` may be different tomorrow: name a tag."),
            ));
        }
        let versions = node.map().iter().filter(|entry| {
            workflow && (entry.key.ends_with("-version") || entry.key.ends_with("_version"))
        });
        for entry in versions {
            let value = entry.value.text().unwrap_or_default();
            if ["latest", "lts/*", "node", "nightly", "*", "stable"].contains(&value) {
                found.push((
                    entry.line,
                    format!("`{}: {value}` may be another version tomorrow.", entry.key),
                ));
            }
        }
        if workflow || name.starts_with(".gitlab-ci") {
            let image = text("image")
                .or_else(|| node.get("container").and_then(|it| Some((it.line, it.text()?))));
            if let Some((line, message)) =
                image.and_then(|(line, name)| Some((line, super::image(name)?)))
            {
                found.push((line, message));
            }
        }
        // A chart of Argo CD.
        if let (Some(_), Some((line, target))) = (text("chart"), text("targetRevision"))
            && (target == "*" || BRANCHES.contains(&target))
        {
            found.push((line, "This chart has no version.".to_owned()));
        }
    }
    if name == "Chart.yaml" {
        let charts = documents.iter().filter_map(|document| document.get("dependencies"));
        for chart in charts.flat_map(Node::list) {
            let version = chart.get("version").and_then(Node::text);
            let local = chart
                .get("repository")
                .and_then(Node::text)
                .is_some_and(|it| it.starts_with("file:"));
            if !local && version.is_none_or(super::moving::is_open) {
                found.push((chart.line, "This chart has no version.".to_owned()));
            }
        }
    }
    if name.starts_with("kustomization.") {
        let lists =
            documents.iter().flat_map(|it| [it.get("resources"), it.get("bases")]).flatten();
        for node in lists.flat_map(Node::list) {
            let Some(text) = node.text().filter(|text| text.contains("github.com/")) else {
                continue;
            };
            let reference =
                text.split_once("ref=").map(|(_, rest)| rest.split('&').next().unwrap_or(rest));
            let release = text.contains("/releases/download/");
            if !release
                && reference.is_none_or(|it| BRANCHES.contains(&it))
                && !text.contains("version=")
            {
                found.push((
                    node.line,
                    format!("`{text}` may be another one tomorrow: name a tag."),
                ));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_and_addresses_need_a_version() {
        let said = |text: &str| {
            let script = crate::bash::read(text);
            let argv: Vec<&str> = script.commands.iter().flat_map(Command::argv).collect();
            unpinned(&argv).or_else(|| argv.iter().find_map(|word| on_a_branch(word))).is_some()
        };
        for text in [
            "npx --yes serve -s dist",
            "npx -y create-vite@latest app",
            "uvx ruff check",
            "pipx run black .",
            "cargo install ripgrep",
            "cargo install --git https://github.com/a/b",
            "go install github.com/a/b@main",
            "asdf install nodejs latest",
            "composer global require a/b",
            "snap install microk8s --channel=latest/edge",
            "kubectl -n a run b --image=c/d:latest -- e",
            "kubectl set image deployment/a b=c/d:latest",
            "curl -fsSL https://raw.githubusercontent.com/a/b/main/c.sh",
            "kubectl apply -f https://github.com/a/b/raw/refs/heads/main/c.yaml",
        ] {
            assert!(said(text), "{text}");
        }
        for text in [
            "npx --yes serve@14.2.4 -s dist",
            "npx eslint .",
            "uvx ruff@0.8.4 check",
            "cargo install ripgrep --version 14.1.1 --locked",
            "cargo install --path .",
            "go install github.com/a/b@v1.2.3",
            "asdf install nodejs 22.12.0",
            "kubectl run a --image=b/c:1.2 --restart=Never",
            "kubectl create deployment a --image=b/c@sha256:0",
            "curl -fsSL https://raw.githubusercontent.com/a/b/v1.2/c.sh",
            "snap install certbot --classic",
            "nvm use 22",
        ] {
            assert!(!said(text), "{text}");
        }
    }
}
