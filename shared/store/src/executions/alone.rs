//! One step of the execution at a time: a command starts only while no other step runs.
//!
//! A page offers no second start, but two pages can decide in the same moment. The header has a mark for each step,
//! negative while it runs, and the transaction that starts a step updates that header. So it can demand in the same
//! update that no other mark is negative.
//!
//! Checks may run side by side, because they only read. The rollback has its own conditions.

use super::marks::{MARK, Marks};
use super::{Executions, header_key};
use crate::StoreError;
use domain::Scope;
use domain::plan::MAX_STEPS;
use domain::step::{Step, Track};
use serde_json::Value;

impl Executions {
    /// Whether this move starts a command that must not run beside another one.
    pub(super) fn starts_alone(&self, before: &Step, next: &Step) -> bool {
        let starts = !before.phase.is_running() && next.phase.is_running();
        self.track == Track::Execution && starts
    }

    /// Whether another step of the execution is running.
    pub(super) async fn another_runs(&self, scope: Scope, number: u32) -> Result<bool, StoreError> {
        let header = self.table.get::<Value>(&header_key(scope, self.track)).await?;
        Ok(header.is_some_and(|header| Marks::of(&header.value).another_runs(number)))
    }
}

/// The condition on a header that no step but this one runs; `:zero` is the number 0.
pub(super) fn only_step(number: u32) -> String {
    let others = (1..).take(MAX_STEPS).filter(|other| *other != number);
    let rests = others.map(|other| {
        let mark = format!("{MARK}{other}");
        format!("(attribute_not_exists({mark}) OR {mark} >= :zero)")
    });
    rests.collect::<Vec<_>>().join(" AND ")
}
