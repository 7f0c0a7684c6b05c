//! A user's credits and transactions.

use api_tests::{Actor, World};
use domain::MicroDollars;
use reqwest::Method;
use serde_json::json;
use store::ledger::Ledger;

async fn grant(owner: &Actor, key: &str, cents: i64, description: &str) {
    let ledger = Ledger::new(&owner.app().table());
    let amount = MicroDollars::of_cents(cents);
    assert!(ledger.grant(owner.installation(), key, amount, description).await.unwrap());
}

#[tokio::test]
async fn a_new_account_begins_with_the_opening_credit_and_gets_it_once() {
    let World { app, owner, .. } = World::start().await;
    let credits = owner.get("/user/credits").await.is(200).json();
    assert_eq!(credits, json!({"credits_balance": 25.0, "held": 0.0, "low": false}));
    let again = Actor::signed_in(&app, "owner").await;
    assert_eq!(again.get("/user/credits").await.is(200).json(), credits);
    let transactions = owner.get("/user/transactions").await.is(200).json();
    let opening = &transactions[0];
    assert_eq!(transactions.as_array().unwrap().len(), 1);
    assert_eq!(opening["transaction_type"], "add");
    assert_eq!((&opening["amount"], &opening["status"]), (&json!(25.0), &json!("completed")));
    assert_eq!(opening["description"], "Opening credit");
}

#[tokio::test]
async fn a_second_installation_of_the_same_user_begins_without_credit() {
    let World { app, .. } = World::start().await;
    let mut credits = Vec::new();
    for choice in 0..2 {
        let visitor = Actor::visitor(&app);
        let login = app.url("/api/github/login?login=several-homes");
        visitor.follow(&login).await;
        let offers = visitor.get("/github/installations").await.is(200).json();
        let offers = offers.as_array().unwrap();
        let mut open = offers.iter().filter(|offer| offer["suspended"] == false);
        let id = open.nth(choice).expect("two installations")["installation_id"].clone();
        visitor.post("/github/installations", json!({"installation_id": id})).await.is(200);
        let actor = visitor.claiming(Some(domain::InstallationId(id.as_u64().unwrap())));
        credits.push(actor.get("/user/credits").await.is(200).json()["credits_balance"].clone());
    }
    assert_eq!(credits, [json!(25.0), json!(0.0)]);
}

#[tokio::test]
async fn a_history_is_read_in_pages_and_as_a_file_and_only_by_its_owner() {
    let World { owner, stranger, .. } = World::start().await;
    for n in 0..4 {
        grant(&owner, &format!("gift {n}"), 100 + n, "=HYPERLINK(\"x\")").await;
    }
    let first = owner.get("/user/transactions?limit=3").await.is(200);
    let cursor = first.header("next-cursor");
    let amounts = |page: &serde_json::Value| -> Vec<f64> {
        page.as_array().unwrap().iter().map(|t| t["amount"].as_f64().unwrap()).collect()
    };
    assert_eq!(amounts(&first.json()), [1.03, 1.02, 1.01]);
    let rest = owner.get(&format!("/user/transactions?limit=3&cursor={cursor}")).await.is(200);
    assert_eq!(amounts(&rest.json()), [1.0, 25.0]);
    assert_eq!(rest.header("next-cursor"), "", "it is the last page");
    owner.get("/user/transactions?limit=0").await.refuses(400, "invalid_limit");
    owner.get("/user/transactions?limit=101").await.refuses(400, "invalid_limit");
    owner.get("/user/transactions?cursor=PROJECT%231").await.refuses(400, "invalid_cursor");

    let file = owner.get("/user/transactions/csv").await.is(200);
    assert_eq!(file.header("content-type"), "text/csv; charset=utf-8");
    assert!(file.header("content-disposition").contains("groundcrew-transactions.csv"));
    let text = file.text();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 6);
    let columns = "id,created_at,type,amount,payment_method,status,description,project_id";
    assert_eq!(lines[0], columns);
    assert!(
        lines[1].ends_with(",add,1.03,Groundcrew,completed,\"'=HYPERLINK(\"\"x\"\")\","),
        "{}",
        lines[1]
    );

    let others = stranger.get("/user/transactions").await.is(200).json();
    assert_eq!(amounts(&others), [25.0]);
    let stolen = stranger.get(&format!("/user/transactions?cursor={cursor}")).await.is(200);
    assert!(amounts(&stolen.json()).iter().all(|amount| *amount == 25.0), "a cursor opens nothing");
}

#[tokio::test]
async fn a_poll_without_changes_gets_a_short_answer() {
    let World { owner, .. } = World::start().await;
    for path in ["/user/credits", "/user/transactions"] {
        let tag = owner.get(path).await.is(200).header("etag");
        let poll =
            async || owner.call(Method::GET, path).header("if-none-match", &tag).send().await;
        assert!(poll().await.is(304).body.is_empty());
        grant(&owner, path, 100, "Gift").await;
        poll().await.is(200);
    }
}
