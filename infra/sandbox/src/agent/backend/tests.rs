use super::terraform::Call;
use super::*;
use protocol::{ListedResource, StateWrite};

const LOCK: &[u8] = br#"{"ID":"l1","Operation":"OperationTypeApply","Info":"","Who":"u@h","Version":"1.11.4","Created":"2026-11-21T12:57:39Z","Path":""}"#;

fn read(method: &str, body: &[u8]) -> Option<(String, Call)> {
    terraform::read(method, "/terraform/main", None, body)
}

#[test]
fn only_terraforms_requests_are_understood() {
    assert_eq!(read("GET", b""), Some(("main".to_owned(), Call::Read)));
    let Some((_, Call::Lock(info))) = read("LOCK", LOCK) else { panic!("not a lock") };
    assert_eq!(
        (info.id.as_str(), info.operation.as_str(), info.who.as_str()),
        ("l1", "Apply", "u@h")
    );
    assert_eq!(read("UNLOCK", LOCK).unwrap().1, Call::Unlock(Some("l1".to_owned())));
    assert_eq!(read("UNLOCK", b"").unwrap().1, Call::Unlock(None));
    let state = br#"{"version":4,"serial":7,"lineage":"x","resources":[{"a":1}]}"#;
    let Some((_, Call::Write(StateWrite { serial: 7, empty: false, bytes, .. }))) =
        read("POST", state)
    else {
        panic!("not a state")
    };
    assert_eq!(bytes, state.len() as u64);
    let state =
        br#"{"serial":8,"lineage":"x","resources":[{"mode":"managed","type":"aws_eip","name":"web",
        "instances":[{"attributes":{"public_ip":"203.0.113.7","password":"hunter2"}}]}]}"#;
    let Some((_, Call::Write(write))) = read("POST", state) else { panic!("not a state") };
    let [resource] = write.resources.try_into().unwrap();
    let expected = ListedResource {
        address: "aws_eip.web".into(),
        reached_at: [("public_ip".into(), "203.0.113.7".into())].into(),
    };
    assert_eq!(resource, expected);
    let endless = format!(r#"{{"serial":1,"lineage":"{}"}}"#, "x".repeat(201));
    assert_eq!(read("POST", endless.as_bytes()), None);
    for (method, body) in [("POST", b"{".as_slice()), ("LOCK", b"{}"), ("DELETE", b"")] {
        assert_eq!(read(method, body), None, "{method}");
    }
    assert_eq!(terraform::read("GET", "/", None, b""), None);
}

#[test]
fn a_held_lock_is_shown_as_terraform_reads_it() {
    let Some((_, Call::Lock(info))) = read("LOCK", LOCK) else { panic!("not a lock") };
    let shown: serde_json::Value = serde_json::from_slice(&terraform::lock_json(&info)).unwrap();
    assert_eq!((&shown["ID"], &shown["Operation"]), (&"l1".into(), &"Apply".into()));
    assert_eq!(shown["Created"], "2026-11-21T12:57:39Z");
}

#[tokio::test(start_paused = true)]
async fn a_request_is_repeated_until_it_is_answered_or_times_out() {
    let mut backend = Backend::default();
    assert_eq!(backend.password(), None, "the gateway keeps no state");
    backend.set_open(true);
    assert_eq!(backend.password().unwrap().len(), 64);
    backend.ask("main".into(), StateAsk::Read, Some(1), "r1".into(), Vec::new());
    assert_eq!(backend.news(Instant::now()).len(), 1);
    assert_eq!(backend.news(Instant::now()), []);
    tokio::time::advance(REPEAT_AFTER).await;
    assert_eq!(backend.news(Instant::now()).len(), 1);
    backend.say_again();
    assert_eq!(backend.news(Instant::now()).len(), 1);
    assert_eq!(backend.late(Instant::now()), None);
    tokio::time::advance(PATIENCE).await;
    assert!(backend.late(Instant::now()).is_some());
}

#[tokio::test]
async fn a_finished_command_has_no_password_and_no_lock() {
    let mut backend = Backend::default();
    backend.admit("r1", "p1");
    backend.admit("r2", "p2");
    for (id, holder) in [("l1", "r1"), ("l2", "r2")] {
        let held = Held { state: "main".into(), holder: holder.into(), order: 0 };
        backend.locks.insert(id.into(), held);
    }
    backend.over("r1");
    assert_eq!(backend.holders.len(), 1);
    assert_eq!(backend.locks.keys().collect::<Vec<_>>(), ["l2"]);
    let asked: Vec<_> = backend.news(Instant::now());
    let [FromAgent::State { ask, name, .. }] = &asked[..] else { panic!("{asked:?}") };
    assert_eq!((name.as_str(), ask), ("main", &StateAsk::Unlock { lock_id: Some("l1".into()) }));
    backend.all_over();
    assert!(backend.holders.is_empty() && backend.locks.is_empty());
}

#[test]
fn terraform_that_tries_again_gets_the_answer_to_its_first_question_for_a_lock() {
    let mut backend = Backend::default();
    let info = || LockInfo { id: "l1".into(), ..LockInfo::default() };
    backend.lock("main".into(), info(), 1, "r1".into());
    let first = backend.asked.values_mut().next().unwrap();
    // Terraform was refused, because no answer came in time.
    first.job = None;
    backend.lock("main".into(), info(), 2, "r1".into());
    let asked: Vec<_> = backend.asked.values().map(|asked| (asked.order, asked.job)).collect();
    assert_eq!(asked, [(1, Some(2))], "an answer to another question would release the lock");
    backend.lock("network".into(), info(), 3, "r1".into());
    assert_eq!(backend.asked.len(), 2, "another state has a lock of its own");
}

#[test]
fn a_lock_that_was_asked_for_after_its_release_stays() {
    let mut backend = Backend::default();
    let info = LockInfo { id: "l1".into(), ..LockInfo::default() };
    let unlock = StateAsk::Unlock { lock_id: Some("l1".into()) };
    backend.ask("main".into(), unlock, None, "r1".into(), Vec::new());
    backend.lock("main".into(), info, 1, "r1".into());
    backend.released("main", Some(&"l1".to_owned()), 1);
    assert!(backend.locks.contains_key("l1"));
    backend.released("main", None, 3);
    assert!(backend.locks.is_empty());
}
