//! Runs every recorded event through its function's own binary, and expects a successful answer.
//!
//! The functions run as in Lambda, one process for each event, against the local stack's engines in the state of
//! `events/state.json`, which is restored before each event. `cargo lambda invoke` passes the same events to the same
//! functions over the same state.
mod engines;
mod lambda;

use deploy_tests::{Template, events, folders};
use engines::Engines;
use lambda::Answer;
use serde_json::Value;
use std::collections::BTreeSet;

#[tokio::test(flavor = "multi_thread")]
async fn every_recorded_event_gets_a_successful_answer() {
    let functions = folders("functions");
    let engines = Engines::start(&functions).await;
    let streaming: BTreeSet<String> = streaming();
    let mut wrong = Vec::new();
    for function in &functions {
        for (name, event) in events(function) {
            let title = format!("{function}/{name}");
            engines.put_back().await;
            let event = engines.signed(event);
            let answer = lambda::invoke(function, &event, engines.environment()).await;
            let streams = streaming.contains(function);
            if let Err(why) = check(streams, &answer) {
                wrong.push(format!("{title}: {why}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} events fail:\n{}", wrong.len(), wrong.join("\n"));
}

/// Reads that need a secret. The local model's key is not one of them.
const NEED_A_SECRET: [&str; 4] = [
    "github/callback",
    "workspace/repositories",
    "workspace/installation-repositories",
    "workspace/files-of-repository",
];

#[tokio::test(flavor = "multi_thread")]
async fn a_function_without_its_secrets_answers_calls_that_need_none() {
    let functions = folders("functions");
    let engines = Engines::start(&functions).await;
    let mut environment = engines.environment().clone();
    for (_, id) in environment.iter_mut().filter(|(name, _)| name.ends_with("_SECRET_ID")) {
        "groundcrew/not-filled".clone_into(id);
    }
    assert_ne!(&environment, engines.environment());
    engines.put_back().await;
    let streaming = streaming();
    let mut wrong = Vec::new();
    for function in &functions {
        for (name, event) in events(function) {
            let title = format!("{function}/{name}");
            if event["httpMethod"] != "GET" {
                continue;
            }
            let answer = lambda::invoke(function, &event, &environment).await;
            let answered = matches!(answer, Answer::Http { .. });
            let succeeded = check(streaming.contains(function), &answer).is_ok();
            if !answered || succeeded == NEED_A_SECRET.contains(&title.as_str()) {
                wrong.push(format!("{title}: {answer:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The header in which CloudFront proves that a connection came through it.
const PROOF: &str = "X-Groundcrew-Edge";

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_around_the_edge_is_refused_and_uses_up_no_ticket() {
    let engines = Engines::start(&["terminal".to_owned()]).await;
    let own = engines.environment()["WEBSOCKET_MANAGEMENT_URL"].clone();
    let behind = [
        ("EDGE_PROOF", "proof".to_owned()),
        ("EDGE_PROOF_SPARE", "spare".to_owned()),
        ("WEBSOCKET_URL", "wss://groundcrew.example/ws".to_owned()),
    ];
    let with = |variables: &[(&str, String)]| {
        let mut environment = engines.environment().clone();
        let given = variables.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
        environment.extend(given);
        environment
    };
    let through = with(&behind);
    // Without a domain of its own, a stack hands out API Gateway's own address.
    let direct = with(&[
        behind[0].clone(),
        behind[1].clone(),
        ("WEBSOCKET_URL", own.replacen("http", "ws", 1)),
    ]);
    let known = events("terminal").into_iter().collect::<std::collections::BTreeMap<_, _>>();
    for name in ["connect-browser", "connect-agent"] {
        let connecting = |proof: Option<&str>| {
            let mut event = known[name].clone();
            if let Some(proof) = proof {
                event["headers"][PROOF] = proof.into();
                event["multiValueHeaders"][PROOF] = serde_json::json!([proof]);
            }
            event
        };
        engines.put_back().await;
        for proof in [None, Some(""), Some("guessed"), Some("proof, spare")] {
            let answer = lambda::invoke("terminal", &connecting(proof), &through).await;
            assert!(
                matches!(answer, Answer::Http { status: 403, .. }),
                "{name} {proof:?}: {answer:?}"
            );
        }
        // Its ticket is still good.
        for (proof, environment) in
            [(Some("proof"), &through), (Some("spare"), &through), (None, &direct)]
        {
            let answer = lambda::invoke("terminal", &connecting(proof), environment).await;
            assert!(
                matches!(answer, Answer::Http { status: 200, .. }),
                "{name} {proof:?}: {answer:?}"
            );
            engines.put_back().await;
        }
    }
}

fn check(streams: bool, answer: &Answer) -> Result<(), String> {
    match answer {
        Answer::Http { status, location, body, streamed } => {
            let failures = [r#""event":"error""#, r#""status":"error""#];
            let failed = location.contains("error=")
                || failures.iter().any(|failure| body.contains(failure));
            if !(200..400).contains(status) || failed {
                return Err(format!("{status} {location} {body:.300}"));
            }
            if *streamed != streams {
                return Err(format!("streamed: {streamed}, in the template: {streams}"));
            }
            Ok(())
        }
        Answer::Json(Value::Null) => Ok(()),
        Answer::Json(answer) => match answer["batchItemFailures"].as_array() {
            Some(failures) if failures.is_empty() => Ok(()),
            _ => Err(answer.to_string()),
        },
        Answer::Error(error) => Err(error.clone()),
    }
}

/// The functions whose integration streams.
fn streaming() -> BTreeSet<String> {
    let template = Template::load();
    let functions = template.functions();
    let streaming = functions.iter().filter(|function| {
        let sources = function.sources("Api");
        sources.iter().any(|source| source["ResponseTransferMode"] == "RESPONSE_STREAM")
    });
    streaming.map(|function| function.name().to_owned()).collect()
}
