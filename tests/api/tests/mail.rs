//! Mail to owners whose turn it is: the address and its confirmation, one notice per turn, and how to stop it.

use api_tests::{Actor, App, Model, Project, Settings, World, eventually, script_prompt};
use domain::mail::OffKey;
use domain::plan::PlannedStep;
use domain::secret_token::SecretToken;
use domain::step::Phase;
use domain::{PlanId, Timestamp};
use reqwest::Method;
use serde::Deserialize;
use serde_json::{Value, json};
use store::executions::Executions;
use store::mail::Mail;
use store::sandboxes::Sandboxes;

/// Enough calls to reach a limit of a few per hour, even if a new hour begins in between.
const MANY: usize = 12;

/// A letter in the local stack's outbox.
#[derive(Clone, Debug, Deserialize)]
pub struct Letter {
    from: String,
    to: Vec<String>,
    subject: String,
    text: String,
    html: String,
    headers: Vec<(String, String)>,
}

impl Letter {
    fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(known, _)| known == name);
        &found.unwrap_or_else(|| panic!("no {name}: {self:?}")).1
    }
}

async fn letters(app: &App) -> Vec<Letter> {
    let answer = Actor::visitor(app).open(&app.url("/_local/mail/letters")).await.is(200);
    serde_json::from_slice(&answer.body).unwrap()
}

/// The letters to an address, once there is one with this text.
pub async fn letters_saying(app: &App, to: &str, subject: &str) -> Vec<Letter> {
    eventually(&format!("a letter to {to}: {subject}"), async || {
        let mut all = letters(app).await;
        all.retain(|letter| letter.to == [to]);
        all.iter().any(|letter| letter.subject == subject).then_some(all)
    })
    .await
}

/// The token of the last link that was sent to an address.
async fn link(app: &App, to: &str) -> String {
    let all = letters(app).await;
    let last = all.iter().rfind(|letter| letter.to == [to]).expect("a letter");
    let (_, rest) = last.text.split_once("/app/mail?confirm=").expect("a link");
    rest.split_whitespace().next().unwrap().to_owned()
}

/// Turns mail on: enters the address and opens the link that is sent there.
pub async fn turn_on(person: &Actor, address: &str) {
    let named = person.put("/user/mail", json!({"address": address})).await.is(200).json();
    assert_eq!(named["pending"], address);
    let token = link(person.app(), address).await;
    let on = person.post("/user/mail/confirm", json!({"token": token})).await.is(200).json();
    assert_eq!(on, json!({"available": true, "address": address, "pending": null}));
}

async fn hurried(model: &Model) -> World {
    World::with_settings(Settings { hurried: true, ..Settings::with_model(model) }).await
}

async fn waiting_project(owner: &Actor, name: &str) -> Project {
    let project = owner.project(name).await;
    project.execute(&["echo a-line-of-the-script"]).await;
    project.step_is(1, "waiting_approval").await;
    project
}

/// The key in a person's letters.
async fn off_key(person: &Actor) -> OffKey {
    let mail = Mail::new(&person.app().table());
    let settings = mail.settings(person.installation(), person.user_id().await).await.unwrap();
    settings.expect("mail is on").off_key(person.installation())
}

async fn unsubscribe(person: &Actor, key: &str) -> api_tests::Answer {
    let call = person.call(Method::POST, &format!("/user/mail/unsubscribe?key={key}"));
    // As a mail service does, without a page of the application.
    let call = call.header("origin", "https://mail.example");
    call.body("application/x-www-form-urlencoded", "List-Unsubscribe=One-Click").send().await
}

