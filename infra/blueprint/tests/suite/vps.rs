//! What all deployments on a VPS have in common. Stubs replace Hetzner, the server and Ansible; the real tools check
//! everything that the model writes.

use std::path::Path;

use crate::described::{Described, described};
use crate::stubs::{TERRAFORM, must_run, run, stub, text};
use crate::support::Project;
use crate::tools;

/// Each deployment on a VPS that needs Rust code, and the secrets it needs.
const WRITTEN: &[(&str, &[&str])] = &[
    (
        "A VPS named web with PostgreSQL and a database called orders, use the defaults",
        &["APP_DB_PASSWORD"],
    ),
    (
        "A VPS named web with MySQL and a database called orders, use the defaults",
        &["APP_DB_PASSWORD", "MYSQL_ROOT_PASSWORD"],
    ),
    (
        "An ELK stack named web, keep logs 30 days, use the defaults",
        &["ELASTIC_PASSWORD", "KIBANA_PASSWORD", "LOGSTASH_PASSWORD"],
    ),
    (
        "A monitoring stack named web that watches https://example.com/health, use the defaults",
        &["GRAFANA_ADMIN_PASSWORD"],
    ),
];

/// The simplest deployment on a VPS, which consists of data alone.
const BASIC: &str = "A VPS named web in Helsinki with ports 80 and 443 open, use the defaults";

fn written() -> Vec<Described> {
    let written = WRITTEN.iter().map(|(wish, secrets)| Described {
        wish: wish.to_string(),
        secrets: secrets.iter().map(|name| name.to_string()).collect(),
        server: true,
    });
    written.collect()
}

/// The deployments above, and every deployment with a server that consists of data alone.
fn deployments() -> Vec<Described> {
    let described = described().into_iter().filter(|described| described.server);
    let all: Vec<Described> = written().into_iter().chain(described).collect();
    assert!(all.iter().any(|one| one.wish == BASIC));
    all
}

/// Numbers of the steps up to the playbook, counted from 1.
const PLAN: usize = 4;
const APPLY: usize = 5;
const TEST_SSH: usize = 6;
const WRITE_PLAYBOOK: usize = 7;
const RUN_PLAYBOOK: usize = 8;

/// The steps that need no server.
const WRITING: [usize; 3] = [1, 2, WRITE_PLAYBOOK];

/// A workspace after these steps.
async fn after(steps: &[usize], project: &Project) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for number in steps {
        must_prove(folder.path(), project, *number, &[]).await;
    }
    folder
}

/// A workspace after the steps that need no server, with stubs for all others.
async fn simulated(project: &Project) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    stubs(folder.path());
    for number in WRITING {
        must_prove(folder.path(), project, number, &[("LOG", "/dev/null")]).await;
    }
    folder
}

/// Runs a step and its proof as the sandbox does.
async fn must_prove(
    folder: &Path,
    project: &Project,
    number: usize,
    environment: &[(&str, &str)],
) -> String {
    let (script, proof) = project.proved_script(number).await;
    let said = must_run(folder, &script, environment);
    let proved = must_run(folder, &proof, environment);
    assert!(proved.contains("Proved: "), "step {number}: {proved}");
    said
}

