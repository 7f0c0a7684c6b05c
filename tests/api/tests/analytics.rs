//! Reports of public pages about their visits, and the stored counts.

use api_tests::{Actor, Answer, App, Settings, holds};
use domain::Timestamp;
use serde_json::{Value, json};
use store::visits::{Counts, Visits};

const ANN: &str = "6f1b2c3d-0000-4000-8000-00000000000a";
const BOB: &str = "6f1b2c3d-0000-4000-8000-00000000000b";

fn report(visitor: &str, page: &str, events: Value) -> String {
    json!({"visitor_id": visitor, "page": page, "events": events}).to_string()
}

/// Sends a report as `navigator.sendBeacon` does.
async fn beacon(visitor: &Actor, report: String) -> Answer {
    let call = visitor.call(reqwest::Method::POST, "/analytics/events");
    call.body("text/plain;charset=UTF-8", report).send().await
}

fn today() -> String {
    Timestamp::now().to_string().chars().take(10).collect()
}

/// The sums of a page; a test that runs past midnight has them on both days.
async fn sums(app: &App, days: [&str; 2], page: &str) -> Counts {
    let visits = Visits::new(&app.table());
    let first = visits.on(days[0], page).await.unwrap();
    if days[0] != days[1] && first == Counts::default() {
        return visits.on(days[1], page).await.unwrap();
    }
    first
}

#[tokio::test]
async fn a_day_is_summed_up_by_page_and_a_visitor_counts_once() {
    let app = App::start(Settings::default()).await;
    let (visitor, begun) = (Actor::visitor(&app), today());
    let read =
        json!([{"type": "view"}, {"type": "scroll", "value": 25}, {"type": "scroll", "value": 50}]);
    let stayed = json!([{"type": "engaged", "value": 30}, {"type": "inactive", "value": 30}]);
    beacon(&visitor, report(ANN, "/pricing", read)).await.is(204);
    beacon(&visitor, report(ANN, "/pricing", stayed)).await.is(204);
    beacon(&visitor, report(ANN, "/pricing", json!([{"type": "view"}]))).await.is(204);
    let left = json!([{"type": "view"}, {"type": "bounce", "value": 3}]);
    beacon(&visitor, report(BOB, "/pricing", left)).await.is(204);
    beacon(&visitor, report(BOB, "/", json!([{"type": "view"}]))).await.is(204);

    let days = [begun.as_str(), &today()];
    let pricing = sums(&app, days, "/pricing").await;
    let wanted = Counts {
        views: 3,
        visitors: 2,
        scroll_25: 1,
        scroll_50: 1,
        inactive: 1,
        engaged: 1,
        bounces: 1,
        ..Counts::default()
    };
    assert_eq!(pricing, wanted);
    assert_eq!(sums(&app, days, "/").await, Counts { views: 1, visitors: 1, ..Counts::default() });
}

#[tokio::test]
async fn a_visitor_who_objects_is_not_counted() {
    let app = App::start(Settings::default()).await;
    let (visitor, begun) = (Actor::visitor(&app), today());
    let seen = report(ANN, "/terms", json!([{"type": "view"}]));
    for header in ["dnt", "sec-gpc"] {
        let call = visitor.call(reqwest::Method::POST, "/analytics/events").header(header, "1");
        let answer = call.body("text/plain", seen.clone()).send().await.is(204);
        assert!(answer.cookies().is_empty());
    }
    assert_eq!(sums(&app, [&begun, &today()], "/terms").await, Counts::default());
    // `DNT: 0` allows counting.
    let call = visitor.call(reqwest::Method::POST, "/analytics/events").header("dnt", "0");
    assert!(call.body("text/plain", seen).send().await.is(204).cookies().is_empty());
    assert_eq!(sums(&app, [&begun, &today()], "/terms").await.views, 1);
}

#[tokio::test]
async fn an_invalid_report_is_refused_and_counts_nothing() {
    let app = App::start(Settings::default()).await;
    let (visitor, begun) = (Actor::visitor(&app), today());
    let view = json!([{"type": "view"}]);
    for page in ["/app/7", "/pricing/", "", "https://evil.example/"] {
        beacon(&visitor, report(ANN, page, view.clone())).await.refuses(422, "invalid_report");
    }
    for visitor_id in ["", "ann", "6f1b2c3d00004000800000000000000a0000"] {
        let sent = report(visitor_id, "/", view.clone());
        beacon(&visitor, sent).await.refuses(422, "invalid_report");
    }
    for value in [json!(30), json!(-25), json!(null), json!(25.5)] {
        let scroll = json!([{"type": "view"}, {"type": "scroll", "value": value}]);
        beacon(&visitor, report(ANN, "/", scroll)).await.refuses(422, "invalid_report");
    }
    let many = json!(vec![json!({"type": "view"}); 51]);
    beacon(&visitor, report(ANN, "/", many)).await.refuses(422, "invalid_report");
    for text in ["", "{\"page\":", "\u{7f}"] {
        beacon(&visitor, text.to_owned()).await.refuses(400, "invalid_json");
    }
    for text in ["null", "{\"page\": \"/\"}", "[]"] {
        beacon(&visitor, text.to_owned()).await.refuses(422, "invalid_report");
    }
    let unknown = json!([{"type": "keystroke"}]);
    beacon(&visitor, report(ANN, "/", unknown)).await.refuses(422, "invalid_report");
    beacon(&visitor, " ".repeat(5000)).await.refuses(413, "too_large");
    assert_eq!(sums(&app, [&begun, &today()], "/").await, Counts::default());
}

#[tokio::test]
async fn reports_from_other_sites_and_floods_are_refused() {
    let settings = Settings { rate_limits: Some("events-per-address=0"), ..Settings::default() };
    let visitor = Actor::visitor(&App::start(settings).await);
    let seen = report(ANN, "/", json!([{"type": "view"}]));
    beacon(&visitor, seen.clone()).await.refuses(429, "rate_limited");
    let call = visitor.call(reqwest::Method::POST, "/analytics/events");
    let foreign = call.header("origin", "https://evil.example").body("text/plain", seen);
    foreign.send().await.refuses(403, "cross_origin");
}

#[tokio::test]
async fn the_table_holds_no_visitors_id() {
    let app = App::start(Settings::default()).await;
    let visitor = Actor::visitor(&app);
    let seen = json!([{"type": "view"}]);
    beacon(&visitor, report(ANN, "/privacy", seen)).await.is(204);
    for file in ["dynamodb.sqlite", "dynamodb.sqlite-wal"] {
        let kept = std::fs::read(app.data().join(file)).unwrap();
        assert!(!holds(&kept, ANN), "{file}");
    }
}
