//! Tests that a stamp is valid exactly as long as the execution has not changed since it was read.
use crate::support::exited;
use domain::audit::Actor;
use domain::output::OutputView;
use domain::plan::PlannedStep;
use domain::project::Project;
use domain::step::{Autonomy, Command, Event, Rollback, Seen, Step, StepDecision, StepEdit, Track};
use domain::{InstallationId, PlanId, RunId, Scope};
use store::Table;
use store::executions::{EDITS_PER_ATTEMPT, Execution, ExecutionError, Executions};
use store::projects::Projects;
use store::testing;

const BACK: &str = "echo back\n";

struct World {
    table: Table,
    executions: Executions,
    scope: Scope,
    by: Actor,
    /// Every state that a page has seen, with its stamp.
    seen: Vec<(Execution, String)>,
}

impl World {
    async fn new() -> Self {
        let table = testing::table().await;
        let project = Project::new("blog", None).unwrap();
        let installation = InstallationId(1);
        assert!(Projects::new(&table).create(installation, &project).await.unwrap());
        let executions = Executions::new(&table);
        let scope = Scope { installation, project: project.id };
        let by = Actor { user_id: 1, login: "ada".into() };
        Self { table, executions, scope, by, seen: Vec::new() }
    }

    /// A page reads the execution. Its stamp is valid, and the stamps of other states are not.
    async fn look(&mut self, what: &str) {
        let (now, stamp) = self.executions.load_stamped(self.scope).await.unwrap().unwrap();
        let stamp = stamp.unwrap_or_else(|| panic!("no stamp: {what}"));
        assert!(self.executions.is_still(self.scope, &stamp).await.unwrap(), "{what}");
        for (earlier, stamp) in &self.seen {
            let still = self.executions.is_still(self.scope, stamp).await.unwrap();
            assert_eq!(still, *earlier == now, "{what}");
        }
        assert!(self.seen.iter().all(|(earlier, _)| *earlier != now), "it changed: {what}");
        self.seen.push((now, stamp));
    }

    async fn start(&self, plan: &PlanId, steps: usize) {
        let planned = vec![PlannedStep::default(); steps];
        self.executions.start(self.scope, plan, &planned).await.unwrap().unwrap();
    }

    async fn apply(&mut self, plan: &PlanId, event: Event, what: &str) -> Step {
        let applied = self.executions.apply(self.scope, plan, 1, &event).await.unwrap();
        assert!(applied.changed, "{what}");
        self.look(what).await;
        applied.step
    }

    async fn prepared(&mut self, plan: &PlanId, script: &str) -> Step {
        let run_id = RunId::random();
        self.apply(plan, Event::Prepare { run_id: run_id.clone() }, "it is being prepared").await;
        let event = Event::Prepared {
            run_id,
            next_run_id: RunId::random(),
            script: script.into(),
            verdict: None,
            rollback: Some(Rollback::new(BACK, None)),
        };
        self.apply(plan, event, "it waits").await
    }

    /// A command of the next attempt, or of the one that is being prepared.
    async fn waits(&self, plan: &PlanId, script: &str) -> Step {
        let step = self.executions.step(self.scope, 1).await.unwrap().unwrap();
        let run_id = step.run_id.unwrap_or_else(RunId::random);
        let apply =
            async |event| self.executions.apply(self.scope, plan, 1, &event).await.unwrap().step;
        apply(Event::Prepare { run_id: run_id.clone() }).await;
        apply(Event::Prepared {
            run_id,
            next_run_id: RunId::random(),
            script: script.to_owned(),
            verdict: None,
            rollback: Some(Rollback::new(BACK, None)),
        })
        .await
    }

    async fn prints(&self, track: Track, step: &Step, seq: u64) {
        let run_id = step.run_id.clone().unwrap();
        let view = OutputView { seq, head: "x".into(), ..OutputView::default() };
        let executions = self.executions.on(track);
        executions.progress(self.scope, step.number, &run_id, &view).await.unwrap();
    }

