//! Creating, listing and reading projects, and their costs.

use api_tests::{Actor, Answer, Project, Settings, World};
use domain::{AgentId, MicroDollars, Scope, Timestamp, TokenUsage};
use reqwest::Method;
use serde_json::{Value, json};
use store::costs::{CostBook, ModelCall};
use store::ledger::Ledger;
use store::projects::Projects;

fn names(projects: &Value) -> Vec<&str> {
    projects.as_array().unwrap().iter().map(|project| project["name"].as_str().unwrap()).collect()
}

async fn uses_tokens(project: &Project, call_id: &str, input_tokens: u64, output_tokens: u64) {
    uses_cached_tokens(project, call_id, (input_tokens, output_tokens), 0).await;
}

async fn uses_cached_tokens(
    project: &Project,
    call_id: &str,
    (input_tokens, output_tokens): (u64, u64),
    cached_tokens: u64,
) {
    let usage = TokenUsage { input_tokens, output_tokens };
    let call = ModelCall {
        call_id: call_id.to_owned(),
        agent: AgentId::RequirementsGatherer,
        usage,
        micro_usd: usage.cost(),
        estimated: false,
        cached_tokens,
        at: Timestamp::now(),
    };
    let ledger = Ledger::new(&project.app().table());
    let hold = ledger.hold(project.scope(), call.micro_usd).await.unwrap();
    ledger.settle(&hold, &call).await.unwrap();
}

#[tokio::test]
async fn a_new_project_is_returned_listed_and_stored() {
    let World { app, owner, .. } = World::start().await;
    let wish = json!({"name": "  My shop ", "description": " Sells things. "});
    let made = owner.post("/projects", wish).await.is(201).json();
    let id = made["id"].as_u64().expect("a number");
    assert!((1..1 << 53).contains(&id), "{id} is a number that JavaScript can hold");
    assert_eq!((&made["name"], &made["description"]), (&json!("My shop"), &json!("Sells things.")));
    assert_eq!(made["created_at"], made["updated_at"]);
    assert!(made["created_at"].as_str().unwrap().ends_with('Z'), "UTC: {made}");
    assert_eq!(owner.get(&format!("/projects/{id}")).await.is(200).json(), made);
    let listed = owner.get("/projects").await.is(200).json();
    let mut expected = made.clone();
    for (name, value) in [
        ("stage", json!("requirements")),
        ("stages_completed", json!(0)),
        ("attention", Value::Null),
        ("change", json!(1)),
        ("drifted_checks", json!(0)),
        ("torn_down", json!(false)),
        ("total_cost", json!("0.000000")),
        ("container_status", json!("NotRunning")),
    ] {
        expected[name] = value;
    }
    assert_eq!(listed, json!([expected]));
    let kept = Projects::new(&app.table()).get(owner.scope(id)).await.unwrap().unwrap();
    assert_eq!(kept.name, "My shop");
}

#[tokio::test]
async fn every_call_about_a_new_project_says_that_nothing_exists_yet() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Empty").await;
    let json = async |path: &str| project.get(path).await.is(200).json();
    assert_eq!(
        json("/planning/requirements").await,
        json!({"content": "", "ready_to_continue": false})
    );
    for plan in ["architecture-plan", "implementation-plan"] {
        assert_eq!(project.plan_is(plan, "empty").await.text(), "");
    }
    let nothing = json!({"id": "", "currentStep": 0, "totalSteps": 0, "steps": []});
    assert_eq!(json("/execution/progress").await, nothing);
    let thread = json("/planning/threads/requirements-gatherer").await;
    assert_eq!(thread, json!({"thread_id": null, "messages": []}));
    let sandbox = json(&project.path("/sandbox/status")).await;
    assert_eq!(sandbox["status"], "NOT_CREATED");
    let costs = json(&format!("/projects/{}/costs", project.id)).await;
    let nothing = json!({"total_cost": "0.000000", "last_updated": null, "budget": null,
        "sandbox_cost": "0.000000", "sandbox_seconds": 0});
    assert_eq!(costs, nothing);
}

