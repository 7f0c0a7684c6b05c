//! When the checks of a validated project run again on a schedule.

use crate::Timestamp;
use crate::clock::DAY_SECONDS;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How often the checks run again automatically.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Every {
    /// Never: only when their owner asks.
    #[default]
    Off,
    /// Once in 24 hours.
    Daily,
    /// Once in 7 days.
    Weekly,
}

impl Every {
    /// The name in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Daily => "daily",
            Self::Weekly => "weekly",
        }
    }

    /// The same as text for people.
    pub fn words(self) -> &'static str {
        match self {
            Self::Off => "Checks for drift run only when asked for",
            Self::Daily => "Checks for drift run once a day",
            Self::Weekly => "Checks for drift run once a week",
        }
    }

    fn seconds(self) -> Option<i64> {
        match self {
            Self::Off => None,
            Self::Daily => Some(DAY_SECONDS),
            Self::Weekly => Some(7 * DAY_SECONDS),
        }
    }
}

/// A project's schedule.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schedule {
    /// The interval.
    pub every: Every,
    /// The next time; `None` while it is off.
    pub due_at: Option<Timestamp>,
}

impl Schedule {
    /// A schedule that begins now: its first time is a whole period away.
    pub fn new(every: Every, now: Timestamp) -> Self {
        Self { every, due_at: every.seconds().map(|seconds| now.plus_seconds(seconds)) }
    }

    /// The schedule after its time has come. The next time keeps the hour; times that passed without a run are skipped.
    pub fn after(self, now: Timestamp) -> Self {
        let (Some(due_at), Some(seconds)) = (self.due_at, self.every.seconds()) else {
            return self;
        };
        let missed = now.seconds_since(due_at).max(0) / seconds;
        Self { due_at: Some(due_at.plus_seconds((missed + 1) * seconds)), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedule_keeps_its_hour_and_skips_missed_times() {
        let begun = Timestamp::now();
        let daily = Schedule::new(Every::Daily, begun);
        let hours = |schedule: Schedule| schedule.due_at.unwrap().seconds_since(begun) / 3600;
        assert_eq!(hours(daily), 24);
        let at = |hours: i64| begun.plus_seconds(hours * 3600);
        assert_eq!(hours(daily.after(at(24))), 48);
        assert_eq!(hours(daily.after(at(25))), 48);
        assert_eq!(hours(daily.after(at(24 * 10 + 3))), 24 * 11);
        assert_eq!(hours(Schedule::new(Every::Weekly, begun).after(at(24 * 7))), 24 * 14);
        assert_eq!(Schedule::new(Every::Off, begun).after(at(1)), Schedule::default());
    }
}
