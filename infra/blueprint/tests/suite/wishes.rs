//! Wishes in addition to a deployment, in four languages. The model claims a feature that the deployment has, and
//! traces it to steps and to a check; it reports any other feature as not built.

mod beside;

use serde_json::{Value, json};

use crate::support::{Answer, Chat, fence};
use beside::BESIDE;

/// Each deployment, and a message that selects it.
const DEPLOYMENTS: &[(&str, &str)] = &[
    ("local-web-service", "A small web service named web"),
    ("ec2-ssh", "An EC2 server named web"),
    ("basic-vps", "A VPS named web"),
    ("vps-mysql", "MySQL on a VPS named web"),
    ("vps-postgresql", "PostgreSQL on a VPS named web"),
    ("elk", "An ELK stack named web"),
    ("monitoring-stack", "Prometheus and Grafana on a VPS named web"),
    ("nginx-site", "nginx on a VPS named web"),
    ("wordpress", "WordPress on a VPS named web"),
    ("django", "Django on a VPS named web"),
    ("static-site", "A static site with CloudFront named web"),
    ("k3s", "k3s on a VPS named web"),
    ("haproxy", "HAProxy named web"),
    ("releases", "Releases of my application on a VPS named web"),
];

/// How each language begins a message, and how it accepts the defaults.
const LANGUAGES: [(&str, &str); 4] = [
    ("I want this, with", "use the defaults"),
    ("Ich möchte das bitte, mit", "die Standardwerte"),
    ("Quiero esto por favor, con", "por defecto"),
    ("Je voudrais ceci, avec", "les valeurs par défaut"),
];

/// The rows of requests, as the product lists them.
fn listed(asked: &Value) -> Vec<(String, String)> {
    let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_string();
    asked.as_array().unwrap().iter().map(|row| (text(row, "wish"), text(row, "fate"))).collect()
}

fn gatherer() -> Chat {
    Chat::with(&[(
        "update_requirements",
        json!({
            "content": {"type": "string"}, "ready_to_continue": {"type": "boolean"},
            "asked": {"type": "array"},
        }),
    )])
}

/// The requirements document with an id for each wish, as the product passes it on.
fn with_ids(document: &str) -> String {
    let (before, list) = document.split_once("| asked | outcome |\n|---|---|\n").unwrap();
    let number = |(number, line): (usize, &str)| match line.strip_prefix("| ") {
        Some(row) => format!("| R{number} | {row}"),
        None => line.to_string(),
    };
    let rows: Vec<String> = (1..).zip(list.lines()).map(number).collect();
    format!("{before}| id | asked | outcome |\n|---|---|---|\n{}", rows.join("\n"))
}

/// Whether an entry of a plan names the requirement.
fn names(entries: &Value, id: &str) -> bool {
    entries
        .as_array()
        .unwrap()
        .iter()
        .any(|entry| entry["requirements"].as_array().unwrap().iter().any(|named| named == id))
}

/// Checks that a step and a check of the plans name the requirement.
async fn is_traced(document: &str, wish: &str) {
    let document = with_ids(document);
    let row = format!("| {wish} | will be built |");
    let row = document.lines().find(|line| line.contains(&row)).unwrap();
    let id = row.split(" | ").next().unwrap().trim_start_matches("| ").to_string();
    let requirements = fence("requirements", &document);
    let planner = json!({"plan": {"type": "string"}, "steps": {"type": "array"}});
    let planner = Chat::with(&[("write_implementation_plan", planner)]);
    let plan = planner.user(&format!("{requirements}\n\nGenerate the plan")).ask().await;
    assert!(names(plan.argument("steps"), &id), "no step builds {wish}: {plan:?}");
    let text = format!(
        "{requirements}\n\n{}\n\nValidate it",
        fence("implementation_plan", plan.str("plan"))
    );
    let validation = Chat::validator().user(&text).ask().await;
    assert!(names(validation.argument("checks"), &id), "no check proves {wish}: {validation:?}");
}

/// Asks for the deployment and the wish in one language.
async fn asked_for(
    deployment: &str,
    language: usize,
    said: &str,
) -> (Vec<(String, String)>, Answer) {
    let (begins, defaults) = LANGUAGES[language];
    let wish = format!("{deployment}. {begins} {said}. {defaults}");
    let answer = gatherer().user(&wish).ask().await;
    (listed(answer.argument("asked")), answer)
}

