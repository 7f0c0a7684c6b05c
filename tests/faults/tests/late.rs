//! Late arrivals: a credential after the approval, a question or a backup after the sandbox was replaced.

use api_tests::{Model, World};
use domain::backup::{BackupReason, BackupRequest};
use domain::sandbox::Sandbox;
use fault_tests::Agent;
use protocol::{FromAgent, StateAnswer, StateAsk, ToAgent, WorkspaceUse};
use serde_json::json;
use store::backups::Backups;

#[tokio::test]
async fn a_credential_that_comes_after_an_approval_is_not_for_its_command() {
    let model = Model::start().await;
    let world = World::with(&model).await;
    let project = world.owner.project("Late").await;
    let has = async |provider: &str, name: &str| {
        let values = json!({"values": {name: format!("value-of-{name}")}});
        project.put(&format!("/planning/credentials/{provider}"), values).await.is(204);
    };
    has("other", "EARLY").await;
    let mut agent = Agent::of(&project).await;
    agent.says_hello(1).await;
    let (next, _) = agent.welcomed().await;
    project.execute(&["env"]).await;
    project.approve(1).await;
    agent.order().await;

    // It never received the order, and gets it again when it has reconnected.
    has("ssh", "LATE").await;
    drop(agent);
    let mut agent = Agent::opens(&project, &next).await;
    agent.says_hello(2).await;
    let order = agent.order().await;
    assert_eq!(order.env.keys().collect::<Vec<_>>(), ["EARLY"]);
    assert!(order.hidden.contains(&"value-of-LATE".to_owned()), "its value is still masked");
}

#[tokio::test]
async fn a_sandbox_that_was_replaced_is_refused_terraforms_state() {
    let world = World::start().await;
    let project = world.owner.project("Late").await;
    let mut old = Agent::of(&project).await;
    let mut new = Agent::of(&project).await;
    let reads = async |agent: &mut Agent| {
        let (request_id, name) = ("r".to_owned(), "main".to_owned());
        let order = 1;
        agent.says(FromAgent::State { request_id, name, order, ask: StateAsk::Read }).await;
        let answer = agent.wait_for(|message| match message {
            ToAgent::State { answer, .. } => Some(answer.clone()),
            _ => None,
        });
        answer.await
    };
    assert_eq!(reads(&mut new).await, StateAnswer::Nothing);
    let answer = reads(&mut old).await;
    let replaced = |reason: &str| reason.contains("has been replaced");
    assert!(matches!(&answer, StateAnswer::Refused { reason } if replaced(reason)), "{answer:?}");
}

#[tokio::test]
async fn the_last_backup_of_a_sandbox_that_was_replaced_is_listed_but_not_current() {
    let world = World::start().await;
    let project = world.owner.project("Late").await;
    let mut old = Agent::of(&project).await;
    let mut new = Agent::of(&project).await;
    let uploads = async |agent: &mut Agent, reason, bytes| {
        let request = BackupRequest::new(reason);
        let request_id = request.to_string();
        let workspace = Some(WorkspaceUse { bytes, files: 1, max_bytes: 9, max_files: 9 });
        let (id, error) = (request_id.clone(), None);
        agent.says(FromAgent::WorkspaceUploaded { request_id, bytes, error, workspace }).await;
        let recorded = agent.wait_for(|message| match message {
            ToAgent::WorkspaceRecorded { request_id } if *request_id == id => Some(()),
            _ => None,
        });
        recorded.await;
        request.id
    };
    let step = uploads(&mut new, BackupReason::Step, 2).await;
    let sandbox = project.kept_sandbox().await;
    let last = uploads(&mut old, BackupReason::Stop, 1).await;
    let backups = Backups::new(&world.app.table()).get(project.scope()).await.unwrap();
    assert_eq!(backups.current, Some(step));
    assert!(backups.find(&last).is_some(), "its owner can still restore it");
    let now = project.kept_sandbox().await;
    let known = |sandbox: &Sandbox| (sandbox.last_sync_time, sandbox.workspace);
    assert_eq!(known(&now), known(&sandbox), "the new workspace is not backed up by it");
}
