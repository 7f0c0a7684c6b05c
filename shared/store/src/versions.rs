//! Former versions of a project's documents.
//!
//! The item of a document holds its current text. Every write of another text puts the former one into a version item,
//! in the same transaction, so neither a race nor a crash loses a text that was once readable. The version items of a
//! document are reused in a circle, which limits their number without deletions.

use crate::StoreError;
use crate::documentation::{self, Documentation};
use crate::keys::partition;
use crate::plans::{self, PlanKind};
use crate::table::{Change, IntoWrite, Key, Stored, Table};
use aws_sdk_dynamodb::types::TransactWriteItem;
use domain::document::{DocumentId, MAX_FORMER_VERSIONS, Part};
use domain::plan::{Plan, PlanStatus, Requirements};
use domain::{Scope, Timestamp};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::cmp::Reverse;

/// A version of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// Counts from 1.
    pub number: u32,
    /// When it was written.
    pub written_at: Option<Timestamp>,
    /// The former version that its owner restored.
    pub restored_from: Option<u32>,
    /// Whether it is the current one.
    pub present: bool,
    /// The text, in parts.
    pub parts: Vec<Part>,
}

/// The result of restoring a former version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Restored {
    /// The document has its former text again, as a version with this number.
    Yes(u32),
    /// An agent is writing it.
    BeingWritten,
    /// The table does not keep this version.
    NotKept,
}

/// The versions of the table.
#[derive(Clone, Debug)]
pub struct Versions {
    table: Table,
}

/// A document whose former texts the table keeps.
pub(crate) trait Document: Serialize + DeserializeOwned + Clone {
    /// Its number, the time when it was written, and the version from which it was restored.
    fn head(&self) -> (u32, Option<Timestamp>, Option<u32>);
    fn numbered(self, number: u32, restored_from: Option<u32>) -> Self;
    /// The text in parts; all parts are empty before the document is written.
    fn parts(&self) -> Vec<Part>;
    /// This document with the text of a former version.
    fn with_text_of(&self, former: Self) -> Self;
    fn is_being_written(&self) -> bool {
        false
    }
}

impl Document for Requirements {
    fn head(&self) -> (u32, Option<Timestamp>, Option<u32>) {
        (self.number, self.updated_at, self.restored_from)
    }

    fn numbered(self, number: u32, restored_from: Option<u32>) -> Self {
        Self { number, restored_from, ..self }
    }

    fn parts(&self) -> Vec<Part> {
        vec![Part::new("Requirements", &self.content)]
    }

    fn with_text_of(&self, former: Self) -> Self {
        Self { updated_at: Some(Timestamp::now()), ..former }
    }
}

impl Document for Plan {
    fn head(&self) -> (u32, Option<Timestamp>, Option<u32>) {
        (self.number, self.written_at.or(self.updated_at), self.restored_from)
    }

    fn numbered(self, number: u32, restored_from: Option<u32>) -> Self {
        Self { number, restored_from, ..self }
    }

    fn parts(&self) -> Vec<Part> {
        let step = |(number, step): (u32, &domain::plan::PlannedStep)| {
            format!("## {number}. {}\n\n{}\n", step.description, step.prompt)
        };
        let steps: Vec<_> = (1..).zip(&self.steps).map(step).collect();
        let parts = [("Plan", self.text.clone()), ("Steps", steps.join("\n"))];
        let parts = parts.into_iter().chain([("Report", self.report.clone())]);
        parts
            .filter(|(_, text)| !text.is_empty())
            .map(|(title, text)| Part::new(title, text))
            .collect()
    }

    /// The id returns with the text: an execution that was made from that version belongs to the current plan again.
    fn with_text_of(&self, former: Self) -> Self {
        let now = Some(Timestamp::now());
        let run_id = self.run_id.clone();
        let status = PlanStatus::Ready;
        Self { status, run_id, detail: None, updated_at: now, written_at: now, ..former }
    }

    fn is_being_written(&self) -> bool {
        self.status == PlanStatus::Generating
    }
}

impl Document for Documentation {
    fn head(&self) -> (u32, Option<Timestamp>, Option<u32>) {
        (self.number, self.updated_at, self.restored_from)
    }

    fn numbered(self, number: u32, restored_from: Option<u32>) -> Self {
        Self { number, restored_from, ..self }
    }

    fn parts(&self) -> Vec<Part> {
        let parts = [
            ("Full documentation", &self.documentation),
            ("Quick start guide", &self.quickstart),
            ("Configuration data", &self.key_value_data),
        ];
        parts.iter().map(|(title, text)| Part::new(title, text.as_str())).collect()
    }

