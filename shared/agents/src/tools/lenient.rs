//! Reads a tool's arguments as the model meant them.
//!
//! Models that were not trained on our tools write `"3"` for 3, put a JSON document into a string, or send the lines of
//! a script as a list. The tool's schema says what was meant, so each value is converted to the type that the schema
//! names if there is exactly one way to do so. Everything else stays as it is and is refused with a reason.

use serde_json::{Map, Value};

/// How deep arguments are followed; no tool's schema is deeper.
const DEPTH: usize = 8;

/// The object in arguments that came as text: JSON within JSON, or within a Markdown fence.
pub(super) fn object(text: &str) -> Option<Value> {
    let mut text = text.trim_start_matches('\u{feff}').trim();
    if let Some(fenced) = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```")) {
        text = fenced.split_once('\n').map_or(fenced, |(_, body)| body).trim();
    }
    match read(text)? {
        Value::String(inner) => read(&inner),
        value => Some(value),
    }
    .filter(|value| value.is_object() || value.is_array())
}

/// JSON, also with bare line ends in its texts or commas before its brackets, and with closing signs after its end.
fn read(text: &str) -> Option<Value> {
    let first = |text: &str| {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
        let value = values.next()?.ok()?;
        let rest = text.get(values.byte_offset()..)?.trim();
        let closes = |rest: &str| rest.chars().all(|c| "}])`\"; \n".contains(c));
        let tag = rest.starts_with("</") && rest.ends_with('>');
        // Some servers send the arguments twice.
        let again = || serde_json::from_str(rest).is_ok_and(|again: Value| again == value);
        (closes(rest) || tag || again()).then_some(value)
    };
    first(text).or_else(|| first(&repaired(text)))
}

/// The text with control characters in its strings escaped, and without commas before closing brackets.
fn repaired(text: &str) -> String {
    let mut repaired = String::with_capacity(text.len());
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            ',' if !quoted && text[at + 1..].trim_start().starts_with(['}', ']']) => continue,
            _ => {}
        }
        match c {
            c if quoted && c.is_control() => repaired.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => repaired.push(c),
        }
    }
    repaired
}

/// The arguments within what some models put around them: `{"arguments": {…}}`, `[{…}]`, the call itself.
pub(super) fn unwrapped(value: Value, schema: &Value) -> Value {
    let known = |value: &Value| {
        let has = |name: &String| field(schema, name).is_some();
        value.as_object().is_some_and(|fields| fields.keys().any(has))
    };
    let inner = match &value {
        Value::Array(items) if items.len() == 1 => items.first().cloned(),
        Value::Object(fields) if !known(&value) => {
            let object = |value: &Value| match value {
                Value::Object(_) => Some(value.clone()),
                Value::String(text) => read(text),
                _ => None,
            };
            let mut found = fields.values().filter_map(object).filter(known);
            let first = found.next();
            first.filter(|_| found.next().is_none())
        }
        _ => None,
    };
    inner.filter(known).unwrap_or(value)
}

/// The name of a schema's property, in any spelling: `readyToContinue`, `Ready-To-Continue`.
fn field(schema: &Value, name: &str) -> Option<String> {
    let properties = schema.get("properties")?.as_object()?;
    if properties.contains_key(name) {
        return Some(name.to_owned());
    }
    properties.keys().find(|known| plain(known) == plain(name)).cloned()
}

/// The letters and digits of a name, in lower case.
pub(super) fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The fields under the names that the schema gives them. A name that the object has twice stays as it is.
fn renamed(fields: Map<String, Value>, schema: &Value) -> Map<String, Value> {
    let mut named = Map::new();
    let exact: Vec<String> =
        fields.keys().filter(|name| field(schema, name).as_ref() == Some(name)).cloned().collect();
    for (name, value) in fields {
        let known = field(schema, &name).filter(|known| !exact.contains(known));
        named.insert(known.unwrap_or(name), value);
    }
    named
}

