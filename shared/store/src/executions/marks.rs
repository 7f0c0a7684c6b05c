//! Checks whether an execution is still as it was read, without reading it again.
//!
//! An execution has up to 30 steps with scripts and outputs, and most polls find nothing new. So the header keeps the
//! version of each step, its *mark*, which the transaction that moves the step writes. The output of a running step
//! changes without its mark. That mark is negative, and a poll then also reads the step's item.
//!
//! A *stamp* names the versions of the items that were read. A poll compares it with the marks. If a reader saw half of
//! a transaction, the marks do not confirm its stamp, and it reads everything again. A reader of an execution whose
//! header has no marks yet does the same.

use super::front::{OF_ITS_PLAN, plan_of};
use super::load::{Kept, shaped};
use super::{EXISTS, Execution, Executions, Header, header_key, rollback};
use crate::table::{IntoWrite, Key, number};
use crate::{StoreError, Stored};
use aws_sdk_dynamodb::types::TransactWriteItem;
use domain::secret_token::sha256_hex;
use domain::step::{Step, Track};
use domain::{Scope, Timestamp};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

/// How long a stamp is valid, in seconds. After this time, a page is correct again even if an update of the product
/// shows something else or a function of an earlier version made a change that the page missed.
const STAMP_SECONDS: i64 = 600;
/// Characters of a stamp's hash: 64 bits are enough to distinguish all states that one reader ever sees.
const HASH_CHARS: usize = 16;
/// How the names of the header's marks begin.
pub(super) const MARK: &str = "mark_";
/// The rollback's place, in a stamp and in the name of its mark.
const ROLLBACK: &str = "rollback";

/// The place of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    Step(u32),
    Rollback,
}

impl Place {
    fn read(text: &str) -> Option<Self> {
        match text {
            ROLLBACK => Some(Self::Rollback),
            number => number.parse().ok().map(Self::Step),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Step(number) => write!(f, "{number}"),
            Self::Rollback => f.write_str(ROLLBACK),
        }
    }
}

/// The versions of the items of an execution.
pub(super) type Versions = BTreeMap<Place, u64>;

/// The versions that the header names, each negative while its step runs.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Marks(BTreeMap<Place, i64>);

impl Marks {
    /// The marks in a header's item.
    pub fn of(item: &Value) -> Self {
        let mark = |(name, value): (&String, &Value)| {
            Some((Place::read(name.strip_prefix(MARK)?)?, value.as_i64()?))
        };
        Self(item.as_object().into_iter().flatten().filter_map(mark).collect())
    }

    /// The steps that are running.
    fn running(&self) -> Vec<Place> {
        let running = self.0.iter().filter(|(_, mark)| mark.is_negative());
        running.map(|(place, _)| *place).collect()
    }

    /// Whether a step other than this one is running.
    pub fn another_runs(&self, number: u32) -> bool {
        let others = |place: &Place| matches!(place, Place::Step(other) if *other != number);
        self.running().iter().any(others)
    }

    /// The versions of all steps, given the version of the one that runs.
    fn versions(&self, runs: Option<(Place, u64)>) -> Option<Versions> {
        let version = |(place, mark): (&Place, &i64)| match u64::try_from(*mark) {
            Ok(version) => Some((*place, version)),
            Err(_) => runs.filter(|(running, _)| running == place),
        };
        self.0.iter().map(version).collect()
    }
}

/// The mark of a step that is about to have this version.
pub(super) fn mark_of(step: &Step, version: u64) -> i64 {
    let version = i64::try_from(version).unwrap_or(i64::MAX);
    if is_running(step) { -version } else { version }
}

fn is_running(step: &Step) -> bool {
    step.phase.is_running()
}

/// A header with the marks of its steps, with which a new execution begins.
#[derive(Serialize)]
pub(super) struct Marked {
    #[serde(flatten)]
    header: Header,
    #[serde(flatten)]
    marks: BTreeMap<String, i64>,
}

impl Executions {
    /// Adds the marks of this many new steps, which all have this version.
    pub(super) fn with_marks(&self, header: Header, steps: usize, version: u64) -> Marked {
        let (numbers, mark) = ((1..).take(steps), i64::try_from(version).unwrap_or(i64::MAX));
        let marks = numbers.filter_map(|number| Some((self.mark_name(number)?, mark))).collect();
        Marked { header, marks }
    }

    /// The name of a step's mark. Commands and checks that pages do not poll as a whole have none.
    pub(super) fn mark_name(&self, step_number: u32) -> Option<String> {
        match self.track {
            Track::Execution | Track::Validation => Some(format!("{MARK}{step_number}")),
            Track::Rollback => Some(format!("{MARK}{ROLLBACK}")),
            Track::Helper | Track::Drift => None,
        }
    }

