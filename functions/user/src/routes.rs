//! The calls about a user's credits.

use crate::transactions::{self, Transaction};
use crate::{App, csv, export, mail};
use axum::Router;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use domain::security::{About, SecurityEvent, record};
use http_kit::{
    Api, ApiError, Download, Identity, Limited, conditional_json, conditional_with, routes,
    with_next_cursor,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

fn api() -> Api<App> {
    Api::new()
        .routes(routes!(credits))
        .routes(routes!(transactions))
        .routes(routes!(transactions_csv))
        .routes(routes!(export_account))
        .routes(routes!(mail::mail, mail::name_address, mail::forget_mail))
        .routes(routes!(mail::confirm_mail))
        .routes(routes!(mail::unsubscribe, mail::unsubscribe_page))
}

/// The function's router.
pub fn routes(app: App) -> Router {
    api().router(app)
}

/// The function's part of the contract.
pub fn openapi() -> utoipa::openapi::OpenApi {
    api().openapi()
}

/// The credits of a user.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct Credits {
    /// US dollars; 1 credit is $1.
    #[schema(example = 24.98)]
    pub credits_balance: f64,
    /// The part of it that is held for model calls in progress, in US dollars.
    pub held: f64,
    /// Whether the rest is under $1.
    pub low: bool,
}

/// The caller's credits
#[utoipa::path(get, path = "/user/credits", tag = "user",
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = Credits), (status = 304, description = "Unchanged")))]
async fn credits(
    State(app): State<App>,
    caller: Identity,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let balance = app.ledger.balance(caller.installation).await?;
    let body = Credits {
        credits_balance: balance.balance.dollars(),
        held: balance.held.dollars(),
        low: balance.is_low(),
    };
    Ok(conditional_json(&headers, &body))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct PageQuery {
    /// The number of lines, 1 to 100.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, example = 50)]
    limit: Option<String>,
    /// The `Next-Cursor` of the previous page.
    cursor: Option<String>,
}

/// The caller's transactions, newest first
#[utoipa::path(get, path = "/user/transactions", tag = "user", params(PageQuery),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = Vec<Transaction>,
            headers(("Next-Cursor" = String, description = "The cursor of the next page; absent on the last one"))),
        (status = 304, description = "Unchanged")))]
async fn transactions(
    State(app): State<App>,
    caller: Identity,
    Query(query): Query<PageQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let limit = transactions::limit(query.limit.as_deref())?;
    let cursor = transactions::cursor(query.cursor.as_deref())?;
    let page = app.ledger.page(caller.installation, cursor.as_ref(), limit).await?;
    let shown: Vec<_> = page.rows.iter().map(Transaction::of).collect();
    let body = serde_json::to_vec(&shown).map_err(ApiError::internal)?;
    let next = page.next.map(|id| id.0);
    let response =
        conditional_with(&headers, "application/json", body, &[next.as_deref().unwrap_or("")]);
    Ok(with_next_cursor(response, next.as_deref()))
}

/// All of the caller's transactions as a file
#[utoipa::path(get, path = "/user/transactions/csv", tag = "user",
    security(("session" = [], "installation" = [])),
    responses((status = 200, description = "The transactions, one per line", body = String,
        content_type = "text/csv")))]
async fn transactions_csv(
    State(app): State<App>,
    caller: Identity,
    _: Limited<Download>,
) -> Response {
    csv::download(app.ledger, caller.installation)
}

/// All data of the account, as a JSON file; sealed credentials appear by name only
#[utoipa::path(get, path = "/user/export", tag = "user",
    security(("session" = [], "installation" = [])),
    responses((status = 200, description = "Everything that Groundcrew keeps about the account", body = Object,
        content_type = "application/json")))]
async fn export_account(
    State(app): State<App>,
    caller: Identity,
    _: Limited<Download>,
) -> Response {
    let about = About::installation(caller.installation);
    record(SecurityEvent::AccountExported, about.by(&caller.actor()), "");
    export::download(app, caller.caller.session)
}