/// `value`, converted to the types that `schema` names.
pub(super) fn fit(value: Value, schema: &Value) -> Value {
    fit_to(value, schema, DEPTH)
}

fn fit_to(value: Value, schema: &Value, depth: usize) -> Value {
    if depth == 0 {
        return value;
    }
    let wanted = schema.get("type").and_then(Value::as_str).unwrap_or_default();
    let value = retyped(value, wanted);
    match value {
        Value::Object(fields) => renamed(fields, schema)
            .into_iter()
            // No tool's own field takes a null, so it means that the field is left out.
            .filter(|(name, value)| !value.is_null() || field(schema, name).is_none())
            .map(|(name, value)| match schema.pointer(&format!("/properties/{name}")) {
                Some(schema) => (name, fit_to(value, schema, depth - 1)),
                None => (name, value),
            })
            .collect(),
        Value::Array(items) => match schema.get("items") {
            Some(schema) => items.into_iter().map(|item| fit_to(item, schema, depth - 1)).collect(),
            None => Value::Array(items),
        },
        other => other,
    }
}

fn retyped(value: Value, wanted: &str) -> Value {
    let other = match (wanted, &value) {
        ("integer", Value::String(text)) => {
            let number = text.trim().parse::<i64>().ok().or_else(|| labelled(text));
            number.map(Value::from)
        }
        ("integer", Value::Number(number)) => whole(number.as_f64()),
        ("number", Value::String(text)) => text.trim().parse::<f64>().ok().map(Value::from),
        ("boolean", Value::String(text)) => {
            text.trim().to_lowercase().parse().ok().map(Value::Bool)
        }
        ("array" | "object", Value::String(text)) => {
            serde_json::from_str(text).ok().filter(|inner: &Value| {
                if wanted == "array" { inner.is_array() } else { inner.is_object() }
            })
        }
        ("string", Value::Number(number)) => Some(Value::String(number.to_string())),
        ("string", Value::Array(lines)) => lines_of(lines),
        _ => None,
    };
    other.unwrap_or(value)
}

/// The only number in a text that labels it: `Step 1`, `#1`, `1.`
fn labelled(text: &str) -> Option<i64> {
    let label = |c: char| c.is_alphabetic() || c.is_whitespace() || "#.:()".contains(c);
    let number = text.trim_matches(label);
    number.bytes().all(|byte| byte.is_ascii_digit()).then(|| number.parse().ok())?
}

/// A float without a fraction, as an integer.
fn whole(number: Option<f64>) -> Option<Value> {
    let number = number.filter(|number| number.fract() == 0.0)?;
    format!("{number}").parse::<i64>().ok().map(Value::from)
}

