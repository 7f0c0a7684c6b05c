//! Credentials: where a secret goes after it is typed.

use api_tests::{Actor, App, Model, Project, Settings, World, holds};
use domain::AgentId;
use reqwest::Method;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const GATHERER: &str = "/planning/requirements-gatherer";
const ARCHITECT: &str = "/planning/cloud-architect";
const CREDENTIALS: &str = "/planning/credentials";

const KEY_ID: &str = "AKIAQ3EGTESTVAULT7XZ";
const SECRET: &str = "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";
const PASSWORD: &str = "Zk9!rT3xQ-vault";

/// Prints the credentials as scripts do: whole, in base64, in two writes and percent-encoded. Also proves, without
/// showing them, that they are the right ones.
const SHOW: &str = "echo \"id $AWS_ACCESS_KEY_ID, secret $AWS_SECRET_ACCESS_KEY\"
printf %s \"$AWS_SECRET_ACCESS_KEY\" | base64 -w0; echo
printf %s \"${AWS_SECRET_ACCESS_KEY:0:17}\"; printf '%s\\n' \"${AWS_SECRET_ACCESS_KEY:17}\"
python3 -c 'import os; from urllib.parse import quote; print(quote(os.environ[\"AWS_SECRET_ACCESS_KEY\"], safe=\"\"))'
printf %s \"$AWS_SECRET_ACCESS_KEY$DB_PASSWORD\" | sha256sum";

fn shown() -> String {
    let sum = domain::secret_token::sha256_hex(format!("{SECRET}{PASSWORD}").as_bytes());
    format!("id ***, secret ***\n***\n***\n***\n{sum}  -\n")
}

/// Files under a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .flat_map(|entry| match entry.file_type() {
            Ok(kind) if kind.is_dir() => files(&entry.path()),
            Ok(kind) if kind.is_file() => vec![entry.path()],
            _ => Vec::new(),
        })
        .collect()
}

/// Searches all of the product's storage for secrets: table, bucket, queues, keys, sandboxes, log. With third-party
/// engines, which keep their data in memory, it reads only the table.
async fn assert_kept_nowhere(app: &App) {
    let kept = files(app.data());
    let engines = match app.has_own_engines() {
        true => &["dynamodb.sqlite", "kms.json", "sqs.sqlite", "stack.log"][..],
        false => &["stack.log"],
    };
    for engine in engines {
        assert!(kept.iter().any(|file| file.ends_with(engine)), "no {engine} in {kept:?}");
    }
    let items = app.dynamodb().scan().table_name(app.table_name()).into_paginator().items().send();
    let items = items.collect::<Result<Vec<_>, _>>().await.unwrap();
    assert!(!items.is_empty());
    assert_shows_none(&format!("{items:?}"), "the table");
    for file in kept {
        let content = std::fs::read(&file).unwrap_or_default();
        for secret in [KEY_ID, SECRET, PASSWORD] {
            assert!(!holds(&content, secret), "{secret} is in {}", file.display());
        }
    }
}

fn assert_never_sent(model: &Model) {
    let asked = Value::from(model.requests()).to_string();
    assert!(asked.contains("{{secret:AWS_SECRET_ACCESS_KEY}}"), "the model sees references");
    for secret in [KEY_ID, SECRET, PASSWORD] {
        assert!(!asked.contains(secret), "{secret} was sent to the model");
    }
}

fn sealed(events: &[Value]) -> Vec<&str> {
    let first = events.iter().take_while(|event| event["tool"] == "seal_secret");
    first.map(|event| event["summary"].as_str().unwrap()).collect()
}

async fn names(project: &Project) -> Value {
    let sets = project.get(CREDENTIALS).await.is(200).json();
    let shown = sets.as_array().unwrap().iter();
    shown.map(|set| json!([set["provider"], set["names"]])).collect()
}

