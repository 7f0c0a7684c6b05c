//! Describes one type from `terraform providers schema -json`, in the order in which an author writes it: required
//! attributes, optional ones, computed ones, and blocks.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Deserialize;
use serde_json::Value;

use super::Found;

/// How many similar names the answer lists if the type does not exist.
const SIMILAR: usize = 30;

/// The longest description, in characters.
const DESCRIPTION_CHARS: usize = 600;

/// How deep blocks within blocks are shown.
const DEPTH: usize = 8;

#[derive(Deserialize)]
struct Schemas {
    #[serde(default)]
    provider_schemas: BTreeMap<String, Provider>,
}

#[derive(Deserialize)]
struct Provider {
    #[serde(default)]
    resource_schemas: BTreeMap<String, Schema>,
    #[serde(default)]
    data_source_schemas: BTreeMap<String, Schema>,
}

#[derive(Deserialize)]
struct Schema {
    block: Block,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Block {
    attributes: BTreeMap<String, Attribute>,
    block_types: BTreeMap<String, Nested>,
    description: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Attribute {
    #[serde(rename = "type")]
    kind: Value,
    nested_type: Option<Nested>,
    description: String,
    required: bool,
    optional: bool,
    sensitive: bool,
    deprecated: bool,
}

/// A block within a block, or an attribute that has attributes.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Nested {
    nesting_mode: String,
    block: Block,
    attributes: BTreeMap<String, Attribute>,
    min_items: u64,
    max_items: u64,
}

/// Describes one type of the only provider in `json`.
pub(super) fn describe(json: &str, is_resource: bool, name: &str, provider: &str) -> Found {
    let what = if is_resource { "resource" } else { "data source" };
    let Ok(schemas) = serde_json::from_str::<Schemas>(json) else {
        return Found::nothing("Terraform's answer could not be read.");
    };
    let mut types: BTreeMap<String, Schema> = BTreeMap::new();
    for provider in schemas.provider_schemas.into_values() {
        types.extend(match is_resource {
            true => provider.resource_schemas,
            false => provider.data_source_schemas,
        });
    }
    let Some(schema) = types.get(name) else {
        return Found::Nothing(format!(
            "The provider {provider} has no {what} `{name}`.{}",
            similar(name, types.keys())
        ));
    };
    let mut text =
        format!("{what} {name} of {provider}\n(= required, - optional, < known after apply)\n\n");
    said(&mut text, "", &schema.block.description);
    block(&mut text, "", &schema.block, DEPTH);
    Found::Text(text)
}

/// The names that share a word with the requested one.
fn similar<'a>(name: &str, types: impl Iterator<Item = &'a String>) -> String {
    let words: Vec<&str> = name.split('_').skip(1).filter(|word| word.len() > 2).collect();
    let alike = types.filter(|known| words.iter().any(|word| known.contains(word)));
    let alike: Vec<&str> = alike.map(String::as_str).take(SIMILAR).collect();
    match alike.is_empty() {
        true => String::new(),
        false => format!(" It has {}.", alike.join(", ")),
    }
}

fn block(text: &mut String, indent: &str, block: &Block, depth: usize) {
    attributes(text, indent, &block.attributes, depth);
    for (name, nested) in &block.block_types {
        let most = match nested.max_items {
            0 => String::new(),
            most => format!(", at most {most}"),
        };
        let sign = if nested.min_items > 0 { '=' } else { '-' };
        let mode = &nested.nesting_mode;
        let _ = writeln!(
            text,
            "{indent}{sign} block {name} ({mode}, at least {}{most})",
            nested.min_items
        );
        let indent = format!("{indent}    ");
        said(text, &indent, &nested.block.description);
        if depth > 0 {
            self::block(text, &indent, &nested.block, depth - 1);
        }
    }
}

