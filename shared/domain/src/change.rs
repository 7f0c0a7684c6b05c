//! A project's changes: the first one builds the project, and each later one alters what exists.
//!
//! A change goes through the five stages with its own documents, steps, checks and approvals. What the previous change
//! wrote and ran is kept unchanged, so it stays readable and agents plan the next change against it.

use crate::actor::Actor;
use crate::stage::{Pipeline, STAGES, StageId};
use crate::{MicroDollars, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The longest request that begins a change, in characters.
pub const MAX_WISH_CHARS: usize = 1_000;
/// The most changes of one project.
pub const MAX_CHANGES: u32 = 200;
/// The number of the change that builds a project.
pub const FIRST: u32 = 1;

/// The request of a change that removes what was built.
pub const TEAR_DOWN: &str = "Tear down everything that was built";

/// What a change is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// To build something, or to change what exists.
    #[default]
    Change,
    /// To remove everything that was built. No change follows it once it is completed.
    TearDown,
}

/// The status of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChangeStatus {
    /// Its stages are not all completed.
    InProgress,
    /// All five stages are completed.
    Completed,
    /// Its owner abandoned it before any of it ran.
    Abandoned,
    /// Its rollback restored what existed before it.
    RolledBack,
    /// Not all of its stages were completed when its owner tore everything down.
    Unfinished,
}

/// A change, as the table stores it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// Counts from [`FIRST`].
    pub number: u32,
    /// What it is for.
    #[serde(default)]
    pub kind: ChangeKind,
    /// What its owner asked for; empty for the first change.
    #[serde(default)]
    pub wish: String,
    /// The number of the change on which this one builds; 0 for the first change.
    #[serde(default)]
    pub on_top_of: u32,
    /// The person who began it; none for the first change.
    #[serde(default)]
    pub by: Option<Actor>,
    /// Time of the start.
    pub begun_at: Timestamp,
    /// What the project had cost when it began.
    pub cost_before: MicroDollars,
    /// How it ended; none while it is the current change.
    #[serde(default)]
    pub end: Option<End>,
    /// The stages of the previous change, if they were not all completed; abandoning this change restores them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stages_before: Option<Pipeline>,
}

impl Change {
    /// What the project's cost grew by during this change, if it was abandoned or rolled back.
    pub fn cost_if_taken_back(&self) -> Option<MicroDollars> {
        let end = self.end.as_ref()?;
        matches!(end.status, ChangeStatus::Abandoned | ChangeStatus::RolledBack)
            .then(|| MicroDollars(end.cost.0 - self.cost_before.0))
    }
}

/// How a change ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// How it ended.
    pub status: ChangeStatus,
    /// When it ended.
    pub at: Timestamp,
    /// What the project had cost when the change ended.
    pub cost: MicroDollars,
    /// How many steps it had.
    pub steps: u32,
    /// How many checks it had.
    pub checks: u32,
}

/// Why a request does not begin a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidWish {
    /// No text, or only white space.
    #[error("Say what you would like to change.")]
    Missing,
    /// Over [`MAX_WISH_CHARS`].
    #[error("Keep the request within 1,000 characters. You can say more in the chat.")]
    TooLong,
    /// The text seems to contain a secret, which every page and prompt about the change would show.
    #[error("The request seems to contain a secret. Leave it out and add it as a credential.")]
    Secret,
}

/// Why a change cannot begin or cannot be abandoned.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChangeRefusal {
    /// The first change has not completed its stages.
    #[error("The project is not validated yet. Complete its five stages, then change it.")]
    NotBuilt,
    /// No step has run, so there is nothing to tear down.
    #[error("Nothing of this project has run, so there is nothing to tear down.")]
    NothingRan,
    /// The change of this number has not completed its stages.
    #[error("Change {0} is under way. Complete or abandon it before you begin another.")]
    UnderWay(u32),
    /// A step or a check is being prepared or runs.
    #[error("A step is under way. Wait for it to end or cancel it, then try again.")]
    Running,
    /// An agent is writing a plan.
    #[error("An agent is writing a plan. Wait for it to end, then try again.")]
    BeingWritten,
    /// The project was torn down.
    #[error(
        "This project is torn down, so there is nothing to change. Duplicate it to build it again."
    )]
    TornDown,
    /// The project has [`MAX_CHANGES`] changes.
    #[error("This project has 200 changes, which is the limit. Duplicate it to continue.")]
    TooMany,
    /// It is the first change, it is completed, or it was already abandoned.
    #[error("Only a change that is under way can be abandoned.")]
    NotUnderWay,
    /// One of its steps has run.
    #[error(
        "A step of this change has run, so it cannot be abandoned. Roll it back first, complete it, or tear the project down."
    )]
    HasRun,
}

/// The request that begins a change, trimmed and checked.
pub fn checked_wish(text: &str) -> Result<String, InvalidWish> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text: String = text.chars().filter(|c| !c.is_control()).collect();
    match text.chars().count() {
        0 => Err(InvalidWish::Missing),
        n if n > MAX_WISH_CHARS => Err(InvalidWish::TooLong),
        _ if redaction::has_secret(&text) => Err(InvalidWish::Secret),
        _ => Ok(text),
    }
}

impl Pipeline {
    /// Whether every stage is confirmed.
    pub fn is_done(&self) -> bool {
        self.completed.iter().all(|done| *done)
    }

    /// The stages of a change when it begins: at the first stage.
    pub fn for_change(number: u32, kind: ChangeKind) -> Self {
        Self { change: number, tears_down: kind == ChangeKind::TearDown, ..Self::default() }
    }

    /// Whether nothing is left of what the project has built.
    pub fn is_torn_down(&self) -> bool {
        self.tears_down && self.is_done()
    }

    /// The stages of a change that is completed.
    pub fn done_with(number: u32, at: Timestamp) -> Self {
        Self {
            current: StageId::Validation,
            reached: StageId::Validation,
            completed: [true; STAGES.len()],
            change: number,
            tears_down: false,
            completed_at: Some(at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_completed_tear_down_leaves_nothing() {
        let completed = |kind| {
            let begun = Pipeline::for_change(2, kind);
            assert!(!begun.is_torn_down(), "it has only begun");
            Pipeline { completed: [true; STAGES.len()], ..begun }.is_torn_down()
        };
        assert!(completed(ChangeKind::TearDown));
        assert!(!completed(ChangeKind::Change));
    }

    #[test]
    fn the_request_of_a_change_is_one_line_without_secrets() {
        assert_eq!(checked_wish(" also\n add  Redis ").as_deref(), Ok("also add Redis"));
        assert_eq!(checked_wish(" \n"), Err(InvalidWish::Missing));
        assert_eq!(checked_wish(&"a".repeat(MAX_WISH_CHARS + 1)), Err(InvalidWish::TooLong));
        let secret = checked_wish("use AKIAIOSFODNN7EXAMPLE from now on");
        assert_eq!(secret, Err(InvalidWish::Secret));
        for text in [
            "make the mysql root password Pfannkuchen",
            "The password is **Winter2021!**",
            "hier das passwort Mausefalle",
            "logga in som root med Kanelbulle22",
            "root / Sommer2024, set it to MyDogHasFleas",
        ] {
            assert_eq!(checked_wish(text), Err(InvalidWish::Secret), "{text}");
        }
        for text in [
            "upgrade PostgreSQL to 17 and rotate its password",
            "add a second node in fsn1, cx32, with the same key",
            "root-Login per SSH abschalten",
            "move shop-web01 behind Caddy 2.8",
        ] {
            assert_eq!(checked_wish(text).as_deref(), Ok(text));
        }
    }
}