#[tokio::test]
async fn a_secret_typed_into_a_chat_reaches_an_approved_command_and_nothing_else() {
    let model = Model::start().await;
    let app = App::start(Settings { log_to_file: true, ..Settings::with_model(&model) }).await;
    let owner = Actor::signed_in(&app, "owner").await;
    let project = owner.project("Shop").await;

    let said = format!("My AWS keys are {KEY_ID} and {SECRET}. And DB_PASSWORD={PASSWORD}");
    let events = project.chat(GATHERER, &said).await;
    let notes = ["Sealed AWS_ACCESS_KEY_ID", "Sealed AWS_SECRET_ACCESS_KEY", "Sealed DB_PASSWORD"];
    assert_eq!(sealed(&events), notes);
    assert!(events.iter().any(|event| event["event"] == "on_chat_model_stream"), "{events:?}");
    let kept = project.kept_messages(AgentId::RequirementsGatherer).await;
    assert_eq!(
        kept[0].text,
        "My AWS keys are {{secret:AWS_ACCESS_KEY_ID}} and {{secret:AWS_SECRET_ACCESS_KEY}}. \
         And DB_PASSWORD={{secret:DB_PASSWORD}}"
    );
    let chat = json!([["chat", ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "DB_PASSWORD"]]]);
    assert_eq!(names(&project).await, chat);

    // The same by every other way in which a message can arrive.
    project.has_requirements().await;
    let trigger = json!({"message": format!("aws secret: {SECRET}")});
    let asked = model.times_asked();
    project.call(Method::POST, ARCHITECT).json(&trigger).send().await.is(202);
    model.asked_after(asked).await;
    let question = format!("/execution/agent?message=password%3D{}", PASSWORD.replace('!', "%21"));
    let mut answer = project.call(Method::GET, &question).events().await;
    // It has a name already, whatever this message calls it.
    assert_eq!(sealed(&answer.all().await), ["Sealed DB_PASSWORD"]);
    for path in ["/validation/agent", "/documentation/generate", "/devops-helper/chat"] {
        assert_eq!(sealed(&project.chat(path, &said).await), notes, "{path}");
    }

    project.sandbox_is_up().await;
    project.execute(&[SHOW]).await;
    let step = project.complete(1).await;
    assert_eq!(step.output, shown());
    assert_eq!(project.get("/execution/output/1").await.is(200).text(), shown());
    let seen = [listed_by_helper(&project).await, seen_in_terminal(&project).await];
    for (name, content) in project.files().await {
        assert_shows_none(&content, &name);
    }
    seen.iter().for_each(|text| assert_shows_none(text, "what a person saw"));
    assert_kept_nowhere(&app).await;
    assert_never_sent(&model);
}

fn assert_shows_none(text: &str, what: &str) {
    for secret in [KEY_ID, SECRET, PASSWORD] {
        assert!(!text.contains(secret), "{secret} is in {what}");
    }
}

/// Has the helper list the environment, with its owner's approval; returns the result.
async fn listed_by_helper(project: &Project) -> String {
    let mut reply = project.says("/devops-helper/chat", "`env | sort`").await;
    let mut said = String::new();
    while let Some(event) = reply.next().await {
        said += &event.to_string();
        let command = &event["command"];
        if command["needs_approval"] == true {
            let word = json!({"number": command["number"], "approved": true, "command_sha256": command["sha256"]});
            project.post("/devops-helper/approve-command", word).await.is(200);
        }
    }
    assert!(said.contains("AWS_SECRET_ACCESS_KEY=***"), "{said}");
    said
}

/// Lists the environment in a terminal; returns everything that its socket received.
async fn seen_in_terminal(project: &Project) -> String {
    let mut terminal = project.terminal().await;
    terminal.attach().await;
    terminal.types("env; cat * 2>/dev/null; echo e''nd\r").await;
    terminal.shows("end\r\n").await;
    terminal.shown
}

