//! The template, with the queries that the tests need.

use crate::{text, yaml};
use serde_json::Value;
use std::cell::RefCell;

thread_local! {
    /// The document that a test of the checks uses in place of `infra/template.yaml`.
    static INSTEAD: RefCell<Option<Value>> = const { RefCell::new(None) };
}

/// `infra/template.yaml`.
pub struct Template {
    root: Value,
}

/// A function of the template.
pub struct Function<'a> {
    /// Its logical id.
    pub id: &'a str,
    /// Its properties, without the template's globals.
    pub properties: &'a Value,
    /// Its build settings.
    pub metadata: &'a Value,
    globals: &'a Value,
}

/// A route of the REST API.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Route {
    /// In capitals.
    pub method: String,
    /// In API Gateway's spelling, `/projects/{id}`, without the stage.
    pub path: String,
}

impl Template {
    /// Reads the template.
    pub fn load() -> Self {
        match INSTEAD.with_borrow(Clone::clone) {
            Some(root) => Self { root },
            None => Self::read("infra/template.yaml"),
        }
    }

    /// Whether one of these checks fails with another template in place of the repository's.
    pub fn is_refused(root: &Value, checks: &[fn()]) -> bool {
        INSTEAD.set(Some(root.clone()));
        let refused = checks.iter().any(|check| std::panic::catch_unwind(check).is_err());
        INSTEAD.set(None);
        refused
    }

    /// The whole document.
    pub fn document(&self) -> &Value {
        &self.root
    }

    /// Reads another template of the repository.
    pub fn read(path: &str) -> Self {
        Self { root: yaml::parse(&text(path)) }
    }

    /// The document below a key.
    pub fn section(&self, name: &str) -> &Value {
        &self.root[name]
    }

    /// A resource's properties.
    pub fn properties(&self, id: &str) -> &Value {
        let properties = &self.root["Resources"][id]["Properties"];
        assert!(properties.is_object(), "no resource {id} with properties");
        properties
    }

    /// Every resource of a type, with its logical id.
    pub fn of_type<'a>(&'a self, kind: &str) -> Vec<(&'a str, &'a Value)> {
        let resources = self.root["Resources"].as_object().unwrap();
        let wanted = resources.iter().filter(|(_, resource)| resource["Type"] == kind);
        wanted.map(|(id, resource)| (id.as_str(), resource)).collect()
    }

    /// Every function, in the template's order.
    pub fn functions(&self) -> Vec<Function<'_>> {
        let found = self.of_type("AWS::Serverless::Function").into_iter();
        found
            .map(|(id, resource)| Function {
                id,
                properties: &resource["Properties"],
                metadata: &resource["Metadata"],
                globals: &self.root["Globals"]["Function"],
            })
            .collect()
    }

    /// The function built from `functions/{name}`.
    pub fn function(&self, name: &str) -> Function<'_> {
        let found = self.functions().into_iter().find(|function| function.name() == name);
        found.unwrap_or_else(|| panic!("no function is built from functions/{name}"))
    }
}

impl<'a> Function<'a> {
    /// The package in `functions/` from which it is built.
    pub fn name(&self) -> &'a str {
        let binary = self.metadata["BuildProperties"]["Binary"].as_str();
        binary.unwrap_or_else(|| panic!("{} is built from no binary", self.id))
    }

    /// A property of the function, or of the globals.
    pub fn property(&self, name: &str) -> &'a Value {
        match &self.properties[name] {
            Value::Null => &self.globals[name],
            own => own,
        }
    }

    /// Its timeout, in seconds.
    pub fn timeout(&self) -> u64 {
        self.property("Timeout").as_u64().unwrap()
    }

    /// Names of its environment variables.
    pub fn variables(&self) -> Vec<&'a str> {
        let of = |properties: &'a Value| properties["Environment"]["Variables"].as_object();
        let own = of(self.properties).into_iter().flatten();
        own.chain(of(self.globals).into_iter().flatten()).map(|(name, _)| name.as_str()).collect()
    }

    /// Its event sources of a type.
    pub fn sources(&self, kind: &str) -> Vec<&'a Value> {
        let events = self.properties["Events"].as_object().into_iter().flatten();
        events
            .filter(|(_, event)| event["Type"] == kind)
            .map(|(_, event)| &event["Properties"])
            .collect()
    }

    /// Its routes in the REST API.
    pub fn routes(&self) -> Vec<Route> {
        let of = |source: &Value, key: &str| source[key].as_str().unwrap().to_owned();
        let sources = self.sources("Api").into_iter();
        sources
            .map(|s| Route { method: of(s, "Method").to_uppercase(), path: of(s, "Path") })
            .collect()
    }

    /// The logical id of its role.
    pub fn role(&self) -> &'a str {
        let arn = self.properties["Role"]["Fn::GetAtt"].as_str().unwrap();
        arn.strip_suffix(".Arn").unwrap()
    }
}
