//! Finds single values where kustomize and the schemas of custom resources want a list or a mapping, and
//! words that are not a type of a schema.

use super::{FILES, error};
use crate::Unit;
use crate::places::is_yaml;
use crate::yaml::{self, Node};
use domain::gate::Finding;

/// Fields of a kustomization that are lists.
const KUSTOMIZE: [&str; 16] = [
    "bases",
    "components",
    "configMapGenerator",
    "configurations",
    "crds",
    "generators",
    "helmCharts",
    "images",
    "labels",
    "patches",
    "patchesJson6902",
    "patchesStrategicMerge",
    "replacements",
    "replicas",
    "resources",
    "secretGenerator",
];

/// Lists of a generator of settings.
const GENERATED: [&str; 3] = ["envs", "files", "literals"];

/// Parts of a schema that are lists, and those that are mappings.
const SCHEMA_LISTS: [&str; 4] = ["allOf", "anyOf", "oneOf", "required"];
const SCHEMA_MAPS: [&str; 2] = ["patternProperties", "properties"];

/// The types of a schema.
const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

type Mistakes = Vec<(usize, String)>;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written().filter(|file| is_yaml(file)) {
        let kustomize = file.name().starts_with("kustomization.");
        if !kustomize && !file.text.contains("openAPIV3Schema") {
            continue;
        }
        let documents = yaml::documents(&file.filled()).unwrap_or_default();
        let mut found = Vec::new();
        for document in &documents {
            if kustomize {
                kustomization(document, &mut found);
            }
            for node in document.all() {
                if let Some(inner) = node.get("openAPIV3Schema") {
                    schema(inner, &mut found);
                }
                resource(node, &mut found);
            }
        }
        for (line, message) in found {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
}

fn wants_list(node: &Node, key: &str, found: &mut Mistakes) {
    if let Some(value) = node.get(key).filter(|value| value.is_single()) {
        found.push((value.line, format!("`{key}` must be a list.")));
    }
}

fn kustomization(document: &Node, found: &mut Mistakes) {
    for image in document.get("images").map(Node::list).unwrap_or_default() {
        let number = image.get("newTag").filter(|tag| {
            !tag.quoted
                && tag.text().is_some_and(|text| {
                    text.starts_with(|c: char| c.is_ascii_digit()) && text.parse::<f64>().is_ok()
                })
        });
        if let Some(tag) = number {
            let said = tag.text().unwrap_or_default();
            found.push((tag.line, format!("`newTag` takes a string: put quotes around `{said}`.")));
        }
    }
    for key in KUSTOMIZE {
        wants_list(document, key, found);
    }
    for key in ["configMapGenerator", "secretGenerator"] {
        for generator in document.get(key).map(Node::list).unwrap_or_default() {
            for key in GENERATED {
                wants_list(generator, key, found);
            }
        }
    }
}

/// The lists of a definition of a custom resource.
fn resource(node: &Node, found: &mut Mistakes) {
    if node.get("plural").is_some() {
        wants_list(node, "shortNames", found);
        wants_list(node, "categories", found);
    }
    if node.get("group").is_some() {
        wants_list(node, "versions", found);
    }
    if node.get("schema").is_some() {
        wants_list(node, "additionalPrinterColumns", found);
    }
}

fn schema(node: &Node, found: &mut Mistakes) {
    for key in SCHEMA_LISTS.into_iter().chain(["enum"]) {
        wants_list(node, key, found);
    }
    for key in SCHEMA_MAPS {
        if let Some(value) = node.get(key).filter(|value| !value.list().is_empty()) {
            found.push((value.line, format!("`{key}` must be a mapping.")));
        }
    }
    let kind = node.get("type");
    if let Some(kind) = kind.filter(|kind| kind.text().is_some_and(|it| !TYPES.contains(&it))) {
        let name = kind.text().unwrap_or_default();
        found.push((kind.line, format!("`{name}` is not a schema type.")));
    }
    let properties: Vec<&str> = SCHEMA_MAPS
        .iter()
        .flat_map(|key| node.get(key).map(Node::map).unwrap_or_default())
        .map(|entry| entry.key.as_str())
        .collect();
    for name in node.get("required").map(Node::list).unwrap_or_default() {
        let lost = name.text().filter(|name| !properties.is_empty() && !properties.contains(name));
        let merged = node.map().iter().any(|entry| entry.key == "<<");
        if let Some(lost) = lost.filter(|_| !merged && node.get("allOf").is_none()) {
            found.push((name.line, format!("`{lost}` is required but is not a property here.")));
        }
    }
    for key in SCHEMA_MAPS {
        for entry in node.get(key).map(Node::map).unwrap_or_default() {
            schema(&entry.value, found);
        }
    }
    for key in ["additionalProperties", "items", "not"] {
        if let Some(inner) = node.get(key) {
            schema(inner, found);
        }
    }
    for key in ["allOf", "anyOf", "oneOf"] {
        for inner in node.get(key).map(Node::list).unwrap_or_default() {
            schema(inner, found);
        }
    }
}

#[cfg(test)]
mod tests {
    fn said(text: &str) -> usize {
        crate::testing::said(super::examine, text).len()
    }

    #[test]
    fn kustomizations_and_schemas_have_lists() {
        let kustomize = "cat >base/kustomization.yaml <<'E'\nresources:\n  - a.yaml\nimages:\n  - name: a\nconfigMapGenerator:\n  - name: a\n    files:\n      - a.toml\nE\n";
        let schema = "cat >crd.yaml <<'E'\nschema:\n  openAPIV3Schema:\n    type: object\n    properties:\n      spec:\n        type: object\n        required: [schedule]\n        properties:\n          schedule:\n            type: string\n            enum: [a]\nE\n";
        for (text, from, to) in [
            (kustomize, "    files:\n      - a.toml", "    files: a.toml"),
            (kustomize, "resources:\n  - a.yaml", "resources: a.yaml"),
            (kustomize, "  - name: a\nconfig", "  - name: a\n    newTag: 17.6\nconfig"),
            (kustomize, "images:\n  - name: a", "images:\n    name: a"),
            (schema, "[schedule]", "schedule"),
            (schema, "[schedule]", "[schedules]"),
            (schema, "[a]", "a"),
            (schema, "type: string", "type: text"),
        ] {
            assert_eq!(said(text), 0, "{text}");
            assert_eq!(said(&text.replace(from, to)), 1, "{to}");
        }
    }
}
