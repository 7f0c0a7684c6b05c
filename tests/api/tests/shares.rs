//! Links that show a project's timeline to people without a session.

use crate::changes::{Changed, changes, validated_by};
use crate::sign_in::{Delivery, at_github};
use api_tests::{Actor, Answer, App, Model, Project, Settings, World, eventually};
use domain::audit::Actor as Person;
use domain::share::ShareKey;
use domain::{Scope, Timestamp};
use reqwest::Method;
use serde_json::{Value, json};
use store::shares::Shares;

const PRINTED: &str = "printed-by-the-first-step";

/// A link as its owner gets it: its id, and the key after the `#` of its address.
pub(crate) struct Link {
    id: String,
    pub(crate) key: String,
}

pub(crate) async fn share(project: &Project, days: u32, with_output: bool) -> Link {
    let wish = json!({"days": days, "with_output": with_output});
    let made = project.post(&shares(project), wish).await.is(201).json();
    let (page, key) = made["url"].as_str().unwrap().split_once('#').unwrap();
    assert!(page.ends_with("/shared"), "{page}");
    Link { id: made["share"]["id"].as_str().unwrap().to_owned(), key: key.to_owned() }
}

fn shares(project: &Project) -> String {
    format!("/projects/{}/shares", project.id)
}

/// The answer that a person without a session gets for a key.
pub(crate) async fn read(app: &App, key: &str) -> Answer {
    let call = Actor::visitor(app).call(Method::GET, "/shared/timeline");
    call.header("share-key", key).send().await
}

async fn listed(project: &Project) -> Vec<Value> {
    project.get(&shares(project)).await.is(200).json().as_array().unwrap().clone()
}

async fn withdraw(project: &Project, link: &Link) -> Answer {
    project.call(Method::DELETE, &format!("{}/{}", shares(project), link.id)).send().await
}

/// A project with documents and a step that ran.
async fn with_history(owner: &Actor) -> Project {
    let project = owner.project("Shop").await;
    project.has_requirements().await;
    project.execute(&[&format!("echo {PRINTED}"), "true"]).await;
    project.complete(1).await;
    project.step_is(2, "waiting_approval").await;
    project
}

#[tokio::test]
async fn a_link_shows_the_timeline_and_the_documents_and_no_output() {
    let model = Model::start().await;
    let World { app, owner, .. } = World::with(&model).await;
    let project = with_history(&owner).await;
    let link = share(&project, 7, false).await;
    let answer = read(&app, &link.key).await.is(200);
    assert_eq!(answer.header("x-robots-tag"), "noindex, nofollow");
    assert_eq!(answer.header("cache-control"), "no-store");
    let body = answer.json();
    assert_eq!((&body["project"], &body["with_output"]), (&json!("Shop"), &json!(false)));
    let audit = body["audit"].as_array().unwrap();
    assert_eq!(audit.len(), 1, "the links themselves are not shown: {audit:?}");
    assert_eq!(audit[0]["verdict"], "approved");
    assert_eq!(audit[0]["by"]["login"], "owner");
    assert_eq!(audit[0]["run"]["failure"], Value::Null);
    let names = |value: &Value| value["document"].as_str().unwrap().to_owned();
    let documents: Vec<_> = body["documents"].as_array().unwrap().iter().map(names).collect();
    assert_eq!(documents, ["requirements", "implementation"]);
    assert_eq!(body["documents"][0]["parts"][0]["text"], "# A blog");
    assert_eq!(body["outputs"], json!([]));
}

#[tokio::test]
async fn a_link_shows_output_only_if_its_owner_chose_so_and_never_a_secret() {
    let model = Model::start().await;
    let World { app, owner, .. } = World::with(&model).await;
    let project = with_history(&owner).await;
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    // A document as an agent of an earlier version could have written it.
    let plans = store::plans::Plans::new(&app.table());
    let text = format!("# A blog\n\nThe token is {secret}.");
    assert!(plans.put_requirements(project.scope(), &text, &[], true).await.unwrap());
    let link = share(&project, 7, true).await;
    let answer = read(&app, &link.key).await.is(200);
    let body = answer.json();
    let (outputs, run) = (&body["outputs"], &body["audit"][0]["run"]);
    let one = json!({"step_number": 1, "attempt": run["attempt"], "track": "execution"});
    for (name, value) in one.as_object().unwrap() {
        assert_eq!(&outputs[0][name], value);
    }
    assert!(outputs[0]["text"].as_str().unwrap().contains(PRINTED));
    assert!(answer.text().contains("The token is ****"), "{}", answer.text());
    assert!(!answer.text().contains(&secret));
}

