//! Compute is charged to an owner: its price, its limits, and its payer.

use api_tests::{Actor, Project, Settings, World, eventually};
use aws_sdk_dynamodb::types::AttributeValue;
use domain::ledger::Balance;
use domain::payment::PaymentEvent;
use domain::sandbox::Sandbox;
use domain::{AgentId, MicroDollars, Timestamp, TokenUsage};
use futures::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use store::costs::ModelCall;
use store::ledger::Ledger;
use store::payments::{PaymentUpdate, Payments, Taken};
use store::sandboxes::{STARTS_SECONDS, Sandboxes};

const NO_CREDIT: &str = "Your credits are used up. Add credits to start the sandbox.";

async fn world(variables: &[(&'static str, &str)], hurried: bool) -> World {
    let variables = variables.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
    World::with_settings(Settings { variables, hurried, ..Settings::default() }).await
}

async fn balance(owner: &Actor) -> Balance {
    Ledger::new(&owner.app().table()).balance(owner.installation()).await.unwrap()
}

/// Spends the whole balance in one model call.
pub async fn spend_everything(project: &Project) {
    let ledger = Ledger::new(&project.app().table());
    let all = balance(project).await.available;
    let hold = ledger.hold(project.scope(), all).await.unwrap();
    let usage = TokenUsage { input_tokens: 1, output_tokens: 0 };
    let call = ModelCall {
        call_id: hold.id.clone(),
        agent: AgentId::Executor,
        usage,
        micro_usd: all,
        estimated: false,
        cached_tokens: 0,
        at: Timestamp::now(),
    };
    assert!(ledger.settle(&hold, &call).await.unwrap());
    assert_eq!(balance(project).await.balance, MicroDollars::ZERO);
}

/// Makes a payment, spends it and refunds it.
async fn fall_below_zero(project: &Project) {
    let payments = Payments::new(&project.app().table());
    let amount = MicroDollars::of_cents(447_500);
    let id = payments.begin(project.installation(), amount, None).await.unwrap().id;
    let tell = async |event_id: &str, event: PaymentEvent| {
        let update = PaymentUpdate { event_id, event: &event, intent: Some("pi_1"), paid: None };
        let taken = payments.take(project.installation(), &id, &update).await.unwrap();
        assert_eq!(taken, Taken::New);
    };
    tell("evt_1", PaymentEvent::Paid).await;
    spend_everything(project).await;
    tell("evt_2", PaymentEvent::Refunded(amount)).await;
    assert_eq!(balance(project).await.balance, -amount);
}

async fn status(project: &Project) -> Value {
    project.get(&project.path("/sandbox/status")).await.is(200).json()
}

#[tokio::test]
async fn a_sandbox_does_not_start_without_a_positive_balance() {
    let World { owner, .. } = world(&[], true).await;
    let project = owner.project("Broke").await;
    fall_below_zero(&project).await;
    let starts = (0..12).map(|n| {
        let path = project.path(if n % 2 == 0 { "/sandbox/start" } else { "/sandbox/initialize" });
        let project = project.clone();
        async move { project.post(&path, json!({})).await }
    });
    for refused in join_all(starts).await {
        assert_eq!(refused.refuses(402, "insufficient_credits"), NO_CREDIT);
    }
    let kept = project.kept_sandbox().await;
    assert_eq!(kept, Sandbox::default(), "nothing was begun");
}

#[tokio::test]
async fn only_a_limited_number_of_an_installations_sandboxes_run_at_once() {
    let World { owner, stranger, .. } = world(&[("SANDBOXES_PER_INSTALLATION", "2")], false).await;
    let mut projects = Vec::new();
    for n in 0..6 {
        projects.push(owner.project(&format!("Project {n}")).await);
    }
    let start =
        async |project: &Project| project.post(&project.path("/sandbox/start"), json!({})).await;
    let answers = join_all(projects.iter().map(start)).await;
    let (up, refused): (Vec<_>, Vec<_>) =
        projects.iter().zip(answers).partition(|(_, answer)| answer.status == 200);
    assert_eq!((up.len(), refused.len()), (2, 4));
    let text = "You have 2 running sandboxes, which is the limit. Stop one to start another.";
    let waits = refused[0].0;
    for (_, answer) in refused {
        assert_eq!(answer.refuses(409, "too_many_sandboxes"), text);
    }
    start(up[0].0).await.is(200);
    let theirs = stranger.project("Theirs").await;
    start(&theirs).await.is(200);
    up[0].0.post(&up[0].0.path("/sandbox/stop"), json!({})).await.is(200);
    waits.sandbox_is_up().await;
    start(up[0].0).await.refuses(409, "too_many_sandboxes");
}

/// A stopped sandbox's task takes minutes to end, so a freed place is not the only thing that counts.
#[tokio::test]
async fn neither_stopping_nor_deleting_lets_more_sandboxes_start_than_allowed() {
    let limits = [("SANDBOXES_PER_INSTALLATION", "1"), ("SANDBOX_STARTS_PER_INSTALLATION", "2")];
    let World { owner, stranger, .. } = world(&limits, false).await;
    let start =
        async |project: &Project| project.post(&project.path("/sandbox/start"), json!({})).await;
    let stopped = owner.project("Stopped").await;
    start(&stopped).await.is(200);
    start(&stopped).await.is(200);
    stopped.post(&stopped.path("/sandbox/stop"), json!({})).await.is(200);
    let deleted = owner.project("Deleted").await;
    start(&deleted).await.is(200);
    owner.call(Method::DELETE, &format!("/projects/{}", deleted.id)).send().await.is(202);
    let next = owner.project("Next").await;
    for project in [&stopped, &next] {
        let refused = start(project).await;
        // The first of the two starts counts for five minutes, whenever those begin, and for a part of ten seconds.
        let wait: u32 = refused.header("retry-after").parse().unwrap();
        assert!((270..=310).contains(&wait), "{wait}");
        refused.refuses(429, "rate_limited");
    }
    assert_eq!(next.kept_sandbox().await, Sandbox::default(), "nothing was begun");
    // Long after its latest start, what an account's item counted is of no use.
    starts_are_long_ago(&owner).await;
    start(&next).await.is(200);
    start(&stranger.project("Theirs").await).await.is(200);
}

/// Moves the latest start of an owner's sandboxes half an hour into the past.
async fn starts_are_long_ago(owner: &Actor) {
    let app = owner.app();
    let key = |text: String| AttributeValue::S(text);
    let update = app.dynamodb().update_item().table_name(app.table_name());
    let update = update.key("pk", key(format!("W#{}", owner.installation())));
    let update = update.key("sk", key(format!("STARTS#{STARTS_SECONDS}")));
    let update = update.update_expression("SET newest = newest - :parts");
    let parts = AttributeValue::N("180".to_owned());
    update.expression_attribute_values(":parts", parts).send().await.unwrap();
}

#[tokio::test]
async fn a_burst_of_projects_creates_as_many_as_allowed() {
    let World { owner, stranger, .. } = world(&[("PROJECTS_PER_INSTALLATION", "5")], false).await;
    let burst = (0..12).map(|n| owner.post("/projects", json!({"name": format!("Project {n}")})));
    let mut made = 0;
    for answer in join_all(burst).await {
        match answer.status {
            201 => made += 1,
            _ => {
                let text = answer.refuses(409, "too_many_projects");
                assert_eq!(text, "You have 5 projects, which is the limit.");
            }
        }
    }
    assert_eq!(made, 5);
    assert_eq!(owner.get("/projects").await.is(200).json().as_array().unwrap().len(), 5);
    stranger.project("Theirs").await;
}

#[tokio::test]
async fn deleting_projects_makes_room_for_a_limited_number_an_hour() {
    let World { owner, stranger, .. } = world(&[("PROJECTS_PER_INSTALLATION", "2")], false).await;
    for n in 0..100 {
        let made = owner.post("/projects", json!({"name": format!("Project {n}")})).await;
        let path = format!("/projects/{}", made.is(201).json()["id"]);
        owner.call(Method::DELETE, &path).send().await.is(202);
    }
    let refused = owner.post("/projects", json!({"name": "One more"})).await;
    let wait: u32 = refused.header("retry-after").parse().unwrap();
    assert!((1..=3720).contains(&wait), "{wait}");
    refused.refuses(429, "rate_limited");
    stranger.project("Theirs").await;
}

#[tokio::test]
async fn only_a_limited_number_of_streams_are_open_and_a_closed_one_frees_its_place() {
    let World { owner, .. } = world(&[("STREAMS_PER_INSTALLATION", "4")], false).await;
    let project = owner.project("Streams").await;
    project.sandbox_is_up().await;
    let open = async || project.call(Method::GET, "/terminal/commands").events().await;
    let mut streams = join_all((0..40).map(|_| open())).await;
    streams.retain(|stream| stream.status == 200);
    assert_eq!(streams.len(), 4);
    let text = "4 live connections are open in your account, which is the limit. Close a tab and try again.";
    let refused = project.get("/terminal/commands").await;
    assert_eq!(refused.refuses(429, "too_many_streams"), text);
    let message = json!({"message": "Hello", "thread_id": null});
    let refused = project.post("/planning/requirements-gatherer", message).await;
    assert_eq!(refused.refuses(429, "too_many_streams"), text);
    streams.pop();
    let again = eventually("the place of a stream that was closed", async || {
        Some(open().await).filter(|stream| stream.status == 200)
    });
    streams.push(again.await);
    drop(streams);
    // A reply frees its place when it ends.
    eventually("the places of the others", async || {
        let reply = project.says("/planning/requirements-gatherer", "Hello").await;
        (reply.status == 200).then_some(())
    })
    .await;
    for _ in 0..8 {
        project.chat("/planning/requirements-gatherer", "Hello").await;
    }
}

#[tokio::test]
async fn a_sandboxs_running_time_is_counted_charged_once_and_shown() {
    // A cent a second.
    let World { owner, .. } = world(&[("SANDBOX_RATE", "36")], true).await;
    let project = owner.project("Metered").await;
    let before = balance(&owner).await.balance;
    project.sandbox_is_up().await;
    let kept = project.kept_sandbox().await;
    eventually("two seconds", async || {
        (kept.running.uncharged(Timestamp::now()) >= 2).then_some(())
    })
    .await;
    project.post(&project.path("/sandbox/stop"), json!({})).await.is(200);
    let costs_path = format!("/projects/{}/costs", project.id);
    let costs = eventually("the charge", async || {
        let costs = project.get(&costs_path).await.is(200).json();
        (costs["sandbox_seconds"].as_i64().unwrap() > 0).then_some(costs)
    })
    .await;
    let seconds = costs["sandbox_seconds"].as_i64().unwrap();
    let cost = MicroDollars::of_cents(seconds);
    assert_eq!(
        (&costs["sandbox_cost"], &costs["total_cost"]),
        (&json!(cost.to_string()), &json!(cost.to_string()))
    );
    assert_eq!(balance(&owner).await.balance, before - cost);
    let parts = project.get(&format!("{costs_path}/breakdown")).await.is(200).json();
    assert_eq!(parts["sandbox"], json!({"total_cost": cost.to_string(), "seconds": seconds}));
    assert_eq!(parts["by_day"][0]["total_cost"], cost.to_string());
    let tokens = project.get(&format!("/projects/{}/token-usage", project.id)).await.is(200).json();
    assert_eq!(tokens["total_cost"], "0.000000");
    let line = owner.get("/user/transactions").await.is(200).json()[0].clone();
    assert_eq!(line["transaction_type"], "use");
    assert_eq!(line["description"], "Sandbox, 1 minute");
}

/// Simulates that this many seconds pass for a sandbox whose credits are used up.
async fn unpaid_for(project: &Project, seconds: i64) {
    let sandboxes = Sandboxes::new(&project.app().table());
    let since = Timestamp::now().plus_seconds(-seconds);
    let moved = sandboxes.change(project.scope(), |sandbox| {
        sandbox.unpaid_since = Some(since);
        true
    });
    moved.await.unwrap();
}

#[tokio::test]
async fn a_sandbox_whose_credits_are_used_up_warns_and_is_backed_up_and_stopped() {
    let World { owner, .. } = world(&[], true).await;
    let project = owner.project("Broke").await;
    project.sandbox_is_up().await;
    assert_eq!(status(&project).await["warning"], Value::Null);
    let mut terminal = project.terminal().await;
    terminal.attach().await;
    terminal.types("echo kept > note.txt; echo do''ne\r").await;
    terminal.shows("done").await;
    spend_everything(&project).await;
    let warning = eventually("a warning", async || {
        status(&project).await["warning"].as_str().map(str::to_owned)
    })
    .await;
    let text = "Your credits are used up. The sandbox is backed up and stopped in 5 minutes; add credits to keep it.";
    assert_eq!(warning, text);
    // An owner who pays keeps the sandbox.
    let ledger = Ledger::new(&owner.app().table());
    let dollar = MicroDollars::of_cents(100);
    ledger.grant(owner.installation(), "gift", dollar, "Gift").await.unwrap();
    eventually("no warning", async || status(&project).await["warning"].is_null().then_some(()))
        .await;
    spend_everything(&project).await;
    unpaid_for(&project, 301).await;
    let stopped = eventually("the stop", async || {
        let status = status(&project).await;
        (status["container_status"] == "NotRunning").then_some(status)
    })
    .await;
    let detail =
        "Stopped because your credits are used up. Your files are backed up; start it to continue.";
    assert_eq!((&stopped["detail"], &stopped["warning"]), (&json!(detail), &Value::Null));
    let refused = project.post(&project.path("/sandbox/start"), json!({})).await;
    assert_eq!(refused.refuses(402, "insufficient_credits"), NO_CREDIT);
    assert_eq!(project.files().await["note.txt"], "kept\n");
}

#[tokio::test]
async fn every_call_that_changes_something_is_limited() {
    let limits = "changes-per-session=0,drafts-per-session=0";
    let settings = Settings { rate_limits: Some(limits), ..Settings::default() };
    let World { owner, .. } = World::with_settings(settings).await;
    let page = owner.within(1);
    let contract = include_str!("../../../web/openapi.json");
    let contract: Value = serde_json::from_str(contract).unwrap();
    let mut seen = 0;
    for (path, calls) in contract["paths"].as_object().unwrap() {
        for (method, call) in calls.as_object().unwrap() {
            let signed_in = call["security"]
                .as_array()
                .is_some_and(|any| any.iter().any(|needs| needs.get("installation").is_some()));
            if method == "get" || !signed_in {
                continue;
            }
            seen += 1;
            let method: Method = method.to_uppercase().parse().unwrap();
            let path: Vec<_> = path
                .split('/')
                .map(|part| if part.starts_with('{') { "1" } else { part })
                .collect();
            let path = path.join("/");
            let answer = page.call(method.clone(), &path).json(&json!({})).send().await;
            assert_eq!(answer.status, 429, "{method} {path}: {}", answer.text());
        }
    }
    assert!(seen > 20, "{seen}");
}

#[tokio::test]
async fn a_burst_of_tickets_and_downloads_ends_at_the_limit() {
    let limits = "changes-per-session=7,downloads-per-session=2,streams-per-session=3";
    let settings = Settings { rate_limits: Some(limits), ..Settings::default() };
    let World { owner, .. } = World::with_settings(settings).await;
    let project = owner.project("Burst").await;
    let tickets = (0..150).map(|_| project.post("/terminal/ticket", json!({})));
    let tickets = join_all(tickets).await.into_iter().filter(|ticket| ticket.status == 200);
    // Creating the project was a change, too; a new minute may begin in between.
    assert!((6..=14).contains(&tickets.count()));
    let path = format!("/projects/{}/workspace/download", project.id);
    let downloads = join_all((0..20).map(|_| project.get(&path))).await;
    assert!(downloads.iter().filter(|answer| answer.status == 429).count() >= 16);
    let streams = (0..20).map(|_| project.call(Method::GET, "/terminal/commands").events());
    let streams = join_all(streams).await;
    assert!(streams.iter().filter(|stream| stream.status == 429).count() >= 14);
}