#[tokio::test]
async fn an_address_gets_mail_only_after_its_reader_confirmed_it() {
    let World { app, owner, stranger, .. } = World::start().await;
    let off = json!({"available": true, "address": null, "pending": null});
    assert_eq!(owner.get("/user/mail").await.is(200).json(), off, "off by default");
    for wrong in
        ["", "ada", "ada@example.com, eve@example.com", "ada@example.com\r\nBcc: e@x.example"]
    {
        let answer = owner.put("/user/mail", json!({"address": wrong})).await;
        answer.refuses(422, "invalid_address");
    }
    owner.put("/user/mail", json!({"address": "first@example.com"})).await.is(200);
    let first = link(&app, "first@example.com").await;
    owner.put("/user/mail", json!({"address": "ada@example.com"})).await.is(200);
    let second = link(&app, "ada@example.com").await;
    let confirm = async |person: &Actor, token: &str| {
        person.post("/user/mail/confirm", json!({"token": token})).await
    };
    confirm(&owner, &first).await.refuses(409, "link_ended");
    confirm(&owner, SecretToken::random().expose()).await.refuses(409, "link_ended");
    confirm(&stranger, &second).await.refuses(409, "link_ended");
    assert_eq!(owner.get("/user/mail").await.is(200).json()["address"], Value::Null);
    confirm(&owner, &second).await.is(200);
    confirm(&owner, &second).await.refuses(409, "link_ended");
    let exported = owner.get("/user/export").await.is(200).json();
    assert_eq!(exported["account"]["mail"], "ada@example.com");

    owner.put("/user/mail", json!({"address": "next@example.com"})).await.is(200);
    let both = owner.get("/user/mail").await.is(200).json();
    assert_eq!(
        (&both["address"], &both["pending"]),
        (&json!("ada@example.com"), &json!("next@example.com"))
    );
    let stopped = owner.call(Method::DELETE, "/user/mail").send().await;
    stopped.is(204);
    assert_eq!(owner.get("/user/mail").await.is(200).json(), off);
    let late = link(&app, "next@example.com").await;
    confirm(&owner, &late).await.refuses(409, "link_ended");
    assert_eq!(stranger.get("/user/mail").await.is(200).json(), off);
}

#[tokio::test]
async fn only_a_limited_number_of_links_is_sent() {
    let World { owner, stranger, .. } = World::start().await;
    let name = async |person: &Actor, address: &str| {
        person.put("/user/mail", json!({"address": address})).await.status
    };
    let mut answers = Vec::new();
    for n in 0..MANY {
        answers.push(name(&owner, &format!("victim{n}@example.com")).await);
    }
    assert_eq!((answers[0], answers.contains(&429)), (200, true), "{answers:?}");
    // The same address from several people.
    let mut people = vec![stranger];
    for n in 0..3 {
        people.push(Actor::signed_in(people[0].app(), &format!("person-{n}")).await);
    }
    let mut answers = Vec::new();
    for person in people.iter().cycle().take(MANY) {
        answers.push(name(person, "Victim@Example.com").await);
    }
    assert_eq!((answers[0], answers.contains(&429)), (200, true), "{answers:?}");
}

#[tokio::test]
async fn each_turn_gets_one_letter_without_its_script() {
    let model = Model::start().await;
    let World { app, owner, .. } = hurried(&model).await;
    waiting_project(&owner, "From before").await;
    turn_on(&owner, "ada@example.com").await;
    let failing = owner.project("Failing").await;
    failing.execute(&["echo a-line-of-the-script; exit 7"]).await;
    failing.approve(1).await;
    failing.step_when(1, "fails", |step| step.status == "failed").await;
    let done = owner.project("Done").await;
    done.execute(&["echo a-line-of-the-script"]).await;
    done.complete(1).await;
    let waiting = waiting_project(&owner, "Waiting").await;
    let to = "ada@example.com";
    letters_saying(&app, to, "Step 1 failed · Failing").await;
    letters_saying(&app, to, "All steps completed · Done").await;
    let told = letters_saying(&app, to, "Step 1 is waiting for you · Waiting").await;
    let letter = told.iter().find(|letter| letter.subject.ends_with("Waiting")).unwrap();
    assert_eq!(letter.from, "Groundcrew <mail@groundcrew.example>");
    let url = app.url(&format!("/app/{}?stage=execution", waiting.id));
    assert!(letter.text.contains(&url) && letter.html.contains(&url), "{letter:?}");
    assert_eq!(letter.header("List-Unsubscribe-Post"), "List-Unsubscribe=One-Click");
    let key = off_key(&owner).await.expose();
    let one_click = app.url(&format!("/api/user/mail/unsubscribe?key={key}"));
    assert_eq!(letter.header("List-Unsubscribe"), format!("<{one_click}>"));

    // This was the last recipient, so the earlier sweeps have checked the others again and sent nothing twice.
    waiting_project(&owner, "Last").await;
    let all = letters_saying(&app, to, "Step 1 is waiting for you · Last").await;
    let mut subjects: Vec<_> = all.iter().map(|letter| letter.subject.as_str()).collect();
    subjects.sort_unstable();
    let expected = [
        "All steps completed · Done",
        "Confirm your address for Groundcrew",
        "Step 1 failed · Failing",
        "Step 1 is waiting for you · Last",
        "Step 1 is waiting for you · Waiting",
    ];
    assert_eq!(subjects, expected, "and no letter about an earlier turn");
    for letter in &all {
        assert!(!format!("{letter:?}").contains("a-line-of-the-script"), "{letter:?}");
    }
}

