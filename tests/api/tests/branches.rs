//! Where a push goes, and what it changes there.

use crate::pushes::built;
use crate::repositories::{cloned, git, granted, path, push, repository, shown};
use api_tests::{Model, Project, World};
use serde_json::{Value, json};

const MONA: [&str; 4] = ["-c", "user.name=Mona", "-c", "user.email=mona@example.com"];

/// Commits all changes of a clone as another person, and pushes them to a branch.
fn commit(clone: &std::path::Path, to: &str) {
    git(clone, &["add", "--all"]);
    git(clone, &[&MONA[..], &["commit", "--quiet", "-m", "Mine"]].concat());
    git(clone, &["push", "--quiet", "origin", &format!("HEAD:{to}")]);
}

/// The review of a push to this repository.
async fn review(project: &Project, repository: &str) -> Value {
    let files = path(project, &format!("/repository/files?repository={repository}"));
    project.post(&files, json!({})).await.is(200).json()
}

#[tokio::test]
async fn once_a_reviewers_commit_is_merged_the_next_push_opens_another_pull_request() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = built(&owner, "Reviewed", &["echo x > x.txt", "echo y > y.txt"]).await;
    let repository = repository(&owner, "infra").await;
    granted(&owner).await;
    push(&project, &repository, &shown(&project).await).await.is(200);
    let branch = "groundcrew/change-1";
    let clone = cloned(&project, &repository, branch);
    std::fs::write(clone.path().join("review.txt"), "fixed\n").unwrap();
    commit(clone.path(), branch);
    project.complete(2).await;
    let files = shown(&project).await;
    push(&project, &repository, &files).await.refuses(409, "branch_moved");

    let page = owner.app().url(&format!("/_local/github/{repository}/pull/1"));
    owner.press(&format!("{page}/merge")).await.is(302);
    let pushed = push(&project, &repository, &files).await.is(200).json();
    assert_eq!(pushed["push"]["pull_request"]["number"], 2);
    let clone = cloned(&project, &repository, branch);
    let new = git(clone.path(), &["diff", "--name-only", "origin/main...HEAD"]);
    assert_eq!(new, "y.txt\n", "the reviewer's file is there already");

    // A commit that no pull request merged is not left behind.
    std::fs::write(clone.path().join("late.txt"), "late\n").unwrap();
    owner.press(&format!("{}/merge", page.replace("/1", "/2"))).await.is(302);
    commit(clone.path(), branch);
    push(&project, &repository, &files).await.refuses(409, "branch_moved");
}

#[tokio::test]
async fn two_projects_can_use_one_repository() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let first = built(&owner, "First", &["mkdir one; echo x > one/x.txt"]).await;
    let second = built(&owner, "Second", &["mkdir two; echo x > two/x.txt"]).await;
    let repository = repository(&owner, "infra").await;
    granted(&owner).await;
    let of = async |project: &Project| {
        let shown = review(project, &repository).await;
        let pushed = push(project, &repository, &shown).await.is(200).json();
        assert_eq!(pushed["push"]["branch"], shown["branch"]);
        (shown["branch"].clone(), pushed["push"]["pull_request"]["number"].clone())
    };
    assert_eq!(of(&first).await, (json!("groundcrew/change-1"), json!(1)));
    let own = format!("groundcrew/project-{}/change-1", second.id);
    for _ in 0..2 {
        assert_eq!(of(&second).await, (json!(own), json!(2)));
        assert_eq!(of(&first).await, (json!("groundcrew/change-1"), json!(1)));
    }
}

#[tokio::test]
async fn a_review_names_the_files_that_a_push_would_replace_or_delete() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let scripts = ["echo x > x.txt; echo y > y.txt", "rm x.txt"];
    let project = built(&owner, "Named", &scripts).await;
    let repository = repository(&owner, "infra").await;
    granted(&owner).await;
    let nothing = json!({"replaced": [], "deleted": []});
    assert_eq!(shown(&project).await["there"], Value::Null);
    let first = review(&project, &repository).await;
    assert_eq!(first["there"], nothing, "an empty repository");
    push(&project, &repository, &first).await.is(200);
    assert_eq!(review(&project, &repository).await["there"], nothing);

    let page = owner.app().url(&format!("/_local/github/{repository}/pull/1"));
    owner.press(&format!("{page}/merge")).await.is(302);
    let clone = cloned(&project, &repository, "main");
    std::fs::write(clone.path().join("x.txt"), "a colleague's\n").unwrap();
    std::fs::write(clone.path().join("y.txt"), "a colleague's\n").unwrap();
    commit(clone.path(), "main");
    project.complete(2).await;
    let next = review(&project, &repository).await;
    assert_eq!(next["there"], json!({"replaced": ["y.txt"], "deleted": ["x.txt"]}));

    // Only the deletions that were shown are made.
    let body = |deleted: Value| {
        json!({
            "repository": repository,
            "backup_id": next["backup_id"],
            "files_sha256": next["files_sha256"],
            "deleted": deleted,
        })
    };
    let to = path(&project, "/repository/push");
    for other in [json!([]), json!(["y.txt"]), json!(["x.txt", "y.txt"])] {
        let text = project.post(&to, body(other)).await.refuses(409, "files_changed");
        assert!(text.contains("delete other files"), "{text}");
    }
    project.post(&to, body(json!(["x.txt"]))).await.is(200);
    let branch = cloned(&project, &repository, "groundcrew/change-1");
    assert!(!branch.path().join("x.txt").exists());
}

#[tokio::test]
async fn a_default_branch_that_no_address_can_name_is_refused_and_gets_no_commit() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = built(&owner, "Odd", &["echo x > x.txt"]).await;
    let repository = repository(&owner, "odd-infra").await;
    granted(&owner).await;
    let shown = shown(&project).await;
    push(&project, &repository, &shown).await.refuses(409, "default_branch_name");
    let files = path(&project, &format!("/repository/files?repository={repository}"));
    project.post(&files, json!({})).await.refuses(409, "default_branch_name");
}
