//! A cluster of three servers: how they join, and what keeps the cluster closed. Stubs replace the servers.

use std::path::Path;

use crate::stubs::{TERRAFORM, must_run, run, stub, text};
use crate::support::Project;

const WISH: &str = "Kubernetes with k3s on three servers named web, use the defaults";
const ENVIRONMENT: &[(&str, &str)] = &[("LOG", "log"), ("HCLOUD_TOKEN", "not-a-token")];

/// Numbers of steps, counted from 1.
const WRITE_TERRAFORM: usize = 2;
const TEST_SSH: usize = 6;
const WRITE_PLAYBOOK: usize = 7;
const JOIN: usize = 9;

/// A stub of SSH: every login succeeds, and it records what each server is asked.
const SSH: &str = r#"
echo "$*" >>logins
case "$*" in
  *" -G "*) echo "hostname 198.51.100.9" ;;
  *"bash -s"*) cat >asked ;;
  *) echo web ;;
esac
"#;

/// The workspace of three servers after Terraform's run, up to the step that joins two of them to the first.
async fn made(project: &Project) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    stub(path, "terraform", TERRAFORM);
    stub(path, "ssh", SSH);
    stub(path, "ansible", "true");
    stub(path, "sleep", "");
    stub(path, "ansible-playbook", r#"[[ $* == *--syntax-check* ]] || echo "$*" >>../played"#);
    for number in [1, WRITE_TERRAFORM, TEST_SSH, WRITE_PLAYBOOK] {
        must_run(path, &project.script(number).await, ENVIRONMENT);
    }
    folder
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[tokio::test]
async fn the_other_servers_are_reached_and_joined_and_joined_again() {
    let project = Project::planned(WISH).await;
    let folder = made(&project).await;
    let folder = folder.path();
    assert_eq!(read(folder, "terraform/cluster.auto.tfvars"), "servers = 3\n");
    let join = project.script(JOIN).await;
    must_run(folder, &join, ENVIRONMENT);
    let (config, inventory) = (read(folder, "ssh/config"), read(folder, "ansible/cluster.ini"));
    for (name, address) in [("web-2", "198.51.100.10"), ("web-3", "198.51.100.11")] {
        assert!(
            config.contains(&format!("Host {name}\n  HostName {address}\n  User ")),
            "{config}"
        );
        assert!(inventory.contains(&format!("\n{name} ansible_host={address} ")), "{inventory}");
        assert!(read(folder, "logins").contains(&format!("{name} true")));
    }
    assert_eq!(config.matches("IdentityFile ").count(), 3, "{config}");
    assert!(inventory.starts_with("[servers]\nweb ansible_host=198.51.100.9 "), "{inventory}");
    assert_eq!(read(folder, "played"), "--inventory cluster.ini cluster.yml\n");

    must_run(folder, &join, ENVIRONMENT);
    assert_eq!(read(folder, "ssh/config"), config);
    assert_eq!(read(folder, "ansible/cluster.ini"), inventory);
    let one = TERRAFORM.replace("[\"198.51.100.10\", \"198.51.100.11\"]", "[\"198.51.100.10\"]");
    stub(folder, "terraform", &one);
    let said = run(folder, &join, ENVIRONMENT);
    assert!(!said.status.success() && text(&said).contains("knows 2 servers, and 3 are planned"));
}

#[tokio::test]
async fn one_server_has_nothing_to_join() {
    let project = Project::planned("k3s on one server named web, use the defaults").await;
    let folder = made(&project).await;
    let folder = folder.path();
    stub(folder, "terraform", &TERRAFORM.replace("[\"198.51.100.10\", \"198.51.100.11\"]", "[]"));
    let said = must_run(folder, &project.script(JOIN).await, ENVIRONMENT);
    assert!(said.contains("there is nothing to join") && !folder.join("played").exists(), "{said}");
}

#[tokio::test]
async fn the_token_is_read_and_written_without_being_shown() {
    let project = Project::planned(WISH).await;
    let folder = made(&project).await;
    let role = read(folder.path(), "ansible/roles/k3s/tasks/main.yml");
    let tasks = read(folder.path(), "ansible/cluster.yml") + &role;
    let secret: Vec<&str> = tasks
        .split("- name: ")
        .filter(|task| task.contains("node-token") || task.contains("{{ k3s_token }}"))
        .collect();
    assert_eq!(secret.len(), 2, "{secret:?}");
    assert!(secret.iter().all(|task| task.contains("no_log: true")), "{secret:?}");
    assert!(role.contains("'{{ k3s_sha256 }}' /usr/local/bin/k3s.new | sha256sum --check"));
    let config = read(folder.path(), "ansible/roles/k3s/templates/config.yaml.j2");
    assert!(config.contains("write-kubeconfig-mode: \"0600\"") && config.contains("- servicelb"));
}

#[tokio::test]
async fn an_open_port_and_credentials_in_the_workspace_are_found() {
    let project = Project::planned(WISH).await;
    let folder = made(&project).await;
    let folder = folder.path();
    must_run(folder, &project.script(JOIN).await, ENVIRONMENT);
    let checks = project.check_scripts().await;
    let closed = checks.iter().find(|check| check.contains("Knocks on the ports of Kubernetes"));
    let closed = closed.unwrap();
    stub(folder, "timeout", "exit 124");
    let said = must_run(folder, closed, ENVIRONMENT);
    assert_eq!(said.matches("the ports of Kubernetes are closed").count(), 3, "{said}");
    assert!(read(folder, "asked").contains("/etc/rancher/k3s/k3s.yaml"));

    std::fs::write(folder.join("k3s.yaml"), "").unwrap();
    let said = run(folder, closed, ENVIRONMENT);
    assert!(!said.status.success() && text(&said).contains("lie in this workspace: ./k3s.yaml"));
    std::fs::remove_file(folder.join("k3s.yaml")).unwrap();
    // The last server accepts connections on the API's port.
    stub(folder, "timeout", r#"[[ $* == *198.51.100.11/6443* ]] || exit 124"#);
    let said = run(folder, closed, ENVIRONMENT);
    assert!(!said.status.success() && text(&said).contains("port 6443 of 198.51.100.11 answers"));
}
