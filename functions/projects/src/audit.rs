//! Shows a project's audit: who decided what, and what ran because of it.

use crate::App;
use crate::answer_size::Room;
use crate::pages::{Page, page};
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use domain::audit::{Actor, DecisionRecord, RunRecord, Verdict};
use domain::step::{Failure, Track};
use domain::{PlanId, Timestamp};
use http_kit::{
    ApiError, Identity, Limited, Lookup, conditional_with, csv_cell, project_scope,
    with_next_cursor,
};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use utoipa::{IntoParams, ToSchema};

const COLUMNS: &str = "at,track,step,description,attempt,verdict,by,command_sha256,credentials,\
    ran_at_attempt,ended_at,outcome,exit_code,duration_ms,command_sha256_before\r\n";

/// A decision with its run, or a run that needed no decision.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct AuditEntry {
    /// The time of the decision; for a run that needed none, the time of its end.
    pub at: Timestamp,
    /// Step of the execution, check of the validation, or command of the helper.
    pub track: Track,
    /// The plan.
    pub plan_id: PlanId,
    /// The step, from 1.
    pub step_number: u32,
    /// The step's title.
    pub description: String,
    /// The attempt of the decision.
    pub attempt: u32,
    /// The decision; null for a command that ran because it only reads, or
    /// again under its standing approval.
    #[schema(required)]
    pub verdict: Option<Verdict>,
    /// The person who decided.
    #[schema(required)]
    pub by: Option<Actor>,
    /// SHA-256 of the command; null when none was prepared.
    #[schema(required)]
    pub command_sha256: Option<String>,
    /// For an edit: SHA-256 of the command that it replaced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command_sha256_before: Option<String>,
    /// SHA-256 of the rollback that was shown with the command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub rollback_sha256: Option<String>,
    /// The command itself; for an edit, the new one.
    #[schema(required)]
    pub command: Option<String>,
    /// The credentials for the command, by name.
    pub credentials: Vec<String>,
    /// The finished run; null during the run, or if there was none.
    #[schema(required)]
    pub run: Option<AuditRun>,
}

/// A run and how it ended.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct AuditRun {
    /// The attempt that ran.
    pub attempt: u32,
    /// When it ended.
    pub ended_at: Timestamp,
    /// Why it failed; null when it completed.
    #[schema(required)]
    pub failure: Option<Failure>,
    /// Its exit code, when it exited.
    #[schema(required)]
    pub exit_code: Option<i32>,
    /// How long it took, in milliseconds.
    #[schema(required)]
    pub duration_ms: Option<u64>,
}

impl From<&RunRecord> for AuditRun {
    fn from(run: &RunRecord) -> Self {
        Self {
            attempt: run.attempt,
            ended_at: run.ended_at,
            failure: run.failure,
            exit_code: run.exit_code,
            duration_ms: run.duration_ms,
        }
    }
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct AuditQuery {
    /// `csv` for a file for spreadsheets.
    format: Option<String>,
    /// The `Next-Cursor` of the previous page.
    cursor: Option<String>,
}

/// The decisions with their credentials, and the runs with their results, newest first
///
/// A page has as many as fit into an answer, at least forty.
#[utoipa::path(get, path = "/projects/{id}/audit", tag = "projects",
    params(("id" = u64, Path, description = "The project"), AuditQuery),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = Vec<AuditEntry>,
            headers(("Next-Cursor" = String, description = "The cursor of the next page; absent on the last one"))),
        (status = 304, description = "Unchanged")))]
pub(crate) async fn audit(
    State(app): State<App>,
    caller: Identity,
    _: Limited<Lookup>,
    Path(id): Path<String>,
    Query(query): Query<AuditQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let scope = project_scope(&caller, &id)?;
    app.projects.get(scope).await?.ok_or_else(ApiError::not_found)?;
    let (decisions, runs) = tokio::try_join!(app.audit.decisions(scope), app.audit.runs(scope))?;
    let entries = entries(decisions, &runs);
    let csv = query.format.as_deref() == Some("csv");
    let after = query.cursor.as_deref().map(str::parse).transpose()?;
    let take = |room: &mut Room, entry: &AuditEntry| match csv {
        true => room.take_text(&line(entry)),
        false => room.take(entry),
    };
    let Page { entries, next } = page(&entries, after, take);
    let next = next.map(|next| next.to_string());
    let response = match csv {
        true => file(entries, after.is_none()),
        false => {
            let body = serde_json::to_vec(entries).map_err(ApiError::internal)?;
            let also = [next.as_deref().unwrap_or_default()];
            conditional_with(&headers, "application/json", body, &also)
        }
    };
    Ok(with_next_cursor(response, next.as_deref()))
}

