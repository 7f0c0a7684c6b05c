//! The recorded payloads have the form in which AWS sends events to the template's functions.
use aws_lambda_events::apigw::ApiGatewayWebsocketProxyRequest;
use aws_lambda_events::eventbridge::EventBridgeEvent;
use aws_lambda_events::sqs::SqsEvent;
use deploy_tests::{Function, Route, Template, events, folders};
use domain::pool::TaskOrigin;
use domain::work::{AgentRun, SandboxWork};
use protocol::{FromAgent, FromBrowser};
use serde_json::Value;
use std::collections::BTreeSet;

#[test]
fn every_function_has_recorded_events_and_every_event_a_function() {
    assert_eq!(folders("events"), folders("functions"));
    for function in folders("functions") {
        assert!(!events(&function).is_empty(), "events/{function} is empty");
    }
}

#[test]
fn every_route_has_an_event_and_every_rest_event_a_route() {
    for function in Template::load().functions() {
        let routes: BTreeSet<Route> = function.routes().into_iter().collect();
        let recorded: BTreeSet<Route> = rest(&function)
            .iter()
            .map(|(_, event)| Route {
                method: event["httpMethod"].as_str().unwrap().to_owned(),
                path: event["resource"].as_str().unwrap().to_owned(),
            })
            .collect();
        assert_eq!(recorded, routes, "{}", function.name());
    }
}

#[test]
fn a_rest_event_becomes_the_request_that_the_browser_made() {
    let template = Template::load();
    for function in template.functions() {
        for (name, event) in rest(&function) {
            let label = format!("events/{}/{name}.json", function.name());
            assert_eq!(event["requestContext"]["stage"], "api", "{label}");
            let text = event.to_string();
            let request =
                lambda_http::request::from_str(&text).unwrap_or_else(|e| panic!("{label}: {e}"));
            assert_eq!(request.method().as_str(), event["httpMethod"], "{label}");
            assert_eq!(
                request.uri().path(),
                format!("/api{}", event["path"].as_str().unwrap()),
                "{label}"
            );
            for (header, value) in event["headers"].as_object().unwrap() {
                assert_eq!(
                    request.headers()[header.as_str()],
                    value.as_str().unwrap(),
                    "{label}: {header}"
                );
            }
            assert!(
                fits(event["resource"].as_str().unwrap(), event["path"].as_str().unwrap()),
                "{label}"
            );
        }
    }
}

#[test]
fn a_web_socket_event_carries_a_message_of_the_protocol() {
    let mut kinds = BTreeSet::new();
    for (name, event) in events("terminal").into_iter().filter(|(_, event)| !is_rest(event)) {
        let socket: ApiGatewayWebsocketProxyRequest =
            serde_json::from_value(event).unwrap_or_else(|e| panic!("{name}: {e}"));
        let context = &socket.request_context;
        assert!(context.connection_id.is_some(), "{name}");
        assert_eq!(context.stage.as_deref(), Some("ws"), "{name}");
        kinds.insert(context.route_key.clone().unwrap());
        if let Some(body) = &socket.body {
            let known = serde_json::from_str::<FromBrowser>(body).is_ok()
                || serde_json::from_str::<FromAgent>(body).is_ok();
            assert!(known, "{name}: {body}");
        }
    }
    assert_eq!(kinds, BTreeSet::from(["$connect", "$default", "$disconnect"].map(str::to_owned)));
}

#[test]
fn each_kind_of_queue_message_has_an_event_from_its_own_queue() {
    let agent_run = |run: AgentRun| match run {
        AgentRun::GeneratePlan { .. } => "generate_plan",
        AgentRun::PrepareStep { .. } => "prepare_step",
    };
    let kinds = check_queue("agent-runner", "agent-runs", AgentRun::TRIES, agent_run);
    assert_eq!(kinds, BTreeSet::from(["generate_plan", "prepare_step"]));
    let work = |work: SandboxWork| match work {
        SandboxWork::Run(_) => "run",
        SandboxWork::Inquiry(_) => "inquiry",
    };
    let kinds = check_queue("step-runner", "steps", SandboxWork::TRIES, work);
    assert_eq!(kinds, BTreeSet::from(["run", "inquiry"]));
}

/// The kinds of messages that have recordings.
fn check_queue<Message: serde::de::DeserializeOwned>(
    function: &str,
    queue: &str,
    tries: u32,
    kind: impl Fn(Message) -> &'static str,
) -> BTreeSet<&'static str> {
    let mut kinds = BTreeSet::new();
    for (name, event) in events(function) {
        let batch: SqsEvent =
            serde_json::from_value(event).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(!batch.records.is_empty(), "{name}");
        for record in batch.records {
            assert_eq!(aws::is_spent(&record, tries), name == "given-up", "{name}");
            let understood = serde_json::from_str::<Message>(record.body.as_deref().unwrap());
            assert_eq!(understood.is_err(), name == "malformed", "{name}");
            kinds.extend(understood.map(&kind));
            assert!(record.attributes.contains_key("MessageGroupId"), "{name} is of a FIFO queue");
            let arn = record.event_source_arn.unwrap();
            assert!(arn.ends_with(&format!(":groundcrew-{queue}.fifo")), "{name}: {arn}");
        }
    }
    kinds
}

#[test]
fn the_reaper_gets_the_clock_and_changes_of_tasks() {
    let (mut received, mut origins) = (BTreeSet::new(), BTreeSet::new());
    for (name, event) in events("sandbox-reaper") {
        let event: EventBridgeEvent<Value> =
            serde_json::from_value(event).unwrap_or_else(|e| panic!("{name}: {e}"));
        if event.source == "aws.ecs" {
            assert!(
                event.detail["taskArn"].is_string() && event.detail["lastStatus"].is_string(),
                "{name}"
            );
            let origin = event.detail["startedBy"].as_str().unwrap().parse();
            origins.insert(match origin.unwrap_or_else(|e| panic!("{name}: {e}")) {
                TaskOrigin::Project { .. } => "project",
                TaskOrigin::Pool { .. } => "pool",
            });
        }
        received.insert(event.detail_type);
    }
    assert_eq!(
        received,
        BTreeSet::from(["ECS Task State Change", "Scheduled Event"].map(str::to_owned))
    );
    assert_eq!(origins, BTreeSet::from(["pool", "project"]));
}

fn is_rest(event: &Value) -> bool {
    event["httpMethod"].is_string()
}

fn rest(function: &Function<'_>) -> Vec<(String, Value)> {
    events(function.name()).into_iter().filter(|(_, event)| is_rest(event)).collect()
}

fn fits(resource: &str, path: &str) -> bool {
    let (resource, path): (Vec<_>, Vec<_>) =
        (resource.split('/').collect(), path.split('/').collect());
    resource.len() == path.len()
        && resource.iter().zip(&path).all(|(r, p)| r.starts_with('{') || r == p)
}
