//! What all functions' OpenAPI documents share.

use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityScheme};
use utoipa::{Modify, OpenApi};

/// The base document: the cookie, the installation header and the error body.
#[derive(OpenApi)]
#[openapi(
    info(title = "Groundcrew", description = "Cloud infrastructure, planned and run with agents."),
    servers((url = "/api")),
    components(schemas(crate::ErrorBody, crate::sse::ChatStreamEvent)),
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