fn attributes(
    text: &mut String,
    indent: &str,
    attributes: &BTreeMap<String, Attribute>,
    depth: usize,
) {
    let place = |attribute: &Attribute| match attribute {
        Attribute { required: true, .. } => 0,
        Attribute { optional: true, .. } => 1,
        _ => 2,
    };
    let mut sorted: Vec<_> = attributes.iter().collect();
    sorted.sort_by_key(|(name, attribute)| (place(attribute), *name));
    for (name, attribute) in sorted {
        let sign = ['=', '-', '<'][place(attribute)];
        let kind = match &attribute.nested_type {
            Some(nested) => format!("{} of objects", nested.nesting_mode),
            None => in_words(&attribute.kind),
        };
        let sensitive = if attribute.sensitive { ", sensitive" } else { "" };
        let deprecated = if attribute.deprecated { ", deprecated" } else { "" };
        let _ = writeln!(text, "{indent}{sign} {name}  {kind}{sensitive}{deprecated}");
        let indent = format!("{indent}    ");
        said(text, &indent, &attribute.description);
        if let Some(nested) = attribute.nested_type.as_ref().filter(|_| depth > 0) {
            self::attributes(text, &indent, &nested.attributes, depth - 1);
        }
    }
}

/// A description as one line.
fn said(text: &mut String, indent: &str, description: &str) {
    let words = description.split_whitespace().collect::<Vec<_>>().join(" ");
    if !words.is_empty() {
        let words: String = words.chars().take(DESCRIPTION_CHARS).collect();
        let _ = writeln!(text, "{indent}{words}");
    }
}

/// `["map", "string"]` is `map(string)`.
fn in_words(kind: &Value) -> String {
    match kind {
        Value::String(name) => name.clone(),
        Value::Array(parts) => match parts.as_slice() {
            [Value::String(name), of] => format!("{name}({})", in_words(of)),
            _ => "any".to_owned(),
        },
        Value::Object(fields) => {
            let mut fields: Vec<String> =
                fields.iter().map(|(name, kind)| format!("{name}={}", in_words(kind))).collect();
            fields.sort();
            fields.join(", ")
        }
        _ => "any".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn schemas() -> String {
        let block = json!({
            "description": "A server.",
            "attributes": {
                "id": {"type": "string", "computed": true},
                "tags": {"type": ["map", "string"], "optional": true, "computed": true},
                "image": {"type": "string", "required": true, "description": "The  image\nto boot."},
                "password": {"type": "string", "optional": true, "sensitive": true},
                "rules": {"type": ["list", ["object", {"port": "number", "open": "bool"}]], "optional": true},
                "nic": {"optional": true, "nested_type": {"nesting_mode": "list",
                    "attributes": {"ip": {"type": "string", "required": true}}}},
            },
            "block_types": {"disk": {"nesting_mode": "set", "min_items": 1, "max_items": 4, "block": {
                "attributes": {"size": {"type": "number", "required": true}}}}},
        });
        json!({"provider_schemas": {"x/y/z": {
            "resource_schemas": {"z_server": {"version": 0, "block": block}, "z_server_group": {"block": {}}},
            "data_source_schemas": {"z_image": {"block": {}}},
        }}})
        .to_string()
    }

    #[test]
    fn a_type_is_described_as_it_is_written() {
        let Found::Text(text) = describe(&schemas(), true, "z_server", "x/y/z 1.2.3") else {
            panic!()
        };
        let expected = "\
resource z_server of x/y/z 1.2.3
(= required, - optional, < known after apply)

A server.
= image  string
    The image to boot.
- nic  list of objects
    = ip  string
- password  string, sensitive
- rules  list(object(open=bool, port=number))
- tags  map(string)
< id  string
= block disk (set, at least 1, at most 4)
    = size  number
";
        assert_eq!(text, expected);
    }

    #[test]
    fn an_unknown_type_is_answered_with_similar_names() {
        let nothing = |name, is_resource| match describe(&schemas(), is_resource, name, "p") {
            Found::Nothing(reason) => reason,
            Found::Text(text) => panic!("{text}"),
        };
        assert_eq!(
            nothing("z_servers_group", true),
            "The provider p has no resource `z_servers_group`. It has z_server_group."
        );
        assert_eq!(nothing("z_server", false), "The provider p has no data source `z_server`.");
        assert!(matches!(describe("{", true, "a", "p"), Found::Nothing(_)));
    }
}
