//! Points in time, in the product's format.

use serde::{Deserialize, Serialize};
use std::fmt;
use time::format_description::well_known::Rfc3339;
use time::{Duration, OffsetDateTime};
use utoipa::ToSchema;

/// An hour, in seconds.
pub const HOUR_SECONDS: i64 = 60 * 60;
/// A day, in seconds.
pub const DAY_SECONDS: i64 = 24 * HOUR_SECONDS;

/// A moment in UTC with millisecond precision, written as RFC 3339 text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = String, format = DateTime)]
pub struct Timestamp(#[serde(with = "time::serde::rfc3339")] OffsetDateTime);

impl Timestamp {
    /// The current moment.
    pub fn now() -> Self {
        let now = OffsetDateTime::now_utc();
        // Whole milliseconds survive a round trip through a browser's Date.
        Self(now.replace_millisecond(now.millisecond()).unwrap_or(now))
    }

    /// Seconds since 1970, the unit of DynamoDB's time to live.
    pub fn epoch_seconds(self) -> i64 {
        self.0.unix_timestamp()
    }

    /// Milliseconds since 1970.
    pub fn epoch_milliseconds(self) -> i64 {
        i64::try_from(self.0.unix_timestamp_nanos() / 1_000_000).unwrap_or(i64::MAX)
    }

    /// The day in UTC, `2026-11-20`.
    pub fn day(self) -> String {
        let date = self.0.date();
        format!("{:04}-{:02}-{:02}", date.year(), u8::from(date.month()), date.day())
    }

    /// The time of day in UTC, `14:32 UTC`.
    pub fn minute(self) -> String {
        format!("{:02}:{:02} UTC", self.0.hour(), self.0.minute())
    }

    /// The moment this many seconds later (or earlier, when negative).
    pub fn plus_seconds(self, seconds: i64) -> Self {
        Self(self.0.saturating_add(Duration::seconds(seconds)))
    }

    /// Whole seconds from `earlier` to this moment; negative if `earlier` is later.
    pub fn seconds_since(self, earlier: Self) -> i64 {
        (self.0 - earlier.0).whole_seconds()
    }

    /// The form of an HTTP `Last-Modified` header.
    pub fn http_date(self) -> String {
        const FORMAT: &[time::format_description::FormatItem<'_>] = time::macros::format_description!(
            "[weekday repr:short], [day] [month repr:short] [year] [hour]:[minute]:[second] GMT"
        );
        self.0.format(FORMAT).unwrap_or_default()
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.format(&Rfc3339).unwrap_or_default())
    }
}
