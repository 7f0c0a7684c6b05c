//! Previews: a service inside a sandbox, on a separate host, visible only to its owner.

use api_tests::{Actor, Answer, Project, Terminal, World, eventually};
use domain::preview::REQUESTS_PER_PROJECT;
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;
use store::places::{Place, Places, Whose};
use store::previews::Previews;

/// The service: it returns the request that it got.
const SERVICE: &str = include_str!("service.py");
/// The service's port.
const PORT: u16 = 8123;
/// The port of a second service: sandboxes of the local stack share the machine's ports.
const OTHER_PORT: u16 = 8124;

/// Starts the service in a terminal of the project's sandbox, as its owner would.
async fn serves(project: &Project) -> Terminal {
    serves_on(project, PORT).await
}

async fn serves_on(project: &Project, port: u16) -> Terminal {
    project.sandbox_is_up().await;
    let mut terminal = project.terminal().await;
    terminal.attach().await;
    // One message, because messages of one connection may overtake each other.
    let text = SERVICE.replace(&PORT.to_string(), &port.to_string()).replace('\n', "\r");
    let start = "/usr/bin/python3 service.py";
    terminal.types(&format!("stty -echo; cat > service.py <<'END'\r{text}END\r{start}\r")).await;
    terminal.shows("serving").await;
    terminal
}

/// An open preview: all that the browser has is its host.
struct Tab {
    site: String,
    host: String,
    http: reqwest::Client,
}

impl Tab {
    /// A request as from a new tab, without a cookie or a header of the application.
    async fn visit(project: &Project, address: &str) -> Answer {
        let (host, path) = address.strip_prefix("http://").unwrap().split_once('/').unwrap();
        let tab = Self::on(project, host);
        tab.get(&format!("/{path}")).await
    }

    fn on(actor: &Actor, host: &str) -> Self {
        let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
        let http = http.no_proxy().build().unwrap();
        Self { site: actor.app().url(""), host: host.to_owned(), http }
    }

    async fn open(project: &Project) -> Self {
        Self::open_on(project, PORT).await
    }

    async fn open_on(project: &Project, port: u16) -> Self {
        let address = ticket_for(project, port).await;
        let entered = Self::visit(project, &address).await.is(303);
        let home = entered.header("location");
        let host = home.strip_prefix("http://").unwrap().strip_suffix('/').unwrap();
        Self::on(project, host)
    }

    fn name(&self) -> &str {
        self.host.split_once('.').unwrap().0
    }

    fn call(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let url = format!("{}{path}", self.site);
        self.http.request(method, url).header("host", &self.host)
    }

    async fn get(&self, path: &str) -> Answer {
        read(self.call(Method::GET, path)).await
    }
}

async fn read(call: reqwest::RequestBuilder) -> Answer {
    Answer::read("a preview".to_owned(), call.send().await.unwrap()).await
}

/// The address that a new tab opens.
async fn ticket(project: &Project) -> String {
    ticket_for(project, PORT).await
}

async fn ticket_for(project: &Project, port: u16) -> String {
    let path = project.path("/sandbox/previews");
    let body = project.post(&path, json!({"port": port})).await.is(200).json();
    body["url"].as_str().unwrap().to_owned()
}

