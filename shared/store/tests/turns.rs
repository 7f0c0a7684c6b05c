//! Tests turns of agents: each runs once, whichever of its messages arrives, and in any order.
use domain::step::Track;
use domain::work::AgentRun;
use domain::{InstallationId, PlanId, ProjectId, RunId, Scope};
use store::testing::{self, turns_wait};
use store::turns::Turns;
use tokio::task::JoinSet;

/// Longer than a lease, in seconds.
const LONG: i64 = 60;

fn turn(project: u64) -> AgentRun {
    AgentRun::PrepareStep {
        scope: Scope { installation: InstallationId(1), project: ProjectId(project) },
        track: Track::Execution,
        plan_id: PlanId::from("plan"),
        step_number: 1,
        run_id: RunId::random(),
    }
}

async fn untaken(turns: &Turns) -> Vec<AgentRun> {
    turns.untaken().await.unwrap().into_iter().map(|turn| turn.run).collect()
}

#[tokio::test]
async fn only_one_message_takes_a_turn_and_none_takes_a_finished_one() {
    let turns = Turns::new(&testing::table().await);
    let run = turn(1);
    let id = run.run_id();
    assert_eq!(turns.take(id, "a").await.unwrap(), None, "no caller has requested it");
    turns.ask(&run).await.unwrap();
    let lease = turns.take(id, "a").await.unwrap().expect("it is free");
    assert_eq!(turns.take(id, "b").await.unwrap(), None);
    turns.ask(&run).await.unwrap();
    assert_eq!(turns.take(id, "b").await.unwrap(), None, "asking again leaves the lease");
    assert!(turns.renew(&lease).await.unwrap());
    turns.end(&lease).await.unwrap();
    assert_eq!(turns.take(id, "a").await.unwrap(), None);
    assert_eq!(turns.take(id, "b").await.unwrap(), None);
    assert!(!turns.renew(&lease).await.unwrap());
}

#[tokio::test]
async fn only_one_of_many_concurrent_readers_takes_a_turn() {
    let turns = Turns::new(&testing::table().await);
    let run = turn(1);
    turns.ask(&run).await.unwrap();
    let mut readers = JoinSet::new();
    for message in 0..20 {
        let (turns, id) = (turns.clone(), run.run_id().clone());
        readers.spawn(async move { turns.take(&id, &message.to_string()).await.unwrap() });
    }
    assert_eq!(readers.join_all().await.into_iter().flatten().count(), 1);
}

#[tokio::test]
async fn a_message_that_comes_again_takes_its_turn_from_its_former_reader() {
    let turns = Turns::new(&testing::table().await);
    let run = turn(1);
    turns.ask(&run).await.unwrap();
    let former = turns.take(run.run_id(), "a").await.unwrap().unwrap();
    let present =
        turns.take(run.run_id(), "a").await.unwrap().expect("its queue delivered it again");
    assert!(!turns.renew(&former).await.unwrap());
    turns.end(&former).await.unwrap();
    assert!(turns.renew(&present).await.unwrap(), "the former reader cannot end the turn");
}

#[tokio::test]
async fn a_reader_that_dies_leaves_its_turn_to_another_message() {
    let table = testing::table().await;
    let turns = Turns::new(&table);
    let run = turn(1);
    turns.ask(&run).await.unwrap();
    let dead = turns.take(run.run_id(), "a").await.unwrap().unwrap();
    turns_wait(&table, LONG).await;
    assert_eq!(untaken(&turns).await, std::slice::from_ref(&run));
    let lease = turns.take(run.run_id(), "b").await.unwrap().expect("the lease has ended");
    assert!(!turns.renew(&dead).await.unwrap());
    assert_eq!(turns.take(run.run_id(), "a").await.unwrap(), None, "the message comes too late");
    turns.end(&lease).await.unwrap();
    assert_eq!(untaken(&turns).await, []);
}

#[tokio::test]
async fn a_turn_waits_for_its_message_and_for_its_projects_turn_before() {
    let table = testing::table().await;
    let turns = Turns::new(&table);
    let (first, second, other) = (turn(1), turn(1), turn(2));
    for run in [&first, &second, &other] {
        turns.ask(run).await.unwrap();
    }
    assert_eq!(untaken(&turns).await, []);
    turns_wait(&table, LONG).await;
    assert_eq!(untaken(&turns).await.len(), 3);
    let lease = turns.take(first.run_id(), "a").await.unwrap().unwrap();
    assert_eq!(untaken(&turns).await, std::slice::from_ref(&other));
    turns.end(&lease).await.unwrap();
    let found = turns.untaken().await.unwrap();
    assert_eq!(found.len(), 2);
    for turn in &found {
        assert_eq!(turn.offers, 0);
        turns.offered(turn).await.unwrap();
    }
    assert_eq!(untaken(&turns).await, [], "they may be on their way");
    turns_wait(&table, LONG).await;
    assert!(turns.untaken().await.unwrap().iter().all(|turn| turn.offers == 1));
}