#[tokio::test]
async fn terraform_configurations_are_well_formed_and_in_terraforms_format() {
    for Described { wish, .. } in deployments() {
        let folder = after(&[1, 2], &Project::planned(&wish).await).await;
        let main = std::fs::read_to_string(folder.path().join("terraform/main.tf")).unwrap();
        let body = hcl::parse(&main).unwrap();
        assert!(body.blocks().any(|block| {
            block.labels.first().is_some_and(|label| label.as_str() == "hcloud_server")
        }));
        for name in ["versions.tf", "variables.tf", "outputs.tf", "terraform.tfvars"] {
            let source =
                std::fs::read_to_string(folder.path().join("terraform").join(name)).unwrap();
            hcl::parse(&source).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}

/// Writes a playbook twice. Both runs must write the same files, and the files must pass Ansible's syntax check and
/// linter, Compose's check, and shellcheck.
async fn passes_its_tools(Described { wish, secrets, .. }: Described) {
    let project = Project::planned(&wish).await;
    let folder = after(&WRITING, &project).await;
    must_run(folder.path(), &project.script(WRITE_PLAYBOOK).await, &[]);
    tools::check_playbook(folder.path());
    if folder.path().join("stack/compose.yaml").exists() {
        let secrets: Vec<(&str, &str)> =
            secrets.iter().map(|name| (name.as_str(), "only-for-this-check")).collect();
        tools::check_compose(folder.path(), "stack/compose.yaml", &secrets);
    }
    for script in crate::scripts::shell_files(folder.path()) {
        crate::scripts::shellcheck(&script);
    }
}

/// One test for each deployment, because the linter is slow and the tests can run in parallel.
macro_rules! written {
    ($($name:ident: $index:literal),+ $(,)?) => {
        $(#[tokio::test]
        async fn $name() {
            passes_its_tools(written().remove($index)).await;
        })+

        #[test]
        fn every_written_deployment_has_a_test() {
            assert_eq!([$($index),+].as_slice(), (0..WRITTEN.len()).collect::<Vec<_>>());
        }
    };
}

written! {
    what_is_written_for_postgresql_passes_ansible_its_linter_compose_and_shellcheck: 0,
    what_is_written_for_mysql_passes_ansible_its_linter_compose_and_shellcheck: 1,
    what_is_written_for_the_elk_stack_passes_ansible_its_linter_compose_and_shellcheck: 2,
    what_is_written_for_the_monitoring_stack_passes_ansible_its_linter_compose_and_shellcheck: 3,
}

#[tokio::test]
async fn what_is_written_for_data_only_deployments_passes_ansible_its_linter_compose_and_shellcheck()
 {
    for deployment in described().into_iter().filter(|one| one.server) {
        passes_its_tools(deployment).await;
    }
}

/// A stub of a server that answers everything that the checks ask as planned.
const SSH: &str = r#"
case "$*" in
  *" -G "*) echo "hostname 198.51.100.9" ;;
  *PubkeyAuthentication=no*) echo "deploy@198.51.100.9: Permission denied (publickey)." >&2; exit 255 ;;
  *boot_id*) echo "$SRANDOM" ;; # It has restarted between any two looks.
  *"bash -s"*) cat >"remote-$(ls | wc -l).sh" ;;
  *"release new"*)
    [[ $(tar -xO ./run) == *"sleep 600"* ]] && exit 1
    [[ -f current ]] && mv current before
    echo "${@: -1}" >current
    ;;
  *"release back"*) mv current after; mv before current; mv after before ;;
  *"readlink /srv/app/current") echo "releases/$(cat current)" ;;
  *"readlink /srv/app/before") exit 1 ;;
  *ask-often*) printf '  9 times: Release %s\n' one other ;;
  *) echo web; echo "up 3 minutes"; echo "Debian GNU/Linux 13 (trixie)" ;;
esac
"#;

/// A stub of Ansible: it reports everything named in `drift` as changed, and repairs it unless it only checks.
const ANSIBLE_PLAYBOOK: &str = r#"
[[ "$*" == *--syntax-check* ]] && exit 0
changed=$([[ -f ../drift ]] && echo 1 || echo 0)
[[ "$*" == *--check* ]] || rm -f ../drift
[[ $changed == 1 ]] && printf 'TASK [Close the ports] ****\n-open\n+closed\n\nchanged: [web]\n\n'
printf 'PLAY RECAP ****\nweb : ok=20 changed=%s unreachable=0 failed=0 skipped=1\n' "$changed"
"#;

