//! Pushing the files of a project to a repository on GitHub.

use crate::changes::Changed;
use api_tests::{Actor, Answer, Model, Project, World};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// The files that the first step of each project writes: some that are pushed, and one of each kind that is not.
const FILES: &str = "mkdir -p terraform/.terraform/providers ansible ssh\n\
    printf 'resource \"null_resource\" \"one\" {}\\n' > terraform/main.tf\n\
    printf 'lock\\n' > terraform/.terraform.lock.hcl\n\
    printf 'plugin\\n' > terraform/.terraform/providers/plugin\n\
    printf '{}\\n' > terraform/terraform.tfstate\n\
    printf -- '- hosts: all\\n' > ansible/site.yml\n\
    printf 'made up\\n' > ssh/id_ed25519\n\
    printf 'echo hi\\n' > run.sh; chmod +x run.sh\n\
    printf '\\377\\376' > logo.bin\n\
    ln -s run.sh link.sh";

async fn built(owner: &Actor, name: &str, more: &str) -> Project {
    let project = owner.project(name).await;
    project
        .execute(&[&format!("{FILES}\n{more}"), "rm ansible/site.yml; echo two > two.txt"])
        .await;
    project.complete(1).await;
    project
}

pub async fn repository(owner: &Actor, name: &str) -> String {
    let page = owner.app().url("/_local/github/new");
    owner.submit(&page, &[("owner", "owner"), ("name", name)]).await.is(302);
    format!("owner/{name}")
}

pub async fn granted(owner: &Actor) {
    let id = owner.installation();
    let page = format!("/_local/github/settings/installations/{id}/permissions/update");
    owner.press(&owner.app().url(&page)).await.is(302);
}

/// The files that a push would carry.
pub async fn shown(project: &Project) -> Value {
    project.post(&path(project, "/repository/files"), json!({})).await.is(200).json()
}

/// The path of a call about a project.
pub fn path(project: &Project, rest: &str) -> String {
    format!("/projects/{}{rest}", project.id)
}

/// Pushes the files that were shown.
pub async fn push(project: &Project, repository: &str, shown: &Value) -> Answer {
    let body = json!({
        "repository": repository,
        "backup_id": shown["backup_id"],
        "files_sha256": shown["files_sha256"],
    });
    project.post(&path(project, "/repository/push"), body).await
}

/// The paths in a list of files.
pub fn paths(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect()
}

/// `git`, without any of this machine's settings.
pub fn git(folder: &Path, args: &[&str]) -> String {
    let mut git = Command::new("git");
    git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    git.env("GIT_TERMINAL_PROMPT", "0").env("no_proxy", "*");
    let output = git.args(args).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A clone of a branch.
pub fn cloned(owner: &Actor, repository: &str, branch: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let address = owner.app().url(&format!("/_local/github/{repository}.git"));
    git(folder.path(), &["clone", "--quiet", "--branch", branch, &address, "."]);
    folder
}

/// The files of a clone, with their modes.
pub fn committed(clone: &Path) -> BTreeMap<String, String> {
    let listed = git(clone, &["ls-files", "--stage", "-z"]);
    let entry = |line: &str| {
        let (about, path) = line.split_once('\t').unwrap();
        (path.to_owned(), about.split(' ').next().unwrap().to_owned())
    };
    listed.split_terminator('\0').map(entry).collect()
}

/// The cells of a step's row in the text of a pull request.
fn row(shown: &Value, number: u32) -> Vec<&str> {
    let text = shown["text"].as_str().unwrap();
    let (_, steps) = text.split_once("## Steps").unwrap();
    let row = steps.lines().find(|line| line.starts_with(&format!("| {number} |"))).unwrap();
    row.trim_matches('|').split('|').map(str::trim).collect()
}

#[tokio::test]
async fn no_person_is_named_as_the_approver_of_a_script_that_they_did_not_approve() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = built(&owner, "Approved", "").await;
    let approved = shown(&project).await;
    assert_eq!(row(&approved, 1)[2..4], ["completed", "owner"]);

    let waits = project.step_is(2, "waiting_approval").await;
    project.decide(&waits, false).await.is(200);
    // Asking for another try is recorded as an approval too, of the attempt that was rejected.
    project.decide(&project.step(2).await, true).await.is(200);
    project.step_when(2, "waits again", |step| step.is_waiting()).await;
    assert_eq!(row(&shown(&project).await, 2)[2..4], ["waiting approval", "not approved"]);
    project.decide(&project.step(2).await, false).await.is(200);
    assert_eq!(row(&shown(&project).await, 2)[2..4], ["failed", "not approved"]);

    let tear_down = json!({"wish": "", "kind": "tear_down"});
    project.post(&project.changes_path(""), tear_down).await.is(201);
    let past = project.get(&project.changes_path("/1")).await.is(200).json();
    let step = |index: usize| {
        let step = &past["steps"][index];
        (step["approved_by"]["login"].as_str(), step["only_reads"].as_bool())
    };
    assert_eq!((step(0), step(1)), ((Some("owner"), Some(false)), (None, Some(false))));
}

