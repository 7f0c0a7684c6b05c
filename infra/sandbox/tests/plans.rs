//! Terraform's saved plans: the approver sees them, and only what was shown is applied.
use crate::support::{Agent, Gateway, order, sandbox};
use protocol::{Outcome, PlannedResource, RunKind, RunReport, SavedPlan, ToAgent};

/// Writes a configuration that needs no provider, and initializes it.
const WRITE: &str = "cat >terraform/main.tf <<'EOF'
variable \"size\" {
  default = 1
}
resource \"terraform_data\" \"box\" {
  input = { size = var.size, note = \"plain\" }
}
resource \"terraform_data\" \"lock\" {
  input = sensitive(\"hush-hush\")
}
EOF
terraform -chdir=terraform init -input=false -no-color";

const PLAN: &str = "terraform -chdir=terraform plan -input=false -no-color -out=tfplan";

const APPLY: &str =
    "terraform -chdir=terraform apply -input=false -no-color tfplan\nrm terraform/tfplan";

async fn step(gateway: &mut Gateway, run_id: &str, text: &str) -> RunReport {
    let mut order = order(run_id, text);
    order.kind = RunKind::Step;
    gateway.tell(ToAgent::Run(order));
    gateway.report(run_id).await
}

fn proved(script: &str) -> String {
    protocol::with_proof(script, "test -d terraform").unwrap()
}

/// A sandbox with a saved plan.
async fn planned() -> (Gateway, Agent, SavedPlan) {
    let (mut gateway, agent) = sandbox().await;
    let written = step(&mut gateway, "write", &proved(WRITE)).await;
    assert_eq!((written.exit_code, &written.saved_plan), (Some(0), &None), "{written:?}");
    let report = step(&mut gateway, "plan", &proved(PLAN)).await;
    let plan = report.saved_plan.clone().unwrap_or_else(|| panic!("{report:?}"));
    (gateway, agent, *plan)
}

fn resource<'a>(plan: &'a SavedPlan, address: &str) -> &'a PlannedResource {
    plan.resources.iter().find(|one| one.address == address).unwrap()
}

#[tokio::test]
async fn a_step_that_saves_a_plan_reports_what_it_would_change() {
    let (_gateway, agent, plan) = planned().await;
    assert!(plan.readable);
    assert_eq!((plan.create, plan.update, plan.replace, plan.delete), (2, 0, 0, 0));
    let mut values = resource(&plan, "terraform_data.box").values.iter();
    let input = values.find(|one| one.name == "input").unwrap();
    assert_eq!(input.after.as_deref(), Some(r#"{"note":"plain","size":1}"#));
    let mut values = resource(&plan, "terraform_data.lock").values.iter();
    assert_eq!(values.find(|one| one.hidden).unwrap().after, None);
    assert!(!format!("{plan:?}").contains("hush-hush"));
    assert!(agent.workspace().join("terraform/tfplan").exists());
}

#[tokio::test]
async fn a_credential_in_a_plan_is_masked_also_where_a_long_value_is_cut() {
    let (mut gateway, _agent, _) = planned().await;
    // The second credential follows where the description of the plan ends.
    for (run_id, pad, shown) in [("again", 0, "***"), ("cut", 90, "x…")] {
        let text = proved(&format!("{PLAN} -var \"size={}$SIZE\"", "x".repeat(pad)));
        let mut order = order(run_id, &text);
        order.kind = RunKind::Step;
        order.env = [("SIZE".to_owned(), "8374659102".to_owned())].into();
        gateway.tell(ToAgent::Run(order));
        let report = gateway.report(run_id).await;
        let plan = format!("{:?}", report.saved_plan.unwrap());
        assert!(plan.contains(shown) && !plan.contains("8374"), "{plan}");
    }
}

#[tokio::test]
async fn a_bound_step_applies_the_plan_it_is_bound_to() {
    let (mut gateway, agent, plan) = planned().await;
    let bound = protocol::bound_to_plan(&proved(APPLY), Some(&plan.sha256));
    let report = step(&mut gateway, "apply", &bound).await;
    assert_eq!((report.outcome, report.exit_code), (Outcome::Exited, Some(0)), "{report:?}");
    assert_eq!(report.saved_plan, None, "it saved none");
    assert!(agent.workspace().join("terraform/terraform.tfstate").exists());
}

#[tokio::test]
async fn a_plan_is_applied_at_most_once_however_its_step_ends() {
    let (mut gateway, agent, plan) = planned().await;
    let file = agent.workspace().join("terraform/tfplan");
    let content = std::fs::read(&file).unwrap();
    let bound = |text: &str| protocol::bound_to_plan(&proved(text), Some(&plan.sha256));

    let failed = step(&mut gateway, "failed", &bound("echo failed\nexit 3")).await;
    assert_eq!((failed.outcome, failed.exit_code), (Outcome::Exited, Some(3)), "{failed:?}");
    assert!(failed.detail.unwrap().contains("applied at most once"));
    assert!(!file.exists());

    std::fs::write(&file, &content).unwrap();
    let mut order = order("canceled", &bound("echo begun\nsleep 1000"));
    order.kind = RunKind::Step;
    gateway.tell(ToAgent::Run(order));
    gateway.progress("canceled", "begun").await;
    gateway.tell(ToAgent::RunCancel { run_id: "canceled".into() });
    let canceled = gateway.report("canceled").await;
    assert_eq!(canceled.outcome, Outcome::Cancelled, "{canceled:?}");
    assert!(!file.exists());

    std::fs::write(&file, &content).unwrap();
    let again =
        step(&mut gateway, "again", &bound("rm terraform/tfplan\necho other >terraform/tfplan"))
            .await;
    assert_eq!((again.exit_code, again.detail), (Some(0), None));
    assert!(file.exists(), "the step has made a plan of its own");

    std::fs::write(&file, &content).unwrap();
    let unbound = step(&mut gateway, "unbound", &proved("true")).await;
    assert_eq!(unbound.exit_code, Some(0), "{unbound:?}");
    assert!(file.exists());
}

#[tokio::test]
async fn no_plan_is_applied_while_a_state_could_not_be_written() {
    let (mut gateway, agent, plan) = planned().await;
    let unwritten = agent.workspace().join("terraform/errored.tfstate");
    std::fs::write(&unwritten, "{}").unwrap();
    let bound = protocol::bound_to_plan(&proved(APPLY), Some(&plan.sha256));
    let report = step(&mut gateway, "apply", &bound).await;
    assert_eq!((report.outcome, report.exit_code), (Outcome::Refused, None), "{report:?}");
    assert!(report.detail.unwrap().contains("state push errored.tfstate"));
    std::fs::remove_file(&unwritten).unwrap();
    let report = step(&mut gateway, "again", &bound).await;
    assert_eq!((report.outcome, report.exit_code), (Outcome::Exited, Some(0)), "{report:?}");
}

#[tokio::test]
async fn a_plan_that_was_made_again_is_not_applied() {
    let (mut gateway, agent, plan) = planned().await;
    let again = gateway.run("again", &format!("{PLAN} -var size=9")).await;
    assert_eq!(again.exit_code, Some(0), "{again:?}");
    let bound = protocol::bound_to_plan(&proved(APPLY), Some(&plan.sha256));
    let report = step(&mut gateway, "apply", &bound).await;
    assert_eq!((report.outcome, report.exit_code), (Outcome::Refused, None), "{report:?}");
    let detail = report.detail.unwrap();
    assert!(detail.contains("terraform/tfplan is not the one that was approved"), "{detail}");
    assert!(!agent.workspace().join("terraform/terraform.tfstate").exists());
}
