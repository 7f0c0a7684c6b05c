//! Tests that a change is rolled back only once none of it runs, by the script that was shown, and that its steps do
//! not run afterward.
use crate::support::exited;
use domain::audit::{Actor, Verdict};
use domain::plan::PlannedStep;
use domain::project::Project;
use domain::stage::{Artifacts, Pipeline, StageId, StageRefusal};
use domain::step::{Event, Phase, Refusal, Rollback, Seen, Step, StepDecision, Track};
use domain::{InstallationId, PlanId, RunId, Scope};
use store::StoreError;
use store::executions::{Decided, ExecutionError, Executions};
use store::pipelines::{PipelineError, Pipelines};
use store::projects::Projects;
use store::testing::table;

const BACK: &str = "echo back\n";

struct World {
    executions: Executions,
    pipelines: Pipelines,
    scope: Scope,
    plan: PlanId,
    by: Actor,
}

impl World {
    /// Two steps, the first of which waits with its rollback.
    async fn new() -> Self {
        let table = table().await;
        let project = Project::new("blog", None).unwrap();
        let installation = InstallationId(1);
        assert!(Projects::new(&table).create(installation, &project).await.unwrap());
        let world = Self {
            executions: Executions::new(&table),
            pipelines: Pipelines::new(&table),
            scope: Scope { installation, project: project.id },
            plan: PlanId::from("plan"),
            by: Actor { user_id: 1, login: "ada".into() },
        };
        let planned = [PlannedStep::default(), PlannedStep::default()];
        let begun = world.executions.start(world.scope, &world.plan, &planned).await;
        begun.unwrap().unwrap();
        world.prepare(1).await;
        world
    }

    async fn apply(&self, number: u32, event: Event) -> Step {
        let applied = self.executions.apply(self.scope, &self.plan, number, &event).await;
        applied.unwrap().step
    }

    async fn prepare(&self, number: u32) {
        self.apply(number, Event::Prepare { run_id: RunId::from("a") }).await;
        let prepared = Event::Prepared {
            run_id: RunId::from("a"),
            next_run_id: RunId::random(),
            script: "echo there\n".into(),
            verdict: None,
            rollback: Some(Rollback::new(BACK, None)),
        };
        assert_eq!(self.apply(number, prepared).await.phase, Phase::WaitingApproval);
    }

    async fn approve(&self, number: u32) -> Result<Step, ExecutionError> {
        let step = self.executions.step(self.scope, number).await.unwrap().unwrap();
        let sha256 = step.command.map(|command| command.sha256);
        let decision = StepDecision {
            plan_id: self.plan.clone(),
            step_number: number,
            approved: true,
            seen: Seen::of(step.attempt, sha256.as_deref()),
            roll_back: false,
            reason: None,
        };
        match self.executions.decide(self.scope, &decision, &self.by, &[]).await? {
            Decided::Now(step) | Decided::Before { now: step, .. } => Ok(step),
        }
    }

    async fn roll_back(&self, number: u32, script: &str) -> Result<Step, ExecutionError> {
        let sha256 = Rollback::new(script, None).sha256;
        let shown = (number, sha256.as_str());
        self.executions.roll_back(self.scope, &self.plan, shown, &self.by, &[]).await
    }

    async fn finish(&self, track: Track, step: &Step, exit_code: i32) {
        let finish = exited(exit_code);
        let event = Event::Finished { run_id: step.run_id.clone().unwrap(), finish };
        let executions = self.executions.on(track);
        assert!(executions.apply_to_run(self.scope, step.number, &event).await.unwrap().changed);
    }
}

/// The artifacts of a change whose checks have all passed.
const PASSED: Artifacts = Artifacts {
    requirements_ready: true,
    architecture_plan: true,
    implementation_plan: true,
    execution_done: true,
    validation_done: true,
    rolled_back: false,
};

impl World {
    /// A change of which only the last stage is open.
    async fn passed() -> Self {
        let world = Self::new().await;
        let runs = world.approve(1).await.unwrap();
        world.finish(Track::Execution, &runs, 0).await;
        let opened = world.pipelines.change(world.scope, |pipeline| {
            pipeline.reached = StageId::Validation;
            pipeline.completed = [true, true, true, true, false];
            Ok(())
        });
        opened.await.unwrap().unwrap();
        world
    }

    /// Confirms the last stage, as a caller who has read these artifacts before.
    async fn confirm(&self) -> Result<Pipeline, PipelineError> {
        let complete =
            |pipeline: &mut Pipeline| pipeline.set_completed(StageId::Validation, true, PASSED);
        let confirmed = self.executions.confirm(self.scope, &self.plan, complete).await;
        confirmed.map(Option::unwrap)
    }
}