#[tokio::test]
async fn a_sealed_credential_opens_after_a_restart() {
    let model = Model::start().await;
    let app = App::start(Settings { log_to_file: true, ..Settings::with_model(&model) }).await;
    let owner = Actor::signed_in(&app, "owner").await;
    let project = owner.project("Shop").await;
    let values = json!({"AWS_ACCESS_KEY_ID": KEY_ID, "AWS_SECRET_ACCESS_KEY": SECRET});
    project.put(&format!("{CREDENTIALS}/aws"), json!({"values": values})).await.is(204);
    let values = json!({"values": {"DB_PASSWORD": PASSWORD}});
    project.put(&format!("{CREDENTIALS}/other"), values).await.is(204);

    app.kill().await;
    app.start_again().await;
    project.sandbox_is_up().await;
    project.execute(&[SHOW]).await;
    assert_eq!(project.complete(1).await.output, shown());
    assert_kept_nowhere(&app).await;
}

#[tokio::test]
async fn owners_see_the_names_of_credentials_and_no_one_sees_values() {
    let World { owner, stranger, visitor, .. } = World::start().await;
    let project = owner.project("Shop").await;
    let at = |provider: &str| format!("{CREDENTIALS}/{provider}");
    assert_eq!(names(&project).await, json!([]));
    let values = json!({"values": {"HCLOUD_TOKEN": SECRET}});
    project.put(&at("hetzner"), values.clone()).await.is(204);
    let answer = project.get(CREDENTIALS).await.is(200);
    assert!(answer.json()[0]["updated_at"].is_string());
    assert!(!answer.text().contains(SECRET));
    assert_eq!(names(&project).await, json!([["hetzner", ["HCLOUD_TOKEN"]]]));

    let other = stranger.within(project.id);
    other.get(CREDENTIALS).await.refuses(404, "not_found");
    other.put(&at("hetzner"), values.clone()).await.refuses(404, "not_found");
    other.call(Method::DELETE, &at("hetzner")).send().await.refuses(404, "not_found");
    let said = json!({"message": format!("password={PASSWORD}")});
    other.post(GATHERER, said).await.refuses(404, "not_found");
    visitor.within(project.id).get(CREDENTIALS).await.is(401);
    visitor.within(project.id).put(&at("aws"), values).await.is(401);
    assert_eq!(names(&project).await, json!([["hetzner", ["HCLOUD_TOKEN"]]]));

    project.put(&at("hetzner"), json!({"values": {"TOKEN_2": "x"}})).await.is(204);
    assert_eq!(names(&project).await, json!([["hetzner", ["TOKEN_2"]]]));
    for _ in 0..2 {
        project.call(Method::DELETE, &at("hetzner")).send().await.is(204);
    }
    assert_eq!(names(&project).await, json!([]));
}

#[tokio::test]
async fn a_short_credential_is_hidden_as_a_word_and_the_owner_learns_which_are_shown() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    let values = json!({"DB_PASSWORD": "zebra", "DB_USER": "root", "PORT": "8080", "PIN": "x1!",
        "API_TOKEN": PASSWORD});
    project.put(&format!("{CREDENTIALS}/other"), json!({"values": values})).await.is(204);
    let kept = project.get(CREDENTIALS).await.is(200).json();
    let hiding =
        json!({"DB_PASSWORD": "as_a_word", "DB_USER": "never", "PORT": "never", "PIN": "never"});
    assert_eq!(kept[0]["hiding"], hiding);
    let script = "for word in \"$DB_USER\" \"$DB_PASSWORD\" \"$PORT\" zebras \"$PIN\" \"$API_TOKEN\"; do \
                  echo \"- $word -\"; done";
    project.execute(&[script]).await;
    let step = project.complete(1).await;
    let shown = "- root -\n- *** -\n- 8080 -\n- zebras -\n- x1! -\n- *** -\n";
    assert_eq!(step.output, shown);
}