#[tokio::test]
async fn the_costs_say_what_caching_saved_and_how_much_was_cached() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Cached").await;
    let costs = async || project.get(&format!("/projects/{}/costs", project.id)).await.json();
    uses_tokens(&project, "first", 60_000, 100).await;
    assert_eq!(costs().await["caching"], Value::Null);
    uses_cached_tokens(&project, "second", (20_000, 100), 20_000).await;
    assert_eq!(costs().await["caching"], json!({"share": 0.25, "saved": "0.090000"}));
    assert_eq!(costs().await["total_cost"], "0.404000", "the project pays the same for each token");
}

#[tokio::test]
async fn errors_name_the_limits_of_a_name_and_a_description() {
    let World { owner, .. } = World::start().await;
    let required = "Project name is required.";
    let long_name = "Project name is too long. Keep it within 100 characters.";
    let long_text = "Description is too long. Keep it within 2,000 characters.";
    // The limit counts characters: an umlaut is one.
    let (fits, too_long) = ("ü".repeat(100), "ü".repeat(101));
    for (wish, code, text) in [
        (json!({"name": ""}), "name_missing", required),
        (json!({"name": " \n\t "}), "name_missing", required),
        (json!({"name": too_long}), "name_too_long", long_name),
        (json!({"name": "a", "description": "d".repeat(2_001)}), "description_too_long", long_text),
    ] {
        assert_eq!(owner.post("/projects", wish).await.refuses(422, code), text);
    }
    assert_eq!(owner.get("/projects").await.json(), json!([]));
    owner.post("/projects", json!({"name": fits})).await.is(201);
    owner.post("/projects", json!({"name": "a", "description": "d".repeat(2_000)})).await.is(201);
    let none = owner.post("/projects", json!({"name": "b", "description": "  "})).await.is(201);
    assert_eq!(none.json()["description"], Value::Null);
}

#[tokio::test]
async fn an_invalid_body_is_refused_with_a_reason() {
    let World { owner, .. } = World::start().await;
    let make = || owner.call(Method::POST, "/projects");
    let text = make().json(&json!({"title": "x"})).send().await.refuses(422, "invalid_body");
    assert_eq!(text, "The request body is invalid: `name` is missing.");
    make().body("application/json", "{").send().await.refuses(400, "invalid_json");
    make().body("text/plain", r#"{"name":"x"}"#).send().await.refuses(400, "not_json");
}

#[tokio::test]
async fn projects_are_listed_most_recently_changed_first() {
    let World { owner, .. } = World::start().await;
    let first = owner.project("first").await;
    owner.project("second").await;
    assert_eq!(names(&owner.get("/projects").await.json()), ["second", "first"]);
    let path = format!("/project-states/{}/current-stage/requirements", first.id);
    owner.put(&path, json!({})).await.is(200);
    assert_eq!(names(&owner.get("/projects").await.json()), ["first", "second"]);
}

#[tokio::test]
async fn every_user_has_their_own_list() {
    let World { app, owner, stranger, .. } = World::start().await;
    owner.project("mine").await;
    stranger.project("theirs").await;
    assert_eq!(names(&owner.get("/projects").await.json()), ["mine"]);
    assert_eq!(names(&stranger.get("/projects").await.json()), ["theirs"]);
    // The same person sees the same in another browser.
    let laptop = Actor::signed_in(&app, "owner").await;
    assert_eq!(names(&laptop.get("/projects").await.json()), ["mine"]);
}

#[tokio::test]
async fn a_project_of_another_installation_is_not_found() {
    let World { owner, stranger, .. } = World::start().await;
    let theirs = stranger.project("theirs").await;
    for id in
        [theirs.id.to_string(), "1".into(), "0".into(), "+1".into(), "abc".into(), "9".repeat(30)]
    {
        for path in ["", "/costs", "/token-usage"] {
            owner.get(&format!("/projects/{id}{path}")).await.refuses(404, "not_found");
        }
    }
}

#[tokio::test]
async fn costs_are_the_sum_of_the_calls_and_no_call_counts_twice() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Shop").await;
    let path = format!("/projects/{}", project.id);
    uses_tokens(&project, "one", 1_000, 200).await;
    uses_tokens(&project, "two", 2_000, 100).await;
    uses_tokens(&project, "two", 2_000, 100).await;
    // Five dollars per million tokens in, twenty per million out.
    let costs = owner.get(&format!("{path}/costs")).await.is(200).json();
    assert_eq!(costs["total_cost"], "0.021000");
    assert!(costs["last_updated"].is_string(), "{costs}");
    let usage = owner.get(&format!("{path}/token-usage")).await.is(200).json();
    let expected = json!({"total_cost": "0.021000", "input_tokens": 3_000, "output_tokens": 300,
        "cached_input_tokens": 0});
    assert_eq!(usage, expected);
    let book = CostBook::new(&owner.app().table());
    let kept = book.get(project.scope()).await.unwrap().unwrap();
    assert_eq!(kept.micro_usd, MicroDollars(21_000));
}

