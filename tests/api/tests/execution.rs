//! Executing a plan, step by step, as its owner approves.

use api_tests::{Model, Project, World, proved_script, script_prompt};
use domain::plan::PlannedStep;
use reqwest::Method;
use serde_json::json;
use store::executions::Executions;

#[tokio::test]
async fn there_is_nothing_to_execute_without_a_plan() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Eager").await;
    let start = json!({"message": "Start execution"});
    let text = project.post("/execution/trigger", start).await.refuses(409, "stage_gate");
    assert_eq!(text, "There is no implementation plan yet.");
    assert_eq!(project.progress().await.total_steps, 0);
}

#[tokio::test]
async fn a_step_is_prepared_shown_approved_and_run() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    let plan_id = project.execute(&["echo hello; echo warned >&2", "echo second"]).await;
    let shown = project.step_is(1, "waiting_approval").await;
    assert_eq!(shown.script(), Some("echo hello; echo warned >&2"));
    assert!(shown.command.is_some_and(|command| command.contains("test -r /proc")));
    assert_eq!(shown.prompt, script_prompt("echo hello; echo warned >&2"));
    assert_eq!((shown.running, shown.attempt, shown.output.as_str()), (false, 1, ""));

    let ran = project.complete(1).await;
    assert_eq!(ran.output, "hello\nwarned\n");
    assert_eq!((ran.exit_code, ran.error_message, ran.output_bytes), (Some(0), None, 13));
    assert!(ran.duration_ms.is_some() && !ran.output_truncated);

    project.step_is(2, "waiting_approval").await;
    let progress = project.progress().await;
    assert_eq!(
        (progress.id.as_str(), progress.current_step, progress.total_steps),
        (&*plan_id, 2, 2)
    );
    project.complete(2).await;
    let progress = project.progress().await;
    assert_eq!(progress.current_step, 2, "it is the last step when all are done");
    let kept = Executions::new(&owner.app().table()).load(project.scope()).await.unwrap().unwrap();
    assert!(kept.is_done());
}

#[tokio::test]
async fn the_agents_prompt_names_the_step_and_earlier_ones() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    project.execute(&["echo marked-output", "echo second"]).await;
    project.complete(1).await;
    project.step_is(2, "waiting_approval").await;
    let asked = model.requests().last().unwrap().to_string();
    assert!(asked.contains("marked-output"), "{asked}");
    assert!(asked.contains(r#"<step number=\"2\">"#), "{asked}");
}

#[tokio::test]
async fn a_command_that_was_not_shown_is_not_run() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    project.execute(&["echo hello"]).await;
    let mut shown = project.step_is(1, "waiting_approval").await;
    let sha = shown.command_sha256.replace("0".repeat(64)).unwrap();
    let text = project.decide(&shown, true).await.refuses(409, "command_changed");
    assert!(text.contains("Review it"), "{text}");
    let still = project.step(1).await;
    assert_eq!((still.status.as_str(), still.attempt), ("waiting_approval", 1));
    assert_eq!(project.kept_sandbox().await.generation, 0, "no sandbox was started for it");
    // An approval that names no command applies to the current one.
    shown.command_sha256 = None;
    project.decide(&shown, true).await.is(200);
    let ran = project.step_is(1, "completed").await;
    assert_eq!(ran.command_sha256, Some(sha));
}

#[tokio::test]
async fn the_list_of_projects_says_which_step_waits() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    project.execute(&["echo hello", "exit 3"]).await;
    let listed = async || owner.get("/projects").await.is(200).json()[0]["attention"].clone();
    project.step_is(1, "waiting_approval").await;
    assert_eq!(listed().await, json!({"step_number": 1, "status": "waiting_approval"}));
    project.complete(1).await;
    project.approve(2).await;
    project.step_is(2, "failed").await;
    assert_eq!(listed().await, json!({"step_number": 2, "status": "failed"}));
}

#[tokio::test]
async fn a_completed_step_can_be_executed_again() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    project.execute(&["echo line >> log.txt; wc -l < log.txt"]).await;
    assert_eq!(project.complete(1).await.output.trim(), "1");
    let again = project.decide(&project.step(1).await, true).await.is(200).json();
    assert_eq!((&again["status"], &again["output"]), (&json!("in_progress"), &json!("")));
    let ran = project.step_when(1, "ran again", |step| step.output.trim() == "2").await;
    assert_eq!(ran.attempt, 3, "prepared, run, run");
}

#[tokio::test]
async fn a_failed_step_shows_its_error_and_the_next_one_waits_for_it() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    project
        .execute(&["[ -e ready ] && exit 0; touch ready; echo not yet >&2; exit 3", "echo b"])
        .await;
    project.approve(1).await;
    let failed = project.step_is(1, "failed").await;
    assert_eq!((failed.exit_code, failed.output.as_str()), (Some(3), "not yet\n"));
    assert_eq!(failed.error_message.as_deref(), Some("The command exited with code 3."));
    assert_eq!(project.step(2).await.status, "pending");

    // Prepared again with its error in view, it is the approved command, so it runs at once.
    project.decide(&failed, true).await.is(200);
    let ran = project.step_when(1, "ran again", |step| step.status == "completed").await;
    assert_eq!(ran.error_message, None);
    let asked = model.requests().into_iter().map(|asked| asked.to_string());
    assert!(
        asked
            .filter(|asked| asked.contains("<previous_attempt>"))
            .any(|asked| asked.contains("not yet"))
    );
    project.complete(2).await;
}

