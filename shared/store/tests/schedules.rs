//! Tests automatic checks for drift: only one of the reaper's runs takes each time.
use domain::audit::{Actor, Verdict};
use domain::schedule::{Every, Schedule};
use domain::{InstallationId, PlanId, ProjectId, Scope, Timestamp};
use store::audit::Audit;
use store::schedules::Schedules;
use store::testing;

const DAY: i64 = 24 * 60 * 60;

fn scope(project: u64) -> Scope {
    Scope { installation: InstallationId(1), project: ProjectId(project) }
}

async fn set(schedules: &Schedules, project: u64, every: Every, now: Timestamp) -> Schedule {
    let by = Actor { user_id: 1, login: "ada".to_owned() };
    schedules.set(scope(project), &PlanId::from("p"), every, now, &by).await.unwrap()
}

#[tokio::test]
async fn due_schedules_come_longest_due_first_and_up_to_a_limit() {
    let table = testing::table().await;
    let (schedules, now) = (Schedules::new(&table), Timestamp::now());
    for (project, hours) in [(1, 30), (2, 50), (3, 25), (4, 23)] {
        set(&schedules, project, Every::Daily, now.plus_seconds(-hours * 60 * 60)).await;
    }
    set(&schedules, 5, Every::Weekly, now.plus_seconds(-2 * DAY)).await;
    let due = async |limit| {
        let due = schedules.due(now, limit).await.unwrap();
        due.iter().map(|due| due.scope.project.0).collect::<Vec<_>>()
    };
    assert_eq!(due(10).await, [2, 1, 3]);
    assert_eq!(due(2).await, [2, 1]);
    set(&schedules, 2, Every::Off, now).await;
    set(&schedules, 1, Every::Weekly, now).await;
    assert_eq!(due(10).await, [3]);
}

#[tokio::test]
async fn only_one_of_two_sweeps_takes_a_due_schedule() {
    let table = testing::table().await;
    let (schedules, now) = (Schedules::new(&table), Timestamp::now());
    for project in 1..=8 {
        set(&schedules, project, Every::Daily, now.plus_seconds(-DAY - 60)).await;
        let due = schedules.due(now, 1).await.unwrap().remove(0);
        let (one, other) = tokio::join!(schedules.take(&due, now), schedules.take(&due, now));
        assert!(one.unwrap() ^ other.unwrap(), "exactly one of them");
        assert!(!schedules.take(&due, now).await.unwrap(), "a late sweep finds that it is taken");
        assert_eq!(schedules.due(now, 1).await.unwrap(), []);
        let next = schedules.get(scope(project)).await.unwrap().due_at.unwrap();
        assert_eq!(next.seconds_since(now), DAY - 60);
    }
    assert_eq!(schedules.due(now.plus_seconds(DAY), 10).await.unwrap().len(), 8);
}

#[tokio::test]
async fn each_new_choice_is_recorded_and_a_repeated_one_is_not() {
    let table = testing::table().await;
    let (schedules, now) = (Schedules::new(&table), Timestamp::now());
    let first = set(&schedules, 1, Every::Daily, now).await;
    assert_eq!(set(&schedules, 1, Every::Daily, now.plus_seconds(60)).await, first);
    let off = set(&schedules, 1, Every::Off, now).await;
    assert_eq!(off, Schedule::default());
    let decisions = Audit::new(&table).decisions(scope(1)).await.unwrap();
    let words: Vec<_> = decisions.iter().map(|d| (d.verdict, d.description.as_str())).collect();
    let [off, daily] = [Every::Off, Every::Daily].map(|every| (Verdict::Scheduled, every.words()));
    assert_eq!(words.len(), 2);
    assert!(words.contains(&off) && words.contains(&daily));
}
