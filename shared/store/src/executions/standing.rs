//! Standing approvals: the checks of a validated project that may run again unchanged.

use super::front::Needs;
use super::{Execution, ExecutionError, Executions, Header, first_version, header_key};
use crate::audit::decision_write;
use crate::table::{Change, IntoWrite, batches, number};
use crate::{StoreError, Stored};
use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem};
use domain::audit::{Actor, DecisionRecord, Verdict};
use domain::plan::MAX_STEPS;
use domain::step::Step;
use domain::{PlanId, Scope};

impl Execution {
    /// The next check that is to run again under its standing approval; none while one runs, and none once a check
    /// could not tell the current state.
    pub fn next_recheck(&self) -> Option<&Step> {
        let mut standing = self.steps.iter().filter(|step| step.standing.is_some());
        let next = standing.clone().find(|step| step.phase.is_pending())?;
        standing.all(|step| step.phase.is_pending() || step.has_answered()).then_some(next)
    }

    /// Whether a check runs again or the next one is about to, because between two checks none is running.
    pub fn is_rechecking(&self) -> bool {
        self.steps.iter().any(|step| step.phase.is_running()) || self.next_recheck().is_some()
    }
}

impl Executions {
    /// Lets these checks of a validated plan run again, each as it passed, and records who allowed it.
    ///
    /// A check that already may is left as it is. Approvals of another plan's checks end. Checks that are too large for
    /// one transaction are written in several; if a call dies between two of them, repeating it completes the rest.
    pub async fn give_standing(
        &self,
        scope: Scope,
        plan_id: &PlanId,
        checks: &[Step],
        by: &Actor,
        credentials: &[String],
    ) -> Result<(), ExecutionError> {
        // The first one begins the track.
        let header = header_key(scope, self.track);
        self.table.put_new(&header, &Header::default(), None).await?;
        let Some((former, mut kept)) = self.load_kept(scope).await? else {
            return Err(StoreError::dynamo_shape("an execution's header").into());
        };
        if former.steps.iter().any(|step| step.phase.is_running()) {
            return Err(ExecutionError::StillRunning);
        }
        let mut given = Vec::new();
        for check in checks {
            let before = former.step(check.number);
            if before.is_some_and(|before| before.stands_for(check)) {
                continue;
            }
            let attempt = before.map_or(0, |before| before.attempt + 1).max(check.attempt);
            let after = check.standing(attempt, by, credentials);
            let record =
                DecisionRecord::new(self.track, Verdict::Approved, &after, &after, by.clone());
            let key = self.step_key(scope, check.number);
            let put = self.table.put_in_transaction(&key, &after, first_version())?;
            let put = put.into_write()?;
            given.push(vec![put, decision_write(&self.table, scope, &record)?]);
        }
        // Without a new check, the plan is still noted.
        let mut batches = batches(given, 2 * MAX_STEPS);
        if batches.is_empty() {
            batches.push(Vec::new());
        }
        for batch in batches {
            let plan = self.plan_write(scope, plan_id, &kept.header)?;
            if !self.table.transact([vec![plan], batch].concat()).await? {
                return Err(StoreError::Contended.into());
            }
            kept.header.value.plan_id = Some(plan_id.clone());
            kept.header.version += 1;
        }
        Ok(())
    }

    /// Ends the standing approval of a check and records who ended it; does nothing if the check has none.
    pub async fn withdraw_standing(
        &self,
        scope: Scope,
        step_number: u32,
        by: &Actor,
    ) -> Result<(), ExecutionError> {
        self.modify_step(scope, step_number, |stored: Stored<Step>| {
            let Stored { value: step, version } = stored;
            if step.standing.is_none() {
                return Ok(Change::Keep(((), Vec::new())));
            }
            let next = step.withdrawn();
            let record = DecisionRecord::new(
                self.track,
                Verdict::ApprovalWithdrawn,
                &step,
                &next,
                by.clone(),
            );
            let record = decision_write(&self.table, scope, &record)?;
            let front = self.front_write(scope, (&next, version + 1), Needs::default())?;
            let records = [Some(record), front].into_iter().flatten().collect();
            Ok(Change::Write(next, ((), records)))
        })
        .await
    }

    fn plan_write(
        &self,
        scope: Scope,
        plan_id: &PlanId,
        header: &Stored<Header>,
    ) -> Result<TransactWriteItem, StoreError> {
        let version = header.version;
        let same = header.value.plan_id.as_ref() == Some(plan_id);
        let forget = if same { "" } else { " REMOVE drifted" };
        let update = self
            .table
            .update_in_transaction(&header_key(scope, self.track))
            .update_expression(format!("SET plan_id = :plan, version = :next{forget}"))
            .condition_expression("version = :version")
            .expression_attribute_values(":plan", AttributeValue::S(plan_id.to_string()))
            .expression_attribute_values(":next", number(version + 1))
            .expression_attribute_values(":version", number(version));
        update.into_write()
    }
}
