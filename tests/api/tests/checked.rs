//! A script is checked by the sandbox's own tools before its owner is asked.

use api_tests::{Model, World};
use serde_json::Value;

/// Writes a script that bash cannot read.
const BROKEN: &str =
    "cat > deploy.sh <<'EOF'\n#!/bin/bash\nif true; then\n  echo deployed\nEOF\nchmod +x deploy.sh";

#[tokio::test]
async fn what_the_sandboxs_tools_find_goes_back_to_the_model_and_stands_beside_the_approval() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    project.sandbox_is_up().await;
    project.execute(&[BROKEN]).await;
    project.step_is(1, "waiting_approval").await;

    let progress = project.get("/execution/progress").await.is(200).json();
    let verdict = &progress["steps"][0]["verdict"];
    assert_eq!(verdict["outcome"], "findings", "{verdict}");
    assert_eq!(verdict["rounds"], 3, "it went back to the model as often as it may: {verdict}");
    let findings = verdict["findings"].as_array().unwrap();
    let found = findings.iter().find(|found| found["tool"] == "bash -n").unwrap();
    assert_eq!((&found["file"], &found["severity"]), (&"deploy.sh".into(), &"error".into()));
    assert!(found["message"].as_str().unwrap().contains("syntax error"), "{found}");
    let checked = verdict["checked"].as_array().unwrap().iter().filter_map(Value::as_str);
    let versions: Vec<_> = checked.filter(|tool| tool.starts_with("bash -n ")).collect();
    assert_eq!(versions.len(), 1, "with the sandbox's version: {verdict}");

    let told = model.requests().iter().any(|request| {
        let request = request.to_string();
        request.contains("deploy.sh, line 4 (bash -n)") && request.contains("syntax error")
    });
    assert!(told, "the model hears what was found");
    assert!(!project.files().await.contains_key("deploy.sh"), "nothing of it was run");
}
