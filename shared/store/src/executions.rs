//! Executions: a header and one item per step, which one query reads together. A poll reads only the header while
//! nothing has changed.
//!
//! A step moves by [`Executions::apply`], which runs the state machine of `domain` inside a conditional write. Growing
//! output takes a cheaper way, [`Executions::progress`]: it touches one attribute, only during that run and only if the
//! output is newer, so late frames cannot replace new output with old.
//!
//! A new plan puts its steps in the places of the former plan's. A write that has read a former step must not mistake
//! the new step for it, so each execution counts the versions of its steps from a different number ([`begin`]).

mod after;
mod alone;
mod autonomy;
mod begin;
mod cancel;
mod decide;
mod edit;
mod front;
mod load;
mod marks;
mod rollback;
mod standing;

use crate::audit::{Audit, run_write};
use crate::keys::partition;
use crate::table::{Change, Key, Table, number, unless_refused};
use crate::{StoreError, Stored};
pub use after::StepAfter;
use aws_sdk_dynamodb::types::builders::PutBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem};
pub(crate) use begin::first_version;
use domain::audit::{DecisionRecord, RunRecord};
use domain::document::Fingerprint;
use domain::estimate::Used;
use domain::output::OutputView;
use domain::step::{Applied, Autonomy, Event, Phase, Refusal, Step, StepStatus, Track};
use domain::{PlanId, RunId, Scope, Timestamp};
pub use edit::EDITS_PER_ATTEMPT;
use front::Needs;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The execution of a project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Execution {
    /// The plan from which it was made; `None` before the first trigger.
    pub plan_id: Option<PlanId>,
    /// Its steps in order.
    pub steps: Vec<Step>,
    /// Which commands its owner is asked about.
    pub autonomy: Autonomy,
    /// The run that rolls its change back, if there is one.
    pub rollback: Option<Step>,
    /// What the execution agent had used when the change of this execution began.
    pub used_before: Used,
}

impl Execution {
    /// Whether every step is completed, and at least one exists.
    pub fn is_done(&self) -> bool {
        !self.steps.is_empty() && self.steps.iter().all(|step| step.phase.has_succeeded())
    }

    /// The fingerprint of a validation plan's source: the plan that these steps come from.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(self.plan_id.as_ref().map(PlanId::as_str))
    }

    /// The step with this number.
    pub fn step(&self, number: u32) -> Option<&Step> {
        self.steps.iter().find(|step| step.number == number)
    }
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Header {
    pub(crate) plan_id: Option<PlanId>,
    started_at: Option<Timestamp>,
    /// The step that moved last, for lists of projects.
    #[serde(default)]
    pub(crate) front: Option<Front>,
    /// The checks that find a difference. Updates maintain this as a DynamoDB set.
    #[serde(default, skip_serializing)]
    pub(crate) drifted: BTreeSet<u32>,
    /// Which commands the owner of this plan is asked about.
    #[serde(default)]
    autonomy: Autonomy,
    /// What the project's execution agent had used when the change of this execution began.
    #[serde(default)]
    pub(crate) used_before: Used,
}

impl Header {
    /// The header of an execution as a change begins, or of its plan as it was before the change.
    pub(crate) fn of_change(plan_id: Option<PlanId>, used_before: Used) -> Self {
        let started_at = plan_id.as_ref().map(|_| Timestamp::now());
        Self { plan_id, started_at, used_before, ..Self::default() }
    }
}

/// The step that moved last, and its state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Front {
    /// Its number.
    pub number: u32,
    /// Current status.
    pub status: StepStatus,
}

