use crate::local::{Local, browser, options};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use local_stack::Functions;
use local_stack::names::{
    GITHUB_APP_SLUG, GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET_ID, GITHUB_PRIVATE_KEY_SECRET_ID,
};
use reqwest::{Response, StatusCode, Url};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::path::Path;
use tempfile::TempDir;

const VERIFIER: &str = "a-verifier-of-more-than-forty-three-characters-in-all";

fn challenge() -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(VERIFIER))
}

fn callback(local: &Local) -> String {
    local.clients.site("/api/github/callback")
}

async fn authorize(local: &Local, more: &[(&str, &str)]) -> Response {
    let page = local.clients.site("/_local/github/login/oauth/authorize");
    let mut query = HashMap::from([
        ("client_id", GITHUB_CLIENT_ID.to_owned()),
        ("redirect_uri", callback(local)),
    ]);
    query.extend(more.iter().map(|(name, value)| (*name, (*value).to_owned())));
    browser().get(page).query(&query).send().await.unwrap()
}

/// The address to which a page redirects the browser, and its query.
fn sent_to(response: &Response) -> (String, HashMap<String, String>) {
    assert_eq!(response.status(), StatusCode::FOUND);
    let url = Url::parse(response.headers()["location"].to_str().unwrap()).unwrap();
    let query = url.query_pairs().into_owned().collect();
    (url.as_str().split('?').next().unwrap().to_owned(), query)
}

async fn secret(local: &Local, id: &str) -> String {
    let ask = local.clients.secrets().get_secret_value().secret_id(id);
    ask.send().await.unwrap().secret_string.unwrap()
}

async fn exchange(local: &Local, code: &str, more: &[(&str, &str)]) -> Value {
    let secret = secret(local, GITHUB_CLIENT_SECRET_ID).await;
    let mut form = HashMap::from([
        ("client_id", GITHUB_CLIENT_ID),
        ("client_secret", &secret),
        ("code", code),
    ]);
    form.extend(more.iter().copied());
    let page = local.clients.site("/_local/github/login/oauth/access_token");
    let answer =
        browser().post(page).header("accept", "application/json").form(&form).send().await.unwrap();
    answer.json().await.unwrap()
}

async fn api(local: &Local, path: &str, token: &str) -> Value {
    let call =
        browser().get(local.clients.site(&format!("/_local/github/api{path}"))).bearer_auth(token);
    call.send().await.unwrap().json().await.unwrap()
}

/// Signs in and returns the token and the browser's cookie.
async fn sign_in(local: &Local, login: &str) -> (String, String) {
    let sent = authorize(local, &[("login", login)]).await;
    let cookie =
        sent.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    let token = exchange(local, &sent_to(&sent).1["code"], &[]).await["access_token"]
        .as_str()
        .unwrap()
        .to_owned();
    (token, cookie)
}

async fn install(local: &Local, cookie: &str) -> HashMap<String, String> {
    let page = local
        .clients
        .site(&format!("/_local/github/apps/{GITHUB_APP_SLUG}/installations/new?state=s"));
    sent_to(&browser().get(page).header("cookie", cookie).send().await.unwrap()).1
}

#[tokio::test]
async fn a_user_signs_in_with_pkce_and_is_recognized_the_next_time() {
    let local = Local::start().await;
    let sent = authorize(
        &local,
        &[("state", "s/1 &"), ("code_challenge", &challenge()), ("code_challenge_method", "S256")],
    )
    .await;
    let (address, query) = sent_to(&sent);
    assert_eq!(address, callback(&local));
    assert_eq!(query["state"], "s/1 &");
    let answer = exchange(
        &local,
        &query["code"],
        &[("code_verifier", VERIFIER), ("redirect_uri", &callback(&local))],
    )
    .await;
    let user = api(&local, "/user", answer["access_token"].as_str().unwrap()).await;
    assert_eq!(user["login"], "local");
    let (again, _) = sign_in(&local, "local").await;
    assert_eq!(api(&local, "/user", &again).await["id"], user["id"]);
    let avatar = browser().get(user["avatar_url"].as_str().unwrap()).send().await.unwrap();
    assert_eq!(avatar.headers()["content-type"], "image/svg+xml");
}

#[tokio::test]
async fn a_new_user_has_an_installation_after_visiting_the_install_page() {
    let local = Local::start().await;
    let (token, cookie) = sign_in(&local, "ada").await;
    assert_eq!(api(&local, "/user/installations", &token).await["total_count"], 0);
    let back = install(&local, &cookie).await;
    assert_eq!((back["setup_action"].as_str(), back["state"].as_str()), ("install", "s"));
    let token =
        exchange(&local, &back["code"], &[]).await["access_token"].as_str().unwrap().to_owned();
    let found = api(&local, "/user/installations", &token).await;
    assert_eq!(found["installations"][0]["id"].to_string(), back["installation_id"]);
    assert_eq!(install(&local, &cookie).await["installation_id"], back["installation_id"]);
}

#[tokio::test]
async fn a_user_sees_only_their_own_installations() {
    let local = Local::start().await;
    let (_, owner) = sign_in(&local, "ada").await;
    install(&local, &owner).await;
    let (stranger, _) = sign_in(&local, "eve").await;
    assert_eq!(api(&local, "/user/installations", &stranger).await["total_count"], 0);
    let forged = install(&local, "local_github_session=ada").await;
    let token =
        exchange(&local, &forged["code"], &[]).await["access_token"].as_str().unwrap().to_owned();
    assert_eq!(
        api(&local, "/user", &token).await["login"],
        "local",
        "a made-up cookie does not sign anyone in as ada"
    );
}

