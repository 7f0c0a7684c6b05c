//! The contract of the whole API: the functions' documents merged into one.

use http_kit::openapi::{Base, complete};
use utoipa::OpenApi as _;
use utoipa::openapi::OpenApi;

/// The document that `web/openapi.json` holds.
pub fn document() -> OpenApi {
    let mut whole = Base::openapi();
    let parts = [
        github::openapi(),
        analytics::openapi(),
        projects::openapi(),
        project_states::openapi(),
        planning::openapi(),
        execution::openapi(),
        validation::openapi(),
        documentation::openapi(),
        devops_helper::openapi(),
        sandbox::openapi(),
        workspace::openapi(),
        terminal::openapi(),
        user::openapi(),
        payments::openapi(),
    ];
    for part in parts {
        whole.merge(part);
    }
    complete(&mut whole);
    whole
}

/// The document in the file's format.
pub fn text() -> anyhow::Result<String> {
    Ok(format!("{}\n", document().to_pretty_json()?))
}