#[tokio::test]
async fn a_push_is_a_branch_that_git_clones_and_a_pull_request_with_the_evidence() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = built(&owner, "Pushed", "").await;
    let repository = repository(&owner, "infra").await;
    granted(&owner).await;
    let before = shown(&project).await;
    let leaving = [
        "ansible/site.yml",
        "logo.bin",
        "run.sh",
        "terraform/.terraform.lock.hcl",
        "terraform/main.tf",
    ];
    assert_eq!(paths(&before["files"]), leaving);
    let staying: BTreeMap<_, _> = before["staying"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| (file["path"].as_str().unwrap(), file["why"].as_str().unwrap()))
        .collect();
    let expected = [
        ("link.sh", "link"),
        ("ssh/id_ed25519", "private"),
        ("terraform/.terraform", "tools"),
        ("terraform/terraform.tfstate", "private"),
    ];
    assert_eq!(staying, BTreeMap::from(expected));

    let result = push(&project, &repository, &before).await.is(200).json();
    assert_eq!(result["committed"], true);
    let pushed = &result["push"];
    assert_eq!(pushed["branch"], "groundcrew/change-1");
    let clone = cloned(&project, &repository, "groundcrew/change-1");
    let files = committed(clone.path());
    let mut all = leaving.to_vec();
    all.push("README.md");
    all.sort_unstable();
    assert_eq!(files.keys().collect::<Vec<_>>(), all);
    assert_eq!(
        (files["run.sh"].as_str(), files["terraform/main.tf"].as_str()),
        ("100755", "100644")
    );
    let main = std::fs::read_to_string(clone.path().join("terraform/main.tf")).unwrap();
    assert_eq!(main, "resource \"null_resource\" \"one\" {}\n");
    assert_eq!(git(clone.path(), &["rev-parse", "HEAD"]).trim(), pushed["commit"]);

    let page = owner.open(pushed["pull_request"]["url"].as_str().unwrap()).await.is(200).text();
    let digest = project.step(1).await.command_sha256.unwrap();
    for said in ["Build Pushed", "## Steps", "| 1 |", "owner", &digest, "terraform/main.tf"] {
        assert!(page.contains(said), "{said}: {page}");
    }
    let kept = project.get(&path(&project, "/repository")).await.is(200).json();
    assert_eq!(kept["repository"], json!(repository));
    assert_eq!(kept["pushes"], json!([pushed]));
}

#[tokio::test]
async fn a_push_of_the_same_files_changes_nothing_and_a_deleted_file_is_removed() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = built(&owner, "Again", "").await;
    let repository = repository(&owner, "empty-infra").await;
    granted(&owner).await;
    let first = push(&project, &repository, &shown(&project).await).await.is(200).json();
    let again = push(&project, &repository, &shown(&project).await).await.is(200).json();
    assert_eq!(again["committed"], false);
    for same in ["commit", "pull_request", "files_sha256"] {
        assert_eq!(again["push"][same], first["push"][same], "{same}");
    }

    project.complete(2).await;
    let later = push(&project, &repository, &shown(&project).await).await.is(200).json();
    assert_eq!(later["committed"], true);
    assert_eq!(later["push"]["pull_request"], first["push"]["pull_request"]);
    let clone = cloned(&project, &repository, "groundcrew/change-1");
    let files = committed(clone.path());
    assert!(files.contains_key("two.txt") && !files.contains_key("ansible/site.yml"), "{files:?}");
    // Files that somebody else committed there stay.
    assert!(files.contains_key("README.md"), "{files:?}");

    let url = later["push"]["pull_request"]["url"].as_str().unwrap();
    owner.press(&format!("{url}/merge")).await.is(302);
    let merged = push(&project, &repository, &shown(&project).await).await.is(200).json();
    assert_eq!(
        (&merged["committed"], &merged["push"]["pull_request"]),
        (&json!(false), &Value::Null)
    );
}

#[tokio::test]
async fn a_push_names_the_text_that_was_shown() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = built(&owner, "Told", "").await;
    let repository = repository(&owner, "infra").await;
    granted(&owner).await;
    let before = shown(&project).await;
    let with_text = |shown: &Value| {
        json!({
            "repository": repository,
            "backup_id": shown["backup_id"],
            "files_sha256": shown["files_sha256"],
            "text_sha256": shown["text_sha256"],
        })
    };
    // The second step's result and approval are news for the pull request.
    project.complete(2).await;
    let call = path(&project, "/repository/push");
    let told = project.post(&call, with_text(&before)).await.refuses(409, "text_changed");
    assert!(told.contains("pull request"), "{told}");
    let kept = project.get(&path(&project, "/repository")).await.is(200).json();
    assert_eq!(kept["pushes"], json!([]));
    let now = shown(&project).await;
    assert_ne!(now["text_sha256"], before["text_sha256"]);
    project.post(&call, with_text(&now)).await.is(200);
    // A call without a text concerns only the files.
    push(&project, &repository, &before).await.is(200);
}

