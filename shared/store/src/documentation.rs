//! What the documenter wrote about a project.

use crate::StoreError;
use crate::projects::partition;
use crate::table::{Change, Key, Table};
use aws_sdk_dynamodb::types::builders::PutBuilder;
use domain::{Scope, Timestamp};
use serde::{Deserialize, Serialize};

/// A project's documentation; every text is empty before it was written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Documentation {
    /// Markdown.
    pub documentation: String,
    /// Markdown.
    pub quickstart: String,
    /// A JSON object, as text: hosts, ports, users; secrets as references only.
    pub key_value_data: String,
    /// When it was last written.
    pub updated_at: Option<Timestamp>,
}

/// The documentation of the table.
#[derive(Clone, Debug)]
pub struct Documents {
    table: Table,
}

fn key(scope: Scope) -> Key {
    Key::new(partition(scope), "DOCUMENTATION")
}

pub(crate) fn initial(table: &Table, scope: Scope) -> Result<Vec<PutBuilder>, StoreError> {
    Ok(vec![table.put_in_transaction(&key(scope), &Documentation::default(), 1)?])
}

impl Documents {
    /// The documentation in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// A project's documentation; `None` when there is no such project for this installation.
    pub async fn get(&self, scope: Scope) -> Result<Option<Documentation>, StoreError> {
        Ok(self.table.get(&key(scope)).await?.map(|stored| stored.value))
    }

    /// Changes the documentation; `false` when there is no such project.
    pub async fn change(
        &self,
        scope: Scope,
        act: impl Fn(&mut Documentation),
    ) -> Result<bool, StoreError> {
        let changed = self.table.modify(key(scope), |mut documentation: Documentation| {
            act(&mut documentation);
            documentation.updated_at = Some(Timestamp::now());
            Ok::<_, StoreError>(Change::Write(documentation, ()))
        });
        changed.await.map(|found| found.is_some())
    }
}