fn refusal<T>(result: Result<T, ExecutionError>) -> Option<Refusal> {
    match result {
        Err(ExecutionError::Refused(refusal)) => Some(refusal),
        _ => None,
    }
}

#[tokio::test]
async fn only_the_rollback_that_was_seen_runs_and_it_ends_its_change() {
    let world = World::new().await;
    assert_eq!(refusal(world.roll_back(1, BACK).await), Some(Refusal::IllegalTransition));
    let runs = world.approve(1).await.unwrap();
    assert_eq!(refusal(world.roll_back(1, BACK).await), Some(Refusal::StepUnderWay));
    world.finish(Track::Execution, &runs, 0).await;
    world.prepare(2).await;
    for (number, script) in [(2, BACK), (1, "echo other\n")] {
        assert_eq!(refusal(world.roll_back(number, script).await), Some(Refusal::CommandChanged));
    }

    let first = world.roll_back(1, BACK).await.unwrap();
    assert_eq!(first.command.as_ref().unwrap().script, BACK);
    assert_eq!(world.roll_back(1, BACK).await.unwrap(), first, "asked again while it runs");
    assert_eq!(refusal(world.approve(2).await), Some(Refusal::RolledBack));
    world.finish(Track::Rollback, &first, 1).await;

    let second = world.roll_back(1, BACK).await.unwrap();
    assert_eq!((first.attempt, second.attempt), (2, 4));
    world.finish(Track::Rollback, &second, 0).await;
    assert_eq!(refusal(world.approve(2).await), Some(Refusal::RolledBack));
    let execution = world.executions.load(world.scope).await.unwrap().unwrap();
    assert_eq!((execution.steps.len(), execution.is_rolled_back()), (2, true));

    let audit = world.executions.audit();
    let decisions = audit.decisions(world.scope).await.unwrap();
    let of = |track: Track| decisions.iter().filter(move |one| one.track == track);
    assert_eq!(of(Track::Rollback).filter(|one| one.verdict == Verdict::Approved).count(), 2);
    let approved = of(Track::Execution).next().unwrap().command.clone().unwrap();
    assert_eq!(approved.rollback.map(|rollback| rollback.script).as_deref(), Some(BACK));
    assert_eq!(audit.runs(world.scope).await.unwrap().len(), 3);
}

#[tokio::test]
async fn after_a_rollback_that_failed_the_change_can_go_on() {
    let world = World::new().await;
    let runs = world.approve(1).await.unwrap();
    world.finish(Track::Execution, &runs, 0).await;
    world.prepare(2).await;
    let rollback = world.roll_back(1, BACK).await.unwrap();
    world.finish(Track::Rollback, &rollback, 1).await;
    assert_eq!(world.approve(2).await.unwrap().phase, Phase::Running);
}

#[tokio::test]
async fn only_one_of_a_concurrent_approval_and_rollback_succeeds() {
    for _ in 0..8 {
        let world = World::new().await;
        let runs = world.approve(1).await.unwrap();
        world.finish(Track::Execution, &runs, 0).await;
        world.prepare(2).await;
        let (approved, rolled_back) = tokio::join!(world.approve(2), world.roll_back(1, BACK));
        assert!(approved.is_ok() != rolled_back.is_ok(), "{approved:?} {rolled_back:?}");
    }
}

#[tokio::test]
async fn a_change_is_either_completed_or_rolled_back() {
    let world = World::passed().await;
    assert!(world.confirm().await.unwrap().is_done());
    let late = world.roll_back(1, BACK).await;
    assert!(matches!(late, Err(ExecutionError::Store(StoreError::Contended))), "{late:?}");

    let world = World::passed().await;
    let rollback = world.roll_back(1, BACK).await.unwrap();
    let refused = world.confirm().await;
    assert!(
        matches!(refused, Err(PipelineError::Refused(StageRefusal::RolledBack))),
        "{refused:?}"
    );
    world.finish(Track::Rollback, &rollback, 1).await;
    assert!(world.confirm().await.unwrap().is_done(), "the rollback failed, so the change goes on");
}

#[tokio::test]
async fn only_one_of_a_concurrent_completion_and_rollback_succeeds() {
    for _ in 0..8 {
        let world = World::passed().await;
        let (completed, rolled_back) = tokio::join!(world.confirm(), world.roll_back(1, BACK));
        assert!(completed.is_ok() != rolled_back.is_ok(), "{completed:?} {rolled_back:?}");
    }
}
