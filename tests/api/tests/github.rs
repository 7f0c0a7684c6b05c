//! Signing in and out, and attacks on it.

use api_tests::{Actor, App, World, holds};
use domain::Timestamp;
use domain::secret_token::SecretToken;
use reqwest::Method;
use serde_json::json;
use store::sessions::{
    EXTEND_SECONDS, Grounds, IDLE_SECONDS, Opening, SESSION_SECONDS, SHARED_SECONDS, Session,
    Sessions,
};

const SESSION: &str = "groundcrew";
const LOGIN: &str = "groundcrew-login";

/// A browser's path to GitHub and back, stopped before the callback is opened; returns the callback's address.
async fn almost_in(browser: &Actor, login: &str) -> String {
    let start = browser.app().url(&format!("/api/github/login?login={login}"));
    browser.follow_until(&start, "/api/github/callback").await
}

fn query(address: &str, name: &str) -> String {
    let address = reqwest::Url::parse(address).unwrap();
    let found = address.query_pairs().find(|(key, _)| key == name);
    found.unwrap_or_else(|| panic!("{address} has no {name}")).1.into_owned()
}

fn with_query(address: &str, name: &str, value: &str) -> String {
    let mut changed = reqwest::Url::parse(address).unwrap();
    let kept: Vec<_> = changed.query_pairs().into_owned().filter(|(key, _)| key != name).collect();
    changed.query_pairs_mut().clear().extend_pairs(kept).append_pair(name, value);
    changed.into()
}

async fn session_of(app: &App, actor: &Actor) -> Option<Session> {
    let token = SecretToken::presented(&actor.cookie(SESSION)?);
    Sessions::new(&app.table()).find(&token).await.unwrap()
}

#[tokio::test]
async fn a_signed_in_user_is_known_by_their_name_at_github() {
    let World { app, owner, .. } = World::start().await;
    let user = owner.get("/github/user").await.is(200).json();
    assert_eq!(user["login"], "owner");
    assert!(user["avatar_url"].as_str().unwrap().starts_with("http"), "{user}");
    assert!(user.as_object().unwrap().contains_key("name"), "{user}");
    let session = session_of(&app, &owner).await.expect("the session is in the table");
    assert_eq!((session.login.as_str(), session.installation_id), ("owner", owner.installation()));
}

#[tokio::test]
async fn the_session_cookie_is_out_of_reach_of_scripts_and_of_other_sites() {
    let World { app, visitor, .. } = World::start().await;
    // The first sign-in goes through the installation page, so the second callback opens the session.
    Actor::signed_in(&app, "known").await;
    let callback = almost_in(&visitor, "known").await;
    let cookies = visitor.open(&callback).await.is(302).cookies();
    let of =
        |name: &str| cookies.iter().find(|line| line.starts_with(&format!("{name}="))).unwrap();
    let flags: Vec<_> = of(SESSION).split("; ").skip(1).collect();
    // Over https it would also be Secure and named __Host-; a browser refuses such a cookie from http://localhost.
    assert_eq!(flags, ["Path=/", "Max-Age=604800", "HttpOnly", "SameSite=Lax"]);
    assert!(of(LOGIN).contains("Max-Age=0"), "the sign-in's own cookie is deleted: {cookies:?}");
}

#[tokio::test]
async fn a_sign_in_carries_a_state_of_this_browser_and_a_pkce_challenge() {
    let World { app, visitor, .. } = World::start().await;
    let answer = visitor.open(&app.url("/api/github/login?login=ann")).await.is(302);
    let to = answer.header("location");
    assert_eq!(Some(query(&to, "state")), visitor.cookie(LOGIN));
    assert_eq!(query(&to, "code_challenge_method"), "S256");
    assert_eq!(query(&to, "code_challenge").len(), 43, "a SHA-256 without padding");
    assert_eq!(query(&to, "login"), "ann");
    assert_eq!(query(&to, "redirect_uri"), app.url("/api/github/callback"));
    assert_eq!(answer.header("cache-control"), "no-store");
    let again = visitor.open(&app.url("/api/github/login")).await.header("location");
    assert_ne!(query(&again, "state"), query(&to, "state"));
}

#[tokio::test]
async fn a_callback_that_another_browser_began_opens_no_session() {
    let World { app, visitor, .. } = World::start().await;
    let attacker = Actor::visitor(&app);
    let callback = almost_in(&attacker, "attacker").await;
    let end = visitor.follow(&callback).await;
    assert!(end.ends_with("/github-success?error=expired"), "{end}");
    // Even with their own sign-in in progress: the state differs.
    almost_in(&visitor, "victim").await;
    let end = visitor.follow(&callback).await;
    assert!(end.ends_with("error=expired"), "{end}");
    assert_eq!(visitor.cookie(SESSION), None);
}

