//! Finds names in manifests of Kubernetes that refer to nothing: volumes and ports of a pod, and services, workloads,
//! claims and accounts of a namespace in which the same files make others.

use super::{Mistakes, name, namespace};
use crate::Written;
use crate::yaml::Node;
use std::collections::BTreeSet;

pub(super) fn pods(object: &Node, found: &mut Mistakes) {
    for pod in object.all().into_iter().filter(|node| node.get("containers").is_some()) {
        let containers =
            ["containers", "initContainers"].into_iter().filter_map(|key| pod.get(key));
        let containers: Vec<&Node> = containers.flat_map(Node::list).collect();
        let names = |key: &str, field: &str| -> BTreeSet<String> {
            let lists = std::iter::once(pod)
                .chain(containers.iter().copied())
                .filter_map(|node| node.get(key));
            let names = lists.flat_map(Node::list).filter_map(|node| node.get(field)?.text());
            names.map(str::to_owned).collect()
        };
        let (mut volumes, ports) = (names("volumes", "name"), names("ports", "name"));
        // A stateful set makes its own volumes.
        let claims = object.get("spec").and_then(|spec| spec.get("volumeClaimTemplates"));
        let claims = claims.map(Node::list).unwrap_or_default();
        volumes.extend(claims.iter().map(|claim| name(claim).to_owned()));
        for mount in containers.iter().filter_map(|it| it.get("volumeMounts")).flat_map(Node::list)
        {
            let Some(wanted) = mount.get("name") else { continue };
            let text = wanted.text().unwrap_or_default();
            if !volumes.contains(text) && is_plain(text) {
                found.push((wanted.line, format!("No volume of this pod is named `{text}`.")));
            }
        }
        for port in containers
            .iter()
            .flat_map(|it| it.all())
            .filter_map(|it| it.get("httpGet")?.get("port"))
        {
            let text = port.text().unwrap_or_default();
            let number = text.chars().all(|c| c.is_ascii_digit());
            if !number && !ports.contains(text) && is_plain(text) {
                found.push((port.line, format!("No port of this pod is named `{text}`.")));
            }
        }
    }
}

fn is_plain(text: &str) -> bool {
    text.len() > 1 && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '.')
}

/// References to an object of another kind: the path of fields, and the kind.
const REFERENCES: [(&str, &str, &str); 7] = [
    ("backend", "service", "Service"),
    ("persistentVolumeClaim", "claimName", "PersistentVolumeClaim"),
    ("roleRef", "name", ""),
    ("scaleTargetRef", "name", ""),
    ("spec", "serviceAccountName", "ServiceAccount"),
    ("spec", "serviceName", "Service"),
    ("spec", "storageClassName", "StorageClass"),
];

/// Names of objects that no file makes, beside objects of that kind in the same namespace.
pub(super) fn objects(object: &Node, all: &[(&Written, Node)], found: &mut Mistakes) {
    let kind = |node: &Node| node.get("kind").and_then(Node::text).unwrap_or_default().to_owned();
    for node in object.all() {
        for (holder, field, wanted) in REFERENCES {
            let Some(inner) = node.get(holder).and_then(|it| it.get(field)) else { continue };
            let target =
                match (holder, node.get(holder).and_then(|it| it.get("kind")).and_then(Node::text))
                {
                    // A role of the cluster may be there already.
                    ("roleRef", Some(kind)) if kind != "ClusterRole" => kind,
                    ("scaleTargetRef", Some(kind)) => kind,
                    ("roleRef" | "scaleTargetRef", _) => continue,
                    _ => wanted,
                };
            let reference =
                if field == "service" { inner.get("name").unwrap_or(inner) } else { inner };
            let text = reference.text().unwrap_or_default();
            let beside: Vec<&str> = all
                .iter()
                .filter(|(_, other)| kind(other) == target && namespace(other) == namespace(object))
                .map(|(_, other)| name(other))
                .collect();
            // Each cluster has these.
            let shipped = ["default", "extension-apiserver-authentication-reader"];
            let open = !is_plain(text)
                || shipped.contains(&text)
                || beside.iter().any(|name| !is_plain(name));
            if !open && !beside.is_empty() && !beside.contains(&text) {
                found.push((
                    reference.line,
                    format!("No {target} of these files is named `{text}`."),
                ));
            }
        }
    }
}

/// Annotations of cert-manager that name an issuer, and its kind.
const ISSUERS: [(&str, &str); 2] =
    [("cert-manager.io/cluster-issuer", "ClusterIssuer"), ("cert-manager.io/issuer", "Issuer")];

/// Issuers of certificates that no file makes, beside issuers of that kind.
pub(super) fn issuers(object: &Node, all: &[(&Written, Node)], found: &mut Mistakes) {
    let mut named: Vec<(&Node, String)> = Vec::new();
    for node in object.all() {
        if let Some(issuer) = node.get("issuerRef") {
            let kind = issuer.get("kind").and_then(Node::text).unwrap_or("Issuer").to_owned();
            named.extend(issuer.get("name").map(|name| (name, kind)));
        }
        for (key, kind) in ISSUERS {
            named.extend(node.get(key).map(|name| (name, kind.to_owned())));
        }
    }
    for (reference, kind) in named {
        let is = |other: &Node| other.get("kind").and_then(Node::text) == Some(kind.as_str());
        let beside: Vec<&str> =
            all.iter().filter(|(_, other)| is(other)).map(|(_, other)| name(other)).collect();
        let text = reference.text().unwrap_or_default();
        let open = text == "x" || !is_plain(text) || beside.iter().any(|name| !is_plain(name));
        if !open && !beside.is_empty() && !beside.contains(&text) {
            found.push((reference.line, format!("No {kind} of these files is named `{text}`.")));
        }
    }
}

/// Names that Kubernetes refuses, and amounts without one of its units.
pub(super) fn forms(object: &Node, found: &mut Mistakes) {
    let own = object.get("metadata").and_then(|it| it.get("name"));
    if let Some(named) = own.filter(|it| {
        it.text().is_some_and(|text| {
            text.contains('_') || text.contains(|c: char| c.is_ascii_uppercase())
        }) && is_written(it)
    }) {
        let rbac =
            object.get("kind").and_then(Node::text).is_some_and(|kind| kind.contains("Role"));
        if !rbac {
            let text = named.text().unwrap_or_default();
            found.push((
                named.line,
                format!("Object names take lowercase letters and hyphens, not `{text}`."),
            ));
        }
    }
    for amounts in object
        .all()
        .into_iter()
        .flat_map(|node| [node.get("limits"), node.get("requests")])
        .flatten()
    {
        for entry in amounts
            .map()
            .iter()
            .filter(|it| ["cpu", "memory", "storage"].contains(&it.key.as_str()))
        {
            let text = entry.value.text().unwrap_or_default();
            let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            let known = ["", "m", "k", "M", "G", "T", "P", "Ki", "Mi", "Gi", "Ti", "Pi", "n", "u"];
            if unit.len() < text.len() && !known.contains(&unit) && is_written(&entry.value) {
                found.push((
                    entry.line,
                    format!("Kubernetes has no unit `{unit}`: write `Mi`, `Gi` or `m`."),
                ));
            }
        }
    }
}

fn is_written(node: &Node) -> bool {
    node.text().is_some_and(|text| !text.contains(['$', '{', '<', ' ']))
}
