//! Terraform's HTTP backend: a command's request becomes a question to the gateway, and no other process may ask.
use crate::support::{Gateway, order, sandbox};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use protocol::{FromAgent, Reach, ReadOrder, StateAnswer, StateAsk, StatePlace, ToAgent};
use sha2::{Digest, Sha256};

const STATE: &str =
    r#"{"version":4,"serial":3,"lineage":"x","outputs":{"password":"hush-hush"},"resources":[{}]}"#;

const LOCK: &str =
    r#"{"ID":"l1","Operation":"OperationTypeApply","Who":"me","Created":"2026-11-21T12:00:00Z"}"#;

/// Sends a request to the backend, and prints the answer's body and status.
fn ask(arguments: &str) -> String {
    format!(
        "curl --silent --write-out '%{{http_code}}\\n' --user \"$TF_HTTP_USERNAME:$TF_HTTP_PASSWORD\" {arguments} \"$TF_HTTP_ADDRESS\"\n"
    )
}

fn post(state: &str) -> String {
    ask(&format!("--data-binary '{state}'"))
}

/// The agent's next question about a state.
async fn question(gateway: &mut Gateway) -> (String, StateAsk) {
    gateway
        .wait(|message| match message {
            FromAgent::State { request_id, name, ask, .. } => {
                assert_eq!(name, "main");
                Some((request_id.clone(), ask.clone()))
            }
            _ => None,
        })
        .await
}

fn answer(gateway: &Gateway, request_id: String, answer: StateAnswer) {
    gateway.tell(ToAgent::State { request_id, answer });
}

fn place(gateway: &Gateway, version: &str) -> StateAnswer {
    StateAnswer::Place(StatePlace {
        version: version.to_owned(),
        sha256: hex::encode(Sha256::digest(STATE)),
        url: gateway.address("state"),
        key: STANDARD.encode([7; 32]),
    })
}

#[tokio::test]
async fn a_state_is_stored_encrypted_and_read_back() {
    let (mut gateway, _agent) = sandbox().await;
    let script = format!("{}{}", post(STATE), ask(""));
    gateway.tell(ToAgent::Run(order("r1", &script)));

    let (request, asked) = question(&mut gateway).await;
    let StateAsk::Write(write) = asked else { panic!("{asked:?}") };
    assert_eq!((write.serial, write.lineage.as_str(), write.empty), (3, "x", false));
    assert_eq!(write.sha256, hex::encode(Sha256::digest(STATE)));
    answer(&gateway, request, place(&gateway, &write.version));
    let (request, asked) = question(&mut gateway).await;
    assert_eq!(asked, StateAsk::Written { version: write.version.clone() });
    let stored = gateway.object("state").unwrap();
    assert!(!String::from_utf8_lossy(&stored).contains("hush"), "it is encrypted");
    answer(&gateway, request, StateAnswer::Done);

    let (request, asked) = question(&mut gateway).await;
    assert_eq!(asked, StateAsk::Read);
    answer(&gateway, request, place(&gateway, &write.version));
    assert_eq!(gateway.report("r1").await.head, format!("200\n{STATE}200\n"));
}

#[tokio::test]
async fn a_request_about_the_state_is_repeated_until_it_is_answered() {
    let (mut gateway, _agent) = sandbox().await;
    gateway.tell(ToAgent::Run(order("r1", &ask(""))));
    let (first, _) = question(&mut gateway).await;
    let (again, asked) = question(&mut gateway).await;
    assert_eq!((&again, asked), (&first, StateAsk::Read));
    gateway.cut();
    gateway.hello().await;
    let (on_the_next, _) = question(&mut gateway).await;
    assert_eq!(on_the_next, first);
    answer(&gateway, first, StateAnswer::Nothing);
    assert_eq!(gateway.report("r1").await.head, "204\n");
}

#[tokio::test]
async fn the_runs_output_says_why_a_state_was_not_stored() {
    let (mut gateway, _agent) = sandbox().await;
    gateway.tell(ToAgent::Run(order("old", &post(STATE))));
    let (request, _) = question(&mut gateway).await;
    let reason = "Groundcrew keeps a newer one.".to_owned();
    answer(&gateway, request, StateAnswer::Refused { reason });
    let head = gateway.report("old").await.head;
    assert_eq!(head, "Terraform's state: Groundcrew keeps a newer one.\n409\n");

    let large =
        "head --bytes 17000000 /dev/zero >large\n".to_owned() + &ask("--data-binary @large");
    let head = gateway.run("large", &large).await.head;
    assert!(head.contains("has 17000000 bytes") && head.ends_with("413\n"), "{head}");

    gateway.refuse_puts();
    gateway.tell(ToAgent::Run(order("store", &post(STATE))));
    let (request, _) = question(&mut gateway).await;
    answer(&gateway, request, place(&gateway, "v"));
    let head = gateway.report("store").await.head;
    assert!(head.contains("could not be stored") && head.ends_with("500\n"), "{head}");
    let never = gateway.run("next", "true").await;
    assert_eq!(never.exit_code, Some(0));
    let asked = gateway
        .wait_or(std::time::Duration::ZERO, |message| match message {
            FromAgent::State { ask, .. } => Some(ask.clone()),
            _ => None,
        })
        .await;
    assert_eq!(asked, None, "what is not stored is not committed");
}

