//! Lists a project's changes, shows what earlier ones said and ran, and begins or abandons one.

use crate::App;
use crate::answer_size::{ANSWER_BYTES, Room};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use domain::audit::{Actor, DecisionRecord};
use domain::change::{
    ChangeKind, ChangeRefusal, ChangeStatus, InvalidWish, TEAR_DOWN, checked_wish,
};
use domain::document::{DocumentId, Part};
use domain::step::{Step, StepStatus, Track};
use domain::{PlanId, Timestamp};
use http_kit::{
    ApiError, ErrorBody, ErrorCode, Identity, Json, Limited, Lookup, conditional_json,
    project_scope,
};
use serde::{Deserialize, Serialize};
use store::changes::{ChangeError, Listed};
use utoipa::ToSchema;

/// The most that scripts and outputs take in the answer about an earlier change on its way, in bytes.
const TEXT_BYTES: usize = 3_000_000;
/// The most that the rest can take: the documents' texts of 560,000 bytes, escaped twice, and what 60 steps and checks
/// say about themselves.
const REST_BYTES: usize = 3_000_000;
const _: () = assert!(TEXT_BYTES + REST_BYTES <= ANSWER_BYTES);

/// A request to begin a change.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct NewChange {
    /// What the change is for; `change` if omitted.
    #[serde(default)]
    pub kind: ChangeKind,
    /// What its owner would like to change, 1 to 1,000 characters; ignored for a tear-down.
    pub wish: String,
}

/// A change of a project; the first builds it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Change)]
pub struct ChangeBody {
    /// Counts from 1.
    pub number: u32,
    /// What it is for.
    pub kind: ChangeKind,
    /// What its owner asked for; empty for the first.
    pub wish: String,
    /// Its status.
    pub status: ChangeStatus,
    /// Whether the project's stages, plans, steps and checks belong to it.
    pub is_current: bool,
    /// The change on which it builds; null for the first.
    #[schema(required)]
    pub on_top_of: Option<u32>,
    /// Who began it; null for the first.
    #[schema(required)]
    pub begun_by: Option<Actor>,
    /// When it began.
    pub begun_at: Timestamp,
    /// When it was completed or abandoned; null before.
    #[schema(required)]
    pub ended_at: Option<Timestamp>,
    /// What it has cost, in US dollars with six places.
    #[schema(example = "0.420000")]
    pub cost: String,
}

impl From<&Listed> for ChangeBody {
    fn from(listed: &Listed) -> Self {
        let change = &listed.change;
        Self {
            number: change.number,
            kind: change.kind,
            wish: change.wish.clone(),
            status: listed.status,
            is_current: listed.current,
            on_top_of: Some(change.on_top_of).filter(|number| *number > 0),
            begun_by: change.by.clone(),
            begun_at: change.begun_at,
            ended_at: listed.ended_at,
            cost: listed.cost.to_string(),
        }
    }
}

/// An earlier change with its documents and what it ran.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct PastChange {
    /// The change.
    pub change: ChangeBody,
    /// Its documents, each after the one that it was written from.
    pub documents: Vec<PastDocument>,
    /// Its steps in order.
    pub steps: Vec<PastStep>,
    /// Its checks in order.
    pub checks: Vec<PastStep>,
}

/// A document as it was at the end of a change.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct PastDocument {
    /// The document's id.
    pub document: DocumentId,
    /// What it said, part by part.
    pub parts: Vec<Part>,
}