    fn with_text_of(&self, former: Self) -> Self {
        Self { updated_at: Some(Timestamp::now()), ..former }
    }
}

fn is_written(document: &impl Document) -> bool {
    document.parts().iter().any(|part| !part.text.is_empty())
}

fn said(document: &impl Document) -> Vec<Part> {
    // The report on a validation is not part of its plan, but is kept with the plan on which it reports.
    document.parts().into_iter().filter(|part| part.title != "Report").collect()
}

/// Prefix of the sort keys of a document's former versions.
fn prefix(id: DocumentId) -> String {
    format!("VERSION#{}#", id.as_str())
}

fn version_key(scope: Scope, id: DocumentId, number: u32) -> Key {
    let slot = number % MAX_FORMER_VERSIONS;
    Key::new(partition(scope), format!("{}{slot:02}", prefix(id)))
}

/// Numbers the new text of a document; also returns the write that keeps the former text, if it differs.
pub(crate) fn succeed<T: Document>(
    table: &Table,
    (scope, id): (Scope, DocumentId),
    former: &T,
    next: T,
    restored_from: Option<u32>,
) -> Result<(T, Vec<TransactWriteItem>), StoreError> {
    if !is_written(former) {
        // A document that was empty when a change began continues from its former number.
        return Ok((next.numbered(former.head().0 + 1, restored_from), Vec::new()));
    }
    // A text from before versions were numbered counts as the first version.
    let (number, _, before) = former.head();
    let number = number.max(1);
    if said(former) == said(&next) {
        return Ok((next.numbered(number, before), Vec::new()));
    }
    let kept = former.clone().numbered(number, before);
    let put = table.put_in_transaction(&version_key(scope, id, number), &kept, 1)?;
    let write = put.into_write()?;
    Ok((next.numbered(number + 1, restored_from), vec![write]))
}

/// The write that keeps a document's text before a change begins it empty; `None` if it has no text.
pub(crate) fn keeping<T: Document>(
    table: &Table,
    (scope, id): (Scope, DocumentId),
    document: &T,
) -> Result<Option<TransactWriteItem>, StoreError> {
    if !is_written(document) {
        return Ok(None);
    }
    let (number, _, restored_from) = document.head();
    let kept = document.clone().numbered(number.max(1), restored_from);
    let put = table.put_in_transaction(&version_key(scope, id, number.max(1)), &kept, 1)?;
    Ok(Some(put.into_write()?))
}

/// The document with its text from before a change began, and the writes that restore it.
pub(crate) fn taken_back<T: Document>(
    table: &Table,
    place: (Scope, DocumentId),
    present: &T,
    before: &T,
) -> Result<(T, Vec<TransactWriteItem>), StoreError> {
    let number = before.head().0.max(1);
    if !is_written(present) || said(present) == said(before) {
        return Ok((before.clone().numbered(number, before.head().2), Vec::new()));
    }
    let next = present.with_text_of(before.clone());
    succeed(table, place, present, next, Some(number))
}

/// Reads a document, lets `act` choose its new text, and keeps the former one; `None` if the document does not exist.
pub(crate) async fn rewrite<T: Document>(
    table: &Table,
    place: (Key, Scope, DocumentId),
    act: impl Fn(T) -> T,
) -> Result<Option<T>, StoreError> {
    Ok(rewrite_if(table, place, |former| Some(act(former))).await?.flatten())
}

/// The same, unless the act refuses the current document; `Some(None)` if it did.
pub(crate) async fn rewrite_if<T: Document>(
    table: &Table,
    (key, scope, id): (Key, Scope, DocumentId),
    act: impl Fn(T) -> Option<T>,
) -> Result<Option<Option<T>>, StoreError> {
    table
        .modify_with(key, |former: T| {
            let Some(next) = act(former.clone()) else {
                return Ok(Change::Keep((None, Vec::new())));
            };
            let (next, writes) = succeed(table, (scope, id), &former, next, None)?;
            Ok(Change::Write(next.clone(), (Some(next), writes)))
        })
        .await
}

impl Versions {
    /// The versions in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// All kept versions, the current one first; `None` if the project does not exist.
    pub async fn list(
        &self,
        scope: Scope,
        id: DocumentId,
    ) -> Result<Option<Vec<Version>>, StoreError> {
        match id {
            DocumentId::Requirements => self.all::<Requirements>(scope, id).await,
            DocumentId::Documentation => self.all::<Documentation>(scope, id).await,
            DocumentId::Architecture | DocumentId::Implementation | DocumentId::Validation => {
                self.all::<Plan>(scope, id).await
            }
        }
    }

