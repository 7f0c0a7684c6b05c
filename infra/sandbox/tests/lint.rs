//! Playbooks are checked by ansible-lint where a sandbox has it, as the image does in `/opt`.
use crate::support::{Agent, Gateway};
use protocol::{Answer, Bench, BenchFile, BenchTool, Question, Severity};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Where the image has ansible-lint's environment.
const PLACE: &str = "/opt/ansible-lint";

/// The environment in which the blueprint model's tests check playbooks.
fn environment() -> PathBuf {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let made = Command::new("bash").arg(repository.join("infra/blueprint/tools.sh")).status();
    assert!(made.unwrap().success(), "the tools cannot be had");
    repository.join("target/blueprint-tools/venv")
}

/// A copy of the environment that works at [`PLACE`], and the folder of programs that leads there.
fn installed() -> (TempDir, TempDir) {
    let (opt, programs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (from, to) = (environment(), opt.path().join("ansible-lint"));
    let copied = Command::new("cp").arg("--archive").arg(&from).arg(&to).status();
    assert!(copied.unwrap().success());
    for script in fs::read_dir(to.join("bin")).unwrap() {
        let script = script.unwrap();
        // Scripts name their interpreter by its place; the others are programs and links to them.
        if script.file_type().unwrap().is_file()
            && let Ok(text) = fs::read_to_string(script.path())
        {
            // The environment may have been copied, so its scripts may name another place than this one.
            let Some((first, rest)) = text.split_once('\n') else { continue };
            if first.starts_with("#!") && first.contains("/bin/python") {
                fs::write(script.path(), format!("#!{PLACE}/bin/python\n{rest}")).unwrap();
            }
        }
    }
    use_the_systems_python(&to);
    let program = format!("{PLACE}/bin/ansible-lint");
    symlink(program, programs.path().join("ansible-lint")).unwrap();
    (opt, programs)
}

/// Gives the environment the system's Python, because a reader sees no other.
fn use_the_systems_python(environment: &Path) {
    let python = environment.join("bin/python");
    fs::remove_file(&python).unwrap();
    symlink("/usr/bin/python3", &python).unwrap();
    let settings = environment.join("pyvenv.cfg");
    let text = fs::read_to_string(&settings).unwrap();
    let line = |line: &str| match line.starts_with("home = ") {
        true => "home = /usr/bin\n".to_owned(),
        false => format!("{line}\n"),
    };
    fs::write(&settings, text.lines().map(line).collect::<String>()).unwrap();
}

#[tokio::test]
async fn a_playbook_is_linted_where_ansible_lint_is_installed() {
    let (opt, programs) = installed();
    let mut gateway = Gateway::start().await;
    let places = [(opt.path(), "/opt"), (programs.path(), "/usr/local/bin")];
    let _agent = Agent::start_where(&gateway, &places);
    gateway.hello().await;
    let play = "---\n- name: Build\n  hosts: all\n  tasks:\n    - shell: rm /tmp/a\n";
    let fine = "---\n- name: Look\n  hosts: all\n  tasks:\n    - name: Wait\n      ansible.builtin.wait_for_connection:\n";
    let file = |path: &str, text: &str| BenchFile { path: path.into(), text: text.into() };
    let places = vec!["ansible/site.yml".to_owned(), "ansible/fine.yml".to_owned()];
    let bench = Bench {
        script: "true".to_owned(),
        files: vec![file("ansible/site.yml", play), file("ansible/fine.yml", fine)],
        tools: vec![BenchTool { name: "ansible-lint".to_owned(), places }],
    };
    let answer = gateway.ask("q1", Question::Check(bench), "canary-of-a-password").await;
    let Answer::Checked(checked) = answer else { panic!("{answer:?}") };
    assert!(checked.not_checked.is_empty(), "{checked:?}");
    let [said] = checked.checked.as_slice() else { panic!("{checked:?}") };
    assert!(said.starts_with("ansible-lint 2"), "with its version: {said}");
    assert!(!checked.findings.is_empty(), "{checked:?}");
    for found in &checked.findings {
        assert_eq!((found.file.as_deref(), found.line), (Some("ansible/site.yml"), Some(5)));
        assert_eq!((found.tool.as_str(), found.severity), ("ansible-lint", Severity::Warning));
    }
    assert!(checked.findings.iter().any(|found| found.message.contains("name[missing]")));
}
