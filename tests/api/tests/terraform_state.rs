//! Terraform's state: kept outside the sandbox, locked, encrypted, and visible to no one.

use api_tests::{App, Model, Project, Settings, Terminal, World, eventually, proved_script};
use reqwest::Method;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A configuration without a provider, whose state holds a value that its files do not.
const WRITE: &str = "cat >terraform/main.tf <<'EOF'
terraform {
  backend \"http\" {}
}
variable \"hush\" {
  type      = string
  sensitive = true
}
resource \"terraform_data\" \"box\" {
  input = var.hush
}
EOF
terraform -chdir=terraform init -input=false -no-color -force-copy";

const PLAN: &str = "export TF_VAR_hush=$(seq -s - 101 120)
terraform -chdir=terraform plan -input=false -no-color -out=tfplan";

const APPLY: &str = "terraform -chdir=terraform apply -input=false -no-color tfplan
rm terraform/tfplan";

/// Runs in another sandbox.
const AGREES: &str = "export TF_VAR_hush=$(seq -s - 101 120)
terraform -chdir=terraform init -input=false -no-color -force-copy
terraform -chdir=terraform plan -input=false -no-color -detailed-exitcode";

const HUSH: &str = "101-102-103";

const LISTED: &str = "terraform -chdir=terraform state list | grep terraform_data.box";

const BACKEND: &str = "terraform {\n  backend \"http\" {}\n}";

/// A resource whose creation waits for the file `go`.
const SLOW: &str = "resource \"terraform_data\" \"box\" {
  provisioner \"local-exec\" { command = \"until test -e go; do sleep 0.02; done\" }
}";

/// Objects of the project's states.
fn stored(app: &App, project: &Project) -> Vec<PathBuf> {
    let scope = project.scope();
    let folder = format!("s3/groundcrew/state/{}/{}", scope.installation, scope.project);
    walk(&app.data().join(folder))
}

/// All files below a folder.
fn walk(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let below = |entry: std::fs::DirEntry| match entry.path() {
        path if path.is_dir() => walk(&path),
        path => vec![path],
    };
    entries.flat_map(below).collect()
}

async fn lost(app: &App, project: &Project) {
    app.kill_sandboxes();
    eventually("the sandbox is recorded as gone", async || {
        let status = project.get(&project.path("/sandbox/status")).await.is(200).json();
        (status["container_status"] == "NotRunning").then_some(())
    })
    .await;
}

async fn kept(project: &Project) -> Value {
    project.kept().await.remove("STATE#main").unwrap_or_default()
}

/// A terminal that runs one line at a time.
struct Shell {
    terminal: Terminal,
    lines: usize,
}

impl Shell {
    async fn of(project: &Project) -> Self {
        let mut terminal = project.terminal().await;
        terminal.attach().await;
        Self { terminal, lines: 0 }
    }

    async fn begins(&mut self, line: &str) {
        self.lines += 1;
        let n = self.lines;
        self.terminal.types(&format!("{line}; echo en''ded-{n}-$?-en''d{n}\r")).await;
    }

    async fn ended(&mut self, code: u8) {
        let n = self.lines;
        self.terminal.shows(&format!("-end{n}\r\n")).await;
        let shown = &self.terminal.shown;
        assert!(shown.contains(&format!("ended-{n}-{code}-end{n}")), "not {code}:\n{shown}");
    }

    async fn runs(&mut self, line: &str) {
        self.begins(&format!("{line} || (cat log; false)")).await;
        self.ended(0).await;
    }

    /// Writes a part of the configuration and initializes it.
    async fn writes(&mut self, name: &str, text: &str) {
        let text = text.replace('\n', "\\n");
        self.runs(&format!("printf '{text}' >terraform/{name}")).await;
        self.runs("terraform -chdir=terraform init -input=false -force-copy >log 2>&1").await;
    }
}

