//! Carries out an owner's decision on a step, and records it.

use super::front::Needs;
use super::{Decided, ExecutionError, Executions};
use crate::audit::{Audit, decision_write};
use crate::table::Change;
use crate::{StoreError, Stored};
use domain::audit::{Actor, DecisionRecord, Verdict};
use domain::step::{Applied, Event, Refusal, Step, StepDecision, Track};
use domain::{RunId, Scope};

impl Executions {
    /// Carries out an owner's decision and records it, in one transaction.
    ///
    /// Repeating the same decision on the same attempt changes nothing: its record is the answer.
    pub async fn decide(
        &self,
        scope: Scope,
        decision: &StepDecision,
        by: &Actor,
        credentials: &[String],
    ) -> Result<Decided, ExecutionError> {
        let StepDecision { plan_id, step_number, approved, seen, reason, roll_back: _ } = decision;
        let verdict = if *approved { Verdict::Approved } else { Verdict::Rejected };
        let event = match verdict {
            Verdict::Approved => Event::Approve {
                run_id: RunId::random(),
                seen: seen.clone(),
                credentials: credentials.to_vec(),
            },
            _ => Event::Reject { seen: seen.clone(), reason: reason.clone() },
        };
        let runs_steps = self.track == Track::Execution && *approved;
        let mut before = None;
        let decided = self.modify_step(scope, *step_number, |stored: Stored<Step>| {
            let Stored { value: step, version } = stored;
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
            let alone = self.starts_alone(&step, &next);
            let needs = Needs { alone, plan: true, ..Needs::default() };
            let front = self.front_write(scope, (&next, version + 1), needs)?;
            let stands = runs_steps.then(|| self.stands(scope, plan_id)).transpose()?;
            let records = [Some(record), front, stands].into_iter().flatten().collect();
            Ok(Change::Write(next.clone(), (next, records)))
        });
        match decided.await {
            Ok(step) => Ok(Decided::Now(step)),
            Err(refused @ (ExecutionError::Refused(_) | ExecutionError::StalePlan)) => {
                let Some(now) = before else { return Err(refused) };
                self.repeated(scope, decision, verdict, now).await?.ok_or(refused)
            }
            // The transaction can also lose to a rollback or to another step.
            Err(lost @ ExecutionError::Store(StoreError::Contended)) if runs_steps => {
                self.check_stands(scope, plan_id).await?;
                let another = self.another_runs(scope, *step_number).await?;
                Err(if another { Refusal::AnotherRuns.into() } else { lost })
            }
            Err(error) => Err(error),
        }
    }

    /// The answer that exactly the same decision got before, if it was made.
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
}
