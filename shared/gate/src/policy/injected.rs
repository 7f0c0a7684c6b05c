//! Finds commands of pipelines into which strangers could write others: GitHub puts the text of an expression into the
//! script before a shell reads it.

use crate::check::error;
use crate::yaml::{self, Node};
use crate::{POLICY, Unit};
use domain::gate::Finding;

/// Parts of the contexts that contain what strangers wrote.
const WRITTEN_BY_OTHERS: [&str; 13] = [
    ".body",
    ".comment.",
    ".commits",
    ".description",
    ".email",
    ".head.label",
    ".head.ref",
    ".head.repo.",
    ".head_commit.",
    ".message",
    ".page_name",
    ".title",
    "github.head_ref",
];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written().filter(|file| file.is_workflow()) {
        let documents = yaml::documents(&file.filled()).unwrap_or_default();
        for node in documents.iter().flat_map(Node::all) {
            let script = node.get("with").and_then(|with| with.get("script"));
            for run in node.get("run").into_iter().chain(script) {
                let text = run.text().unwrap_or_default();
                if let Some(name) = expressions(text).find(|name| is_open(name)) {
                    let message = format!(
                        "Others write `{name}`, so they could run commands here: hand it over in `env`."
                    );
                    findings.push(error(POLICY, message).at(Some(&file.path), run.line));
                }
            }
        }
    }
}

fn expressions(text: &str) -> impl Iterator<Item = &str> {
    text.split("${{").skip(1).filter_map(|rest| rest.split("}}").next()).map(str::trim)
}

fn is_open(name: &str) -> bool {
    let event = name.starts_with("github.event.") || name.starts_with("github.head_ref");
    // `.sha` and `.id` of a commit are GitHub's own.
    let own =
        [".sha", ".id", ".number", ".timestamp", ".fork", ".login", ".html_url", ".default_branch"];
    // Who may start a workflow by hand, or from another program, may write to the repository.
    let trusted = ["inputs.", "client_payload.", "repository."];
    let trusted = name
        .strip_prefix("github.event.")
        .is_some_and(|rest| trusted.iter().any(|part| rest.starts_with(part)));
    let own = trusted || own.iter().any(|end| name.ends_with(end));
    event && !own && WRITTEN_BY_OTHERS.iter().any(|part| name.contains(part))
}

#[cfg(test)]
mod tests {
    #[test]
    fn strangers_cannot_write_into_commands() {
        let said = |text: &str| crate::testing::said(super::examine, text).len();
        let workflow = |run: &str| {
            format!(
                "cat >.github/workflows/a.yml <<'E'\njobs:\n  a:\n    steps:\n      - run: {run}\nE\n"
            )
        };
        for run in [
            "echo \"${{ github.event.pull_request.title }}\"",
            "git log --grep \"${{ github.event.head_commit.message }}\"",
            "git switch ${{ github.head_ref }}",
        ] {
            assert_eq!(said(&workflow(run)), 1, "{run}");
        }
        for run in [
            "echo \"${{ github.event.pull_request.number }}\"",
            "git show ${{ github.event.pull_request.head.sha }}",
            "echo ${{ github.ref_name }}",
            "echo ${{ github.event.inputs.title }}",
            "git fetch origin ${{ github.event.repository.default_branch }}",
            "echo ${{ github.event.comment.user.login }}",
            "echo \"$TITLE\"\n        env:\n          TITLE: ${{ github.event.issue.title }}",
        ] {
            assert_eq!(said(&workflow(run)), 0, "{run}");
        }
    }
}
