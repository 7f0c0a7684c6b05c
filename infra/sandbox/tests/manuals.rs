//! Looks up documentation with the real programs: the answers, and what a workspace must not be able to influence.
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Agent, Gateway, sandbox};
use protocol::{Answer, ManualKind, PAGE_BYTES, Question, Topic, TopicRequest};

/// The text that no documentation may show.
const CANARY: &str = "canary-7f3a";

fn topic(kind: ManualKind, name: &str) -> Topic {
    Topic::try_from(TopicRequest { kind, name: name.to_owned(), folder: None }).unwrap()
}

async fn ask(gateway: &mut Gateway, topic: Topic, from: usize) -> Answer {
    let request_id = format!("{topic:?} {from}");
    gateway.ask(&request_id, Question::LookUp { topic, from }, CANARY).await
}

async fn look_up(gateway: &mut Gateway, kind: ManualKind, name: &str) -> String {
    match ask(gateway, topic(kind, name), 0).await {
        Answer::Page { text, .. } => text,
        other => panic!("{name}: {other:?}"),
    }
}

async fn missing(gateway: &mut Gateway, kind: ManualKind, name: &str) -> String {
    match ask(gateway, topic(kind, name), 0).await {
        Answer::NoPage { reason } => reason,
        other => panic!("{name}: {other:?}"),
    }
}

async fn runs(gateway: &mut Gateway, run_id: &str, script: &str) -> String {
    let report = gateway.run(run_id, script).await;
    assert_eq!(report.exit_code, Some(0), "{}{}", report.head, report.tail);
    report.head
}

#[tokio::test]
async fn a_programs_help_comes_in_pages_that_join() {
    let (mut gateway, _agent) = sandbox().await;
    let (mut from, mut whole, mut pages) = (0, String::new(), 0);
    loop {
        let answer = ask(&mut gateway, topic(ManualKind::Program, "tar"), from).await;
        let Answer::Page { text, next } = answer else { panic!("{answer:?}") };
        assert!(text.len() <= PAGE_BYTES);
        whole.push_str(&text);
        pages += 1;
        let Some(next) = next else { break };
        from = next;
    }
    assert!(pages > 1 && whole.contains("--exclude-vcs"), "{pages}: {whole}");
    let output = std::process::Command::new("tar").arg("--help").output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(&whole), words(&said), "no line is missing, and none comes twice");
    let plan = look_up(&mut gateway, ManualKind::Program, "terraform plan").await;
    assert!(plan.contains("-detailed-exitcode"), "{plan}");
    let commit = look_up(&mut gateway, ManualKind::Program, "git commit").await;
    assert!(commit.contains("--amend"), "{commit}");
    if !Path::new("/usr/bin/promtool").exists() {
        let reason = missing(&mut gateway, ManualKind::Program, "promtool check").await;
        assert!(reason.contains("is not installed"), "{reason}");
    }
}

#[tokio::test]
async fn a_manual_page_is_plain_text_where_there_are_manuals() {
    let (mut gateway, _agent) = sandbox().await;
    let has = |file: &str| Path::new(file).exists();
    if has("/usr/share/man/man1/ls.1.gz") && has("/usr/bin/groff") {
        let page = look_up(&mut gateway, ManualKind::Manual, "ls(1)").await;
        assert!(page.contains("\nNAME\n") && page.contains("list directory contents"), "{page}");
        assert!(!page.contains(['\u{8}', '\u{1b}']), "{page}");
        let reason = missing(&mut gateway, ManualKind::Manual, "no-such-page").await;
        assert!(reason.contains("no manual page `no-such-page`"), "{reason}");
    } else {
        let reason = missing(&mut gateway, ManualKind::Manual, "ls(1)").await;
        assert!(reason.contains("no manual page"), "{reason}");
    }
}

/// Ansible's tools and the Python that they run on, in the versions that the repository's other tests use.
fn ansible() -> (PathBuf, PathBuf, String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let tools = Command::new("bash").arg(root.join("infra/blueprint/tools.sh")).status();
    assert!(tools.unwrap().success(), "infra/blueprint/tools.sh");
    let tools = root.join("target/blueprint-tools/venv").canonicalize().unwrap();
    let which = "import sys; print(sys.base_prefix, 'python%d.%d' % sys.version_info[:2])";
    let said = Command::new(tools.join("bin/python3")).args(["-c", which]).output().unwrap();
    let said = String::from_utf8(said.stdout).unwrap();
    let (python, version) = said.trim().rsplit_once(' ').unwrap();
    (tools, PathBuf::from(python), version.to_owned())
}

/// Code that a module path or a home of the project would bring in.
const PLANT_A_MODULE: &str = "mkdir -p library \"$HOME/.ansible/plugins/modules\"
printf '[defaults]\\nlibrary = %s\\n' \"$PWD/library\" | tee ansible.cfg ansible/ansible.cfg > \"$HOME/.ansible.cfg\"
printf \"DOCUMENTATION = '''\\nmodule: planted\\nshort_description: x-canary-7f3a\\ndescription: x-canary-7f3a\\n'''\\n\" |
    tee library/planted.py library/copy.py > \"$HOME/.ansible/plugins/modules/planted.py\"";