/// A stub of the firewall: SSH answers, open ports let connections through but have no service yet, and other ports do
/// not answer.
const FIREWALL: &str = r#"
[[ $2 == ssh ]] && exec "${@:2}"
port=${@: -1} port=${port##*/}
[[ $port == 22 ]] && exit 0
grep --quiet --recursive "\"$port\"" terraform && exit 1
exit 124
"#;

fn stubs(folder: &Path) {
    stub(folder, "terraform", TERRAFORM);
    stub(folder, "curl", "echo 192.0.2.44");
    stub(folder, "sleep", "");
    stub(folder, "ssh", SSH);
    stub(folder, "ansible", "true");
    // Every domain points to the server.
    stub(folder, "getent", "echo '198.51.100.9 STREAM'");
    stub(folder, "ansible-playbook", ANSIBLE_PLAYBOOK);
    // An address reserved for documentation, so no real machine receives a packet.
    stub(folder, "timeout", FIREWALL);
}

#[tokio::test]
async fn all_steps_complete_on_a_simulated_server() {
    for Described { wish, secrets, .. } in deployments() {
        let project = Project::planned(&wish).await;
        let folder = simulated(&project).await;
        let log = folder.path().join("log");
        let log = log.to_str().unwrap();
        let mut environment = vec![("LOG", log)];
        let refused = run(folder.path(), &project.script(PLAN).await, &environment);
        assert!(!refused.status.success() && text(&refused).contains("No Hetzner credentials"));

        environment.push(("HCLOUD_TOKEN", "not-a-token"));
        environment.extend(secrets.iter().map(|name| (name.as_str(), "a-secret-of-some-length")));
        for number in [PLAN, APPLY, TEST_SSH] {
            let said = must_prove(folder.path(), &project, number, &environment).await;
            assert!(!said.contains("not-a-token") && !said.contains("a-secret-of"), "{said}");
        }
        let config = std::fs::read_to_string(folder.path().join("ssh/config")).unwrap();
        assert!(config.contains("Host server web\n  HostName 198.51.100.9\n"), "{config}");
        for number in WRITE_PLAYBOOK..=project.steps.len() {
            must_prove(folder.path(), &project, number, &environment).await;
        }
        let playbook = project.script(RUN_PLAYBOOK).await;
        if let Some(secret) = secrets.first() {
            let without: Vec<(&str, &str)> =
                environment.iter().copied().filter(|(name, _)| name != secret).collect();
            let refused = run(folder.path(), &playbook, &without);
            assert!(!refused.status.success() && text(&refused).contains(secret.as_str()));
        }
    }
}

/// Indices of the checks that every VPS has.
const LOGIN: usize = 0;
const DRIFT: usize = 1;
const PORTS: usize = 2;
const HARDENING: usize = 3;
const SECOND_RUN: usize = 4;
const RESTART: usize = 5;

#[tokio::test]
async fn the_checks_report_what_they_saw_and_fail_on_the_faults_that_they_look_for() {
    let project = Project::planned(BASIC).await;
    let checks = project.check_scripts().await;
    let folder = simulated(&project).await;
    let folder = folder.path();
    let environment = [("LOG", "/dev/null"), ("HCLOUD_TOKEN", "not-a-token")];
    for check in &checks {
        let said = must_run(folder, check, &environment);
        assert!(said.trim().lines().last().unwrap().starts_with("Verified: "), "{said}");
    }
    let fails = |number: usize, sign: &str| {
        let output = run(folder, &checks[number], &environment);
        assert!(!output.status.success() && text(&output).contains(sign), "{}", text(&output));
    };
    std::fs::write(folder.join("drift"), "").unwrap();
    fails(DRIFT, "differs from the configuration");
    // It runs twice, to show that detecting the drift does not repair it.
    fails(SECOND_RUN, "TASK [Close the ports]");
    fails(SECOND_RUN, "is not changed=0");
    stub(folder, "timeout", "exit 0");
    fails(PORTS, "port 3000 is open");
    let refused = r#"case "${@: -1}" in */22) exit 0 ;; *) exit 1 ;; esac"#;
    stub(folder, "timeout", refused);
    fails(PORTS, "port 3000 is let through");
    stub(folder, "timeout", r#"case "${@: -1}" in */22) exit 0 ;; *) exit 124 ;; esac"#);
    fails(PORTS, "port 80 is planned to be open");
    stub(folder, "ssh", "exit 0");
    fails(LOGIN, "lets in without a key");
    stub(folder, "ssh", "echo 'sshd lacks: permitrootlogin no' >&2; exit 1");
    fails(HARDENING, "sshd lacks");
    stub(folder, "ssh", "echo 'nothing starts these with the server: x.service' >&2; exit 1");
    fails(RESTART, "nothing starts these");
}

/// Checks send some scripts to the server as text, which no other test covers.
#[tokio::test]
async fn commands_that_checks_run_on_the_server_pass_shellcheck() {
    for Described { wish, secrets, .. } in deployments() {
        let project = Project::planned(&wish).await;
        let folder = simulated(&project).await;
        let folder = folder.path();
        let mut environment = vec![("LOG", "/dev/null"), ("HCLOUD_TOKEN", "not-a-token")];
        environment.extend(secrets.iter().map(|name| (name.as_str(), "a-secret-of-some-length")));
        for check in project.check_scripts().await {
            let said = must_run(folder, &check, &environment);
            assert!(said.trim().lines().last().unwrap().starts_with("Verified: "), "{said}");
        }
        let mut remote = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "sh") {
                remote += 1;
                // Variables in single quotes are for the shell in the container, not for this one.
                let output = std::process::Command::new("shellcheck")
                    .args(["-s", "bash", "-e", "SC2016"])
                    .arg(&path)
                    .output()
                    .unwrap();
                assert!(output.status.success(), "{wish}: {}", text(&output));
            }
        }
        assert!(remote > 0);
    }
}

