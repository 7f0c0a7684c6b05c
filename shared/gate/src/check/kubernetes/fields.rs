//! Finds fields that a part of an object does not have, though others do, and fields without which the API refuses a part.

use super::Mistakes;
use crate::check::spelling::{nearest, table};
use crate::yaml::{Node, Value};

const TABLE: &str = include_str!("fields.txt");

/// What the fields of the table are joined with.
const PART: char = '>';
const NEEDED: char = '!';

/// The fields of an object; `whole` says whether all that is needed must be there.
pub(super) fn judge(object: &Node, whole: bool, found: &mut Mistakes) {
    let kind = object.get("kind").and_then(Node::text).unwrap_or_default();
    let spec = format!("{kind}.spec");
    if fields(kind).is_some() {
        part(object, "", kind, whole, found);
    } else if let Some(inner) = object.get("spec").filter(|_| fields(&spec).is_some()) {
        part(object, "", "object", whole, found);
        part(inner, "spec", &spec, whole, found);
    }
}

/// The fields of a part of an object, as the table writes them.
fn fields(part: &str) -> Option<Vec<&'static str>> {
    let of = |line: &'static str| line.strip_prefix(part)?.strip_prefix(": ");
    TABLE.lines().find_map(of).map(|fields| fields.split(' ').collect())
}

fn bare(field: &str) -> &str {
    let field = field.trim_start_matches(NEEDED);
    field.split(PART).next().unwrap_or(field)
}

/// Judges a part under a key.
fn part(node: &Node, key: &str, name: &str, whole: bool, found: &mut Mistakes) {
    for item in node.list() {
        part(item, key, name, whole, found);
    }
    let (Value::Map(entries), Some(known)) = (&node.value, fields(name)) else { return };
    let names: Vec<&str> = known.iter().map(|field| bare(field)).collect();
    let merged = entries.iter().any(|entry| entry.key == "<<");
    let mut wrong = false;
    for entry in entries {
        let field = known.iter().find(|field| bare(field) == entry.key);
        if let Some((_, inner)) = field.and_then(|field| field.split_once(PART)) {
            part(&entry.value, &entry.key, inner, whole, found);
        }
        let open = names.contains(&"*") || entry.key == "<<" || entry.key == "x";
        if field.is_none() && !open {
            wrong = true;
            if !is_reported(key, &entry.key) {
                found.push((entry.line, unknown(key, &entry.key, &names)));
            }
        }
    }
    let missing = known.iter().find(|field| {
        field.starts_with(NEEDED) && !entries.iter().any(|entry| entry.key == bare(field))
    });
    // A wrong name is mostly that of the missing field.
    if let Some(field) = missing.filter(|_| whole && !wrong && !merged && !entries.is_empty()) {
        let place = if key.is_empty() { "This object".to_owned() } else { format!("`{key}`") };
        found.push((node.line, format!("{place} needs the field `{}`.", bare(field))));
    }
}

/// Whether the search for misspelled names already reports a field.
fn is_reported(key: &str, field: &str) -> bool {
    let all = table("kubernetes");
    !table(&format!("kubernetes.{key}")).is_empty()
        || (!all.contains(&field) && nearest(field, &all).is_some())
}

fn unknown(key: &str, field: &str, names: &[&str]) -> String {
    let place = if key.is_empty() { "This object".to_owned() } else { format!("`{key}`") };
    match nearest(field, names) {
        Some(near) => format!("{place} has no field `{field}`, but it has `{near}`."),
        None if names.len() < 8 => {
            format!("{place} has no field `{field}`. It has `{}`.", names.join("`, `"))
        }
        None => format!("{place} has no field `{field}`."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<usize> {
        let mut found = Mistakes::new();
        for document in crate::yaml::documents(text).unwrap() {
            judge(&document, true, &mut found);
        }
        found.into_iter().map(|(line, _)| line).collect()
    }

    #[test]
    fn a_field_under_the_wrong_parent_is_found() {
        for (text, line) in [
            ("kind: Service\nspec:\n  ports:\n    - containerPort: 80\n", 4),
            ("kind: Service\nspec:\n  replicas: 2\n", 3),
            ("kind: Deployment\nspec:\n  selector: {matchLabels: {a: b}}\n  containers: []\n", 4),
            (
                "kind: Pod\nspec:\n  containers:\n    - name: a\n      ports:\n        - name: b\n",
                6,
            ),
            (
                "kind: Pod\nspec:\n  containers:\n    - name: a\n  volumes:\n    - name: b\n      secret:\n        name: c\n",
                8,
            ),
            (
                "kind: Ingress\nspec:\n  rules:\n    - host: a\n      http:\n        paths:\n          - path: /\n            backend: {service: {name: b}}\n",
                7,
            ),
            ("kind: Secret\nspec: {a: b}\n", 2),
            ("kind: CronJob\nspec:\n  schedule: a\n  template: {}\n", 4),
        ] {
            assert_eq!(said(text), [line], "{text}");
        }
    }

    #[test]
    fn whole_objects_are_right() {
        for text in [
            "kind: Service\nspec:\n  selector: {a: b}\n  ports:\n    - {name: c, port: 80, targetPort: d}\n",
            "kind: Pod\nspec:\n  containers:\n    - name: a\n      image: b\n      ports: [{containerPort: 1}]\n      resources: {limits: {nvidia.com/gpu: 1}}\n",
            "kind: Certificate\nspec:\n  anything: a\n",
            "kind: ConfigMap\ndata: {a: b}\n---\nkind: Namespace\nmetadata: {name: a}\n",
            "kind: NetworkPolicy\nspec:\n  podSelector: {}\n  ingress:\n    - from: [{podSelector: {matchLabels: {a: b}}}]\n      ports: [{port: 1}]\n",
        ] {
            assert!(said(text).is_empty(), "{text}: {:?}", said(text));
        }
    }
}
