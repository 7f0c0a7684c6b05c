//! Pushes of many files, of files that are not text, and to a GitHub that refuses, fails or does not answer.

use crate::repositories::{cloned, committed, git, granted, path, paths, push, repository, shown};
use api_tests::{Actor, Model, Project, Settings, World};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::path::Path;

const BRANCH: &str = "groundcrew/change-1";

/// 960 text files and 40 binary ones, in folders; among them an empty one, long ones, and executable ones.
const A_THOUSAND: &str = "mkdir -p conf/a conf/b img\n\
    for n in $(seq 1 475); do printf 'name = \"%s\"\\r\\n' $n > conf/a/$n.conf; printf 'é %s' $n > conf/b/$n.txt; done\n\
    for n in $(seq 1 40); do printf '\\211PNG\\r\\n\\032\\n\\000%s\\377' $n > img/$n.png; done\n\
    for n in 1 2 3 4 5; do head -c 900000 /dev/zero | tr '\\0' 'x' | fold -w 79 > conf/long$n.txt; done\n\
    : > empty; printf 'a\\000b' > nul; printf 'echo hi\\n' > run.sh; cp run.sh 'with space.sh'; chmod +x *.sh\n\
    head -c 1048576 /dev/zero | tr '\\0' 'y' > largest.txt";
/// The total number of these files.
const FILES: usize = 1_000;

pub async fn built(owner: &Actor, name: &str, scripts: &[&str]) -> Project {
    let project = owner.project(name).await;
    project.execute(scripts).await;
    project.complete(1).await;
    project
}

/// The files in a folder of a clone, with their contents.
fn contents(clone: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = committed(clone).into_keys();
    files.map(|path| (path.clone(), std::fs::read(clone.join(&path)).unwrap())).collect()
}

/// The files in the workspace, with their contents.
async fn workspace(project: &Project) -> BTreeMap<String, Vec<u8>> {
    let zip = project.get(&path(project, "/workspace/download")).await.is(200);
    let mut zip = zip::ZipArchive::new(Cursor::new(zip.body)).unwrap();
    let mut files = BTreeMap::new();
    for index in 0..zip.len() {
        let mut file = zip.by_index(index).unwrap();
        if file.is_file() {
            let mut content = Vec::new();
            file.read_to_end(&mut content).unwrap();
            files.insert(file.name().unwrap().into_owned(), content);
        }
    }
    files
}

fn branches(owner: &Actor, repository: &str) -> String {
    let address = owner.app().url(&format!("/_local/github/{repository}.git"));
    git(Path::new("."), &["ls-remote", "--heads", &address])
}

fn why(staying: &Value) -> BTreeMap<&str, &str> {
    let files = staying.as_array().unwrap().iter();
    files.map(|file| (file["path"].as_str().unwrap(), file["why"].as_str().unwrap())).collect()
}

#[tokio::test]
async fn a_thousand_files_arrive_byte_for_byte_and_deleted_ones_are_removed() {
    let model = Model::start().await;
    // An unoptimized build takes long to search for secrets.
    let variables = vec![("PUSH_SECONDS", "300".to_owned())];
    let settings = Settings { variables, ..Settings::with_model(&model) };
    let World { owner, .. } = World::with_settings(settings).await;
    let later = "rm -r conf/a img; mkdir img; printf 'a folder no more' > conf/a; mkdir nul.d; mv nul nul.d/nul; \
        chmod -x run.sh; printf '\\377new' > img/1.png; rm empty; mkdir empty; printf x > empty/file";
    let project = built(&owner, "Large", &[A_THOUSAND, later]).await;
    let repository = repository(&owner, "infra").await;
    granted(&owner).await;
    let leaving = shown(&project).await;
    assert_eq!((paths(&leaving["files"]).len(), &leaving["staying"]), (FILES, &json!([])));
    push(&project, &repository, &leaving).await.is(200);
    let clone = cloned(&project, &repository, BRANCH);
    let mut arrived = contents(clone.path());
    assert!(arrived.remove("README.md").is_some());
    assert!(arrived == workspace(&project).await, "{:?}", arrived.keys());
    let modes = committed(clone.path());
    let run: Vec<_> = modes.iter().filter(|(_, mode)| *mode == "100755").collect();
    assert_eq!(
        run.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(),
        ["run.sh", "with space.sh"]
    );

    project.complete(2).await;
    let result = push(&project, &repository, &shown(&project).await).await.is(200).json();
    assert_eq!(result["committed"], true);
    let clone = cloned(&project, &repository, BRANCH);
    let mut arrived = contents(clone.path());
    assert!(arrived.remove("README.md").is_some());
    assert!(arrived == workspace(&project).await, "{:?}", arrived.keys());
    assert_eq!(committed(clone.path())["run.sh"], "100644");
}