#[tokio::test]
async fn a_code_is_valid_only_with_its_own_challenge() {
    let World { visitor, .. } = World::start().await;
    let first = almost_in(&visitor, "ann").await;
    let second = almost_in(&visitor, "ann").await;
    // The browser's own state, and a code from another of its sign-ins.
    let mixed = with_query(&second, "code", &query(&first, "code"));
    let end = visitor.follow(&mixed).await;
    assert!(end.ends_with("error=expired"), "{end}");
    assert_eq!(visitor.cookie(SESSION), None);
}

#[tokio::test]
async fn a_callback_works_once() {
    let World { app, visitor, .. } = World::start().await;
    Actor::signed_in(&app, "known").await;
    let callback = almost_in(&visitor, "known").await;
    let state = visitor.cookie(LOGIN).unwrap();
    let end = visitor.follow(&callback).await;
    assert!(end.contains("installation_id="), "{end}");

    let thief = Actor::visitor(&app);
    thief.set_cookie(LOGIN, &state);
    let end = thief.follow(&callback).await;
    assert!(end.ends_with("error=expired"), "{end}");
    assert_eq!(thief.cookie(SESSION), None);
}

#[tokio::test]
async fn a_user_who_declines_gets_the_reason_and_no_session() {
    let World { visitor, .. } = World::start().await;
    let callback = almost_in(&visitor, "ann").await;
    let (address, _) = callback.split_once('?').unwrap();
    let state = query(&callback, "state");
    let declined = format!("{address}?error=access_denied&state={state}");
    let end = visitor.follow(&declined).await;
    assert!(end.ends_with("error=denied"), "{end}");
    assert_eq!(visitor.cookie(SESSION), None);
    // A link on another site is not trusted, whatever it claims.
    let end = visitor.follow(&format!("{address}?error=access_denied&state=guessed")).await;
    assert!(end.ends_with("error=expired"), "{end}");
}

#[tokio::test]
async fn an_installation_named_in_the_callback_is_not_trusted() {
    let World { app, owner, .. } = World::start().await;
    let project = owner.project("Private").await;
    let known = Actor::signed_in(&app, "known").await;
    let spoofer = Actor::visitor(&app);
    let callback = almost_in(&spoofer, "known").await;
    let spoofed = with_query(&callback, "installation_id", &owner.installation().to_string());
    let end = spoofer.follow(&spoofed).await;
    assert_eq!(query(&end, "installation_id"), known.installation().to_string());
    let session = session_of(&app, &spoofer).await.unwrap();
    assert_eq!(session.installation_id, known.installation());
    // The page would keep any id from its address, but the API does not trust that id.
    let claiming = spoofer.claiming(Some(owner.installation()));
    let path = project.path("/projects");
    claiming.get(&path).await.refuses(401, "signed_out");
    claiming.get("/projects").await.refuses(401, "signed_out");
    spoofer.claiming(Some(known.installation())).get(&path).await.refuses(404, "not_found");
}

#[tokio::test]
async fn signing_out_ends_the_session_permanently() {
    let World { app, owner, .. } = World::start().await;
    let token = owner.cookie(SESSION).unwrap();
    let answer = owner.post("/github/logout", json!({})).await.is(200);
    let logout_url = app.url("/_local/github/logout");
    assert_eq!(answer.json(), json!({"status": "success", "logout_url": logout_url}));
    owner.open(&logout_url).await.is(200);
    let cleared = answer.cookies();
    assert!(
        cleared[0].starts_with("groundcrew=; ") && cleared[0].contains("Max-Age=0"),
        "{cleared:?}"
    );
    owner.set_cookie(SESSION, &token);
    assert_eq!(session_of(&app, &owner).await, None);
    owner.get("/projects").await.refuses(401, "signed_out");
    owner.get("/github/user").await.refuses(401, "signed_out");
}

#[tokio::test]
async fn signing_out_in_one_browser_leaves_the_others_signed_in() {
    let World { app, owner, .. } = World::start().await;
    let laptop = Actor::signed_in(&app, "owner").await;
    owner.post("/github/logout", json!({})).await.is(200);
    laptop.get("/projects").await.is(200);
}

/// A copy of the session `like` that begins and ends this many seconds from now, in a separate browser.
async fn aged(app: &App, like: &Session, began: i64, ends: i64) -> (Actor, SecretToken) {
    let (token, now) = (SecretToken::random(), Timestamp::now());
    let session = Session {
        signed_in_at: now.plus_seconds(began),
        ends_at: now.plus_seconds(ends),
        ..like.clone()
    };
    let grounds = Grounds { asked_at: now, replaces: None, chosen_from: None };
    let opened = Sessions::new(&app.table()).open(&token, &session, grounds).await.unwrap();
    assert_eq!(opened, Opening::Opened);
    let actor = Actor::visitor(app).claiming(Some(session.installation_id));
    actor.set_cookie(SESSION, token.expose());
    (actor, token)
}

