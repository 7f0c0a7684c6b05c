//! Finds tools and files that a command takes from a branch, or without a version.

use crate::Unit;
use crate::bash::{Command, Script, operand};
use crate::files::known;

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
    match argv {
        ["npx" | "bunx", rest @ ..] | ["npm" | "pnpm", "exec" | "dlx", rest @ ..] => node(rest),
        ["uvx", rest @ ..]
        | ["uv", "tool", "run" | "install", rest @ ..]
        | ["pipx", "run", rest @ ..] => python(rest),
        ["cargo", "install" | "binstall", rest @ ..] => rust(rest),
        ["go", "install" | "run" | "get", rest @ ..] => go(rest),
        [
            manager @ ("asdf" | "mise" | "nvm" | "pyenv" | "rbenv" | "tfenv" | "fnm" | "n"),
            rest @ ..,
        ] => toolchain(manager, rest),
        ["composer", "global" | "require", rest @ ..] => composer(rest),
        ["deno", "run" | "install", rest @ ..] => deno(rest),
        ["snap", "install", rest @ ..] => snap(rest),
        ["kubectl" | "oc", rest @ ..] => super::image(image(rest).or_else(|| set_image(rest))?),
        ["gcloud" | "az", rest @ ..] => {
            let container =
                ["run", "container", "containerapp"].iter().any(|word| rest.contains(word));
            super::image(image(rest)?).filter(|_| container)
        }
        _ => None,
    }
}

/// Whether the name of a package has a version, or something that may be one.
fn is_versioned(name: &str) -> bool {
    name.trim_start_matches('@').contains(['@', '=', '$', '/', ':', '{'])
        && !["@latest", "@next"].iter().any(|end| name.ends_with(end))
}

/// Whether a command has one of these options, with a value after `=` or without one.
fn has(rest: &[&str], names: &[&str]) -> bool {
    rest.iter()
        .any(|word| names.iter().any(|name| word == name || word.starts_with(&format!("{name}="))))
}

/// A package of npm that runs without being a dependency of the project.
fn node(rest: &[&str]) -> Option<String> {
    if has(rest, &["--no-install", "--no", "--offline"]) {
        return None;
    }
    let given = rest.windows(2).find(|two| ["-p", "--package"].contains(&two[0]));
    let joined = rest.iter().find_map(|word| word.strip_prefix("--package="));
    let name = given.map(|two| two[1]).or(joined);
    let explicit = name.is_some()
        || has(rest, &["-y", "--yes"])
        || rest.iter().any(|word| word.ends_with("@latest"));
    let name = name.or_else(|| operand(rest, &["-c", "--call"]))?;
    // Without `--yes`, it may be a dependency of the project.
    (explicit && !is_versioned(name)).then(|| format!("The package `{name}` has no version."))
}

fn python(rest: &[&str]) -> Option<String> {
    let from = rest.windows(2).find(|two| two[0] == "--from" || two[0] == "--spec");
    let name = from.map(|two| two[1]);
    let name = name.or_else(|| operand(rest, &["--with", "--python", "-p", "--index-url"]))?;
    (!is_versioned(name) || name.ends_with("@latest"))
        .then(|| format!("The Python package `{name}` has no version."))
}

fn rust(rest: &[&str]) -> Option<String> {
    let named = has(rest, &["--version", "--vers", "--path", "--rev", "--tag"]);
    let valued = ["--git", "--branch", "--root", "--features", "-F", "--target", "--registry"];
    let source = || rest.windows(2).find(|two| two[0] == "--git").map(|two| two[1]);
    let name = operand(rest, &valued).or_else(source)?;
    (!named && (!is_versioned(name) || rest.contains(&"--git")))
        .then(|| format!("The crate `{name}` has no version."))
}

fn go(rest: &[&str]) -> Option<String> {
    let moving =
        |word: &&&str| word.split_once('@').is_some_and(|(_, version)| BRANCHES.contains(&version));
    let open = rest.iter().find(moving)?;
    Some(format!("`{open}` may be another version tomorrow."))
}

/// A version that a manager of versions looks up when it installs.
fn toolchain(manager: &str, rest: &[&str]) -> Option<String> {
    let moving = |word: &&&str| {
        ["latest", "node", "lts", "stable", "--lts"].contains(*word) || word.ends_with("@latest")
    };
    let installs = ["install", "use", "global", "local", "set"];
    let verb = rest.iter().any(|word| installs.contains(word)) || manager == "n";
    let open = rest.iter().find(moving).filter(|_| verb)?;
    Some(format!("`{open}` may be another version tomorrow."))
}

fn composer(rest: &[&str]) -> Option<String> {
    let name = operand(rest, &["-d"])?;
    let name = if name == "require" { operand(rest.get(1..)?, &[])? } else { name };
    (name.contains('/') && !name.contains([':', '=', '$']))
        .then(|| format!("The package `{name}` has no version."))
}

fn deno(rest: &[&str]) -> Option<String> {
    let open = rest.iter().find(|word| {
        let name = ["npm:", "jsr:"].iter().find_map(|start| word.strip_prefix(start));
        name.is_some_and(|name| !name.trim_start_matches('@').contains('@'))
    })?;
    Some(format!("The package `{open}` has no version."))
}

fn snap(rest: &[&str]) -> Option<String> {
    let open = rest.iter().find(|word| {
        let channel = word.strip_prefix("--channel=");
        ["--edge", "--beta", "--candidate"].contains(*word)
            || channel.is_some_and(|it| it.ends_with("edge") || it.ends_with("beta"))
    })?;
    Some(format!("The channel `{open}` has unreleased packages."))
}

/// The image of an option `--image`.
fn image<'a>(rest: &[&'a str]) -> Option<&'a str> {
    let joined = rest.iter().find_map(|word| word.strip_prefix("--image="));
    joined.or_else(|| rest.windows(2).find(|two| two[0] == "--image").map(|two| two[1]))
}

/// The image of `kubectl set image deployment/web web=nginx`.
fn set_image<'a>(rest: &[&'a str]) -> Option<&'a str> {
    let at = rest.windows(2).position(|two| two == ["set", "image"])?;
    let pairs = rest.iter().skip(at + 3).filter_map(|word| word.split_once('='));
    pairs.map(|(_, image)| image).next()
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