#[tokio::test]
async fn a_state_outlives_its_sandbox_and_is_in_no_file_prompt_or_plain_object() {
    let model = Model::start().await;
    let World { app, owner, .. } = World::with(&model).await;
    let project = owner.project("Boxes").await;
    let scripts = [
        proved_script(WRITE, "test -s terraform/main.tf"),
        proved_script(PLAN, "test -s terraform/tfplan"),
        proved_script(APPLY, LISTED),
        proved_script(AGREES, LISTED),
    ];
    project.execute(&scripts.each_ref().map(String::as_str)).await;
    for number in 1..=3 {
        project.complete(number).await;
    }
    assert!(project.step(3).await.output.contains("1 added"));
    lost(&app, &project).await;
    project.sandbox_is_up().await;
    let agrees = project.complete(4).await;
    assert!(agrees.output.contains("No changes."), "{}", agrees.output);

    for (name, content) in project.files().await {
        assert!(!content.contains(HUSH), "{name}");
        assert_ne!(name, "terraform/terraform.tfstate");
    }
    let asked = model.requests();
    assert!(asked.iter().all(|request| !request.to_string().contains(HUSH)));
    let item = kept(&project).await;
    assert!(item["versions"][0]["serial"].is_number() && item["lock"].is_null(), "{item}");
    assert!(!item.to_string().contains(HUSH));
    if app.has_own_engines() {
        let objects = stored(&app, &project);
        assert!(!objects.is_empty());
        for object in objects {
            let content = String::from_utf8_lossy(&std::fs::read(&object).unwrap()).into_owned();
            assert!(!content.contains(HUSH) && !content.contains("lineage"), "{object:?}");
        }
    }
    let exported = owner.get("/user/export").await.is(200).text();
    assert!(exported.contains("STATE#main") && !exported.contains("\"sealed\""));
}

#[tokio::test]
async fn the_second_of_two_commands_sees_who_holds_the_lock() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Boxes").await;
    project.sandbox_is_up().await;
    let mut shell = Shell::of(&project).await;
    shell.writes("backend.tf", BACKEND).await;
    shell.writes("main.tf", SLOW).await;
    let plan = "terraform -chdir=terraform plan -input=false -no-color -out=tfplan";
    let scripts = [proved_script(plan, "test -s terraform/tfplan"), proved_script(APPLY, LISTED)];
    project.execute(&scripts.each_ref().map(String::as_str)).await;
    project.complete(1).await;
    project.approve(2).await;
    project.step_when(2, "is at work", |step| step.output.contains("Provisioning with")).await;
    assert_eq!(kept(&project).await["lock"]["info"]["operation"], "Apply");

    shell.begins("terraform -chdir=terraform plan -no-color >log 2>&1").await;
    shell.ended(1).await;
    let id = kept(&project).await["lock"]["info"]["id"].as_str().unwrap().to_owned();
    shell.runs("grep 'HTTP remote state already locked' log").await;
    shell.runs(&format!("grep ID={id} log")).await;
    shell.runs("touch terraform/go").await;
    project.step_is(2, "completed").await;
    shell.runs("terraform -chdir=terraform plan -detailed-exitcode >log 2>&1").await;
}

#[tokio::test]
async fn the_lock_of_a_lost_sandbox_is_taken_over() {
    let World { app, owner, .. } = World::start().await;
    let project = owner.project("Boxes").await;
    project.sandbox_is_up().await;
    let mut shell = Shell::of(&project).await;
    shell.writes("backend.tf", BACKEND).await;
    shell.writes("main.tf", SLOW).await;
    project.post(&project.path("/sandbox/sync"), json!({})).await.is(200);
    shell.begins("terraform -chdir=terraform apply -auto-approve -no-color").await;
    shell.terminal.shows("Provisioning with").await;
    assert_eq!(kept(&project).await["lock"]["generation"], 1);
    lost(&app, &project).await;
    assert_eq!(kept(&project).await["lock"]["generation"], 1, "no one has released it");

    project.sandbox_is_up().await;
    let mut shell = Shell::of(&project).await;
    shell.runs("touch terraform/go").await;
    shell.runs("terraform -chdir=terraform init -input=false >log 2>&1").await;
    shell.runs("terraform -chdir=terraform apply -auto-approve >log 2>&1").await;
    shell.runs(LISTED).await;
    let item = kept(&project).await;
    assert!(item["lock"].is_null() && item["versions"][0]["serial"].is_number(), "{item}");
}

