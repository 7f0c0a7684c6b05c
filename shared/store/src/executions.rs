//! Executions: a header and one item per step, read together by one query.
//!
//! A step moves by [`Executions::apply`], which runs the state machine of `domain` inside a
//! conditional write. Output that is still growing takes a cheaper way, [`Executions::progress`]: it
//! touches one attribute, only while that very run is running and only if it is newer, so frames
//! that overtake each other cannot put an old view over a new one.

use crate::audit::{Audit, decision_write, run_write};
use crate::projects::partition;
use crate::table::{Change, Key, Table, built, number};
use crate::{StoreError, Stored};
use aws_sdk_dynamodb::types::builders::PutBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem};
use domain::audit::{Actor, DecisionRecord, RunRecord, Verdict};
use domain::output::OutputView;
use domain::plan::PlannedStep;
use domain::step::{Applied, Event, Phase, Refusal, Step, StepDecision, Track};
use domain::{PlanId, RunId, Scope, Timestamp};
use serde::{Deserialize, Serialize};

/// The execution of a project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Execution {
    /// The plan it was made from; `None` before the first trigger.
    pub plan_id: Option<PlanId>,
    /// Its steps in order.
    pub steps: Vec<Step>,
}

impl Execution {
    /// Every step is completed, and there is one.
    pub fn is_done(&self) -> bool {
        !self.steps.is_empty() && self.steps.iter().all(|step| step.phase == Phase::Completed)
    }

    /// The step of this number.
    pub fn step(&self, number: u32) -> Option<&Step> {
        self.steps.iter().find(|step| step.number == number)
    }
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Header {
    plan_id: Option<PlanId>,
    started_at: Option<Timestamp>,
}

/// Why a step did not move.
#[derive(Debug, thiserror::Error)]
pub enum ExecutionError {
    /// The user's wish is against the rules.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The execution was made anew from another plan.
    #[error("This plan has been replaced. Reload to see the new one.")]
    StalePlan,
    /// A step of the former plan is still running.
    #[error("A step is still running. Wait for it to end before starting a new plan.")]
    StillRunning,
    /// There is no such step.
    #[error("There is no such step.")]
    NoSuchStep,
    /// The table failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What a decision came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decided {
    /// It moved the step, to this.
    Now(Step),
    /// It was made before; the step as it is now.
    Before { record: Box<DecisionRecord>, now: Step },
}

/// The executions of the table, on one of the two tracks.
#[derive(Clone, Debug)]
pub struct Executions {
    table: Table,
    track: Track,
}

/// The sort key of a track's header, and the beginning of its steps'.
fn header(track: Track) -> &'static str {
    match track {
        Track::Execution => "EXECUTION",
        Track::Validation => "VALIDATION",
        Track::Helper => "HELPER",
    }
}

fn header_key(scope: Scope, track: Track) -> Key {
    Key::new(partition(scope), header(track))
}

pub(crate) fn initial(table: &Table, scope: Scope) -> Result<Vec<PutBuilder>, StoreError> {
    let put = |track| table.put_in_transaction(&header_key(scope, track), &Header::default(), 1);
    Track::ALL.into_iter().map(put).collect()
}

