//! A deployment that stands is changed by what its own steps can do, and only by that.

use crate::support::{Answer, Chat, Project, fence};

/// What the product shows of a change, before the user's own words.
async fn standing(first: &str, wish: &str) -> String {
    let project = Project::planned(first).await;
    [
        fence("change", wish),
        fence("previous_requirements", &project.requirements),
        fence("previous_implementation_plan", &project.implementation),
    ]
    .join("\n")
}

async fn requirements(first: &str, wish: &str) -> (String, Answer) {
    let shown = standing(first, wish).await;
    let answer = Chat::gatherer().user(first).user(&format!("{shown}\n{wish}")).ask().await;
    (shown, answer)
}

/// The steps that are planned for a wish, by title, and the plan.
async fn planned(first: &str, wish: &str) -> (Vec<String>, String) {
    let (shown, answer) = requirements(first, wish).await;
    assert_eq!(answer.argument("ready_to_continue"), true, "{answer:?}");
    let written = fence("requirements", answer.str("content"));
    let asked = format!("{shown}\n{written}\nGenerate implementation plan");
    let plan = Chat::planner().user(&asked).ask().await;
    let steps = plan.argument("steps").as_array().unwrap().clone();
    let title = |step: &serde_json::Value| step["description"].as_str().unwrap().to_owned();
    (steps.iter().map(title).collect(), plan.str("plan").to_owned())
}

const SERVICE: &str = "A web service named orders, use the defaults";

#[tokio::test]
async fn only_the_steps_that_a_value_goes_into_are_planned() {
    let (steps, plan) = planned(SERVICE, "Let it listen on port 9191").await;
    assert_eq!(steps.len(), 4, "{steps:?}");
    assert!(plan.contains("| Port | `8080` | `9191` |"), "{plan}");
    let (steps, _) = planned(SERVICE, "Protect the page with a password").await;
    assert_eq!(steps.len(), 3, "{steps:?}");
    let server = "A VPS in Helsinki, use the defaults";
    let (steps, plan) = planned(server, "Also open port 8443").await;
    assert!(steps.contains(&"Apply the plan".to_owned()), "{steps:?}");
    assert!(steps.contains(&"Run the playbook".to_owned()), "{steps:?}");
    assert!(plan.contains("`8443`"), "{plan}");
}

#[tokio::test]
async fn what_would_build_it_anew_is_refused_in_words() {
    for wish in ["rename it to shop", "also add Redis", "also a VPS with MySQL"] {
        let (_, answer) = requirements(SERVICE, wish).await;
        assert_eq!(answer.argument("ready_to_continue"), false, "{wish}: {answer:?}");
        assert!(answer.str("content").contains("Service name | `orders`"), "{answer:?}");
    }
    let closed = Chat::gatherer();
    let shown = standing(SERVICE, "also add Redis").await;
    let asked = closed.user(&format!("{shown}\nalso add Redis"));
    let call = asked.ask().await;
    let said = asked.heard(&call, "Written.").ask().await.text;
    assert!(said.contains("So far nothing changes."), "{said}");
    assert!(said.to_lowercase().contains("redis"), "{said}");
}

#[tokio::test]
async fn words_of_earlier_changes_are_not_heard_again() {
    let wish = "Use the greeting \"Good morning\" that says \"Good morning\"";
    let shown = standing(SERVICE, wish).await;
    let chat = Chat::gatherer().user(SERVICE).user("Let it listen on port 9999");
    let answer = chat.user(&format!("{shown}\n{wish}")).ask().await;
    assert!(answer.str("content").contains("| Port | 8080 |"), "{answer:?}");
    assert!(answer.str("content").contains("Good morning"), "{answer:?}");
}