#[tokio::test]
async fn built_features_are_claimed_and_missing_ones_are_reported() {
    let mut wrong = Vec::new();
    for beside in BESIDE {
        for (id, deployment) in DEPLOYMENTS {
            let has = beside.by.contains(id);
            // In languages other than English, one deployment with the feature and one without it are enough.
            let first = DEPLOYMENTS.iter().find(|(id, _)| beside.by.contains(id) == has);
            let languages = if first.is_some_and(|(first, _)| first == id) { 4 } else { 1 };
            for (language, said) in beside.said.iter().enumerate().take(languages) {
                let (rows, answer) = asked_for(deployment, language, said).await;
                let document = answer.str("content");
                assert!(document.contains(&format!("Blueprint: {id} ")), "{id}: {document}");
                let claimed = rows.contains(&(beside.claimed.to_string(), "built".to_string()));
                let missing = rows.iter().filter(|(_, fate)| fate == "not");
                let missing: Vec<&str> = missing.map(|(wish, _)| wish.as_str()).collect();
                let named = missing.iter().any(|wish| wish.contains(beside.named));
                if claimed != has || named == has || (has && !missing.is_empty()) {
                    wrong.push(format!("{id}: {said}: {rows:?}"));
                }
                assert_eq!(
                    answer.argument("ready_to_continue"),
                    missing.is_empty(),
                    "{id}: {said}"
                );
                if claimed && language == 0 {
                    is_traced(document, beside.claimed).await;
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn an_additions_features_are_claimed_with_it_and_reported_after_its_removal() {
    let wish = "Redis on a VPS named web that keeps its data over a reboot";
    let (chat, answers) = gatherer().turn(wish).await;
    let rows = listed(answers[0].argument("asked"));
    for claimed in ["Data that outlives a restart", "Everything comes back after a reboot"] {
        assert!(rows.contains(&(claimed.to_string(), "built".to_string())), "{rows:?}");
        is_traced(answers[0].str("content"), claimed).await;
    }
    assert!(rows.iter().all(|(_, fate)| fate == "built"), "{rows:?}");
    let (_, answers) = chat.turn("without Redis, use the defaults").await;
    let rows = listed(answers[0].argument("asked"));
    assert!(rows.contains(&("data that outlives a restart".into(), "not".into())), "{rows:?}");
    assert_eq!(answers[0].argument("ready_to_continue"), false, "{rows:?}");
}

#[tokio::test]
async fn a_request_with_a_negation_rejects_nothing_else() {
    let wish = "A VPS with no root login and automatic updates, no passwords, nothing exposed";
    let (_, answers) = gatherer().turn(&format!("{wish}, use the defaults")).await;
    let rows = listed(answers[0].argument("asked"));
    for claimed in
        ["No login as root", "Security updates that install themselves", "SSH logins by key only"]
    {
        assert!(rows.contains(&(claimed.to_string(), "built".to_string())), "{rows:?}");
    }
    let (_, answers) = gatherer().turn("A VPS with root login and password login").await;
    let rows = listed(answers[0].argument("asked"));
    assert!(rows.iter().any(|(wish, fate)| wish.contains("login") && fate == "not"), "{rows:?}");
    assert!(!rows.iter().any(|(wish, _)| wish == "No login as root"), "{rows:?}");
}

#[tokio::test]
async fn a_nearby_word_can_change_the_meaning_of_a_phrase() {
    for (wish, word, claimed) in [
        ("An EC2 server with encrypted traffic", "encrypted", "Encryption at rest"),
        ("WordPress with plugin updates", "updates", "Security updates that install themselves"),
    ] {
        let (_, answers) = gatherer().turn(wish).await;
        let rows = listed(answers[0].argument("asked"));
        assert!(!rows.iter().any(|(wish, _)| wish == claimed), "{rows:?}");
        assert!(rows.iter().any(|(wish, fate)| fate == "not" && wish.contains(word)), "{rows:?}");
    }
}

#[tokio::test]
async fn a_restore_that_the_applications_user_can_read_is_claimed_for_postgresql_only() {
    for (deployment, claimed) in [("PostgreSQL", true), ("MySQL", false)] {
        let wish = format!(
            "A VPS named web with {deployment} and a restore that is tried as the application's user"
        );
        let (_, answers) = gatherer().turn(&wish).await;
        let rows = listed(answers[0].argument("asked"));
        let row =
            ("A restore that the application's login can read".to_string(), "built".to_string());
        assert_eq!(rows.contains(&row), claimed, "{rows:?}");
        assert_ne!(
            rows.iter().any(|(wish, fate)| fate == "not" && wish.contains("user")),
            claimed,
            "{rows:?}"
        );
    }
}
