//! Tests Terraform's states in the table: versions, locks, and crashes between the two steps of a write.
use aws_sdk_dynamodb::config::retry::RetryConfig;
use domain::terraform_state::{
    AskedAt, Begun, KEPT_STATES, LockInfo, MAX_STATES, StateLock, StateName, StateRefusal,
    StateVersion, TerraformState,
};
use domain::{InstallationId, ProjectId, Scope, Timestamp};
use store::terraform_states::TerraformStates;
use store::testing::faults::{Death, Fault};
use store::{StoreError, testing};

fn scope(project: u64) -> Scope {
    Scope { installation: InstallationId(1), project: ProjectId(project) }
}

fn name(text: &str) -> StateName {
    text.parse().unwrap()
}

fn version(serial: u64) -> StateVersion {
    StateVersion {
        id: format!("{serial:032x}"),
        serial,
        lineage: "a".to_owned(),
        empty: false,
        bytes: 10,
        sha256: format!("sha-{serial}"),
        sealed: format!("sealed-{serial}"),
        at: Timestamp::now(),
    }
}

fn lock(id: &str, generation: u64) -> StateLock {
    let info = LockInfo { id: id.to_owned(), ..LockInfo::default() };
    StateLock { info, holder: format!("run-{id}"), asked_at: at(generation) }
}

fn at(generation: u64) -> AskedAt {
    AskedAt { generation, order: 0 }
}

async fn states() -> TerraformStates {
    TerraformStates::new(&testing::table().await)
}

/// Changes the state `main` of project 1, as a function does.
async fn change<R>(
    states: &TerraformStates,
    act: impl FnMut(&mut TerraformState) -> R,
) -> Result<R, StoreError> {
    Ok(states.change(scope(1), &name("main"), act).await?.unwrap())
}

async fn write(
    states: &TerraformStates,
    serial: u64,
    lock: Option<&str>,
) -> Result<Vec<String>, StateRefusal> {
    change(states, |state| state.begin(version(serial), lock)).await.unwrap()?;
    change(states, |state| state.commit(&version(serial).id)).await.unwrap()
}

async fn serial(states: &TerraformStates) -> Option<u64> {
    let state = states.get(scope(1), &name("main")).await.unwrap();
    state.current().map(|current| current.serial)
}

#[tokio::test]
async fn the_latest_version_counts_and_the_oldest_are_named_for_deletion() {
    let states = states().await;
    assert_eq!(serial(&states).await, None);
    let kept = u64::try_from(KEPT_STATES).unwrap();
    for serial in 1..=kept {
        assert_eq!(write(&states, serial, None).await, Ok(Vec::new()));
    }
    assert_eq!(write(&states, kept + 1, None).await, Ok(vec![version(1).id]));
    assert_eq!(serial(&states).await, Some(kept + 1));
    let older = StateRefusal::Older { kept: kept + 1, offered: 3 };
    assert_eq!(write(&states, 3, None).await, Err(older));
    let other = StateVersion { lineage: "b".into(), ..version(kept + 2) };
    let refused = change(&states, |state| state.begin(other.clone(), None)).await.unwrap();
    assert_eq!(refused, Err(StateRefusal::OtherLineage));
    assert_eq!(serial(&states).await, Some(kept + 1));
}

#[tokio::test]
async fn a_lock_keeps_writers_out_and_is_released_by_its_id_alone() {
    let states = states().await;
    let held = ["a".to_owned()];
    change(&states, |state| state.take_lock(lock("a", 1), &held)).await.unwrap().unwrap();
    let refused = change(&states, |state| state.take_lock(lock("b", 1), &held)).await.unwrap();
    assert_eq!(refused.unwrap_err().info.id, "a");
    for wrong in [None, Some("b")] {
        let refused = write(&states, 1, wrong).await;
        assert!(
            matches!(&refused, Err(StateRefusal::Locked(by)) if by.info.id == "a"),
            "{refused:?}"
        );
    }
    change(&states, |state| state.release(Some("b"), at(1))).await.unwrap();
    assert_eq!(states.get(scope(1), &name("main")).await.unwrap().lock(), Some(&lock("a", 1)));
    assert_eq!(write(&states, 1, Some("a")).await, Ok(Vec::new()));
    change(&states, |state| state.release(Some("a"), at(1))).await.unwrap();
    assert_eq!(states.get(scope(1), &name("main")).await.unwrap().lock(), None);
    assert_eq!(write(&states, 2, None).await, Ok(Vec::new()));
}