#[tokio::test]
async fn a_link_shows_the_changes_and_what_the_runs_of_an_earlier_one_printed() {
    let model = Model::start().await;
    let World { app, owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    validated_by(&project, &format!("echo {PRINTED}"), "echo proved").await;
    let links = (share(&project, 7, true).await, share(&project, 7, false).await);
    let before = read(&app, &links.0.key).await.is(200).json();
    assert_eq!(before["changes"], changes(&project).await, "as its owner sees them");
    project.begin("bigger disk").await.is(201);

    let after = read(&app, &links.0.key).await.is(200).json();
    assert_eq!(after["changes"], changes(&project).await);
    assert_eq!(after["changes"][0]["wish"], "bigger disk");
    assert_eq!(after["outputs"], before["outputs"], "the first change keeps its output");
    let texts = |body: &Value| {
        let outputs = body["outputs"].as_array().unwrap().iter();
        outputs.map(|one| one["text"].as_str().unwrap().trim().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        (texts(&after), &after["outputs_left_out"]),
        (vec![PRINTED.to_owned(), "proved".to_owned()], &json!(false))
    );
    for output in after["outputs"].as_array().unwrap() {
        let is = |entry: &&Value| {
            ["track", "plan_id", "step_number"].iter().all(|name| entry[*name] == output[*name])
        };
        let entry = after["audit"].as_array().unwrap().iter().find(is).unwrap();
        assert_eq!(
            entry["run"]["attempt"], output["attempt"],
            "it belongs to a run of the timeline"
        );
    }
    let without = read(&app, &links.1.key).await.is(200).json();
    assert_eq!((&without["changes"], &without["outputs"]), (&after["changes"], &json!([])));
}

#[tokio::test]
async fn a_withdrawn_link_ends_at_once_and_others_continue() {
    let World { app, owner, stranger, .. } = World::start().await;
    let project = owner.project("Shop").await;
    let (first, second) = (share(&project, 7, false).await, share(&project, 7, false).await);
    read(&app, &first.key).await.is(200);
    withdraw(&stranger.project_of(&project), &first).await.refuses(404, "not_found");
    read(&app, &first.key).await.is(200);
    withdraw(&project, &first).await.is(204);
    read(&app, &first.key).await.refuses(404, "share_ended");
    withdraw(&project, &first).await.refuses(404, "not_found");
    read(&app, &second.key).await.is(200);
    let left = listed(&project).await;
    assert_eq!(left.len(), 1);
    assert_eq!(left[0]["id"], json!(second.id));
}

#[tokio::test]
async fn the_list_shows_when_a_link_was_used_and_no_key() {
    let World { app, owner, .. } = World::start().await;
    let project = owner.project("Shop").await;
    let link = share(&project, 1, true).await;
    let before = listed(&project).await.remove(0);
    assert_eq!(before["last_used_at"], Value::Null);
    assert_eq!(before["by"]["login"], "owner");
    let (made, ends): (Timestamp, Timestamp) = (
        serde_json::from_value(before["made_at"].clone()).unwrap(),
        serde_json::from_value(before["ends_at"].clone()).unwrap(),
    );
    assert_eq!(ends.seconds_since(made), 24 * 3600);
    read(&app, &link.key).await.is(200);
    let after = listed(&project).await.remove(0);
    assert!(after["last_used_at"].is_string(), "{after}");
    let secret = link.key.rsplit_once('.').unwrap().1;
    let kept = serde_json::to_string(&project.kept().await).unwrap();
    assert!(!kept.contains(secret) && !after.to_string().contains(secret));
}

#[tokio::test]
async fn only_the_key_of_an_unexpired_link_opens_it() {
    let World { app, owner, .. } = World::start().await;
    let project = owner.project("Shop").await;
    let link = share(&project, 7, false).await;
    let held: ShareKey = link.key.parse().unwrap();
    let visitor = Actor::visitor(&app).call(Method::GET, "/shared/timeline").send().await;
    visitor.refuses(401, "share_key_missing");
    let other = owner.project("Another").await;
    let elsewhere = ShareKey { scope: other.scope(), ..held.clone() };
    let by = Person { user_id: 1, login: "owner".to_owned() };
    let shares = Shares::new(&app.table());
    let (_, over) = shares.make(project.scope(), 0, false, &by).await.unwrap().unwrap();
    let guessed = format!("{}.{}", link.key.rsplit_once('.').unwrap().0, "0".repeat(64));
    for key in [&guessed, &elsewhere.expose(), &over.expose(), "", "x", "1.2.3.4"] {
        read(&app, key).await.refuses(404, "share_ended");
    }
    assert_eq!(listed(&project).await.len(), 1, "a link that has ended is not listed");
    let link = listed(&project).await.remove(0);
    assert_eq!(link["last_used_at"], Value::Null, "a refused key does not count as a use");
}

#[tokio::test]
async fn a_link_ends_with_its_project() {
    let settings = Settings { hurried: true, ..Settings::default() };
    let World { app, owner, .. } = World::with_settings(settings).await;
    let project = owner.project("Shop").await;
    let link = share(&project, 7, false).await;
    owner.call(Method::DELETE, &format!("/projects/{}", project.id)).send().await.is(202);
    read(&app, &link.key).await.refuses(404, "share_ended");
    eventually("the link is deleted", async || {
        let left = project.kept().await;
        (!left.keys().any(|key| key.starts_with("SHARE#"))).then_some(())
    })
    .await;
}

/// How the access of a person who made a link ends on GitHub.
#[derive(Debug, Clone, Copy)]
enum Loss {
    Suspended,
    Uninstalled,
    Left,
}

impl Loss {
    async fn strike(self, owner: &Actor) {
        match self {
            Self::Suspended => at_github(owner, owner.installation(), "suspend").await,
            Self::Uninstalled => at_github(owner, owner.installation(), "delete").await,
            Self::Left => {
                let app = owner.app();
                let left = json!({"action": "removed", "member": {"id": owner.user_id().await},
                    "installation": {"id": owner.installation()}});
                Delivery::of(app, "left", "member", left).to(app).await.is(204);
            }
        }
    }
}

#[tokio::test]
async fn a_link_is_closed_while_the_access_of_the_person_who_made_it_is() {
    let World { app, stranger, .. } = World::start().await;
    let other = share(&stranger.project("Another").await, 7, false).await;
    for loss in [Loss::Suspended, Loss::Uninstalled, Loss::Left] {
        let login = format!("{loss:?}").to_lowercase();
        let owner = Actor::signed_in(&app, &login).await;
        let project = owner.project("Shop").await;
        let link = share(&project, 7, true).await;
        let colleague = Person { user_id: 1, login: "colleague".to_owned() };
        let shares = Shares::new(&app.table());
        let (_, theirs) =
            shares.make(project.scope(), 7, false, &colleague).await.unwrap().expect("room");
        let theirs = theirs.expose();
        for key in [&link.key, &theirs] {
            read(&app, key).await.is(200);
        }
        loss.strike(&owner).await;
        let closed = read(&app, &link.key).await;
        let unknown = read(&app, "1.2.00ff00ff00ff00ff.x").await;
        assert_eq!(
            closed.refuses(404, "share_ended"),
            unknown.refuses(404, "share_ended"),
            "a closed link answers like an unknown one"
        );
        let colleagues = read(&app, &theirs).await.status;
        match loss {
            Loss::Suspended => {
                assert_eq!(colleagues, 404);
                // GitHub's reports may come in any order, so this one reopens nothing.
                at_github(&owner, owner.installation(), "unsuspend").await;
                read(&app, &link.key).await.refuses(404, "share_ended");
            }
            Loss::Uninstalled => {
                assert_eq!(colleagues, 404);
                continue;
            }
            Loss::Left => assert_eq!(colleagues, 200, "the others stay"),
        }
        let back = Actor::signed_in(&app, &login).await;
        assert_eq!(back.installation(), owner.installation());
        for key in [&link.key, &theirs] {
            read(&app, key).await.is(200);
        }
        let link = listed(&back.project_of(&project)).await.into_iter();
        assert!(link.map(|link| link["last_used_at"].clone()).all(|at| at != Value::Null));
    }
    read(&app, &other.key).await.is(200);
}

#[tokio::test]
async fn a_link_ends_with_the_account_also_if_its_owner_returns_before_the_data_is_gone() {
    let World { app, owner, .. } = World::start().await;
    let link = share(&owner.project("Shop").await, 7, false).await;
    owner.call(Method::DELETE, "/github/user?login=owner").send().await.is(202);
    read(&app, &link.key).await.refuses(404, "share_ended");
    Actor::signed_in(&app, "owner").await;
    read(&app, &link.key).await.refuses(404, "share_ended");
}

#[tokio::test]
async fn the_lifetime_and_the_number_of_links_are_limited() {
    let World { app, owner, .. } = World::start().await;
    let project = owner.project("Shop").await;
    for days in [0, 91] {
        let wish = json!({"days": days, "with_output": false});
        project.post(&shares(&project), wish).await.refuses(422, "invalid_days");
    }
    let by = Person { user_id: 1, login: "owner".to_owned() };
    let scope: Scope = project.scope();
    for _ in 0..domain::share::MAX_SHARES {
        Shares::new(&app.table()).make(scope, 1, false, &by).await.unwrap().expect("room");
    }
    let wish = json!({"days": 1, "with_output": false});
    project.post(&shares(&project), wish).await.refuses(409, "too_many_shares");
}

#[tokio::test]
async fn reading_by_links_is_limited_by_address() {
    let settings = Settings { rate_limits: Some("shared-per-address=2"), ..Settings::default() };
    let World { app, owner, .. } = World::with_settings(settings).await;
    let link = share(&owner.project("Shop").await, 7, false).await;
    let mut answers = Vec::new();
    for _ in 0..6 {
        answers.push(read(&app, &link.key).await.status);
    }
    assert!(answers.contains(&200) && answers.contains(&429), "{answers:?}");
    assert!(answers.iter().all(|status| [200, 429].contains(status)), "{answers:?}");
}

#[tokio::test]
async fn the_audit_and_the_security_log_name_links_and_who_made_them() {
    let app = App::start(Settings { log_to_file: true, ..Settings::default() }).await;
    let owner = Actor::signed_in(&app, "owner").await;
    let project = owner.project("Shop").await;
    let link = share(&project, 7, true).await;
    read(&app, &link.key).await.is(200);
    withdraw(&project, &link).await.is(204);
    let audit = project.get(&format!("/projects/{}/audit", project.id)).await.is(200).json();
    let told = |entry: &Value| (entry["verdict"].clone(), entry["by"]["login"].clone());
    let told: Vec<_> = audit.as_array().unwrap().iter().map(told).collect();
    let by = |verdict: &str| (json!(verdict), json!("owner"));
    assert_eq!(told, [by("withdrawn"), by("shared")]);
    let words = audit[1]["description"].as_str().unwrap();
    assert!(words.starts_with(&format!("Link {}, with output, until 20", link.id)), "{words}");
    let secret = link.key.rsplit_once('.').unwrap().1;
    for event in ["timeline.shared", "timeline.read", "timeline.withdrawn"] {
        let named = format!(" security=\"{event}\"");
        let line = eventually(event, async || {
            let log = std::fs::read_to_string(app.data().join("stack.log")).unwrap();
            assert!(!log.contains(secret), "the key is in the log");
            log.lines().find(|line| line.contains(&named)).map(str::to_owned)
        })
        .await;
        assert!(line.contains(&format!("share={}", link.id)), "{line}");
    }
}
