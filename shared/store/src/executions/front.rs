//! The summary of an execution's steps in its header, for lists of projects.
//!
//! Each step that moves writes the header in the same transaction and counts its version. So a call that has read the
//! execution and then replaces its header (a new plan, another change) finds that a step has moved in the meantime.

use super::alone::only_step;
use super::marks::mark_of;
use super::{EXISTS, Executions, Front, header_key};
use crate::StoreError;
use crate::table::{IntoWrite, number};
use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem};
use domain::Scope;
use domain::step::{Autonomy, Step, Track};

/// The condition on a header that it names the step's plan, `:plan`.
pub(super) const OF_ITS_PLAN: &str = "plan_id = :plan";

pub(super) fn plan_of(step: &Step) -> AttributeValue {
    AttributeValue::S(step.plan_id.to_string())
}

/// What must hold of an execution when a step moves, besides that its project has not been deleted.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Needs {
    /// That its owner still wants this autonomy.
    pub autonomy: Option<Autonomy>,
    /// That no other step runs.
    pub alone: bool,
    /// That the execution still belongs to the step's plan. A run that ends need not: its end is recorded in any case.
    pub plan: bool,
}

impl Executions {
    /// Records in the execution's header which step moves, the version that it is about to have, and whether it finds
    /// drift.
    pub(super) fn front_write(
        &self,
        scope: Scope,
        (step, version): (&Step, u64),
        needs: Needs,
    ) -> Result<Option<TransactWriteItem>, StoreError> {
        let front = Front { number: step.number, status: step.status() };
        let mark = self.mark_name(step.number);
        let also = match (self.track, step.drifted_since) {
            (Track::Drift, Some(_)) => " ADD drifted :number, version :one".to_owned(),
            (Track::Drift, None) => " ADD version :one DELETE drifted :number".to_owned(),
            (Track::Execution | Track::Validation | Track::Helper, _) => {
                let mark = mark.as_ref().map(|name| format!(", {name} = :mark"));
                format!("{} ADD version :one", mark.unwrap_or_default())
            }
            // The rollback has no separate header.
            (Track::Rollback, _) => return self.mark_write(scope, (step, version), needs.plan),
        };
        let mut update = self
            .table
            .update_in_transaction(&header_key(scope, self.track))
            .update_expression(format!("SET front = :front{also}"))
            .expression_attribute_values(":one", number(1))
            .expression_attribute_values(":front", serde_dynamo::to_attribute_value(front)?);
        if mark.is_some() {
            let mark = number(mark_of(step, version));
            update = update.expression_attribute_values(":mark", mark);
        }
        if self.track == Track::Drift {
            let number = AttributeValue::Ns(vec![step.number.to_string()]);
            update = update.expression_attribute_values(":number", number);
        }
        let mut conditions = vec![EXISTS.to_owned()];
        if let Some(autonomy) = needs.autonomy {
            let autonomy = AttributeValue::S(autonomy.as_str().to_owned());
            conditions.push("autonomy = :autonomy".to_owned());
            update = update.expression_attribute_values(":autonomy", autonomy);
        }
        if needs.alone {
            conditions.push(only_step(step.number));
            update = update.expression_attribute_values(":zero", number(0));
        }
        if needs.plan {
            conditions.push(OF_ITS_PLAN.to_owned());
            update = update.expression_attribute_values(":plan", plan_of(step));
        }
        update = update.condition_expression(conditions.join(" AND "));
        Ok(Some(update.into_write()?))
    }
}
