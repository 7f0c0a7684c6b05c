use super::{STACKS, books_are_right, nothing_is_held};
use api_tests::{Model, Project, Settings, World};
use domain::backup::{BackupId, BackupReason, BackupRequest};
use domain::step::Phase;
use fault_tests::once::{Scenario, Ways, every_fault};
use reqwest::Method;
use serde_json::{Value, json};
use store::backups::Backups;
use store::executions::Executions;
use store::transfers::{Transfer, Transfers};

/// A script that appends a line to a file in the workspace each time it runs.
const SCRIPT: &str = "echo ran >> effect.txt";

struct Approval;

struct Approved {
    project: Project,
    decision: Value,
}

/// The gateway's record of the backup after the first step.
async fn backup_of(world: &World, case: &Approved) -> Option<(BackupId, Transfer)> {
    let (table, scope) = (world.app.table(), case.project.scope());
    let execution = Executions::new(&table).load(scope).await.ok()??;
    let id = execution.step(1)?.run_id.clone()?;
    let request =
        BackupRequest { id: id.clone(), reason: BackupReason::Step, step_number: Some(1) }
            .to_string();
    let uploaded = Transfers::new(&table).find(scope, &request).await.ok()??;
    Some((id, uploaded))
}

impl Scenario for Approval {
    type Case = Approved;

    async fn begin(&self, world: &World) -> Approved {
        let project = world.owner.project("Once").await;
        project.sandbox_is_up().await;
        project.execute(&[SCRIPT, "cat effect.txt"]).await;
        let shown = project.step_is(1, "waiting_approval").await;
        let decision = json!({
            "plan_id": project.progress().await.id,
            "step_number": 1,
            "approved": true,
            "command_sha256": shown.command_sha256,
            "attempt": shown.attempt,
        });
        Approved { project, decision }
    }

    async fn act(&self, case: &Approved) -> bool {
        let call = case.project.call(Method::POST, "/execution/approve-step").json(&case.decision);
        call.attempt().await.is_some_and(|answer| answer.status == 200)
    }

    async fn has_ended(&self, world: &World, case: &Approved) -> bool {
        let scope = case.project.scope();
        let execution = Executions::new(&world.app.table()).load(scope).await;
        let Ok(Some(execution)) = execution else { return false };
        let phase = |number| execution.step(number).map(|step| step.phase);
        let ended = match phase(1) {
            Some(Phase::Completed) => {
                matches!(phase(2), Some(Phase::WaitingApproval | Phase::Failed))
                    && backup_of(world, case).await.is_some()
            }
            Some(Phase::Failed) => true,
            _ => false,
        };
        ended && nothing_is_held(world, scope.installation).await
    }

    async fn check(&self, world: &World, case: &Approved, _calls: Option<&[String]>) {
        let Approved { project, .. } = case;
        let step = project.step(1).await;
        project.sandbox_is_up().await;
        let effect = project.files().await.remove("effect.txt").unwrap_or_default();
        match step.status.as_str() {
            "completed" => {
                assert_eq!(effect, "ran\n");
                let (id, uploaded) = backup_of(world, case).await.expect("it has ended");
                let backups = Backups::new(&world.app.table()).get(project.scope()).await.unwrap();
                assert!(uploaded.error.is_some() || backups.find(&id).is_some(), "{backups:?}");
            }
            _ => {
                assert!(step.error_message.is_some_and(|words| !words.is_empty()));
                assert!(["", "ran\n"].contains(&effect.as_str()), "{effect:?}");
            }
        }
        books_are_right(world, project.installation(), Some(project)).await;
        project.post(&project.path("/sandbox/stop"), json!({})).await.is(200);
    }
}

#[tokio::test]
async fn an_approved_command_runs_once_despite_any_fault() {
    let model = Model::start().await;
    every_fault(Settings::with_model(&model), STACKS, Ways::Sharpest, &Approval).await;
}
