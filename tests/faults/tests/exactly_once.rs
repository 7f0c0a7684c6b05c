//! One approval runs one command once, whichever call of an outside party fails, and however.
//!
//! The engines count the calls that an approval makes, from its arrival to the end of its run. Each of them fails
//! once before it is carried out and once after (its answer is lost), alone and together with the SDK's own two
//! further tries; and each takes the whole process with it, before and after. The page does what it does: it asks
//! again after an answer that it does not get, for the attempt that it shows.

use api_tests::{App, Model, Project, Settings, Step, World, eventually};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// How long everything may take to end once nothing fails any more.
const HEALED_WITHIN: Duration = Duration::from_secs(60);
/// More calls than an approval makes; an enumeration that gets here does not end.
const MOST_CALLS: u64 = 120;
/// The page's pause before it looks again.
const LOOK: Duration = Duration::from_millis(20);

/// A plan of one step that leaves a line for each of its runs.
async fn waiting_step(project: &Project, name: &str) -> Step {
    project.execute(&[&format!("echo run >> {name}.txt")]).await;
    project.step_is(1, "waiting_approval").await
}

/// Starts a dead process again; whether it was dead.
async fn revived(app: &App) -> bool {
    let died = app.has_died().await;
    if died {
        app.start_again().await;
    }
    died
}

/// Approves as the page does, until that is answered; whether the process died meanwhile.
async fn approve(app: &App, project: &Project, plan_id: &str, shown: &Step) -> bool {
    let decision = json!({
        "plan_id": plan_id,
        "step_number": 1,
        "approved": true,
        "command_sha256": shown.command_sha256,
        "attempt": shown.attempt,
    });
    let deadline = Instant::now() + HEALED_WITHIN;
    let mut died = false;
    loop {
        assert!(Instant::now() < deadline, "the approval was never taken");
        died |= revived(app).await;
        match project.try_post("/execution/approve-step", &decision).await {
            Some(200) => return died,
            Some(409) => panic!("an approval of what was shown is refused"),
            _ => sleep(LOOK).await,
        }
    }
}

/// Waits for the end of the step, over a dead process as well; whether it died meanwhile.
async fn ended(app: &App, project: &Project) -> (Step, bool) {
    let deadline = Instant::now() + HEALED_WITHIN;
    let mut died = false;
    loop {
        assert!(Instant::now() < deadline, "the step has no end: {:?}", project.try_step(1).await);
        died |= revived(app).await;
        if let Some(step) = project.try_step(1).await
            && ["completed", "failed"].contains(&step.status.as_str())
        {
            return (step, died);
        }
        sleep(LOOK).await;
    }
}

/// Takes the order back, also from a process that has just died; the calls that were counted, and whether it had.
async fn disarmed(app: &App) -> (u64, bool) {
    let mut died = false;
    loop {
        died |= revived(app).await;
        match app.order_fault(Value::Null).await {
            Some(counted) => return (counted, died),
            None => sleep(LOOK).await,
        }
    }
}

/// One approval with a fault at the call `at`; whether the approval came so far.
async fn one(app: &App, project: &Project, fault: &str, at: u64, calls: u64) -> bool {
    let name = format!("{fault}-{at}-{calls}");
    project.sandbox_is_up().await;
    let shown = waiting_step(project, &name).await;
    let plan_id = project.progress().await.id;
    app.order_fault(json!({"fault": fault, "at": at, "calls": calls})).await.unwrap();
    let died = approve(app, project, &plan_id, &shown).await;
    let (first, died_later) = ended(app, project).await;
    let (counted, died_last) = disarmed(app).await;
    let died = died || died_later || died_last;

    // What was asked again, and whatever was on its way twice, runs nothing.
    let decision = json!({"plan_id": plan_id, "step_number": 1, "approved": true,
        "command_sha256": shown.command_sha256, "attempt": shown.attempt});
    project.post("/execution/approve-step", decision).await.is(200);
    project.sandbox_is_up().await;
    let end = project.step(1).await;
    assert_eq!((end.attempt, &end.status), (first.attempt, &first.status), "{name}");
    let files = project.files().await;
    let runs = files.get(&format!("{name}.txt")).map_or(0, |text| text.lines().count());
    match end.status.as_str() {
        "completed" => assert_eq!(runs, 1, "{name}"),
        // What was lost with its sandbox, or never reached it, says so and can be executed again.
        _ => {
            assert!(runs <= 1, "{name}: {runs} runs");
            let failure = end.failure.as_deref();
            assert!(matches!(failure, Some("lost" | "unreachable" | "no_sandbox")), "{end:?}");
        }
    }
    eprintln!("{name}: {} ({runs} runs, {counted} calls)", end.status);
    counted >= at || died
}

async fn enumerate(fault: &str, calls: u64) {
    let model = Model::start().await;
    // The reconciler's minute is a second; nothing is idle for long enough to be stopped.
    let settings = Settings { idle_stop_seconds: Some(3600), ..Settings::with_model(&model) };
    let World { app, owner, .. } = World::with_settings(settings).await;
    let project = owner.project("Once").await;
    for at in 1..=MOST_CALLS {
        if !one(&app, &project, fault, at, calls).await {
            return;
        }
    }
    eventually("the enumeration ends", async || None::<()>).await;
}

#[tokio::test]
async fn a_call_that_fails_before_it_is_carried_out() {
    enumerate("fail_before", 1).await;
}

#[tokio::test]
async fn a_call_that_fails_before_it_is_carried_out_however_often_it_is_tried() {
    enumerate("fail_before", 3).await;
}

#[tokio::test]
async fn a_call_whose_answer_is_lost() {
    enumerate("fail_after", 1).await;
}

#[tokio::test]
async fn a_call_whose_answer_is_lost_however_often_it_is_tried() {
    enumerate("fail_after", 3).await;
}

#[tokio::test]
async fn a_process_that_dies_before_a_call() {
    enumerate("die_before", 1).await;
}

#[tokio::test]
async fn a_process_that_dies_after_a_call() {
    enumerate("die_after", 1).await;
}
