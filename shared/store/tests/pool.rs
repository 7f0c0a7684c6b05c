//! Tests the warm pool: no project gets another project's task, whatever fails in between.
use domain::pool::PooledTask;
use domain::project::Project;
use domain::sandbox::{Sandbox, SandboxStatus};
use domain::{InstallationId, PooledId, ProjectId, Scope};
use proptest::prelude::*;
use std::collections::BTreeMap;
use store::pool::{Claimed, Pool};
use store::projects::Projects;
use store::sandboxes::Sandboxes;
use store::{Table, testing};

fn scope(project: u64) -> Scope {
    Scope { installation: InstallationId(1), project: ProjectId(project) }
}

async fn project(table: &Table, id: u64) -> Scope {
    let scope = scope(id);
    let project = Project { id: scope.project, ..Project::new("blog", None).unwrap() };
    Projects::new(table).create(scope.installation, &project).await.unwrap();
    scope
}

/// Puts a task into a slot, ready for a project.
async fn ready(pool: &Pool, slot: u32) -> PooledTask {
    let mut task = PooledTask::new(slot, "sandbox:1");
    task.task_arn = Some(format!("arn/{}", task.id));
    task.connection_id = Some(format!("connection/{}", task.id));
    assert!(pool.occupy(&task).await.unwrap());
    task
}

async fn begin(table: &Table, scope: Scope) -> Sandbox {
    let next_life = |sandbox: &mut Sandbox| {
        *sandbox = sandbox.next_life();
        true
    };
    Sandboxes::new(table).change(scope, next_life).await.unwrap().unwrap().0
}

#[tokio::test]
async fn a_slot_holds_one_task_and_only_that_one_is_changed() {
    let table = testing::table().await;
    let pool = Pool::new(&table);
    let first = ready(&pool, 0).await;
    assert!(!pool.occupy(&PooledTask::new(0, "sandbox:1")).await.unwrap());
    let other = PooledId::random();
    assert_eq!(pool.find(0, &first.id).await.unwrap(), Some(first.clone()));
    assert_eq!(pool.find(0, &other).await.unwrap(), None);
    assert_eq!(
        pool.change(0, &other, |_| panic!("another task must not change")).await.unwrap(),
        None
    );
    assert!(!pool.give_up(0, &other).await.unwrap());
    assert_eq!(pool.tasks().await.unwrap(), std::slice::from_ref(&first));
    assert!(pool.give_up(0, &first.id).await.unwrap());
    assert!(pool.tasks().await.unwrap().is_empty());
    assert!(pool.occupy(&PooledTask::new(0, "sandbox:1")).await.unwrap());
}