#[tokio::test]
async fn a_state_in_the_files_moves_to_the_project_and_an_older_one_replaces_nothing() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Boxes").await;
    project.sandbox_is_up().await;
    let mut shell = Shell::of(&project).await;
    let resource = |input: u8| format!("resource \"terraform_data\" \"box\" {{ input = {input} }}");
    let apply = "terraform -chdir=terraform apply -auto-approve >log 2>&1";
    shell.writes("main.tf", &resource(1)).await;
    shell.runs(apply).await;
    shell.runs("cp terraform/terraform.tfstate old.tfstate").await;
    assert_eq!(kept(&project).await, Value::Null, "a state without the backend stays in its file");

    shell.writes("backend.tf", BACKEND).await;
    shell
        .runs("test -e terraform/terraform.tfstate && test ! -s terraform/terraform.tfstate")
        .await;
    shell.runs(LISTED).await;
    shell.writes("main.tf", &resource(2)).await;
    shell.runs(apply).await;
    let serial = kept(&project).await["versions"][0]["serial"].clone();

    shell.begins("terraform -chdir=terraform state push -force ../old.tfstate >log 2>&1").await;
    shell.ended(1).await;
    shell.runs("grep 'HTTP error: 409' log").await;
    assert_eq!(kept(&project).await["versions"][0]["serial"], serial);
}

#[tokio::test]
async fn deleting_a_project_deletes_its_states() {
    let settings = Settings { idle_stop_seconds: Some(3600), ..Settings::default() };
    let World { app, owner, .. } = World::with_settings(settings).await;
    let project = owner.project("Boxes").await;
    project.sandbox_is_up().await;
    let mut shell = Shell::of(&project).await;
    shell.writes("backend.tf", BACKEND).await;
    shell.writes("main.tf", "resource \"terraform_data\" \"box\" {}").await;
    shell.runs("terraform -chdir=terraform apply -auto-approve >log 2>&1").await;
    assert!(!app.has_own_engines() || !stored(&app, &project).is_empty());
    let path = format!("/projects/{}", project.id);
    owner.call(Method::DELETE, &path).send().await.is(202);
    eventually("its states are deleted", async || {
        let left = project.kept().await.len() + stored(&app, &project).len();
        (left == 0).then_some(())
    })
    .await;
}

/// Writes a root module with one resource.
fn root_module(folder: &str, block: &str) -> String {
    format!(
        "mkdir -p {folder}; printf 'terraform {{\\n  {block}\\n}}\\nresource \"terraform_data\" \"{folder}\" {{}}\\n' >{folder}/main.tf"
    )
}

#[tokio::test]
async fn a_second_root_module_has_its_own_state_by_the_name_in_its_block() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Boxes").await;
    project.sandbox_is_up().await;
    let mut shell = Shell::of(&project).await;
    for (folder, block) in
        [("first", "backend \"http\" {}"), ("second", "backend \"http\" { username = \"second\" }")]
    {
        shell.runs(&root_module(folder, block)).await;
        shell.runs(&format!("terraform -chdir={folder} init -input=false >log 2>&1")).await;
        shell.runs(&format!("terraform -chdir={folder} apply -auto-approve >log 2>&1")).await;
    }
    // Neither module plans to delete what the other has created, and each finds its own state again.
    for folder in ["first", "second"] {
        let plan = "plan -input=false -detailed-exitcode >log 2>&1";
        shell.runs(&format!("terraform -chdir={folder} {plan}")).await;
    }
    let mut rows = project.kept().await;
    for state in ["STATE#main", "STATE#second"] {
        let versions = rows.remove(state).unwrap_or_default()["versions"].clone();
        assert!(versions.as_array().is_some_and(|versions| !versions.is_empty()), "{state}");
    }
}
