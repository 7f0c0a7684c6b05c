//! Who may make which call of the contract: a visitor, a stranger, the owner, an ended session, another installation's
//! session, another site. A new call is tested here automatically, or this test fails.

use api_tests::contract::{Route, routes};
use api_tests::{Actor, Answer, Call, Model, Project, World, eventually};
use aws_sdk_dynamodb::types::AttributeValue;
use domain::secret_token::SecretToken;
use domain::{InstallationId, Timestamp};
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ops::Deref;
use store::sessions::{Grounds, Opening, Session, Sessions};

/// Calls that anyone may make; an addition needs a reason.
const PUBLIC: [&str; 6] = [
    "GET /health",
    // Leads to a page that asks; the call itself reveals and changes nothing.
    "GET /user/mail/unsubscribe",
    "GET /github/login",
    "GET /github/callback",
    "GET /payments/stripe/return",
    "POST /analytics/events",
];
/// Calls from outside parties, which sign their messages.
const SIGNED: [&str; 1] = ["POST /payments/stripe/webhook"];
/// Calls about the caller rather than a project: a stranger may make them, and gets nothing of the owner's.
const OWN: [&str; 18] = [
    "GET /github/guests",
    "PUT /github/guests",
    "GET /user/export",
    "GET /user/mail",
    "PUT /user/mail",
    "DELETE /user/mail",
    "POST /user/mail/confirm",
    "DELETE /github/user",
    "GET /github/user",
    "POST /github/logout",
    "POST /github/logout-everywhere",
    "GET /projects",
    "POST /projects",
    "GET /repositories",
    "GET /user/credits",
    "GET /user/transactions",
    "GET /user/transactions/csv",
    "POST /user/credits/create-stripe-payment",
];
/// Calls that need a session but no installation header, because the page has none yet.
const WITHOUT_INSTALLATION: [&str; 4] = [
    "GET /github/user",
    "DELETE /github/user",
    "POST /github/logout",
    "POST /github/logout-everywhere",
];
/// Calls that need something other than a session and are tested elsewhere: a sign-in in progress in this browser,
/// GitHub's signature, a link's key, or a letter's.
const OTHER_KEYS: [&str; 5] = [
    "POST /user/mail/unsubscribe",
    "GET /github/installations",
    "POST /github/installations",
    "POST /github/webhook",
    "GET /shared/timeline",
];

/// A project that has a link to its timeline.
struct Shared {
    project: Project,
    /// The link's id.
    link: String,
    /// The key after the `#` of its address.
    key: String,
}

impl Deref for Shared {
    type Target = Project;

    fn deref(&self) -> &Project {
        &self.project
    }
}

impl Shared {
    async fn by(owner: &Actor, name: &str) -> Self {
        let project = owner.project(name).await;
        let made = project.post(&project.links(), Self::wish()).await.is(201).json();
        let (_, key) = made["url"].as_str().unwrap().split_once('#').unwrap();
        let link = made["share"]["id"].as_str().unwrap().to_owned();
        Self { project, link, key: key.to_owned() }
    }

    fn wish() -> Value {
        json!({"days": 7, "with_output": true})
    }

    /// The answer that a person without a session gets by the link.
    async fn read(&self) -> Answer {
        let call = Actor::visitor(self.app()).call(Method::GET, "/shared/timeline");
        call.header("share-key", &self.key).send().await
    }
}

/// The calls about a project's links.
trait Links {
    fn links(&self) -> String;

    fn withdrawing(&self, link: &str) -> String {
        format!("{}/{link}", self.links())
    }
}

impl Links for Project {
    fn links(&self) -> String {
        format!("/projects/{}/shares", self.id)
    }
}

/// A project of the owner that contains everything that a call could be about.
async fn busy_project(owner: &Actor) -> Shared {
    let project = Shared::by(owner, "Private").await;
    project.has_requirements().await;
    project.has_architecture().await;
    project.execute(&["echo secret > secret.txt; cat secret.txt", "echo more"]).await;
    project.complete(1).await;
    project.step_is(2, "waiting_approval").await;
    // The work after a step's end is complete: from now on nothing changes without a call.
    eventually("the backup after the step", async || {
        let kept = kept(&project).await;
        kept.keys().find(|key| key.starts_with("TRANSFER#")).cloned()
    })
    .await;
    project
}

/// A call about the project, as its owner would make it.
fn about(route: &Route, caller: &Actor, project: &Shared) -> Call {
    let (id, scope) = (project.id.to_string(), project.scope());
    let home = format!("/home/{}/workspace/", scope.username());
    let path = route.filled(&[
        ("id", id.as_str()),
        ("stage_id", "requirements"),
        ("agent", "requirements-gatherer"),
        ("provider", "aws"),
        ("document", "requirements"),
        ("number", "1"),
        ("share_id", &project.link),
        ("owner", "owner"),
        ("name", "infra"),
        ("branch", "main"),
        ("repository", "owner/infra"),
        ("step_number", "1"),
        ("message", "Hello"),
        ("login", "somebody"),
        ("path", &home),
        ("before_stop", "false"),
        ("transfer", ""),
        ("limit", "50"),
        ("cursor", "00000000000000000000000000000000"),
        ("payment_id", "00000000000000000000000000000000"),
        ("format", "json"),
        ("return_to", "/app"),
        ("key", "none"),
        ("user_id", "1"),
        ("install", "false"),
    ]);
    let call = caller.call(route.method.clone(), &path);
    match route.body() {
        Some(body) => call.json(body),
        None => call,
    }
}