#[tokio::test]
async fn a_lock_is_lost_with_its_sandbox_and_what_was_begun_under_it_does_not_count() {
    let states = states().await;
    write(&states, 1, None).await.unwrap();
    change(&states, |state| state.take_lock(lock("a", 1), &[])).await.unwrap().unwrap();
    change(&states, |state| state.begin(version(2), Some("a"))).await.unwrap().unwrap();
    // The next sandbox has no record of that lock, but its generation is later.
    change(&states, |state| state.take_lock(lock("b", 2), &["b".to_owned()]))
        .await
        .unwrap()
        .unwrap();
    let late = change(&states, |state| state.commit(&version(2).id)).await.unwrap();
    assert!(matches!(late, Err(StateRefusal::Locked(_))), "{late:?}");
    assert_eq!(serial(&states).await, Some(1));
    assert_eq!(write(&states, 2, Some("b")).await, Ok(Vec::new()));
    let earlier = change(&states, |state| state.take_lock(lock("c", 1), &[])).await.unwrap();
    assert!(earlier.is_err(), "a replaced sandbox gets no lock");
}

#[tokio::test]
async fn only_one_of_two_concurrent_commands_gets_the_lock() {
    let states = states().await;
    let held: Vec<String> = (0..8).map(|n| format!("l{n}")).collect();
    let mut won = 0;
    let mut asking = tokio::task::JoinSet::new();
    for id in held.clone() {
        let (states, held) = (states.clone(), held.clone());
        asking.spawn(async move {
            change(&states, |state| state.take_lock(lock(&id, 1), &held)).await.unwrap().is_ok()
        });
    }
    while let Some(one) = asking.join_next().await {
        won += usize::from(one.unwrap());
    }
    assert_eq!(won, 1);
}

#[tokio::test]
async fn the_table_has_the_wrapped_key_and_the_digest_of_a_content_and_nothing_of_it() {
    let states = states().await;
    write(&states, 7, None).await.unwrap();
    let state = states.get(scope(1), &name("main")).await.unwrap();
    let stored = serde_json::to_value(&state).unwrap();
    let versions = stored["versions"].as_array().unwrap();
    let fields: Vec<&str> = versions[0].as_object().unwrap().keys().map(String::as_str).collect();
    let mut sorted = fields.clone();
    sorted.sort_unstable();
    let all = ["at", "bytes", "empty", "id", "lineage", "sealed", "serial", "sha256"];
    assert_eq!(sorted, all, "a new field must not reveal the content");
    // The key of one version opens no other, and asking again for a version changes no key.
    let begun = change(&states, |state| state.begin(version(8), None)).await.unwrap();
    assert_eq!(begun, Ok(Begun::Upload { sealed: "sealed-8".into(), abandoned: None }));
    let again = StateVersion { sealed: "another".into(), ..version(8) };
    let begun = change(&states, |state| state.begin(again.clone(), None)).await.unwrap();
    assert_eq!(begun, Ok(Begun::Upload { sealed: "sealed-8".into(), abandoned: None }));
}

#[tokio::test]
async fn each_project_and_name_has_a_separate_state_up_to_a_limit() {
    let states = states().await;
    write(&states, 1, None).await.unwrap();
    change(&states, |state| state.take_lock(lock("a", 1), &[])).await.unwrap().unwrap();
    for other in [(scope(2), "main"), (scope(1), "network")] {
        let state = states.get(other.0, &name(other.1)).await.unwrap();
        assert_eq!(state, TerraformState::default(), "{other:?}");
        let begun = begin(&states, other.0, other.1).await;
        assert!(matches!(begun, Some(Ok(Begun::Upload { .. }))), "{other:?}");
    }
    assert_eq!(serial(&states).await, Some(1));
    for n in 2..MAX_STATES {
        assert!(begin(&states, scope(1), &format!("n{n}")).await.is_some(), "{n}");
    }
    assert_eq!(begin(&states, scope(1), "more").await, None);
    // If nothing changes, no state is created, so none needs a place.
    let released = states.change(scope(1), &name("more"), |state| state.release(None, at(1))).await;
    assert_eq!(released.unwrap(), Some(()));
    assert_eq!(
        write(&states, 2, Some("a")).await,
        Ok(Vec::new()),
        "existing states still accept versions"
    );
}