/// The value of a header as the service received it.
fn header(told: &Value, name: &str) -> Option<String> {
    let headers = told["headers"].as_array().unwrap();
    let found = headers.iter().find(|pair| pair[0].as_str().unwrap().eq_ignore_ascii_case(name));
    found.map(|pair| pair[1].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn an_owner_sees_the_services_of_the_sandbox_and_opens_one() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Shop").await;
    let ports = project.path("/sandbox/ports");
    let body = project.get(&ports).await.is(200).json();
    assert_eq!(body, json!({"previews": true, "answered": false, "ports": []}));
    let _terminal = serves(&project).await;
    let body = project.get(&ports).await.is(200).json();
    let own = json!([{"port": PORT, "program": "python3"}]);
    assert_eq!((&body["answered"], &body["ports"]), (&json!(true), &own));

    let tab = Tab::open(&project).await;
    assert!(tab.host.ends_with(&format!(".preview.localhost:{}", port_of(&owner))), "{}", tab.host);
    let told = tab.get("/a/b?c=d%20e").await.is(200).json();
    assert_eq!((&told["method"], &told["path"]), (&json!("GET"), &json!("/a/b?c=d%20e")));
    assert_eq!(header(&told, "host").as_deref(), Some("localhost:8123"));
    for method in ["POST", "PUT", "PATCH", "DELETE"] {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let told = read(tab.call(method.clone(), "/form").body("a=b")).await.is(200).json();
        assert_eq!((&told["method"], &told["body"]), (&json!(method.as_str()), &json!("a=b")));
    }
    let head = read(tab.call(Method::HEAD, "/")).await.is(200);
    assert!(head.body.is_empty());
}

fn port_of(actor: &Actor) -> String {
    actor.app().url("").rsplit_once(':').unwrap().1.to_owned()
}

#[tokio::test]
async fn no_secret_goes_to_the_service_and_no_cookie_comes_from_it() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Shop").await;
    let _terminal = serves(&project).await;
    let tab = Tab::open(&project).await;
    let (name, value) = owner.cookie_value();
    let call = tab.call(Method::POST, "/").header("cookie", format!("{name}={value}"));
    let call = call.header("authorization", "Bearer abc").header("x-groundcrew-edge", "proof");
    let call = call.header("referer", format!("http://{}/", tab.host)).header("x-own", "1");
    let call = call.header("origin", format!("http://{}", tab.host));
    let told = read(call.body("x")).await.is(200).json();
    for dropped in ["cookie", "authorization", "referer", "x-groundcrew-edge", "x-forwarded-for"] {
        assert_eq!(header(&told, dropped), None, "{dropped}");
    }
    assert!(!told.to_string().contains(tab.name()), "the service does not learn the name: {told}");
    assert_eq!(header(&told, "x-own").as_deref(), Some("1"));
    assert_eq!(header(&told, "origin").as_deref(), Some("http://localhost:8123"));

    let answer = tab.get("/cookies").await.is(404);
    assert_eq!((answer.text().as_str(), answer.header("x-own").as_str()), ("not here", "1"));
    assert!(answer.cookies().is_empty());
    assert_eq!(answer.header("clear-site-data"), "");
    for (name, value) in [
        ("cache-control", "no-store"),
        ("referrer-policy", "no-referrer"),
        ("x-content-type-options", "nosniff"),
        ("x-robots-tag", "noindex, nofollow"),
        ("content-security-policy", "frame-ancestors 'none'"),
        ("cross-origin-opener-policy", "same-origin"),
    ] {
        assert_eq!(answer.header(name), value, "{name}");
    }
    let redirect = tab.get("/redirect").await.is(302);
    assert_eq!(redirect.header("location"), "/there?x=1");
}

#[tokio::test]
async fn each_limit_of_a_preview_has_an_error_page() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Shop").await;
    let mut terminal = serves(&project).await;
    let tab = Tab::open(&project).await;
    assert_eq!(tab.get("/large").await.is(200).body, vec![0; 3_000_000]);
    assert!(tab.get("/too-large").await.is(502).text().contains("The response is too large"));
    assert!(tab.get("/rude").await.is(502).text().contains("did not answer"));
    let sent = "y".repeat(900_000);
    let told = read(tab.call(Method::POST, "/").body(sent.clone())).await.is(200).json();
    assert!(told["body"] == sent, "a body that does not fit a frame arrives whole");
    let over = tab.call(Method::POST, "/").body("y".repeat(1024 * 1024 + 1));
    assert!(read(over).await.is(413).text().contains("This request is too large"));
    let wide = tab.call(Method::GET, "/").header("x-wide", "z".repeat(40_000));
    read(wide).await.is(413);
    let socket = tab.call(Method::GET, "/").header("upgrade", "websocket");
    let socket = socket.header("connection", "upgrade");
    assert!(read(socket).await.is(501).text().contains("WebSockets are not supported"));
    let trace = Method::from_bytes(b"TRACE").unwrap();
    read(tab.call(trace, "/")).await.is(405);
    // The bucket no longer holds what passed through it.
    if owner.app().has_own_engines() {
        let bucket = owner.app().data().join("s3");
        assert!(bucket.is_dir());
        let kept = walk(&bucket);
        assert!(!kept.iter().any(|path| path.contains("previews/")), "{kept:?}");
    }

    // When the service ends, the preview says so, and the list no longer has it.
    terminal.types("\u{3}").await;
    eventually("the end of the service", async || {
        let answer = tab.get("/").await;
        (answer.status == 502).then(|| answer.text().contains("Nothing listens")).filter(|is| *is)
    })
    .await;
    let refused = project.post(&project.path("/sandbox/previews"), json!({"port": PORT})).await;
    refused.refuses(409, "no_preview");
    project.post(&project.path("/sandbox/stop"), json!({})).await.is(200);
    assert!(tab.get("/").await.is(503).text().contains("The sandbox is not running"));
}

