//! A change of an existing deployment consists only of what its own steps can do.

use crate::support::{Answer, Chat, Project, fence};
use serde_json::json;

impl Project {
    /// The context that the product sends with a request for a change of this project.
    pub fn standing(&self, wish: &str) -> String {
        [
            fence("change", wish),
            fence("previous_requirements", &self.requirements),
            fence("previous_implementation_plan", &self.implementation),
        ]
        .join("\n")
    }

    /// The project with an agreed and planned change. Its steps are those of the change.
    pub async fn changed(&self, wish: &str) -> Project {
        Project::agreed(&self.standing(wish), wish).await
    }

    /// The rollback of this change, which the executor sends with the script of the last step.
    pub async fn rollback(&self, before: &Project) -> String {
        let (number, text) = (self.steps.len(), json!({"type": "string"}));
        let step = &self.steps[number - 1];
        let (title, prompt) = (step["description"].as_str(), step["prompt"].as_str());
        let (title, prompt) = (title.unwrap(), prompt.unwrap());
        let properties = json!({"step": {"type": "integer"}, "script": text, "proof": text,
            "summary": text, "rollback": text});
        let chat = Chat::with(&[("propose_command", properties)]).user(&format!(
            "{}\n\n{}\n\n<step number=\"{number}\">\n{title}\n\n{prompt}\n</step>\n\nWrite the script of step {number} and pass it to `propose_command`.",
            before.standing("what was asked for"),
            self.documents()
        ));
        chat.ask_whole().await.str("rollback").to_owned()
    }

    /// Titles of the steps.
    pub fn titles(&self) -> Vec<&str> {
        self.steps.iter().map(|step| step["description"].as_str().unwrap()).collect()
    }
}

/// The context that the product sends with a request for a change of the project that `first` asks for.
async fn standing(first: &str, wish: &str) -> String {
    Project::planned(first).await.standing(wish)
}

async fn requirements(first: &str, wish: &str) -> (String, Answer) {
    let shown = standing(first, wish).await;
    let answer = Chat::gatherer().user(first).user(&format!("{shown}\n{wish}")).ask().await;
    (shown, answer)
}

/// The titles of the steps that are planned for a change, and the plan.
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
async fn a_change_has_a_rollback_unless_it_needs_terraform() {
    let before = Project::planned(SERVICE).await;
    let back = before.changed("Let it listen on port 9191").await.rollback(&before).await;
    assert!(back.contains("# Port: `9191` becomes `8080`"), "{back}");
    assert!(back.contains("#!/usr/bin/env bash\n# Starts and stops the service"), "{back}");
    assert!(back.contains("\"port\": 8080") && back.contains("Proved: "), "{back}");
    assert!(back.len() <= domain::step::MAX_ROLLBACK_BYTES, "{}", back.len());
    let before = Project::planned("A VPS in Helsinki, use the defaults").await;
    let with = before.changed("also add Redis").await;
    let back = with.rollback(&before).await;
    assert!(back.contains("ansible-playbook redis-remove.yml"), "{back}");
    assert!(back.len() <= domain::step::MAX_ROLLBACK_BYTES, "{}", back.len());
    let asked = format!("{}\nRemove what this change added.", with.requirements);
    let context = ::gate::Context { asked: &asked, step: &asked, ..Default::default() };
    let found = ::gate::examine(&back, &context);
    assert!(found.is_empty(), "{found:?}");
    assert_eq!(before.changed("Also open port 8443").await.rollback(&before).await, "");
}

#[tokio::test]
async fn only_the_steps_that_use_a_changed_value_are_planned() {
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
async fn a_change_that_needs_a_new_build_is_refused_with_a_reason() {
    for wish in ["rename it to shop", "also add Redis", "also a VPS with MySQL"] {
        let (_, answer) = requirements(SERVICE, wish).await;
        assert_eq!(answer.argument("ready_to_continue"), false, "{wish}: {answer:?}");
        assert!(answer.str("content").contains("Service name | `orders`"), "{answer:?}");
    }
    let closed = Chat::gatherer();
    let shown = standing(SERVICE, "also add Redis").await;
    let asked = closed.user(&format!("{shown}\nalso add Redis"));
    let call = asked.ask().await;
    let said = asked.tool_result(&call, "Written.").ask().await.text;
    assert!(said.contains("So far nothing changes."), "{said}");
    assert!(said.to_lowercase().contains("redis"), "{said}");
}

#[tokio::test]
async fn requests_of_earlier_changes_are_not_applied_again() {
    let wish = "Use the greeting \"Good morning\" that says \"Good morning\"";
    let shown = standing(SERVICE, wish).await;
    let chat = Chat::gatherer().user(SERVICE).user("Let it listen on port 9999");
    let answer = chat.user(&format!("{shown}\n{wish}")).ask().await;
    assert!(answer.str("content").contains("| Port | 8080 |"), "{answer:?}");
    assert!(answer.str("content").contains("Good morning"), "{answer:?}");
}

/// Asks for a change after `number` changes, the last of which had this plan.
async fn on_top_of(number: u32, plan: &str, requirements: &str, wish: &str) -> Answer {
    let change = format!("<change on_top_of=\"{number}\">\n{wish}\n</change>");
    let previous = fence("previous_implementation_plan", plan);
    let shown = [change, fence("previous_requirements", requirements), previous].join("\n");
    Chat::gatherer().user(SERVICE).user(&format!("{shown}\n{wish}")).ask().await
}

#[tokio::test]
async fn the_latest_change_is_undone_by_a_reverse_change() {
    let (_, agreed) = requirements(SERVICE, "Let it listen on port 9191").await;
    let (_, plan) = planned(SERVICE, "Let it listen on port 9191").await;
    let agreed = agreed.str("content");
    let answer = on_top_of(2, &plan, agreed, "Undo change 2").await;
    assert_eq!(answer.argument("ready_to_continue"), true, "{answer:?}");
    assert!(answer.str("content").contains("| Port | `9191` | `8080` |"), "{answer:?}");

    let other = on_top_of(3, &plan, agreed, "Undo change 2").await;
    assert_eq!(other.argument("ready_to_continue"), false, "{other:?}");
    let more = "Undo change 2 and let it listen on port 9393";
    let more = on_top_of(2, &plan, agreed, more).await;
    assert!(more.str("content").contains("| Port | `9191` | `9393` |"), "{more:?}");
}

#[tokio::test]
async fn undoing_a_change_removes_what_it_added_to_a_list() {
    let server = "A VPS in Helsinki, use the defaults";
    let (_, agreed) = requirements(server, "Also open port 8443").await;
    let (_, plan) = planned(server, "Also open port 8443").await;
    let answer = on_top_of(2, &plan, agreed.str("content"), "Undo change 2").await;
    assert_eq!(answer.argument("ready_to_continue"), true, "{answer:?}");
    let restored = answer.str("content");
    assert!(restored.contains("| Open ports | `8443` | `none` |"), "{restored}");
}

#[tokio::test]
async fn the_first_build_cannot_be_undone() {
    let (_, answer) = requirements(SERVICE, "Undo change 1").await;
    assert_eq!(answer.argument("ready_to_continue"), false, "{answer:?}");
}
