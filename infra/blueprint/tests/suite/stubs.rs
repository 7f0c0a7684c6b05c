//! Runs scripts in a folder with programs in `stubs` that come first in the path and replace clouds and servers.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

pub fn run(folder: &Path, script: &str, environment: &[(&str, &str)]) -> Output {
    let path = std::env::var("PATH").unwrap();
    let mut command = Command::new("bash");
    command.args(["-euo", "pipefail", "-c", script]).current_dir(folder);
    command.env("PATH", format!("{}:{path}", folder.join("stubs").display()));
    for name in ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "HCLOUD_TOKEN"] {
        command.env_remove(name);
    }
    command.envs(environment.iter().copied()).output().unwrap()
}

pub fn text(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

pub fn must_run(folder: &Path, script: &str, environment: &[(&str, &str)]) -> String {
    let output = run(folder, script, environment);
    assert!(output.status.success(), "{}", text(&output));
    text(&output)
}

/// Puts a program with this name and body first in the path.
pub fn stub(folder: &Path, name: &str, body: &str) {
    let stubs = folder.join("stubs");
    std::fs::create_dir_all(&stubs).unwrap();
    let file = stubs.join(name);
    std::fs::write(&file, format!("#!/usr/bin/env bash\n{body}\n")).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// A stub of Terraform as the steps use it: a plan writes a file, applying it makes a server, and another plan finds
/// nothing to do, unless the file `drift` exists.
pub const TERRAFORM: &str = r#"
echo "terraform $*" >>"$LOG"
case "$*" in
  *" plan "*-out=tfplan*) echo planned >terraform/tfplan ;;
  *" plan "*-detailed-exitcode*) [[ -f drift ]] && exit 2; exit 0 ;;
  *" apply "*tfplan*) [[ -f terraform/tfplan ]] && touch applied ;;
  *"output -raw public_ip"*) echo 198.51.100.9 ;;
  *"output -json app_ips"*) echo '["198.51.100.21", "198.51.100.22"]' ;;
  *"output -json agent_ips"*) echo '["198.51.100.10", "198.51.100.11"]' ;;
  *"output -raw ssh_user"*) echo admin ;;
  *) exit 0 ;;
esac
"#;

/// Runs a script that writes and validates a configuration for AWS. If the provider cannot be installed, that must be
/// the only error.
pub fn is_valid(folder: &Path, script: &str) {
    let output = run(folder, script, &[("TF_REGISTRY_CLIENT_TIMEOUT", "5")]);
    let said = text(&output);
    if output.status.success() {
        println!("validated with the AWS provider");
        assert!(said.contains("The configuration is valid"));
    } else {
        println!("not validated, the registry is out of reach");
        assert!(said.contains("Failed to query available provider packages"), "{said}");
    }
}