/// A step or a check of an earlier change, as it ended.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct PastStep {
    /// Its place in its plan, from 1.
    pub step_number: u32,
    /// The plan, as approvals name it.
    pub plan_id: PlanId,
    /// A short title.
    pub description: String,
    /// How it ended.
    pub status: StepStatus,
    /// The script that was shown or ran.
    #[schema(required)]
    pub command: Option<String>,
    /// SHA-256 of the script.
    #[schema(required)]
    pub command_sha256: Option<String>,
    /// What it printed; the middle of a long output is left out.
    pub output: String,
    /// Whether its script and output are left out, because they would make the answer too large.
    pub left_out: bool,
    /// Why it failed.
    #[schema(required)]
    pub error_message: Option<String>,
    /// Its exit code, when it exited.
    #[schema(required)]
    pub exit_code: Option<i32>,
    /// How long it ran, in milliseconds.
    #[schema(required)]
    pub duration_ms: Option<u64>,
    /// Who approved this script; null if it ran or waits without an approval.
    #[schema(required)]
    pub approved_by: Option<Actor>,
    /// When they approved it.
    #[schema(required)]
    pub approved_at: Option<Timestamp>,
    /// Whether it ran without approval because it only reads.
    pub only_reads: bool,
}

impl PastStep {
    fn of(track: Track, step: &Step, decisions: &[DecisionRecord]) -> Self {
        let approval = decisions.iter().find(|decision| decision.approves(track, step));
        let command = step.command.clone();
        let (command, command_sha256) = command.map(|c| (c.script, c.sha256)).unzip();
        Self {
            step_number: step.number,
            plan_id: step.plan_id.clone(),
            description: step.description.clone(),
            status: step.status(),
            command,
            command_sha256,
            output: step.output.text(),
            left_out: false,
            error_message: step.error.clone(),
            exit_code: step.exit_code,
            duration_ms: step.duration_ms,
            approved_by: approval.map(|approval| approval.by.clone()),
            approved_at: approval.map(|approval| approval.at),
            only_reads: step.reading.is_some(),
        }
    }

    /// Leaves out the script and the output if they do not fit into the answer.
    fn within(self, room: &mut Room) -> Self {
        match room.take(&(&self.command, &self.output)) {
            true => self,
            false => Self { command: None, output: String::new(), left_out: true, ..self },
        }
    }
}

/// The changes of a project, the newest first
///
/// The first one builds the project. The calls about stages, plans, steps and checks concern the current change.
#[utoipa::path(get, path = "/projects/{id}/changes", tag = "projects",
    params(("id" = u64, Path, description = "The project")),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = Vec<ChangeBody>), (status = 304, description = "Unchanged")))]
pub(crate) async fn changes(
    State(app): State<App>,
    caller: Identity,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let scope = project_scope(&caller, &id)?;
    let listed = app.changes.list(scope).await?.ok_or_else(ApiError::not_found)?;
    let bodies: Vec<_> = listed.iter().map(ChangeBody::from).collect();
    Ok(conditional_json(&headers, &bodies))
}

/// Begin a change on top of what exists
///
/// All five stages of the current change must be completed. Its documents, steps and checks are kept and stay readable;
/// the stages go back to the requirements, and the workspace stays as it is. A change of the kind `tear_down` removes
/// everything that was built, and no other change can follow it. It can also begin on an uncompleted change once one of
/// its steps has run.
#[utoipa::path(post, path = "/projects/{id}/changes", tag = "projects", request_body = NewChange,
    params(("id" = u64, Path, description = "The project")),
    security(("session" = [], "installation" = [])),
    responses((status = 201, body = ChangeBody), (status = 409, body = ErrorBody)))]
pub(crate) async fn begin_change(
    State(app): State<App>,
    caller: Identity,
    Path(id): Path<String>,
    Json(new): Json<NewChange>,
) -> Result<(StatusCode, axum::Json<ChangeBody>), ApiError> {
    let scope = project_scope(&caller, &id)?;
    let wish = match new.kind {
        ChangeKind::Change => checked_wish(&new.wish).map_err(unwanted)?,
        ChangeKind::TearDown => TEAR_DOWN.to_owned(),
    };
    let begun = app.changes.begin(scope, new.kind, &wish, &caller.actor()).await;
    let begun = begun.map_err(refuse)?.ok_or_else(ApiError::not_found)?;
    app.projects.touch(scope).await?;
    Ok((StatusCode::CREATED, axum::Json(ChangeBody::from(&begun))))
}