#[tokio::test]
async fn a_push_over_its_limits_is_refused_and_a_file_over_its_limit_is_left_out() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let scripts = [
        "head -c 1048577 /dev/zero | tr '\\0' 'z' > large.txt; echo x > small.txt",
        "for n in $(seq 1 1000); do echo $n > $n.txt; done",
    ];
    let project = built(&owner, "Bounds", &scripts).await;
    let leaving = shown(&project).await;
    assert_eq!(paths(&leaving["files"]), ["small.txt"]);
    assert_eq!(why(&leaving["staying"]), BTreeMap::from([("large.txt", "too_large")]));
    project.complete(2).await;
    let told = project.post(&path(&project, "/repository/files"), json!({})).await;
    let told = told.refuses(409, "workspace_too_large");
    assert!(told.contains("1000 files and 16 MiB"), "{told}");
}

#[tokio::test]
async fn keys_and_secrets_in_binary_files_are_named_and_not_pushed() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    // The first bytes of an elliptic curve key in DER, of a Java keystore, and of a zip, under neutral names.
    let script = "printf '\\060\\167\\002\\001\\001\\004\\040%s' 01234567890123456789012345678901 > device.bin\n\
        printf '\\376\\355\\376\\355\\000\\000\\000\\002' > trust.bin; printf 'PK\\003\\004\\377' > bundle.bin\n\
        printf '\\177ELF\\000-----BEGIN %s KEY-----\\000' PRIVATE > tool.bin; printf '\\377AKIA%s\\000' IOSFODNN7ABCDEFG > id.bin\n\
        printf '\\211PNG\\000' > logo.png; for n in a.p12 a.jks a.kdbx id_ed25519 x.tfstate .git-credentials; do printf x > $n; done";
    let project = built(&owner, "Keys", &[script]).await;
    let repository = repository(&owner, "infra").await;
    granted(&owner).await;
    let leaving = shown(&project).await;
    let staying = [
        (".git-credentials", "tools"),
        ("a.jks", "private"),
        ("a.kdbx", "private"),
        ("a.p12", "private"),
        ("bundle.bin", "packed"),
        ("device.bin", "private_key"),
        ("id.bin", "secret"),
        ("id_ed25519", "private"),
        ("tool.bin", "private_key"),
        ("trust.bin", "private_key"),
        ("x.tfstate", "private"),
    ];
    assert_eq!(why(&leaving["staying"]), BTreeMap::from(staying));
    let result = push(&project, &repository, &leaving).await.is(200).json();
    assert_eq!(result["staying"], leaving["staying"]);
    let clone = cloned(&project, &repository, BRANCH);
    assert!(contents(clone.path()).into_keys().eq(["README.md", "logo.png"]));
}

#[tokio::test]
async fn a_push_that_github_limits_moves_no_branch_and_the_next_one_continues() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let script = "for n in $(seq 1 35); do printf '\\377%s' $n > $n.bin; done";
    let project = built(&owner, "Bounded", &[script]).await;
    let repository = repository(&owner, "limited-infra").await;
    granted(&owner).await;
    let leaving = shown(&project).await;
    let told = push(&project, &repository, &leaving).await;
    assert_eq!(told.header("retry-after"), "60");
    let told = told.refuses(429, "github_busy");
    assert!(told.contains("60 seconds") && told.contains("continues"), "{told}");
    assert!(!branches(&owner, &repository).contains(BRANCH));
    // One token may create 20 blobs, so this succeeds only if the first 20 are reused.
    push(&project, &repository, &leaving).await.is(200);
    let clone = cloned(&project, &repository, BRANCH);
    assert_eq!(contents(clone.path()).len(), 36);
}