#[tokio::test]
async fn a_file_with_a_credential_or_a_secret_is_not_pushed() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Secrets").await;
    let value = "plain-words-only";
    let kept = json!({"values": {"HCLOUD_TOKEN": value}});
    project.put("/planning/credentials/hetzner", kept).await.is(204);
    let token = format!("ghp_{}", "0123456789abcdefghijABCDEFGHIJ012345");
    project
        .execute(&[&format!(
            "printf 'x = \"%s-%s\"\\n' plain words-only > with-value.tf; \
             printf 'ok\\n' > fine.tf; printf 'token: %s%s\\n' {} {} > with-token.yml",
            &token[..10],
            &token[10..]
        )])
        .await;
    project.complete(1).await;
    let shown = shown(&project).await;
    assert_eq!(paths(&shown["files"]), ["fine.tf"]);
    let staying = json!([
        {"path": "with-token.yml", "why": "secret"},
        {"path": "with-value.tf", "why": "credential"},
    ]);
    assert_eq!(shown["staying"], staying);
}

#[tokio::test]
async fn permissions_are_requested_when_they_are_needed() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = built(&owner, "Rights", "").await;
    let repository = repository(&owner, "infra").await;
    let all = path(&project, "/repositories");
    let before = project.get(&all).await.is(200).json();
    assert_eq!(before["missing_permissions"], json!(["contents", "pull_requests"]));
    assert_eq!(before["repositories"][0]["full_name"], json!(repository));
    let shown = shown(&project).await;
    push(&project, &repository, &shown).await.refuses(409, "permission_missing");
    let grant = before["grant_url"].as_str().unwrap();
    owner.open(grant).await.is(200);
    owner.press(grant).await.is(302);
    assert_eq!(project.get(&all).await.is(200).json()["missing_permissions"], json!([]));
    push(&project, &repository, &shown).await.is(200);

    // GitHub suspends the installation, and its sessions end.
    let settings =
        format!("/_local/github/settings/installations/{}/suspend", owner.installation());
    owner.press(&owner.app().url(&settings)).await.is(302);
    push(&project, &repository, &shown).await.refuses(401, "signed_out");
}

#[tokio::test]
async fn a_push_to_an_unavailable_repository_is_refused_with_a_reason_and_changes_nothing() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = built(&owner, "Refused", "").await;
    granted(&owner).await;
    let shown = shown(&project).await;
    for (name, status, code) in [
        ("archived-one", 409, "repository_archived"),
        ("protected-one", 409, "branch_protected"),
        ("busy-one", 429, "github_busy"),
    ] {
        let repository = repository(&owner, name).await;
        push(&project, &repository, &shown).await.refuses(status, code);
    }
    push(&project, "owner/never-made", &shown).await.refuses(409, "repository_gone");
    push(&project, "stranger/infra", &shown).await.refuses(409, "repository_gone");
    push(&project, "owner/../x", &shown).await.refuses(422, "invalid_repository");
    let kept = project.get(&path(&project, "/repository")).await.is(200).json();
    assert_eq!(kept["pushes"], json!([]));

    let mut other = shown.clone();
    other["files_sha256"] = json!("0".repeat(64));
    push(&project, "owner/infra", &other).await.refuses(409, "files_changed");
    other["backup_id"] = json!("../../../x");
    push(&project, "owner/infra", &other).await.refuses(409, "files_changed");
    push(&project, &repository(&owner, "infra").await, &shown).await.is(200);
}

#[tokio::test]
async fn no_commits_are_overwritten() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = built(&owner, "Moved", "").await;
    let repository = repository(&owner, "infra").await;
    granted(&owner).await;
    push(&project, &repository, &shown(&project).await).await.is(200);
    let clone = cloned(&project, &repository, "groundcrew/change-1");
    let me = ["-c", "user.name=Mona", "-c", "user.email=mona@example.com"];
    git(clone.path(), &[&me[..], &["commit", "--quiet", "--allow-empty", "-m", "Mine"]].concat());
    git(clone.path(), &["push", "--quiet", "origin", "HEAD"]);
    let mine = git(clone.path(), &["rev-parse", "HEAD"]);
    project.complete(2).await;
    let shown = shown(&project).await;
    let text = push(&project, &repository, &shown).await.refuses(409, "branch_moved");
    assert!(text.contains("groundcrew/change-1"), "{text}");
    let after = cloned(&project, &repository, "groundcrew/change-1");
    assert_eq!(git(after.path(), &["rev-parse", "HEAD"]), mine);
}

#[tokio::test]
async fn without_files_there_is_nothing_to_push() {
    let World { owner, stranger, .. } = World::start().await;
    let project = owner.project("Empty").await;
    let files = path(&project, "/repository/files");
    project.post(&files, json!({})).await.refuses(409, "no_workspace");
    stranger.post(&files, json!({})).await.refuses(404, "not_found");
    for call in ["/repository", "/repositories"] {
        stranger.get(&path(&project, call)).await.refuses(404, "not_found");
    }
}
