//! Kills at random moments.

use api_tests::{App, Model, PATIENCE, Project, Step, World};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::time::Duration;
use tokio::time::{Instant, sleep, sleep_until, timeout, timeout_at};

/// How often one run kills.
const KILLS: usize = 5;
/// The longest time between two kills, in milliseconds: about what two steps take.
const PAUSE_MS: u64 = 1_200;
/// Steps of the plan.
const STEPS: u32 = 6;
/// How long the owner waits between two looks at the page.
const LOOK: Duration = Duration::from_millis(20);

/// The seed of this run: random, unless the environment sets it.
fn seed() -> u64 {
    let asked = std::env::var("FAULT_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = asked.unwrap_or_else(rand::random);
    eprintln!("FAULT_SEED={seed}");
    seed
}

/// Each step adds a file and needs those of all earlier steps; half of them take a while.
fn script(number: u32) -> String {
    let before: String = (1..number).map(|n| format!("[ -s file-{n}.txt ] && ")).collect();
    let pause = if number.is_multiple_of(2) { "sleep 0.3 && " } else { "" };
    format!("{before}{pause}echo {number} > file-{number}.txt && cat file-*.txt")
}

/// The owner with auto-approve and auto-retry on, until every step is completed.
async fn attends(project: &Project, completed: &mut usize) {
    loop {
        let steps = project.progress().await.steps;
        check(&steps, completed);
        let Some(step) = steps.get(*completed) else { return };
        if step.is_waiting() || step.status == "failed" {
            let answer = project.decide(step, true).await;
            // The step may have moved on between the look and the decision.
            assert!([200, 409].contains(&answer.status), "{}", answer.text());
        }
        sleep(LOOK).await;
    }
}

/// What must be true at any moment, however often the process was killed.
fn check(steps: &[Step], completed: &mut usize) {
    let done = steps.iter().take_while(|step| step.status == "completed").count();
    assert!(done >= *completed, "a finished step was lost: {steps:#?}");
    *completed = done;
    for step in steps.iter().skip(done + 1) {
        assert_eq!(step.status, "pending", "a step began before its turn: {steps:#?}");
    }
}

/// Has the owner attend to the project for some time, ending in the middle of a call, and kills.
async fn attended_and_killed(app: &App, project: &Project, pause: u64, completed: &mut usize) {
    let end = Instant::now() + Duration::from_millis(pause);
    timeout_at(end, attends(project, completed)).await.ok();
    sleep_until(end).await;
    app.kill().await;
    app.start_again().await;
}

#[tokio::test]
async fn kills_at_any_moment_cost_no_finished_step_and_no_file() {
    let mut random = StdRng::seed_from_u64(seed());
    let model = Model::start().await;
    let World { app, owner, .. } = World::with(&model).await;
    let project = owner.project("Chance").await;
    let scripts: Vec<_> = (1..=STEPS).map(script).collect();
    project.execute(&scripts.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let mut completed = 0;
    for kill in 1..=KILLS {
        let pause = random.random_range(0..PAUSE_MS);
        attended_and_killed(&app, &project, pause, &mut completed).await;
        let sandbox = project.kept_sandbox().await;
        eprintln!("kill {kill} after {pause} ms, {completed} steps completed, {sandbox:?}");
    }
    let done = timeout(PATIENCE, attends(&project, &mut completed)).await;
    let left = || async { (project.progress().await, project.kept_sandbox().await) };
    assert!(done.is_ok(), "{:#?}", left().await);

    project.sandbox_is_up().await;
    let files = project.files().await;
    for number in 1..=STEPS {
        assert_eq!(files.get(&format!("file-{number}.txt")), Some(&format!("{number}\n")));
    }
    assert_eq!(files.len(), STEPS as usize);
}