#[tokio::test]
async fn a_step_that_failed_is_never_completed() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    for (script, sign) in [
        // A careless model's script: nothing in it enables errexit.
        ("terraform apply -auto-approve\necho applied", "exited with code"),
        ("false | tee log", "exited with code"),
        ("address=$(false; echo 192.0.2.1)\necho $address", "exited with code"),
        ("read -rp 'Really? ' answer\necho going on", "exited with code"),
        ("(exit 7) &\nsleep 0.2\necho done", "A background job failed with exit code 7"),
        (&proved_script("echo built", "test -e built"), "its proof failed with exit code 1"),
    ] {
        let project = owner.project("Careless").await;
        project.execute(&[script, "echo next"]).await;
        project.approve(1).await;
        let failed = project.step_when(1, "ended", |step| !step.is_running()).await;
        assert_eq!(failed.status, "failed", "{script}: {failed:?}");
        let error = failed.error_message.unwrap();
        assert!(error.contains(sign), "{script}: {error}");
        assert_eq!(project.step(2).await.status, "pending", "{script}");
    }
}

#[tokio::test]
async fn a_script_that_bash_cannot_parse_reaches_no_person() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Careless").await;
    project.execute(&["if true; then"]).await;
    let failed = project.step_when(1, "is given up", |step| step.status == "failed").await;
    assert_eq!(failed.command, None);
    let error = failed.error_message.unwrap();
    assert!(error.contains("no usable script in 4 tries") && error.contains("line 2"), "{error}");
}

#[tokio::test]
async fn only_a_step_that_waits_can_be_decided() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    let plan_id = project.execute(&["sleep 600", "echo second"]).await;
    project.step_is(1, "waiting_approval").await;
    let pending = project.step(2).await;
    project.decide(&pending, true).await.refuses(409, "illegal_transition");
    project.decide(&pending, false).await.refuses(409, "illegal_transition");
    project.approve(1).await;
    let running = project.step_when(1, "runs", |step| step.is_running()).await;
    project.decide(&running, true).await.refuses(409, "illegal_transition");
    project.decide(&running, false).await.refuses(409, "illegal_transition");
    let none = json!({"plan_id": plan_id, "step_number": 9, "approved": true});
    project.post("/execution/approve-step", none).await.refuses(404, "not_found");
}

#[tokio::test]
async fn a_replaced_plan_is_not_continued() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    let old = project.execute(&["echo old"]).await;
    project.step_is(1, "waiting_approval").await;
    let new = project.execute(&["echo new one", "echo new two"]).await;
    assert_ne!(old, new);
    let decision = json!({"plan_id": old, "step_number": 1, "approved": true});
    let text = project.post("/execution/approve-step", decision).await.refuses(409, "stale_plan");
    assert_eq!(text, "This plan has been replaced. Reload to see the new one.");
    let name = json!({"plan_id": old, "step_number": 1});
    project.post("/execution/cancel-step", name).await.refuses(409, "stale_plan");
    let progress = project.progress().await;
    assert_eq!((progress.id, progress.total_steps), (new, 2));
    assert_eq!(project.complete(1).await.output, "new one\n");
}

#[tokio::test]
async fn a_plan_is_not_replaced_under_a_running_step() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    project.execute(&["echo begun; sleep 600"]).await;
    project.approve(1).await;
    project.step_when(1, "has begun", |step| step.output.contains("begun")).await;
    project.has_steps(&[planned("echo new")]).await;
    let start = json!({"message": "Start execution"});
    project.post("/execution/trigger", start).await.refuses(409, "still_running");
}

fn planned(script: &str) -> PlannedStep {
    PlannedStep {
        description: "Step".into(),
        prompt: script_prompt(script),
        ..PlannedStep::default()
    }
}

#[tokio::test]
async fn starting_twice_starts_once() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    let plan_id = project.has_steps(&[planned("echo hello")]).await;
    let start = || project.post("/execution/trigger", json!({"message": "Start execution"}));
    let (one, other, third) = futures::join!(start(), start(), start());
    for answer in [one, other, third] {
        let body = answer.is(202).json();
        assert_eq!((&body["status"], &body["plan_id"]), (&json!("accepted"), &json!(plan_id)));
    }
    let step = project.step_is(1, "waiting_approval").await;
    assert_eq!((step.attempt, model.times_asked()), (1, 1));
    project.complete(1).await;
    start().await.is(202);
    assert_eq!(project.step(1).await.status, "completed", "completed steps stay completed");
}

