use super::*;
use proptest::prelude::*;

fn lock(id: &str, generation: u64) -> StateLock {
    locked_at(id, at(generation, 0))
}

fn locked_at(id: &str, asked_at: AskedAt) -> StateLock {
    let info = LockInfo { id: id.to_owned(), ..LockInfo::default() };
    StateLock { info, holder: format!("run-{id}"), asked_at }
}

fn at(generation: u64, order: u64) -> AskedAt {
    AskedAt { generation, order }
}

fn version(n: u8, serial: u64) -> StateVersion {
    StateVersion {
        id: format!("{n:032x}"),
        serial,
        lineage: "a".to_owned(),
        empty: false,
        bytes: 10,
        sha256: format!("sha-{n}"),
        sealed: format!("sealed-{n}"),
        at: Timestamp::now(),
    }
}

fn written(state: &mut TerraformState, version: StateVersion, lock: Option<&str>) {
    let id = version.id.clone();
    assert!(matches!(state.begin(version, lock), Ok(Begun::Upload { .. })));
    state.commit(&id).unwrap();
}

#[test]
fn a_lock_keeps_others_out_until_it_is_released() {
    let mut state = TerraformState::default();
    let held = ["a".to_owned()];
    assert_eq!(state.take_lock(lock("a", 1), &[]), Ok(()));
    assert_eq!(state.take_lock(lock("a", 1), &[]), Ok(()), "asked again");
    assert_eq!(state.take_lock(lock("b", 1), &held).unwrap_err().holder, "run-a");
    assert!(matches!(state.begin(version(1, 1), Some("b")), Err(StateRefusal::Locked(_))));
    assert!(matches!(state.begin(version(1, 1), None), Err(StateRefusal::Locked(_))));
    state.release(Some("b"), at(1, 0));
    assert!(state.take_lock(lock("b", 1), &held).is_err(), "another's lock is not released");
    state.release(Some("a"), at(1, 0));
    assert_eq!(state.take_lock(lock("b", 1), &held), Ok(()));
}

#[test]
fn the_lock_of_a_command_that_is_over_is_taken_over() {
    let mut state = TerraformState::default();
    state.take_lock(lock("a", 1), &[]).unwrap();
    assert_eq!(state.take_lock(lock("b", 2), &["a".to_owned()]), Ok(()), "its sandbox is gone");
    assert_eq!(state.take_lock(lock("c", 2), &[]), Ok(()), "its sandbox no longer lists it");
    assert!(state.take_lock(lock("d", 1), &[]).is_err(), "a replaced sandbox gets no lock");
    assert_eq!(state.lock(), Some(&lock("c", 2)));
}

#[test]
fn of_two_requests_that_are_repeated_and_overtake_each_other_one_gets_the_lock() {
    let held = ["a".to_owned(), "b".to_owned()];
    let asks = [(locked_at("a", at(1, 1)), &held[..1]), (locked_at("b", at(1, 2)), &held[..])];
    for order in [[0, 1, 0, 1], [0, 1, 1, 0], [0, 0, 1, 1], [1, 0, 0, 1], [1, 0, 1, 0]] {
        let mut state = TerraformState::default();
        let granted = order.map(|n| {
            let (wanted, held) = &asks[n];
            state.take_lock(wanted.clone(), held).is_ok()
        });
        let holders: Vec<_> = order.iter().zip(granted).filter(|(_, ok)| *ok).collect();
        assert!(holders.iter().all(|(n, _)| *n == holders[0].0), "{order:?}: {holders:?}");
    }
}

#[test]
fn a_repeated_request_does_not_take_the_lock_of_a_later_command() {
    let mut state = TerraformState::default();
    let plan = locked_at("plan", at(1, 1));
    state.take_lock(plan.clone(), &["plan".to_owned()]).unwrap();
    state.release(Some("plan"), at(1, 2));
    let apply = locked_at("apply", at(1, 3));
    state.take_lock(apply.clone(), &["apply".to_owned()]).unwrap();
    assert!(state.take_lock(plan, &["plan".to_owned()]).is_err(), "it arrived twice");
    assert_eq!(state.lock(), Some(&apply));
}

#[test]
fn a_release_is_only_for_a_lock_that_was_asked_for_before_it() {
    let mut state = TerraformState::default();
    let again = locked_at("a", at(1, 4));
    state.take_lock(again.clone(), &[]).unwrap();
    assert_eq!(state.take_lock(locked_at("a", at(1, 1)), &[]), Ok(()), "the first try, late");
    for id in [Some("a"), None] {
        state.release(id, at(1, 3));
        assert_eq!(state.lock(), Some(&again), "{id:?}");
    }
    state.release(Some("a"), at(1, 5));
    assert_eq!(state.lock(), None);
}

#[test]
fn a_version_counts_once_it_is_uploaded() {
    let mut state = TerraformState::default();
    state.take_lock(lock("a", 1), &[]).unwrap();
    state.begin(version(1, 1), Some("a")).unwrap();
    assert_eq!(state.current(), None);
    let again = state.begin(StateVersion { sealed: "other".into(), ..version(1, 1) }, Some("a"));
    let kept = Begun::Upload { sealed: "sealed-1".into(), abandoned: None };
    assert_eq!(again, Ok(kept), "the same upload has the same key");
    assert_eq!(state.commit(&version(1, 1).id), Ok(vec![]));
    assert_eq!(state.commit(&version(1, 1).id), Ok(vec![]), "committed again");
    assert_eq!(state.current().map(|kept| kept.serial), Some(1));
    assert_eq!(state.begin(version(1, 1), Some("a")), Ok(Begun::Kept));
    assert_eq!(state.commit(&version(2, 2).id), Err(StateRefusal::Replaced), "never begun");
}

