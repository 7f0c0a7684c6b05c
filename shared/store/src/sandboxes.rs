//! Each project's sandbox, and the list of projects that the reaper looks after.

use crate::StoreError;
use crate::projects::partition;
use crate::table::{Change, Key, Table};
use aws_sdk_dynamodb::types::builders::PutBuilder;
use domain::Scope;
use domain::sandbox::Sandbox;
use serde::{Deserialize, Serialize};

/// The partition that lists projects whose sandbox is up or whose steps are under way: what the reaper looks through.
const ACTIVE: &str = "ACTIVE-SANDBOXES";

/// The sandboxes of the table.
#[derive(Clone, Debug)]
pub struct Sandboxes {
    table: Table,
}

#[derive(Serialize, Deserialize)]
struct Active {
    #[serde(flatten)]
    scope: Scope,
}

pub(crate) fn key(scope: Scope) -> Key {
    Key::new(partition(scope), "SANDBOX")
}

fn active_key(scope: Scope) -> Key {
    Key::new(ACTIVE, format!("P#{scope}"))
}

pub(crate) fn initial(table: &Table, scope: Scope) -> Result<Vec<PutBuilder>, StoreError> {
    Ok(vec![table.put_in_transaction(&key(scope), &Sandbox::default(), 1)?])
}

impl Sandboxes {
    /// The sandboxes in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// The project's sandbox; `None` when there is no such project for this installation.
    pub async fn get(&self, scope: Scope) -> Result<Option<Sandbox>, StoreError> {
        Ok(self.table.get(&key(scope)).await?.map(|stored| stored.value))
    }

    /// Changes the sandbox if `act` says so; returns what it is now, or `None` without a project.
    ///
    /// `act` answers whether it changed anything.
    pub async fn change(
        &self,
        scope: Scope,
        mut act: impl FnMut(&mut Sandbox) -> bool,
    ) -> Result<Option<(Sandbox, bool)>, StoreError> {
        let changed = self.table.modify(key(scope), |mut sandbox: Sandbox| {
            Ok::<_, StoreError>(if act(&mut sandbox) {
                Change::Write(sandbox.clone(), (sandbox, true))
            } else {
                Change::Keep((sandbox, false))
            })
        });
        changed.await
    }

    /// Puts a project on the reaper's list: before its sandbox is started or a step of it moves, so that a crash
    /// leaves at most a row too many.
    pub async fn list_active(&self, scope: Scope) -> Result<(), StoreError> {
        self.table.put_new(&active_key(scope), &Active { scope }, None).await.map(drop)
    }

    /// Takes a project off that list, when its sandbox is down and nothing is under way.
    pub async fn unlist_active(&self, scope: Scope) -> Result<(), StoreError> {
        self.table.take::<Active>(&active_key(scope)).await.map(drop)
    }

    /// The projects on that list.
    pub async fn active(&self) -> Result<Vec<Scope>, StoreError> {
        let rows = self.table.query::<Active>(ACTIVE, "P#").await?;
        Ok(rows.into_iter().map(|(_, row)| row.value.scope).collect())
    }
}
