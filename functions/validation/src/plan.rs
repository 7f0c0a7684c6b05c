//! The validation plan and its results.

use crate::App;
use axum::http::HeaderMap;
use axum::response::Response;
use domain::Scope;
use domain::plan::Plan;
use http_kit::{ApiError, conditional_json};
use serde::{Deserialize, Serialize};
use store::plans::PlanKind;
use utoipa::ToSchema;

/// The validation plan.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct ValidationPlan {
    /// Always `success`.
    pub status: String,
    /// Markdown; empty before it is written.
    pub plan: String,
    /// The validator's report, markdown; empty before it exists.
    pub report: String,
}

impl App {
    pub(crate) async fn plan(
        &self,
        scope: Scope,
        headers: &HeaderMap,
    ) -> Result<Response, ApiError> {
        let plan = self.plans.get(scope, PlanKind::Validation).await?;
        let Plan { text: plan, report, .. } = plan.ok_or_else(ApiError::not_found)?;
        Ok(conditional_json(
            headers,
            &ValidationPlan { status: "success".to_owned(), plan, report },
        ))
    }
}
