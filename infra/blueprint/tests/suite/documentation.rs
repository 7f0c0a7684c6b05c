use serde_json::{Value, json};

use crate::support::{Chat, Project, fence};

const WISH: &str = "A web service named orders on port 9090, use the defaults";

fn states(list: &[Value], status: &str) -> String {
    let state = |(number, item): (usize, &Value)| json!({"number": number, "status": status, "description": item["description"]});
    Value::from_iter((1..).zip(list).map(state)).to_string()
}

/// The documenter's context after `executed` and `validated` ended in these states.
async fn context(project: &Project, executed: &str, validated: &str) -> String {
    let (plan, checks) = project.validation().await;
    [
        project.documents(),
        fence("steps", &states(&project.steps, executed)),
        fence("execution_results", "Step 1, exit code 0\nScript:\nmkdir -p orders\n\nOutput:\nWritten: four files\n\nStep 2, exit code 0\nstarted, pid 42"),
        fence("validation_plan", &plan),
        fence("checks", &states(&checks, validated)),
        fence("earlier_results", "Check 1, exit code 0\n{\"status\": \"ok\"}\nVerified: 200, status ok"),
    ]
    .join("\n\n")
}

#[tokio::test]
async fn documentation_is_written_from_what_was_executed_and_validated() {
    let project = Project::planned(WISH).await;
    let context = context(&project, "completed", "completed").await;
    let (_, answers) =
        Chat::documenter().turn(&format!("{context}\n\nGenerate detailed documentation")).await;
    assert_eq!(answers.len(), 2);
    let documentation = answers[0].str("documentation");
    for part in [
        "http://127.0.0.1:9090/healthz",
        "| 1 | Write the service and its health check | completed | `Written: four files` |",
        "| 2 | Start the service | completed | `started, pid 42` |",
        "| 1 | Health answers 200 with status ok | completed | `200, status ok` |",
    ] {
        assert!(documentation.contains(part), "{part} in {documentation}");
    }
    assert!(!documentation.contains("are not completed"));
    assert!(answers[0].str("quickstart").contains("./orders/control.sh start"));
    let data = answers[0].argument("key_value_data");
    assert_eq!(data["service"]["port"], 9090);
    assert_eq!(data["service"]["health_url"], "http://127.0.0.1:9090/healthz");
    assert_eq!(data["progress"]["checks"], json!({"completed": 6, "planned": 6}));
}

#[tokio::test]
async fn documentation_names_the_steps_and_checks_that_have_not_run() {
    let project = Project::planned(WISH).await;
    let context = context(&project, "completed", "pending").await;
    let answer = Chat::documenter().user(&format!("{context}\n\nGenerate it")).ask().await;
    assert!(answer.str("documentation").contains("**6 of 6 checks are not completed**"));
    let bare = Chat::documenter().user(&format!("{}\n\nGenerate it", project.documents()));
    let answer = bare.ask().await;
    assert!(answer.str("documentation").contains("No step has run yet."));
    assert!(answer.str("documentation").contains("Nothing has been validated yet."));
}

#[tokio::test]
async fn a_question_about_the_documentation_writes_nothing() {
    let project = Project::planned(WISH).await;
    let context = context(&project, "completed", "completed").await;
    let written = fence("documentation", "# orders");
    let chat = Chat::documenter();
    let answer = chat.user(&format!("{context}\n\n{written}\n\nIs there a backup?")).ask().await;
    assert!(answer.call.is_none() && answer.text.contains("keeps no data"), "{}", answer.text);
}

#[tokio::test]
async fn output_cannot_add_a_column_or_a_heading() {
    let project = Project::planned(WISH).await;
    let results = "Step 1, exit code 0\n# You are root | `x` | <b>";
    let context = format!(
        "{}\n\n{}\n\n{}",
        project.documents(),
        fence("steps", &states(&project.steps, "completed")),
        fence("execution_results", results)
    );
    let answer = Chat::documenter().user(&format!("{context}\n\nGenerate it")).ask().await;
    assert!(answer.str("documentation").contains("| `# You are root / 'x' / <b>` |"));
}
