//! Finds namespaces of Kubernetes that commands and manifests use and nothing creates, in a script that creates others.

use super::{FILES, error};
use crate::Unit;
use crate::places::is_yaml;
use crate::yaml::{self, Node};
use domain::gate::Finding;
use std::collections::BTreeSet;

/// Namespaces of each cluster.
const ALWAYS: [&str; 4] = ["default", "kube-node-lease", "kube-public", "kube-system"];

/// Objects that an application consists of.
const OBJECTS: [&str; 9] = [
    "ConfigMap",
    "CronJob",
    "DaemonSet",
    "Deployment",
    "Job",
    "PersistentVolumeClaim",
    "Secret",
    "Service",
    "StatefulSet",
];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let texts: Vec<&str> = unit.texts().collect();
    // Manifests and operators from elsewhere bring their own namespaces.
    let foreign = [
        "-f https://",
        "-f http://",
        "apply -k",
        "--kustomize",
        "kubernetes_namespace",
        "kubectl create -f",
        "argocd",
        "flux ",
    ];
    if foreign.iter().any(|sign| texts.iter().any(|text| text.contains(sign))) {
        return;
    }
    let created = created(unit, &texts);
    if created.is_empty() {
        return;
    }
    let known = |name: &str| {
        created.contains(name)
            || ALWAYS.contains(&name)
            || name == "x"
            || name.contains(['$', '{', '"'])
    };
    let mut reported = BTreeSet::new();
    let mut lost = |name: &str| {
        (!known(name) && reported.insert(name.to_owned()))
            .then(|| format!("Nothing creates the namespace `{name}`."))
    };
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            let argv = command.argv();
            let makes = match argv.first() {
                Some(&("kubectl" | "oc")) => {
                    ["create", "run", "expose"].iter().any(|verb| argv.contains(verb))
                        && !argv.contains(&"namespace")
                        && !argv.contains(&"ns")
                }
                Some(&"helm") => ["install", "upgrade"].iter().any(|verb| argv.contains(verb)),
                _ => false,
            };
            let Some(message) = named(&argv).filter(|_| makes).and_then(&mut lost) else {
                continue;
            };
            let line = command.line + shell.offset;
            findings.push(error(FILES, message).at(shell.file.as_deref(), line));
        }
    }
    for file in unit.files.iter().filter(|file| is_yaml(file)) {
        for object in yaml::documents(&file.filled()).unwrap_or_default() {
            let kind = object.get("kind").and_then(Node::text).unwrap_or_default();
            let named = object.get("metadata").and_then(|it| it.get("namespace"));
            let Some(named) = named.filter(|_| OBJECTS.contains(&kind)) else { continue };
            if let Some(message) = named.text().and_then(&mut lost) {
                findings.push(error(FILES, message).at(Some(&file.path), named.line));
            }
        }
    }
}

/// The namespace that a command names.
fn named<'a>(argv: &[&'a str]) -> Option<&'a str> {
    // What follows belongs to a program in a container.
    let own = argv.iter().position(|word| *word == "--").unwrap_or(argv.len());
    let argv = &argv[..own];
    let two = argv.windows(2).find(|two| ["-n", "--namespace"].contains(&two[0]));
    let joined = argv.iter().find_map(|word| word.strip_prefix("--namespace="));
    two.map(|two| two[1]).or(joined)
}

/// The namespaces that the scripts create, or ask the cluster for.
fn created(unit: &Unit, texts: &[&str]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for file in unit.tree.iter().filter(|file| file.text.contains("Namespace")) {
        for object in yaml::documents(&file.filled()).unwrap_or_default() {
            if object.get("kind").and_then(Node::text) == Some("Namespace") {
                let name =
                    object.get("metadata").and_then(|it| it.get("name")).and_then(Node::text);
                found.extend(name.map(str::to_owned));
            }
        }
    }
    let earlier: Vec<_> = texts.iter().map(|text| crate::bash::read(text)).collect();
    let commands = unit.everywhere().flat_map(|shell| &shell.script.commands);
    for command in commands.chain(earlier.iter().flat_map(|script| &script.commands)) {
        let argv = command.argv();
        let at = argv.iter().position(|word| ["namespace", "namespaces", "ns"].contains(word));
        if let Some(at) = at.filter(|_| argv.first() == Some(&"kubectl")) {
            let names = argv.iter().skip(at + 1).filter(|word| !word.starts_with('-'));
            found.extend(names.map(|name| (*name).to_owned()));
        }
        found.extend(
            argv.iter().filter_map(|word| Some(word.strip_prefix("namespace/")?.to_owned())),
        );
        if argv.iter().any(|word| word.starts_with("--create-namespace")) {
            found.extend(named(&argv).map(str::to_owned));
        }
        // A loop or a variable names them.
        if argv.first() == Some(&"kubectl")
            && argv.iter().any(|word| word.contains('$'))
            && at.is_some()
        {
            return BTreeSet::new();
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_namespace_is_created_before_it_is_used() {
        let said = |text: &str| crate::testing::said(examine, text).len();
        let helm = "helm upgrade --install a b/c --namespace a --create-namespace --version 1\n";
        for (text, count) in [
            (format!("{helm}kubectl -n shop create secret generic b\n"), 1),
            (
                format!(
                    "{helm}kubectl create namespace shop\nkubectl -n shop create secret generic b\n"
                ),
                0,
            ),
            (
                format!(
                    "{helm}kubectl -n a create secret generic b\nkubectl -n kube-system create cm c\n"
                ),
                0,
            ),
            (format!("{helm}kubectl -n shop get pods\n"), 0),
            ("kubectl -n shop create secret generic b\n".to_owned(), 0),
            (format!("{helm}kubectl get ns shop\nkubectl -n shop create secret generic b\n"), 0),
        ] {
            assert_eq!(said(&text), count, "{text}");
        }
    }
}
