//! Creating a project with the files of a repository on GitHub.

use crate::repositories::{cloned, git, granted, repository};
use api_tests::{Actor, Answer, Model, Project, World, eventually};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

/// The repository's files besides its README, all of which are imported.
const TAKEN: [(&str, &str); 4] = [
    ("ansible/site.yml", "- hosts: all\n"),
    ("compose.yaml", "services: {}\n"),
    ("run.sh", "echo hi\n"),
    ("terraform/main.tf", "resource \"null_resource\" \"one\" {}\n"),
];

/// Commits what `write` puts into a clone of the branch `main`, on this branch.
pub fn commit(owner: &Actor, repository: &str, branch: &str, write: impl FnOnce(&Path)) -> String {
    let clone = cloned(owner, repository, "main");
    write(clone.path());
    let me = ["-c", "user.name=Mona", "-c", "user.email=mona@example.com"];
    git(clone.path(), &["add", "--all"]);
    git(clone.path(), &[&me[..], &["commit", "--quiet", "-m", "Add files"]].concat());
    git(clone.path(), &["push", "--quiet", "origin", &format!("HEAD:refs/heads/{branch}")]);
    git(clone.path(), &["rev-parse", "HEAD"]).trim().to_owned()
}

pub fn put(folder: &Path, path: &str, content: impl AsRef<[u8]>) {
    let file = folder.join(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, content).unwrap();
}

fn taken(folder: &Path) {
    for (path, content) in TAKEN {
        put(folder, path, content);
    }
    fs::set_permissions(folder.join("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
}

pub async fn look(caller: &Actor, repository: &str, branch: &str) -> Answer {
    caller.get(&format!("/repositories/{repository}/files?branch={branch}")).await
}

pub async fn import(project: &Project, shown: &Value) -> Answer {
    let body = json!({
        "repository": shown["repository"],
        "branch": shown["branch"],
        "commit": shown["commit"],
        "files_sha256": shown["files_sha256"],
    });
    project.post(&format!("/projects/{}/repository/import", project.id), body).await
}

fn pairs<'a>(list: &'a Value, value: &str) -> BTreeMap<&'a str, &'a str> {
    let files = list.as_array().unwrap().iter();
    files.map(|file| (file["path"].as_str().unwrap(), file[value].as_str().unwrap())).collect()
}

#[tokio::test]
async fn a_project_begins_with_the_files_of_a_branch_and_its_agents_know_them() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let repository = repository(&owner, "infra").await;
    granted(&owner).await;
    let listed = owner.get("/repositories").await.is(200).json();
    assert_eq!(listed["missing_permissions"], json!([]));
    assert_eq!(listed["repositories"][0]["default_branch"], "main");

    let token = format!("ghp_{}", "0123456789abcdefghijABCDEFGHIJ012345");
    let head = commit(&owner, &repository, "feature/web", |folder| {
        taken(folder);
        put(folder, "terraform/terraform.tfstate", "{}");
        put(folder, "keys/id_ed25519", "made up");
        put(folder, "ssh/config", "Host server\n  HostName attacker.invalid\n");
        put(folder, "ssh/known_hosts", "attacker.invalid ssh-ed25519 AAAA\n");
        put(folder, "SSH/config", "Host server\n  HostName attacker.invalid\n");
        put(folder, "deploy.yml", format!("token: {token}\n"));
        put(folder, ".github/workflows/ci.yml", "on: push\n");
        put(folder, "logo.bin", [0xff, 0xfe]);
        put(folder, "bundle.bin", b"PK\x03\x04\xff");
        symlink("run.sh", folder.join("link.sh")).unwrap();
    });
    let shown = look(&owner, &repository, "feature/web").await.is(200).json();
    let kinds = [
        ("README.md", "other"),
        ("ansible/site.yml", "ansible"),
        ("compose.yaml", "compose"),
        ("logo.bin", "other"),
        ("run.sh", "other"),
        ("terraform/main.tf", "terraform"),
    ];
    assert_eq!(pairs(&shown["files"], "kind"), BTreeMap::from(kinds));
    let why = [
        (".github", "tools"),
        ("bundle.bin", "packed"),
        ("deploy.yml", "secret"),
        ("link.sh", "link"),
        ("SSH", "servers"),
        ("keys/id_ed25519", "private"),
        ("ssh", "servers"),
        ("terraform/terraform.tfstate", "private"),
    ];
    assert_eq!(pairs(&shown["staying"], "why"), BTreeMap::from(why));
    assert_eq!(shown["commit"], json!(head));

    let project = owner.project("Imported").await;
    let origin = import(&project, &shown).await.is(200).json();
    assert_eq!(import(&project, &shown).await.is(200).json(), origin);
    assert_eq!((&origin["commit"], &origin["branch"]), (&json!(head), &json!("feature/web")));
    let kept = project.get(&format!("/projects/{}/repository", project.id)).await.is(200).json();
    assert_eq!((&kept["origin"], &kept["repository"]), (&origin, &Value::Null));

    // As a backup, and as packed again by the sandbox that started with it.
    let begun = project.files().await;
    assert!(begun.keys().eq(kinds.map(|(path, _)| path)), "{:?}", begun.keys());
    project.sandbox_is_up().await;
    let logo = "test \"$(od -An -tx1 logo.bin)\" = ' ff fe'";
    let here = "test -x run.sh && test ! -x compose.yaml && test ! -e deploy.yml";
    project.execute(&[&format!("{here} && {logo}")]).await;
    project.complete(1).await;
    let files = project.files().await;
    for (path, content) in TAKEN {
        assert_eq!(files[path], content, "{path}");
    }

    project.chat("/planning/requirements-gatherer", "What do you see?").await;
    let asked = model.requests().last().unwrap().to_string();
    for told in ["<imported_files>", &repository, &head, "terraform/main.tf (Terraform)"] {
        assert!(asked.contains(told), "{told}: {asked}");
    }

    let later = commit(&owner, &repository, "later", taken);
    let later_shown = look(&owner, &repository, "later").await.is(200).json();
    assert_eq!(later_shown["commit"], json!(later));
    import(&project, &later_shown).await.refuses(409, "project_has_files");
}