#[tokio::test]
async fn a_credential_is_added_to_the_others_of_its_provider_and_reaches_commands_beside_them() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    let at = format!("{CREDENTIALS}/other");
    let add = async |values: Value| {
        project.put(&at, json!({"values": values, "keep_others": true})).await.is(204);
    };
    add(json!({"SMTP_PASSWORD": "first-mail-password"})).await;
    add(json!({"SENTRY_DSN": "second-of-the-set"})).await;
    add(json!({"SMTP_PASSWORD": "later-mail-password"})).await;
    assert_eq!(names(&project).await, json!([["other", ["SENTRY_DSN", "SMTP_PASSWORD"]]]));
    project.execute(&["echo ${#SMTP_PASSWORD} ${#SENTRY_DSN}; echo \"$SMTP_PASSWORD\""]).await;
    let ran = project.complete(1).await;
    assert_eq!(ran.output.lines().next(), Some("19 17"), "{}", ran.output);
    assert!(!ran.output.contains("mail-password"), "{}", ran.output);
    project.put(&at, json!({"values": {"ONLY_ONE": "a-third-value"}})).await.is(204);
    assert_eq!(names(&project).await, json!([["other", ["ONLY_ONE"]]]));
}

#[tokio::test]
async fn an_invalid_credential_is_refused_with_its_reason() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Shop").await;
    let put = async |provider: &str, values: Value, code: &str| {
        let path = format!("{CREDENTIALS}/{provider}");
        project.put(&path, json!({"values": values})).await.refuses(422, code)
    };
    let text = put("azure", json!({"A": "b"}), "invalid_provider").await;
    assert!(text.contains("aws, digitalocean, hetzner, ssh or other"), "{text}");
    put("chat", json!({"A": "b"}), "invalid_provider").await;
    put("aws", json!({}), "invalid_value").await;
    let text = put("aws", json!({"aws_key": "b"}), "invalid_name").await;
    assert!(text.contains("aws_key") && text.contains("capital letters"), "{text}");
    put("aws", json!({"PATH": "/tmp"}), "invalid_name").await;
    put("aws", json!({"EMPTY": ""}), "invalid_value").await;
    let text = put("aws", json!({"LONG": "x".repeat(8193)}), "invalid_value").await;
    assert!(text.contains("8 KB"), "{text}");
    put("aws", json!({"NUL": "a\u{0}b"}), "invalid_value").await;
    let many = |n: usize| (0..n).map(|i| (format!("N{i}"), json!("v"))).collect::<Value>();
    project.put(&format!("{CREDENTIALS}/aws"), json!({"values": many(32)})).await.is(204);
    let text = put("ssh", json!({"ONE_MORE": "v"}), "too_many_credentials").await;
    assert!(text.contains("32"), "{text}");

    // A message is refused as a whole if its secret cannot be sealed.
    let said = json!({"message": format!("password={PASSWORD}")});
    project.post(GATHERER, said).await.refuses(422, "too_many_credentials");
    assert_eq!(project.kept_messages(AgentId::RequirementsGatherer).await.len(), 0);
}

/// Has the helper run a command that only reads; returns the result.
async fn read_by_helper(project: &Project, command: &str) -> String {
    let mut reply = project.says("/devops-helper/chat", &format!("`{command}`")).await;
    let mut said = String::new();
    while let Some(event) = reply.next().await {
        assert_ne!(event["command"]["needs_approval"], true, "{event}");
        said += &event.to_string();
    }
    said
}

