//! Reads a tool's arguments as the model meant them.
//!
//! Models that were not trained on our tools write `"3"` for 3, put a JSON document into a string, or send the lines of
//! a script as a list. The tool's schema says what was meant, so each value is converted to the type that the schema
//! names if there is exactly one way to do so. Everything else stays as it is and is refused with a reason.

use serde_json::Value;

/// How deep arguments are followed; no tool's schema is deeper.
const DEPTH: usize = 8;

/// The object in arguments that came as text: JSON within JSON, or within a Markdown fence.
pub(super) fn object(text: &str) -> Option<Value> {
    let mut text = text.trim();
    if let Some(fenced) = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```")) {
        text = fenced.split_once('\n').map_or(fenced, |(_, body)| body).trim();
    }
    match serde_json::from_str(text).ok()? {
        Value::String(inner) => serde_json::from_str(&inner).ok(),
        value => Some(value),
    }
    .filter(Value::is_object)
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
        Value::Object(fields) => fields
            .into_iter()
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
        ("integer", Value::String(text)) => text.trim().parse::<i64>().ok().map(Value::from),
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
    use serde_json::json;

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
    fn an_ambiguous_argument_stays_unchanged() {
        for given in [
            json!({"step": "three"}),
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
        for none in ["", "[1]", "{\"a\": 1", "ls", "\"ls\"", "``````"] {
            assert_eq!(object_in(none), None, "{none:?}");
        }
    }
}
