//! All outcomes of a sign-in, and GitHub's events that end sessions.

use api_tests::{Actor, App, World};
use aws_lc_rs::hmac;
use domain::InstallationId;
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::BTreeSet;

pub const SESSION: &str = "groundcrew";

/// The address, without the site, at which a sign-in as this user of GitHub ends.
pub async fn ends(visitor: &Actor, login: &str) -> String {
    let app = visitor.app();
    let end = visitor.follow(&app.url(&format!("/api/github/login?login={login}"))).await;
    end.strip_prefix(&app.url("")).unwrap().to_owned()
}

/// Presses a button on the local GitHub's page of installations.
pub async fn at_github(user: &Actor, installation: impl ToString, action: &str) {
    let id = installation.to_string();
    let page = format!("/_local/github/settings/installations/{id}/{action}");
    user.press(&user.app().url(&page)).await.is(302);
}

fn webhook_secret(app: &App) -> String {
    let kept = std::fs::read_to_string(app.data().join("github.json")).unwrap();
    serde_json::from_str::<Value>(&kept).unwrap()["webhook_secret"].as_str().unwrap().to_owned()
}

fn signature(secret: &str, body: &str) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    let tag = hmac::sign(&key, body.as_bytes());
    let hex: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256={hex}")
}

/// A delivery in GitHub's form.
pub struct Delivery {
    id: String,
    event: &'static str,
    body: String,
    signature: String,
}

impl Delivery {
    pub fn of(app: &App, id: &str, event: &'static str, body: Value) -> Self {
        let body = body.to_string();
        Self { id: id.to_owned(), event, signature: signature(&webhook_secret(app), &body), body }
    }

    pub async fn to(&self, app: &App) -> api_tests::Answer {
        let call = Actor::visitor(app).call(Method::POST, "/github/webhook");
        let call = call.header("x-github-event", self.event).header("x-github-delivery", &self.id);
        let call = call.header("x-hub-signature-256", &self.signature);
        call.body("application/json", self.body.clone()).send().await
    }
}

#[tokio::test]
async fn each_failure_of_a_sign_in_has_its_own_code() {
    let World { visitor, .. } = World::start().await;
    for (login, code) in [
        ("denied-ann", "denied"),
        ("pending-ann", "installation_pending"),
        ("suspended-ann", "installation_suspended"),
    ] {
        assert_eq!(ends(&visitor, login).await, format!("/github-success?error={code}"));
        assert_eq!(visitor.cookie(SESSION), None, "{login}");
    }
}

/// The end of a sign-in that began at `path`.
async fn ends_for(visitor: &Actor, login: &str, path: &str) -> String {
    let start = format!("/api/github/login?login={login}");
    let start = reqwest::Url::parse_with_params(&visitor.app().url(&start), [("return_to", path)]);
    visitor.follow(start.unwrap().as_str()).await
}

/// The address to which a page returns.
fn return_to(page: &str) -> Option<String> {
    let page = reqwest::Url::parse(page).unwrap();
    page.query_pairs().find(|(name, _)| name == "return_to").map(|(_, path)| path.into_owned())
}

#[tokio::test]
async fn a_sign_in_returns_to_the_page_that_asked_for_it() {
    let World { app, visitor, .. } = World::start().await;
    let path = "/app/7/costs?returnTo=home";
    let end = ends_for(&visitor, "ann", path).await;
    assert!(end.contains("/github-success?installation_id="), "{end}");
    assert_eq!(return_to(&end).as_deref(), Some(path));
    let choice = ends_for(&Actor::visitor(&app), "several-back", path).await;
    assert!(choice.contains("/github-choose"), "{choice}");
    assert_eq!(return_to(&choice).as_deref(), Some(path));
}

#[tokio::test]
async fn a_sign_in_leads_to_no_other_site() {
    let World { app, .. } = World::start().await;
    for path in
        ["https://evil.test/app", "//evil.test", "/\\evil.test", "/api/github/login", "/app\\..//x"]
    {
        let end = ends_for(&Actor::visitor(&app), "ann", path).await;
        assert!(end.starts_with(&app.url("/github-success?installation_id=")), "{end}");
        assert_eq!(return_to(&end), None, "{path}");
    }
}

#[tokio::test]
async fn the_session_says_which_installation_it_is_for() {
    let World { owner, stranger, .. } = World::start().await;
    for user in [&owner, &stranger] {
        let answer = user.get("/github/user").await.is(200).json();
        assert_eq!(answer["installation_id"].to_string(), user.installation().to_string());
    }
}