#[tokio::test]
async fn a_reading_without_credentials_shows_none_of_them_to_the_model() {
    let model = Model::start().await;
    let app = App::start(Settings::with_model(&model)).await;
    let owner = Actor::signed_in(&app, "owner").await;
    let project = owner.project("Shop").await;
    let values = json!({"values": {"DB_PASSWORD": PASSWORD}});
    project.put(&format!("{CREDENTIALS}/other"), values).await.is(204);
    project.sandbox_is_up().await;
    // A credential of the project, and a secret that the project does not have, in files of the workspace. The script
    // joins the second one, so that nothing finds it there.
    let unknown = "hunter2-Vault!9x";
    let script = "printf 'all:\\n  db: %s\\n' \"$DB_PASSWORD\" > services.yml
        printf '%s' 'root passw' 'ord is hunt' 'er2-Va' 'ult!9x' > notes.txt";
    project.execute(&[script]).await;
    project.complete(1).await;
    let said = read_by_helper(&project, "cat services.yml notes.txt").await;
    assert!(said.contains("db: ***") && said.contains("root password is ****"), "{said}");
    let kept = format!("{:?}", project.kept().await);
    let asked = Value::from(model.requests()).to_string();
    assert!(asked.contains("db: ***"), "the model read it: {asked}");
    for (what, text) in [("the reply", &said), ("the table", &kept), ("a prompt", &asked)] {
        for secret in [PASSWORD, unknown] {
            assert!(!text.contains(secret), "{secret} is in {what}");
        }
    }
}

#[tokio::test]
async fn a_second_secret_of_a_kind_is_numbered_and_both_are_used_masked_and_replaced() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    let said = async |message: &str| {
        let events = project.chat(GATHERER, message).await;
        sealed(&events).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let (one, two, three) = ("Zk9!rT3xQ-one", "Wp4!sN8yU-two", "Hv6!dM1zC-three");
    assert_eq!(said(&format!("The password is {one}")).await, ["Sealed PASSWORD"]);
    assert_eq!(said(&format!("The password is {two}")).await, ["Sealed PASSWORD_2"]);
    assert_eq!(said(&format!("Again: the password is {one}")).await, ["Sealed PASSWORD"]);
    assert_eq!(said(&format!("PASSWORD_2={three}")).await, ["Sealed PASSWORD_2"]);
    assert_eq!(names(&project).await, json!([["chat", ["PASSWORD", "PASSWORD_2"]]]));
    let kept = project.kept_messages(AgentId::RequirementsGatherer).await;
    let said: Vec<_> =
        kept.iter().filter(|m| m.text.contains("{{secret:")).map(|m| &m.text).collect();
    assert_eq!(said[1], "The password is {{secret:PASSWORD_2}}");
    for text in said {
        assert!([one, two, three].iter().all(|secret| !text.contains(secret)), "{text}");
    }

    project.sandbox_is_up().await;
    // A replaced value may still be in files and answers; here the script assembles it.
    let (head, tail) = two.split_at(4);
    let show = format!(
        "echo \"$PASSWORD $PASSWORD_2\"; printf %s \"$PASSWORD$PASSWORD_2\" | sha256sum; echo old '{head}''{tail}'"
    );
    project.execute(&[&show]).await;
    let sum = domain::secret_token::sha256_hex(format!("{one}{three}").as_bytes());
    assert_eq!(project.complete(1).await.output, format!("*** ***\n{sum}  -\nold ***\n"));
}

#[tokio::test]
async fn credentials_that_come_in_at_the_same_time_stay_within_the_projects_bound() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Crowded").await;
    let five = ["aws", "digitalocean", "hetzner", "ssh", "other"];
    let puts = five.iter().chain(&five).enumerate().map(|(n, provider)| {
        let value = "v".repeat(8 * 1024);
        let values =
            json!({"values": {format!("TOKEN_{n}_A"): value, format!("TOKEN_{n}_B"): value}});
        let (path, project) = (format!("/planning/credentials/{provider}"), &project);
        async move { project.put(&path, values).await.status }
    });
    let statuses = futures::future::join_all(puts).await;
    assert!(statuses.iter().all(|status| [204, 422].contains(status)), "{statuses:?}");
    let kept = project.kept().await;
    let sets = kept.iter().filter(|(key, _)| key.starts_with("CREDENTIAL#"));
    let values = sets.flat_map(|(_, set)| set["values"].as_object().unwrap().values().cloned());
    let bytes: u64 = values.map(|value| value["bytes"].as_u64().unwrap()).sum();
    assert_eq!(bytes, 32 * 1024, "two providers fill the project: {statuses:?}");
}