#[tokio::test]
async fn concurrent_commands_create_no_more_states_than_a_project_may_have() {
    let states = states().await;
    for n in 2..MAX_STATES {
        assert!(begin(&states, scope(1), &format!("n{n}")).await.is_some(), "{n}");
    }
    let calls = (0..8).map(|n| {
        let states = states.clone();
        tokio::spawn(async move { begin(&states, scope(1), &format!("more{n}")).await.is_some() })
    });
    let mut created = 0;
    for call in calls.collect::<Vec<_>>() {
        created += usize::from(call.await.unwrap());
    }
    assert_eq!(created, 2);
}

async fn begin(
    states: &TerraformStates,
    scope: Scope,
    state: &str,
) -> Option<Result<Begun, StateRefusal>> {
    states.change(scope, &name(state), |state| state.begin(version(1), None)).await.unwrap()
}

/// The steps of a command that writes, each repeated by the sandbox until it is answered.
#[derive(Clone, Copy, Debug)]
enum Step {
    Lock,
    Begin,
    Commit,
    Unlock,
}

const STORY: [Step; 4] = [Step::Lock, Step::Begin, Step::Commit, Step::Unlock];

async fn act(states: &TerraformStates, step: Step) -> Result<(), StoreError> {
    let held = ["a".to_owned()];
    change(states, |state| match step {
        Step::Lock => state.take_lock(lock("a", 1), &held).unwrap(),
        Step::Begin => drop(state.begin(version(2), Some("a")).unwrap()),
        Step::Commit => drop(state.commit(&version(2).id).unwrap()),
        Step::Unlock => state.release(Some("a"), at(1)),
    })
    .await
}

/// Runs the story with one fault; returns whether the story reached the call that the fault strikes.
async fn tell(at: usize, death: Death, told_again: bool) -> bool {
    let what = format!("{death:?} {at}, repeated: {told_again}");
    let fault = Fault::at(at, death);
    let table = testing::table_with(|config| {
        config.interceptor(fault.interceptor()).retry_config(RetryConfig::disabled())
    });
    let states = TerraformStates::new(&table.await);
    write(&states, 1, None).await.unwrap();
    fault.arm();
    let mut ended = None;
    for (number, step) in STORY.into_iter().enumerate() {
        if act(&states, step).await.is_err() {
            if !told_again {
                ended = Some(number);
                break;
            }
            act(&states, step).await.unwrap();
        }
    }
    let struck = fault.disarm();
    let state = states.get(scope(1), &name("main")).await.unwrap();
    let counts = state.current().map(|current| current.serial);
    match ended {
        None => {
            assert_eq!((counts, state.lock()), (Some(2), None), "{what}");
        }
        // The writer died: the state is completely the old one or the new one, and the next sandbox continues.
        Some(number) => {
            // The fault may also strike the read before the write.
            let possible = match (number, death) {
                (3.., _) => [Some(2), Some(2)],
                (2, Death::AfterTheCall) => [Some(1), Some(2)],
                _ => [Some(1), Some(1)],
            };
            assert!(possible.contains(&counts), "{what}: {counts:?}");
            let taken = change(&states, |state| state.take_lock(lock("b", 2), &["b".to_owned()]));
            assert_eq!(taken.await.unwrap(), Ok(()), "{what}");
            assert_eq!(write(&states, 3, Some("b")).await, Ok(Vec::new()), "{what}");
            let late = change(&states, |state| state.commit(&version(2).id)).await.unwrap();
            assert_eq!(late, Err(StateRefusal::Replaced), "{what}: nothing late replaces it");
            assert_eq!(serial(&states).await, Some(3), "{what}");
        }
    }
    struck
}

#[tokio::test]
async fn a_crash_at_any_call_of_a_write_leaves_one_whole_state_that_the_next_writer_replaces() {
    for death in [Death::BeforeTheCall, Death::AfterTheCall] {
        for told_again in [false, true] {
            let mut calls = 0;
            while tell(calls, death, told_again).await {
                calls += 1;
            }
            assert!(
                calls >= 2 * STORY.len(),
                "each step reads and writes, so there are more calls than {calls}"
            );
        }
    }
}