#[tokio::test]
async fn a_user_without_an_installation_installs_the_app_and_returns_signed_in() {
    let World { app, visitor, .. } = World::start().await;
    let start = app.url("/api/github/login?login=new-ann");
    let page = visitor.follow_until(&start, "/installations/new").await;
    let form = visitor.open(&page).await.is(200).text();
    assert!(form.contains("<button>Install</button>"), "{form}");
    let state = page.split_once("state=").unwrap().1;
    let to = visitor.submit(&page, &[("state", state)]).await.is(302).header("location");
    let end = visitor.follow(&to).await;
    assert!(end.contains("/github-success?installation_id="), "{end}");
}

#[tokio::test]
async fn a_user_who_installs_on_github_itself_needs_a_separate_sign_in() {
    let World { app, visitor, .. } = World::start().await;
    Actor::signed_in(&app, "local").await;
    // GitHub returns with a code that this browser never requested: it could belong to another user.
    let stray = app.url("/api/github/callback?code=another&installation_id=1&setup_action=install");
    let end = visitor.follow(&stray).await;
    assert!(end.contains("/github-success?installation_id="), "{end}");
    assert_eq!(visitor.get("/github/user").await.is(200).json()["login"], "local");
    let asked = app.url("/api/github/callback?setup_action=request");
    assert!(visitor.follow(&asked).await.ends_with("error=installation_pending"));
}

#[tokio::test]
async fn a_user_with_several_installations_chooses_one() {
    let World { app, visitor, stranger, .. } = World::start().await;
    assert_eq!(ends(&visitor, "several-ann").await, "/github-choose");
    assert_eq!(visitor.cookie(SESSION), None, "there is no session before the choice");
    visitor.get("/github/user").await.refuses(401, "signed_out");

    let offered = visitor.get("/github/installations").await.is(200).json();
    let seen: Vec<_> = offered.as_array().unwrap().iter().collect();
    let described = |one: &Value| {
        let text = |name: &str| one[name].as_str().unwrap().to_owned();
        (text("account"), text("account_type"), one["suspended"].as_bool().unwrap())
    };
    let described: Vec<_> = seen.iter().map(|one| described(one)).collect();
    let (user, organization) = ("User".to_owned(), "Organization".to_owned());
    assert_eq!(
        described,
        [
            ("several-ann".to_owned(), user, false),
            ("several-ann-labs".to_owned(), organization.clone(), false),
            ("several-ann-ops".to_owned(), organization, true),
        ]
    );
    let choose = |id: &Value| visitor.post("/github/installations", json!({"installation_id": id}));
    choose(&json!(stranger.installation())).await.refuses(404, "not_found");
    choose(&seen[2]["installation_id"]).await.refuses(409, "installation_suspended");
    assert_eq!(visitor.cookie(SESSION), None);

    let labs = &seen[1]["installation_id"];
    let answer = choose(labs).await.is(200);
    assert_eq!(answer.json(), json!({"installation_id": labs}));
    let signed_in = visitor.claiming(Some(labs.to_string().parse().unwrap()));
    assert_eq!(signed_in.get("/projects").await.is(200).json(), json!([]));
    // The choice is made; choosing another installation requires another sign-in.
    visitor.claiming(Some(seen[0]["installation_id"].to_string().parse().unwrap()));
    choose(&seen[0]["installation_id"]).await.refuses(401, "sign_in_over");
    visitor.get("/github/installations").await.refuses(401, "sign_in_over");
    Actor::visitor(&app).get("/github/installations").await.refuses(401, "sign_in_over");
}

#[tokio::test]
async fn an_offer_is_valid_once_and_for_its_own_browser() {
    let World { app, visitor, .. } = World::start().await;
    assert_eq!(ends(&visitor, "several-ann").await, "/github-choose");
    let offered = visitor.get("/github/installations").await.is(200).json();
    let body = json!({"installation_id": offered[0]["installation_id"]});
    let foreign = visitor.call(Method::POST, "/github/installations").json(&body);
    foreign.header("origin", "https://evil.example").send().await.refuses(403, "cross_origin");

    let cookie = visitor.cookie("groundcrew-login").unwrap();
    visitor.post("/github/installations", body.clone()).await.is(200);
    let thief = Actor::visitor(&app);
    thief.set_cookie("groundcrew-login", &cookie);
    thief.post("/github/installations", body).await.refuses(401, "sign_in_over");
    assert_eq!(thief.cookie(SESSION), None);
}

#[tokio::test]
async fn an_installation_on_githubs_second_page_is_offered_too() {
    let World { visitor, .. } = World::start().await;
    assert_eq!(ends(&visitor, "many-ann").await, "/github-choose");
    let offered = visitor.get("/github/installations").await.is(200).json();
    let ids: BTreeSet<_> = offered.as_array().unwrap().iter().map(|one| one.to_string()).collect();
    assert_eq!(ids.len(), 101);
}