#[tokio::test]
async fn an_ansible_module_comes_from_the_image_whatever_the_workspace_has() {
    let bin = tempfile::tempdir().unwrap();
    let program = bin.path().join("ansible-doc");
    let (tools, python, version) = ansible();
    // A reader finds programs in the system's folders only, so all of them are placed there.
    let line = format!(
        "#!/bin/sh
PYTHONPATH=/usr/local/src/lib/{version}/site-packages exec /usr/local/games/bin/{version} /usr/local/src/bin/ansible-doc \"$@\"\n"
    );
    fs::write(&program, line).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let mut gateway = Gateway::start().await;
    let places = [
        (tools.as_path(), "/usr/local/src"),
        (python.as_path(), "/usr/local/games"),
        (bin.path(), "/usr/local/sbin"),
    ];
    let _agent = Agent::start_where(&gateway, &places);
    gateway.hello().await;
    runs(&mut gateway, "r1", PLANT_A_MODULE).await;
    let found = runs(&mut gateway, "r2", "/usr/local/sbin/ansible-doc -t module planted").await;
    assert!(found.contains("x-canary"), "an approved command finds it: {found}");

    let copy = look_up(&mut gateway, ManualKind::AnsibleModule, "ansible.builtin.copy").await;
    assert!(copy.contains("- backup") && copy.contains("remote_src"), "{copy}");
    assert!(!copy.contains("canary") && !copy.contains('\u{1b}'), "{copy}");
    let short = look_up(&mut gateway, ManualKind::AnsibleModule, "copy").await;
    assert!(short.contains("- backup"), "{short}");
    let list = look_up(&mut gateway, ManualKind::AnsibleModules, "apt").await;
    let names: Vec<_> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.contains(&"ansible.builtin.apt_key"), "{list}");
    assert!(names.iter().all(|name| name.contains("apt")), "{list}");
    let reason = missing(&mut gateway, ManualKind::AnsibleModule, "planted").await;
    assert!(reason.contains("no module `planted`") && !reason.contains("canary"), "{reason}");
    missing(&mut gateway, ManualKind::AnsibleModules, "planted").await;
}

#[tokio::test]
async fn terraforms_own_types_need_no_provider_and_others_need_an_init() {
    let (mut gateway, _agent) = sandbox().await;
    let data = look_up(&mut gateway, ManualKind::TerraformResource, "terraform_data").await;
    assert!(
        data.starts_with("resource terraform_data of terraform.io/builtin/terraform"),
        "{data}"
    );
    assert!(data.contains("- triggers_replace  dynamic\n") && data.contains("< output"), "{data}");
    let state =
        look_up(&mut gateway, ManualKind::TerraformDataSource, "terraform_remote_state").await;
    assert!(state.contains("= backend  string\n    The remote backend to use"), "{state}");
    let reason = missing(&mut gateway, ManualKind::TerraformResource, "aws_instance").await;
    assert!(reason.contains("`terraform init` has not run in terraform"), "{reason}");
    let lock = "printf 'provider \"registry.terraform.io/hashicorp/aws\" {\\n  version = \"6.2.0\"\\n}\\n' > terraform/.terraform.lock.hcl";
    runs(&mut gateway, "r1", lock).await;
    // A different line number, so that it is another request.
    let aws = topic(ManualKind::TerraformResource, "aws_instance");
    let Answer::NoPage { reason } = ask(&mut gateway, aws, 1).await else { panic!() };
    assert!(reason.contains("aws 6.2.0 is not installed"), "{reason}");
    let reason = missing(&mut gateway, ManualKind::TerraformResource, "hcloud_server").await;
    assert!(reason.contains("Installed: registry.terraform.io/hashicorp/aws."), "{reason}");
}

#[tokio::test]
async fn help_for_git_and_docker_runs_no_program_of_the_project_or_the_home() {
    let (mut gateway, _agent) = sandbox().await;
    let plant = "mkdir -p ~/.docker/cli-plugins ~/.local/bin
git init -q . && git config alias.planted '!echo planted' && git config core.pager 'echo planted'
printf '#!/bin/sh\\necho planted\\n' | tee ~/.docker/cli-plugins/docker-planted > ~/.local/bin/tar
chmod +x ~/.docker/cli-plugins/docker-planted ~/.local/bin/tar
git planted; tar";
    let found = runs(&mut gateway, "r1", plant).await;
    assert_eq!(found, "planted\nplanted\n", "an approved command finds them");
    for name in ["git planted", "tar"] {
        let help = look_up(&mut gateway, ManualKind::Program, name).await;
        assert!(help.lines().all(|line| line != "planted"), "{name}: {help}");
    }
    if Path::new("/usr/bin/docker").exists() {
        let help = look_up(&mut gateway, ManualKind::Program, "docker planted").await;
        assert!(help.lines().all(|line| line != "planted"), "{help}");
    }
}
