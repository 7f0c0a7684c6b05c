//! Finds sources that are different tomorrow: branches, channels of packages, and dependencies without a version.

use super::moving::is_open;
use crate::POLICY;
use crate::bash::{Command, Script};
use crate::check::error;
use crate::files::{Written, known};
use crate::hcl::{self, Parsed, attribute, label};
use crate::places::is_yaml;
use crate::yaml::{self, Node};
use domain::gate::Finding;

/// Names of branches that move.
const BRANCHES: [&str; 8] =
    ["HEAD", "develop", "latest", "main", "master", "nightly", "stable", "trunk"];

/// A copy of a branch, which may differ tomorrow; without a branch, a later `git checkout` may choose the commit.
pub(super) fn cloned(command: &Command, script: &Script) -> Option<String> {
    let argv = command.argv();
    if let Some(branch) = checked_out(&argv, script) {
        return Some(format!(
            "The branch `{branch}` may be another one tomorrow: check out a tag or a commit."
        ));
    }
    let ["git", "clone", rest @ ..] = argv.as_slice() else { return None };
    // A variable may name the branch.
    let rest: Vec<String> = rest.iter().map(|word| known(word, script)).collect();
    let mut words = rest.iter().map(String::as_str);
    while let Some(word) = words.next() {
        let branch = match word {
            "-b" | "--branch" => words.next(),
            word => word.strip_prefix("--branch="),
        };
        if let Some(branch) = branch.filter(|branch| BRANCHES.contains(branch)) {
            return Some(format!(
                "The branch `{branch}` may be another one tomorrow: clone a tag."
            ));
        }
    }
    None
}

/// The branch of a server that a command puts into place of what is there.
fn checked_out(argv: &[&str], script: &Script) -> Option<String> {
    let ["git", rest @ ..] = argv else { return None };
    let at = rest.iter().position(|word| ["checkout", "reset", "switch"].contains(word))?;
    let given = rest.get(at + 1..)?;
    // A branch of one's own that begins there is for changes.
    if given.iter().any(|word| ["-b", "-B", "-c", "-t", "--create", "--track"].contains(word)) {
        return None;
    }
    given.iter().map(|word| known(word, script)).find_map(|word| {
        let branch = word.strip_prefix("origin/")?;
        BRANCHES.contains(&branch).then(|| branch.to_owned())
    })
}

/// Channels of package sources with packages that are not released.
const UNRELEASED: [&str; 6] = ["nightly", "experimental", "unstable", "sid", "edge", "devel"];

/// A package source with such a channel.
pub(super) fn channel(file: &Written, findings: &mut Vec<Finding>) {
    for (at, line) in file.text.lines().enumerate() {
        let Some((_, source)) = line.split_once("deb ").or_else(|| line.split_once("deb-src "))
        else {
            continue;
        };
        if !source.contains("://") || line.trim_start().starts_with('#') {
            continue;
        }
        let mut words = source.split(|c: char| c.is_whitespace() || "\"'".contains(c));
        if let Some(word) = words.find(|word| UNRELEASED.contains(word)) {
            let message = format!("The channel `{word}` has unreleased packages.");
            findings.push(error(POLICY, message).at(Some(&file.path), at + 1));
        }
    }
}

/// Collections, roles and charts that a file names without a version.
pub(super) fn dependencies(file: &Written, findings: &mut Vec<Finding>) {
    let required = file.name().starts_with("requirements.");
    let folder = file.path.contains("collections/") || file.path.contains("requirements/");
    if is_yaml(file) && (required || folder) {
        let Ok(documents) = yaml::documents(&file.filled()) else { return };
        let lists = documents.iter().flat_map(|document| {
            let named = ["collections", "roles"].into_iter().filter_map(|key| document.get(key));
            let whole = std::iter::once(document).filter(|_| required);
            named.chain(whole).flat_map(Node::list).collect::<Vec<_>>()
        });
        for item in lists {
            let name = item.text().or_else(|| item.get("name")?.text());
            let name = name.or_else(|| item.get("src")?.text()).unwrap_or_default();
            let version = item.get("version").and_then(Node::text);
            let open = version.is_none_or(is_open);
            if open && !name.is_empty() && !name.starts_with(['.', '/']) {
                let message = format!("`{name}` has no version.");
                findings.push(error(POLICY, message).at(Some(&file.path), item.line));
            }
        }
    }
    if file.extension() == "tf" {
        let (parsed, _) = hcl::parse(std::slice::from_ref(file));
        for (line, block) in parsed.iter().flat_map(Parsed::blocks) {
            let chart = attribute(&block.body, "chart").unwrap_or_default();
            let local =
                chart.starts_with("\"./") || chart.contains("path.") || chart.contains(".tgz");
            let version = attribute(&block.body, "version");
            let open = version.is_none_or(|version| is_open(&version));
            if label(block, 0) == "helm_release" && !local && open {
                let message = "This chart has no version.";
                findings.push(error(POLICY, message).at(Some(&file.path), line));
            }
        }
    }
}

/// Whether a command of Helm takes its chart from a folder that a variable names.
pub(super) fn charted(argv: &[&str], script: &Script) -> bool {
    let folder =
        |word: &&str| word.starts_with('$') && known(word, script).starts_with(['.', '/', '~']);
    matches!(argv, ["helm", "install" | "upgrade", rest @ ..] if rest.iter().any(folder))
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_checkout_names_a_commit() {
        let branch = |text: &str| {
            let script = crate::bash::read(text);
            script.commands.iter().find_map(|command| super::cloned(command, &script))
        };
        for text in [
            "git -C /srv/shop reset --hard origin/main\n",
            "git checkout --detach origin/main\n",
            "ref=origin/develop\ngit checkout \"$ref\"\n",
        ] {
            assert!(branch(text).is_some(), "{text}");
        }
        for text in [
            "git checkout --detach \"$rev\"\n",
            "git checkout -b vpc origin/main\n",
            "git reset --hard v1.2.0\n",
        ] {
            assert_eq!(branch(text), None, "{text}");
        }
    }
}
