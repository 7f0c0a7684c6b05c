//! Tests which steps of a track without a plan are deleted when more of them arrive than are kept.
use crate::support::{Pause, exited};
use domain::project::Project;
use domain::step::{Applied, Event, Phase, Seen, Step, Track};
use domain::{InstallationId, PlanId, RunId, Scope};
use store::executions::Executions;
use store::projects::Projects;
use store::testing::table_with;

const KEPT: u32 = 3;

struct World {
    commands: Executions,
    pause: Pause,
    scope: Scope,
}

fn plan() -> PlanId {
    PlanId::from("helper")
}

/// A command that waits for approval, runs or has ended.
fn command(number: u32, phase: Phase) -> Step {
    let prepared = Event::Prepared {
        run_id: RunId::from("a"),
        next_run_id: RunId::random(),
        script: "df -h\n".into(),
        verdict: None,
        rollback: None,
    };
    let run_id = RunId::from("run");
    let mut events = vec![Event::Prepare { run_id: RunId::from("a") }, prepared];
    if phase != Phase::WaitingApproval {
        events.push(approval());
    }
    if phase == Phase::Completed {
        events.push(Event::Finished { run_id, finish: exited(0) });
    }
    let step = Step::new(plan(), number, "Look".into(), "Look".into());
    let step = events.into_iter().fold(step, |step, event| match step.apply(event) {
        Ok(Applied::Changed(next)) => *next,
        other => panic!("{other:?}"),
    });
    assert_eq!(step.phase, phase);
    step
}

fn approval() -> Event {
    let run_id = RunId::from("run");
    Event::Approve { run_id, seen: Seen::default(), credentials: Vec::new() }
}

impl World {
    async fn new() -> Self {
        let pause = Pause::default();
        let holding = pause.clone();
        let table = table_with(|config| config.interceptor(holding)).await;
        let project = Project::new("blog", None).unwrap();
        let installation = InstallationId(1);
        assert!(Projects::new(&table).create(installation, &project).await.unwrap());
        let scope = Scope { installation, project: project.id };
        Self { commands: Executions::new(&table).on(Track::Helper), pause, scope }
    }

    async fn add(&self, phase: Phase) {
        let command = |number| command(number, phase);
        self.commands.add(self.scope, &plan(), KEPT, command).await.unwrap().unwrap();
    }

    async fn numbers(&self) -> Vec<u32> {
        let present = self.commands.load(self.scope).await.unwrap().unwrap();
        present.steps.iter().map(|step| step.number).collect()
    }
}

#[tokio::test]
async fn the_oldest_command_that_has_ended_makes_room_and_one_that_runs_stays() {
    let world = World::new().await;
    world.add(Phase::Running).await;
    world.add(Phase::WaitingApproval).await;
    for newest in 3..8 {
        world.add(Phase::Completed).await;
        assert_eq!(world.numbers().await, [1, 2, newest]);
    }
    let finished = Event::Finished { run_id: RunId::from("run"), finish: exited(0) };
    let step = world.commands.apply_to_run(world.scope, 1, &finished).await.unwrap().step;
    assert_eq!(step.phase, Phase::Completed);
}

#[tokio::test]
async fn commands_that_wait_are_bounded_too() {
    let world = World::new().await;
    world.add(Phase::Running).await;
    for _ in 2..8 {
        world.add(Phase::WaitingApproval).await;
    }
    assert_eq!(world.numbers().await, [1, 6, 7]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_command_that_is_approved_while_it_should_make_room_stays() {
    let world = World::new().await;
    for _ in 0..KEPT {
        world.add(Phase::WaitingApproval).await;
    }
    let (commands, scope) = (world.commands.clone(), world.scope);
    let add = async move {
        commands.add(scope, &plan(), KEPT, |number| command(number, Phase::Completed)).await
    };
    // Held after it has read the project's commands twice and written the new one.
    let (adding, go_on) = world.pause.held(2, add).await;
    let step = world.commands.apply(scope, &plan(), 1, &approval()).await.unwrap().step;
    assert_eq!(step.phase, Phase::Running);
    go_on.expect("the act is held").send(()).unwrap();
    adding.await.unwrap().unwrap().unwrap();
    assert_eq!(world.numbers().await, [1, 2, 3, 4]);
}
