//! Finds entries of secrets and config maps that a pod reads and that the object, wherever the scripts make it, does not
//! have.

use super::{Mistakes, name, namespace};
use crate::yaml::Node;
use crate::{Unit, Written};
use std::collections::BTreeSet;

/// References to one entry, and the kind of the object.
const REFERENCES: [(&str, &str); 2] =
    [("configMapKeyRef", "ConfigMap"), ("secretKeyRef", "Secret")];

pub(super) fn read(unit: &Unit, object: &Node, all: &[(&Written, Node)], found: &mut Mistakes) {
    for node in object.all() {
        for (field, kind) in REFERENCES {
            let Some(reference) = node.get(field) else { continue };
            let optional = reference.get("optional").and_then(Node::text) == Some("true");
            let text = |key: &str| reference.get(key).and_then(Node::text);
            let (Some(wanted), Some(entry)) = (text("name"), reference.get("key")) else {
                continue;
            };
            let key = entry.text().unwrap_or_default();
            let written = all
                .iter()
                .map(|(_, other)| other)
                .filter(|other| name(other) == wanted && namespace(other) == namespace(object))
                .find(|other| other.get("kind").and_then(Node::text) == Some(kind));
            let keys = match written {
                Some(made) => entries(made),
                None => commanded(unit, kind, wanted),
            };
            let open = optional || key.contains(['$', '{']) || key == "x";
            if let Some(keys) = keys.filter(|keys| !open && !keys.contains(key)) {
                let keys = keys.into_iter().collect::<Vec<_>>().join("`, `");
                let what = kind.to_lowercase();
                let message = format!("The {what} `{wanted}` has no `{key}`; it has `{keys}`.");
                found.push((entry.line, message));
            }
        }
    }
}

/// The entries of an object in a manifest.
fn entries(object: &Node) -> Option<BTreeSet<String>> {
    let parts = ["binaryData", "data", "stringData"].into_iter().filter_map(|key| object.get(key));
    let keys: BTreeSet<String> = parts.flat_map(Node::map).map(|entry| entry.key.clone()).collect();
    (!keys.is_empty()).then_some(keys)
}

/// Where the name of the object follows in a command that makes one of this kind.
pub(super) fn made_at(argv: &[&str], kind: &str) -> Option<usize> {
    let before = match kind {
        "Secret" => argv.windows(2).position(|two| two == ["secret", "generic"]).map(|at| at + 1),
        _ => argv.iter().position(|word| ["configmap", "cm"].contains(word)),
    };
    before.filter(|_| argv.contains(&"create")).map(|at| at + 1)
}

/// The entries of an object that exactly one command makes; `None` if a file or a variable names them.
fn commanded(unit: &Unit, kind: &str, wanted: &str) -> Option<BTreeSet<String>> {
    let made = |argv: &[&str]| made_at(argv, kind).is_some() && argv.contains(&wanted);
    let shells = unit.everywhere().flat_map(|shell| &shell.script.commands);
    let mut argvs = shells.map(crate::bash::Command::argv).filter(|argv| made(argv));
    let argv = argvs.next().filter(|_| argvs.next().is_none())?;
    let mut keys = BTreeSet::new();
    let mut words = argv.iter();
    while let Some(word) = words.next() {
        let (option, value) = word.split_once('=').unwrap_or((word, ""));
        if !option.starts_with("--from-") {
            continue;
        }
        let value = if value.is_empty() { words.next().copied()? } else { value };
        let (key, _) = value.split_once('=')?;
        if option == "--from-env-file" || key.contains(['$', '/']) {
            return None;
        }
        keys.insert(key.to_owned());
    }
    (!keys.is_empty()).then_some(keys)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_pod_reads_entries_that_are_there() {
        let said = |text: &str| crate::testing::said(super::super::examine, text).len();
        let pod = "cat >a.yaml <<'E'\napiVersion: v1\nkind: Pod\nmetadata:\n  name: a\nspec:\n  containers:\n    - name: a\n      image: a/b:1\n      env:\n        - name: P\n          valueFrom:\n            secretKeyRef: {name: db, key: password}\nE\n";
        let secret = "cat >s.yaml <<'E'\napiVersion: v1\nkind: Secret\nmetadata:\n  name: db\nstringData:\n  KEY: a\nE\n";
        for (text, count) in [
            (secret.replace("KEY", "password") + pod, 0),
            (secret.replace("KEY", "pass") + pod, 1),
            (format!("kubectl create secret generic db --from-literal=password=\"$P\"\n{pod}"), 0),
            (format!("kubectl create secret generic db --from-literal pw=\"$P\"\n{pod}"), 1),
            (format!("kubectl create secret generic db --from-env-file=.env\n{pod}"), 0),
            (pod.to_owned(), 0),
        ] {
            assert_eq!(said(&text), count, "{text}");
        }
    }
}