#[tokio::test]
async fn costs_that_have_not_changed_are_not_sent_again() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Shop").await;
    for path in ["costs", "token-usage"] {
        let path = format!("/projects/{}/{path}", project.id);
        let tag = owner.get(&path).await.is(200).header("etag");
        let again = || owner.call(Method::GET, &path).header("if-none-match", &tag).send();
        let unchanged = again().await.is(304);
        assert!(unchanged.body.is_empty());
        assert_eq!(unchanged.header("etag"), tag);
        assert_eq!(unchanged.header("cache-control"), "private, no-cache");
        uses_tokens(&project, &path, 10, 1).await;
        assert_ne!(again().await.is(200).header("etag"), tag);
    }
}

#[tokio::test]
async fn the_health_check_answers_anyone_and_unknown_paths_are_404() {
    let World { visitor, .. } = World::start().await;
    assert_eq!(visitor.get("/health").await.is(200).json(), json!({"status": "ok"}));
    visitor.get("/no-such-thing").await.refuses(404, "not_found");
    visitor.call(Method::DELETE, "/projects").send().await.refuses(405, "method_not_allowed");
}

#[tokio::test]
async fn a_project_is_stored_only_under_its_installation() {
    let World { app, owner, stranger, .. } = World::start().await;
    let project = owner.project("mine").await;
    let projects = Projects::new(&app.table());
    let as_theirs = Scope { installation: stranger.installation(), ..project.scope() };
    assert_eq!(projects.get(as_theirs).await.unwrap(), None);
    assert!(projects.get(project.scope()).await.unwrap().is_some());
}

#[tokio::test]
async fn the_parts_of_a_projects_costs_add_up_in_every_breakdown() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Parts").await;
    let path = format!("/projects/{}/costs/breakdown", project.id);
    let sandbox = json!({"total_cost": "0.000000", "seconds": 0});
    let nothing = json!({"by_stage": [], "by_agent": [], "by_day": [], "sandbox": sandbox});
    assert_eq!(project.get(&path).await.is(200).json(), nothing);
    uses_tokens(&project, "one", 1_000, 100).await;
    uses_tokens(&project, "two", 2_000, 200).await;
    let parts = project.get(&path).await.is(200).json();
    let all = json!({"total_cost": "0.021000", "input_tokens": 3_000, "output_tokens": 300});
    for (list, name, value) in [
        ("by_stage", "stage_id", Some("requirements")),
        ("by_agent", "agent_id", Some("requirements-gatherer")),
        ("by_day", "day", None),
    ] {
        let mut part = parts[list][0].clone();
        let named = part.as_object_mut().unwrap().remove(name).unwrap();
        assert!(value.is_none_or(|value| named == value), "{named}");
        assert_eq!((part, parts[list].as_array().unwrap().len()), (all.clone(), 1), "{list}");
    }
}

