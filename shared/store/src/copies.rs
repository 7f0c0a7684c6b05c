//! Copies of a project's documents, with which another project begins.

use crate::StoreError;
use crate::changes::Past;
use crate::plans::{PlanKind, Plans, plan_key, requirements_key};
use crate::versions::rewrite;
use domain::document::DocumentId;
use domain::plan::{Plan, PlanStatus, Requirements};
use domain::{PlanId, Scope};

impl Plans {
    /// Copies the requirements and plans of another project to a project without documents, as their first versions:
    /// those of `former` if it is given, and otherwise the current ones.
    pub async fn copy(
        &self,
        from: Scope,
        former: Option<&Past>,
        to: Scope,
    ) -> Result<(), StoreError> {
        let theirs = match former {
            Some(past) => Some(past.requirements.clone()),
            None => self.requirements(from).await?,
        };
        let has_own = self.requirements(to).await?.is_some_and(|own| !own.content.is_empty());
        if let Some(theirs) = theirs.filter(|_| !has_own) {
            let place = (requirements_key(to), to, DocumentId::Requirements);
            rewrite(&self.table, place, |_: Requirements| theirs.clone()).await?;
        }
        for kind in [PlanKind::Architecture, PlanKind::Implementation] {
            let theirs = match former {
                Some(past) => Some(past.plan(kind).clone()),
                None => self.get(from, kind).await?,
            };
            let Some(theirs) = theirs.filter(|plan| !plan.text.is_empty()) else { continue };
            if self.get(to, kind).await?.is_some_and(|own| !own.text.is_empty()) {
                continue;
            }
            let place = (plan_key(to, kind), to, kind.document());
            rewrite(&self.table, place, |_: Plan| Plan {
                status: PlanStatus::Ready,
                // Executions name their plan by its id, so the copy needs a separate one.
                plan_id: Some(PlanId::random()),
                run_id: None,
                detail: None,
                ..theirs.clone()
            })
            .await?;
        }
        Ok(())
    }
}