impl Executions {
    /// The executions in `table`, on the track of the execution stage.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone(), track: Track::Execution }
    }

    /// The same on another track.
    pub fn on(&self, track: Track) -> Self {
        Self { table: self.table.clone(), track }
    }

    /// Which track these are on.
    pub fn track(&self) -> Track {
        self.track
    }

    /// The project's audit records.
    pub fn audit(&self) -> Audit {
        Audit::new(&self.table)
    }

    fn step_key(&self, scope: Scope, number: u32) -> Key {
        Key::new(partition(scope), format!("{}#{number:06}", header(self.track)))
    }

    /// The project's execution; `None` when there is no such project for this installation.
    pub async fn load(&self, scope: Scope) -> Result<Option<Execution>, StoreError> {
        Ok(self.load_versions(scope).await?.map(|(execution, _)| execution))
    }

    async fn load_versions(
        &self,
        scope: Scope,
    ) -> Result<Option<(Execution, Stored<Header>)>, StoreError> {
        let rows =
            self.table.query::<serde_json::Value>(&partition(scope), header(self.track)).await?;
        let mut header = None;
        let mut steps = Vec::new();
        for (sk, row) in rows {
            let shape = |_| StoreError::dynamo_shape("an execution item");
            if sk == crate::executions::header(self.track) {
                let value = serde_json::from_value::<Header>(row.value).map_err(shape)?;
                header = Some(Stored { value, version: row.version });
            } else {
                steps.push(serde_json::from_value::<Step>(row.value).map_err(shape)?);
            }
        }
        let Some(header) = header else { return Ok(None) };
        // Steps of a plan that is being replaced are not of this execution.
        steps.retain(|step| Some(&step.plan_id) == header.value.plan_id.as_ref());
        Ok(Some((Execution { plan_id: header.value.plan_id.clone(), steps }, header)))
    }

    /// Starts the execution of a plan. The plan that is there already is left as it is.
    pub async fn start(
        &self,
        scope: Scope,
        plan_id: &PlanId,
        planned: &[PlannedStep],
    ) -> Result<Option<()>, ExecutionError> {
        let Some((former, header)) = self.load_versions(scope).await? else { return Ok(None) };
        if former.plan_id.as_ref() == Some(plan_id) {
            return Ok(Some(()));
        }
        if former.steps.iter().any(|step| step.phase == Phase::Running) {
            return Err(ExecutionError::StillRunning);
        }
        let writes = self.start_writes(scope, plan_id, planned, &former, header.version)?;
        if self.table.transact(writes).await? {
            return Ok(Some(()));
        }
        // Somebody else came first: with this very plan, who asked twice, or with another one.
        let winner = self.load(scope).await?.and_then(|execution| execution.plan_id);
        if winner.as_ref() == Some(plan_id) {
            Ok(Some(()))
        } else {
            Err(StoreError::Contended.into())
        }
    }

    fn start_writes(
        &self,
        scope: Scope,
        plan_id: &PlanId,
        planned: &[PlannedStep],
        former: &Execution,
        header_version: u64,
    ) -> Result<Vec<TransactWriteItem>, StoreError> {
        let header = Header { plan_id: Some(plan_id.clone()), started_at: Some(Timestamp::now()) };
        let header = self
            .table
            .put_in_transaction(&header_key(scope, self.track), &header, header_version + 1)?
            .condition_expression("version = :version")
            .expression_attribute_values(":version", number(header_version));
        let mut writes = vec![TransactWriteItem::builder().put(built(header.build())?).build()];
        for (number, planned) in (1..).zip(planned) {
            let PlannedStep { description, prompt } = planned.clone();
            let step = Step::new(plan_id.clone(), number, description, prompt);
            let put = self.table.put_in_transaction(&self.step_key(scope, number), &step, 1)?;
            writes.push(TransactWriteItem::builder().put(built(put.build())?).build());
        }
        let kept = planned.len();
        for step in former.steps.iter().filter(|step| step.number as usize > kept) {
            let delete = self.table.delete_in_transaction(&self.step_key(scope, step.number));
            writes.push(TransactWriteItem::builder().delete(built(delete.build())?).build());
        }
        Ok(writes)
    }

    /// Adds a step behind the last one, made by `step` from its number; old ones beyond `keep` go.
    ///
    /// For a track without a plan, whose steps come one by one.
    pub async fn add(
        &self,
        scope: Scope,
        plan_id: &PlanId,
        keep: u32,
        step: impl Fn(u32) -> Step,
    ) -> Result<Option<Step>, ExecutionError> {
        if self.start(scope, plan_id, &[]).await?.is_none() {
            return Ok(None);
        }
        loop {
            let present = self.load(scope).await?.unwrap_or_default();
            let number = present.steps.last().map_or(1, |last| last.number + 1);
            let added = step(number);
            if self.table.put_new(&self.step_key(scope, number), &added, None).await? {
                if let Some(old) = number.checked_sub(keep).filter(|old| *old > 0) {
                    self.table.take::<Step>(&self.step_key(scope, old)).await?;
                }
                return Ok(Some(added));
            }
        }
    }

    /// One step.
    pub async fn step(&self, scope: Scope, number: u32) -> Result<Option<Step>, StoreError> {
        Ok(self.table.get(&self.step_key(scope, number)).await?.map(|stored| stored.value))
    }

    /// Applies an event to a step; the step as it is afterwards, and whether the event moved it.
    pub async fn apply(
        &self,
        scope: Scope,
        plan_id: &PlanId,
        step_number: u32,
        event: &Event,
    ) -> Result<(Step, bool), ExecutionError> {
        self.apply_if(scope, step_number, event, |step| &step.plan_id == plan_id).await
    }

    /// Applies an event that names its run, which is of one plan only: no plan needs to be named.
    pub async fn apply_to_run(
        &self,
        scope: Scope,
        step_number: u32,
        event: &Event,
    ) -> Result<(Step, bool), ExecutionError> {
        self.apply_if(scope, step_number, event, |_| true).await
    }

    async fn apply_if(
        &self,
        scope: Scope,
        step_number: u32,
        event: &Event,
        of_the_plan: impl Fn(&Step) -> bool,
    ) -> Result<(Step, bool), ExecutionError> {
        let applied = self.table.modify_with(self.step_key(scope, step_number), |step: Step| {
            if !of_the_plan(&step) {
                return Err(ExecutionError::StalePlan);
            }
            Ok(match step.apply(event.clone())? {
                Applied::Changed(next) => {
                    let ended = RunRecord::of(self.track, &step, &next);
                    let record = |run| run_write(&self.table, scope, &run);
                    let records = ended.map(record).transpose()?.into_iter().collect();
                    Change::Write((*next).clone(), ((*next, true), records))
                }
                Applied::Ignored => Change::Keep(((step, false), Vec::new())),
            })
        });
        applied.await?.ok_or(ExecutionError::NoSuchStep)
    }

    /// Carries out an owner's decision and keeps its record, both or neither.
    ///
    /// The same decision on the same attempt changes nothing a second time: its record is the answer.
    pub async fn decide(
        &self,
        scope: Scope,
        decision: &StepDecision,
        by: &Actor,
        credentials: &[String],
    ) -> Result<Decided, ExecutionError> {
        let StepDecision { plan_id, step_number, approved, seen } = decision;
        let verdict = if *approved { Verdict::Approved } else { Verdict::Rejected };
        let event = match verdict {
            Verdict::Approved => Event::Approve {
                run_id: RunId::random(),
                seen: seen.clone(),
                credentials: credentials.to_vec(),
            },
            _ => Event::Reject { seen: seen.clone() },
        };
        let mut before = None;
        let decided = self.table.modify_with(self.step_key(scope, *step_number), |step: Step| {
            before = Some(step.clone());
            if &step.plan_id != plan_id {
                return Err(ExecutionError::StalePlan);
            }
            let next = match step.apply(event.clone())? {
                Applied::Changed(next) => *next,
                Applied::Ignored => return Err(Refusal::IllegalTransition.into()),
            };
            let record = DecisionRecord::new(self.track, verdict, &step, &next, by.clone());
            let record = decision_write(&self.table, scope, &record)?;
            Ok(Change::Write(next.clone(), (next, vec![record])))
        });
        match decided.await {
            Ok(step) => step.map(Decided::Now).ok_or(ExecutionError::NoSuchStep),
            Err(refused @ (ExecutionError::Refused(_) | ExecutionError::StalePlan)) => {
                let Some(now) = before else { return Err(refused) };
                self.repeated(scope, decision, verdict, now).await?.ok_or(refused)
            }
            Err(error) => Err(error),
        }
    }

    /// What the very same decision was answered before, if it was made.
    async fn repeated(
        &self,
        scope: Scope,
        decision: &StepDecision,
        verdict: Verdict,
        now: Step,
    ) -> Result<Option<Decided>, StoreError> {
        let Some(attempt) = decision.seen.attempt else { return Ok(None) };
        let step = (self.track, &decision.plan_id, decision.step_number);
        let record = Audit::new(&self.table).decision(scope, step, attempt, verdict).await?;
        let named = decision.seen.command_sha256.as_ref();
        let same = |record: &DecisionRecord| {
            let shown = record.command.as_ref().map(|command| &command.sha256);
            named.is_none() || named == shown
        };
        Ok(record.filter(same).map(|record| Decided::Before { record: Box::new(record), now }))
    }

    /// Shows more of a running command's output; late, repeated and foreign views are dropped.
    pub async fn progress(
        &self,
        scope: Scope,
        step_number: u32,
        run_id: &RunId,
        view: &OutputView,
    ) -> Result<(), StoreError> {
        let output: AttributeValue = serde_dynamo::to_attribute_value(view)?;
        let sent = self
            .table
            .client
            .update_item()
            .table_name(&self.table.name)
            .set_key(Some(self.step_key(scope, step_number).attributes()))
            // The version counts this as well: a change of the step that has read it before must not put the old
            // output back.
            .update_expression("SET #output = :output ADD version :one")
            .condition_expression("run_id = :run AND phase = :running AND #output.seq < :seq")
            .expression_attribute_names("#output", "output")
            .expression_attribute_values(":one", number(1))
            .expression_attribute_values(":output", output)
            .expression_attribute_values(":run", AttributeValue::S(run_id.to_string()))
            .expression_attribute_values(":running", AttributeValue::S("running".to_owned()))
            .expression_attribute_values(":seq", number(view.seq))
            .send()
            .await;
        match sent {
            Ok(_) => Ok(()),
            Err(error)
                if error
                    .as_service_error()
                    .is_some_and(|e| e.is_conditional_check_failed_exception()) =>
            {
                Ok(())
            }
            Err(error) => Err(StoreError::dynamo("UpdateItem")(error)),
        }
    }
}