/// The remaining life of a session in the table, in seconds.
async fn seconds_left(app: &App, token: &SecretToken) -> i64 {
    let key = |value: String| aws_sdk_dynamodb::types::AttributeValue::S(value);
    let item = app.dynamodb().get_item().table_name("groundcrew");
    let item =
        item.key("pk", key(format!("SESSION#{}", token.hash()))).key("sk", key("SESSION".into()));
    let found = item.send().await.unwrap().item.expect("the session is kept");
    let expires: i64 = found["expires_at"].as_n().unwrap().parse().unwrap();
    let session: Session = serde_dynamo::from_item(found).unwrap();
    assert_eq!(session.ends_at.epoch_seconds(), expires, "the table deletes it when it ends");
    session.ends_at.seconds_since(Timestamp::now())
}

#[tokio::test]
async fn an_expired_session_ends() {
    let World { app, owner, .. } = World::start().await;
    let like = session_of(&app, &owner).await.unwrap();
    let (late, _) = aged(&app, &like, -100, -1).await;
    late.get("/github/user").await.refuses(401, "signed_out");
    late.get("/projects").await.refuses(401, "signed_out");
}

#[tokio::test]
async fn a_used_session_lasts_longer_at_the_price_of_an_occasional_write() {
    let World { app, owner, .. } = World::start().await;
    let like = session_of(&app, &owner).await.unwrap();
    let (idle, token) = aged(&app, &like, -IDLE_SECONDS + 60, 60).await;
    idle.get("/projects").await.is(200);
    let left = seconds_left(&app, &token).await;
    assert!((IDLE_SECONDS - 60..=IDLE_SECONDS).contains(&left), "{left}");

    let (busy, token) = aged(&app, &like, -60, IDLE_SECONDS - EXTEND_SECONDS + 60).await;
    busy.get("/projects").await.is(200);
    let left = seconds_left(&app, &token).await;
    assert!(left <= IDLE_SECONDS - EXTEND_SECONDS + 60, "{left}: too early for a write");
}

#[tokio::test]
async fn no_session_lasts_for_more_than_a_week_however_much_it_is_used() {
    let World { app, owner, .. } = World::start().await;
    let like = session_of(&app, &owner).await.unwrap();
    let last_hour = -SESSION_SECONDS + 3600;
    let (old, token) = aged(&app, &like, last_hour, 60).await;
    old.get("/projects").await.is(200);
    let left = seconds_left(&app, &token).await;
    assert!((3500..=3600).contains(&left), "{left}");
}

#[tokio::test]
async fn a_session_for_an_organization_lasts_a_day_at_most() {
    let World { app, owner, .. } = World::start().await;
    let like = session_of(&app, &owner).await.unwrap();
    assert!(!like.shared, "the installation is on the user's own account");
    let shared = Session { shared: true, ..like };
    let (old, token) = aged(&app, &shared, -SHARED_SECONDS + 3600, 60).await;
    old.get("/projects").await.is(200);
    let left = seconds_left(&app, &token).await;
    assert!((3500..=3600).contains(&left), "{left}");
}

#[tokio::test]
async fn the_table_holds_no_token_that_would_open_a_session() {
    let World { app, owner, .. } = World::start().await;
    let token = owner.cookie(SESSION).unwrap();
    let kept = std::fs::read(app.data().join("dynamodb.sqlite")).unwrap();
    let log = std::fs::read(app.data().join("dynamodb.sqlite-wal")).unwrap();
    let kept = |text: &str| holds(&kept, text) || holds(&log, text);
    assert!(kept(&SecretToken::presented(&token).hash()), "this looks in the right place");
    assert!(!kept(&token));
}

#[tokio::test]
async fn a_page_of_another_site_cannot_act_for_the_owner() {
    let World { app, owner, .. } = World::start().await;
    let own = app.url("");
    let make = |header: &str, value: &str| {
        let body = json!({"name": "From elsewhere"});
        owner.call(Method::POST, "/projects").json(&body).header(header, value).send()
    };
    for (header, value) in [
        ("origin", "https://evil.example"),
        ("origin", "null"),
        ("origin", &format!("{own}.evil.example")),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
    ] {
        make(header, value).await.refuses(403, "cross_origin");
    }
    let logout =
        owner.call(Method::POST, "/github/logout").header("origin", "https://evil.example");
    logout.send().await.refuses(403, "cross_origin");
    assert_eq!(owner.get("/projects").await.is(200).json(), json!([]));
    make("origin", &own).await.is(201);
    make("sec-fetch-site", "same-origin").await.is(201);
}
