//! Who signs in for an organization: its active members, as GitHub lists them.

use crate::sign_in::{SESSION, ends};
use api_tests::{Actor, World};
use domain::{InstallationId, MicroDollars};
use serde_json::{Value, json};
use store::ledger::Ledger;

#[tokio::test]
async fn only_active_members_of_an_organization_sign_in_for_it() {
    let World { app, .. } = World::start().await;
    for login in ["outside-ann", "invited-ann", "unread-ann"] {
        let visitor = Actor::visitor(&app);
        assert_eq!(ends(&visitor, login).await, "/github-success?error=not_a_member", "{login}");
        assert_eq!((visitor.cookie(SESSION), visitor.cookie("groundcrew-login")), (None, None));
        visitor.get("/projects").await.is(401);
        let kept = std::fs::read_to_string(app.data().join("github.json")).unwrap();
        let kept: Value = serde_json::from_str(&kept).unwrap();
        let id = kept["users"][login]["installations"][0]["id"].as_u64().unwrap();
        let balance = Ledger::new(&app.table()).balance(InstallationId(id)).await.unwrap();
        assert_eq!(balance.balance, MicroDollars::ZERO, "no opening credit");
        // The same if the browser names the installation.
        let callback = visitor
            .follow_until(&app.url(&format!("/api/github/login?login={login}")), "/callback")
            .await;
        let end = visitor.follow(&format!("{callback}&installation_id={id}")).await;
        assert!(end.ends_with("error=not_a_member"), "{end}");
    }
}

#[tokio::test]
async fn an_outside_collaborator_can_choose_only_their_own_account() {
    let World { visitor, .. } = World::start().await;
    assert_eq!(ends(&visitor, "several-outside-ann").await, "/github-choose");
    let offered = visitor.get("/github/installations").await.is(200).json();
    let choose = async |number: usize| {
        let choice = json!({"installation_id": offered[number]["installation_id"]});
        visitor.post("/github/installations", choice).await
    };
    let text = choose(1).await.refuses(403, "not_a_member");
    assert!(text.contains("does not list you as a member"), "{text}");
    assert_eq!(visitor.cookie(SESSION), None);
    choose(0).await.is(200);
}