async fn make(route: &Route, caller: &Actor, project: &Shared) -> Answer {
    about(route, &caller.within(project.id), project).send().await
}

/// All items of a project, without heartbeats.
async fn kept(project: &Project) -> BTreeMap<String, Value> {
    let client = project.app().dynamodb();
    let scope = project.scope();
    let partition = format!("P#{}#{}", scope.installation, scope.project);
    let items = client
        .query()
        .table_name("groundcrew")
        .key_condition_expression("pk = :pk")
        .expression_attribute_values(":pk", AttributeValue::S(partition))
        .send()
        .await
        .unwrap();
    let items: Vec<Value> = serde_dynamo::from_items(items.items().to_vec()).unwrap();
    let row = |item: Value| (item["sk"].as_str().unwrap().to_owned(), item);
    // The agent of the sandbox sends heartbeats.
    items.into_iter().map(row).filter(|(key, _)| key != "SANDBOX").collect()
}

#[test]
fn every_call_declares_who_may_make_it() {
    for route in routes() {
        let name = route.name();
        let open = [&PUBLIC[..], &SIGNED, &OTHER_KEYS].concat().contains(&name.as_str());
        assert_eq!(route.session, !open, "{name}");
        let installation = route.session && !WITHOUT_INSTALLATION.contains(&name.as_str());
        assert_eq!(route.installation, installation, "{name}");
    }
}

#[tokio::test]
async fn a_stranger_finds_nothing_of_the_owners_anywhere() {
    let model = Model::start().await;
    let World { owner, stranger, .. } = World::with(&model).await;
    let project = busy_project(&owner).await;
    let (before, asked) = (kept(&project).await, model.times_asked());
    assert!(before.len() > 8, "the project has data that could be lost: {:?}", before.keys());
    let mut met = 0;
    for route in routes() {
        let name = route.name();
        if [&PUBLIC[..], &OWN, &SIGNED, &OTHER_KEYS].concat().contains(&name.as_str()) {
            continue;
        }
        make(&route, &stranger, &project).await.refuses(404, "not_found");
        met += 1;
    }
    assert!(met > 25, "{met} calls are about projects");
    assert_eq!(kept(&project).await, before);
    assert_eq!(model.times_asked(), asked);
    assert_eq!(stranger.get("/projects").await.is(200).json(), json!([]));
    assert_eq!(stranger.get("/github/user").await.is(200).json()["login"], "stranger");
    assert_eq!(project.kept_sandbox().await.generation, 1);
    project.read().await.is(200);
}

#[tokio::test]
async fn only_its_owner_lists_makes_and_withdraws_a_projects_links_on_its_own_page() {
    let World { owner, stranger, visitor, .. } = World::start().await;
    let shared = Shared::by(&owner, "Private").await;
    let gone = Shared::by(&owner, "Private").await;
    gone.call(Method::DELETE, &gone.withdrawing(&gone.link)).send().await.is(204);
    let before = (kept(&shared).await, kept(&gone).await);
    let (other, own) = (owner.project("Another").await, stranger.project("Mine").await);
    for target in [&shared, &gone] {
        let claiming = visitor.claiming(Some(owner.installation())).within(target.id);
        for outsider in [&visitor.within(target.id), &claiming] {
            outsider.get(&target.links()).await.refuses(401, "signed_out");
            outsider.post(&target.links(), Shared::wish()).await.refuses(401, "signed_out");
            let withdrawing = outsider.call(Method::DELETE, &target.withdrawing(&target.link));
            withdrawing.send().await.refuses(401, "signed_out");
        }
        // A stranger on the owner's page, and on the stranger's own page with the owner's project in the path.
        for page in [stranger.within(target.id), stranger.within(own.id)] {
            page.get(&target.links()).await.refuses(404, "not_found");
            page.post(&target.links(), Shared::wish()).await.refuses(404, "not_found");
            let withdrawing = page.call(Method::DELETE, &target.withdrawing(&target.link));
            withdrawing.send().await.refuses(404, "not_found");
        }
        // The link's id in the path of another project, one of the stranger's and one of the owner's.
        for project in [&own, &other] {
            let withdrawing = project.call(Method::DELETE, &project.withdrawing(&target.link));
            withdrawing.send().await.refuses(404, "not_found");
            assert_eq!(project.get(&project.links()).await.is(200).json(), json!([]));
        }
    }
    // A withdrawn link stays withdrawn, even for its owner.
    let again = gone.call(Method::DELETE, &gone.withdrawing(&gone.link));
    again.send().await.refuses(404, "not_found");
    gone.read().await.refuses(404, "share_ended");
    assert_eq!((kept(&shared).await, kept(&gone).await), before);
    let listed = shared.get(&shared.links()).await.is(200).json();
    assert_eq!(listed.as_array().unwrap().len(), 1);
    assert_eq!(listed[0]["id"], json!(shared.link));
    shared.read().await.is(200);
}

