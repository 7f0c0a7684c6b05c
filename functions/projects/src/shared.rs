//! Shows a project's timeline to the holder of a link, who has no session.
//!
//! The answer is for strangers: it has the project's name and what its timeline shows, but no conversations, files or
//! settings. It contains output only if the link's owner chose so. The sandbox and the vault removed credentials from
//! all of it before it was stored; here, stars replace whatever still looks like a secret.

use crate::answer_size::{ANSWER_BYTES, Room};
use crate::audit::entries;
use crate::{App, AuditEntry, ChangeBody};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::document::{DocumentId, Part};
use domain::security::{About, SecurityEvent, record};
use domain::share::ShareKey;
use domain::step::{Step, Track};
use domain::{PlanId, Scope, Timestamp};
use http_kit::{ApiError, ErrorBody, ErrorCode, Limited, SharedTimeline};
use redaction::mask;
use serde::{Deserialize, Serialize};
use store::StoreError;
use store::changes::Listed;
use store::executions::Execution;
use store::versions::Version;
use utoipa::ToSchema;

/// The header with a link's key.
const KEY: &str = "share-key";

/// The most that the audit's entries take in one answer on its way, in bytes.
const AUDIT_BYTES: usize = 1_500_000;
/// The same of output.
const OUTPUT_BYTES: usize = 1_500_000;
/// The most that the rest can take: the documents' texts of 560,000 bytes, escaped twice, and what the changes and days
/// say.
const REST_BYTES: usize = 3_000_000;
const _: () = assert!(AUDIT_BYTES + OUTPUT_BYTES + REST_BYTES <= ANSWER_BYTES);

/// A project's history and documents.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = SharedTimeline)]
pub struct SharedTimelineBody {
    /// The project's name.
    pub project: String,
    /// When the link ends.
    pub ends_at: Timestamp,
    /// Whether the link shows what the runs printed.
    pub with_output: bool,
    /// The decisions with the runs that followed from them, newest first.
    pub audit: Vec<AuditEntry>,
    /// Whether the oldest decisions and runs are left out, because they would make the answer too large.
    pub audit_left_out: bool,
    /// The changes of the project, the newest first.
    pub changes: Vec<ChangeBody>,
    /// What the last run of each step and check printed, those of the current change first; empty unless the link shows
    /// it.
    pub outputs: Vec<SharedOutput>,
    /// Whether the output of the oldest changes is left out, because it would make the answer too large.
    pub outputs_left_out: bool,
    /// The documents that were written.
    pub documents: Vec<SharedDocument>,
    /// What each day cost, from the first to the last.
    pub days: Vec<SharedDay>,
}

/// What a run printed.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct SharedOutput {
    /// Step of the execution, or check of the validation.
    pub track: Track,
    /// Its plan.
    pub plan_id: PlanId,
    /// The step, from 1.
    pub step_number: u32,
    /// The attempt that ran.
    pub attempt: u32,
    /// What it printed.
    pub text: String,
    /// Whether the middle is left out.
    pub shortened: bool,
}

/// A document with its history.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct SharedDocument {
    /// The document's id.
    pub document: DocumentId,
    /// Its versions, newest first.
    pub versions: Vec<SharedVersion>,
    /// What it says now, part by part; empty if a change began without it.
    pub parts: Vec<Part>,
}

/// When a version of a document was written.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct SharedVersion {
    /// Counts from 1.
    pub number: u32,
    /// The time when it was written.
    #[schema(required)]
    pub written_at: Option<Timestamp>,
    /// The former version that its owner restored, if any.
    #[schema(required)]
    pub restored_from: Option<u32>,
    /// Whether it is the current version.
    pub present: bool,
}

/// What a day cost.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct SharedDay {
    /// The day, in UTC.
    #[schema(example = "2026-11-20", format = Date)]
    pub day: String,
    /// US dollars as a decimal with six places.
    #[schema(example = "1.284000")]
    pub total_cost: String,
}

