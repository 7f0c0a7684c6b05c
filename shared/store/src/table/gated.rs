//! Items of which a partition may have only so many.
//!
//! DynamoDB cannot count items in a condition. So each kind of bounded item has a *gate*: an item whose version each
//! creation raises. A caller reads the gate, counts the items, and creates another one only if the gate is unchanged, so
//! of concurrent callers who counted the same, one creates its item, and the others count again.
//!
//! The gate's sort key is the prefix of the items' sort keys. A query reads in the order of the sort keys, so it reads
//! the gate before the items.

use super::writes::IntoWrite;
use super::{Key, MAX_ATTEMPTS, Stored, Table, number, parse};
use crate::StoreError;
use aws_sdk_dynamodb::types::TransactWriteItem;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The result of creating a bounded item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Made {
    /// The item exists now.
    Yes,
    /// There are already as many as allowed.
    TooMany,
    /// A condition of the caller's own failed.
    Refused,
}

/// The gate's value; only its version counts.
#[derive(Serialize)]
struct Gate {}

impl Table {
    /// All items of a partition whose sort key continues `prefix`, in order, with the version of their gate.
    pub(crate) async fn gated<T: DeserializeOwned>(
        &self,
        pk: &str,
        prefix: &str,
    ) -> Result<(u64, Vec<Stored<T>>), StoreError> {
        let (mut gate, mut found) = (0, Vec::new());
        self.for_each(pk, prefix, |sk, item| {
            match sk == prefix {
                true => gate = parse::<serde::de::IgnoredAny>(item)?.version,
                false => found.push(parse(item)?),
            }
            Ok(())
        })
        .await?;
        Ok((gate, found))
    }

    /// Creates an item whose sort key continues `prefix` by these writes, unless `most` of the items there are
    /// `counted`.
    pub(crate) async fn create_within<T: DeserializeOwned>(
        &self,
        (pk, prefix): (&str, &str),
        most: usize,
        counted: impl Fn(&T) -> bool,
        writes: &[TransactWriteItem],
    ) -> Result<Made, StoreError> {
        for _ in 0..MAX_ATTEMPTS {
            let (gate, items) = self.gated::<T>(pk, prefix).await?;
            if items.iter().filter(|item| counted(&item.value)).count() >= most {
                return Ok(Made::TooMany);
            }
            let passing = self.passing(&Key::new(pk, prefix), gate)?;
            let all = [&[passing], writes].concat();
            match self.transact_or_why(all).await? {
                Ok(()) => return Ok(Made::Yes),
                Err(failed) if failed.contains(&0) => {}
                Err(_) => return Ok(Made::Refused),
            }
        }
        Err(StoreError::Contended)
    }

    /// The write that raises a gate's version, unless another write has done so since it was read; version 0 is a gate that does not exist.
    fn passing(&self, key: &Key, version: u64) -> Result<TransactWriteItem, StoreError> {
        let put = self.put_in_transaction(key, &Gate {}, version + 1)?;
        let put = match version {
            0 => put.condition_expression("attribute_not_exists(pk)"),
            _ => put
                .condition_expression("version = :version")
                .expression_attribute_values(":version", number(version)),
        };
        put.into_write()
    }
}
