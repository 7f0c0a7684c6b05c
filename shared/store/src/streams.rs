//! Open event streams. Each occupies one of its installation's places for as long as it may live.
//!
//! A conditional write takes a place, so there are never more open streams than places, however many begin at once. The
//! stream's end frees its place. If the function is killed first, the place becomes free after the stream's longest
//! life.

use crate::StoreError;
use crate::table::{Key, Table, built, number};
use aws_sdk_dynamodb::types::AttributeValue;
use domain::{InstallationId, Timestamp};
use serde::{Deserialize, Serialize};

/// The place of a stream.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    installation: InstallationId,
    number: u32,
    /// The stream that holds it; once freed, the place may belong to another stream.
    holder: String,
    /// When it becomes free, in seconds since 1970.
    ends_at: i64,
}

/// The open streams of the table.
#[derive(Clone, Debug)]
pub struct Streams {
    table: Table,
}

fn places(installation: InstallationId) -> String {
    format!("STREAMS#{installation}")
}

fn key(installation: InstallationId, number: u32) -> Key {
    Key::new(places(installation), format!("PLACE#{number:04}"))
}

impl Streams {
    /// The streams of `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// A place for a stream that lives for this many seconds; `None` if all `most` are taken.
    pub async fn open(
        &self,
        installation: InstallationId,
        most: u32,
        seconds: i64,
    ) -> Result<Option<Place>, StoreError> {
        let now = Timestamp::now().epoch_seconds();
        let rows = self.table.query::<Place>(&places(installation), "PLACE#").await?;
        let taken: Vec<u32> = rows
            .iter()
            .map(|(_, row)| &row.value)
            .filter(|p| p.ends_at > now)
            .map(|p| p.number)
            .collect();
        let mut free: Vec<u32> = (0..most).filter(|number| !taken.contains(number)).collect();
        // Streams that begin at the same time try different places first.
        let places = free.len();
        free.rotate_left(rand::random_range(0..places.max(1)).min(places));
        for number in free {
            let place =
                Place { installation, number, holder: domain::random_id(), ends_at: now + seconds };
            if self.take(&place, now).await? {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    async fn take(&self, place: &Place, now: i64) -> Result<bool, StoreError> {
        let key = key(place.installation, place.number);
        let put = self.table.expiring_put_in_transaction(&key, place, place.ends_at)?;
        let put = put
            .condition_expression("attribute_not_exists(pk) OR ends_at <= :now")
            .expression_attribute_values(":now", number(now));
        let write = aws_sdk_dynamodb::types::TransactWriteItem::builder();
        self.table.transact(vec![write.put(built(put.build())?).build()]).await
    }

    /// Frees a place; `false` if another stream has taken it.
    pub async fn close(&self, place: &Place) -> Result<bool, StoreError> {
        let key = key(place.installation, place.number);
        let delete = self
            .table
            .delete_in_transaction(&key)
            .condition_expression("holder = :holder")
            .expression_attribute_values(":holder", AttributeValue::S(place.holder.clone()));
        let write = aws_sdk_dynamodb::types::TransactWriteItem::builder();
        self.table.transact(vec![write.delete(built(delete.build())?).build()]).await
    }
}