type AttemptKey<'a> = (Track, &'a PlanId, u32, u32);

/// The decisions with the runs that followed from them, and the runs that needed none, newest first.
pub(crate) fn entries(decisions: Vec<DecisionRecord>, runs: &[RunRecord]) -> Vec<AuditEntry> {
    let approved = |run: &RunRecord| run.approval.as_ref().map(|approval| approval.attempt);
    let by_approval: HashMap<AttemptKey<'_>, &RunRecord> = runs
        .iter()
        .filter_map(|run| Some(((run.track, &run.plan_id, run.step_number, approved(run)?), run)))
        .collect();
    let decided = decisions.into_iter().map(|decision| {
        let place = (decision.track, &decision.plan_id, decision.step_number, decision.attempt);
        let led_to = by_approval
            .get(&place)
            .filter(|run| decision.verdict == Verdict::Approved && run.track != Track::Drift);
        let run = led_to.map(|run| AuditRun::from(*run));
        let rollback = decision.command.as_ref().and_then(|command| command.rollback.as_ref());
        let rollback_sha256 = rollback.map(|rollback| rollback.sha256.clone());
        let (command, command_sha256) = decision.command.map(|c| (c.script, c.sha256)).unzip();
        AuditEntry {
            at: decision.at,
            track: decision.track,
            plan_id: decision.plan_id.clone(),
            step_number: decision.step_number,
            description: decision.description,
            attempt: decision.attempt,
            verdict: Some(decision.verdict),
            by: Some(decision.by),
            command_sha256,
            command_sha256_before: decision.sha256_before,
            rollback_sha256,
            command,
            credentials: decision.credentials,
            run,
        }
    });
    // A standing approval leads to many runs, each with a separate entry.
    let alone = |run: &&RunRecord| run.approval.is_none() || run.track == Track::Drift;
    let unasked = runs.iter().filter(alone).map(|run| AuditEntry {
        at: run.ended_at,
        track: run.track,
        plan_id: run.plan_id.clone(),
        step_number: run.step_number,
        description: run.description.clone(),
        attempt: run.attempt,
        verdict: None,
        by: None,
        command_sha256: Some(run.command_sha256.clone()),
        command_sha256_before: None,
        rollback_sha256: None,
        command: run.script.clone(),
        credentials: run.approval.clone().map(|a| a.credentials).unwrap_or_default(),
        run: Some(AuditRun::from(run)),
    });
    let mut entries: Vec<_> = decided.chain(unasked).collect();
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.at));
    entries
}

/// The entries as lines; the first page begins with the columns' names, so that the pages together are one file.
fn file(entries: &[AuditEntry], first: bool) -> Response {
    let headers = [
        (CONTENT_TYPE, "text/csv; charset=utf-8"),
        (CONTENT_DISPOSITION, "attachment; filename=\"groundcrew-audit.csv\""),
        (CACHE_CONTROL, "private, no-store"),
    ];
    let columns = first.then(|| COLUMNS.to_owned());
    (headers, columns.into_iter().chain(entries.iter().map(line)).collect::<String>())
        .into_response()
}

fn line(entry: &AuditEntry) -> String {
    let run = entry.run.as_ref();
    let outcome = |run: &AuditRun| run.failure.map_or("completed", Failure::code);
    let unasked = if entry.track == Track::Drift { "standing approval" } else { "only reads" };
    let number = |number: Option<String>| number.unwrap_or_default();
    let cells = [
        entry.at.to_string(),
        entry.track.as_str().to_owned(),
        entry.step_number.to_string(),
        entry.description.clone(),
        entry.attempt.to_string(),
        entry.verdict.map_or(unasked, Verdict::as_str).to_owned(),
        entry.by.as_ref().map(|by| by.login.clone()).unwrap_or_default(),
        entry.command_sha256.clone().unwrap_or_default(),
        entry.credentials.join(" "),
        number(run.map(|run| run.attempt.to_string())),
        number(run.map(|run| run.ended_at.to_string())),
        run.map(outcome).unwrap_or_default().to_owned(),
        number(run.and_then(|run| run.exit_code).map(|code| code.to_string())),
        number(run.and_then(|run| run.duration_ms).map(|ms| ms.to_string())),
        entry.command_sha256_before.clone().unwrap_or_default(),
    ];
    format!("{}\r\n", cells.map(|text| csv_cell(&text)).join(","))
}
