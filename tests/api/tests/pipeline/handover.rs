//! The time after all steps: validation, documentation, help, and a sandbox that stops and starts again.

use api_tests::{Project, eventually};
use serde_json::{Value, json};

/// Has every check proposed, approved and run; each keeps its output.
pub async fn validated(project: &Project) {
    let events = project.chat("/validation/agent", "Create a validation plan").await;
    assert_eq!(events.last().unwrap()["event"], "on_chat_model_end");
    let started = project.post("/validation/trigger", json!({"message": "Start validation"})).await;
    assert_eq!(started.is(200).json()["status"], "success");
    let plan = project.get("/validation/plan").await.is(200).json();
    assert_eq!(plan["status"], "success");
    assert!(plan["plan"].as_str().unwrap().contains("orders"), "{plan}");

    let total = checks(project).await.len();
    assert!(total >= 3, "a validation with enough checks: {total}");
    for number in 1..=total {
        let waiting = check_is(project, number, "waiting_approval").await;
        let word = json!({"step_number": number, "approved": true,
            "command_sha256": waiting["command_sha256"]});
        project.post("/validation/approve-step", word).await.is(200);
        let check = check_is(project, number, "completed").await;
        assert!(!check["output"].as_str().unwrap().trim().is_empty(), "its evidence: {check}");
    }
    proved(project).await;
}

/// Asserts that every requirement names the steps that built it and the checks that proved it.
async fn proved(project: &Project) {
    let covered = project.get("/validation/requirements").await.is(200).json();
    let wishes: Vec<&str> = covered["requirements"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            assert_eq!(one["verdict"], "proved", "{one}");
            assert!(!one["steps"].as_array().unwrap().is_empty(), "{one}");
            one["wish"].as_str().unwrap()
        })
        .collect();
    assert_eq!(wishes, ["A small web service with a health check", "Service name: orders"]);
    project.chat("/validation/agent", "Report").await;
    let report = project.get("/validation/plan").await.is(200).json()["report"].clone();
    let row = "| R2 | Service name: orders | steps 1, 2 | check 6 | proved |";
    assert!(report.as_str().unwrap().contains(row), "{report}");
}

async fn checks(project: &Project) -> Vec<Value> {
    let progress = project.get("/validation/progress").await.is(200).json();
    progress["steps"].as_array().unwrap().clone()
}

async fn check_is(project: &Project, number: usize, status: &str) -> Value {
    eventually(&format!("check {number} is {status}"), async || {
        let check = checks(project).await.swap_remove(number - 1);
        assert!(status == "failed" || check["status"] != "failed", "{check}");
        (check["status"] == status).then_some(check)
    })
    .await
}

/// Has the documentation written from the results.
pub async fn documented(project: &Project) {
    let wish = "Generate detailed documentation of the current infrastructure.";
    project.chat("/documentation/generate", wish).await;
    let written = project.get("/documentation/current").await.is(200).json();
    assert_eq!(written["status"], "success");
    for paper in ["documentation", "quickstart"] {
        let text = written[paper].as_str().unwrap();
        assert!(text.contains("orders") && text.contains("8080"), "{paper}: {text}");
    }
    let proof = "| R2 | Service name: orders | steps 1, 2 | check 6 | proved |";
    assert!(written["documentation"].as_str().unwrap().contains(proof), "{written}");
    assert!(!written["key_value_data"].as_object().unwrap().is_empty());
}

/// Asks the helper for a reading, which runs at once, and for a change, which waits.
pub async fn helped(project: &Project) {
    let looked = project.chat("/devops-helper/chat", "Is it healthy?").await;
    let command = looked.iter().find(|event| event["event"] == "on_command").unwrap();
    assert_eq!(command["command"]["needs_approval"], false, "{command}");
    let end = looked.iter().find(|event| event["event"] == "on_command_end").unwrap();
    assert_eq!(end["status"], "completed", "{looked:?}");

    // Approved from the list, as on another page: a gateway that does not stream shows the reply only after it ends.
    let asked = project.chat("/devops-helper/chat", "Run `echo by-hand > by-hand.txt`");
    futures::join!(asked, approved_from_the_list(project));
    assert_eq!(project.files().await["by-hand.txt"], "by-hand\n");
}

/// Approves the first waiting command of the helper.
async fn approved_from_the_list(project: &Project) {
    let waiting = eventually("a command waits", async || {
        let list = project.get("/devops-helper/commands").await.is(200).json();
        list.as_array().unwrap().iter().find(|command| command["needs_approval"] == true).cloned()
    })
    .await;
    let word = json!({"number": waiting["number"], "approved": true,
        "command_sha256": waiting["sha256"]});
    project.post("/devops-helper/approve-command", word).await.is(200);
}

/// Backs up and stops the sandbox, starts it again, and checks that every file is unchanged.
pub async fn stopped_and_started(project: &Project) {
    let before = project.files().await;
    let path = |call: &str| project.path(&format!("/sandbox/{call}"));
    let sync = format!("{}?before_stop=true", path("sync"));
    project.post(&sync, json!({})).await.is(200);
    project.post(&path("stop"), json!({})).await.is(200);
    container_is(project, "NotRunning").await;
    let backups = project.get(&path("backups")).await.is(200).json();
    assert!(backups.as_array().unwrap().iter().any(|kept| kept["reason"] == "stop"), "{backups}");

    project.post(&path("start"), json!({})).await.is(200);
    container_is(project, "Running").await;
    assert_eq!(project.files().await, before);
    let folder = format!("/home/{}/workspace/", project.scope().username());
    let download = format!("/workspace/folder_download?path={folder}");
    let folder = project.get(&download).await.is(200).files();
    assert!(folder.keys().any(|name| name.ends_with("orders/README.md")), "{:?}", folder.keys());
}

async fn container_is(project: &Project, status: &str) {
    let path = project.path("/sandbox/status");
    eventually(&format!("the sandbox is {status}"), async || {
        let body = project.get(&path).await.is(200).json();
        (body["container_status"] == status).then_some(())
    })
    .await;
}