/// Files below a folder.
fn walk(folder: &std::path::Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let found = entries.flat_map(|entry| match entry.path() {
        path if path.is_dir() => walk(&path),
        path => vec![path.display().to_string()],
    });
    found.collect()
}

#[tokio::test]
async fn many_requests_at_once_are_all_answered() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Shop").await;
    let _terminal = serves(&project).await;
    let tab = Tab::open(&project).await;
    let paths: Vec<String> = (0..REQUESTS_PER_PROJECT).map(|n| format!("/part/{n}")).collect();
    let answers = futures::future::join_all(paths.iter().map(|path| tab.get(path))).await;
    for (path, answer) in paths.iter().zip(answers) {
        assert_eq!(answer.is(200).json()["path"], json!(path));
    }
}

/// Takes places of a project for its requests.
async fn crowd(project: &Project, places: u32) -> Vec<Place> {
    let store = Places::new(&project.app().table());
    let mut taken = Vec::new();
    for _ in 0..places {
        let whose = Whose::Previews(project.scope());
        taken.extend(store.take(whose, REQUESTS_PER_PROJECT, 600).await.unwrap());
    }
    taken
}

#[tokio::test]
async fn slow_requests_of_one_project_leave_room_for_others() {
    let World { owner, app, .. } = World::start().await;
    let project = owner.project("Shop").await;
    let _terminal = serves(&project).await;
    let tab = Tab::open(&project).await;
    let taken = crowd(&project, REQUESTS_PER_PROJECT).await;
    let refused = tab.get("/").await.is(503);
    assert!(refused.text().contains("24 requests to previews of this project are open"));
    assert_eq!(
        (refused.header("retry-after").as_str(), refused.header("cache-control").as_str()),
        ("2", "no-store")
    );
    let other = owner.project("Blog").await;
    let _other_terminal = serves_on(&other, OTHER_PORT).await;
    Tab::open_on(&other, OTHER_PORT).await.get("/").await.is(200);
    assert!(Places::new(&app.table()).free(&taken[0]).await.unwrap());
    tab.get("/").await.is(200);
}

#[tokio::test]
async fn a_request_gives_its_place_back_however_it_ends() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Shop").await;
    let _terminal = serves(&project).await;
    let tab = Tab::open(&project).await;
    assert_eq!(crowd(&project, REQUESTS_PER_PROJECT - 1).await.len(), 23);
    for _ in 0..3 {
        tab.get("/").await.is(200);
        tab.get("/rude").await.is(502);
        read(tab.call(Method::GET, "/").header("x-wide", "z".repeat(40_000))).await.is(413);
    }
    // A browser that leaves early frees its place once the function notices.
    let left = tab.call(Method::GET, "/slow").timeout(Duration::from_secs(1)).send().await;
    assert!(left.unwrap_err().is_timeout());
    eventually("its place is free", async || (tab.get("/").await.status == 200).then_some(()))
        .await;
    project.post(&project.path("/sandbox/stop"), json!({})).await.is(200);
    for _ in 0..2 {
        assert!(tab.get("/").await.is(503).text().contains("The sandbox is not running"));
    }
}

