//! Returns the current documents, which the page polls.

use crate::App;
use axum::http::header::{HeaderName, LAST_MODIFIED};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use domain::Scope;
use domain::plan::Plan;
use http_kit::{ApiError, conditional_json};
use serde::{Deserialize, Serialize};
use store::plans::PlanKind;
use utoipa::ToSchema;

/// The status of a plan: `empty`, `generating`, `ready` or `failed`.
const PLAN_STATUS: HeaderName = HeaderName::from_static("plan-status");
/// The plan's id, which changes with each writing; absent before the first one.
const PLAN_ID: HeaderName = HeaderName::from_static("plan-id");
/// Why the plan failed, or what its agent waits for while it writes, percent-encoded.
const PLAN_DETAIL: HeaderName = HeaderName::from_static("plan-detail");

/// The requirements, as the agent understood them.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct RequirementsBody {
    /// Markdown; empty before they are written.
    pub content: String,
    /// Whether the agent has all it needs.
    pub ready_to_continue: bool,
}

impl App {
    pub(crate) async fn requirements(
        &self,
        scope: Scope,
        headers: &HeaderMap,
    ) -> Result<Response, ApiError> {
        let found = self.plans.requirements(scope).await?.ok_or_else(ApiError::not_found)?;
        let body =
            RequirementsBody { content: found.content, ready_to_continue: found.ready_to_continue };
        Ok(conditional_json(headers, &body))
    }

    pub(crate) async fn plan(
        &self,
        scope: Scope,
        kind: PlanKind,
        headers: &HeaderMap,
    ) -> Result<Response, ApiError> {
        let plan = self.plans.get(scope, kind).await?.ok_or_else(ApiError::not_found)?;
        Ok(show(&plan, headers))
    }
}

/// The text as the body, and its status in headers, which the ETag covers as well.
fn show(plan: &Plan, request: &HeaderMap) -> Response {
    let detail = plan.detail.as_deref().map(percent_encode).unwrap_or_default();
    let id = plan.plan_id.as_ref().map(ToString::to_string).unwrap_or_default();
    let mut response = http_kit::conditional_with(
        request,
        "text/plain; charset=utf-8",
        plan.text.clone().into(),
        &[plan.status.as_str(), &detail, &id],
    );
    let headers = response.headers_mut();
    headers.insert(PLAN_STATUS, HeaderValue::from_static(plan.status.as_str()));
    if let (false, Ok(value)) = (detail.is_empty(), HeaderValue::from_str(&detail)) {
        headers.insert(PLAN_DETAIL, value);
    }
    if let (false, Ok(value)) = (id.is_empty(), HeaderValue::from_str(&id)) {
        headers.insert(PLAN_ID, value);
    }
    let written = plan.updated_at.and_then(|at| HeaderValue::from_str(&at.http_date()).ok());
    headers.extend(written.map(|date| (LAST_MODIFIED, date)));
    response
}

/// A header may contain only visible ASCII, and a text for people contains more.
fn percent_encode(text: &str) -> String {
    text.bytes().fold(String::new(), |mut encoded, byte| {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                encoded.push(char::from(byte));
            }
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
        encoded
    })
}