    async fn ends(&self, track: Track, step: &Step, exit_code: i32) {
        let finish = exited(exit_code);
        let event = Event::Finished { run_id: step.run_id.clone().unwrap(), finish };
        let executions = self.executions.on(track);
        assert!(executions.apply_to_run(self.scope, step.number, &event).await.unwrap().changed);
    }
}

#[tokio::test]
async fn each_change_that_a_page_shows_invalidates_the_stamp() {
    let mut world = World::new().await;
    let plan = PlanId::from("plan");
    world.look("nothing has begun").await;
    world.start(&plan, 30).await;
    world.look("it has begun").await;
    let level = Autonomy::AskForChanges;
    world.executions.set_autonomy(world.scope, &plan, level, &world.by).await.unwrap();
    world.look("another level").await;
    let step = world.prepared(&plan, "echo one\n").await;
    let edit = StepEdit {
        plan_id: plan.clone(),
        step_number: 1,
        attempt: step.attempt,
        command_sha256: step.command.unwrap().sha256,
        script: "echo two\n".into(),
    };
    let command = Command::new(&edit.script);
    let edited = world.executions.edit(world.scope, &edit, &command, &world.by).await.unwrap();
    world.look("it is edited").await;
    let decision = StepDecision {
        plan_id: plan.clone(),
        step_number: 1,
        approved: true,
        seen: Seen::of(edited.step.attempt, Some(&command.sha256)),
        roll_back: false,
        reason: None,
    };
    world.executions.decide(world.scope, &decision, &world.by, &[]).await.unwrap();
    world.look("it is approved").await;
    let runs = world.executions.step(world.scope, 1).await.unwrap().unwrap();
    let acknowledged = Event::Acknowledged { run_id: runs.run_id.clone().unwrap() };
    world.apply(&plan, acknowledged, "the sandbox has it").await;
    for seq in 1..4 {
        world.prints(Track::Execution, &runs, seq).await;
        world.look("it prints").await;
    }
    world.ends(Track::Execution, &runs, 0).await;
    world.look("it ends").await;

    let shown = (1, Rollback::new(BACK, None).sha256);
    let shown = (shown.0, shown.1.as_str());
    for exit_code in [1, 0] {
        let back = world.executions.roll_back(world.scope, &plan, shown, &world.by, &[]);
        let back = back.await.unwrap();
        world.look("it is rolled back").await;
        world.prints(Track::Rollback, &back, 1).await;
        world.look("the rollback prints").await;
        world.ends(Track::Rollback, &back, exit_code).await;
        world.look("the rollback ends").await;
    }
    world.start(&PlanId::from("next"), 2).await;
    world.look("another plan").await;
}

#[tokio::test]
async fn an_execution_whose_header_is_behind_is_read_as_a_whole() {
    let mut world = World::new().await;
    let plan = PlanId::from("plan");
    world.start(&plan, 2).await;
    let first = world.prepared(&plan, "echo one\n").await;
    testing::forgets_marks(&world.table, world.scope, &["mark_1"]).await;
    let loaded = world.executions.load_stamped(world.scope).await.unwrap().unwrap();
    assert_eq!((loaded.0.steps.len(), loaded.1), (2, None));
    for (_, stamp) in &world.seen {
        assert!(!world.executions.is_still(world.scope, stamp).await.unwrap());
    }
    let seen = Seen::of(first.attempt, first.command.as_ref().map(|it| it.sha256.as_str()));
    let event = Event::Approve { run_id: RunId::random(), seen, credentials: Vec::new() };
    world.apply(&plan, event, "its next move marks it again").await;
}