/// The timeline that a link shows, for anyone who has its key
#[utoipa::path(get, path = "/shared/timeline", tag = "projects",
    params(("Share-Key" = String, Header, description = "The link's key: the part of its address after the `#`")),
    responses((status = 200, body = SharedTimelineBody),
        (status = 401, body = ErrorBody, description = "The call has no key"),
        (status = 404, body = ErrorBody, description = "The link was withdrawn, has ended, or never existed")))]
pub(crate) async fn shared_timeline(
    State(app): State<App>,
    _: Limited<SharedTimeline>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let key = headers.get(KEY).and_then(|key| key.to_str().ok()).ok_or_else(no_key)?;
    let key: ShareKey = key.parse().map_err(|_| ended())?;
    let opened = app.shares.open(&key).await?.ok_or_else(ended)?;
    let scope = key.scope;
    if opened.noted {
        let detail = format!("share={}", opened.share.id);
        record(SecurityEvent::TimelineRead, About::project(scope), &detail);
    }
    let project = app.projects.get(scope).await?.ok_or_else(ended)?;
    let with_output = opened.share.with_output;
    let (decisions, runs, documents, costs, changes) = tokio::try_join!(
        app.audit.decisions(scope),
        app.audit.runs(scope),
        app.shared_documents(scope),
        app.costs.breakdown(scope),
        app.changes.list(scope),
    )?;
    let changes = changes.ok_or_else(ended)?;
    let outputs = match with_output {
        true => app.outputs(scope, &changes).await?,
        false => Outputs::up_to(0),
    };
    let audit = entries(decisions, &runs).into_iter().filter(|entry| !is_about_a_link(entry));
    let (audit, audit_left_out) = fitting(audit.map(masked), Room::of(AUDIT_BYTES));
    let days = costs.map(|costs| costs.by_day).unwrap_or_default().into_iter();
    let day = |(day, usage): (String, store::costs::Usage)| SharedDay {
        day,
        total_cost: usage.micro_usd.to_string(),
    };
    let body = SharedTimelineBody {
        project: mask(&project.name),
        ends_at: opened.share.ends_at,
        with_output,
        audit,
        audit_left_out,
        changes: changes.iter().map(shared_change).collect(),
        outputs: outputs.printed,
        outputs_left_out: outputs.left_out,
        documents,
        days: days.map(day).collect(),
    };
    Ok(([("x-robots-tag", "noindex, nofollow")], axum::Json(body)).into_response())
}

fn no_key() -> ApiError {
    let detail = "This link is incomplete. Open the full link.";
    ApiError::new(StatusCode::UNAUTHORIZED, ErrorCode::ShareKeyMissing, detail)
}

/// The same answer for withdrawn, expired and unknown links.
fn ended() -> ApiError {
    let detail =
        "This link has expired or was withdrawn. Ask the person who sent it for a new one.";
    ApiError::new(StatusCode::NOT_FOUND, ErrorCode::ShareEnded, detail)
}

/// The holder of a link must not learn who else has one.
fn is_about_a_link(entry: &AuditEntry) -> bool {
    entry.verdict.is_some_and(domain::audit::Verdict::is_about_a_link)
}

fn masked(entry: AuditEntry) -> AuditEntry {
    AuditEntry {
        description: mask(&entry.description),
        command: entry.command.as_deref().map(mask),
        ..entry
    }
}

fn shared_change(listed: &Listed) -> ChangeBody {
    let change = ChangeBody::from(listed);
    ChangeBody { wish: mask(&change.wish), ..change }
}

/// The first of these entries, as far as they fit, and whether others are left out.
fn fitting(entries: impl Iterator<Item = AuditEntry>, mut room: Room) -> (Vec<AuditEntry>, bool) {
    let mut entries = entries.peekable();
    let mut fitting = Vec::new();
    while let Some(entry) = entries.next_if(|entry| room.take(entry)) {
        fitting.push(entry);
    }
    (fitting, entries.peek().is_some())
}

/// What runs printed, as far as it fits into an answer.
struct Outputs {
    printed: Vec<SharedOutput>,
    room: Room,
    left_out: bool,
}

