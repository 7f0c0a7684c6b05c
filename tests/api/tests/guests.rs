//! Guests: people who reach another person's account because they contribute to one of its repositories.

use crate::sign_in::{Delivery, SESSION, choose, ends};
use api_tests::{Actor, App, Project, Settings, World, eventually};
use domain::guests::MAX_GUESTS;
use domain::secret_token::SecretToken;
use domain::{InstallationId, Timestamp};
use reqwest::Method;
use serde_json::{Value, json};
use store::sessions::{Grounds, IDLE_SECONDS, Opening, Session, Sessions};

const GUEST: &str = "guest-of-owner";
const REFUSED: &str = "/github-success?error=guest_refused";

async fn guests(owner: &Actor) -> Value {
    owner.get("/github/guests").await.is(200).json()
}

async fn policy(owner: &Actor, policy: &str) -> Value {
    owner.put("/github/guests", json!({"policy": policy})).await.is(200).json()
}

/// The path of the only guest on the list.
async fn only_guest(owner: &Actor) -> String {
    let listed = guests(owner).await["guests"].clone();
    assert_eq!(listed.as_array().unwrap().len(), 1, "{listed}");
    format!("/github/guests/{}", listed[0]["user_id"])
}

async fn remove(owner: &Actor, guest: &str) -> Value {
    owner.call(Method::DELETE, guest).send().await.is(200).json()
}

/// A guest whom the owner has allowed, signed in.
pub async fn allowed(owner: &Actor) -> Actor {
    let app = owner.app();
    assert_eq!(ends(&Actor::visitor(app), GUEST).await, REFUSED);
    owner.put(&only_guest(owner).await, json!({})).await.is(200);
    Actor::signed_in(app, GUEST).await
}

/// The login of a person who contributes to a repository of this owner.
async fn guest_of(owner: &Actor) -> String {
    let profile = owner.get("/github/user").await.is(200).json();
    format!("guest-of-{}", profile["login"].as_str().unwrap())
}

/// Also runs against a deployment, where owners have other names.
#[tokio::test]
async fn a_guest_is_refused_until_the_owner_allows_them() {
    let World { app, owner, visitor, .. } = World::start().await;
    let login = guest_of(&owner).await;
    assert_eq!(guests(&owner).await, json!({"policy": "refused", "guests": []}));
    assert_eq!(ends(&visitor, &login).await, REFUSED);
    assert_eq!(visitor.cookie(SESSION), None);
    let listed = guests(&owner).await["guests"][0].clone();
    assert_eq!((&listed["login"], &listed["admission"]), (&json!(login), &json!("refused")));
    assert!(listed["refused_at"].is_string() && listed["signed_in_at"].is_null(), "{listed}");

    owner.project("Theirs").await;
    owner.put(&only_guest(&owner).await, json!({})).await.is(200);
    let guest = Actor::signed_in(&app, &login).await;
    assert_eq!(guest.installation(), owner.installation());
    assert_eq!(guest.get("/projects").await.is(200).json().as_array().unwrap().len(), 1);
    let own = owner.get("/github/user").await.is(200).json();
    assert_eq!((&own["access"], &own["account"]), (&json!("owner"), &json!(null)));
    let profile = guest.get("/github/user").await.is(200).json();
    assert_eq!((&profile["access"], &profile["account"]), (&json!("guest"), &own["login"]));
    assert!(guests(&owner).await["guests"][0]["signed_in_at"].is_string());
    remove(&owner, &only_guest(&owner).await).await;
    guest.get("/projects").await.is(401);
    owner.get("/projects").await.is(200);
}

#[tokio::test]
async fn an_owner_can_allow_all_guests_and_refuse_one() {
    let World { app, owner, .. } = World::start().await;
    policy(&owner, "allowed").await;
    let guest = Actor::signed_in(&app, GUEST).await;
    let body = remove(&owner, &only_guest(&owner).await).await;
    assert_eq!(
        (&body["policy"], &body["guests"][0]["admission"]),
        (&json!("allowed"), &json!("refused"))
    );
    guest.get("/projects").await.refuses(401, "signed_out");
    assert_eq!(ends(&guest, GUEST).await, REFUSED);
    policy(&owner, "allowed").await;
    assert_eq!(ends(&guest, GUEST).await, REFUSED, "the decision about one counts");
}

