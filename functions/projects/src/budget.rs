//! Sets how much a project may use before its agents stop.

use crate::App;
use axum::extract::{Path, State};
use domain::MicroDollars;
use http_kit::{ApiError, ErrorCode, Identity, Json, JsonNumber, project_scope};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The largest budget: more than any project uses, and far below the largest representable amount.
const MAX_BUDGET: MicroDollars = MicroDollars::of_cents(100_000_000);

/// The new budget.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewBudget {
    /// US dollars with at most two decimals, more than 0; null for no limit.
    #[schema(value_type = Option<f64>, required, example = 50)]
    pub amount: JsonNumber,
}

/// The budget of a project.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct Budget {
    /// US dollars with six places; null for no limit.
    #[schema(required, example = "50.000000")]
    pub budget: Option<String>,
}

/// Set or lift a project's budget
#[utoipa::path(put, path = "/projects/{id}/budget", tag = "projects", request_body = NewBudget,
    params(("id" = u64, Path, description = "The project")),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = Budget)))]
pub(crate) async fn set_budget(
    State(app): State<App>,
    caller: Identity,
    Path(id): Path<String>,
    Json(new): Json<NewBudget>,
) -> Result<axum::Json<Budget>, ApiError> {
    let scope = project_scope(&caller, &id)?;
    let budget = amount(&new.amount.0)?;
    match app.costs.set_budget(scope, budget).await? {
        true => Ok(axum::Json(Budget { budget: budget.map(|budget| budget.to_string()) })),
        false => Err(ApiError::not_found()),
    }
}

fn amount(typed: &str) -> Result<Option<MicroDollars>, ApiError> {
    if typed == "null" {
        return Ok(None);
    }
    match MicroDollars::parse_dollars(typed) {
        Some(amount) if amount > MAX_BUDGET => {
            Err(ApiError::unprocessable(ErrorCode::AmountTooLarge, "Maximum budget is $1,000,000"))
        }
        Some(amount) if amount > MicroDollars::ZERO => Ok(Some(amount)),
        _ => {
            let detail = "Please enter a valid amount greater than $0";
            Err(ApiError::unprocessable(ErrorCode::InvalidAmount, detail))
        }
    }
}
