//! Steps: from approval to first output, two hundred of them at once, and the start of the sandbox they run in.

use crate::Bench;
use crate::figure::{Figure, Unit};
use crate::report::Report;
use crate::samples::Samples;
use api_tests::{Actor, Model, Project, Settings, World};
use futures::future::join_all;
use serde_json::json;
use std::process::Command;
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// Approved steps in a round.
const RUNS: usize = 40;
/// Sandbox starts in a round.
const STARTS: usize = 10;
/// Projects that execute at the same time, and how many steps each has.
const CROWD: usize = 50;
const STEPS: u32 = 4;
/// The pause between two checks while waiting, which is the resolution of these figures.
const LOOK_EVERY: Duration = Duration::from_millis(2);
/// The same when fifty projects are checked.
const LOOK_OF_MANY: Duration = Duration::from_millis(100);
/// How long a start or a step of the crowd may take before the run has failed.
const LONGEST: Duration = Duration::from_secs(300);
/// The image that `--sandbox docker` runs.
const IMAGE: &str = "groundcrew-sandbox";

pub async fn measure(bench: &Bench, report: &mut Report) {
    dispatch(bench, report).await;
    crowd(report).await;
    starts(bench, report).await;
}

/// Runs one step after the other.
async fn dispatch(bench: &Bench, report: &mut Report) {
    // Makes the model propose the command to measure.
    let model = Model::start().await;
    let World { owner, app: _app, .. } = World::with(&model).await;
    let project = owner.project("bench").await;
    project.sandbox_is_up().await;
    project.execute(&["echo here; sleep 0.2"]).await;
    project.step_is(1, "waiting_approval").await;
    let mut rounds = Vec::new();
    for _ in 0..bench.rounds {
        rounds.push(approve_to_output(&project).await);
    }
    let what = |share| format!("steps: approve to first output, {share}");
    report.add(Figure::quantile(what("p50"), 0.5, &rounds).at_most(100.0));
    report.add(Figure::quantile(what("p99"), 0.99, &rounds).at_most(250.0));
}

async fn approve_to_output(project: &Project) -> Samples {
    let mut taken = Vec::new();
    for _ in 0..RUNS {
        let step = project.step(1).await;
        let begin = Instant::now();
        project.decide(&step, true).await.is(200);
        while project.step(1).await.output.is_empty() {
            sleep(LOOK_EVERY).await;
        }
        taken.push(begin.elapsed());
        project.step_is(1, "completed").await;
    }
    Samples::of(taken)
}

/// Runs all projects' steps at the same time, each step as soon as it waits. Each step counts its runs, so one that ran
/// twice prints 2.
async fn crowd(report: &mut Report) {
    let model = Model::start().await;
    let World { owner, app: _app, .. } = World::with(&model).await;
    let mut projects = Vec::new();
    for _ in 0..CROWD {
        projects.push(owner.project("bench").await);
    }
    let begin = Instant::now();
    let outcomes = join_all(projects.into_iter().map(run_all)).await.concat();
    let took = begin.elapsed();
    let steps = CROWD * STEPS as usize;
    let completed = outcomes.iter().filter(|outcome| outcome.runs.is_some()).count();
    let repeated = outcomes.iter().filter(|outcome| outcome.runs.is_some_and(|runs| runs != 1));
    let repeated = repeated.count();
    let times = Samples::of(outcomes.iter().map(|outcome| outcome.took));
    let what = |what: &str| format!("steps: {steps} in {CROWD} projects at once, {what}");
    report.add(
        Figure::new(what("not completed"), Unit::Count, vec![count(steps - completed)])
            .at_most(0.0),
    );
    report.add(Figure::new(what("run twice"), Unit::Count, vec![count(repeated)]).at_most(0.0));
    let once = std::slice::from_ref(&times);
    report.add(Figure::quantile(what("approve to completed, p50"), 0.5, once));
    report.add(Figure::quantile(what("approve to completed, p99"), 0.99, once));
    let all = [Samples::of([took])];
    report.add(Figure::quantile(what("sandboxes' starts to last step"), 1.0, &all));
}

#[allow(clippy::cast_precision_loss, reason = "a small count")]
fn count(number: usize) -> f64 {
    number as f64
}

/// The result of one step of the crowd.
#[derive(Clone)]
struct Outcome {
    took: Duration,
    /// How often its command ran; `None` if it did not complete.
    runs: Option<u32>,
}