#[tokio::test]
async fn a_person_who_turned_mail_off_or_may_not_sign_in_gets_none() {
    let model = Model::start().await;
    let World { app, owner, stranger, visitor } = hurried(&model).await;
    let gone = Actor::signed_in(&app, "gone").await;
    for (person, address) in
        [(&owner, "off@example.com"), (&gone, "gone@example.com"), (&stranger, "on@example.com")]
    {
        turn_on(person, address).await;
    }
    let key = off_key(&owner).await;
    let forged = OffKey { secret: SecretToken::random(), ..key.clone() };
    let others = OffKey { user_id: stranger.user_id().await, ..key.clone() };
    for wrong in [&forged, &others] {
        unsubscribe(&visitor, &wrong.expose()).await.refuses(404, "mail_off");
    }
    unsubscribe(&visitor, "5.7").await.refuses(401, "mail_key_missing");
    let opened = visitor.get(&format!("/user/mail/unsubscribe?key={}", key.expose())).await.is(303);
    assert_eq!(opened.header("location"), app.url(&format!("/unsubscribe#{}", key.expose())));
    assert_eq!(owner.get("/user/mail").await.is(200).json()["address"], "off@example.com");
    unsubscribe(&visitor, &key.expose()).await.is(204);
    unsubscribe(&visitor, &key.expose()).await.refuses(404, "mail_off");
    assert_eq!(owner.get("/user/mail").await.is(200).json()["address"], Value::Null);

    waiting_project(&owner, "Off").await;
    let theirs = gone.project("Gone").await;
    let step = PlannedStep { prompt: script_prompt("true"), ..PlannedStep::default() };
    let plan_id = PlanId(theirs.has_steps(std::slice::from_ref(&step)).await);
    gone.post("/github/logout-everywhere", json!({})).await.is(200);
    // The reaper processes whatever is on its list, however it got there.
    let (table, scope) = (app.table(), theirs.scope());
    let executions = Executions::new(&table);
    executions.start(scope, &plan_id, &[step]).await.unwrap();
    Sandboxes::new(&table).list_active(scope, Timestamp::now()).await.unwrap();
    eventually("a step that does not wait for its owner", async || {
        let execution = executions.load(scope).await.unwrap().unwrap();
        (execution.steps[0].phase == Phase::WaitingApproval).then_some(())
    })
    .await;
    waiting_project(&stranger, "On").await;
    letters_saying(&app, "on@example.com", "Step 1 is waiting for you · On").await;
    let told = letters(&app).await.into_iter().filter(|letter| letter.subject.starts_with("Step"));
    assert_eq!(told.flat_map(|letter| letter.to).collect::<Vec<_>>(), ["on@example.com"]);
}

#[tokio::test]
async fn a_refused_letter_is_tried_again_and_sent_once() {
    let model = Model::start().await;
    let World { app, owner, visitor, .. } = hurried(&model).await;
    turn_on(&owner, "ada@example.com").await;
    let refuse = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none());
    let refuse = refuse.build().unwrap().post(app.url("/_local/mail/refuse"));
    let refused = refuse.json(&json!({"calls": 2})).send().await.unwrap();
    assert_eq!(refused.status(), 204);
    waiting_project(&owner, "First").await;
    letters_saying(&app, "ada@example.com", "Step 1 is waiting for you · First").await;
    waiting_project(&owner, "Second").await;
    let all = letters_saying(&app, "ada@example.com", "Step 1 is waiting for you · Second").await;
    let first = all.iter().filter(|letter| letter.subject.ends_with("First")).count();
    assert_eq!(first, 1);
    visitor.open(&app.url("/_local/mail")).await.is(200);
}

#[tokio::test]
async fn a_deleted_account_leaves_no_address() {
    let model = Model::start().await;
    let World { app, owner, .. } = hurried(&model).await;
    turn_on(&owner, "ada@example.com").await;
    let (installation, user) = (owner.installation(), owner.user_id().await);
    owner.call(Method::DELETE, "/github/user?login=owner").send().await.is(202);
    let mail = Mail::new(&app.table());
    eventually("the address is deleted", async || {
        mail.settings(installation, user).await.unwrap().is_none().then_some(())
    })
    .await;
}