#[tokio::test]
async fn a_budget_stops_chats_and_triggers_until_it_is_raised_or_lifted() {
    let World { owner, stranger, .. } = World::start().await;
    let project = owner.project("Limited").await;
    let path = format!("/projects/{}/budget", project.id);
    for (amount, code) in [
        (json!(0), "invalid_amount"),
        (json!(-1), "invalid_amount"),
        (json!(0.001), "invalid_amount"),
        (json!(1_000_001), "amount_too_large"),
    ] {
        owner.put(&path, json!({"amount": amount})).await.refuses(422, code);
    }
    stranger.put(&path, json!({"amount": 1})).await.refuses(404, "not_found");
    let set = owner.put(&path, json!({"amount": 0.01})).await.is(200).json();
    assert_eq!(set, json!({"budget": "0.010000"}));
    uses_tokens(&project, "one", 2_000, 0).await;
    let costs = project.get(&format!("/projects/{}/costs", project.id)).await.is(200).json();
    assert_eq!((&costs["total_cost"], &costs["budget"]), (&json!("0.010000"), &json!("0.010000")));
    let chat = async || {
        let message = json!({"message": "Hello", "thread_id": null});
        project.post("/planning/requirements-gatherer", message).await
    };
    let text = "The rest of this project's budget does not cover the next call. Raise it on the costs page to continue.";
    assert_eq!(chat().await.refuses(402, "budget_reached"), text);
    owner.put(&path, json!({"amount": null})).await.is(200);
    chat().await.is(200);
}

#[tokio::test]
async fn without_credits_no_model_is_called() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Broke").await;
    project.has_requirements().await;
    let ledger = Ledger::new(&project.app().table());
    let all = ledger.balance(owner.installation()).await.unwrap().available;
    ledger.hold(project.scope(), all).await.unwrap();
    let text = "Your credits do not cover the next call. Add credits to continue.";
    let message = json!({"message": "Generate", "thread_id": null});
    for path in ["/planning/requirements-gatherer", "/planning/cloud-architect"] {
        let refused = project.post(path, message.clone()).await;
        assert_eq!(refused.refuses(402, "insufficient_credits"), text, "{path}");
    }
}

#[tokio::test]
async fn a_name_or_description_with_control_characters_or_a_secret_is_refused_and_not_stored() {
    let World { owner, .. } = World::start().await;
    let telling = "the root password is Tr0ub4dor&3";
    for (name, description, code) in [
        ("a\u{1b}[2Jb", "", "control_characters"),
        ("Shop", "a\u{0}b", "control_characters"),
        (telling, "", "secret_in_text"),
        ("Shop", telling, "secret_in_text"),
    ] {
        let wish = json!({"name": name, "description": description});
        let text = owner.post("/projects", wish).await.refuses(422, code);
        assert!(!text.contains("Tr0ub4dor"), "{text}");
    }
    assert_eq!(owner.get("/projects").await.is(200).json(), json!([]));
}

#[tokio::test]
async fn a_project_is_renamed_and_archived_and_keeps_all_of_its_content() {
    let World { owner, stranger, .. } = World::start().await;
    let project = owner.project("Shop").await;
    let path = format!("/projects/{}", project.id);
    let change =
        async |who: &Actor, wish: Value| who.call(Method::PATCH, &path).json(&wish).send().await;
    change(&stranger, json!({"name": "Mine"})).await.refuses(404, "not_found");
    change(&owner, json!({"name": " "})).await.refuses(422, "name_missing");
    let renamed = change(&owner, json!({"name": "Web shop", "description": "Sells"})).await.is(200);
    assert_eq!(renamed.json()["name"], "Web shop");
    let away = change(&owner, json!({"archived": true})).await.is(200).json();
    assert_eq!((&away["name"], &away["description"]), (&json!("Web shop"), &json!("Sells")));
    let listed = owner.get("/projects").await.is(200).json();
    assert_eq!((&listed[0]["name"], &listed[0]["archived"]), (&json!("Web shop"), &json!(true)));
    let back = change(&owner, json!({"archived": false, "description": ""})).await.is(200).json();
    assert_eq!((&back["archived"], &back["description"]), (&json!(false), &Value::Null));
}