#[tokio::test]
async fn every_deployment_is_documented_without_gaps() {
    use crate::support::Chat;
    for Described { wish, secrets, .. } in deployments() {
        let project = Project::planned(&wish).await;
        let text = format!("{}\n\nGenerate it", project.documents());
        let answer = Chat::documenter().user(&text).ask().await;
        let data = answer.argument("key_value_data");
        assert_eq!(data["server"]["user"], "deploy", "{wish}");
        for secret in &secrets {
            assert_eq!(data["credentials"][secret], format!("{{{{secret:{secret}}}}}"));
        }
        let more = data.as_object().unwrap().len();
        assert!(more >= if secrets.is_empty() { 6 } else { 8 }, "{wish}: {data}");
        for text in [answer.str("documentation"), answer.str("quickstart"), &data.to_string()] {
            assert!(!crate::plans::has_placeholder(text), "{wish}: {text}");
        }
    }
}

#[tokio::test]
async fn the_documentation_has_the_address_that_terraform_printed() {
    use crate::support::{Chat, fence};
    let project = Project::planned(BASIC).await;
    let steps =
        serde_json::json!([{"number": 5, "status": "completed", "description": "Apply the plan"}]);
    let context = format!(
        "{}\n\n{}\n\n{}\n\nGenerate it",
        project.documents(),
        fence("steps", &steps.to_string()),
        fence(
            "execution_results",
            "Step 5, exit code 0\npublic_ip = \"198.51.100.9\"\nssh_user = \"deploy\""
        )
    );
    let answer = Chat::documenter().user(&context).ask().await;
    assert!(answer.str("documentation").contains("| Address | `198.51.100.9` |"));
    assert!(answer.str("quickstart").contains("deploy@198.51.100.9"));
    let data = answer.argument("key_value_data");
    assert_eq!(data["server"]["host"], "198.51.100.9");
    assert_eq!(data["credentials"]["HCLOUD_TOKEN"], "{{secret:HCLOUD_TOKEN}}");
}

#[tokio::test]
async fn a_changed_address_of_the_sandbox_is_noticed_and_admitted_by_a_new_plan() {
    let project = Project::planned(BASIC).await;
    let folder = simulated(&project).await;
    let folder = folder.path();
    let environment = [("LOG", "/dev/null"), ("HCLOUD_TOKEN", "not-a-token")];
    must_prove(folder, &project, PLAN, &environment).await;
    must_prove(folder, &project, TEST_SSH, &environment).await;
    let login = &project.check_scripts().await[LOGIN];
    must_run(folder, login, &environment);

    stub(folder, "curl", "echo 203.0.113.9");
    let refused = run(folder, &project.script(RUN_PLAYBOOK).await, &environment);
    let said = text(&refused);
    assert!(!refused.status.success() && said.contains("address changed"), "{said}");
    assert!(said.contains("203.0.113.9") && said.contains("192.0.2.44/32"), "{said}");
    let unclear = run(folder, login, &environment);
    assert_eq!(unclear.status.code(), Some(75), "{}", text(&unclear));

    must_prove(folder, &project, PLAN, &environment).await;
    must_prove(folder, &project, RUN_PLAYBOOK, &environment).await;
    // If the step cannot find out the address, it continues.
    stub(folder, "curl", "exit 7");
    must_run(folder, login, &environment);
}
