//! Downloading the files of a project.

use api_tests::{Answer, Model, Project, Settings, World};
use serde_json::json;

fn folder_path(project: &Project) -> String {
    let scope = project.scope();
    format!("/workspace/folder_download?path=/home/{}/workspace/", scope.username())
}

async fn download(project: &Project) -> Answer {
    project.get(&format!("/projects/{}/workspace/download", project.id)).await
}

#[tokio::test]
async fn the_zip_contains_the_files_of_the_steps() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Files").await;
    project.execute(&["mkdir -p terraform/modules; echo resource > terraform/modules/main.tf; echo hi > note.txt"]).await;
    project.complete(1).await;
    let zip = download(&project).await.is(200);
    assert_eq!(zip.header("content-type"), "application/zip");
    let attachment = format!("attachment; filename=\"{}-working-directory.zip\"", project.id);
    assert_eq!(zip.header("content-disposition"), attachment);
    assert_eq!(zip.header("content-length"), zip.body.len().to_string());
    let files = zip.files();
    assert_eq!(files["note.txt"], "hi\n");
    assert_eq!(files["terraform/modules/main.tf"], "resource\n");
    assert_eq!(files.len(), 2, "{files:?}");

    let folder = project.get(&folder_path(&project)).await.is(200);
    let attachment = format!("attachment; filename=\"{}.zip\"", project.scope().username());
    assert_eq!(folder.header("content-disposition"), attachment);
    assert_eq!(folder.files(), files);
}

#[tokio::test]
async fn a_running_sandbox_provides_its_present_files() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Now").await;
    project.execute(&["echo first > first.txt"]).await;
    project.complete(1).await;
    let mut terminal = project.terminal().await;
    terminal.attach().await;
    terminal.types("echo by hand > hand.txt && echo wri''tten\r").await;
    terminal.shows("written").await;
    let files = project.files().await;
    assert_eq!(files.keys().collect::<Vec<_>>(), ["first.txt", "hand.txt"]);
}

#[tokio::test]
async fn a_stopped_sandbox_provides_its_last_backup() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Stopped").await;
    project.execute(&["echo kept > kept.txt"]).await;
    project.complete(1).await;
    let before = project.files().await;
    project.post(&project.path("/sandbox/stop"), json!({})).await.is(200);
    assert_eq!(project.files().await, before);
}

#[tokio::test]
async fn a_download_during_a_restore_is_complete() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Restored").await;
    project.execute(&["seq 1 500000 > numbers.txt; echo kept > kept.txt"]).await;
    project.complete(1).await;
    let before = project.files().await;
    project.post(&project.path("/sandbox/stop"), json!({})).await.is(200);
    project.sandbox_is_up().await;
    // Immediate: the download uses the backup that will also fill the next sandbox.
    assert!(project.files().await == before, "not the earlier files");
}

#[tokio::test]
async fn without_files_there_is_nothing_to_download() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Empty").await;
    let text = download(&project).await.refuses(409, "no_workspace");
    assert_eq!(text, "There are no files yet. Start the sandbox first.");
    project.get(&folder_path(&project)).await.refuses(409, "no_workspace");
}

#[tokio::test]
async fn only_the_whole_workspace_of_the_caller_can_be_downloaded() {
    let model = Model::start().await;
    let World { owner, stranger, .. } = World::with(&model).await;
    let project = owner.project("Private").await;
    project.execute(&["echo secret > secret.txt"]).await;
    project.complete(1).await;
    let home = format!("/home/{}", project.scope().username());
    for path in [
        String::new(),
        home.clone(),
        format!("{home}/"),
        format!("{home}/workspace/../../.."),
        format!("{home}/workspace/secret.txt"),
        "/etc/passwd".to_owned(),
        "../../etc/passwd".to_owned(),
        format!("/root{home}/workspace/"),
    ] {
        let path = format!("/workspace/folder_download?path={path}");
        project.get(&path).await.refuses(404, "not_found");
    }
    stranger.get(&folder_path(&project)).await.refuses(404, "not_found");
    let theirs = format!("/projects/{}/workspace/download", project.id);
    stranger.get(&theirs).await.refuses(404, "not_found");
    // A path in the stranger's own project that names another's project, in another's home.
    let mixed = format!("/home/user_{}_{}/workspace/", stranger.installation(), project.id);
    let mixed = format!("/workspace/folder_download?path={mixed}");
    stranger.get(&mixed).await.refuses(404, "not_found");
    owner.get(&mixed).await.refuses(404, "not_found");
}

#[tokio::test]
async fn a_zip_that_is_too_large_for_an_answer_is_served_by_the_bucket() {
    let model = Model::start().await;
    let variables = vec![("SENT_ZIP_BYTES", "100".to_owned())];
    let settings = Settings { variables, ..Settings::with_model(&model) };
    let World { owner, visitor, .. } = World::with_settings(settings).await;
    let project = owner.project("Large").await;
    project.execute(&["echo kept > kept.txt"]).await;
    project.complete(1).await;
    for answer in [download(&project).await, project.get(&folder_path(&project)).await] {
        let place = answer.is(200).json();
        let zip = visitor.open(place["url"].as_str().unwrap()).await.is(200);
        assert_eq!(place["bytes"], zip.body.len());
        assert_eq!(zip.files()["kept.txt"], "kept\n");
    }
}