#[tokio::test]
async fn a_new_sign_in_ends_this_browsers_previous_session() {
    let World { app, owner, .. } = World::start().await;
    let before = owner.cookie(SESSION).unwrap();
    let end = owner.follow(&app.url("/api/github/login?login=owner")).await;
    assert!(end.contains("installation_id="), "{end}");
    assert_ne!(owner.cookie(SESSION).unwrap(), before);
    owner.get("/projects").await.is(200);
    let thief = owner.clone();
    thief.set_cookie(SESSION, &before);
    thief.get("/projects").await.refuses(401, "signed_out");
}

#[tokio::test]
async fn signing_out_everywhere_ends_every_session_of_the_user_and_no_one_elses() {
    let World { app, owner, stranger, .. } = World::start().await;
    let laptop = Actor::signed_in(&app, "owner").await;
    let answer = owner.post("/github/logout-everywhere", json!({})).await.is(200);
    assert_eq!(answer.json()["status"], "success");
    assert_eq!(owner.cookie(SESSION), None);
    laptop.get("/projects").await.refuses(401, "signed_out");
    stranger.get("/projects").await.is(200);
    let again = Actor::signed_in(&app, "owner").await;
    assert_eq!(again.installation(), laptop.installation());
}

#[tokio::test]
async fn suspending_an_installation_ends_its_sessions_until_it_is_lifted() {
    let World { app, owner, stranger, .. } = World::start().await;
    at_github(&owner, owner.installation(), "suspend").await;
    owner.get("/projects").await.refuses(401, "signed_out");
    stranger.get("/projects").await.is(200);
    let visitor = Actor::visitor(&app);
    assert!(ends(&visitor, "owner").await.ends_with("error=installation_suspended"));
    at_github(&visitor, owner.installation(), "unsuspend").await;
    let again = Actor::signed_in(&app, "owner").await;
    assert_eq!(again.installation(), owner.installation());
}

#[tokio::test]
async fn deleting_an_installation_ends_its_sessions_permanently() {
    let World { app, owner, .. } = World::start().await;
    at_github(&owner, owner.installation(), "delete").await;
    owner.get("/projects").await.refuses(401, "signed_out");
    let again = Actor::signed_in(&app, "owner").await;
    assert_ne!(again.installation(), owner.installation(), "it is a new installation");
}

/// Signs in for one of the offered installations; returns its id.
pub async fn choose(visitor: &Actor, number: usize) -> InstallationId {
    assert_eq!(ends(visitor, "several-ann").await, "/github-choose");
    let offered = visitor.get("/github/installations").await.is(200).json();
    let id = offered[number]["installation_id"].clone();
    visitor.post("/github/installations", json!({"installation_id": id})).await.is(200);
    InstallationId(id.as_u64().unwrap())
}

#[tokio::test]
async fn leaving_an_organization_ends_the_sessions_for_it_and_no_other() {
    let World { app, visitor, stranger, .. } = World::start().await;
    let home = Actor::visitor(&app);
    let labs = visitor.claiming(Some(choose(&visitor, 1).await));
    let own = home.claiming(Some(choose(&home, 0).await));
    labs.get("/projects").await.is(200);
    at_github(&labs, labs.installation(), "leave").await;
    labs.get("/projects").await.refuses(401, "signed_out");
    labs.get("/github/user").await.refuses(401, "signed_out");
    own.get("/projects").await.is(200);
    stranger.get("/projects").await.is(200);
    assert_eq!(ends(&visitor, "several-ann").await.split_once('?').unwrap().0, "/github-success");
}