#[tokio::test]
async fn a_service_that_takes_too_long_gets_a_page() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Shop").await;
    let _terminal = serves(&project).await;
    let tab = Tab::open(&project).await;
    let (slow, other) = futures::join!(tab.get("/slow"), tab.get("/other"));
    other.is(200);
    assert!(slow.is(504).text().contains("The service took too long"));
}

#[tokio::test]
async fn a_ticket_opens_one_preview_and_a_strangers_call_none() {
    let World { owner, stranger, visitor, .. } = World::start().await;
    let project = owner.project("Shop").await;
    let _terminal = serves(&project).await;
    let path = project.path("/sandbox/previews");
    stranger.post(&path, json!({"port": PORT})).await.refuses(404, "not_found");
    visitor.post(&path, json!({"port": PORT})).await.is(401);
    stranger.get(&project.path("/sandbox/ports")).await.refuses(404, "not_found");
    // Neither the agent's own port nor any other on which nothing in the sandbox listens.
    for port in [1, 22, 80, PORT + 1] {
        project.post(&path, json!({"port": port})).await.refuses(409, "no_preview");
    }
    for bad in [json!({"port": 0}), json!({"port": 65_536}), json!({"port": "x"}), json!({})] {
        let status = project.post(&path, bad.clone()).await.status;
        assert!((400..500).contains(&status), "{bad} {status}");
    }

    let address = ticket(&project).await;
    let head = read(Tab::on(&project, "open.preview.localhost").call(Method::HEAD, "/x")).await;
    head.is(405);
    Tab::visit(&project, &address).await.is(303);
    let again = Tab::visit(&project, &address).await.is(404);
    assert!(again.text().contains("This link has already been used"));

    // A ticket is not a name, a name is not a ticket, and neither opens anything else.
    let tab = Tab::open(&project).await;
    let own = format!("http://open.preview.localhost/{}", tab.name());
    Tab::visit(&project, &own).await.is(404);
    for host in ["preview.localhost", "0.preview.localhost", "x.y.preview.localhost"] {
        let answer = Tab::on(&project, host).get("/").await.is(404);
        assert!(answer.text().contains("This preview has ended"), "{host}: {}", answer.text());
        // These hosts serve nothing of the application.
        Tab::on(&project, host).get("/api/health").await.is(404);
    }
    // The application's host serves nothing of a preview.
    let site = owner.app().url("").replace("http://", "");
    let page = Tab::on(&project, &site).get(&format!("/{}", tab.name())).await;
    assert!(!page.text().contains("\"method\""), "{}", page.text());
}

#[tokio::test]
async fn a_preview_ends_with_the_session_that_opened_it() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Shop").await;
    let _terminal = serves(&project).await;
    let tab = Tab::open(&project).await;
    let unused = ticket(&project).await;
    tab.get("/").await.is(200);
    owner.post("/github/logout", json!({})).await.is(200);
    assert!(tab.get("/").await.is(404).text().contains("This preview has ended"));
    Tab::visit(&project, &unused).await.is(404);
}

#[tokio::test]
async fn a_preview_ends_when_its_time_is_over() {
    let World { owner, app, .. } = World::start().await;
    let project = owner.project("Shop").await;
    let _terminal = serves(&project).await;
    let tab = Tab::open(&project).await;
    tab.get("/").await.is(200);
    let name = domain::secret_token::SecretToken::presented(tab.name());
    let previews = Previews::new(&app.table());
    assert!(previews.find(&name).await.unwrap().is_some());
    let past = domain::Timestamp::now().plus_seconds(-1);
    let key = aws_sdk_dynamodb::types::AttributeValue::S;
    let ends = serde_dynamo::to_attribute_value(past).unwrap();
    let update = app.dynamodb().update_item().table_name(app.table_name());
    let update =
        update.key("pk", key(format!("PREVIEW#{}", name.hash()))).key("sk", key("NAME".into()));
    let update = update.update_expression("SET ends_at = :past");
    update.expression_attribute_values(":past", ends).send().await.unwrap();
    assert!(tab.get("/").await.is(404).text().contains("This preview has ended"));
}
