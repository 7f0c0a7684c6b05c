//! Tests that a step belongs to the change under way: once another change has begun, the steps and checks of the former
//! one can be neither decided nor edited, and none of them is in the way of the next plan.
use crate::support::{Pause, exited};
use domain::audit::Actor;
use domain::change::ChangeKind;
use domain::plan::PlannedStep;
use domain::project::Project;
use domain::stage::Pipeline;
use domain::step::{Command, Event, Phase, Seen, Step, StepDecision, StepEdit, Track};
use domain::{AgentId, InstallationId, MicroDollars, PlanId, RunId, Scope, Timestamp, TokenUsage};
use store::Table;
use store::changes::{ChangeError, Changes, Listed};
use store::costs::ModelCall;
use store::executions::{Decided, ExecutionError, Executions};
use store::ledger::Ledger;
use store::pipelines::Pipelines;
use store::projects::Projects;
use store::testing::table_with;

const TRACKS: [Track; 2] = [Track::Execution, Track::Validation];

struct World {
    table: Table,
    pause: Pause,
    scope: Scope,
    plan: PlanId,
    by: Actor,
}

impl World {
    /// A validated project whose steps and checks, two of each, have run.
    async fn new() -> Self {
        let pause = Pause::default();
        let holding = pause.clone();
        let table = table_with(|config| config.interceptor(holding)).await;
        let project = Project::new("blog", None).unwrap();
        let installation = InstallationId(1);
        assert!(Projects::new(&table).create(installation, &project).await.unwrap());
        let scope = Scope { installation, project: project.id };
        let by = Actor { user_id: 1, login: "ada".into() };
        let world = Self { table, pause, scope, plan: PlanId::from("first"), by };
        for track in TRACKS {
            world.start(track, &world.plan, 2).await.unwrap();
            for number in [1, 2] {
                world.prepare(track, number).await;
                let runs = world.decide(track, number, true).await.unwrap();
                let (run_id, finish) = (runs.run_id.unwrap(), exited(0));
                let event = Event::Finished { run_id, finish };
                world.on(track).apply_to_run(scope, number, &event).await.unwrap();
            }
        }
        let done = |pipeline: &mut Pipeline| {
            *pipeline = Pipeline::done_with(1, Timestamp::now());
            Ok(())
        };
        Pipelines::new(&world.table).change(scope, done).await.unwrap().unwrap();
        world
    }

    fn on(&self, track: Track) -> Executions {
        Executions::new(&self.table).on(track)
    }

    async fn start(&self, track: Track, plan: &PlanId, steps: usize) -> Result<(), ExecutionError> {
        let planned = vec![PlannedStep::default(); steps];
        self.on(track).start(self.scope, plan, &planned).await.map(|started| started.unwrap())
    }

    async fn prepare(&self, track: Track, number: u32) -> Step {
        let apply = async |event| {
            let applied = self.on(track).apply(self.scope, &self.plan, number, &event).await;
            applied.unwrap().step
        };
        let run_id = apply(Event::Prepare { run_id: RunId::random() }).await.run_id.unwrap();
        apply(Event::Prepared {
            run_id,
            next_run_id: RunId::random(),
            script: "echo there\n".into(),
            verdict: None,
            rollback: None,
        })
        .await
    }

    async fn step(&self, track: Track, number: u32) -> Option<Step> {
        self.on(track).step(self.scope, number).await.unwrap()
    }

    /// Decides on a step of the first plan as a page shows it that has not noticed any change.
    async fn decide(
        &self,
        track: Track,
        number: u32,
        approved: bool,
    ) -> Result<Step, ExecutionError> {
        let step = self.step(track, number).await.ok_or(ExecutionError::NoSuchStep)?;
        let sha256 = step.command.map(|command| command.sha256);
        let decision = StepDecision {
            plan_id: self.plan.clone(),
            step_number: number,
            approved,
            seen: Seen::of(step.attempt, sha256.as_deref()),
            roll_back: false,
            reason: None,
        };
        match self.on(track).decide(self.scope, &decision, &self.by, &[]).await? {
            Decided::Now(step) | Decided::Before { now: step, .. } => Ok(step),
        }
    }

    fn begin(&self) -> impl Future<Output = Result<Option<Listed>, ChangeError>> + Send + 'static {
        let (changes, scope, by) = (Changes::new(&self.table), self.scope, self.by.clone());
        async move { changes.begin(scope, ChangeKind::Change, "bigger disk", &by).await }
    }
}