#[tokio::test]
async fn each_way_to_lose_access_ends_the_members_sessions_and_leaves_the_others_alone() {
    let World { app, owner, stranger, .. } = World::start().await;
    let kept = std::fs::read_to_string(app.data().join("github.json")).unwrap();
    let kept: Value = serde_json::from_str(&kept).unwrap();
    let (owner_id, stranger_id) = (&kept["users"]["owner"]["id"], &kept["users"]["stranger"]["id"]);
    let installation = json!({"id": owner.installation()});
    let left = |id: &Value| {
        [
            (
                "organization",
                json!({"action": "member_removed", "membership": {"user": {"id": id}}}),
            ),
            ("membership", json!({"action": "removed", "scope": "team", "member": {"id": id}})),
            ("member", json!({"action": "removed", "member": {"id": id}})),
        ]
    };
    let deliver = async |id, event, mut body: Value| {
        body["installation"] = installation.clone();
        Delivery::of(&app, id, event, body).to(&app).await.is(204);
    };
    for (id, (event, body)) in ["d-1", "d-2", "d-3"].into_iter().zip(left(owner_id)) {
        let browser = Actor::signed_in(&app, "owner").await;
        deliver(id, event, body).await;
        browser.get("/projects").await.refuses(401, "signed_out");
    }
    // A user who never had a session there, and an invitation that was not accepted.
    let browser = Actor::signed_in(&app, "owner").await;
    for (id, (event, body)) in ["d-4", "d-5", "d-6"].into_iter().zip(left(stranger_id)) {
        deliver(id, event, body).await;
    }
    let no_member = json!({"action": "member_removed", "membership": {"user": null}});
    deliver("d-7", "organization", no_member).await;
    let added = json!({"action": "member_added", "membership": {"user": {"id": owner_id}}});
    deliver("d-8", "organization", added).await;
    browser.get("/projects").await.is(200);
    stranger.get("/projects").await.is(200);
}

#[tokio::test]
async fn an_installation_that_ends_during_the_choice_cannot_be_chosen() {
    let World { visitor, .. } = World::start().await;
    assert_eq!(ends(&visitor, "several-ann").await, "/github-choose");
    let offered = visitor.get("/github/installations").await.is(200).json();
    let id = &offered[1]["installation_id"];
    at_github(&visitor, id, "delete").await;
    let choice = json!({"installation_id": id});
    visitor.post("/github/installations", choice).await.refuses(409, "installation_suspended");
    assert_eq!(visitor.cookie(SESSION), None);
    let other = json!({"installation_id": offered[0]["installation_id"]});
    visitor.post("/github/installations", other).await.is(200);
}

#[tokio::test]
async fn an_unsigned_delivery_changes_nothing() {
    let World { app, owner, .. } = World::start().await;
    let gone = json!({"action": "deleted", "installation": {"id": owner.installation()}});
    let good = Delivery::of(&app, "d-1", "installation", gone.clone());
    for signature in [
        String::new(),
        "sha256=".to_owned(),
        signature("guessed", &good.body),
        signature(&webhook_secret(&app), &good.body.replace("deleted", "suspend")),
        good.signature.to_uppercase(),
    ] {
        let (id, body) = (good.id.clone(), good.body.clone());
        let forged = Delivery { id, signature, body, event: good.event };
        forged.to(&app).await.refuses(401, "bad_signature");
    }
    owner.get("/projects").await.is(200);
    good.to(&app).await.is(204);
    owner.get("/projects").await.refuses(401, "signed_out");
}

#[tokio::test]
async fn a_delivery_is_handled_once() {
    let World { app, owner, .. } = World::start().await;
    let suspended = json!({"action": "suspend", "installation": {"id": owner.installation()}});
    let delivery = Delivery::of(&app, "d-1", "installation", suspended);
    delivery.to(&app).await.is(204);
    owner.get("/projects").await.refuses(401, "signed_out");
    // GitHub confirms the access when asked again; the repeated delivery changes nothing.
    let again = Actor::signed_in(&app, "owner").await;
    delivery.to(&app).await.is(204);
    again.get("/projects").await.is(200);
}

#[tokio::test]
async fn a_user_who_withdraws_their_authorization_is_signed_out_everywhere() {
    let World { app, owner, stranger, .. } = World::start().await;
    let kept = std::fs::read_to_string(app.data().join("github.json")).unwrap();
    let kept: Value = serde_json::from_str(&kept).unwrap();
    let sender = json!({"id": kept["users"]["owner"]["id"]});
    let revoked = json!({"action": "revoked", "sender": sender});
    Delivery::of(&app, "d-1", "github_app_authorization", revoked).to(&app).await.is(204);
    owner.get("/projects").await.refuses(401, "signed_out");
    stranger.get("/projects").await.is(200);
}

#[tokio::test]
async fn irrelevant_deliveries_are_accepted_and_ignored() {
    let World { app, owner, .. } = World::start().await;
    let installation = json!({"id": owner.installation()});
    for (event, body) in [
        ("ping", json!({"zen": "Keep it logically awesome."})),
        ("installation", json!({"action": "created", "installation": installation})),
        ("installation", json!({"action": "unsuspend", "installation": installation})),
        ("push", json!({"ref": "refs/heads/main"})),
    ] {
        Delivery::of(&app, "d-1", event, body).to(&app).await.is(204);
    }
    let text = Delivery::of(&app, "d-2", "installation", json!("not an object"));
    text.to(&app).await.refuses(400, "bad_delivery");
    owner.get("/projects").await.is(200);
}
