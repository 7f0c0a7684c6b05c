//! All calls of the contract, from `web/openapi.json`.

use reqwest::Method;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// A call that the contract documents.
#[derive(Clone, Debug)]
pub struct Route {
    /// HTTP method.
    pub method: Method,
    /// Path under `/api`, with its parameters in braces.
    pub path: String,
    /// Whether the contract requires a session.
    pub session: bool,
    /// Whether the contract requires the header of an installation.
    pub installation: bool,
    /// Whether the contract requires the header of a project.
    pub project: bool,
    /// The statuses that the contract documents.
    pub answers: BTreeSet<u16>,
    queries: Vec<String>,
    body: Option<Value>,
}

/// All calls. The document is generated from the functions; another test compares the two.
pub fn routes() -> Vec<Route> {
    let document: Value = serde_json::from_str(include_str!("../../../web/openapi.json")).unwrap();
    let paths = document["paths"].as_object().unwrap();
    let methods = paths.iter().flat_map(|(path, methods)| {
        methods
            .as_object()
            .unwrap()
            .iter()
            .map(move |(method, operation)| (path, method, operation))
    });
    methods.map(|(path, method, operation)| route(&document, path, method, operation)).collect()
}

fn route(document: &Value, path: &str, method: &str, operation: &Value) -> Route {
    let asks = |name: &str| {
        let alternatives = operation["security"].as_array().into_iter().flatten();
        alternatives.into_iter().any(|all| all.get(name).is_some())
    };
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    let queries = parameters.filter(|parameter| parameter["in"] == "query");
    let body = &operation["requestBody"]["content"]["application/json"]["schema"];
    Route {
        method: method.to_uppercase().parse().unwrap(),
        path: path.to_owned(),
        session: asks("session"),
        installation: asks("installation"),
        project: asks("project"),
        answers: operation["responses"]
            .as_object()
            .unwrap()
            .keys()
            .map(|status| status.parse().unwrap())
            .collect(),
        queries: queries.map(|query| query["name"].as_str().unwrap().to_owned()).collect(),
        body: (!body.is_null()).then(|| sample(document, body)),
    }
}

impl Route {
    /// Method and path, for messages and lists.
    pub fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    /// The path with its parameters filled in by name, including those of the query.
    ///
    /// # Panics
    ///
    /// If a parameter has no value: when you add a parameter, add a value for it.
    pub fn filled(&self, values: &[(&str, &str)]) -> String {
        let value = |name: &str| {
            let found = values.iter().find(|(known, _)| *known == name);
            found.unwrap_or_else(|| panic!("{} has a new parameter, {name}", self.name())).1
        };
        let mut path = String::new();
        for part in self.path.split('/').skip(1) {
            let name = part.strip_prefix('{').and_then(|part| part.strip_suffix('}'));
            path.push('/');
            path.push_str(name.map_or(part, value));
        }
        let queries: Vec<_> =
            self.queries.iter().map(|name| format!("{name}={}", value(name))).collect();
        if queries.is_empty() { path } else { format!("{path}?{}", queries.join("&")) }
    }

    /// A body that the contract allows, if it requires one.
    pub fn body(&self) -> Option<&Value> {
        self.body.as_ref()
    }
}

/// A value of this shape.
fn sample(document: &Value, schema: &Value) -> Value {
    if let Some(reference) = schema["$ref"].as_str() {
        let pointer = reference.trim_start_matches('#');
        return sample(document, document.pointer(pointer).unwrap());
    }
    if let Some(alternatives) = schema["oneOf"].as_array() {
        return sample(document, alternatives.first().unwrap());
    }
    if let Some(parts) = schema["allOf"].as_array() {
        let parts = parts.iter().map(|part| sample(document, part));
        return parts.filter_map(|part| part.as_object().cloned()).flatten().collect();
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.first().unwrap(),
        kind => kind,
    };
    match kind.as_str() {
        Some("object") => {
            let required = schema["required"].as_array().into_iter().flatten();
            let names = required.map(|name| name.as_str().unwrap());
            let of = |name: &str| sample(document, &schema["properties"][name]);
            let mut object: Map<_, _> = names.map(|name| (name.to_owned(), of(name))).collect();
            // A map whose keys the caller chooses.
            if let Some(values) =
                schema.get("additionalProperties").filter(|values| values.is_object())
            {
                object.insert("SAMPLE".to_owned(), sample(document, values));
            }
            Value::Object(object)
        }
        Some("array") => json!([sample(document, &schema["items"])]),
        Some("boolean") => json!(true),
        Some("integer" | "number") => json!(1),
        Some("string") if schema["format"] == "uuid" => {
            json!("00000000-0000-4000-8000-000000000000")
        }
        Some("string") => schema["enum"].get(0).cloned().unwrap_or_else(|| json!("sample")),
        _ => panic!("the contract has a new kind of schema: {schema}"),
    }
}