#[tokio::test]
async fn a_signed_out_visitor_gets_401_everywhere() {
    let model = Model::start().await;
    let World { owner, visitor, .. } = World::with(&model).await;
    let project = busy_project(&owner).await;
    let before = kept(&project).await;
    // With the owner's installation in the header, which is not a secret.
    let claiming = visitor.claiming(Some(owner.installation()));
    for route in routes() {
        if PUBLIC.contains(&route.name().as_str()) {
            let answer = make(&route, &visitor, &project).await;
            assert!(answer.status < 400, "{} answered {}", answer.call, answer.status);
            continue;
        }
        if OTHER_KEYS.contains(&route.name().as_str()) {
            make(&route, &visitor, &project).await.is(401);
            continue;
        }
        if SIGNED.contains(&route.name().as_str()) {
            make(&route, &owner, &project).await.refuses(400, "invalid_signature");
            continue;
        }
        make(&route, &visitor, &project).await.refuses(401, "signed_out");
        make(&route, &claiming, &project).await.refuses(401, "signed_out");
    }
    assert_eq!(kept(&project).await, before);
}

#[tokio::test]
async fn a_session_that_has_ended_opens_nothing() {
    let model = Model::start().await;
    let World { app, owner, visitor, .. } = World::with(&model).await;
    let project = busy_project(&owner).await;
    let before = kept(&project).await;
    let sessions = Sessions::new(&app.table());
    let token = SecretToken::presented(&owner.cookie("groundcrew").unwrap());
    let session = sessions.find(&token).await.unwrap().unwrap();
    let now = Timestamp::now();
    let over = Session { ends_at: now.plus_seconds(-1), ..session };
    let token = SecretToken::random();
    let grounds = Grounds { asked_at: now, replaces: None, chosen_from: None };
    assert_eq!(sessions.open(&token, &over, grounds).await.unwrap(), Opening::Opened);
    let late = visitor.claiming(Some(owner.installation()));
    late.set_cookie("groundcrew", token.expose());
    for route in routes().iter().filter(|route| route.session) {
        make(route, &late, &project).await.refuses(401, "signed_out");
    }
    assert_eq!(kept(&project).await, before);
}

#[tokio::test]
async fn an_owner_is_admitted_everywhere_and_gets_the_contracts_answers() {
    let model = Model::start().await;
    let World { app, owner, .. } = World::with(&model).await;
    let project = busy_project(&owner).await;
    // Deletions come last: the other calls need the project.
    let mut all = routes();
    all.sort_by_key(|route| route.method == "DELETE");
    for route in all.iter().filter(|route| route.session) {
        // Each call gets a separate browser: some of these sign out.
        let browser = Actor::signed_in(&app, "owner").await.within(project.id);
        let status = about(route, &browser, &project).status().await;
        let name = route.name();
        assert!(
            route.answers.contains(&status),
            "{name} answered {status}, which is not documented"
        );
        assert!(![401, 403].contains(&status) && status < 500, "{name} answered {status}");
    }
}

#[tokio::test]
async fn a_session_acts_only_for_its_own_installation() {
    let model = Model::start().await;
    let World { owner, stranger, .. } = World::with(&model).await;
    let project = busy_project(&owner).await;
    let before = kept(&project).await;
    let named = |id| owner.claiming(Some(InstallationId(id)));
    let callers = [
        // The stranger's own session in the owner's name, the owner's session in another's, and without a name.
        stranger.claiming(Some(owner.installation())),
        owner.claiming(Some(stranger.installation())),
        named(1),
        owner.claiming(None),
    ];
    for route in routes().iter().filter(|route| route.installation) {
        for caller in &callers {
            make(route, caller, &project).await.refuses(401, "signed_out");
        }
    }
    assert_eq!(kept(&project).await, before);
}

#[tokio::test]
async fn another_sites_page_can_change_nothing() {
    let World { owner, .. } = World::start().await;
    let project = Shared::by(&owner, "Private").await;
    let before = kept(&project).await;
    let page = owner.within(project.id);
    for route in routes().iter().filter(|route| route.session && route.method != "GET") {
        let call = about(route, &page, &project).header("origin", "https://evil.example");
        call.send().await.refuses(403, "cross_origin");
    }
    assert_eq!(kept(&project).await, before);
}

#[tokio::test]
async fn a_call_about_a_project_must_name_one() {
    let World { owner, .. } = World::start().await;
    let project = Shared::by(&owner, "Named").await;
    for route in routes().iter().filter(|route| route.project) {
        about(route, &owner, &project).send().await.refuses(400, "project_missing");
        for id in ["abc", "0", "1"] {
            about(route, &owner.within(id), &project).send().await.refuses(404, "not_found");
        }
    }
}
