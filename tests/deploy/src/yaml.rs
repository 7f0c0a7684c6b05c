//! Parses YAML with CloudFormation's tags into JSON.

use saphyr::{LoadableYamlNode, Scalar, Yaml};
use serde_json::{Map, Value, json};

/// The first document of a text.
pub fn parse(text: &str) -> Value {
    let documents = Yaml::load_from_str(text).expect("it is YAML");
    json_of(&documents[0])
}

fn json_of(node: &Yaml<'_>) -> Value {
    match node {
        Yaml::Value(scalar) => scalar_of(scalar),
        Yaml::Sequence(items) => items.iter().map(json_of).collect(),
        Yaml::Mapping(pairs) => {
            let mut map = Map::new();
            for (key, value) in pairs {
                let key = match json_of(key) {
                    Value::String(key) => key,
                    other => other.to_string(),
                };
                assert!(
                    map.insert(key.clone(), json_of(value)).is_none(),
                    "{key} occurs twice in one mapping"
                );
            }
            Value::Object(map)
        }
        Yaml::Tagged(tag, inner) => tagged(&tag.suffix, json_of(inner)),
        other => panic!("CloudFormation does not accept this: {other:?}"),
    }
}

fn tagged(tag: &str, inner: Value) -> Value {
    match tag {
        "Ref" | "Condition" => json!({ tag: inner }),
        _ => json!({ format!("Fn::{tag}"): inner }),
    }
}

fn scalar_of(scalar: &Scalar<'_>) -> Value {
    match scalar {
        Scalar::Null => Value::Null,
        Scalar::Boolean(b) => json!(b),
        Scalar::Integer(n) => json!(n),
        Scalar::FloatingPoint(n) => json!(n.into_inner()),
        Scalar::String(s) => json!(s),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_tags_are_expanded() {
        let value =
            parse("{a: !Ref B, c: !GetAtt D.Arn, e: !If [F, !Sub '${G}', !Ref 'AWS::NoValue']}");
        assert_eq!(
            value,
            json!({"a": {"Ref": "B"}, "c": {"Fn::GetAtt": "D.Arn"},
                   "e": {"Fn::If": ["F", {"Fn::Sub": "${G}"}, {"Ref": "AWS::NoValue"}]}})
        );
    }
}
