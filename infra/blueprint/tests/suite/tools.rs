//! The real tools that check everything the model writes.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use crate::stubs::text;

/// The folder into which `tools.sh` installs the tools. It runs once.
static TOOLS: LazyLock<PathBuf> = LazyLock::new(|| {
    let blueprint = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(blueprint.join("tools.sh")).output().unwrap();
    assert!(output.status.success(), "tools.sh: {}", text(&output));
    blueprint.join("../../target/blueprint-tools").canonicalize().unwrap()
});

/// The folder with Ansible's programs.
pub fn programs() -> PathBuf {
    TOOLS.join("venv/bin")
}

fn ansible(tool: &str, folder: &Path) -> Command {
    let bin = TOOLS.join("venv/bin");
    let mut command = Command::new(bin.join(tool));
    let path = std::env::var("PATH").unwrap();
    command.env("PATH", format!("{}:{path}", bin.display()));
    // The caller's settings and home directory must have no influence.
    command.env("HOME", folder).env("ANSIBLE_HOME", folder.join(".ansible"));
    command.env("ANSIBLE_CONFIG", folder.join("ansible/ansible.cfg"));
    command.current_dir(folder.join("ansible"));
    command
}

fn must_pass(what: &str, output: &Output) {
    assert!(output.status.success(), "{what}: {}", text(output));
}

/// Checks the playbooks in `ansible/` with Ansible's linter, which runs Ansible's syntax check on each first.
pub fn check_playbook(folder: &Path) {
    let mut playbooks: Vec<String> = std::fs::read_dir(folder.join("ansible"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".yml"))
        .collect();
    playbooks.sort();
    assert!(playbooks.contains(&"site.yml".to_owned()));
    let mut lint = ansible("ansible-lint", folder);
    lint.args(["--offline", "--nocolor", "--profile", "safety", "--project-dir", ".", "roles"]);
    lint.args(&playbooks);
    must_pass("ansible-lint", &lint.output().unwrap());
}

/// Checks the file with Compose if it is available, and otherwise with a schema of what the projects use, and prints a
/// note.
pub fn check_compose(folder: &Path, file: &str, environment: &[(&str, &str)]) {
    let there = Command::new("docker").args(["compose", "version"]).output();
    let plugin = there.is_ok_and(|output| output.status.success());
    let own = TOOLS.join("docker-compose");
    let mut command = match (plugin, own.exists()) {
        (true, _) => {
            let mut command = Command::new("docker");
            command.arg("compose");
            command
        }
        (false, true) => Command::new(own),
        (false, false) => {
            println!("{file}: Docker Compose is not available, checked against a schema instead");
            let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
            let mut command = Command::new(TOOLS.join("venv/bin/python"));
            command.arg(tests.join("compose_schema.py")).arg(folder.join(file));
            return must_pass(file, &command.output().unwrap());
        }
    };
    command.arg("--file").arg(folder.join(file)).args(["config", "--quiet"]);
    command.envs(environment.iter().copied());
    must_pass(file, &command.output().unwrap());
}
