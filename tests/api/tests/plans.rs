//! Terraform's saved plan: its owner sees its changes, and the step that applies it applies nothing else.

use api_tests::{Model, Project, World, proved_script};
use domain::script::plans_of;
use serde_json::{Value, json};
use store::executions::Executions;

/// A configuration that needs no provider.
const WRITE: &str = "cat >terraform/main.tf <<'EOF'
variable \"size\" {
  type    = number
  default = 1
}
resource \"terraform_data\" \"box\" {
  input = var.size
}
EOF
terraform -chdir=terraform init -input=false -no-color";

/// Each run plans another size: two plans with the same content made in the same second have the same digest.
const PLAN: &str = "echo again >>terraform/runs
size=$(wc -l <terraform/runs)
terraform -chdir=terraform plan -input=false -no-color -var=size=$size -out=tfplan";

const APPLY: &str = "terraform -chdir=terraform apply -input=false -no-color tfplan
rm terraform/tfplan";

async fn body(project: &Project, number: usize) -> Value {
    let progress = project.get("/execution/progress").await.is(200).json();
    progress["steps"][number - 1].clone()
}

/// A project whose third step waits to apply the plan that its second step saved.
async fn planned(project: &Project) {
    let scripts = [
        proved_script(WRITE, "test -s terraform/main.tf"),
        proved_script(PLAN, "test -s terraform/tfplan"),
        proved_script(APPLY, "terraform -chdir=terraform state list | grep terraform_data.box"),
    ];
    project.execute(&scripts.each_ref().map(String::as_str)).await;
    project.complete(1).await;
    project.complete(2).await;
    project.step_is(3, "waiting_approval").await;
}

#[tokio::test]
async fn the_step_that_applies_a_plan_shows_its_changes_and_its_approval_covers_only_them() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Boxes").await;
    planned(&project).await;

    let (saved, applies) = (body(&project, 2).await, body(&project, 3).await);
    let plan = &saved["saved_plan"];
    assert_eq!((&plan["create"], &plan["readable"]), (&json!(1), &json!(true)), "{plan}");
    assert_eq!(plan["resources"][0]["address"], "terraform_data.box");
    assert_eq!(saved["applies_plan"], Value::Null);
    assert_eq!(&applies["saved_plan"], plan, "the step that applies it shows the same changes");
    assert_eq!(applies["applies_plan"], plan["sha256"]);
    let command = applies["command"].as_str().unwrap();
    assert_eq!(plans_of(command).collect::<Vec<_>>(), [plan["sha256"].as_str().unwrap()]);
    let errors = applies["verdict"]["findings"].as_array().unwrap();
    assert!(errors.iter().all(|found| found["severity"] != "error"), "{errors:?}");

    let ran = project.complete(3).await;
    assert!(ran.output.contains("1 added"), "{}", ran.output);
    let runs = Executions::new(&owner.app().table()).audit().runs(project.scope()).await.unwrap();
    let kept = runs.iter().find(|run| run.step_number == 2).unwrap().saved_plan.as_ref().unwrap();
    assert_eq!(
        Some(kept.sha256.as_str()),
        plan["sha256"].as_str(),
        "the attempt still has its plan"
    );
}

#[tokio::test]
async fn a_plan_that_was_made_again_is_not_applied_without_a_new_approval() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Boxes").await;
    planned(&project).await;
    let shown = project.step(3).await;
    let first = body(&project, 3).await["applies_plan"].clone();

    // The plan step runs once more after the first approval was requested.
    let plan_step = project.step(2).await;
    project.decide(&plan_step, true).await.is(200);
    let again =
        |step: &api_tests::Step| step.attempt > plan_step.attempt && step.status == "completed";
    project.step_when(2, "is planned again", again).await;
    let now = body(&project, 3).await;
    assert_eq!(now["applies_plan"], first);
    assert_eq!(now["saved_plan"], Value::Null, "its plan is no longer the saved one");

    project.decide(&shown, true).await.is(200);
    let refused = project.step_when(3, "is refused", |step| step.status == "failed").await;
    assert_eq!(refused.failure.as_deref(), Some("not_started"), "{refused:?}");
    let why = refused.error_message.clone().unwrap();
    assert!(why.contains("is not the one that was approved"), "{why}");

    project.decide(&refused, true).await.is(200);
    let anew = |step: &api_tests::Step| step.is_waiting() && step.attempt > refused.attempt;
    let waiting = project.step_when(3, "asks again", anew).await;
    assert_ne!(waiting.command_sha256, shown.command_sha256, "the new plan needs another approval");
    let asked = body(&project, 3).await;
    assert_ne!(asked["applies_plan"], first);
    assert_eq!(asked["saved_plan"], body(&project, 2).await["saved_plan"]);
    project.complete(3).await;
}

#[tokio::test]
async fn an_apply_without_a_saved_plan_goes_back_to_the_model() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Boxes").await;
    project.execute(&[APPLY]).await;
    project.step_is(1, "waiting_approval").await;
    let step = body(&project, 1).await;
    let findings = step["verdict"]["findings"].as_array().unwrap();
    let found = findings.iter().find(|found| found["tool"] == "policy").unwrap();
    assert_eq!(found["severity"], "error");
    assert!(found["message"].as_str().unwrap().contains("No earlier step saved a plan"), "{found}");
    assert_eq!((&step["verdict"]["rounds"], &step["applies_plan"]), (&json!(3), &Value::Null));
}
