//! The composer's preview: which parts of a message will be sealed, and the author's corrections.

use api_tests::{Actor, App, Model, Project, Settings, World};
use domain::AgentId;
use serde_json::{Value, json};

const DRAFT: &str = "/planning/draft-secrets";
const GATHERER: &str = "/planning/requirements-gatherer";
const MESSAGE: &str = "😀 das Root-Passwort lautet Tr0ub4dor&3, the codename is swordfish";

/// A part of a text, in UTF-16 code units.
fn selection(text: &str, part: &str) -> Value {
    let units = |text: &str| text.encode_utf16().count();
    let start = units(&text[..text.find(part).expect(part)]);
    json!({"start": start, "end": start + units(part)})
}

/// The found parts of a draft, as texts.
fn found(message: &str, answer: &Value) -> Vec<(String, String, String)> {
    let units: Vec<u16> = message.encode_utf16().collect();
    let index = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    let secrets = answer["found"].as_array().unwrap().iter();
    secrets
        .map(|secret| {
            let part = &units[index(&secret["start"])..index(&secret["end"])];
            let word = |key: &str| secret[key].as_str().unwrap().to_owned();
            (String::from_utf16(part).unwrap(), word("kind"), word("name"))
        })
        .collect()
}

fn find(text: &str, kind: &str, name: &str) -> (String, String, String) {
    (text.to_owned(), kind.to_owned(), name.to_owned())
}

async fn kept(project: &Project) -> String {
    project.kept_messages(AgentId::RequirementsGatherer).await[0].text.clone()
}

#[tokio::test]
async fn a_draft_shows_what_its_message_will_seal() {
    let World { owner, stranger, visitor, .. } = World::start().await;
    let project = owner.project("Shop").await;
    let answer = project.post(DRAFT, json!({"message": MESSAGE})).await.is(200).json();
    assert_eq!(found(MESSAGE, &answer), [find("Tr0ub4dor&3", "password", "ROOT_PASSWORD")]);
    let nothing = project.post(DRAFT, json!({"message": ""})).await.is(200).json();
    assert_eq!(nothing, json!({"found": []}));
    project.chat(GATHERER, MESSAGE).await;
    assert_eq!(kept(&project).await, MESSAGE.replace("Tr0ub4dor&3", "{{secret:ROOT_PASSWORD}}"));

    let draft = json!({"message": MESSAGE});
    stranger.within(project.id).post(DRAFT, draft.clone()).await.refuses(404, "not_found");
    visitor.within(project.id).post(DRAFT, draft).await.refuses(401, "signed_out");
}

#[tokio::test]
async fn the_users_correction_overrides_the_look_of_a_secret() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Shop").await;
    let draft = json!({
        "message": MESSAGE,
        "secrets": [selection(MESSAGE, "swordfish")],
        "not_secrets": [selection(MESSAGE, "ub4d")],
    });
    let answer = project.post(DRAFT, draft.clone()).await.is(200).json();
    assert_eq!(found(MESSAGE, &answer), [find("swordfish", "marked", "SECRET")]);
    project.post(GATHERER, draft).await.is(200);
    assert_eq!(kept(&project).await, MESSAGE.replace("swordfish", "{{secret:SECRET}}"));
    let sets = project.get("/planning/credentials").await.is(200).json();
    assert_eq!(sets[0]["names"], json!(["SECRET"]));
}

#[tokio::test]
async fn a_selection_outside_the_message_is_refused_and_no_message_is_sent() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Shop").await;
    for (start, end) in [(0, 1), (1, 2), (5, 5), (9, 4), (0, 10_000)] {
        let wrong = json!({"message": MESSAGE, "secrets": [{"start": start, "end": end}]});
        project.post(DRAFT, wrong.clone()).await.refuses(422, "invalid_selection");
        project.post(GATHERER, wrong).await.refuses(422, "invalid_selection");
    }
    let long = json!({"message": "x".repeat(20_001)});
    project.post(DRAFT, long).await.refuses(422, "invalid_message");
    assert_eq!(project.kept_messages(AgentId::RequirementsGatherer).await.len(), 0);
}

#[tokio::test]
async fn a_draft_shows_the_number_that_its_secret_will_get() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Shop").await;
    let values = json!({"values": {"ROOT_PASSWORD": "0ther-Value-1t"}});
    project.put("/planning/credentials/other", values).await.is(204);
    let answer = project.post(DRAFT, json!({"message": MESSAGE})).await.is(200).json();
    assert_eq!(found(MESSAGE, &answer), [find("Tr0ub4dor&3", "password", "ROOT_PASSWORD_2")]);
    project.chat(GATHERER, MESSAGE).await;
    assert_eq!(kept(&project).await, MESSAGE.replace("Tr0ub4dor&3", "{{secret:ROOT_PASSWORD_2}}"));
    // It has its name now and keeps it.
    let answer = project.post(DRAFT, json!({"message": MESSAGE})).await.is(200).json();
    assert_eq!(found(MESSAGE, &answer), [find("Tr0ub4dor&3", "password", "ROOT_PASSWORD_2")]);
}

#[tokio::test]
async fn no_draft_is_stored_or_logged() {
    let model = Model::start().await;
    let app = App::start(Settings { log_to_file: true, ..Settings::with_model(&model) }).await;
    let owner = Actor::signed_in(&app, "owner").await;
    let project = owner.project("Shop").await;
    let before = project.kept().await;
    project.post(DRAFT, json!({"message": MESSAGE})).await.is(200);
    project.post(DRAFT, json!({"message": MESSAGE, "secrets": "wrong"})).await.is(422);
    assert_eq!(project.kept().await, before);
    assert_eq!(model.times_asked(), 0);
    let log = std::fs::read_to_string(app.data().join("stack.log")).unwrap();
    assert!(!log.is_empty() && !log.contains("Tr0ub4dor") && !log.contains("swordfish"), "{log}");
}

#[tokio::test]
async fn a_message_to_the_execution_agent_is_never_in_an_address() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Shop").await;
    let events = project.chat("/execution/agent", "Why? password=Tr0ub4dor&3").await;
    assert_eq!(events[0]["summary"], "Sealed PASSWORD");
    assert_eq!(events.last().unwrap()["event"], "on_chat_model_end");
    let said = project.kept_messages(AgentId::Executor).await;
    assert_eq!(said[0].text, "Why? password={{secret:PASSWORD}}");
}
