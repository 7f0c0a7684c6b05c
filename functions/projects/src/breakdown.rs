//! A project's costs in parts: by day, or by stage or agent plus the sandbox. Either way, the parts add up to the
//! whole.

use crate::App;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use domain::AgentId;
use domain::stage::StageId;
use http_kit::{ApiError, Identity, conditional_json, project_scope};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use store::costs::{Breakdown, Usage};
use utoipa::ToSchema;

/// The stage for agents that work after the pipeline: documentation and the DevOps helper.
const OPERATION: &str = "operation";

/// The usage of a part of the work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PartCosts {
    /// US dollars as a decimal with six places.
    #[schema(example = "1.284000")]
    pub total_cost: String,
    /// Tokens sent to models.
    pub input_tokens: u64,
    /// Tokens written by models.
    pub output_tokens: u64,
}

impl From<Usage> for PartCosts {
    fn from(usage: Usage) -> Self {
        Self {
            total_cost: usage.micro_usd.to_string(),
            input_tokens: usage.tokens.input_tokens,
            output_tokens: usage.tokens.output_tokens,
        }
    }
}

/// The usage of a stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StageCosts {
    /// The stage, or `operation` for the time after the last one.
    #[schema(example = "architecture")]
    pub stage_id: String,
    /// Its usage.
    #[serde(flatten)]
    pub costs: PartCosts,
}

/// The usage of an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AgentCosts {
    /// The agent.
    pub agent_id: AgentId,
    /// Its usage.
    #[serde(flatten)]
    pub costs: PartCosts,
}

/// The usage of a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DayCosts {
    /// The day, in UTC.
    #[schema(example = "2026-11-20", format = Date)]
    pub day: String,
    /// The usage.
    #[serde(flatten)]
    pub costs: PartCosts,
}

/// A project's costs in parts, without parts that used nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CostBreakdown {
    /// In the order of the pipeline.
    pub by_stage: Vec<StageCosts>,
    /// In the order of the pipeline.
    pub by_agent: Vec<AgentCosts>,
    /// From the first to the last.
    pub by_day: Vec<DayCosts>,
    /// The costs of the sandbox, which are part of the days and of no stage.
    pub sandbox: SandboxCosts,
}

/// The costs of a sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SandboxCosts {
    /// US dollars as a decimal with six places.
    #[schema(example = "0.120000")]
    pub total_cost: String,
    /// Its running time, in seconds.
    pub seconds: u64,
}

/// A project's costs by stage, agent and day
#[utoipa::path(get, path = "/projects/{id}/costs/breakdown", tag = "projects",
    params(("id" = u64, Path, description = "The project")),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = CostBreakdown), (status = 304, description = "Unchanged")))]
pub(crate) async fn breakdown(
    State(app): State<App>,
    caller: Identity,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let scope = project_scope(&caller, &id)?;
    let parts = app.costs.breakdown(scope).await?.ok_or_else(ApiError::not_found)?;
    Ok(conditional_json(&headers, &body(parts)))
}

fn body(parts: Breakdown) -> CostBreakdown {
    let mut stages: BTreeMap<Option<StageId>, Usage> = BTreeMap::new();
    for (agent, usage) in &parts.by_agent {
        *stages.entry(StageId::of_agent(*agent)).or_default() += *usage;
    }
    // Work after the pipeline has no stage, and would come first.
    let after = stages.remove(&None).map(|usage| (OPERATION, usage));
    let named = stages.into_iter().filter_map(|(stage, usage)| Some((stage?.info().slug, usage)));
    CostBreakdown {
        sandbox: SandboxCosts {
            total_cost: parts.sandbox_micro_usd.to_string(),
            seconds: parts.sandbox_seconds,
        },
        by_stage: named
            .chain(after)
            .map(|(stage, usage)| StageCosts { stage_id: stage.to_owned(), costs: usage.into() })
            .collect(),
        by_agent: parts
            .by_agent
            .into_iter()
            .map(|(agent_id, usage)| AgentCosts { agent_id, costs: usage.into() })
            .collect(),
        by_day: parts
            .by_day
            .into_iter()
            .map(|(day, usage)| DayCosts { day, costs: usage.into() })
            .collect(),
    }
}
