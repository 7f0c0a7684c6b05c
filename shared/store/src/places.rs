//! Places for work that occupies a function while it lasts: open event streams and requests to previews.
//!
//! Each installation or project has a number of places. A conditional write takes one, so there are never more streams or
//! requests than places, however many begin at once. At its end, each frees its place. If the function is killed first,
//! the place becomes free after the longest time that the work may take.

use crate::StoreError;
use crate::table::{IntoWrite, Key, Table, number};
use aws_sdk_dynamodb::types::AttributeValue;
use domain::{InstallationId, Scope, Timestamp};
use serde::{Deserialize, Serialize};

/// Whose places: what occupies them, and for whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Whose {
    /// Event streams of an installation.
    Streams(InstallationId),
    /// Event streams of a GitHub user, in all installations.
    StreamsOfUser(u64),
    /// Event streams of an address.
    StreamsOfAddress(String),
    /// Requests to the previews of a project.
    Previews(Scope),
}

/// A place that is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    key: Key,
    /// The work that holds it; once freed, the place may belong to other work.
    holder: String,
}

/// A place as the table stores it.
#[derive(Serialize, Deserialize)]
struct Row {
    number: u32,
    holder: String,
    /// When it becomes free, in seconds since 1970.
    ends_at: i64,
}

/// The places of the table.
#[derive(Clone, Debug)]
pub struct Places {
    table: Table,
}

impl Whose {
    fn partition(&self) -> String {
        match self {
            Self::Streams(installation) => format!("STREAMS#{installation}"),
            Self::StreamsOfUser(id) => format!("STREAMS#USER#{id}"),
            Self::StreamsOfAddress(address) => format!("STREAMS#ADDRESS#{address}"),
            Self::Previews(scope) => format!("PREVIEWS#{scope}"),
        }
    }
}

impl Places {
    /// The places of `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// A place for work that takes at most this many seconds; `None` if all `most` are taken.
    pub async fn take(
        &self,
        whose: Whose,
        most: u32,
        seconds: i64,
    ) -> Result<Option<Place>, StoreError> {
        let (now, partition) = (Timestamp::now().epoch_seconds(), whose.partition());
        let rows = self.table.query::<Row>(&partition, "PLACE#").await?;
        let rows = rows.iter().map(|(_, row)| &row.value);
        let taken: Vec<u32> = rows.filter(|row| row.ends_at > now).map(|row| row.number).collect();
        let mut free: Vec<u32> = (0..most).filter(|number| !taken.contains(number)).collect();
        // Work that begins at the same time tries different places first.
        let places = free.len();
        free.rotate_left(rand::random_range(0..places.max(1)).min(places));
        for number in free {
            let key = Key::new(&partition, format!("PLACE#{number:04}"));
            let row = Row { number, holder: domain::random_id(), ends_at: now + seconds };
            if self.put(&key, &row, now).await? {
                return Ok(Some(Place { key, holder: row.holder }));
            }
        }
        Ok(None)
    }

    async fn put(&self, key: &Key, row: &Row, now: i64) -> Result<bool, StoreError> {
        let put = self.table.expiring_put_in_transaction(key, row, row.ends_at)?;
        let put = put
            .condition_expression("attribute_not_exists(pk) OR ends_at <= :now")
            .expression_attribute_values(":now", number(now));
        self.table.transact(vec![put.into_write()?]).await
    }

    /// Frees a place; `false` if other work has taken it.
    pub async fn free(&self, place: &Place) -> Result<bool, StoreError> {
        let delete = self
            .table
            .delete_in_transaction(&place.key)
            .condition_expression("holder = :holder")
            .expression_attribute_values(":holder", AttributeValue::S(place.holder.clone()));
        self.table.transact(vec![delete.into_write()?]).await
    }
}
