//! The permissions of a role in the template.

use deploy_tests::Template;
use serde_json::Value;

/// One value or several, as a list.
pub fn list(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(items) => items.iter().collect(),
        Value::Null => Vec::new(),
        one => vec![one],
    }
}

/// The statements of a role as written, including conditions of the template.
pub fn written(role: &Value) -> Vec<&Value> {
    let policies = list(&role["Properties"]["Policies"]).into_iter();
    policies.flat_map(|policy| list(&policy["PolicyDocument"]["Statement"])).collect()
}

/// What a statement grants, including grants that depend on a condition of the template.
pub fn granted(statement: &Value) -> &Value {
    statement.get("Fn::If").map_or(statement, |choice| &choice[1])
}

/// What a role may do, including permissions that depend on a condition of the template.
pub fn statements(role: &Value) -> Vec<&Value> {
    written(role).into_iter().map(granted).collect()
}

/// The actions of a statement.
pub fn actions(statement: &Value) -> Vec<&str> {
    list(&statement["Action"]).into_iter().map(|action| action.as_str().unwrap()).collect()
}

/// The kinds of keys that a statement opens.
pub fn keys(statement: &Value) -> Vec<&str> {
    let keys = &statement["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"];
    list(keys).into_iter().map(|key| key.as_str().unwrap()).collect()
}

/// The attributes to which a statement's updates are limited; `None` if they may change any.
pub fn attributes(statement: &Value) -> Vec<&str> {
    let named = &statement["Condition"]["ForAllValues:StringEquals"]["dynamodb:Attributes"];
    list(named).into_iter().map(|name| name.as_str().unwrap()).collect()
}

/// The statements of a function's role that allow an action on keys of this kind.
pub fn opening<'a>(template: &'a Template, role: &str, action: &str, key: &str) -> Vec<&'a Value> {
    let all = statements(&template.section("Resources")[role]);
    let opens =
        |statement: &&Value| actions(statement).contains(&action) && keys(statement).contains(&key);
    all.into_iter().filter(opens).collect()
}