/// An earlier change: its documents, what it ran, who approved that, and what it printed
#[utoipa::path(get, path = "/projects/{id}/changes/{number}", tag = "projects",
    params(("id" = u64, Path, description = "The project"), ("number" = u32, Path, description = "The change, from 1")),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = PastChange), (status = 304, description = "Unchanged")))]
pub(crate) async fn past_change(
    State(app): State<App>,
    caller: Identity,
    _: Limited<Lookup>,
    Path((id, number)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let scope = project_scope(&caller, &id)?;
    let number: u32 = number.parse().map_err(|_| ApiError::not_found())?;
    let (listed, past, decisions) = tokio::try_join!(
        app.changes.list(scope),
        app.changes.past(scope, number),
        app.audit.decisions(scope),
    )?;
    let listed = listed.and_then(|all| all.into_iter().find(|one| one.change.number == number));
    let (Some(listed), Some(past)) = (listed, past) else { return Err(ApiError::not_found()) };
    let mut room = Room::of(TEXT_BYTES);
    let mut of = |track: Track| {
        let steps = past.on(track).steps.iter();
        steps.map(|step| PastStep::of(track, step, &decisions).within(&mut room)).collect()
    };
    let document = |(document, parts)| PastDocument { document, parts };
    let body = PastChange {
        change: ChangeBody::from(&listed),
        documents: past.documents().into_iter().map(document).collect(),
        steps: of(Track::Execution),
        checks: of(Track::Validation),
    };
    Ok(conditional_json(&headers, &body))
}

/// Abandon the current change before any of it has run
///
/// The documents and the stages return to their state before the change.
#[utoipa::path(delete, path = "/projects/{id}/changes/{number}", tag = "projects",
    params(("id" = u64, Path, description = "The project"), ("number" = u32, Path, description = "The current change")),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = ChangeBody), (status = 409, body = ErrorBody)))]
pub(crate) async fn abandon_change(
    State(app): State<App>,
    caller: Identity,
    Path((id, number)): Path<(String, String)>,
) -> Result<axum::Json<ChangeBody>, ApiError> {
    let scope = project_scope(&caller, &id)?;
    let number: u32 = number.parse().map_err(|_| ApiError::not_found())?;
    let abandoned = app.changes.abandon(scope, number).await.map_err(refuse)?;
    let abandoned = abandoned.ok_or_else(ApiError::not_found)?;
    app.projects.touch(scope).await?;
    Ok(axum::Json(ChangeBody::from(&abandoned)))
}

fn unwanted(invalid: InvalidWish) -> ApiError {
    let code = match invalid {
        InvalidWish::Missing => ErrorCode::WishMissing,
        InvalidWish::TooLong => ErrorCode::WishTooLong,
        InvalidWish::Secret => ErrorCode::SecretInText,
    };
    ApiError::unprocessable(code, invalid.to_string())
}

fn refuse(error: ChangeError) -> ApiError {
    let refusal = match error {
        ChangeError::Refused(refusal) => refusal,
        ChangeError::Store(error) => return error.into(),
    };
    let code = match &refusal {
        ChangeRefusal::NotBuilt => ErrorCode::NotValidated,
        ChangeRefusal::NothingRan => ErrorCode::NothingRan,
        ChangeRefusal::UnderWay(_) => ErrorCode::ChangeUnderWay,
        ChangeRefusal::Running => ErrorCode::StepUnderWay,
        ChangeRefusal::BeingWritten => ErrorCode::BeingWritten,
        ChangeRefusal::TornDown => ErrorCode::TornDown,
        ChangeRefusal::TooMany => ErrorCode::TooManyChanges,
        ChangeRefusal::NotUnderWay => ErrorCode::NotUnderWay,
        ChangeRefusal::HasRun => ErrorCode::HasRun,
    };
    ApiError::conflict(code, refusal.to_string())
}
