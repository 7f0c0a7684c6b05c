//! Tests that only one step of an execution runs at a time, even if several callers start steps at once.
use crate::support::exited;
use domain::audit::Actor;
use domain::plan::{MAX_STEPS, PlannedStep};
use domain::project::Project;
use domain::step::{Event, Phase, Refusal, Seen, Step, StepDecision, Track};
use domain::{InstallationId, PlanId, RunId, Scope};
use store::executions::{Decided, ExecutionError, Executions};
use store::projects::Projects;
use store::testing::table;

struct World {
    executions: Executions,
    scope: Scope,
    plan: PlanId,
}

impl World {
    /// As many steps as a plan may have, on this track.
    async fn new(track: Track) -> Self {
        let table = table().await;
        let project = Project::new("blog", None).unwrap();
        let installation = InstallationId(1);
        assert!(Projects::new(&table).create(installation, &project).await.unwrap());
        let world = Self {
            executions: Executions::new(&table).on(track),
            scope: Scope { installation, project: project.id },
            plan: PlanId::from("plan"),
        };
        let planned = vec![PlannedStep::default(); MAX_STEPS];
        world.executions.start(world.scope, &world.plan, &planned).await.unwrap().unwrap();
        world
    }

    async fn step(&self, number: u32) -> Step {
        self.executions.step(self.scope, number).await.unwrap().unwrap()
    }

    async fn apply(&self, number: u32, event: Event) -> Step {
        let applied = self.executions.apply(self.scope, &self.plan, number, &event).await;
        applied.unwrap().step
    }

    /// The step with its prepared command, which is the same each time.
    async fn prepare(&self, number: u32) -> Step {
        let step = self.apply(number, Event::Prepare { run_id: RunId::random() }).await;
        let prepared = Event::Prepared {
            run_id: step.run_id.unwrap(),
            next_run_id: RunId::random(),
            script: "echo there\n".into(),
            verdict: None,
            rollback: None,
        };
        self.apply(number, prepared).await
    }

    async fn decide(&self, number: u32, approved: bool) -> Result<Step, ExecutionError> {
        let step = self.step(number).await;
        let sha256 = step.command.map(|command| command.sha256);
        let decision = StepDecision {
            plan_id: self.plan.clone(),
            step_number: number,
            approved,
            seen: Seen::of(step.attempt, sha256.as_deref()),
            roll_back: false,
            reason: None,
        };
        let by = Actor { user_id: 1, login: "ada".into() };
        match self.executions.decide(self.scope, &decision, &by, &[]).await? {
            Decided::Now(step) | Decided::Before { now: step, .. } => Ok(step),
        }
    }

    async fn finish(&self, number: u32, exit_code: i32) {
        let finish = exited(exit_code);
        let run_id = self.step(number).await.run_id.unwrap();
        let event = Event::Finished { run_id, finish };
        assert!(self.executions.apply_to_run(self.scope, number, &event).await.unwrap().changed);
    }
}

fn is_refused(result: &Result<Step, ExecutionError>) -> bool {
    matches!(result, Err(ExecutionError::Refused(Refusal::AnotherRuns)))
}

#[tokio::test]
async fn of_two_steps_that_are_approved_at_once_one_runs() {
    let last = u32::try_from(MAX_STEPS).unwrap();
    for (one, other) in [(1, 2), (2, 1), (1, last), (last - 1, last)] {
        let world = World::new(Track::Execution).await;
        world.prepare(one).await;
        world.prepare(other).await;
        let (first, second) = tokio::join!(world.decide(one, true), world.decide(other, true));
        assert!(first.is_ok() != second.is_ok(), "{first:?} {second:?}");
        assert!(is_refused(&first) || is_refused(&second), "{first:?} {second:?}");
        let (ran, waits) = if first.is_ok() { (one, other) } else { (other, one) };

        // Progress of the running step does not count as a start.
        let run_id = world.step(ran).await.run_id.unwrap();
        assert!(world.apply(ran, Event::Acknowledged { run_id }).await.acknowledged);
        assert!(is_refused(&world.decide(waits, true).await));
        world.finish(ran, 0).await;
        assert_eq!(world.decide(waits, true).await.unwrap().phase, Phase::Running);
        assert!(is_refused(&world.decide(ran, true).await), "run again");
    }
}

#[tokio::test]
async fn a_waiting_step_can_be_rejected_while_another_one_runs() {
    let world = World::new(Track::Execution).await;
    world.prepare(1).await;
    world.prepare(2).await;
    world.decide(1, true).await.unwrap();
    assert_eq!(world.decide(2, false).await.unwrap().phase, Phase::Failed);
    assert_eq!(world.step(1).await.phase, Phase::Running);
}

#[tokio::test]
async fn an_approved_command_that_is_prepared_again_waits_if_another_step_runs() {
    let world = World::new(Track::Execution).await;
    for number in [1, 2] {
        world.prepare(number).await;
        world.decide(number, true).await.unwrap();
        world.finish(number, 1).await;
    }
    assert_eq!(world.decide(1, true).await.unwrap().phase, Phase::Preparing);
    assert_eq!(world.decide(2, true).await.unwrap().phase, Phase::Preparing);
    // The same command as approved runs directly, but only one of them.
    assert_eq!(world.prepare(1).await.phase, Phase::Running);
    assert_eq!(world.prepare(2).await.phase, Phase::WaitingApproval);
    world.finish(1, 0).await;
    assert_eq!(world.decide(2, true).await.unwrap().phase, Phase::Running);
}

#[tokio::test]
async fn checks_may_run_side_by_side() {
    let world = World::new(Track::Validation).await;
    for number in [1, 2] {
        world.prepare(number).await;
        assert_eq!(world.decide(number, true).await.unwrap().phase, Phase::Running);
    }
}