/// The reason why a step did not move.
#[derive(Debug, thiserror::Error)]
pub enum ExecutionError {
    /// The step's state does not allow the request.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The execution now belongs to another plan.
    #[error("This plan has been replaced. Reload to see the new one.")]
    StalePlan,
    /// A step of the former plan is still running.
    #[error("A step is still running. Wait for it to end before starting a new plan.")]
    StillRunning,
    /// The command of this attempt has been edited as often as allowed.
    #[error(
        "This command was edited {EDITS_PER_ATTEMPT} times, which is the limit. Approve or reject it."
    )]
    TooManyEdits,
    /// The execution has no step with this number.
    #[error("This step does not exist.")]
    NoSuchStep,
    /// The table failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The result of a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decided {
    /// The decision moved the step to this state.
    Now(Step),
    /// The same decision was made before; `now` is the current step.
    Before {
        /// What was decided then.
        record: Box<DecisionRecord>,
        /// The current step.
        now: Step,
    },
}

/// The executions of the table, on one track.
#[derive(Clone, Debug)]
pub struct Executions {
    table: Table,
    track: Track,
}

/// The sort key of a track's header, with which the sort keys of its steps begin.
fn header(track: Track) -> &'static str {
    match track {
        Track::Execution => "EXECUTION",
        Track::Validation => "VALIDATION",
        Track::Helper => "HELPER",
        Track::Drift => "DRIFT",
        Track::Rollback => rollback::ROLLBACK,
    }
}

/// The condition that the project of a header has not been deleted.
const EXISTS: &str = "attribute_exists(pk)";

/// The condition that a run goes on and that a view of its output is news.
const GOES_ON: &str = "run_id = :run AND phase = :running AND #output.seq < :seq AND attribute_not_exists(cancelling)";

/// A step afterward, or unchanged, with the result of the change and the other writes of its transaction.
type StepChange<R> = Change<Step, (R, Vec<TransactWriteItem>)>;

pub(crate) fn header_key(scope: Scope, track: Track) -> Key {
    Key::new(partition(scope), header(track))
}

pub(crate) fn initial(table: &Table, scope: Scope) -> Result<Vec<PutBuilder>, StoreError> {
    let put = |track| table.put_in_transaction(&header_key(scope, track), &Header::default(), 1);
    // The track of checks for drift begins only with its first standing approval.
    [Track::Execution, Track::Validation, Track::Helper].into_iter().map(put).collect()
}

