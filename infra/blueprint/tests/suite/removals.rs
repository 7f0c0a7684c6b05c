//! A project is torn down by a removal of its deployment, through the same stages.

use crate::described::described;
use crate::scripts::wishes;
use crate::stubs::{must_run, run, stub, text};
use crate::support::{Chat, Project, fence};
use std::path::Path;

/// The request that tears down a project.
const TEAR_DOWN: &str = "Tear down everything that was built";

impl Project {
    /// The project's tear-down, planned.
    pub async fn torn_down(&self) -> Project {
        Project::agreed(&self.tearing_down(), TEAR_DOWN).await
    }

    /// The context that the product sends when a tear-down of this project begins.
    pub fn tearing_down(&self) -> String {
        [
            format!("<change kind=\"tear_down\" on_top_of=\"1\">\n{TEAR_DOWN}\n</change>"),
            fence("previous_requirements", &self.requirements),
            fence("previous_implementation_plan", &self.implementation),
        ]
        .join("\n")
    }
}

/// The requests for deployments with a server.
fn servers() -> impl Iterator<Item = String> {
    let without = described().into_iter().filter(|described| !described.server);
    let without: Vec<String> = without.map(|described| described.wish).collect();
    let server = move |wish: &String| !wish.starts_with("A web service") && !without.contains(wish);
    wishes().into_iter().filter(server)
}

#[tokio::test]
async fn each_server_is_removed_by_a_plan_that_the_user_sees_first() {
    for wish in servers() {
        let removal = Project::planned(&wish).await.torn_down().await;
        let titles: Vec<_> = removal.steps.iter().map(|step| &step["description"]).collect();
        let wanted = [
            "Plan the removal",
            "Remove the server and all that belongs to it",
            "Remove what leads to the server",
        ];
        assert_eq!(titles, wanted, "{wish}");
        assert!(removal.implementation.contains("Nothing is removed before step 2"), "{wish}");
        for step in &removal.steps {
            let prompt = step["prompt"].as_str().unwrap().to_lowercase();
            assert!(prompt.contains("remove"), "{prompt}");
        }
    }
}

#[tokio::test]
async fn the_requirements_name_what_is_removed_and_which_data_is_lost() {
    let project = Project::planned("A VPS with PostgreSQL, use the defaults").await;
    let removal = project.torn_down().await;
    for part in ["## What goes", "dumps", "## What stays", "HCLOUD_TOKEN", "Blueprint: remove-"] {
        assert!(removal.requirements.contains(part), "{part}: {}", removal.requirements);
    }
}

#[tokio::test]
async fn a_partial_removal_is_refused_with_a_reason() {
    let project = Project::planned("A VPS with PostgreSQL, use the defaults").await;
    let asked = format!("{}\n{TEAR_DOWN}", project.tearing_down());
    let chat = Chat::gatherer().user(&asked).user("but keep the database");
    let call = chat.ask().await;
    let said = chat.tool_result(&call, "Written.").ask().await.text;
    assert!(said.contains("I can only remove everything."), "{said}");
}

/// A stub of Terraform. Its state contains a server until a plan that destroys it is applied.
const TERRAFORM: &str = r#"
case "$*" in
  *" plan "*-destroy*-out=tfplan*) echo "Plan: 0 to add, 0 to change, 3 to destroy."; echo destroys >terraform/tfplan ;;
  *" apply "*tfplan*) grep -q destroys terraform/tfplan && rm -f stubs/state ;;
  *" state list"*) cat stubs/state 2>/dev/null || true ;;
  *"output -raw public_ip"*) [[ -f stubs/state ]] && echo 198.51.100.9 ;;
  *"output -raw ssh_user"*) echo admin ;;
  *" show "*) exit 0 ;;
  *) echo "unexpected: terraform $*" >&2; exit 9 ;;
esac
"#;

const TOKEN: &[(&str, &str)] = &[("HCLOUD_TOKEN", "played")];

/// Prepares a folder with the files of an existing server.
fn standing(folder: &Path) {
    stub(folder, "terraform", TERRAFORM);
    stub(folder, "ssh", "exit 255");
    std::fs::write(folder.join("stubs/state"), "hcloud_server.this\n").unwrap();
    for file in ["terraform/main.tf", "ssh/config", "ssh/known_hosts", "ansible/inventory.ini"] {
        let file = folder.join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, "there").unwrap();
    }
    std::fs::write(folder.join("ssh/shop_ed25519"), "key").unwrap();
}

#[tokio::test]
async fn a_server_is_removed_by_its_plan_and_every_step_can_run_again() {
    let project = Project::planned("A VPS named shop in Helsinki, use the defaults").await;
    let removal = project.torn_down().await;
    let (scripts, proofs) = (removal.scripts().await, removal.proofs().await);
    let checks = removal.check_scripts().await;
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    standing(folder);
    for check in &checks[..1] {
        assert!(!run(folder, check, TOKEN).status.success(), "the check passes before the removal");
    }
    assert!(text(&run(folder, &scripts[0], &[])).contains("HCLOUD_TOKEN is missing"));
    let early = run(folder, &scripts[1], TOKEN);
    assert!(!early.status.success() && text(&early).contains("Run step 1 again"));
    assert!(folder.join("stubs/state").exists(), "the server was removed without a plan");

    for round in 0..2 {
        for (script, proof) in scripts.iter().zip(&proofs) {
            must_run(folder, script, TOKEN);
            assert!(must_run(folder, proof, TOKEN).contains("Proved: "), "round {round}");
        }
        for check in &checks {
            assert!(must_run(folder, check, &[]).contains("Verified: "), "round {round}");
        }
    }
    assert!(folder.join("ssh/shop_ed25519").exists() && folder.join("terraform/main.tf").exists());
    assert!(!folder.join("ssh/config").exists() && !folder.join("ansible/inventory.ini").exists());

    stub(folder, "ssh", "exit 0");
    let alive = run(folder, &checks[1], &[]);
    assert!(!alive.status.success() && text(&alive).contains("198.51.100.9"), "{}", text(&alive));
}
