//! Shows what a project has cost so far.

use crate::App;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use domain::Timestamp;
use http_kit::{ApiError, Identity, conditional_json, project_scope};
use serde::{Deserialize, Serialize};
use store::costs::Costs;
use utoipa::ToSchema;

/// The sum of everything a project has used.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct ProjectCosts {
    /// US dollars as a decimal with six places.
    #[schema(example = "1.284000")]
    pub total_cost: String,
    /// The time of the last counted usage.
    #[schema(required)]
    pub last_updated: Option<Timestamp>,
    /// The budget at which its agents stop, in US dollars with six places; null for no limit.
    #[schema(required, example = "50.000000")]
    pub budget: Option<String>,
    /// The sandbox's part of the total, in US dollars with six places.
    #[schema(example = "0.120000")]
    pub sandbox_cost: String,
    /// How long the sandbox has run, in seconds.
    pub sandbox_seconds: u64,
    /// What the provider had cached; absent while nothing was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub caching: Option<Caching>,
}

/// The input of models that their provider had cached from an earlier call.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct Caching {
    /// Its part of all tokens sent, from 0 to 1.
    #[schema(example = 0.42)]
    pub share: f64,
    /// What the provider charged less for it, in US dollars with six places. The project pays the same for every token.
    #[schema(example = "0.310500")]
    pub saved: String,
}

impl Caching {
    fn of(costs: &Costs) -> Option<Self> {
        let saved = costs.saved_micro_usd.to_string();
        (costs.cached_tokens > 0).then(|| Self { share: costs.cached_share(), saved })
    }
}

/// The usage of the agents' models.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct TokenUsageBody {
    /// US dollars as a decimal with six places.
    #[schema(example = "1.284000")]
    pub total_cost: String,
    /// Tokens sent to models.
    pub input_tokens: u64,
    /// Tokens written by models.
    pub output_tokens: u64,
    /// Sent tokens that the provider had cached from an earlier call.
    #[serde(default)]
    pub cached_input_tokens: u64,
}

/// The costs of a project so far
#[utoipa::path(get, path = "/projects/{id}/costs", tag = "projects",
    params(("id" = u64, Path, description = "The project")),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = ProjectCosts), (status = 304, description = "Unchanged")))]
pub(crate) async fn costs(
    State(app): State<App>,
    caller: Identity,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let costs = app.load_costs(&caller, &id).await?;
    let body = ProjectCosts {
        total_cost: costs.micro_usd.to_string(),
        last_updated: costs.last_updated,
        budget: costs.budget.map(|budget| budget.to_string()),
        sandbox_cost: costs.sandbox_micro_usd.to_string(),
        sandbox_seconds: costs.sandbox_seconds,
        caching: Caching::of(&costs),
    };
    Ok(conditional_json(&headers, &body))
}

/// The usage of a project's agents so far
#[utoipa::path(get, path = "/projects/{id}/token-usage", tag = "projects",
    params(("id" = u64, Path, description = "The project")),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = TokenUsageBody), (status = 304, description = "Unchanged")))]
pub(crate) async fn token_usage(
    State(app): State<App>,
    caller: Identity,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let costs = app.load_costs(&caller, &id).await?;
    let body = TokenUsageBody {
        total_cost: (costs.micro_usd - costs.sandbox_micro_usd).to_string(),
        input_tokens: costs.input_tokens,
        output_tokens: costs.output_tokens,
        cached_input_tokens: costs.cached_tokens,
    };
    Ok(conditional_json(&headers, &body))
}

impl App {
    async fn load_costs(&self, caller: &Identity, id: &str) -> Result<Costs, ApiError> {
        let scope = project_scope(caller, id)?;
        self.costs.get(scope).await?.ok_or_else(ApiError::not_found)
    }
}