    /// The write that marks the version that a step is about to have, on the header of its track or, for a rollback, of
    /// the execution. With `of_its_plan`, that header must name the step's plan.
    pub(super) fn mark_write(
        &self,
        scope: Scope,
        (step, version): (&Step, u64),
        of_its_plan: bool,
    ) -> Result<Option<TransactWriteItem>, StoreError> {
        let Some(name) = self.mark_name(step.number) else { return Ok(None) };
        let mut update = self
            .table
            .update_in_transaction(&header_key(scope, self.header_track()))
            .update_expression(format!("SET {name} = :mark ADD version :one"))
            .condition_expression(EXISTS)
            .expression_attribute_values(":one", number(1))
            .expression_attribute_values(":mark", number(mark_of(step, version)));
        if of_its_plan {
            update = update
                .condition_expression(OF_ITS_PLAN)
                .expression_attribute_values(":plan", plan_of(step));
        }
        Ok(Some(update.into_write()?))
    }

    /// The project's execution and its stamp; no stamp if [`Executions::is_still`] could not confirm it.
    pub async fn load_stamped(
        &self,
        scope: Scope,
    ) -> Result<Option<(Execution, Option<String>)>, StoreError> {
        let loaded = self.load_kept(scope).await?;
        Ok(loaded.map(|(execution, kept)| {
            let stamp = self.stamp(scope, &execution, &kept);
            (execution, stamp)
        }))
    }

    fn stamp(&self, scope: Scope, execution: &Execution, kept: &Kept) -> Option<String> {
        let Kept { header, versions, marks, .. } = kept;
        let runs = |place: &Place| match place {
            Place::Step(number) => execution.step(*number).is_some_and(is_running),
            Place::Rollback => execution.rollback.as_ref().is_some_and(is_running),
        };
        // Output may have arrived since the mark of a running step was written.
        let confirmed = |(place, version): (&Place, &u64)| match marks.0.get(place) {
            Some(mark) if mark.is_negative() => runs(place),
            Some(mark) => !runs(place) && u64::try_from(*mark) == Ok(*version),
            None => false,
        };
        if marks.0.len() != versions.len() || !versions.iter().all(confirmed) {
            return None;
        }
        // A poll reads one step besides the header; it is rare that several run at once.
        let running = match marks.running()[..] {
            [] => String::new(),
            [place] => place.to_string(),
            _ => return None,
        };
        let (hash, at) = (self.hash(scope, header, versions), Timestamp::now().epoch_seconds());
        Some(format!("{hash}.{at}.{running}"))
    }

    /// Whether the execution is unchanged since it got this stamp. Reads the header, and the step that was running
    /// then.
    pub async fn is_still(&self, scope: Scope, stamp: &str) -> Result<bool, StoreError> {
        let mut parts = stamp.splitn(3, '.');
        let (Some(hash), Some(at), Some(ran)) = (parts.next(), parts.next(), parts.next()) else {
            return Ok(false);
        };
        let age = at.parse().map(|at: i64| Timestamp::now().epoch_seconds() - at);
        if !age.is_ok_and(|age| (0..STAMP_SECONDS).contains(&age)) {
            return Ok(false);
        }
        let ran = Place::read(ran);
        let step = async {
            match ran {
                Some(place) => self.table.get::<Value>(&self.key_of(scope, place)).await,
                None => Ok(None),
            }
        };
        let header = header_key(scope, self.track);
        let header = self.table.get::<Value>(&header);
        let (Some(header), step) = tokio::try_join!(header, step)? else { return Ok(false) };
        let runs = ran.zip(step.map(|step| step.version));
        let Some(versions) = Marks::of(&header.value).versions(runs) else { return Ok(false) };
        Ok(self.hash(scope, &shaped(header)?, &versions) == hash)
    }

    fn key_of(&self, scope: Scope, place: Place) -> Key {
        match place {
            Place::Step(number) => self.step_key(scope, number),
            Place::Rollback => rollback::key(scope),
        }
    }

    /// The stamp's hash. The plan may be of any age: an abandoned change brings an earlier one back, with a header of
    /// its own.
    fn hash(&self, scope: Scope, header: &Stored<Header>, versions: &Versions) -> String {
        let Header { plan_id, started_at, autonomy, .. } = &header.value;
        let plan = plan_id.as_ref().map(ToString::to_string).unwrap_or_default();
        let since = started_at.map(|at| at.to_string()).unwrap_or_default();
        let (track, level, version) = (self.track.as_str(), autonomy.as_str(), header.version);
        let mut content = format!("{scope} {track} {plan} {since} {version} {level}");
        for (place, version) in versions {
            content += &format!(" {place}:{version}");
        }
        sha256_hex(content.as_bytes())[..HASH_CHARS].to_owned()
    }
}