#[tokio::test]
async fn a_claim_moves_a_task_to_the_sandbox_in_one_transaction() {
    let table = testing::table().await;
    let (pool, scope) = (Pool::new(&table), project(&table, 7).await);
    let task = ready(&pool, 0).await;
    begin(&table, scope).await;
    let Claimed::Yes(sandbox) = pool.claim(&task, scope, 1).await.unwrap() else { panic!() };
    assert_eq!(sandbox.task_arn, task.task_arn);
    assert_eq!(Sandboxes::new(&table).get(scope).await.unwrap(), Some(sandbox.clone()));
    assert!(pool.tasks().await.unwrap().is_empty());
    let claim = pool.claim_of(&task.id).await.unwrap().unwrap();
    assert!(claim.holds(&sandbox));
    assert_eq!((claim.scope, claim.generation), (scope, 1));
    assert!(!claim.holds(&begin(&table, scope).await), "a claim holds for one generation only");
    assert_eq!(pool.claims().await.unwrap(), [claim]);
    pool.end_claim(&task.id).await.unwrap();
    assert!(pool.claims().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_sandbox_that_does_not_wait_for_a_task_gets_none() {
    let table = testing::table().await;
    let (pool, scope) = (Pool::new(&table), project(&table, 7).await);
    let (one, two) = (ready(&pool, 0).await, ready(&pool, 1).await);
    let claim =
        async |task: &PooledTask, generation| pool.claim(task, scope, generation).await.unwrap();
    assert!(matches!(claim(&one, 1).await, Claimed::Unwanted(Some(_))), "it was not begun");
    begin(&table, scope).await;
    assert!(matches!(claim(&one, 2).await, Claimed::Unwanted(Some(_))), "another generation");
    assert!(matches!(claim(&one, 1).await, Claimed::Yes(_)));
    assert!(matches!(claim(&two, 1).await, Claimed::Unwanted(Some(_))), "it has one");
    let absent = pool.claim(&two, self::scope(8), 1).await.unwrap();
    assert_eq!(absent, Claimed::Unwanted(None));
    assert_eq!(pool.tasks().await.unwrap(), [two], "and the other still waits");
}

/// What an actor does, one conditional write at a time; other actors may act between two of them.
#[derive(Debug, Clone)]
enum Act {
    /// A reaper fills a slot.
    Fill(u32),
    /// A reaper takes a task out of a slot.
    Retire(u32),
    /// An agent's connection closes or opens.
    Flicker(u32),
    /// A project starts, from a view of the pool that is this many acts old.
    Start { project: u64, stale: bool },
    /// Its owner stops it.
    Stop(u64),
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => (0..3_u32).prop_map(Act::Fill),
        1 => (0..3_u32).prop_map(Act::Retire),
        1 => (0..3_u32).prop_map(Act::Flicker),
        5 => (1..5_u64, any::<bool>()).prop_map(|(project, stale)| Act::Start { project, stale }),
        2 => (1..5_u64).prop_map(Act::Stop),
    ]
}

struct World {
    table: Table,
    pool: Pool,
    /// An earlier view of the pool.
    seen: Vec<PooledTask>,
}

impl World {
    async fn does(&mut self, act: &Act) {
        match *act {
            Act::Fill(slot) => {
                let mut task = PooledTask::new(slot, "sandbox:1");
                task.task_arn = Some(format!("arn/{}", task.id));
                self.pool.occupy(&task).await.unwrap();
                self.seen = self.pool.tasks().await.unwrap();
            }
            Act::Retire(slot) => {
                if let Some(task) = self.at(slot).await {
                    self.pool.give_up(slot, &task.id).await.unwrap();
                }
            }
            Act::Flicker(slot) => {
                if let Some(task) = self.at(slot).await {
                    let flicker = |task: &mut PooledTask| {
                        task.connection_id =
                            task.connection_id.is_none().then(|| "connection".to_owned());
                        true
                    };
                    self.pool.change(slot, &task.id, flicker).await.unwrap();
                }
            }
            Act::Start { project, stale } => {
                let generation = begin(&self.table, scope(project)).await.generation;
                let fresh = self.pool.tasks().await.unwrap();
                let choice = if stale { self.seen.clone() } else { fresh };
                let claims =
                    choice.iter().map(|task| self.pool.claim(task, scope(project), generation));
                // All at once: a project that tries two tasks in the same moment gets at most one.
                futures_all(claims).await;
            }
            Act::Stop(project) => {
                let stop = |sandbox: &mut Sandbox| {
                    sandbox.status = SandboxStatus::Stopped;
                    true
                };
                Sandboxes::new(&self.table).change(scope(project), stop).await.unwrap();
            }
        }
    }

    async fn at(&self, slot: u32) -> Option<PooledTask> {
        self.pool.tasks().await.unwrap().into_iter().find(|task| task.slot == slot)
    }

    /// Asserts that no task is in two places, and that every sandbox's task from the pool is recorded as its own.
    async fn check(&self) {
        let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for task in self.pool.tasks().await.unwrap() {
            places.entry(task.task_arn.unwrap()).or_default().push(format!("slot {}", task.slot));
        }
        let claims = self.pool.claims().await.unwrap();
        for claim in &claims {
            places.entry(claim.task_arn.clone()).or_default().push(format!("{claim:?}"));
        }
        assert!(places.values().all(|place| place.len() == 1), "{places:#?}");
        for project in 1..5 {
            let sandbox = Sandboxes::new(&self.table).get(scope(project)).await.unwrap().unwrap();
            let holding = claims.iter().filter(|claim| claim.holds(&sandbox)).count();
            let carried = sandbox.is_up() && sandbox.task_arn.is_some();
            assert_eq!(holding, usize::from(carried), "{sandbox:?} {claims:#?}");
        }
    }
}

async fn futures_all<T: Send + 'static>(all: impl Iterator<Item = impl Future<Output = T>>) {
    let mut all: Vec<_> = all.map(Box::pin).collect();
    std::future::poll_fn(|context| {
        all.retain_mut(|future| future.as_mut().poll(context).is_pending());
        if all.is_empty() { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn no_two_projects_ever_share_a_task(acts in prop::collection::vec(act(), 1..30)) {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let table = testing::table().await;
            for id in 1..5 {
                project(&table, id).await;
            }
            let pool = Pool::new(&table);
            let mut world = World { table, pool, seen: Vec::new() };
            for act in &acts {
                world.does(act).await;
                world.check().await;
            }
        });
    }

    #[test]
    fn concurrent_starts_get_a_task_each(tasks in 0..4_u32, projects in 1..6_u64) {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let table = testing::table().await;
            let pool = Pool::new(&table);
            for slot in 0..tasks {
                ready(&pool, slot).await;
            }
            let mut starts = tokio::task::JoinSet::new();
            for id in 1..=projects {
                let scope = project(&table, id).await;
                begin(&table, scope).await;
                let pool = pool.clone();
                starts.spawn(async move {
                    for task in pool.tasks().await.unwrap() {
                        if let Claimed::Yes(sandbox) = pool.claim(&task, scope, 1).await.unwrap() {
                            return sandbox.task_arn;
                        }
                    }
                    None
                });
            }
            let mut got: Vec<_> = starts.join_all().await.into_iter().flatten().collect();
            let count = got.len();
            got.sort();
            got.dedup();
            assert_eq!(got.len(), count, "a task was given twice");
            assert_eq!(count as u64, projects.min(tasks.into()), "no free task was passed over");
        });
    }
}
