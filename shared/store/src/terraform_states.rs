//! Terraform's states of a project; their contents are objects of the bucket.
//!
//! Lock and versions are one item, so a write that lost its lock finds another version of the item and is checked
//! again.

use crate::StoreError;
use crate::keys::partition;
use crate::ledger::put_once;
use crate::table::{Change, Key, Made, Table};
use domain::Scope;
use domain::terraform_state::{MAX_STATES, StateName, TerraformState};
use serde::de::IgnoredAny;
use serde_json::Value;

/// Prefix of every state's sort key.
const PREFIX: &str = "STATE#";

/// The states of the table.
#[derive(Clone, Debug)]
pub struct TerraformStates {
    table: Table,
}

fn key(scope: Scope, name: &StateName) -> Key {
    Key::new(partition(scope), format!("{PREFIX}{name}"))
}

impl TerraformStates {
    /// The states in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// A state; an empty one if there is none with this name.
    pub async fn get(&self, scope: Scope, name: &StateName) -> Result<TerraformState, StoreError> {
        let stored = self.table.get(&key(scope, name)).await?;
        Ok(stored.map(|stored| stored.value).unwrap_or_default())
    }

    /// All states of a project, by name.
    pub async fn all(&self, scope: Scope) -> Result<Vec<(String, TerraformState)>, StoreError> {
        let found = self.table.query::<Value>(&partition(scope), PREFIX).await?;
        // The gate of the states has only the prefix as its key.
        let states = found.into_iter().filter_map(|(sk, stored)| {
            let name = sk.strip_prefix(PREFIX).filter(|name| !name.is_empty())?.to_owned();
            Some((name, stored.value))
        });
        let read = states.map(|(name, value)| {
            let state = serde_json::from_value(value);
            let state = state.map_err(|_| StoreError::dynamo_shape("a Terraform state"))?;
            Ok((name, state))
        });
        read.collect()
    }

    /// Changes a state, creating it with its first lock or version. Returns the result of `act`, or `None` if the
    /// project already has [`MAX_STATES`] others.
    pub async fn change<R>(
        &self,
        scope: Scope,
        name: &StateName,
        mut act: impl FnMut(&mut TerraformState) -> R,
    ) -> Result<Option<R>, StoreError> {
        loop {
            let changed = self.table.modify(key(scope, name), |before: TerraformState| {
                let mut state = before.clone();
                let result = act(&mut state);
                Ok::<_, StoreError>(match state == before {
                    true => Change::Keep(result),
                    false => Change::Write(state, result),
                })
            });
            if let Some(result) = changed.await? {
                return Ok(Some(result));
            }
            let mut first = TerraformState::default();
            let result = act(&mut first);
            if first == TerraformState::default() {
                return Ok(Some(result));
            }
            let put = put_once(&self.table, &key(scope, name), &first)?;
            let (pk, all) = (partition(scope), |_: &IgnoredAny| true);
            match self.table.create_within((&pk, PREFIX), MAX_STATES, all, &[put]).await? {
                Made::Yes => return Ok(Some(result)),
                Made::TooMany => return Ok(None),
                // Another call has created it.
                Made::Refused => {}
            }
        }
    }
}
