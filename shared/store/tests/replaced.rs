//! Tests a new plan that takes the place of the former one: a write that read a step of the former plan does not
//! replace a step of the new one, and a step that begins to run is not replaced.
use crate::support::Pause;
use domain::plan::PlannedStep;
use domain::project::Project;
use domain::step::{Event, Phase, Seen, Step};
use domain::{InstallationId, PlanId, RunId, Scope};
use std::sync::mpsc::Sender;
use store::executions::{ExecutionError, Executions};
use store::projects::Projects;
use store::testing::table_with;
use tokio::task::JoinHandle;

struct World {
    executions: Executions,
    pause: Pause,
    scope: Scope,
}

impl World {
    /// The execution of the plan `a`, with two steps.
    async fn new() -> Self {
        let pause = Pause::default();
        let holding = pause.clone();
        let table = table_with(|config| config.interceptor(holding)).await;
        let project = Project::new("blog", None).unwrap();
        let installation = InstallationId(1);
        assert!(Projects::new(&table).create(installation, &project).await.unwrap());
        let scope = Scope { installation, project: project.id };
        let world = Self { executions: Executions::new(&table), pause, scope };
        world.start("a").await;
        world
    }

    async fn start(&self, plan: &str) {
        let planned = vec![PlannedStep::default(); 2];
        let started = self.executions.start(self.scope, &PlanId::from(plan), &planned).await;
        started.unwrap().unwrap();
    }

    async fn apply(&self, event: Event) -> Step {
        let plan = PlanId::from("a");
        self.executions.apply(self.scope, &plan, 1, &event).await.unwrap().step
    }

    async fn step(&self) -> Step {
        self.executions.step(self.scope, 1).await.unwrap().unwrap()
    }

    /// Begins an act and holds it once it has read; returns the act and its release.
    async fn held<R: Send + 'static>(
        &self,
        act: impl Future<Output = R> + Send + 'static,
    ) -> (JoinHandle<R>, Sender<()>) {
        let (act, release) = self.pause.held(0, act).await;
        (act, release.expect("the act is held"))
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_write_that_read_a_step_of_the_former_plan_does_not_replace_one_of_the_new() {
    let world = World::new().await;
    let (executions, scope) = (world.executions.clone(), world.scope);
    let (prepare, go_on) = world
        .held(async move {
            let event = Event::Prepare { run_id: RunId::from("late") };
            executions.apply(scope, &PlanId::from("a"), 1, &event).await
        })
        .await;
    world.start("b").await;
    go_on.send(()).unwrap();
    let refused = prepare.await.unwrap();
    assert!(matches!(refused, Err(ExecutionError::StalePlan)), "{refused:?}");
    let step = world.step().await;
    assert_eq!((step.plan_id, step.phase), (PlanId::from("b"), Phase::Pending));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_step_that_begins_to_run_while_a_new_plan_starts_is_not_replaced() {
    let world = World::new().await;
    let (executions, scope) = (world.executions.clone(), world.scope);
    let (start, go_on) =
        world.held(async move { executions.start(scope, &PlanId::from("b"), &[]).await }).await;
    let run_id = RunId::from("first");
    world.apply(Event::Prepare { run_id: run_id.clone() }).await;
    let prepared = Event::Prepared {
        run_id,
        next_run_id: RunId::random(),
        script: "echo there\n".into(),
        verdict: None,
        rollback: None,
    };
    world.apply(prepared).await;
    let (run_id, seen) = (RunId::from("run"), Seen::default());
    world.apply(Event::Approve { run_id, seen, credentials: Vec::new() }).await;
    go_on.send(()).unwrap();
    let refused = start.await.unwrap();
    assert!(matches!(refused, Err(ExecutionError::StillRunning)), "{refused:?}");
    let step = world.step().await;
    assert_eq!((step.plan_id, step.phase), (PlanId::from("a"), Phase::Running));
}