/// Waits for the end of a project's socket.
async fn dropped(project: &Project, cut: impl AsyncFnOnce()) {
    let mut socket = project.socket().await;
    cut().await;
    while socket.next::<Value>().await.is_some() {}
}

#[tokio::test]
async fn a_removed_guest_loses_their_session_and_their_socket_and_the_owner_keeps_theirs() {
    let World { owner, stranger, .. } = World::start().await;
    let project = owner.project("Theirs").await;
    let guest = allowed(&owner).await;
    let path = only_guest(&owner).await;
    dropped(&guest.project_of(&project), async || drop(remove(&owner, &path).await)).await;
    guest.get("/projects").await.refuses(401, "signed_out");
    owner.get("/projects").await.is(200);
    stranger.get("/projects").await.is(200);
}

#[tokio::test]
async fn refusing_all_guests_ends_the_sessions_of_those_whom_the_owner_did_not_name() {
    let World { app, owner, .. } = World::start().await;
    let project = owner.project("Theirs").await;
    policy(&owner, "allowed").await;
    let guest = Actor::signed_in(&app, GUEST).await;
    let refuse = async || drop(policy(&owner, "refused").await);
    dropped(&guest.project_of(&project), refuse).await;
    guest.get("/projects").await.refuses(401, "signed_out");
    assert_eq!(ends(&guest, GUEST).await, REFUSED);

    let named = allowed_again(&owner, &app).await;
    policy(&owner, "refused").await;
    named.get("/projects").await.is(200);
}

async fn allowed_again(owner: &Actor, app: &App) -> Actor {
    owner.put(&only_guest(owner).await, json!({})).await.is(200);
    Actor::signed_in(app, GUEST).await
}

#[tokio::test]
async fn a_guest_cannot_decide_about_guests() {
    let World { owner, .. } = World::start().await;
    let guest = allowed(&owner).await;
    let path = only_guest(&owner).await;
    let before = guests(&owner).await;
    guest.get("/github/guests").await.refuses(403, "not_owner");
    let all = json!({"policy": "allowed"});
    guest.put("/github/guests", all).await.refuses(403, "not_owner");
    guest.put(&path, json!({})).await.refuses(403, "not_owner");
    let remove = guest.call(Method::DELETE, &path).send().await;
    remove.refuses(403, "not_owner");
    assert_eq!(guests(&owner).await, before);
}

#[tokio::test]
async fn an_organizations_members_are_githubs_to_manage() {
    let World { visitor, .. } = World::start().await;
    let member = visitor.claiming(Some(choose(&visitor, 1).await));
    let profile = member.get("/github/user").await.is(200).json();
    assert_eq!(profile["access"], "member");
    assert!(profile["account"].as_str().is_some_and(|name| !name.is_empty()), "{profile}");
    member.get("/github/guests").await.refuses(409, "organization_account");
    let all = json!({"policy": "allowed"});
    member.put("/github/guests", all).await.refuses(409, "organization_account");
}

#[tokio::test]
async fn an_unknown_guest_is_not_found() {
    let World { owner, .. } = World::start().await;
    for id in ["1", "x", "-1", "99999999999999999999"] {
        let path = format!("/github/guests/{id}");
        owner.put(&path, json!({})).await.refuses(404, "not_found");
        let remove = owner.call(Method::DELETE, &path).send().await;
        remove.refuses(404, "not_found");
    }
}

#[tokio::test]
async fn a_refused_guest_installs_the_app_on_their_own_account() {
    let World { app, owner, visitor, .. } = World::start().await;
    assert_eq!(ends(&visitor, GUEST).await, REFUSED);
    let end = visitor.follow(&app.url("/api/github/login?install=true")).await;
    let (_, id) = end.split_once("installation_id=").unwrap();
    let own = InstallationId(id.parse().unwrap());
    assert_ne!(own, owner.installation());
    let home = visitor.claiming(Some(own));
    assert_eq!(home.get("/github/user").await.is(200).json()["access"], "owner");

    // From now on they choose, and the choice that is refused leaves the other.
    assert_eq!(ends(&visitor, GUEST).await, "/github-choose");
    let offered = visitor.get("/github/installations").await.is(200).json();
    let guest = |one: &Value| one["guest"].as_bool().unwrap();
    let offers = offered.as_array().unwrap();
    let theirs = offers.iter().find(|one| guest(one)).unwrap();
    assert_eq!(theirs["account"], "owner");
    let choice = json!({"installation_id": theirs["installation_id"]});
    visitor.post("/github/installations", choice).await.refuses(403, "guest_refused");
    visitor.post("/github/installations", json!({"installation_id": own})).await.is(200);
}