#[tokio::test]
async fn a_push_that_takes_too_long_moves_no_branch() {
    let model = Model::start().await;
    let variables = vec![("PUSH_SECONDS", "5".to_owned())];
    let settings = Settings { variables, ..Settings::with_model(&model) };
    let World { owner, .. } = World::with_settings(settings).await;
    let project = built(&owner, "Slow", &["echo x > x.txt"]).await;
    let repository = repository(&owner, "stuck-infra").await;
    granted(&owner).await;
    let leaving = shown(&project).await;
    let told = push(&project, &repository, &leaving).await.refuses(504, "push_too_slow");
    assert!(told.contains("within 5 seconds") && told.contains("Push again"), "{told}");
    assert!(!branches(&owner, &repository).contains(BRANCH));
    let kept = project.get(&path(&project, "/repository")).await.is(200).json();
    assert_eq!(kept["pushes"], json!([]));
}

#[tokio::test]
async fn an_existing_pull_request_gets_the_new_title_and_the_new_text() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = built(&owner, "Former", &["echo x > x.txt"]).await;
    granted(&owner).await;
    for name in ["infra", "failing-infra"] {
        let repository = repository(&owner, name).await;
        project
            .call(reqwest::Method::PATCH, &path(&project, ""))
            .json(&json!({"name": "Former"}))
            .send()
            .await
            .is(200);
        let first = push(&project, &repository, &shown(&project).await).await.is(200).json();
        let url = first["push"]["pull_request"]["url"].as_str().unwrap();
        assert!(owner.open(url).await.is(200).text().contains("Build Former"));
        project
            .call(reqwest::Method::PATCH, &path(&project, ""))
            .json(&json!({"name": "Latter"}))
            .send()
            .await
            .is(200);
        let second = push(&project, &repository, &shown(&project).await).await.is(200).json();
        assert_eq!(second["push"]["pull_request"], first["push"]["pull_request"]);
        let page = owner.open(url).await.is(200).text();
        let problem = &second["pull_request_problem"];
        match name {
            "infra" => {
                assert!(page.contains("Build Latter") && page.contains("project Latter"), "{page}");
                assert_eq!(problem, &Value::Null);
            }
            // The branch has the files, and the answer says what is missing.
            _ => assert!(page.contains("Build Former") && problem.is_string(), "{page}: {problem}"),
        }
    }
}

#[tokio::test]
async fn after_a_pull_request_was_closed_or_merged_new_changes_open_another() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let scripts = ["echo x > x.txt", "echo y > y.txt", "echo z > z.txt"];
    let project = built(&owner, "Ended", &scripts).await;
    let repository = repository(&owner, "infra").await;
    granted(&owner).await;
    let pushed = async || push(&project, &repository, &shown(&project).await).await.is(200).json();
    let number = |result: &Value| result["push"]["pull_request"]["number"].clone();
    let page =
        |number: &Value| owner.app().url(&format!("/_local/github/{repository}/pull/{number}"));
    let first = number(&pushed().await);
    owner.press(&format!("{}/close", page(&first))).await.is(302);
    let second = number(&pushed().await);
    assert_eq!((&first, &second), (&json!(1), &json!(2)));

    // Squashed: the default branch has the files, but none of the branch's commits.
    owner.press(&format!("{}/squash", page(&second))).await.is(302);
    let none = pushed().await;
    assert_eq!((&none["committed"], number(&none)), (&json!(false), Value::Null));
    project.complete(2).await;
    let third = pushed().await;
    assert_eq!((&third["committed"], number(&third)), (&json!(true), json!(3)));
    let clone = cloned(&project, &repository, BRANCH);
    let new = git(clone.path(), &["diff", "--name-only", "origin/main...HEAD"]);
    assert_eq!(new, "y.txt\n");
    owner.press(&format!("{}/merge", page(&json!(3)))).await.is(302);
    project.complete(3).await;
    assert_eq!(number(&pushed().await), json!(4));
    owner.press(&format!("{}/merge", page(&json!(4)))).await.is(302);
    let main = cloned(&project, &repository, "main");
    assert!(contents(main.path()).into_keys().eq(["README.md", "x.txt", "y.txt", "z.txt"]));
}