#[test]
fn a_writer_that_lost_its_lock_to_another_writes_nothing() {
    let mut state = TerraformState::default();
    state.take_lock(lock("a", 1), &[]).unwrap();
    state.begin(version(1, 1), Some("a")).unwrap();
    state.take_lock(lock("b", 2), &[]).unwrap();
    assert!(matches!(state.commit(&version(1, 1).id), Err(StateRefusal::Locked(_))));
    assert_eq!(state.current(), None);
}

#[test]
fn a_writer_whose_lock_was_released_can_still_record_its_resources() {
    let mut state = TerraformState::default();
    state.take_lock(lock("a", 1), &[]).unwrap();
    state.begin(version(1, 1), Some("a")).unwrap();
    state.release(None, at(1, 0));
    assert_eq!(state.commit(&version(1, 1).id), Ok(vec![]));
}

#[test]
fn an_older_state_or_a_state_of_other_resources_replaces_nothing() {
    let mut state = TerraformState::default();
    written(&mut state, version(1, 5), None);
    let older = StateRefusal::Older { kept: 5, offered: 5 };
    assert_eq!(state.begin(version(2, 5), None), Err(older));
    let other = StateVersion { lineage: "b".into(), ..version(3, 9) };
    assert_eq!(state.begin(other.clone(), None), Err(StateRefusal::OtherLineage));
    written(&mut state, StateVersion { empty: true, ..version(4, 6) }, None);
    written(&mut state, other, None);
}

#[test]
fn the_resources_are_those_of_the_current_version() {
    let resource = |address: &str| ListedResource { address: address.into(), ..Default::default() };
    let mut state = TerraformState::default();
    let first = version(1, 1);
    state.begin(first.clone(), None).unwrap();
    state.list(&first.id, vec![resource("a.b")]);
    assert_eq!(state.resources(), [], "nothing is written yet");
    state.commit(&first.id).unwrap();
    assert_eq!(state.resources(), [resource("a.b")]);
    let second = version(2, 2);
    state.begin(second.clone(), None).unwrap();
    state.list("another", vec![resource("c.d")]);
    state.commit(&second.id).unwrap();
    assert_eq!(state.resources(), [], "an agent of an earlier version lists none");
}

#[test]
fn a_state_that_is_too_large_or_has_no_name_is_refused() {
    let mut state = TerraformState::default();
    let large = StateVersion { bytes: STATE_BYTES + 1, ..version(1, 1) };
    assert_eq!(state.begin(large, None), Err(StateRefusal::TooLarge(STATE_BYTES + 1)));
    for id in ["", "../../etc", "A0000000000000000000000000000000"] {
        let unnamed = StateVersion { id: id.to_owned(), ..version(1, 1) };
        assert_eq!(state.begin(unnamed, None), Err(StateRefusal::Unnamed), "{id}");
    }
    for name in ["", "a/b", "..", "A", &"a".repeat(65)] {
        assert_eq!(name.parse::<StateName>(), Err(NotAName), "{name}");
    }
    assert_eq!("main".parse::<StateName>().unwrap().to_string(), "main");
}

#[test]
fn only_the_latest_versions_are_kept() {
    let mut state = TerraformState::default();
    let mut dropped = Vec::new();
    for n in 1..=25 {
        state.begin(version(n, n.into()), None).unwrap();
        dropped.extend(state.commit(&version(n, 0).id).unwrap());
    }
    assert_eq!(state.versions.len(), KEPT_STATES);
    assert_eq!(dropped, (1..=5).map(|n| version(n, 0).id).collect::<Vec<_>>());
}

#[derive(Debug, Clone)]
enum Act {
    Lock(u8),
    Release(u8),
    Begin(u8),
    Commit(u8),
}

fn act() -> impl Strategy<Value = Act> {
    let writer = 0u8..3;
    prop_oneof![
        writer.clone().prop_map(Act::Lock),
        writer.clone().prop_map(Act::Release),
        writer.clone().prop_map(Act::Begin),
        writer.prop_map(Act::Commit),
    ]
}

proptest! {
    /// Whatever the order of three writers' messages: while there is a lock, only its holder writes, and the serial
    /// only grows.
    #[test]
    fn no_interleaving_loses_a_version(acts in proptest::collection::vec(act(), 1..80)) {
        let mut state = TerraformState::default();
        let mut offered = [None, None, None];
        let held: Vec<_> = (0..3).map(|n| n.to_string()).collect();
        let mut next = 1u8;
        for act in acts {
            let serial = state.current().map_or(0, |kept| kept.serial);
            let holder = state.lock().map(|lock| lock.info.id.clone());
            match act {
                Act::Lock(n) => {
                    let taken = state.take_lock(lock(&n.to_string(), 1), &held);
                    let free = holder.is_none_or(|holder| holder == n.to_string());
                    prop_assert_eq!(taken.is_ok(), free);
                }
                Act::Release(n) => state.release(Some(&n.to_string()), at(1, 0)),
                Act::Begin(n) => {
                    let wanted = version(next, serial + 1);
                    next += 1;
                    let begun = state.begin(wanted.clone(), Some(&n.to_string()));
                    let free = holder.is_none_or(|holder| holder == n.to_string());
                    prop_assert_eq!(begun.is_ok(), free);
                    if begun.is_ok() {
                        offered[usize::from(n)] = Some(wanted.id);
                    }
                }
                Act::Commit(n) => {
                    let Some(id) = offered[usize::from(n)].take() else { continue };
                    if state.commit(&id).is_ok() {
                        prop_assert!(holder.is_none_or(|holder| holder == n.to_string()));
                        prop_assert_eq!(state.current().map(|kept| kept.serial), Some(serial + 1));
                    }
                }
            }
            prop_assert!(state.current().map_or(0, |kept| kept.serial) >= serial);
        }
    }
}