async fn run_all(project: Project) -> Vec<Outcome> {
    let deadline = Instant::now() + LONGEST;
    is_ready(&project, deadline).await;
    let script = |number| format!("echo run >> step-{number}; echo runs: $(wc -l < step-{number})");
    let scripts: Vec<_> = (1..=STEPS).map(script).collect();
    project.execute(&scripts.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let mut outcomes = Vec::new();
    for number in 1..=STEPS {
        outcomes.push(one_of_many(&project, number, deadline).await);
    }
    outcomes
}

async fn is_ready(project: &Project, deadline: Instant) {
    project.post(&project.path("/sandbox/start"), json!({})).await.is(200);
    let status = project.path("/sandbox/status");
    while project.get(&status).await.is(200).json()["status"] != "READY" {
        assert!(Instant::now() < deadline, "a sandbox did not start in {LONGEST:?}");
        sleep(LOOK_OF_MANY).await;
    }
}

async fn one_of_many(project: &Project, number: u32, deadline: Instant) -> Outcome {
    let failed = |begin: Instant| Outcome { took: begin.elapsed(), runs: None };
    let mut begin = Instant::now();
    let mut decided = false;
    while Instant::now() < deadline {
        let step = project.step(number).await;
        match step.status.as_str() {
            "waiting_approval" if !decided => {
                begin = Instant::now();
                project.decide(&step, true).await.is(200);
                decided = true;
            }
            "completed" => {
                let runs = step.output.rsplit_once("runs: ");
                let runs = runs.and_then(|(_, rest)| rest.split_whitespace().next()?.parse().ok());
                return Outcome { took: begin.elapsed(), runs };
            }
            "failed" => return failed(begin),
            _ => sleep(LOOK_OF_MANY).await,
        }
    }
    failed(begin)
}

/// The time from requesting a sandbox until it is ready: cold and from the pool, under bubblewrap and as a container.
async fn starts(bench: &Bench, report: &mut Report) {
    let (cold, pooled) = cold_and_pooled(bench, None).await;
    report.add(Figure::quantile("sandbox: cold start under bubblewrap, p50", 0.5, &cold));
    report.add(Figure::quantile("sandbox: the same from the warm pool, p50", 0.5, &pooled));
    if let Err(why) = has_image() {
        report.skip("sandbox: starts as a container", &why);
        return;
    }
    let (cold, pooled) = cold_and_pooled(bench, Some(IMAGE)).await;
    let cold = Figure::quantile("sandbox: cold start as a container, p50", 0.5, &cold);
    report.add(cold.at_most(1000.0));
    report.add(Figure::quantile("sandbox: a container from the warm pool, p50", 0.5, &pooled));
}

/// Starts without a pool and starts from one, in turn.
async fn cold_and_pooled(bench: &Bench, image: Option<&str>) -> (Vec<Samples>, Vec<Samples>) {
    let settings = |pool_size| {
        let container_image = image.map(str::to_owned);
        Settings { pool_size, container_image, ..Settings::default() }
    };
    let World { owner, app: _app, .. } = World::with_settings(settings(None)).await;
    let warm = World::with_settings(settings(Some(1))).await;
    let (mut cold, mut pooled) = (Vec::new(), Vec::new());
    for _ in 0..bench.rounds {
        cold.push(start_to_ready(&owner, async || {}).await);
        let filled = async || drop(warm.app.pooled(1).await);
        pooled.push(start_to_ready(&warm.owner, filled).await);
    }
    (cold, pooled)
}

/// Whether Docker runs and has the sandbox's image.
fn has_image() -> Result<(), String> {
    let asked = Command::new("docker").args(["image", "inspect", IMAGE]).output();
    match asked {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
        Err(error) => Err(format!("docker: {error}")),
    }
}

/// `before` is awaited but not measured.
async fn start_to_ready(owner: &Actor, before: impl AsyncFn()) -> Samples {
    let mut taken = Vec::new();
    for _ in 0..STARTS {
        let project = owner.project("bench").await;
        before().await;
        let begin = Instant::now();
        project.post(&project.path("/sandbox/start"), json!({})).await.is(200);
        let status = project.path("/sandbox/status");
        while project.get(&status).await.is(200).json()["status"] != "READY" {
            sleep(LOOK_EVERY).await;
        }
        taken.push(begin.elapsed());
        // The next one must not share the machine with this one.
        project.post(&project.path("/sandbox/stop"), json!({})).await.is(200);
    }
    Samples::of(taken)
}
