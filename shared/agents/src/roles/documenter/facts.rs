//! The configuration data of a project: an object of limited size, with references in place of secrets.

use crate::error::AgentError;
use crate::tools::try_again;
use domain::document::MAX_FACTS_BYTES;
use serde_json::{Map, Value};

/// The most keys, including those of nested objects.
const KEYS: usize = 200;
/// How deeply objects and lists may be nested.
const DEPTH: usize = 4;

/// The data that is kept.
#[derive(Debug)]
pub(super) struct Facts {
    pub(super) json: String,
    pub(super) keys: usize,
    pub(super) secrets_put_away: usize,
}

/// The data as it is kept, if it is an object within its limits.
pub(super) fn checked(given: Value) -> Result<Facts, AgentError> {
    // Some models pass an object as its JSON text.
    let given = match given {
        Value::String(text) => serde_json::from_str(&text).unwrap_or(Value::String(text)),
        given => given,
    };
    let Value::Object(object) = given else {
        return Err(try_again("`key_value_data` must be a JSON object."));
    };
    let mut facts = Facts { json: String::new(), keys: 0, secrets_put_away: 0 };
    let object = facts.object(object, 1)?;
    if facts.keys > KEYS {
        return Err(try_again(format!(
            "`key_value_data` has {} keys, {KEYS} are allowed. Leave out what is not needed.",
            facts.keys
        )));
    }
    facts.json = Value::Object(object).to_string();
    match facts.json.len() {
        bytes if bytes > MAX_FACTS_BYTES => Err(try_again(format!(
            "`key_value_data` has {bytes} bytes, {MAX_FACTS_BYTES} are allowed. Write shorter values."
        ))),
        _ => Ok(facts),
    }
}

impl Facts {
    fn object(
        &mut self,
        object: Map<String, Value>,
        depth: usize,
    ) -> Result<Map<String, Value>, AgentError> {
        self.keys += object.len();
        let value = |(key, value): (String, Value)| {
            let value = self.value(&key, value, depth)?;
            Ok((redaction::redact(&key).text, value))
        };
        object.into_iter().map(value).collect()
    }

    fn value(&mut self, key: &str, value: Value, depth: usize) -> Result<Value, AgentError> {
        if depth > DEPTH {
            return Err(try_again(format!(
                "`key_value_data` is nested deeper than {DEPTH} levels."
            )));
        }
        Ok(match value {
            Value::Object(object) => Value::Object(self.object(object, depth + 1)?),
            Value::Array(items) => {
                let item = |item| self.value(key, item, depth + 1);
                Value::Array(items.into_iter().map(item).collect::<Result<_, _>>()?)
            }
            Value::String(text) => Value::String(self.text(key, &text)),
            other => other,
        })
    }

    /// A text without secrets: those recognized by their form, and one that its key announces.
    fn text(&mut self, key: &str, text: &str) -> String {
        let redacted = redaction::redact(text);
        self.secrets_put_away += redacted.secrets.len();
        let line = format!("{key}={}", redacted.text);
        let named = redaction::find(&line).into_iter().find(|found| found.span.start > key.len());
        match named {
            Some(found) => {
                self.secrets_put_away += 1;
                redaction::reference(&found.name)
            }
            None => redacted.text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn kept(given: Value) -> Value {
        serde_json::from_str(&checked(given).unwrap().json).unwrap()
    }

    #[test]
    fn hosts_ports_and_paths_stay_as_they_are() {
        let given = json!({"host": "10.0.0.4", "port": 8080, "tls": false, "ssh_key_path": "~/workspace/ssh/id_ed25519",
            "services": ["nginx", "app"], "database": {"name": "blog", "password": "{{secret:DB_PASSWORD}}"}});
        assert_eq!(kept(given.clone()), given);
        assert_eq!(kept(json!("{\"a\": 1}")), json!({"a": 1}));
    }

    #[test]
    fn a_secret_becomes_a_reference_in_any_position() {
        let given = json!({
            "db_password": "c0rrect-Horse-battery",
            "deep": {"api_token": "Zm9vYmFyYmF6cXV4MTIzNDU2"},
            "note": "key AKIAIOSFODNN7ABCDEFG of the account",
        });
        let facts = checked(given).unwrap();
        for secret in ["c0rrect", "Zm9v", "AKIAIOSF"] {
            assert!(!facts.json.contains(secret), "{}", facts.json);
        }
        assert_eq!(facts.json.matches("{{secret:").count(), 3, "{}", facts.json);
        assert_eq!((facts.keys, facts.secrets_put_away), (4, 3));
    }

    #[test]
    fn the_data_is_an_object_of_at_most_200_keys_and_four_levels() {
        let many = |n: usize| Value::Object((0..n).map(|i| (format!("k{i}"), json!(i))).collect());
        assert!(checked(many(200)).is_ok());
        for wrong in
            [many(201), json!([1]), json!("text"), json!({"a": {"b": {"c": {"d": {"e": 1}}}}})]
        {
            assert!(checked(wrong).is_err());
        }
        assert!(checked(json!({"a": "x".repeat(MAX_FACTS_BYTES)})).is_err());
    }
}
