//! Redis, added to a server in the first build or later, and removed again.

use std::path::Path;

use crate::stubs::{TERRAFORM, must_run, run, stub, text};
use crate::support::{Chat, Project};
use crate::{gate, scripts, tools};

/// The deployments that take additions.
const SERVERS: &[&str] = &[
    "A VPS named web in Helsinki, use the defaults",
    "A VPS named web with PostgreSQL and a database called orders, use the defaults",
    "A VPS named web with MySQL and a database called orders, use the defaults",
];

const ADD: &str = "also add Redis";
const ROW: &str = "| Also on the server | `none` | `redis` |";
const ADDED: &[&str] = &["Write the role for Redis", "Install Redis"];

#[tokio::test]
async fn redis_is_added_by_separate_steps_and_undone_by_removing_it() {
    for server in SERVERS {
        let before = Project::planned(server).await;
        let with = before.changed(ADD).await;
        assert_eq!(with.titles(), ADDED, "{server}");
        assert!(with.implementation.contains(ROW), "{}", with.implementation);
        for document in [&with.requirements, &with.architecture] {
            assert!(document.contains("Redis") && document.contains("127.0.0.1"), "{document}");
        }
        assert!(with.requirements.contains("REDIS_PASSWORD"), "{}", with.requirements);
        let (_, checks) = with.validation().await;
        let (_, before_checks) = before.validation().await;
        assert_eq!(checks.len(), before_checks.len() + 3, "{server}");

        for wish in ["Undo change 2", "Remove Redis"] {
            let without = with.changed(wish).await;
            assert_eq!(without.titles(), ["Remove Redis"], "{server}: {wish}");
            let line = |text: &str| text.trim_end().lines().last().unwrap().to_owned();
            assert_eq!(line(&without.implementation), line(&before.implementation));
            assert_eq!(without.validation().await.1.len(), before_checks.len());
        }
    }
}

#[tokio::test]
async fn an_addition_stays_when_other_values_change() {
    let with = Project::planned(SERVERS[0]).await.changed(ADD).await;
    let opened = with.changed("Also open port 8443").await;
    assert!(opened.implementation.contains("additions redis"), "{}", opened.implementation);
    assert!(!opened.titles().iter().any(|title| title.contains("Redis")), "{:?}", opened.titles());

    let larger = with.changed("Give Redis 1 GB of memory").await;
    assert_eq!(larger.titles(), ADDED);
    let row = "| Redis's memory in MB | `256` | `1024` |";
    assert!(larger.implementation.contains(row), "{}", larger.implementation);
    assert!(larger.script(1).await.contains("redis_memory_mb: 1024"));
    let both = Project::planned(SERVERS[0]).await.changed("add Redis and open port 8443").await;
    assert!(both.titles().ends_with(ADDED) && both.titles().contains(&"Apply the plan"));
}

#[tokio::test]
async fn the_reply_names_the_password_before_the_user_confirms() {
    let before = Project::planned(SERVERS[0]).await;
    let wish = before.standing(ADD);
    let (_, answers) = Chat::gatherer().turn(&format!("{wish}\n{ADD}")).await;
    let said = &answers.last().unwrap().text;
    assert!(said.contains("REDIS_PASSWORD") && said.contains("becomes `redis`"), "{said}");
    assert!(!said.contains("will not be built"), "{said}");
}

#[tokio::test]
async fn the_servers_memory_is_not_mistaken_for_the_memory_of_redis() {
    let (_, answers) = Chat::gatherer().turn("A VPS with 16 GB RAM, Redis too").await;
    let content = answers[0].str("content");
    assert!(content.contains("additions redis"), "{content}");
    let (_, answers) = Chat::gatherer().turn("A VPS with 16 GB RAM").await;
    let content = answers[0].str("content");
    assert!(content.contains("16 GB of memory") && !content.contains("redis"), "{content}");
}

#[tokio::test]
async fn a_first_build_with_redis_has_its_steps_checks_and_documents() {
    let project = Project::planned("A VPS named web with Redis, use the defaults").await;
    assert_eq!(project.steps.len(), 10);
    assert!(project.titles().ends_with(ADDED));
    assert!(project.implementation.contains("Ten steps"), "{}", project.implementation);
    let asked = format!("{}\n\nGenerate it", project.documents());
    let answer = Chat::documenter().user(&asked).ask().await;
    let data = answer.argument("key_value_data");
    assert_eq!(data["redis"]["password"], "{{secret:REDIS_PASSWORD}}");
    assert_eq!(data["credentials"]["REDIS_PASSWORD"], "{{secret:REDIS_PASSWORD}}");
    assert_eq!(data["files"]["playbook"], "ansible/site.yml");
    assert!(answer.str("documentation").contains("/etc/redis/added.conf"));
    let question = format!("{}\n\nIs Redis running?", project.documents());
    let asked = Chat::helper().user(&question).ask().await;
    assert!(asked.str("command").contains("redis-server"), "{asked:?}");
}