fn lines_of(lines: &[Value]) -> Option<Value> {
    let lines: Option<Vec<&str>> = lines.iter().map(Value::as_str).collect();
    lines.filter(|lines| !lines.is_empty()).map(|lines| Value::String(lines.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use growth::{assert_linear, repeated};
    use serde_json::json;

    #[test]
    fn arguments_are_read_in_linear_time() {
        for piece in [
            ",",
            ", ",
            ",\n}",
            "\"",
            "\"\\",
            "{\"a\":",
            "[",
            "{\"Step\": 1},",
            "```",
            "\n",
            "</a>",
            "}",
            "{} ",
        ] {
            for begin in ["", "{", "{\"script\": \"", "[\"\", "] {
                let make = |bytes| format!("{begin}{}", repeated(piece, bytes));
                assert_linear(&format!("{begin:?} {piece:?}"), 2 * 1024, make, |text| {
                    std::hint::black_box(object(text));
                });
            }
        }
        let fields =
            |count: usize| (0..count).map(|n| (format!("Step{n}"), json!(n))).collect::<Value>();
        assert_linear("fields", 500, fields, |value| {
            std::hint::black_box(fit(unwrapped(value.clone(), &schema()), &schema()));
        });
    }

    #[test]
    fn arguments_are_found_within_what_is_around_them() {
        let proper = json!({"step": 3, "script": "ls"});
        for given in [
            proper.clone(),
            json!({"arguments": proper}),
            json!({"name": "write", "parameters": proper.to_string()}),
            json!([proper]),
            json!({"Step": 3, "SCRIPT": "ls"}),
        ] {
            assert_eq!(fit(unwrapped(given.clone(), &schema()), &schema()), proper, "{given}");
        }
        for given in
            [json!([proper, proper]), json!({"a": proper, "b": proper}), json!({"a": {"x": 1}})]
        {
            assert_eq!(unwrapped(given.clone(), &schema()), given);
        }
        let both = json!({"step": 1, "Step": 2});
        assert_eq!(fit(both.clone(), &schema()), both);
    }

    #[test]
    fn small_mistakes_in_json_are_repaired() {
        let proper = json!({"script": "a\n\tb", "step": 1});
        for text in [
            "{\"script\": \"a\n\tb\", \"step\": 1}",
            "{\"script\": \"a\\n\\tb\", \"step\": 1, }",
            "{\"script\": \"a\\n\\tb\", \"step\": 1}}",
            "{\"script\": \"a\\n\\tb\", \"step\": 1}\n</tool_call>",
        ] {
            assert_eq!(object(text), Some(proper.clone()), "{text}");
        }
    }

    fn schema() -> Value {
        json!({"type": "object", "properties": {
            "step": {"type": "integer"}, "script": {"type": "string"}, "ready": {"type": "boolean"},
            "steps": {"type": "array", "items": {"type": "object", "properties": {"number": {"type": "integer"}}}},
        }})
    }

    #[test]
    fn each_value_is_converted_to_the_type_that_the_schema_names() {
        let given = json!({"step": "3", "script": ["set -x", "ls"], "ready": "True",
            "steps": "[{\"number\": \"1\"}, {\"number\": 2.0}]", "unknown": "4"});
        assert_eq!(
            fit(given, &schema()),
            json!({"step": 3, "script": "set -x\nls", "ready": true,
                "steps": [{"number": 1}, {"number": 2}], "unknown": "4"})
        );
    }

    #[test]
    fn a_labelled_number_is_read_and_a_null_is_left_out() {
        for text in ["Step 1", "#1", " 1.", "step: 1", "(1)"] {
            let given = json!({"step": text, "script": "ls", "ready": null});
            assert_eq!(fit(given, &schema()), json!({"step": 1, "script": "ls"}), "{text}");
        }
        assert_eq!(object("\u{feff}{\"a\": 1}"), Some(json!({"a": 1})));
    }

    #[test]
    fn an_ambiguous_argument_stays_unchanged() {
        for given in [
            json!({"step": "three"}),
            json!({"step": "1 of 3"}),
            json!({"step": "Step 1.5"}),
            json!({"step": ""}),
            json!({"step": 2.5}),
            json!({"step": 1e300}),
            json!({"script": ["ls", 3]}),
            json!({"script": {"lines": ["ls"]}}),
            json!({"ready": "maybe"}),
            json!({"steps": "{}"}),
        ] {
            assert_eq!(fit(given.clone(), &schema()), given);
        }
    }

    #[test]
    fn an_object_is_found_within_text() {
        let object_in = |text: &str| object(text);
        assert_eq!(object_in("{\"a\": 1}"), Some(json!({"a": 1})));
        assert_eq!(object_in("\"{\\\"a\\\": 1}\""), Some(json!({"a": 1})));
        assert_eq!(object_in("```json\n{\"a\": 1}\n```"), Some(json!({"a": 1})));
        for none in
            ["", "{\"a\": 1", "ls", "\"ls\"", "``````", "{\"a\": 1}{\"a\": 2}", "{\"a\": 1} b"]
        {
            assert_eq!(object_in(none), None, "{none:?}");
        }
    }
}
