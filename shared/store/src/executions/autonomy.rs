//! Sets which commands the owner of a plan is asked about.

use super::{ExecutionError, Executions, header_key};
use crate::audit::decision_write;
use crate::table::IntoWrite;
use aws_sdk_dynamodb::types::AttributeValue;
use domain::audit::{Actor, DecisionRecord};
use domain::step::Autonomy;
use domain::{PlanId, Scope};

impl Executions {
    /// Sets the autonomy of the plan that was shown and records it, both or neither; another plan starts at the
    /// default.
    pub async fn set_autonomy(
        &self,
        scope: Scope,
        plan_id: &PlanId,
        autonomy: Autonomy,
        by: &Actor,
    ) -> Result<(), ExecutionError> {
        let text = |text: &str| AttributeValue::S(text.to_owned());
        let update = self
            .table
            .update_in_transaction(&header_key(scope, self.track))
            .update_expression("SET autonomy = :autonomy")
            .condition_expression("plan_id = :plan")
            .expression_attribute_values(":plan", text(plan_id.as_str()))
            .expression_attribute_values(":autonomy", text(autonomy.as_str()));
        let update = update.into_write()?;
        let record = DecisionRecord::of_autonomy(self.track, plan_id.clone(), autonomy, by.clone());
        let record = decision_write(&self.table, scope, &record)?;
        let set = self.table.transact(vec![update, record]).await?;
        set.then_some(()).ok_or(ExecutionError::StalePlan)
    }
}