impl World {
    /// A model call of this project, as its user pays for it.
    async fn pay(&self, micro_usd: i64) {
        let ledger = Ledger::new(&self.table);
        let hold = ledger.hold(self.scope, MicroDollars(micro_usd)).await.unwrap();
        let call = ModelCall {
            call_id: hold.id.clone(),
            agent: AgentId::CloudArchitect,
            usage: TokenUsage { input_tokens: 1, output_tokens: 1 },
            micro_usd: MicroDollars(micro_usd),
            estimated: false,
            cached_tokens: 0,
            at: Timestamp::now(),
        };
        assert!(ledger.settle(&hold, &call).await.unwrap());
    }

    /// The number and cost of each change, the newest first.
    async fn costs(&self) -> Vec<(u32, i64)> {
        let listed = Changes::new(&self.table).list(self.scope).await.unwrap().unwrap();
        listed.iter().map(|listed| (listed.change.number, listed.cost.0)).collect()
    }
}

fn is_stale<T>(result: &Result<T, ExecutionError>) -> bool {
    matches!(result, Err(ExecutionError::StalePlan))
}

#[tokio::test]
async fn a_step_of_the_former_change_cannot_be_approved_and_the_next_plan_takes_its_place() {
    let world = World::new().await;
    world.begin().await.unwrap().unwrap();
    let second = PlanId::from("second");
    for track in TRACKS {
        for number in [1, 2] {
            let approved = world.decide(track, number, true).await;
            assert!(is_stale(&approved), "{track:?} {approved:?}");
            assert_eq!(world.step(track, number).await.unwrap().phase, Phase::Completed);
        }
        world.start(track, &second, 1).await.unwrap();
        assert_eq!(world.step(track, 1).await.unwrap().plan_id, second);
        assert_eq!(world.step(track, 2).await, None, "nothing of the former plan is left");
    }
}

#[tokio::test]
async fn a_command_of_the_former_change_that_waits_can_be_neither_edited_nor_rejected_nor_read() {
    let world = World::new().await;
    world.start(Track::Validation, &PlanId::from("again"), 1).await.unwrap();
    let plan = PlanId::from("again");
    let world = World { plan, ..world };
    let waits = world.prepare(Track::Validation, 1).await;
    let command_sha256 = waits.command.as_ref().unwrap().sha256.clone();
    world.begin().await.unwrap().unwrap();

    let checks = world.on(Track::Validation);
    let edit = StepEdit {
        plan_id: world.plan.clone(),
        step_number: 1,
        attempt: waits.attempt,
        command_sha256,
        script: "echo here\n".into(),
    };
    let command = Command::new(edit.script.as_str());
    let edited = checks.edit(world.scope, &edit, &command, &world.by).await;
    assert!(is_stale(&edited), "{edited:?}");
    let rejected = world.decide(Track::Validation, 1, false).await;
    assert!(is_stale(&rejected), "{rejected:?}");
    let (run_id, reach) = (RunId::random(), read_only::Reach::default());
    let read = Event::Read { run_id, reach };
    let read = checks.apply(world.scope, &world.plan, 1, &read).await;
    assert!(is_stale(&read), "{read:?}");
    assert_eq!(world.step(Track::Validation, 1).await, Some(waits));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn either_a_change_begins_or_a_step_runs_again_whenever_it_is_approved() {
    let mut before = 0;
    loop {
        let world = World::new().await;
        let (begin, release) = world.pause.held(before, world.begin()).await;
        let Some(release) = release else { break };
        let approved = world.decide(Track::Execution, 2, true).await;
        release.send(()).unwrap();
        let begun = begin.await.unwrap();
        assert!(approved.is_ok() != begun.is_ok(), "call {before}: {approved:?} {begun:?}");
        before += 1;
    }
    assert!(before > 10, "the approval came between any two calls");
}

#[tokio::test]
async fn what_an_abandoned_change_cost_does_not_count_for_the_change_that_is_current_again() {
    let world = World::new().await;
    let changes = Changes::new(&world.table);
    let owner = world.scope.installation;
    let ledger = Ledger::new(&world.table);
    assert!(ledger.grant(owner, "test", MicroDollars(10_000), "Credit").await.unwrap());
    world.pay(1_000).await;
    world.begin().await.unwrap().unwrap();
    world.pay(200).await;
    assert_eq!(world.costs().await, [(2, 200), (1, 1_000)]);
    let abandoned = changes.abandon(world.scope, 2).await.unwrap().unwrap();
    assert_eq!(abandoned.cost.0, 200);
    world.pay(30).await;
    assert_eq!(world.costs().await, [(2, 200), (1, 1_030)]);
    world.begin().await.unwrap().unwrap();
    world.pay(4).await;
    assert_eq!(world.costs().await, [(3, 4), (2, 200), (1, 1_030)], "and not once it ends, either");
    changes.abandon(world.scope, 3).await.unwrap().unwrap();
    assert_eq!(world.costs().await, [(3, 4), (2, 200), (1, 1_030)]);
}
