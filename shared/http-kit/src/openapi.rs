//! The parts that all functions' OpenAPI documents share.

use serde_json::Value;
use utoipa::openapi::path::{HttpMethod, Operation};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityScheme};
use utoipa::openapi::{Content, Ref, RefOr, ResponseBuilder};
use utoipa::{Modify, OpenApi};

/// The base document: the cookie, the installation header and the error body.
#[derive(OpenApi)]
#[openapi(
    info(title = "Groundcrew", description = "Cloud infrastructure, planned and run with agents."),
    servers((url = "/api")),
    components(schemas(crate::ErrorBody, crate::sse::ChatStreamEvent, crate::sse::SentEvent)),
    modifiers(&Schemes),
)]
pub struct Base;

struct Schemes;

impl Modify for Schemes {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let components = document.components.get_or_insert_with(Default::default);
        let cookie = ApiKeyValue::new("__Host-groundcrew");
        let header = ApiKeyValue::new("Installation-Id");
        let project = ApiKeyValue::new("Project-Id");
        components.add_security_scheme("session", SecurityScheme::ApiKey(ApiKey::Cookie(cookie)));
        components
            .add_security_scheme("installation", SecurityScheme::ApiKey(ApiKey::Header(header)));
        components.add_security_scheme("project", SecurityScheme::ApiKey(ApiKey::Header(project)));
    }
}

/// Describes event streams by their events, and adds to every call the refusals that follow from its security, method,
/// parameters and body, so that routes need not list them. A refusal that a route lists gets the description of its
/// status unless the route has its own, and an answer without a description gets that of its body.
pub fn complete(document: &mut utoipa::openapi::OpenApi) {
    let schemas = serde_json::to_value(&document.components).unwrap_or_default();
    for item in document.paths.paths.values_mut() {
        let methods = [
            (HttpMethod::Get, &mut item.get),
            (HttpMethod::Put, &mut item.put),
            (HttpMethod::Post, &mut item.post),
            (HttpMethod::Patch, &mut item.patch),
            (HttpMethod::Delete, &mut item.delete),
        ];
        for (method, operation) in methods {
            if let Some(operation) = operation {
                complete_operation(&method, operation);
                describe_answers(operation, &schemas["schemas"]);
            }
        }
    }
}

fn complete_operation(method: &HttpMethod, operation: &mut Operation) {
    let text = serde_json::to_value(&*operation).unwrap_or_default();
    let asks_for = |name: &str| {
        let alternatives = text["security"].as_array().into_iter().flatten();
        alternatives.into_iter().any(|all| all.get(name).is_some())
    };
    let has = |place: &str| {
        let parameters = text["parameters"].as_array().into_iter().flatten();
        parameters.into_iter().any(|parameter| parameter["in"] == place)
    };
    let body = text.get("requestBody").is_some_and(Value::is_object);
    let refusals = [
        (400, "The request is invalid", body || has("query") || asks_for("project")),
        (401, "Not signed in, or not for this installation", asks_for("session")),
        (403, "Sent from another site's page", *method != HttpMethod::Get && asks_for("session")),
        (404, "Not found, or owned by another installation", has("path") || asks_for("project")),
        (413, "The body is too large", body),
        (422, "A value is out of bounds", body),
        (429, "Too many requests; `Retry-After` says when to try again", true),
        // Only the routes themselves can tell whether these occur.
        (402, "The credits or the project's budget do not cover this", false),
        (409, "The current state does not allow this", false),
        (502, "An outside service failed", false),
    ];
    let answers = &mut operation.responses.responses;
    for (status, description, occurs) in refusals {
        let status = status.to_string();
        match answers.get_mut(&status) {
            Some(RefOr::T(answer)) if answer.description.is_empty() => {
                answer.description = description.to_owned();
            }
            None if occurs => {
                answers.insert(status, refusal(description));
            }
            Some(_) | None => {}
        }
    }
    for answer in operation.responses.responses.values_mut() {
        // A stream is described by one of its events, which says more than the event's name.
        let stream = match answer {
            RefOr::T(answer) => answer.content.get_mut("text/event-stream"),
            RefOr::Ref(_) => None,
        };
        if let Some(stream) = stream {
            *stream = RefOr::T(Content::new(Some(Ref::from_schema_name("SentEvent"))));
        }
    }
}

fn describe_answers(operation: &mut Operation, schemas: &Value) {
    for answer in operation.responses.responses.values_mut() {
        if let RefOr::T(answer) = answer
            && answer.description.is_empty()
        {
            let described = answer.content.values().find_map(|body| of_body(body, schemas));
            answer.description = described.unwrap_or_default();
        }
    }
}

/// The description of a body's schema, or of what a list holds.
fn of_body(body: &RefOr<Content>, schemas: &Value) -> Option<String> {
    let body = serde_json::to_value(body).ok()?;
    let of = |schema: &Value| {
        let name = schema["$ref"].as_str()?.rsplit('/').next()?;
        schemas[name]["description"].as_str().map(str::to_owned)
    };
    let schema = &body["schema"];
    of(schema).or_else(|| of(&schema["items"]).map(|each| format!("A list. Each item: {each}")))
}

fn refusal(description: &str) -> RefOr<utoipa::openapi::Response> {
    let body = Content::new(Some(Ref::from_schema_name("ErrorBody")));
    let response = ResponseBuilder::new().description(description);
    RefOr::T(response.content("application/json", body).build())
}