impl Outputs {
    fn up_to(bytes: usize) -> Self {
        Self { printed: Vec::new(), room: Room::of(bytes), left_out: false }
    }

    fn add(&mut self, track: Track, execution: &Execution) {
        for step in execution.steps.iter().filter(|step| step.attempt > 0) {
            let output = printed(track, step);
            self.left_out = self.left_out || !self.room.take(&output);
            if self.left_out {
                return;
            }
            self.printed.push(output);
        }
    }
}

impl App {
    /// The outputs of the current change, then those that the earlier changes keep, the newest first.
    async fn outputs(&self, scope: Scope, changes: &[Listed]) -> Result<Outputs, StoreError> {
        let checks = self.executions.on(Track::Validation);
        let (steps, checks) = tokio::try_join!(self.executions.load(scope), checks.load(scope))?;
        let mut outputs = Outputs::up_to(OUTPUT_BYTES);
        outputs.add(Track::Execution, &steps.unwrap_or_default());
        outputs.add(Track::Validation, &checks.unwrap_or_default());
        for listed in changes.iter().filter(|listed| !listed.current) {
            // One after the other: most projects have few changes, and the next may no longer fit.
            if outputs.left_out {
                break;
            }
            let past = self.changes.past(scope, listed.change.number).await?.unwrap_or_default();
            outputs.add(Track::Execution, &past.execution);
            outputs.add(Track::Validation, &past.validation);
        }
        Ok(outputs)
    }

    async fn shared_documents(&self, scope: Scope) -> Result<Vec<SharedDocument>, StoreError> {
        let versions = async |id| self.versions.list(scope, id).await;
        let found = tokio::try_join!(
            versions(DocumentId::Requirements),
            versions(DocumentId::Architecture),
            versions(DocumentId::Implementation),
            versions(DocumentId::Validation),
            versions(DocumentId::Documentation),
        )?;
        let all = [
            (DocumentId::Requirements, found.0),
            (DocumentId::Architecture, found.1),
            (DocumentId::Implementation, found.2),
            (DocumentId::Validation, found.3),
            (DocumentId::Documentation, found.4),
        ];
        let written = all.into_iter().filter_map(|(id, versions)| {
            let versions = versions.filter(|versions| !versions.is_empty())?;
            Some(document(id, versions))
        });
        Ok(written.collect())
    }
}

fn printed(track: Track, step: &Step) -> SharedOutput {
    SharedOutput {
        track,
        plan_id: step.plan_id.clone(),
        step_number: step.number,
        attempt: step.attempt,
        text: mask(&step.output.text()),
        shortened: step.output.omitted() > 0,
    }
}

fn document(document: DocumentId, versions: Vec<Version>) -> SharedDocument {
    let present = versions.iter().find(|version| version.present);
    let parts = present.map(|version| version.parts.clone()).unwrap_or_default().into_iter();
    let parts = parts.filter(|part| !part.text.is_empty());
    let masked = |part: Part| Part { text: mask(&part.text), ..part };
    let version = |version: Version| SharedVersion {
        number: version.number,
        written_at: version.written_at,
        restored_from: version.restored_from,
        present: version.present,
    };
    SharedDocument {
        document,
        parts: parts.map(masked).collect(),
        versions: versions.into_iter().map(version).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::output::OutputView;

    #[test]
    fn the_oldest_output_is_left_out_of_an_answer_that_would_be_too_large() {
        let of = |bytes: usize| {
            let step = Step::new(PlanId::from("plan"), 1, "Build".to_owned(), String::new());
            let output = OutputView { head: "x".repeat(bytes), ..OutputView::default() };
            Execution { steps: vec![Step { attempt: 1, output, ..step }], ..Execution::default() }
        };
        let mut outputs = Outputs::up_to(1_000);
        outputs.add(Track::Execution, &of(700));
        assert_eq!((outputs.printed.len(), outputs.left_out), (1, false));
        outputs.add(Track::Validation, &of(700));
        outputs.add(Track::Execution, &of(0));
        assert_eq!((outputs.printed.len(), outputs.left_out), (1, true));
    }
}