#[tokio::test]
async fn a_lock_and_a_password_end_with_their_run() {
    let (mut gateway, _agent) = sandbox().await;
    let lock = ask(&format!("--request LOCK --data '{LOCK}'"));
    let script = format!("echo \"$TF_HTTP_PASSWORD\" >password\n{lock}");
    gateway.tell(ToAgent::Run(order("r1", &script)));
    let (request, asked) = question(&mut gateway).await;
    let StateAsk::Lock { info, holder, held } = asked else { panic!("{asked:?}") };
    assert_eq!((info.id.as_str(), info.operation.as_str()), ("l1", "Apply"));
    assert_eq!((holder.as_str(), held), ("r1", vec!["l1".to_owned()]));
    answer(&gateway, request, StateAnswer::Done);
    assert_eq!(gateway.report("r1").await.head, "200\n");
    let (request, asked) = question(&mut gateway).await;
    assert_eq!(asked, StateAsk::Unlock { lock_id: Some("l1".to_owned()) });
    answer(&gateway, request, StateAnswer::Done);

    let late = format!("TF_HTTP_PASSWORD=$(cat password)\n{}", ask(""));
    assert_eq!(gateway.run("r2", &late).await.head, "401\n");
}

#[tokio::test]
async fn a_waiting_command_sees_who_holds_the_lock() {
    let (mut gateway, _agent) = sandbox().await;
    let lock = LOCK.replace("l1", "l2");
    let script = ask(&format!("--request LOCK --data '{lock}'"));
    gateway.tell(ToAgent::Run(order("r2", &script)));
    let (request, asked) = question(&mut gateway).await;
    let StateAsk::Lock { mut info, .. } = asked else { panic!("{asked:?}") };
    info.id = "l1".to_owned();
    answer(&gateway, request, StateAnswer::Locked { info, holder: "terminal main".to_owned() });
    let head = gateway.report("r2").await.head;
    assert!(head.starts_with("Terraform's state: A terminal has the state locked"), "{head}");
    assert!(head.contains("\"ID\":\"l1\"") && head.ends_with("423\n"), "{head}");
}

#[tokio::test]
async fn a_reading_has_no_password_and_is_not_answered() {
    let (mut gateway, _agent) = sandbox().await;
    let address = gateway.run("r1", "echo \"$TF_HTTP_ADDRESS $TF_HTTP_PASSWORD\"").await.head;
    let (address, password) = address.trim_end().split_once(' ').unwrap();
    assert_eq!(password, "***", "a run's output does not show it");
    let port = address.split([':', '/']).nth(4).unwrap().parse().unwrap();
    let script =
        format!("env | grep -c TF_HTTP; curl --silent --write-out '%{{http_code}}\\n' {address}");
    gateway.tell(ToAgent::Read(ReadOrder {
        run_id: "reading".to_owned(),
        sha256: hex::encode(Sha256::digest(&script)),
        script,
        deadline_ms: 60_000,
        reach: Reach { processes: false, loopback_port: Some(port), parts: false },
        hidden: Vec::new(),
        log_url: None,
    }));
    assert_eq!(gateway.report("reading").await.head, "0\n401\n");
}

#[tokio::test]
async fn a_root_module_names_its_state_in_its_own_block() {
    let (mut gateway, _agent) = sandbox().await;
    for (user, name) in [("$TF_HTTP_USERNAME", "main"), ("network", "network"), ("../x", "../x")] {
        let script = ask("").replace("$TF_HTTP_USERNAME", user);
        gateway.tell(ToAgent::Run(order(name, &script)));
        let (request, asked) = gateway
            .wait(|message| match message {
                FromAgent::State { request_id, name, .. } => {
                    Some((request_id.clone(), name.clone()))
                }
                _ => None,
            })
            .await;
        assert_eq!(asked, name, "the gateway judges the name");
        answer(&gateway, request, StateAnswer::Nothing);
        assert_eq!(gateway.report(name).await.head, "204\n");
    }
}