#[tokio::test]
async fn only_the_installations_own_repositories_are_read_and_only_what_was_shown_is_imported() {
    let World { owner, stranger, .. } = World::start().await;
    let repository = repository(&owner, "infra").await;
    commit(&owner, &repository, "main", taken);
    let listed = owner.get("/repositories").await.is(200).json();
    assert_eq!(listed["missing_permissions"], json!(["contents"]));
    look(&owner, &repository, "main").await.refuses(409, "permission_missing");
    granted(&owner).await;
    granted(&stranger).await;
    let shown = look(&owner, &repository, "main").await.is(200).json();

    assert_eq!(stranger.get("/repositories").await.is(200).json()["repositories"], json!([]));
    look(&stranger, &repository, "main").await.refuses(404, "not_found");
    look(&owner, "owner/never-made", "main").await.refuses(404, "not_found");
    let mine = stranger.project("Mine").await;
    import(&mine, &shown).await.refuses(404, "not_found");
    let project = owner.project("Theirs").await;
    import(&stranger.project_of(&project), &shown).await.refuses(404, "not_found");

    look(&owner, &repository, "never").await.refuses(409, "no_such_branch");
    look(&owner, &repository, "a%3Fb").await.refuses(422, "invalid_branch");
    let mut other = shown.clone();
    other["files_sha256"] = json!("0".repeat(64));
    import(&project, &other).await.refuses(409, "files_changed");
    other["commit"] = json!("main");
    import(&project, &other).await.refuses(409, "files_changed");
    other["commit"] = json!("0".repeat(40));
    import(&project, &other).await.refuses(404, "not_found");
    for nothing in [&project, &mine] {
        let kept = nothing.kept().await;
        assert!(!kept.contains_key("ORIGIN") && !kept.contains_key("BACKUPS"), "{:?}", kept.keys());
    }

    // A running sandbox would overwrite these with its own files.
    let running = owner.project("Running").await;
    running.sandbox_is_up().await;
    import(&running, &shown).await.refuses(409, "project_has_files");
    import(&project, &shown).await.is(200);
}

#[tokio::test]
async fn no_project_begins_with_a_repository_with_too_many_files_or_none() {
    let World { owner, .. } = World::start().await;
    granted(&owner).await;
    let large = repository(&owner, "large").await;
    commit(&owner, &large, "main", |folder| {
        (0..400).for_each(|n| put(folder, &format!("roles/{n}.yml"), "- debug: {}\n"));
    });
    let told = look(&owner, &large, "main").await.refuses(409, "repository_too_large");
    assert!(told.contains("400 files"), "{told}");
    let private = repository(&owner, "private").await;
    commit(&owner, &private, "main", |folder| {
        fs::remove_file(folder.join("README.md")).unwrap();
        put(folder, "prod.tfvars", "size = 1\n");
    });
    look(&owner, &private, "main").await.refuses(409, "nothing_to_import");
    let empty = repository(&owner, "empty-one").await;
    look(&owner, &empty, "main").await.refuses(409, "no_such_branch");
}