#[tokio::test]
async fn a_guest_who_left_the_repository_at_github_loses_their_session() {
    let World { app, owner, .. } = World::start().await;
    let guest = allowed(&owner).await;
    let left = json!({
        "action": "removed", "member": {"id": guest.user_id().await},
        "installation": {"id": owner.installation()},
    });
    Delivery::of(&app, "d-1", "member", left).to(&app).await.is(204);
    guest.get("/projects").await.refuses(401, "signed_out");
    owner.get("/projects").await.is(200);
}

#[tokio::test]
async fn refused_attempts_stay_within_their_bound_and_keep_the_owners_decisions() {
    let World { app, owner, visitor, .. } = World::start().await;
    assert_eq!(ends(&visitor, GUEST).await, REFUSED);
    remove(&owner, &only_guest(&owner).await).await;
    let (sessions, now) = (Sessions::new(&app.table()), Timestamp::now());
    for number in 0..MAX_GUESTS as u64 + 5 {
        let session = Session {
            user_id: 5_000_000 + number,
            installation_id: owner.installation(),
            shared: true,
            guest: true,
            account: None,
            login: format!("passer-by-{number}"),
            name: None,
            avatar_url: String::new(),
            signed_in_at: now,
            ends_at: now.plus_seconds(IDLE_SECONDS),
        };
        let grounds = Grounds { asked_at: now, replaces: None, chosen_from: None };
        let opening = sessions.open(&SecretToken::random(), &session, grounds).await.unwrap();
        assert_eq!(opening, Opening::GuestRefused);
    }
    let listed = guests(&owner).await["guests"].as_array().unwrap().clone();
    assert_eq!(listed.len(), MAX_GUESTS);
    let decided = listed.iter().find(|one| one["login"] == GUEST).unwrap();
    assert_eq!(decided["decision"], "refused");
}

#[tokio::test]
async fn an_export_lists_the_guests_and_a_deleted_account_forgets_them() {
    let World { app, owner, visitor, .. } = World::start().await;
    assert_eq!(ends(&visitor, GUEST).await, REFUSED);
    let exported = owner.get("/user/export").await.is(200).json();
    assert_eq!(exported["account"]["guests"]["list"][0]["login"], GUEST);
    let guest = allowed_again(&owner, &app).await;
    let exported = guest.get("/user/export").await.is(200).json();
    assert_eq!(exported["account"]["guests"], Value::Null, "only the owner sees the list");
    let gone = owner.call(Method::DELETE, "/github/user?login=owner").send().await;
    gone.is(202);
    guest.get("/projects").await.refuses(401, "signed_out");
    let again = Actor::signed_in(&app, "owner").await;
    assert_eq!(guests(&again).await, json!({"policy": "refused", "guests": []}));
}

#[tokio::test]
async fn the_security_log_names_refused_guests_and_the_owners_decisions() {
    let app = App::start(Settings { log_to_file: true, ..Settings::default() }).await;
    let owner = Actor::signed_in(&app, "owner").await;
    allowed(&owner).await;
    let path = only_guest(&owner).await;
    let id = path.rsplit_once('/').unwrap().1;
    remove(&owner, &path).await;
    policy(&owner, "allowed").await;
    policy(&owner, "refused").await;
    for (event, detail) in [
        ("guest.refused", String::new()),
        ("guest.allowed", format!("guest={id}")),
        ("guest.removed", format!("guest={id} sessions=1 connections=0")),
        ("guest.allowed", "policy=allowed".to_owned()),
        ("guest.removed", "policy=refused sessions=0 connections=0".to_owned()),
    ] {
        eventually(event, async || {
            let log = std::fs::read_to_string(app.data().join("stack.log")).unwrap();
            let named = format!(" security=\"{event}\"");
            log.lines().find(|line| line.contains(&named) && line.contains(&detail)).map(drop)
        })
        .await;
    }
}
