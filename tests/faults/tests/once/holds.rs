use super::{STACKS, books_are_right, nothing_is_held};
use api_tests::{Project, Settings, World};
use domain::plan::PlanStatus;
use fault_tests::once::{Scenario, Ways, every_fault};
use reqwest::Method;
use serde_json::json;
use std::sync::atomic::{AtomicBool, Ordering};
use store::plans::{PlanKind, Plans};

/// The prefix of the name of a call to the model.
const MODEL: &str = "POST /_local/model/";

/// A request about which the gatherer has no questions, so that the project has requirements to plan from.
const WISH: &str =
    "A small web service with a health check inside the sandbox itself, use the defaults";

/// Model calls in both forms: in a chat whose reader waits for it, and in a turn from the queue.
struct Asking;

struct Asked {
    project: Project,
    said: AtomicBool,
}

impl Scenario for Asking {
    type Case = Asked;

    async fn begin(&self, world: &World) -> Asked {
        let project = world.owner.project("Held").await;
        project.has_requirements().await;
        Asked { project, said: AtomicBool::new(false) }
    }

    async fn act(&self, case: &Asked) -> bool {
        // A reply that broke off is not requested again automatically: its reader decides that.
        if !case.said.swap(true, Ordering::Relaxed) {
            let say = case.project.call(Method::POST, "/planning/requirements-gatherer");
            say.json(&json!({"message": WISH})).attempt().await;
        }
        let plan = case.project.call(Method::POST, "/planning/cloud-architect");
        let plan = plan.json(&json!({"message": "Generate"})).attempt().await;
        plan.is_some_and(|answer| answer.status == 202)
    }

    async fn has_ended(&self, world: &World, case: &Asked) -> bool {
        let scope = case.project.scope();
        let plan = Plans::new(&world.app.table()).get(scope, PlanKind::Architecture).await;
        let Ok(Some(plan)) = plan else { return false };
        let ended = matches!(plan.status, PlanStatus::Ready | PlanStatus::Failed);
        ended && nothing_is_held(world, scope.installation).await
    }

    async fn check(&self, world: &World, case: &Asked, calls: Option<&[String]>) {
        let plans = Plans::new(&world.app.table());
        let plan = plans.get(case.project.scope(), PlanKind::Architecture).await.unwrap().unwrap();
        if plan.status == PlanStatus::Failed {
            assert!(plan.detail.is_some_and(|words| !words.is_empty()), "it fails with a message");
        }
        let installation = case.project.installation();
        let paid = books_are_right(world, installation, Some(&case.project)).await;
        let asked = calls.map(|calls| calls.iter().filter(|call| call.starts_with(MODEL)).count());
        assert!(
            asked.is_none_or(|asked| paid <= asked),
            "{paid} calls were paid, of these: {asked:?}"
        );
    }
}

#[tokio::test]
async fn a_model_call_is_paid_once_and_its_hold_is_released_despite_any_fault() {
    every_fault(Settings::default(), STACKS, Ways::Sharpest, &Asking).await;
}