#[tokio::test]
async fn a_code_works_once_and_only_with_its_verifier() {
    let local = Local::start().await;
    let pkce = [("code_challenge", &*challenge()), ("code_challenge_method", "S256")];
    let code = || async { sent_to(&authorize(&local, &pkce).await).1["code"].clone() };
    for wrong in [vec![], vec![("code_verifier", "guessed")]] {
        assert_eq!(exchange(&local, &code().await, &wrong).await["error"], "bad_verification_code");
    }
    let right = [("code_verifier", VERIFIER)];
    let once = code().await;
    assert!(exchange(&local, &once, &right).await["access_token"].is_string());
    assert_eq!(exchange(&local, &once, &right).await["error"], "bad_verification_code");
}

#[tokio::test]
async fn a_wrong_secret_gets_nothing() {
    let local = Local::start().await;
    let code = sent_to(&authorize(&local, &[]).await).1["code"].clone();
    let answer = exchange(&local, &code, &[("client_secret", "guessed")]).await;
    assert_eq!(answer["error"], "incorrect_client_credentials");
}

#[tokio::test]
async fn a_code_is_sent_only_to_the_apps_own_callback() {
    let local = Local::start().await;
    for foreign in
        ["https://evil.example/api/github/callback", "http://localhost:1/api/github/callback"]
    {
        assert_eq!(
            authorize(&local, &[("redirect_uri", foreign)]).await.status(),
            StatusCode::BAD_REQUEST
        );
    }
    assert_eq!(authorize(&local, &[("client_id", "other")]).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(authorize(&local, &[("login", "../x")]).await.status(), StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn an_invented_token_belongs_to_no_user() {
    let local = Local::start().await;
    let user = browser().get(local.clients.site("/_local/github/api/user"));
    assert_eq!(
        user.bearer_auth("ghu_guessed").send().await.unwrap().status(),
        StatusCode::UNAUTHORIZED
    );
}

#[tokio::test]
async fn the_prefix_of_a_login_determines_its_installations() {
    let local = Local::start().await;
    let (several, _) = sign_in(&local, "several-ann").await;
    let found = api(&local, "/user/installations", &several).await;
    let all = found["installations"].as_array().unwrap();
    let accounts: Vec<_> =
        all.iter().map(|one| one["account"]["login"].as_str().unwrap()).collect();
    assert_eq!(accounts, ["several-ann", "several-ann-labs", "several-ann-ops"]);
    let suspended = all.iter().map(|one| one["suspended_at"].is_string());
    assert_eq!(suspended.collect::<Vec<_>>(), [false, false, true]);
    for one in all {
        let avatar = one["account"]["avatar_url"].as_str().unwrap();
        assert_eq!(browser().get(avatar).send().await.unwrap().status(), StatusCode::OK);
    }
    let (many, _) = sign_in(&local, "many-ann").await;
    let page = api(&local, "/user/installations?per_page=100&page=2", &many).await;
    assert_eq!(
        (&page["total_count"], page["installations"].as_array().unwrap().len()),
        (&101.into(), 1)
    );
    let ids = found["installations"][0]["id"].as_u64().unwrap();
    assert!(page["installations"][0]["id"].as_u64().unwrap() > ids, "numbers are given once");
}

#[tokio::test]
async fn a_user_who_refuses_returns_with_an_error_and_no_code() {
    let local = Local::start().await;
    let sent = authorize(&local, &[("login", "denied-ann"), ("state", "s")]).await;
    let (_, query) = sent_to(&sent);
    assert_eq!((query["error"].as_str(), query["state"].as_str()), ("access_denied", "s"));
    assert!(!query.contains_key("code"));
}

#[tokio::test]
async fn a_webhook_that_the_app_refuses_is_reported() {
    // The functions of this stack do not serve webhooks.
    let local = Local::start().await;
    let (_, cookie) = sign_in(&local, "ada").await;
    let id = &install(&local, &cookie).await["installation_id"];
    let page = local.clients.site("/_local/github/settings/installations");
    let press = |action: &str| {
        browser().post(format!("{page}/{id}/{action}")).header("cookie", &cookie).send()
    };
    assert_eq!(press("suspend").await.unwrap().status(), StatusCode::BAD_GATEWAY);
    let list = browser().get(&page).header("cookie", &cookie).send().await.unwrap();
    let list = list.text().await.unwrap();
    assert!(list.contains("<button>Unsuspend ada</button>"), "{list}");
    assert_eq!(press("explode").await.unwrap().status(), StatusCode::NOT_FOUND);
}

/// The App's private key of a new stack that has this file for it.
async fn key(file: Option<&Path>) -> String {
    let data = TempDir::new().unwrap();
    let options =
        local_stack::Options { github_key: file.map(Path::to_owned), ..options(data.path()) };
    let local = Local::with_options(data, options, Functions::nothing()).await;
    secret(&local, GITHUB_PRIVATE_KEY_SECRET_ID).await
}

#[tokio::test]
async fn stacks_share_the_apps_key_only_by_a_file() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("key.pem");
    let (first, second) = (key(Some(&file)).await, key(Some(&file)).await);
    assert!(first.starts_with("-----BEGIN PRIVATE KEY-----"), "{first}");
    assert_eq!(first, second);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), first);
    assert_ne!(key(None).await, first);
}
