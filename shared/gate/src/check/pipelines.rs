//! Checks what pipelines name: the stages and jobs of GitLab's, and the parts of the OpenTelemetry collector's.

use super::{FILES, error};
use crate::places::is_yaml;
use crate::yaml::{self, Node};
use crate::{Unit, Written};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written().filter(|file| is_yaml(file)) {
        let documents = yaml::documents(&file.filled()).unwrap_or_default();
        for document in &documents {
            let found = if is_gitlab(file) { jobs(document) } else { parts(document) };
            for (line, message) in found {
                findings.push(error(FILES, message).at(Some(&file.path), line));
            }
        }
    }
}

type Mistakes = Vec<(usize, String)>;

fn is_gitlab(file: &Written) -> bool {
    // Files of other names are included, and their stages are in the main one.
    [".gitlab-ci.yml", ".gitlab-ci.yaml"].contains(&file.name())
}

/// The texts of a list, or the one text that stands for it.
fn texts(node: &Node) -> Vec<(usize, &str)> {
    let items = node.list().iter().chain(node.text().map(|_| node));
    let named = items.filter_map(|item| {
        let text = item.text().or_else(|| item.get("job").and_then(Node::text));
        // Other projects and pipelines have jobs of their own.
        let other = ["pipeline", "project"].iter().any(|key| item.get(key).is_some());
        text.filter(|_| !other).map(|text| (item.line, text))
    });
    named.filter(|(_, text)| !is_open(text)).collect()
}

/// Whether a name is only known when the pipeline runs.
fn is_open(name: &str) -> bool {
    name == "x" || name.contains(['$', '{'])
}

/// Stages and jobs that the file does not have, unless it includes others.
fn jobs(document: &Node) -> Mistakes {
    let mut found = Vec::new();
    if document.get("include").is_some() {
        return found;
    }
    let stages = document.get("stages").map(texts).unwrap_or_default();
    let mut stages: Vec<&str> = stages.into_iter().map(|(_, name)| name).collect();
    if stages.is_empty() {
        stages.extend(["build", "test", "deploy"]);
    }
    stages.extend([".pre", ".post"]);
    let is_job = |key: &str| !["default", "spec", "variables", "workflow"].contains(&key);
    for job in document.map().iter().filter(|job| is_job(&job.key)) {
        let stage = job.value.get("stage").and_then(|it| Some((it.line, it.text()?)));
        if let Some((line, name)) =
            stage.filter(|(_, name)| !stages.contains(name) && !is_open(name))
        {
            found.push((line, format!("`stages` has no `{name}`.")));
        }
        let named =
            ["dependencies", "extends", "needs"].iter().filter_map(|key| job.value.get(key));
        for (line, name) in named.flat_map(texts) {
            if !document.map().iter().any(|other| other.key == name) {
                found.push((line, format!("No job here is named `{name}`.")));
            }
        }
    }
    found
}

/// Parts of the collector's pipelines that its file does not set.
fn parts(document: &Node) -> Mistakes {
    let service = document.get("service").filter(|_| document.get("exporters").is_some());
    let pipelines = service.and_then(|it| it.get("pipelines")).map(Node::map).unwrap_or_default();
    let mut found = Vec::new();
    for pipeline in pipelines {
        // Another file may set the other kinds.
        let kinds = ["exporters", "processors", "receivers"].into_iter();
        for kind in kinds.filter(|kind| document.get(kind).is_some()) {
            let named = pipeline.value.get(kind).map(texts).unwrap_or_default();
            // A connector is the end of one pipeline and the start of another one.
            let set = [kind, "connectors"].map(|kind| document.get(kind).map(Node::map));
            let set: Vec<&str> =
                set.into_iter().flatten().flatten().map(|entry| entry.key.as_str()).collect();
            for (line, name) in named.into_iter().filter(|(_, name)| !set.contains(name)) {
                found.push((line, format!("`{kind}` has no `{name}`.")));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    fn said(text: &str) -> usize {
        crate::testing::said(super::examine, text).len()
    }

    #[test]
    fn jobs_of_gitlab_name_stages_and_jobs_that_exist() {
        let text = "cat >.gitlab-ci.yml <<'E'\nstages: [test, deploy]\n.base:\n  image: a\nunit:\n  stage: test\n  extends: .base\nrelease:\n  stage: deploy\n  needs: [unit]\nE\n";
        for (text, count) in [
            (text.to_owned(), 0),
            (text.replace("stage: deploy", "stage: release"), 1),
            (text.replace("[unit]", "[units]"), 1),
            (text.replace("[unit]", "[{job: units}]"), 1),
            (text.replace("[unit]", "[{project: a/b, job: units, ref: c}]"), 0),
            (text.replace(": .base", ": .bases"), 1),
            (text.replace("stage: deploy", "stage: $[[ inputs.stage ]]"), 0),
            (text.replace("stages: [test, deploy]", "variables: {stage: prod}"), 0),
            (
                text.replace("cat >.gitlab-ci.yml", "cat >.gitlab-ci-deploy.yml")
                    .replace("[unit]", "[a]"),
                0,
            ),
            (text.replace("stages:", "include: a.yml\nstages:").replace("[unit]", "[units]"), 0),
        ] {
            assert_eq!(said(&text), count, "{text}");
        }
    }

    #[test]
    fn pipelines_of_the_collector_name_its_parts() {
        let text = "cat >otel.yaml <<'E'\nreceivers:\n  otlp: {}\nexporters:\n  debug: {}\nservice:\n  pipelines:\n    traces:\n      receivers: [otlp]\n      exporters: [debug]\nE\n";
        for (text, count) in [
            (text.to_owned(), 0),
            (text.replace("[debug]", "[logging]"), 1),
            (text.replace("[otlp]", "[jaeger]"), 1),
            (text.replace("[debug]", "[debug]\n      processors: [batch]"), 0),
        ] {
            assert_eq!(said(&text), count, "{text}");
        }
    }
}