#[tokio::test]
async fn a_stamp_expires_and_is_valid_only_for_its_project() {
    let mut world = World::new().await;
    world.look("nothing has begun").await;
    let stamp = world.seen[0].1.clone();
    let parts: Vec<_> = stamp.split('.').collect();
    let at: i64 = parts[1].parse().unwrap();
    for (seconds, holds) in [(590, true), (600, false), (-60, false)] {
        let older = format!("{}.{}.{}", parts[0], at - seconds, parts[2]);
        assert_eq!(world.executions.is_still(world.scope, &older).await.unwrap(), holds);
    }
    for text in ["", "*", "abc", "a.b.c", "0.0.0", &format!("{stamp}4294967295")] {
        world.executions.is_still(world.scope, text).await.unwrap();
    }
    let stranger = Scope { installation: InstallationId(2), ..world.scope };
    assert!(!world.executions.is_still(stranger, &stamp).await.unwrap());
    let another = Project::new("blog", None).unwrap();
    let installation = world.scope.installation;
    assert!(Projects::new(&world.table).create(installation, &another).await.unwrap());
    let another = Scope { project: another.id, ..world.scope };
    assert!(!world.executions.is_still(another, &stamp).await.unwrap());
    assert!(!world.executions.on(Track::Validation).is_still(world.scope, &stamp).await.unwrap());
}

#[tokio::test]
async fn one_step_is_read_without_the_others_while_its_plan_is_the_present_one() {
    let world = World::new().await;
    let (old, new) = (PlanId::from("old"), PlanId::from("new"));
    let at = async |number| world.executions.current_step(world.scope, number).await.unwrap();
    assert_eq!(at(1).await, None);
    world.start(&old, 2).await;
    assert_eq!(at(2).await.unwrap().plan_id, old);
    world.start(&new, 1).await;
    assert_eq!(at(1).await.unwrap().plan_id, new);
    assert_eq!(at(2).await, None);
}

#[tokio::test]
async fn an_attempt_has_a_limited_number_of_edits_whose_records_keep_only_the_new_script() {
    let world = World::new().await;
    let plan = PlanId::from("plan");
    world.start(&plan, 1).await;
    let attempt = world.waits(&plan, &"# ours\n".repeat(3_000)).await.attempt;
    let edit = async |n: u32, attempt| {
        let step = world.executions.step(world.scope, 1).await.unwrap().unwrap();
        let edit = StepEdit {
            plan_id: plan.clone(),
            step_number: 1,
            attempt,
            command_sha256: step.command.unwrap().sha256,
            script: format!("echo {n}\n{}", "# theirs\n".repeat(2_500)),
        };
        let command = Command::new(&edit.script);
        world.executions.edit(world.scope, &edit, &command, &world.by).await
    };
    for n in 1..=EDITS_PER_ATTEMPT {
        assert!(edit(n, attempt).await.unwrap().changed, "{n}");
    }
    let refused = edit(0, attempt).await;
    assert!(matches!(refused, Err(ExecutionError::TooManyEdits)), "{refused:?}");
    assert!(
        !edit(EDITS_PER_ATTEMPT, attempt).await.unwrap().changed,
        "the same text changes nothing"
    );
    let records = testing::sizes(&world.table).await.into_iter();
    let records: Vec<_> = records.filter(|(_, sk, _)| sk.contains("#edited#")).collect();
    assert_eq!(records.len(), EDITS_PER_ATTEMPT as usize);
    assert!(records.iter().all(|(.., bytes)| *bytes < 24_000), "only the new script");

    let step = world.executions.step(world.scope, 1).await.unwrap().unwrap();
    let rejected = StepDecision {
        plan_id: plan.clone(),
        step_number: 1,
        approved: false,
        seen: Seen::of(attempt, step.command.as_ref().map(|command| command.sha256.as_str())),
        roll_back: false,
        reason: None,
    };
    world.executions.decide(world.scope, &rejected, &world.by, &[]).await.unwrap();
    let again = StepDecision { approved: true, ..rejected };
    world.executions.decide(world.scope, &again, &world.by, &[]).await.unwrap();
    let next = world.waits(&plan, "echo again\n").await.attempt;
    assert!(edit(1, next).await.unwrap().changed, "the next attempt begins anew");
}
