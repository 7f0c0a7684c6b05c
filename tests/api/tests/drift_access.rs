//! Drift: nothing is checked under approvals of people whose access has ended.

use crate::drift::{a_day_passes, audit, check, drift, named, validated};
use crate::sign_in::{Delivery, at_github};
use api_tests::{Actor, Model, Project, Settings, World};
use aws_sdk_dynamodb::types::AttributeValue;
use domain::schedule::Every;
use domain::step::Track;
use serde_json::json;
use store::executions::Executions;
use store::schedules::Schedules;

/// A stack on which time passes when the test says so.
fn patient(model: &Model) -> Settings {
    Settings { faults: true, ..Settings::with_model(model) }
}

/// The attempts of the checks that may run again.
async fn attempts(project: &Project) -> Vec<u32> {
    let drift = Executions::new(&project.app().table()).on(Track::Drift);
    let checks = drift.load(project.scope()).await.unwrap().unwrap_or_default();
    checks.steps.iter().map(|check| check.attempt).collect()
}

#[tokio::test]
async fn a_schedule_ends_with_the_access_of_its_installation() {
    let model = Model::start().await;
    let World { app, owner, .. } = World::with_settings(patient(&model)).await;
    let project = owner.project("Suspended").await;
    validated(&project).await;
    project.post("/validation/drift/approve", named(&drift(&project).await)).await.is(200);
    let before = attempts(&project).await;
    at_github(&owner, owner.installation(), "suspend").await;
    a_day_passes(&project).await;
    app.minute_passes().await;
    assert_eq!(attempts(&project).await, before, "nothing ran");
    let schedule = Schedules::new(&project.app().table()).get(project.scope()).await.unwrap();
    assert_eq!(schedule.every, Every::Off);
}

#[tokio::test]
async fn a_standing_approval_ends_with_the_access_of_the_person_who_gave_it() {
    let model = Model::start().await;
    let World { app, owner, .. } = World::with_settings(patient(&model)).await;
    let project = owner.project("Left").await;
    validated(&project).await;
    project.post("/validation/drift/approve", named(&drift(&project).await)).await.is(200);
    let before = attempts(&project).await;
    let left = json!({"action": "member_removed", "installation": {"id": owner.installation()},
        "membership": {"user": {"id": owner.user_id().await}}});
    Delivery::of(&app, "d-1", "organization", left).to(&app).await.is(204);
    a_day_passes(&project).await;
    app.minute_passes().await;
    assert_eq!(attempts(&project).await, before, "nothing ran");
    // The same person may return, and gives the approvals anew.
    let back = Actor::signed_in(&app, "owner").await.project_of(&project);
    check(&back).await.refuses(409, "no_standing_approval");
    let ended = audit(&back).await.into_iter().filter(|e| e["verdict"] == "approval_withdrawn");
    assert_eq!(ended.map(|e| e["by"]["login"].clone()).collect::<Vec<_>>(), ["Groundcrew"; 2]);
}

#[tokio::test]
async fn the_table_forgets_that_a_person_left_only_after_they_have_returned() {
    let World { app, owner, .. } = World::start().await;
    let (installation, user_id) = (owner.installation(), owner.user_id().await);
    let left = json!({"action": "member_removed", "installation": {"id": installation},
        "membership": {"user": {"id": user_id}}});
    Delivery::of(&app, "d-1", "organization", left).to(&app).await.is(204);
    at_github(&owner, installation, "suspend").await;
    at_github(&owner, installation, "unsuspend").await;
    let expires = async |sk: String| {
        let get = app.dynamodb().get_item().table_name("groundcrew");
        let get = get.key("pk", AttributeValue::S(format!("INSTALLATION#{installation}")));
        let end = get.key("sk", AttributeValue::S(sk)).send().await.unwrap().item.unwrap();
        assert!(end.contains_key("ended_ms"));
        end.contains_key("expires_at")
    };
    let ends = ["ENDED".to_owned(), format!("ENDED#USER#{user_id}")];
    for end in ends.clone() {
        assert!(!expires(end.clone()).await, "{end}: an approval may wait for longer");
    }
    Actor::signed_in(&app, "owner").await;
    for end in ends {
        assert!(expires(end.clone()).await, "{end}");
    }
}