impl Executions {
    /// The executions in `table`, on the track of the execution stage.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone(), track: Track::Execution }
    }

    /// A copy of this for another track.
    pub fn on(&self, track: Track) -> Self {
        Self { table: self.table.clone(), track }
    }

    /// The track of these executions.
    pub fn track(&self) -> Track {
        self.track
    }

    /// The project's audit records.
    pub fn audit(&self) -> Audit {
        Audit::new(&self.table)
    }

    pub(crate) fn step_key(&self, scope: Scope, number: u32) -> Key {
        let sk = match self.track {
            // The only step of its track.
            Track::Rollback => rollback::ROLLBACK.to_owned(),
            track => format!("{}#{number:06}", header(track)),
        };
        Key::new(partition(scope), sk)
    }

    /// Applies an event to a step.
    pub async fn apply(
        &self,
        scope: Scope,
        plan_id: &PlanId,
        step_number: u32,
        event: &Event,
    ) -> Result<StepAfter, ExecutionError> {
        let of_the_plan = |step: Step| (&step.plan_id == plan_id).then_some(step);
        let applied = self.apply_if(scope, step_number, event, true, of_the_plan);
        match (applied.await, event) {
            // A command that its owner has approved before would run at once, beside another one. It waits instead.
            (Err(ExecutionError::Store(StoreError::Contended)), Event::Prepared { .. })
                if self.another_runs(scope, step_number).await? =>
            {
                self.apply_if(scope, step_number, event, true, |step| {
                    let unapproved = Step { approved_sha256: None, ..step };
                    (&unapproved.plan_id == plan_id).then_some(unapproved)
                })
                .await
            }
            (applied, _) => applied,
        }
    }

    /// Applies an event that names its run; a run belongs to one plan, so the event need not name the plan.
    pub async fn apply_to_run(
        &self,
        scope: Scope,
        step_number: u32,
        event: &Event,
    ) -> Result<StepAfter, ExecutionError> {
        self.apply_if(scope, step_number, event, false, Some).await
    }

    async fn apply_if(
        &self,
        scope: Scope,
        step_number: u32,
        event: &Event,
        plan: bool,
        of_the_plan: impl Fn(Step) -> Option<Step>,
    ) -> Result<StepAfter, ExecutionError> {
        self.modify_step(scope, step_number, |stored: Stored<Step>| {
            let Stored { value: step, version } = stored;
            let step = of_the_plan(step).ok_or(ExecutionError::StalePlan)?;
            Ok(match step.apply(event.clone())? {
                Applied::Changed(next) => {
                    let ended = RunRecord::of(self.track, &step, &next);
                    let record = |run| run_write(&self.table, scope, &run);
                    let reads = matches!(event, Event::ReadStep { .. });
                    let needs = Needs {
                        autonomy: reads.then_some(Autonomy::AskForChanges),
                        alone: !reads && self.starts_alone(&step, &next),
                        plan,
                    };
                    let mut records = Vec::new();
                    records.extend(self.front_write(scope, (&next, version + 1), needs)?);
                    records.extend(ended.map(record).transpose()?);
                    Change::Write((*next).clone(), (StepAfter::changed(*next), records))
                }
                Applied::Ignored => Change::Keep((StepAfter::kept(step), Vec::new())),
            })
        })
        .await
    }

    /// Changes a step and what must be written with it.
    async fn modify_step<R>(
        &self,
        scope: Scope,
        step_number: u32,
        decide: impl FnMut(Stored<Step>) -> Result<StepChange<R>, ExecutionError>,
    ) -> Result<R, ExecutionError> {
        match self.table.modify_stored(self.step_key(scope, step_number), decide).await {
            Ok(done) => done.ok_or(ExecutionError::NoSuchStep),
            Err(ExecutionError::Store(StoreError::Contended)) => {
                Err(self.why_lost(scope, step_number).await?)
            }
            Err(error) => Err(error),
        }
    }

    /// Why the writes of a step that moves were refused. Steps remain after their header: those of a deleted project
    /// for a moment, and those of a plan that is over until the next one is executed.
    async fn why_lost(&self, scope: Scope, step_number: u32) -> Result<ExecutionError, StoreError> {
        let header = header_key(scope, self.header_track());
        let header = self.table.get::<Header>(&header);
        let (header, step) = tokio::try_join!(header, self.step(scope, step_number))?;
        let (Some(header), Some(step)) = (header, step) else {
            return Ok(ExecutionError::NoSuchStep);
        };
        Ok(match header.value.plan_id == Some(step.plan_id) {
            true => StoreError::Contended.into(),
            false => ExecutionError::StalePlan,
        })
    }

    /// The track whose header counts this track's steps.
    fn header_track(&self) -> Track {
        if self.track == Track::Rollback { Track::Execution } else { self.track }
    }

    /// Stores more of a running command's output; `false` if the report is late, repeated, or of a run that should not
    /// go on.
    pub async fn progress(
        &self,
        scope: Scope,
        step_number: u32,
        run_id: &RunId,
        view: &OutputView,
    ) -> Result<bool, StoreError> {
        let output: AttributeValue = serde_dynamo::to_attribute_value(view)?;
        let sent = self
            .table
            .client
            .update_item()
            .table_name(&self.table.name)
            .set_key(Some(self.step_key(scope, step_number).attributes()))
            // This write counts in the version as well: a caller who has read the step before it must not restore the
            // old output.
            .update_expression("SET #output = :output ADD version :one")
            .condition_expression(GOES_ON)
            .expression_attribute_names("#output", "output")
            .expression_attribute_values(":one", number(1))
            .expression_attribute_values(":output", output)
            .expression_attribute_values(":run", AttributeValue::S(run_id.to_string()))
            .expression_attribute_values(
                ":running",
                AttributeValue::S(Phase::Running.as_str().to_owned()),
            )
            .expression_attribute_values(":seq", number(view.seq))
            .send()
            .await;
        unless_refused("UpdateItem", sent)
    }
}
