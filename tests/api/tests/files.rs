//! Files of the workspace over the WebSocket.

use api_tests::{Project, Socket, World};
use serde_json::{Value, json};

async fn ask(socket: &mut Socket, request: Value) -> Value {
    socket.send(&request).await;
    socket.wait(|answer: Value| (answer["request"] == request["request"]).then_some(answer)).await
}

async fn browser(project: &Project) -> Socket {
    project.socket().await
}

fn read(path: &str) -> Value {
    json!({"type": "files.read", "request": "r", "path": path, "offset": 0})
}

#[tokio::test]
async fn the_owner_edits_a_file_and_takes_it_home() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Files").await;
    project.sandbox_is_up().await;
    let mut socket = browser(&project).await;
    let listed = ask(&mut socket, json!({"type": "files.list", "request": "l", "path": ""})).await;
    assert_eq!(listed["type"], "files.listed", "{listed}");
    let names: Vec<_> =
        listed["entries"].as_array().unwrap().iter().map(|e| e["name"].clone()).collect();
    assert_eq!(names, ["ansible", "ssh", "terraform"]);
    assert_eq!(listed["entries"][0]["kind"], "directory");

    let write = json!({"type": "files.write", "request": "w", "path": "terraform/main.tf",
        "base_sha256": null, "content": "# mine\n"});
    let written = ask(&mut socket, write).await;
    assert_eq!((&written["type"], &written["bytes"]), (&json!("files.written"), &json!(7)));
    let content = ask(&mut socket, read("terraform/main.tf")).await;
    assert_eq!(content["content"], "# mine\n");
    assert_eq!(content["sha256"], written["sha256"]);
    assert_eq!(project.files().await["terraform/main.tf"], "# mine\n");

    let stale = json!({"type": "files.write", "request": "s", "path": "terraform/main.tf",
        "base_sha256": "00", "content": "# theirs\n"});
    let failed = ask(&mut socket, stale).await;
    assert_eq!((&failed["type"], &failed["code"]), (&json!("files.failed"), &json!("conflict")));
    assert_eq!(failed["detail"], "This file has changed since you opened it.");
}

#[tokio::test]
async fn the_end_of_a_large_log_is_read_without_the_rest() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Logs").await;
    project.sandbox_is_up().await;
    let mut socket = browser(&project).await;
    // Two of these lines fit into the end, which fits into one message.
    let lines: Vec<_> = ["a", "b", "c", "d"].iter().map(|c| c.repeat(8_000) + "\n").collect();
    let content = lines.concat();
    let write = json!({"type": "files.write", "request": "w", "path": "app.log",
        "base_sha256": null, "content": content});
    assert_eq!(ask(&mut socket, write).await["type"], "files.written");
    let mut end = read("app.log");
    end["end"] = json!(true);
    let end = ask(&mut socket, end).await;
    assert_eq!((&end["bytes"], &end["parts"]), (&json!(content.len()), &json!(1)));
    assert_eq!(end["content"], lines[2..].concat());
}

#[tokio::test]
async fn a_stranger_reads_only_their_own_workspace() {
    let World { owner, stranger, .. } = World::start().await;
    let (mine, theirs) = (owner.project("Mine").await, stranger.project("Theirs").await);
    mine.sandbox_is_up().await;
    theirs.sandbox_is_up().await;
    let mut my = browser(&mine).await;
    let write = json!({"type": "files.write", "request": "w", "path": "mine", "base_sha256": null,
        "content": "secret"});
    assert_eq!(ask(&mut my, write).await["type"], "files.written");
    let mut their = browser(&theirs).await;
    let home = format!("/home/{}/workspace/mine", mine.scope().username());
    let up = format!("../../{}/workspace/mine", mine.scope().username());
    for (path, code) in [("mine", "not_found"), (&home, "outside"), (&up, "outside")] {
        let failed = ask(&mut their, read(path)).await;
        assert_eq!(failed["code"], code, "{path}: {failed}");
    }
}

#[tokio::test]
async fn without_a_sandbox_a_request_is_answered_at_once() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Down").await;
    let failed = ask(&mut browser(&project).await, read("f")).await;
    assert_eq!((&failed["type"], &failed["code"]), (&json!("files.failed"), &json!("unavailable")));
    assert_eq!(failed["detail"], "The sandbox is not running.");
}