#[tokio::test]
async fn a_duplicate_has_the_requirements_and_plans_and_nothing_else() {
    let World { owner, stranger, .. } = World::start().await;
    let project = owner.project("Shop").await;
    project.has_requirements().await;
    project.has_architecture().await;
    let path = format!("/projects/{}/duplicate", project.id);
    let wish = json!({"name": "Shop for France"});
    stranger.post(&path, wish.clone()).await.refuses(404, "not_found");
    let made = owner.post(&path, wish).await.is(201).json();
    assert_eq!(made["name"], "Shop for France");
    let page = owner.within(&made["id"]);
    let requirements = page.get("/planning/requirements").await.is(200).json();
    assert_eq!(requirements, json!({"content": "# A blog", "ready_to_continue": true}));
    let plan = page.get("/planning/architecture-plan").await.is(200);
    assert_eq!(
        (plan.text(), plan.header("plan-status")),
        ("# One server".to_owned(), "ready".to_owned())
    );
    let stages = page.get(&format!("/project-states/{}", made["id"])).await.is(200).json();
    assert_eq!(stages["current_stage_index"], 0);
    let versions = page.get("/planning/documents/architecture/versions").await.is(200).json();
    assert_eq!(versions["versions"].as_array().unwrap().len(), 1);
}

async fn made_with(owner: &Actor, path: &str, key: &str, name: &str) -> Answer {
    let call = owner.call(Method::POST, path).header("idempotency-key", key);
    call.json(&json!({"name": name})).send().await
}

#[tokio::test]
async fn a_repeated_call_gets_the_project_of_the_first_and_creates_no_second() {
    let variables = vec![("PROJECTS_PER_INSTALLATION", "2".to_owned())];
    let settings = Settings { variables, ..Settings::default() };
    let World { owner, stranger, .. } = World::with_settings(settings).await;
    let (one, other) = tokio::join!(
        made_with(&owner, "/projects", "one", "Shop"),
        made_with(&owner, "/projects", "one", "Shop")
    );
    let made = one.is(201).json();
    assert_eq!(other.is(201).json(), made, "of two at the same time as well");
    let id = &made["id"];
    made_with(&owner, "/projects", "one", "Blog").await.refuses(409, "idempotency_key_reused");
    let theirs = made_with(&stranger, "/projects", "one", "Shop").await.is(201).json();
    assert_ne!(&theirs["id"], id, "a key belongs to its installation");
    let listed = owner.get("/projects").await.is(200).json();
    assert_eq!(names(&listed), ["Shop"]);

    let duplicate = format!("/projects/{id}/duplicate");
    let copied = made_with(&owner, &duplicate, "two", "Shop (copy)").await.is(201).json();
    made_with(&owner, &duplicate, "three", "Shop (copy)").await.refuses(409, "too_many_projects");
    let again = made_with(&owner, &duplicate, "two", "Shop (copy)").await.is(201).json();
    assert_eq!(again, copied, "it counts once");
    made_with(&owner, "/projects", "two", "Shop (copy)")
        .await
        .refuses(409, "idempotency_key_reused");

    owner.call(Method::DELETE, &format!("/projects/{id}")).send().await.is(202);
    made_with(&owner, "/projects", "one", "Shop").await.refuses(409, "project_deleted");
    let long = "k".repeat(256);
    for key in ["", long.as_str()] {
        let refused = made_with(&owner, "/projects", key, "Shop").await;
        refused.refuses(400, "invalid_idempotency_key");
    }
}
