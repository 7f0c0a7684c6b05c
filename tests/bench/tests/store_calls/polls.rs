//! The reads of polls during a long execution: 30 steps, each with a script and a full output.

use crate::meter::{Cost, cost};
use api_tests::{Project, World};
use domain::output::OutputView;
use domain::plan::{MAX_STEPS, PlannedStep};
use domain::step::{Event, Finish, Outcome, Seen, Step};
use domain::{PlanId, RunId};
use protocol::{OUTPUT_HEAD_BYTES, OUTPUT_TAIL_BYTES};
use reqwest::Method;
use store::executions::Executions;

const PROGRESS: &str = "/execution/progress";
/// A script of usual length, in bytes.
const SCRIPT_BYTES: usize = 2_000;
/// The reaper's sweep of each minute may fall into one measurement, but not into each.
const LOOKS: usize = 3;

struct Long {
    project: Project,
    executions: Executions,
    plan: PlanId,
}

/// The cost of each of these reads, in the order of an execution.
pub async fn costs() -> Vec<(&'static str, Cost)> {
    let World { app, owner, .. } = World::start().await;
    let project = owner.project("long").await;
    let (executions, plan) = (Executions::new(&app.table()), PlanId::from("long"));
    let long = Long { project, executions, plan };
    let planned = vec![PlannedStep::default(); MAX_STEPS];
    long.executions.start(long.project.scope(), &long.plan, &planned).await.unwrap().unwrap();
    let last = u32::try_from(MAX_STEPS).unwrap();
    for number in 1..last {
        let step = long.runs(number).await;
        long.ends(&step).await;
    }
    let mut costs = vec![
        ("the first poll, and one that finds a change of status", long.poll("\"other\"").await),
        ("a poll that finds nothing new", long.poll(&long.tag().await).await),
    ];
    let step = long.runs(last).await;
    let tag = long.tag().await;
    long.prints(&step).await;
    costs.push(("a poll that finds more output", long.poll(&tag).await));
    let tag = long.tag().await;
    costs.push(("a poll that finds nothing new while a step runs", long.poll(&tag).await));
    let output = format!("/execution/output/{last}");
    costs.push(("the output of the step that runs", long.least(&output, "").await));
    costs
}

impl Long {
    async fn tag(&self) -> String {
        self.project.get(PROGRESS).await.is(200).header("etag")
    }

    async fn poll(&self, tag: &str) -> Cost {
        self.least(PROGRESS, tag).await
    }

    async fn least(&self, path: &str, tag: &str) -> Cost {
        let mut least: Option<Cost> = None;
        for _ in 0..LOOKS {
            let call = self.project.call(Method::GET, path).header("if-none-match", tag);
            let now = cost(self.project.app(), call).await;
            least = least.filter(|known| known.size() <= now.size()).or(Some(now));
        }
        least.unwrap()
    }

    async fn apply(&self, number: u32, event: Event) -> Step {
        let scope = self.project.scope();
        self.executions.apply(scope, &self.plan, number, &event).await.unwrap().step
    }

    async fn runs(&self, number: u32) -> Step {
        let run_id = RunId::random();
        self.apply(number, Event::Prepare { run_id: run_id.clone() }).await;
        let prepared = Event::Prepared {
            run_id,
            next_run_id: RunId::random(),
            script: "x".repeat(SCRIPT_BYTES),
            verdict: None,
            rollback: None,
        };
        let waits = self.apply(number, prepared).await;
        let seen = Seen::of(waits.attempt, waits.command.as_ref().map(|it| it.sha256.as_str()));
        let approve = Event::Approve { run_id: RunId::random(), seen, credentials: Vec::new() };
        self.apply(number, approve).await
    }

    async fn prints(&self, step: &Step) {
        let (scope, run_id) = (self.project.scope(), step.run_id.clone().unwrap());
        self.executions.progress(scope, step.number, &run_id, &full()).await.unwrap();
    }

    async fn ends(&self, step: &Step) {
        let finish = Finish {
            outcome: Outcome::Exited,
            exit_code: Some(0),
            duration_ms: 1,
            output: full(),
            detail: None,
            saved_plan: None,
        };
        let run_id = step.run_id.clone().unwrap();
        self.apply(step.number, Event::Finished { run_id, finish }).await;
    }
}

fn full() -> OutputView {
    let (head, tail) = ("h".repeat(OUTPUT_HEAD_BYTES), "t".repeat(OUTPUT_TAIL_BYTES));
    OutputView { seq: 1, head, tail, bytes: 1 << 20 }
}