#[tokio::test]
async fn a_running_step_can_be_canceled() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    let plan_id = project.execute(&["trap '' TERM; echo begun; sleep 600; echo survived"]).await;
    project.approve(1).await;
    project.step_when(1, "has begun", |step| step.output.contains("begun")).await;
    let name = json!({"plan_id": plan_id, "step_number": 1});
    project.post("/execution/cancel-step", name.clone()).await.is(200);
    let cancelled = project.step_is(1, "failed").await;
    assert_eq!(cancelled.error_message.as_deref(), Some("Canceled by user"));
    assert_eq!(cancelled.output, "begun\n");
    project.post("/execution/cancel-step", name).await.refuses(409, "illegal_transition");
}

#[tokio::test]
async fn a_step_that_is_being_prepared_can_be_canceled_and_prepared_again() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    model.stand_still();
    let plan_id = project.execute(&["echo hello"]).await;
    model.asked_after(0).await;
    let name = json!({"plan_id": plan_id, "step_number": 1});
    let cancelled = project.post("/execution/cancel-step", name).await.is(200).json();
    assert_eq!(cancelled["error_message"], "Canceled by user");
    model.go_on();
    // The agent's command arrives too late.
    project.decide(&project.step(1).await, true).await.is(200);
    let again = project.step_when(1, "waits", |step| step.is_waiting()).await;
    assert_eq!(again.attempt, 2);
    project.complete(1).await;
}

#[tokio::test]
async fn the_output_of_a_running_step_is_seen_as_it_comes() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    project.execute(&["echo first; until [ -e go ]; do sleep 0.05; done; echo last"]).await;
    project.approve(1).await;
    let step = project.step_when(1, "shows its first line", |step| !step.output.is_empty()).await;
    assert_eq!((step.output.as_str(), step.is_running()), ("first\n", true));
    let whole = project.get("/execution/output/1").await.is(200);
    assert_eq!(whole.text(), "first\n");
    // A user at the terminal lets it continue.
    let mut terminal = project.terminal().await;
    terminal.attach().await;
    terminal.types("touch go\r").await;
    assert_eq!(project.step_is(1, "completed").await.output, "first\nlast\n");
}

#[tokio::test]
async fn a_long_output_shows_both_ends_and_is_available_whole() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    project.execute(&["seq 1 20000"]).await;
    let ran = project.complete(1).await;
    let expected: String = (1..=20_000).map(|n| format!("{n}\n")).collect();
    assert_eq!(ran.output_bytes, expected.len() as u64);
    assert!(ran.output_truncated && ran.output.len() < 10_000);
    assert!(ran.output.starts_with("1\n2\n3\n") && ran.output.ends_with("19999\n20000\n"));
    let whole = project.get("/execution/output/1").await.is(200);
    assert_eq!(whole.header("content-type"), "text/plain; charset=utf-8");
    assert!(whole.text() == expected, "all of it, in order");
    for number in ["0", "2", "x"] {
        project.get(&format!("/execution/output/{number}")).await.refuses(404, "not_found");
    }
}

#[tokio::test]
async fn an_approval_starts_a_stopped_sandbox_and_runs_the_command() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    project.execute(&["echo one > one.txt", "cat one.txt"]).await;
    // The first approval starts the first sandbox.
    project.complete(1).await;
    assert_eq!(project.kept_sandbox().await.generation, 1);
    stop(&project).await;
    assert_eq!(project.complete(2).await.output, "one\n");
    assert_eq!(project.kept_sandbox().await.generation, 2);
}

async fn stop(project: &Project) {
    let path = project.path("/sandbox/stop");
    assert_eq!(project.post(&path, json!({})).await.is(200).json()["status"], "success");
}

#[tokio::test]
async fn progress_that_has_not_changed_is_not_sent_again() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    project.execute(&["echo hello"]).await;
    project.step_is(1, "waiting_approval").await;
    let tag = project.get("/execution/progress").await.header("etag");
    let again =
        || project.call(Method::GET, "/execution/progress").header("if-none-match", &tag).send();
    again().await.is(304);
    project.complete(1).await;
    again().await.is(200);
}

#[tokio::test]
async fn the_execution_agent_answers_a_question_as_a_stream() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    project.execute(&["echo hello"]).await;
    project.step_is(1, "waiting_approval").await;
    let question = "/execution/agent?message=How%20far%20are%20we%3F";
    let events = project.call(Method::GET, question).events().await.all().await;
    let text: String = events.iter().filter_map(|e| e["chunk"]["content"].as_str()).collect();
    assert!(text.contains("0 of 1"), "{text}");
    assert_eq!(events.last().unwrap()["event"], "on_chat_model_end");
    let history = project.get("/planning/threads/executor").await.is(200).json();
    assert_eq!(history["messages"][0]["content"], "How far are we?");
    assert_eq!(history["messages"].as_array().unwrap().len(), 2, "no step's preparation is in it");
    project.get("/execution/agent?message=%20").await.refuses(422, "invalid_message");
}
