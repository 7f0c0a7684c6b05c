//! Reads an execution, or one step of it.

use super::marks::{Marks, Place, Versions};
use super::{Execution, Executions, Header, header, header_key, rollback};
use crate::keys::partition;
use crate::{StoreError, Stored};
use domain::Scope;
use domain::step::{Step, Track};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// What a read of an execution also returns: the items that a write may replace, with their versions.
pub(super) struct Kept {
    pub header: Stored<Header>,
    /// The last rollback, of any plan.
    pub rollback: Option<Stored<Step>>,
    /// The versions of the execution's items.
    pub versions: Versions,
    /// The numbers of all steps in the table, of any plan.
    pub places: Vec<u32>,
    pub marks: Marks,
}

impl Executions {
    /// The project's execution; `None` if this installation has no such project.
    pub async fn load(&self, scope: Scope) -> Result<Option<Execution>, StoreError> {
        Ok(self.load_kept(scope).await?.map(|(execution, _)| execution))
    }

    pub(super) async fn load_kept(
        &self,
        scope: Scope,
    ) -> Result<Option<(Execution, Kept)>, StoreError> {
        let rows = self.table.query::<Value>(&partition(scope), header(self.track)).await?;
        let (mut header, mut steps, mut rollback) = (None, Vec::new(), None);
        for (sk, row) in rows {
            if sk == rollback::ROLLBACK {
                rollback = Some(shaped::<Step>(row)?);
            } else if sk == super::header(self.track) {
                header = Some((Marks::of(&row.value), shaped::<Header>(row)?));
            } else {
                steps.push(shaped::<Step>(row)?);
            }
        }
        if self.track == Track::Rollback {
            // The rollback belongs to the plan that it names.
            return Ok(rollback.map(|kept| {
                let (plan_id, steps) = (Some(kept.value.plan_id.clone()), vec![kept.value.clone()]);
                let header = Stored { value: Header::default(), version: 0 };
                let execution = Execution { plan_id, steps, ..Execution::default() };
                let (versions, marks) = (Versions::default(), Marks::default());
                let places = Vec::new();
                (execution, Kept { header, rollback: Some(kept), versions, places, marks })
            }));
        }
        let Some((marks, header)) = header else { return Ok(None) };
        let of_this_plan =
            |step: &Stored<Step>| Some(&step.value.plan_id) == header.value.plan_id.as_ref();
        let rolled_back = rollback.as_ref().filter(|one| of_this_plan(one));
        let all = steps.iter().map(|step| step.value.number).collect();
        // Steps of a replaced plan do not belong to this execution.
        steps.retain(of_this_plan);
        let places = steps.iter().map(|step| (Place::Step(step.value.number), step));
        let places = places.chain(rolled_back.map(|step| (Place::Rollback, step)));
        let versions = places.map(|(place, step)| (place, step.version)).collect();
        let rolled_back = rolled_back.map(|one| one.value.clone());
        let steps = steps.into_iter().map(|step| step.value).collect();
        let Header { plan_id, autonomy, used_before, .. } = header.value.clone();
        let execution = Execution { plan_id, steps, autonomy, rollback: rolled_back, used_before };
        Ok(Some((execution, Kept { header, rollback, versions, places: all, marks })))
    }

    /// One step.
    pub async fn step(&self, scope: Scope, number: u32) -> Result<Option<Step>, StoreError> {
        Ok(self.table.get(&self.step_key(scope, number)).await?.map(|stored| stored.value))
    }

    /// One step of the current plan, without reading the others.
    pub async fn current_step(
        &self,
        scope: Scope,
        number: u32,
    ) -> Result<Option<Step>, StoreError> {
        let header = header_key(scope, self.track);
        let header = self.table.get::<Header>(&header);
        let (header, step) = tokio::try_join!(header, self.step(scope, number))?;
        let plan_id = header.and_then(|header| header.value.plan_id);
        Ok(step.filter(|step| step.number == number && Some(&step.plan_id) == plan_id.as_ref()))
    }
}

/// An item that was read untyped, as a type.
pub(super) fn shaped<T: DeserializeOwned>(row: Stored<Value>) -> Result<Stored<T>, StoreError> {
    let value = serde_json::from_value(row.value);
    let value = value.map_err(|_| StoreError::dynamo_shape("an execution item"))?;
    Ok(Stored { value, version: row.version })
}
