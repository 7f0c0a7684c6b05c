//! The Terraform configuration of the EC2 server, and its steps with stubs in place of AWS.

use std::os::unix::fs::PermissionsExt;

use crate::stubs::{TERRAFORM, is_valid, must_run, run, stub, text};
use crate::support::Project;

const WISH: &str = "An EC2 server named web in Frankfurt, SSH from 203.0.113.7, use the defaults";

#[tokio::test]
async fn the_key_is_generated_once_and_kept() {
    let project = Project::planned(WISH).await;
    let folder = tempfile::tempdir().unwrap();
    let script = project.script(1).await;
    must_run(folder.path(), &script, &[]);
    let key = folder.path().join("ssh/web_ed25519");
    let first = std::fs::read_to_string(&key).unwrap();
    assert_eq!(std::fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);
    let output = must_run(folder.path(), &script, &[]);
    assert_eq!(std::fs::read_to_string(&key).unwrap(), first);
    assert!(!output.contains("PRIVATE KEY"));
}

/// The step itself runs `terraform fmt -check`; this test also parses the files.
#[tokio::test]
async fn the_configuration_is_well_formed_and_in_terraforms_format() {
    let project = Project::planned(WISH).await;
    let folder = tempfile::tempdir().unwrap();
    let script = project.script(2).await;
    must_run(folder.path(), &script, &[]);
    must_run(folder.path(), &script, &[]);
    let mut resources = Vec::new();
    for entry in std::fs::read_dir(folder.path().join("terraform")).unwrap() {
        let path = entry.unwrap().path();
        let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        if extension == "tf" || extension == "tfvars" {
            let source = std::fs::read_to_string(&path).unwrap();
            let body =
                hcl::parse(&source).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let blocks = body.blocks().filter(|block| block.identifier.as_str() == "resource");
            resources.extend(blocks.map(|block| block.labels[0].as_str().to_string()));
        }
    }
    for resource in ["aws_instance", "aws_key_pair", "aws_security_group", "aws_vpc"] {
        assert!(resources.iter().any(|found| found == resource), "{resource}");
    }
    let values = std::fs::read_to_string(folder.path().join("terraform/terraform.tfvars")).unwrap();
    assert!(
        values.contains("\"eu-central-1\"") && values.contains("[\"203.0.113.7/32\"]"),
        "{values}"
    );
}

/// Validates the configuration if the AWS provider can be installed. Otherwise the missing provider must be the only
/// error.
#[tokio::test]
async fn the_configuration_is_valid_if_the_provider_can_be_installed() {
    let project = Project::planned(WISH).await;
    let folder = tempfile::tempdir().unwrap();
    for number in [1, 2] {
        must_run(folder.path(), &project.script(number).await, &[]);
    }
    is_valid(folder.path(), &project.script(3).await);
}

#[tokio::test]
async fn planning_without_credentials_points_to_the_credentials_form() {
    let project = Project::planned(WISH).await;
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &project.script(4).await, &[]);
    assert!(!output.status.success());
    assert!(text(&output).contains("credentials form"));
}

#[tokio::test]
async fn the_plan_that_was_shown_is_applied_once_and_the_server_is_tested() {
    let project = Project::planned(WISH).await;
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    std::fs::create_dir(folder.path().join("terraform")).unwrap();
    std::fs::create_dir(folder.path().join("ssh")).unwrap();
    stub(folder.path(), "terraform", TERRAFORM);
    stub(folder.path(), "curl", "echo 192.0.2.44");
    stub(folder.path(), "sleep", "");
    // The third login succeeds, because a new server needs some time, and the fifth finds its first start over.
    stub(
        folder.path(),
        "ssh",
        r#"
        echo x >>tries; (($(wc -l <tries) > 2)) || { echo "Connection refused" >&2; exit 255; }
        bash -c "${@: -1}"
        "#,
    );
    // The code of `timeout`, which ends the command if it waits longer.
    stub(folder.path(), "cloud-init", r#"(($(wc -l <tries) > 4)) || exit 124"#);
    stub(folder.path(), "ansible", r#"echo "ansible $*" >>"$LOG""#);
    let environment = [
        ("AWS_ACCESS_KEY_ID", "test"),
        ("AWS_SECRET_ACCESS_KEY", "not-a-secret"),
        ("LOG", log.to_str().unwrap()),
    ];

    let said = must_run(folder.path(), &project.script(4).await, &environment);
    assert!(!said.contains("not-a-secret"));
    let allowed =
        std::fs::read_to_string(folder.path().join("terraform/sandbox.auto.tfvars.json")).unwrap();
    let allowed: serde_json::Value = serde_json::from_str(&allowed).unwrap();
    assert_eq!(
        allowed["allowed_ssh_cidrs"],
        serde_json::json!(["192.0.2.44/32", "203.0.113.7/32"])
    );

    let apply = project.script(5).await;
    must_run(folder.path(), &apply, &environment);
    assert!(folder.path().join("applied").exists());
    let again = must_run(folder.path(), &apply, &environment);
    assert!(again.contains("Applied already"));
    std::fs::write(folder.path().join("drift"), "").unwrap();
    let drifted = run(folder.path(), &apply, &environment);
    assert!(
        !drifted.status.success()
            && text(&drifted).contains("Run the step 'Plan the changes' again")
    );
    let log_text = std::fs::read_to_string(&log).unwrap();
    assert_eq!(log_text.matches(" apply ").count(), 1, "{log_text}");

    let said = must_run(folder.path(), &project.script(6).await, &environment);
    assert!(said.contains("its first start is not over; trying again"), "{said}");
    assert!(said.contains("Logged in after 5 attempt(s)"), "{said}");
    let inventory = std::fs::read_to_string(folder.path().join("ansible/inventory.ini")).unwrap();
    assert!(inventory.contains("web ansible_host=198.51.100.9 ansible_user=admin"));
    assert!(std::fs::read_to_string(&log).unwrap().contains("ansible --inventory"));
}

#[tokio::test]
async fn terraforms_state_moves_to_groundcrews_storage() {
    let init = Project::planned(WISH).await.script(3).await;
    let folder = tempfile::tempdir().unwrap();
    let terraform = folder.path().join("terraform");
    std::fs::create_dir(&terraform).unwrap();
    stub(folder.path(), "terraform", TERRAFORM);
    let log = folder.path().join("log");
    let mut environment = vec![("LOG", log.to_str().unwrap()), ("TF_HTTP_ADDRESS", "")];
    let (kept, copy) =
        (terraform.join("terraform.tfstate"), terraform.join("terraform.tfstate.backup"));
    std::fs::write(&kept, "{}").unwrap();
    std::fs::write(&copy, "{}").unwrap();
    must_run(folder.path(), &init, &environment);
    assert!(kept.exists() && copy.exists() && !terraform.join("backend.tf").exists());
    assert!(!std::fs::read_to_string(&log).unwrap().contains("-force-copy"));

    environment[1].1 = "http://127.0.0.1:1/terraform/main";
    // Terraform leaves the file in this state after it has copied the content.
    std::fs::write(&kept, "").unwrap();
    must_run(folder.path(), &init, &environment);
    assert!(!copy.exists());
    assert!(std::fs::read_to_string(&log).unwrap().contains("-force-copy"));
    let backend = terraform.join("backend.tf");
    let mut format = std::process::Command::new("terraform");
    format.args(["fmt", "-check"]).arg(backend);
    assert!(format.status().unwrap().success());
}
