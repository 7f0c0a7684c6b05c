//! Limits the calls in every interval of a length: the arithmetic, without the table.
//!
//! Fixed windows let twice the allowed calls pass around the boundary of two. A bucket that refills does the same for
//! a full bucket and its refill. A smaller bucket would refuse the burst that a quiet caller may have. So a limit has
//! to know when the counted calls came, and because calls must cost one conditional write and no read, a condition has
//! to decide on that. Conditions compare attributes but cannot add them, so the sum of a window must be an attribute.
//!
//! Time is divided into parts, [`PARTS`] to a window. For each part, the caller's item holds the calls that count in
//! it: those of the part itself and of the [`PARTS`] parts before it, which together cover at least a window. A call
//! adds itself to the current part and to the next [`PARTS`] parts, on condition that the current part's number is
//! below the limit. So a refused call counts nowhere, and no interval of a window's length has more calls than
//! allowed. A caller whose calls stay below the limit in each window and a part is never refused.
//!
//! The numbers form a ring of [`SLOTS`]; each call removes those that are no longer needed. A number of an earlier
//! round must not be mistaken for one of this round, so the item has the part of its latest call, and after a longer
//! pause the condition refuses. DynamoDB returns the refused item, and a second write starts it over. It also starts
//! over from a part that another process, with a clock that is ahead, has begun: a part never follows a later one. From
//! the same item, a refused caller learns when the next call would pass.

use std::collections::HashMap;
use std::fmt::Write;

/// How many parts a window has. More parts follow time more closely, and make the item and the write larger.
pub const PARTS: i64 = 30;

/// How many numbers the ring has. The others beyond [`PARTS`] are how many parts a caller may pause before a call
/// costs a second write.
pub const SLOTS: i64 = 128;

/// The attribute with the part of the latest call.
const NEWEST: &str = "newest";

/// How many calls may pass in any interval of this length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// The length of the interval, in seconds.
    pub window_seconds: i64,
    /// How many calls.
    pub allowed: u32,
}

/// A conditional write that counts calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    limit: Limit,
    calls: u32,
    part: i64,
    /// Whether it replaces all numbers, which are of an earlier round.
    restarts: bool,
}

/// What follows when the condition of a [`Count`] fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// The calls may pass, but by another write.
    Try(Count),
    /// The calls are beyond the limit; the next one passes after this many seconds.
    Wait(u32),
}

impl Limit {
    /// The length of a part, in seconds.
    pub fn part_seconds(self) -> i64 {
        // `i64::div_ceil` is not stable.
        ((self.window_seconds + PARTS - 1) / PARTS).max(1)
    }

    /// The write that counts some calls at this time, in seconds since 1970.
    pub fn count(self, calls: u32, seconds: i64) -> Count {
        let part = seconds.div_euclid(self.part_seconds());
        Count { limit: self, calls, part, restarts: false }
    }
}

impl Count {
    /// The condition of the write.
    pub fn condition(self) -> String {
        if self.restarts {
            return format!("{NEWEST} < :oldest");
        }
        let slot = slot(self.part);
        format!(
            "attribute_not_exists(pk) OR ({NEWEST} BETWEEN :oldest AND :part AND (attribute_not_exists({slot}) OR {slot} < :allowed))"
        )
    }

    /// The update of the write.
    pub fn update(self) -> String {
        let mut update = format!("SET {NEWEST} = :part, expires_at = :ends");
        let (mut before, between) =
            if self.restarts { (", ", " = :more") } else { (" ADD ", " :more") };
        for part in self.counts_in() {
            let _ = write!(update, "{before}{}{between}", slot(part));
            before = ", ";
        }
        before = " REMOVE ";
        for part in self.part + PARTS + 1..self.part + SLOTS {
            let _ = write!(update, "{before}{}", slot(part));
            before = ", ";
        }
        update
    }

    /// The values that condition and update name, and no others: DynamoDB refuses superfluous ones.
    pub fn values(self) -> Vec<(&'static str, i64)> {
        let mut values = vec![
            (":part", self.part),
            (":ends", self.begins(self.part + PARTS + 1)),
            (":more", self.calls.into()),
            (":oldest", self.oldest()),
        ];
        if !self.restarts {
            values.push((":allowed", self.limit.allowed.into()));
        }
        values
    }

    /// What follows when the condition fails at an item with these numbers, at this time in seconds since 1970.
    pub fn after_refusal(self, item: &HashMap<String, i64>, seconds: i64) -> Next {
        let newest = item.get(NEWEST).copied().unwrap_or(self.part);
        if newest > self.part {
            return Next::Try(Self { part: newest, restarts: false, ..self });
        }
        if newest < self.oldest() {
            return Next::Try(Self { restarts: true, ..self });
        }
        if self.restarts {
            return Next::Try(Self { restarts: false, ..self });
        }
        let is_full = |part: &i64| {
            item.get(&slot(*part)).is_some_and(|calls| *calls >= self.limit.allowed.into())
        };
        let last = self.part + PARTS + 1;
        let free = (self.part + 1..last).find(|part| !is_full(part)).unwrap_or(last);
        Next::Wait(u32::try_from(self.begins(free) - seconds).unwrap_or(1).max(1))
    }

    /// The parts in which the calls count.
    fn counts_in(self) -> std::ops::RangeInclusive<i64> {
        self.part..=self.part + PARTS
    }

    /// The earliest part of a latest call whose numbers cannot be taken for those of this round.
    fn oldest(self) -> i64 {
        self.part - (SLOTS - PARTS - 1)
    }

    fn begins(self, part: i64) -> i64 {
        part * self.limit.part_seconds()
    }
}

/// The attribute with the number of a part.
fn slot(part: i64) -> String {
    format!("n{}", part.rem_euclid(SLOTS))
}