    /// One version, the current one or a former one; `None` if the table does not keep it.
    pub async fn get(
        &self,
        scope: Scope,
        id: DocumentId,
        number: u32,
    ) -> Result<Option<Version>, StoreError> {
        match id {
            DocumentId::Requirements => self.one::<Requirements>(scope, id, number).await,
            DocumentId::Documentation => self.one::<Documentation>(scope, id, number).await,
            DocumentId::Architecture | DocumentId::Implementation | DocumentId::Validation => {
                self.one::<Plan>(scope, id, number).await
            }
        }
    }

    /// Makes a former version the current one, under a new number; the replaced text is kept like any other.
    pub async fn restore(
        &self,
        scope: Scope,
        id: DocumentId,
        number: u32,
    ) -> Result<Restored, StoreError> {
        match id {
            DocumentId::Requirements => self.back_to::<Requirements>(scope, id, number).await,
            DocumentId::Documentation => self.back_to::<Documentation>(scope, id, number).await,
            DocumentId::Architecture | DocumentId::Implementation | DocumentId::Validation => {
                self.back_to::<Plan>(scope, id, number).await
            }
        }
    }

    async fn all<T: Document>(
        &self,
        scope: Scope,
        id: DocumentId,
    ) -> Result<Option<Vec<Version>>, StoreError> {
        let key = document_key(scope, id);
        let former = self.table.query::<T>(&key.pk, &prefix(id)).await?;
        let Some(present) = self.table.get::<T>(&key).await? else { return Ok(None) };
        // A version that is written between the two reads may be in both.
        let mut versions: Vec<_> = former
            .iter()
            .map(|(_, stored)| shown(&stored.value, false))
            .filter(|version| version.number < number(&present) || !is_written(&present.value))
            .collect();
        if is_written(&present.value) {
            versions.push(shown(&present.value, true));
        }
        versions.sort_by_key(|version| Reverse(version.number));
        Ok(Some(versions))
    }

    async fn one<T: Document>(
        &self,
        scope: Scope,
        id: DocumentId,
        number: u32,
    ) -> Result<Option<Version>, StoreError> {
        let present = self.table.get::<T>(&document_key(scope, id)).await?;
        let says = |stored: &Stored<T>| is_written(&stored.value) && self::number(stored) == number;
        if let Some(present) = present.filter(says) {
            return Ok(Some(shown(&present.value, true)));
        }
        Ok(self.former::<T>(scope, id, number).await?.map(|former| shown(&former, false)))
    }

    async fn former<T: Document>(
        &self,
        scope: Scope,
        id: DocumentId,
        number: u32,
    ) -> Result<Option<T>, StoreError> {
        let stored = self.table.get::<T>(&version_key(scope, id, number)).await?;
        // A later version has taken its place in the meantime.
        Ok(stored.map(|stored| stored.value).filter(|former| former.head().0 == number))
    }

    async fn back_to<T: Document>(
        &self,
        scope: Scope,
        id: DocumentId,
        number: u32,
    ) -> Result<Restored, StoreError> {
        let present = self.table.get::<T>(&document_key(scope, id)).await?;
        if present.is_some_and(|now| is_written(&now.value) && self::number(&now) == number) {
            return Ok(Restored::Yes(number));
        }
        let Some(former) = self.former::<T>(scope, id, number).await? else {
            return Ok(Restored::NotKept);
        };
        let restored = self.table.modify_with(document_key(scope, id), |present: T| {
            if present.is_being_written() {
                return Ok(Change::Keep((Restored::BeingWritten, Vec::new())));
            }
            let next = present.with_text_of(former.clone());
            let (next, writes) = succeed(&self.table, (scope, id), &present, next, Some(number))?;
            let restored = Restored::Yes(next.head().0);
            Ok::<_, StoreError>(Change::Write(next, (restored, writes)))
        });
        Ok(restored.await?.unwrap_or(Restored::NotKept))
    }
}

fn document_key(scope: Scope, id: DocumentId) -> Key {
    match id {
        DocumentId::Requirements => plans::requirements_key(scope),
        DocumentId::Architecture => plans::plan_key(scope, PlanKind::Architecture),
        DocumentId::Implementation => plans::plan_key(scope, PlanKind::Implementation),
        DocumentId::Validation => plans::plan_key(scope, PlanKind::Validation),
        DocumentId::Documentation => documentation::key(scope),
    }
}

/// The number of an existing document; a text from before versions were numbered counts as the first version.
fn number<T: Document>(stored: &Stored<T>) -> u32 {
    stored.value.head().0.max(1)
}

fn shown(document: &impl Document, present: bool) -> Version {
    let (number, written_at, restored_from) = document.head();
    let parts = document.parts();
    Version { number: number.max(1), written_at, restored_from, present, parts }
}