#[tokio::test]
async fn the_branches_of_a_repository_are_listed_with_the_default_one_first() {
    let World { owner, stranger, .. } = World::start().await;
    let repository = repository(&owner, "infra").await;
    let of = |name: &str| format!("/repositories?repository={name}");
    owner.get(&of(&repository)).await.refuses(409, "permission_missing");
    granted(&owner).await;
    granted(&stranger).await;
    commit(&owner, &repository, "feature/web", taken);
    let listed = owner.get(&of(&repository)).await.is(200).json();
    let found = listed["repositories"].as_array().unwrap();
    assert_eq!((found.len(), &found[0]["full_name"]), (1, &json!(repository)));
    let branches = json!({"names": ["main", "feature/web"], "more": false});
    assert_eq!(found[0]["branches"], branches);
    let all = owner.get("/repositories").await.is(200).json();
    assert_eq!(all["repositories"][0]["branches"], Value::Null);

    stranger.get(&of(&repository)).await.refuses(404, "not_found");
    owner.get(&of("owner/never-made")).await.refuses(404, "not_found");
    owner.get(&of("owner%2F..")).await.refuses(422, "invalid_repository");
    let empty = self::repository(&owner, "empty-one").await;
    let none = owner.get(&of(&empty)).await.is(200).json();
    assert_eq!(none["repositories"][0]["branches"], json!({"names": [], "more": false}));
}

#[tokio::test]
async fn branches_are_read_page_by_page_up_to_a_bound() {
    let World { owner, .. } = World::start().await;
    granted(&owner).await;
    for (name, made, listed, more) in [("some", 100, 101, false), ("many", 320, 301, true)] {
        let repository = repository(&owner, name).await;
        let clone = cloned(&owner, &repository, "main");
        let branches: Vec<_> = (0..made).map(|n| format!("HEAD:refs/heads/a/{n:03}")).collect();
        let push = ["push", "--quiet", "origin"].into_iter();
        let push: Vec<_> = push.chain(branches.iter().map(String::as_str)).collect();
        git(clone.path(), &push);
        let found = owner.get(&format!("/repositories?repository={repository}")).await.is(200);
        let branches = &found.json()["repositories"][0]["branches"];
        let names = branches["names"].as_array().unwrap();
        assert_eq!((names.len(), &branches["more"]), (listed, &json!(more)), "{name}");
        assert_eq!((&names[0], &names[1]), (&json!("main"), &json!("a/000")));
    }
}

#[tokio::test]
async fn an_import_that_a_sandbox_overtakes_leaves_nothing_behind() {
    let model = Model::start().await;
    let World { app, owner, .. } = World::with(&model).await;
    let repository = repository(&owner, "held-infra").await;
    granted(&owner).await;
    commit(&owner, &repository, "main", taken);
    let shown = look(&owner, &repository, "main").await.is(200).json();
    let project = owner.project("Overtaken").await;
    let clone = cloned(&owner, &repository, "main");
    git(clone.path(), &["push", "--quiet", "origin", "HEAD:refs/heads/hold"]);
    let begun = tokio::spawn({
        let project = project.clone();
        async move { import(&project, &shown).await }
    });
    // The import has found that there are no files yet, and reads those of the repository.
    eventually("the import waits", async || {
        let held = git(clone.path(), &["ls-remote", "origin", "refs/heads/held"]);
        (!held.is_empty()).then_some(())
    })
    .await;
    project.execute(&["echo mine > mine.txt"]).await;
    project.complete(1).await;
    git(clone.path(), &["push", "--quiet", "origin", ":refs/heads/hold"]);
    begun.await.unwrap().refuses(409, "project_has_files");

    assert!(project.files().await.keys().eq(["mine.txt"]));
    let kept = project.kept().await;
    assert!(!kept.contains_key("ORIGIN"), "{:?}", kept.keys());
    let backups = kept["BACKUPS"]["list"].as_array().unwrap().len();
    if app.has_own_engines() && !app.is_shared() {
        let folder = format!("s3/groundcrew/backups/{}/{}", owner.installation(), project.id);
        let names = fs::read_dir(app.data().join(folder)).unwrap();
        let zip = |name: &String| name.ends_with(".zip");
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        assert_eq!(names.filter(zip).count(), backups);
    }
}
