//! Visits to the public pages: sums by page and day, without data about the visitors.
//!
//! To count a visitor once a day, their id is hashed with a salt of that day. The salt and the hashes expire two days
//! later, and only the sums remain.

use crate::StoreError;
use crate::table::{IntoWrite, Key, Table, number};
use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem};
use domain::Timestamp;
use domain::secret_token::{SecretToken, sha256_hex};
use serde::{Deserialize, Serialize};

/// How long hashes and their salt are kept, in seconds: until the day has ended in every time zone, and no longer.
const VISITOR_SECONDS: i64 = 2 * 24 * 3600;
/// Characters of a day, `2026-11-20`, at the beginning of a timestamp.
const DAY_CHARS: usize = 10;

/// The counts of a page on a day.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// How often visitors opened it.
    #[serde(default)]
    pub views: u64,
    /// How many different browsers opened it.
    #[serde(default)]
    pub visitors: u64,
    /// How often visitors read a quarter of it.
    #[serde(default)]
    pub scroll_25: u64,
    /// How often visitors read half of it.
    #[serde(default)]
    pub scroll_50: u64,
    /// How often visitors read three quarters of it.
    #[serde(default)]
    pub scroll_75: u64,
    /// How often visitors read all of it.
    #[serde(default)]
    pub scroll_100: u64,
    /// How often a visitor was away for half a minute.
    #[serde(default)]
    pub inactive: u64,
    /// Half minutes that visitors spent on it.
    #[serde(default)]
    pub engaged: u64,
    /// How often a visitor left within ten seconds.
    #[serde(default)]
    pub bounces: u64,
}

impl Counts {
    fn named(&self) -> [(&'static str, u64); 9] {
        [
            ("views", self.views),
            ("visitors", self.visitors),
            ("scroll_25", self.scroll_25),
            ("scroll_50", self.scroll_50),
            ("scroll_75", self.scroll_75),
            ("scroll_100", self.scroll_100),
            ("inactive", self.inactive),
            ("engaged", self.engaged),
            ("bounces", self.bounces),
        ]
    }
}

#[derive(Serialize, Deserialize)]
struct Salt {
    salt: String,
}

#[derive(Serialize, Deserialize)]
struct Seen {}

/// The visits of the table.
#[derive(Clone, Debug)]
pub struct Visits {
    table: Table,
}

impl Visits {
    /// The visits in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// Adds to the sums of today. The first view of a page by a browser today also counts a visitor.
    pub async fn count(&self, page: &str, visitor: &str, counts: Counts) -> Result<(), StoreError> {
        let now = Timestamp::now();
        let day: String = now.to_string().chars().take(DAY_CHARS).collect();
        if counts.views > 0 && self.count_first(&day, page, visitor, &counts, now).await? {
            return Ok(());
        }
        self.table.transact(vec![self.add(&day, page, &counts)?]).await.map(drop)
    }

    /// The sums of a page on a day, `2026-11-20`.
    pub async fn on(&self, day: &str, page: &str) -> Result<Counts, StoreError> {
        let found = self.table.get::<Counts>(&page_key(day, page)).await?;
        Ok(found.map(|stored| stored.value).unwrap_or_default())
    }

    /// Counts the visitor together with the rest, in one transaction; `false` if they were counted before.
    async fn count_first(
        &self,
        day: &str,
        page: &str,
        visitor: &str,
        counts: &Counts,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let gone = now.plus_seconds(VISITOR_SECONDS).epoch_seconds();
        let salt = self.salt(day, gone).await?;
        let hash = sha256_hex(format!("{salt}\n{page}\n{visitor}").as_bytes());
        let key = Key::new(partition(day), format!("VISITOR#{hash}"));
        let seen = self.table.expiring_put_in_transaction(&key, &Seen {}, gone)?;
        let seen = seen.condition_expression("attribute_not_exists(pk)").into_write()?;
        let first = Counts { visitors: 1, ..counts.clone() };
        let writes = vec![seen, self.add(day, page, &first)?];
        self.table.transact(writes).await
    }

    /// The day's salt, which the first caller creates.
    async fn salt(&self, day: &str, gone: i64) -> Result<String, StoreError> {
        let key = Key::new(partition(day), "SALT");
        if let Some(kept) = self.table.get::<Salt>(&key).await? {
            return Ok(kept.value.salt);
        }
        let made = Salt { salt: SecretToken::random().expose().to_owned() };
        if self.table.put_new(&key, &made, Some(gone)).await? {
            return Ok(made.salt);
        }
        let kept = self.table.get::<Salt>(&key).await?;
        kept.map(|kept| kept.value.salt).ok_or(StoreError::Contended)
    }

    fn add(&self, day: &str, page: &str, counts: &Counts) -> Result<TransactWriteItem, StoreError> {
        let mut sums = Vec::new();
        let mut update = self
            .table
            .update_in_transaction(&page_key(day, page))
            .expression_attribute_names("#page", "page")
            .expression_attribute_values(":page", AttributeValue::S(page.to_owned()));
        for (name, n) in counts.named().into_iter().filter(|(_, n)| *n > 0) {
            // DynamoDB reserves words such as `views`.
            sums.push(format!("#{name} :{name}"));
            update = update
                .expression_attribute_names(format!("#{name}"), name)
                .expression_attribute_values(format!(":{name}"), number(n));
        }
        let adds =
            if sums.is_empty() { String::new() } else { format!(" ADD {}", sums.join(", ")) };
        let update = update.update_expression(format!("SET #page = :page{adds}"));
        update.into_write()
    }
}

fn partition(day: &str) -> String {
    format!("VISITS#{day}")
}

fn page_key(day: &str, page: &str) -> Key {
    Key::new(partition(day), format!("PAGE#{page}"))
}