#[tokio::test]
async fn the_gate_has_no_findings_when_an_addition_is_added_or_removed() {
    for server in SERVERS {
        let with = Project::planned(server).await.changed(ADD).await;
        let mut found = gate::findings(ADD, &with).await;
        found.extend(gate::findings("Remove Redis", &with.changed("Remove Redis").await).await);
        assert!(found.is_empty(), "{}", found.join("\n"));
    }
}

/// A workspace with the server's playbook and the role of Redis.
async fn written(before: &Project, with: &Project) -> tempfile::TempDir {
    const WRITE_PLAYBOOK: usize = 7;
    let folder = tempfile::tempdir().unwrap();
    let (folder_path, script) = (folder.path(), before.script(1).await);
    must_run(folder_path, &script, &[]);
    must_run(folder_path, &before.script(WRITE_PLAYBOOK).await, &[]);
    for _ in 0..2 {
        must_prove(folder_path, with, 1, &[]).await;
    }
    folder
}

async fn must_prove(folder: &Path, project: &Project, number: usize, more: &[(&str, &str)]) {
    let (script, proof) = project.proved_script(number).await;
    must_run(folder, &script, more);
    assert!(must_run(folder, &proof, more).contains("Proved: "));
}

#[tokio::test]
async fn the_role_of_redis_passes_ansible_and_its_linter() {
    let before = Project::planned(SERVERS[0]).await;
    let folder = written(&before, &before.changed(ADD).await).await;
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalogue/additions/redis/files");
    let removing = folder.path().join("ansible/redis-remove.yml");
    std::fs::copy(files.join("remove-playbook.yml"), removing).unwrap();
    tools::check_playbook(folder.path());
}

/// A stub of Ansible: it reports everything named in `drift` as changed, and repairs it unless it only checks.
const ANSIBLE_PLAYBOOK: &str = r#"
[[ "$*" == *--syntax-check* ]] && exit 0
echo "ansible-playbook $*" >>"$LOG"
changed=$([[ -f ../drift ]] && echo 1 || echo 0)
[[ "$*" == *--check* ]] || rm -f ../drift
[[ $changed == 1 ]] && printf 'TASK [Close the ports] ****\n-open\n+closed\n\nchanged: [web]\n\n'
printf 'PLAY RECAP ****\nweb : ok=9 changed=%s unreachable=0 failed=0\n' "$changed"
"#;

#[tokio::test]
async fn redis_is_installed_checked_and_removed_on_a_simulated_server() {
    let before = Project::planned(SERVERS[0]).await;
    let with = before.changed(ADD).await;
    let folder = written(&before, &with).await;
    let folder = folder.path();
    stub(folder, "terraform", TERRAFORM);
    stub(folder, "ssh", r#"cat >"remote-$(ls | wc -l).sh""#);
    stub(folder, "ansible-playbook", ANSIBLE_PLAYBOOK);
    let log = folder.join("log");
    let mut environment = vec![("LOG", log.to_str().unwrap())];
    let refused = run(folder, &with.script(2).await, &environment);
    assert!(!refused.status.success() && text(&refused).contains("REDIS_PASSWORD is missing"));
    environment.push(("REDIS_PASSWORD", "it's-a-password"));
    let refused = run(folder, &with.script(2).await, &environment);
    assert!(!refused.status.success() && text(&refused).contains("no inventory"));
    std::fs::write(folder.join("ansible/inventory.ini"), "[servers]\nweb\n").unwrap();
    must_prove(folder, &with, 2, &environment).await;
    assert!(std::fs::read_to_string(&log).unwrap().contains("ansible-playbook redis.yml"));

    let checks = with.check_scripts().await;
    let own = &checks[checks.len() - 3..];
    for check in own {
        let said = must_run(folder, check, &environment);
        assert!(said.trim().lines().last().unwrap().starts_with("Verified: "), "{said}");
        assert!(!said.contains("it's-a-password"), "{said}");
    }
    std::fs::write(folder.join("drift"), "").unwrap();
    for _ in 0..2 {
        let changed = run(folder, &own[2], &environment);
        assert!(!changed.status.success() && text(&changed).contains("is not changed=0"));
    }
    must_prove(folder, &with, 2, &environment).await;
    must_run(folder, &own[2], &environment);

    let without = with.changed("Undo change 2").await;
    for _ in 0..2 {
        must_prove(folder, &without, 1, &environment).await;
    }
    assert!(folder.join("ansible/site.yml").exists() && !folder.join("ansible/redis.yml").exists());
    let remote = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let remote: Vec<_> =
        remote.filter(|path| path.extension().is_some_and(|end| end == "sh")).collect();
    assert!(remote.len() >= 4, "{remote:?}");
    remote.iter().for_each(|script| scripts::shellcheck(script));
}
