//! Checks manifests of Kubernetes as its API does: what must be a list, a number or a text, the pods that a service
//! selects, and the secrets and settings of a namespace that the same scripts create.

mod entries;
mod fields;
mod links;
mod ports;
mod secrets;
mod words;

use super::error;
use super::spelling::NUMBERS;
use crate::places::is_yaml;
use crate::yaml::{self, Entry, Node, Value};
use crate::{FILES, Unit, Written};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let objects: Vec<(&Written, Node)> = unit
        .tree
        .iter()
        .filter(|file| is_yaml(file) && file.text.contains("apiVersion:"))
        .flat_map(|file| {
            let documents = yaml::documents(&file.filled()).unwrap_or_default();
            documents.into_iter().map(move |document| (file, document))
        })
        .filter(|(_, document)| document.get("kind").is_some())
        .collect();
    for file in unit.files.iter().filter(|file| is_yaml(file) && file.name() != "Chart.yaml") {
        for document in yaml::documents(&file.filled()).unwrap_or_default() {
            let has = |key: &str| document.get(key).is_some();
            if has("apiVersion") && has("metadata") && has("spec") && !has("kind") {
                let message = "This object names no `kind`.";
                findings.push(error(FILES, message).at(Some(&file.path), document.line));
            }
            for (line, message) in charts(&document).into_iter().filter(|_| !has("kind")) {
                findings.push(error(FILES, message).at(Some(&file.path), line));
            }
        }
    }
    let own = |file: &Written| unit.files.iter().any(|own| own.path == file.path);
    for (file, object) in objects.iter().filter(|(file, _)| own(file)) {
        let mut found = Vec::new();
        values(object, file.expands, &mut found);
        selects(object, &objects, &mut found);
        words::judge(object, &mut found);
        if is_own(object) {
            let whole = !unit.texts().any(|text| PARTIAL.iter().any(|sign| text.contains(sign)));
            fields::judge(object, whole, &mut found);
        }
        secrets::refers(unit, object, &objects, &mut found);
        links::issuers(object, &objects, &mut found);
        if is_own(object) {
            entries::read(unit, object, &objects, &mut found);
        }
        if is_own(object) && !file.expands {
            links::pods(object, &mut found);
            links::objects(object, &objects, &mut found);
            links::forms(object, &mut found);
            ports::services(object, &objects, &mut found);
            ports::ingresses(object, &objects, &mut found);
        }
        for (line, message) in found {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
}

/// Signs of manifests that are only parts of objects.
const PARTIAL: [&str; 3] = ["kubectl patch", "kustomiz", "strategicMerge"];

type Mistakes = Vec<(usize, String)>;

/// Fields that are lists wherever they occur in Kubernetes' own objects.
const LISTS: [&str; 24] = [
    "accessModes",
    "args",
    "command",
    "containers",
    "env",
    "envFrom",
    "finalizers",
    "hostAliases",
    "hosts",
    "imagePullSecrets",
    "initContainers",
    "metrics",
    "paths",
    "policyTypes",
    "ports",
    "rules",
    "subjects",
    "tls",
    "tolerations",
    "topologySpreadConstraints",
    "verbs",
    "volumeMounts",
    "volumes",
    "volumeClaimTemplates",
];

/// Fields with a choice of words.
const CHOICES: [(&str, &[&str]); 8] = [
    ("concurrencyPolicy", &["Allow", "Forbid", "Replace"]),
    ("externalTrafficPolicy", &["Cluster", "Local"]),
    ("imagePullPolicy", &["Always", "IfNotPresent", "Never"]),
    ("internalTrafficPolicy", &["Cluster", "Local"]),
    ("pathType", &["Exact", "ImplementationSpecific", "Prefix"]),
    ("podManagementPolicy", &["OrderedReady", "Parallel"]),
    ("restartPolicy", &["Always", "Never", "OnFailure"]),
    ("sessionAffinity", &["ClientIP", "None"]),
];

/// Mappings whose values are texts.
const TEXTS: [&str; 5] = ["annotations", "labels", "matchLabels", "nodeSelector", "stringData"];

/// Fields that are true or false.
const TRUTHS: [&str; 18] = [
    "allowPrivilegeEscalation",
    "automountServiceAccountToken",
    "enableServiceLinks",
    "hostIPC",
    "hostNetwork",
    "hostPID",
    "hostUsers",
    "immutable",
    "optional",
    "privileged",
    "publishNotReadyAddresses",
    "readOnly",
    "readOnlyRootFilesystem",
    "runAsNonRoot",
    "shareProcessNamespace",
    "stdin",
    "suspend",
    "tty",
];

/// Fields that are mappings wherever they occur in Kubernetes' own objects.
const MAPS: [&str; 11] = [
    "annotations",
    "labels",
    "limits",
    "matchLabels",
    "metadata",
    "nodeSelector",
    "requests",
    "securityContext",
    "spec",
    "stringData",
    "template",
];

/// Groups of Kubernetes' own objects; others give these names other meanings.
fn is_own(object: &Node) -> bool {
    let version = object.get("apiVersion").and_then(Node::text).unwrap_or_default();
    let group = version.split_once('/').map_or("", |(group, _)| group);
    let own = ["", "apps", "autoscaling", "batch", "policy"];
    own.contains(&group) || group.ends_with(".k8s.io")
}

fn values(object: &Node, expands: bool, found: &mut Mistakes) {
    if !is_own(object) {
        return;
    }
    let kind = object.get("kind").and_then(Node::text).unwrap_or_default();
    for entry in object.all().into_iter().flat_map(Node::map) {
        let (key, value) = (entry.key.as_str(), &entry.value);
        let single = matches!(value.value, Value::Map(_))
            || (matches!(value.value, Value::Scalar(_)) && !value.text().unwrap_or("").is_empty());
        if LISTS.contains(&key) && single && !(expands && value.text() == Some("x")) {
            found.push((entry.line, format!("`{key}` takes a list, with `- `.")));
        }
        let other = !value.list().is_empty()
            || value.text().is_some_and(|text| !text.is_empty() && text != "x" && text != "null");
        if MAPS.contains(&key)
            && kind != "LimitRange"
            // In kustomize's own file, `labels` is a list of pairs.
            && !["Component", "Kustomization"].contains(&kind)
            && other
            && !value.text().is_some_and(|it| it.contains(['{', '$']))
        {
            found.push((entry.line, format!("`{key}` takes a mapping: `name: value`.")));
        }
        let truth = value.text().is_some_and(|it| ["true", "false", "x"].contains(&it));
        let open = value.text().is_none_or(|it| it.is_empty() || it.contains(['{', '$']));
        if TRUTHS.contains(&key) && !open && (!truth || (value.quoted && !expands)) {
            found.push((entry.line, format!("`{key}` takes `true` or `false`, without quotes.")));
        }
        if NUMBERS.contains(&key) && value.quoted {
            found.push((entry.line, format!("`{key}` takes a number, without quotes.")));
        }
        if key == "policyTypes" {
            let other = |said: &&Node| {
                said.text().is_some_and(|it| !["Egress", "Ingress", "x"].contains(&it))
            };
            let wrong = value.list().iter().find(other);
            found.extend(
                wrong.map(|said| {
                    (said.line, "`policyTypes` takes `Ingress` and `Egress`.".to_owned())
                }),
            );
        }
        let none = |key: &str| {
            value.get(key).and_then(Node::text).is_some_and(|it| ["0", "0%"].contains(&it))
        };
        if key == "rollingUpdate" && none("maxSurge") && none("maxUnavailable") {
            let message = "With 0 for both `maxSurge` and `maxUnavailable`, the rollout cannot \
            replace any pod.";
            found.push((entry.line, message.to_owned()));
        }
        found.extend(not_a_choice(entry));
        let data = key == "data" && kind == "ConfigMap";
        if data || TEXTS.contains(&key) {
            for text in value.map().iter().filter(|text| text.value.is_not_text()) {
                let said = text.value.text().unwrap_or_default();
                found.push((
                    text.line,
                    format!("`{}` takes a string: put quotes around `{said}`.", text.key),
                ));
            }
        }
    }
    for variable in object.all().into_iter().filter_map(|node| node.get("env")).flat_map(Node::list)
    {
        if let Some(value) = variable.get("value").filter(|value| value.is_not_text()) {
            let said = value.text().unwrap_or_default();
            found.push((value.line, format!("The value of a variable is a string: `\"{said}\"`.")));
        }
    }
}

/// A value that is not among the words that its field takes.
fn not_a_choice(entry: &Entry) -> Option<(usize, String)> {
    let key = entry.key.as_str();
    let (_, words) = CHOICES.iter().find(|(name, _)| *name == key)?;
    let said = entry.value.text().filter(|said| !words.contains(said) && *said != "x")?;
    let words = words.join("`, `");
    Some((entry.line, format!("`{key}` takes `{words}`, not `{said}`.")))
}

/// The values of a chart with a field of Kubernetes' own that takes one of some words. Elsewhere, `restartPolicy` and the
/// like have other meanings.
fn charts(document: &Node) -> Mistakes {
    let own = |entry: &&Entry| {
        entry.key.ends_with("TrafficPolicy")
            || ["imagePullPolicy", "pathType"].contains(&entry.key.as_str())
    };
    let written = |entry: &&Entry| {
        entry.value.text().is_some_and(|text| !text.is_empty() && !text.contains(['{', '$']))
    };
    let entries = document.all().into_iter().flat_map(Node::map).filter(own).filter(written);
    entries.filter_map(not_a_choice).collect()
}

fn name(object: &Node) -> &str {
    object.get("metadata").and_then(|it| it.get("name")).and_then(Node::text).unwrap_or_default()
}

fn namespace(object: &Node) -> &str {
    let named = object.get("metadata").and_then(|it| it.get("namespace"));
    named.and_then(Node::text).unwrap_or("default")
}

fn labels(metadata: Option<&Node>) -> Vec<(&str, &str)> {
    let labels = metadata.and_then(|metadata| metadata.get("labels"));
    let entries = labels.map(Node::map).unwrap_or_default().iter();
    entries.map(|it| (it.key.as_str(), it.value.text().unwrap_or_default())).collect()
}

/// A service beside workloads of its namespace, none of which has the labels that it selects.
fn selects(object: &Node, objects: &[(&Written, Node)], found: &mut Mistakes) {
    if object.get("kind").and_then(Node::text) != Some("Service") {
        return;
    }
    let Some(selector) = object.get("spec").and_then(|spec| spec.get("selector")) else { return };
    let wanted: Vec<(&str, &str)> = selector
        .map()
        .iter()
        .map(|it| (it.key.as_str(), it.value.text().unwrap_or_default()))
        .collect();
    let pods: Vec<Vec<(&str, &str)>> = objects
        .iter()
        .filter(|(_, other)| namespace(other) == namespace(object))
        .filter_map(|(_, other)| {
            let template = other.get("spec").and_then(|spec| spec.get("template"));
            let pod = other.get("kind").and_then(Node::text) == Some("Pod");
            template.or_else(|| pod.then_some(other))
        })
        .map(|template| labels(template.get("metadata")))
        .collect();
    // Labels may be elsewhere, at an anchor.
    let borrowed = objects.iter().any(|(_, other)| {
        let template = other.get("spec").and_then(|spec| spec.get("template"));
        let labels = template.and_then(|it| it.get("metadata")?.get("labels"));
        labels.is_some_and(|labels| labels.value == Value::Alias)
    });
    let open = borrowed || wanted.iter().any(|(_, value)| *value == "x" || value.is_empty());
    let hit = pods.iter().any(|pod| wanted.iter().all(|label| pod.contains(label)));
    if !wanted.is_empty() && !pods.is_empty() && !hit && !open {
        let said: Vec<String> =
            wanted.iter().map(|(key, value)| format!("{key}: {value}")).collect();
        found.push((
            selector.line,
            format!(
                "No pod of these files has the labels that this service selects: {}.",
                said.join(", ")
            ),
        ));
    }
}
