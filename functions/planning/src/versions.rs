//! Lists the documents' versions with their texts, times and sources, and restores one.

use crate::App;
use domain::document::{DocumentId, Fingerprint, MAX_FORMER_VERSIONS, Part};
use domain::plan::Plan;
use domain::stage::StageId;
use domain::step::Track;
use domain::{Scope, Timestamp};
use http_kit::{ApiError, ErrorCode};
use serde::{Deserialize, Serialize};
use store::documentation::{has_results, sources};
use store::plans::PlanKind;
use store::versions::{Restored, Version};
use utoipa::ToSchema;

/// The state of a project's documents.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct DocumentsBody {
    /// The documents, each after the one that it is written from.
    pub documents: Vec<DocumentStanding>,
    /// The stage whose document has changed since the steps of the execution were made; null if none has.
    #[schema(required)]
    pub steps_out_of_date: Option<StageId>,
}

/// The state of one of them.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct DocumentStanding {
    /// The document.
    pub document: DocumentId,
    /// The number of its current version; 0 before the first.
    pub version: u32,
    /// The time of that version.
    #[schema(required)]
    pub written_at: Option<Timestamp>,
    /// The stage whose document has changed since this one was written; null if none has.
    #[schema(required)]
    pub out_of_date: Option<StageId>,
}

/// A version in the list of a document's versions.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct VersionHead {
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

/// The versions of a document that are kept.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct VersionList {
    /// Newest first.
    pub versions: Vec<VersionHead>,
    /// The most former versions that are kept.
    pub most_former: u32,
}

/// The text of a version.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct VersionBody {
    /// Counts from 1.
    pub number: u32,
    /// The time when it was written.
    #[schema(required)]
    pub written_at: Option<Timestamp>,
    /// Its text, part by part.
    pub parts: Vec<Part>,
}

/// A former version was restored.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct RestoredBody {
    /// Its new number.
    pub version: u32,
}

impl App {
    /// The status of the documents, and which of them are older than their sources.
    pub(crate) async fn standings(&self, scope: Scope) -> Result<DocumentsBody, ApiError> {
        let plan = async |kind| self.plans.get(scope, kind).await;
        let run = async |track| self.executions.on(track).load(scope).await;
        let (requirements, architecture, implementation, checks, written, steps, validation) = tokio::try_join!(
            self.plans.requirements(scope),
            plan(PlanKind::Architecture),
            plan(PlanKind::Implementation),
            plan(PlanKind::Validation),
            self.documents.get(scope),
            run(Track::Execution),
            run(Track::Validation),
        )?;
        let requirements = requirements.ok_or_else(ApiError::not_found)?;
        let [architecture, implementation, checks] =
            [architecture, implementation, checks].map(Option::unwrap_or_default);
        let (written, steps) = (written.unwrap_or_default(), steps.unwrap_or_default());
        let validation = validation.unwrap_or_default();

        let shape = behind(&architecture, &requirements.fingerprint(), StageId::Requirements);
        let work = behind(&implementation, &architecture.fingerprint(), StageId::Architecture)
            .or(shape.filter(|_| !implementation.text.is_empty()));
        let replaced = steps.plan_id.is_some() && steps.plan_id != implementation.plan_id;
        let done = work.filter(|_| steps.plan_id.is_some());
        let done = if replaced { Some(StageId::Implementation) } else { done };
        let proof = behind(&checks, &steps.fingerprint(), StageId::Execution)
            .or(done.filter(|_| !checks.text.is_empty()));
        let results = sources(&steps, &validation);
        let telling = newer(written.written_from.as_ref(), &results, StageId::Execution)
            .filter(|_| has_results(&steps, &validation));

        let document = |document, version, written_at, out_of_date| DocumentStanding {
            document,
            version,
            written_at,
            out_of_date,
        };
        let plan = |id, plan: &Plan, out_of_date| {
            let number = if plan.text.is_empty() { 0 } else { plan.number.max(1) };
            document(id, number, plan.written_at.or(plan.updated_at), out_of_date)
        };
        Ok(DocumentsBody {
            documents: vec![
                document(
                    DocumentId::Requirements,
                    requirements.number,
                    requirements.updated_at,
                    None,
                ),
                plan(DocumentId::Architecture, &architecture, shape),
                plan(DocumentId::Implementation, &implementation, work),
                plan(DocumentId::Validation, &checks, proof),
                document(DocumentId::Documentation, written.number, written.updated_at, telling),
            ],
            steps_out_of_date: done,
        })
    }

    /// The versions of a document that are kept.
    pub(crate) async fn versions_of(
        &self,
        scope: Scope,
        document: &str,
    ) -> Result<VersionList, ApiError> {
        let found = self.versions.list(scope, named(document)?).await?;
        let versions = found.ok_or_else(ApiError::not_found)?.into_iter();
        let head = |version: Version| VersionHead {
            number: version.number,
            written_at: version.written_at,
            restored_from: version.restored_from,
            present: version.present,
        };
        Ok(VersionList { versions: versions.map(head).collect(), most_former: MAX_FORMER_VERSIONS })
    }

    /// The text of a version.
    pub(crate) async fn version(
        &self,
        scope: Scope,
        document: &str,
        number: u32,
    ) -> Result<VersionBody, ApiError> {
        let found = self.versions.get(scope, named(document)?, number).await?;
        let Version { number, written_at, parts, .. } = found.ok_or_else(ApiError::not_found)?;
        Ok(VersionBody { number, written_at, parts })
    }

    /// Makes a former version the current one.
    pub(crate) async fn restore(
        &self,
        scope: Scope,
        document: &str,
        number: u32,
    ) -> Result<RestoredBody, ApiError> {
        match self.versions.restore(scope, named(document)?, number).await? {
            Restored::Yes(version) => {
                self.projects.touch(scope).await?;
                Ok(RestoredBody { version })
            }
            Restored::BeingWritten => {
                let detail = "An agent is writing this document. Wait for it to finish, then restore the version.";
                Err(ApiError::conflict(ErrorCode::BeingWritten, detail))
            }
            Restored::NotKept => Err(ApiError::not_found()),
        }
    }
}

fn named(document: &str) -> Result<DocumentId, ApiError> {
    document.parse().map_err(|_| ApiError::not_found())
}

fn behind(plan: &Plan, source: &Fingerprint, moved: StageId) -> Option<StageId> {
    newer(plan.written_from.as_ref(), source, moved)
}

/// The stage whose work has changed since a document was written from it, if that is known.
fn newer(
    written_from: Option<&Fingerprint>,
    source: &Fingerprint,
    moved: StageId,
) -> Option<StageId> {
    written_from.filter(|from| *from != source).map(|_| moved)
}
