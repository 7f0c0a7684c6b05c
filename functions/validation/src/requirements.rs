//! Shows which steps build each requirement, and which checks prove it.
//!
//! Evidence ages: a check proves what it saw, and a step that runs again may change that.

use crate::App;
use crate::routes::CheckAttempt;
use axum::http::HeaderMap;
use axum::response::Response;
use domain::Scope;
use domain::requirement::Coverage;
use http_kit::{ApiError, conditional_json};
use serde::{Deserialize, Serialize};
use store::evidence;
use utoipa::ToSchema;

/// The user's requirements, with the steps that build them and the checks that prove them.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct ProvedRequirements {
    /// In the order of the requirements' list; empty without a list.
    pub requirements: Vec<Coverage>,
    /// The checks that passed before a step ran again, in order. `POST /validation/trigger` runs them again.
    pub outdated: Vec<CheckAttempt>,
}

impl App {
    pub(crate) async fn proved_requirements(
        &self,
        scope: Scope,
        headers: &HeaderMap,
    ) -> Result<Response, ApiError> {
        self.projects.get(scope).await?.ok_or_else(ApiError::not_found)?;
        let proved = evidence::of_requirements(&self.plans, &self.checks, scope).await?;
        let outdated = proved.outdated.iter().map(CheckAttempt::from).collect();
        let body = ProvedRequirements { requirements: proved.requirements, outdated };
        Ok(conditional_json(headers, &body))
    }
}
