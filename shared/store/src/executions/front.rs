//! The summary of an execution's steps in its header, for lists of projects.

use super::{Executions, Front, header_key};
use crate::StoreError;
use crate::table::built;
use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem, Update};
use domain::Scope;
use domain::step::{Autonomy, Step, Track};

impl Executions {
    /// Notes in the execution's header which step moved last, and whether it finds drift. A step always belongs to the
    /// plan that its header names, so this needs no condition but the level that its owner must still want.
    pub(super) fn front_write(
        &self,
        scope: Scope,
        step: &Step,
        needs: Option<Autonomy>,
    ) -> Result<Option<TransactWriteItem>, StoreError> {
        let front = Front { number: step.number, status: step.status() };
        let expression = match (self.track, step.drifted_since) {
            (Track::Drift, Some(_)) => "SET front = :front ADD drifted :number",
            (Track::Drift, None) => "SET front = :front DELETE drifted :number",
            (Track::Execution | Track::Validation | Track::Helper, _) => "SET front = :front",
            // It has no header.
            (Track::Rollback, _) => return Ok(None),
        };
        let mut update = Update::builder()
            .table_name(&self.table.name)
            .set_key(Some(header_key(scope, self.track).attributes()))
            .update_expression(expression)
            .expression_attribute_values(":front", serde_dynamo::to_attribute_value(front)?);
        if self.track == Track::Drift {
            let number = AttributeValue::Ns(vec![step.number.to_string()]);
            update = update.expression_attribute_values(":number", number);
        }
        if let Some(autonomy) = needs {
            let autonomy = AttributeValue::S(autonomy.as_str().to_owned());
            update = update
                .condition_expression("autonomy = :autonomy")
                .expression_attribute_values(":autonomy", autonomy);
        }
        Ok(Some(TransactWriteItem::builder().update(built(update.build())?).build()))
    }
}
