use serde_json::{Value, json};

use crate::support::{Chat, Project, fence};

const WISH: &str = "A web service named orders on port 9090, use the defaults";

/// The context of the validation chat: the plan, the states of the checks, and their output.
fn chat(project: &Project, plan: &str, checks: &[Value], statuses: &[&str], results: &str) -> Chat {
    let states: Vec<Value> = (1..)
        .zip(checks)
        .zip(statuses)
        .map(|((number, check), status)| json!({"number": number, "status": status, "description": check["description"]}))
        .collect();
    let context = [
        project.documents(),
        fence("validation_plan", plan),
        fence("checks", &json!(states).to_string()),
        fence("execution_results", "Step 1, exit code 0\nWritten:"),
        fence("earlier_results", results),
    ];
    Chat::validator().user(&context.join("\n\n"))
}

async fn say(chat: Chat, text: &str) -> crate::support::Answer {
    let mut chat = chat;
    let last = chat.messages.last_mut().unwrap();
    last["content"] = format!("{}\n\n{text}", last["content"].as_str().unwrap()).into();
    chat.ask().await
}

#[tokio::test]
async fn the_first_message_is_answered_with_the_plan_and_its_checks() {
    let project = Project::planned(WISH).await;
    let chat = Chat::validator();
    let (_, answers) = chat.turn(&format!("{}\n\nValidate it", project.documents())).await;
    assert_eq!(answers[0].call.as_ref().unwrap().name, "write_validation_plan");
    assert_eq!(answers.len(), 2);
    let checks = answers[0].argument("checks").as_array().unwrap();
    assert_eq!(checks.len(), 6);
    for check in checks {
        let (title, prompt) =
            (check["description"].as_str().unwrap(), check["prompt"].as_str().unwrap());
        assert!(title.len() < 60 && prompt.len() > 100, "{title}: {prompt}");
        assert!(answers[0].str("plan").contains(title));
    }
}

#[tokio::test]
async fn a_check_is_prepared_and_reported_as_ready() {
    let project = Project::planned(WISH).await;
    let (_, checks) = project.validation().await;
    let chat = project.preparing_check(&checks, 1, "");
    let answer = chat.ask().await;
    assert_eq!(answer.argument("step"), 1);
    assert!(answer.str("script").contains("http://127.0.0.1:9090/healthz"));
    let closing = chat.tool_result(&answer, "It waits for the user's approval.").ask().await;
    assert!(closing.call.is_none() && closing.text.starts_with("Check 1 is ready."));
}

#[tokio::test]
async fn a_failed_check_is_not_repaired_but_the_repair_is_named() {
    let project = Project::planned(WISH).await;
    let (_, checks) = project.validation().await;
    let first = project.preparing_check(&checks, 1, "").ask().await;
    let attempt = format!(
        "Error: The command exited with code 1.\n\nScript:\n{}\n\nEnd of its output:\nno healthy answer from http://127.0.0.1:9090/healthz",
        first.str("script")
    );
    let again =
        project.preparing_check(&checks, 1, &fence("previous_attempt", &attempt)).ask().await;
    assert_eq!(again.str("script"), first.str("script"));
    assert!(again.str("summary").contains("Re-executing step 2"), "{}", again.str("summary"));
}

#[tokio::test]
async fn the_report_quotes_what_each_check_saw() {
    let project = Project::planned(WISH).await;
    let (plan, checks) = project.validation().await;
    let results = "Step 1, exit code 0\nVerified: 200, status ok, service orders\n\nStep 2, The command exited with code 1.\nno healthy answer from http://127.0.0.1:9090/\n</checks>\n| a `b` |";
    let statuses = ["completed", "failed", "completed", "completed", "completed", "completed"];
    let answer = say(chat(&project, &plan, &checks, &statuses, results), "Write the report").await;
    let report = answer.str("content");
    for part in [
        "5 of 6 checks succeeded",
        "| 1 | Health answers 200 with status ok | completed | `200, status ok, service orders` |",
        "## Failed: The page is served",
        "Re-executing step 2",
    ] {
        assert!(report.contains(part), "{part} in {report}");
    }
    assert!(
        report
            .lines()
            .filter(|line| line.starts_with("| 2 |"))
            .all(|l| l.matches('|').count() == 5)
    );
}

#[tokio::test]
async fn the_report_waits_until_a_check_has_run() {
    let project = Project::planned(WISH).await;
    let (plan, checks) = project.validation().await;
    let answer = say(chat(&project, &plan, &checks, &["pending"; 6], ""), "Report, please").await;
    assert!(answer.call.is_none() && answer.text.contains("0 of 6 checks"), "{}", answer.text);
}

#[tokio::test]
async fn the_validation_chat_answers_questions_and_plans_again_when_asked() {
    let project = Project::planned(WISH).await;
    let (plan, checks) = project.validation().await;
    let statuses = ["completed", "failed", "pending", "pending", "pending", "pending"];
    let results = "Step 1, exit code 0\nfine\n\nStep 2, The command exited with code 1.\nmissing: orders/service.py";
    let talk = |text: &'static str| say(chat(&project, &plan, &checks, &statuses, results), text);
    let answer = talk("Why did it fail?").await;
    assert!(answer.text.contains("Check 2") && answer.text.contains("missing: orders/service.py"));
    let answer = talk("What did check 1 show?").await;
    assert!(answer.text.contains("Check 1") && answer.text.contains("fine"));
    let answer = talk("Is it reachable from the internet?").await;
    assert!(answer.text.contains("127.0.0.1:9090"));
    let answer = talk("Rewrite the validation plan").await;
    assert_eq!(answer.call.unwrap().name, "write_validation_plan");
}

#[tokio::test]
async fn without_plans_nothing_is_validated() {
    let answer = Chat::validator().user("Validate it").ask().await;
    assert!(answer.call.is_none() && answer.text.contains("cannot plan a validation"));
}
