//! The operator's scripts in `infra/`: their help, and `infra/delete-stack.sh` with a fake `aws` that records its calls.
//!
//! `tests/deploy/emulator` runs the scripts against a stack.
use deploy_tests::repository;
use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};
use tempfile::TempDir;

/// The scripts that an operator runs.
const SCRIPTS: [&str; 6] = [
    "copy-items.sh",
    "delete-stack.sh",
    "publish-sandbox.sh",
    "publish-web.sh",
    "replace-edge-secret.sh",
    "set-parameters.sh",
];

/// How many tasks of the stack `crew` run.
const RUNNING: usize = 150;

/// The stack `crew`. As on AWS, its tasks are listed by their desired status: one is already stopping, and the others
/// join it when the script stops them. The call in `FAILS` fails.
const AWS: &str = r#"#!/bin/sh
echo "aws $*" >>"$ASKED"
case "$*" in "$FAILS"*) echo "AccessDenied" >&2; exit 254 ;; esac
case "$*" in
*describe-stack-resource*Cluster*) echo crew-cluster ;;
*describe-stack-resource*) echo crew-schedule ;;
*list-tasks*RUNNING*) if grep --quiet stop-task "$ASKED"; then echo None; else seq -f task/%g 150 | tr '\n' '\t'; fi ;;
*list-tasks*STOPPED*) sed -n 's/.*stop-task.*--task \([^ ]*\).*/\1/p' "$ASKED" | tr '\n' '\t'; echo task/before ;;
esac
"#;

struct Run {
    output: Output,
    /// The calls of `aws`, in order.
    asked: Vec<String>,
}

/// Runs a script with the fake `aws`, one call of which fails.
fn run(script: &str, arguments: &[&str], fails: &str) -> Run {
    let folder = TempDir::new().unwrap();
    let aws = folder.path().join("aws");
    std::fs::write(&aws, AWS).unwrap();
    std::fs::set_permissions(&aws, std::fs::Permissions::from_mode(0o755)).unwrap();
    let asked = folder.path().join("asked");
    std::fs::write(&asked, "").unwrap();
    let path = std::env::var("PATH").unwrap();
    let mut command = Command::new(repository().join("infra").join(script));
    command.args(arguments).env("PATH", format!("{}:{path}", folder.path().display()));
    let output = command.env("ASKED", &asked).env("FAILS", fails).output().unwrap();
    let asked = std::fs::read_to_string(asked).unwrap().lines().map(str::to_owned).collect();
    Run { output, asked }
}

#[test]
fn a_script_explains_itself_instead_of_taking_an_option_for_a_stack() {
    for script in SCRIPTS {
        let help = run(script, &["--help"], "none");
        let text = String::from_utf8(help.output.stdout).unwrap();
        assert!(help.output.status.success(), "{script}");
        assert!(text.contains(&format!("infra/{script}")), "{script}: {text}");
        assert!(!text.contains('#'), "{script} prints more than its comment: {text}");
        let wrong = run(script, &["--stack", "crew"], "none");
        assert_eq!(wrong.output.status.code(), Some(2), "{script}");
        assert_eq!(String::from_utf8(wrong.output.stderr).unwrap(), text, "{script}");
        assert!(help.asked.is_empty() && wrong.asked.is_empty(), "{script} called aws");
    }
}

#[test]
fn no_stack_is_deleted_by_default() {
    let Run { output, asked } = run("delete-stack.sh", &[], "none");
    assert_eq!(output.status.code(), Some(2));
    assert!(asked.is_empty(), "{asked:?}");
}

#[test]
fn a_stack_is_deleted_when_its_schedule_is_off_and_its_tasks_are_stopped() {
    let Run { output, asked } = run("delete-stack.sh", &["crew"], "none");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let changes = ["disable-rule", "stop-task", "tasks-stopped", "delete-stack", "delete-complete"];
    let named = |call: &String| changes.iter().find(|change| call.contains(**change)).copied();
    let mut done: Vec<_> = asked.iter().filter_map(named).collect();
    assert_eq!(done.iter().filter(|change| **change == "stop-task").count(), RUNNING, "{asked:?}");
    done.dedup();
    assert_eq!(done, changes, "{asked:?}");
}

#[test]
fn a_stack_is_deleted_after_all_its_tasks_have_ended_whoever_stopped_them() {
    let Run { asked, .. } = run("delete-stack.sh", &["crew"], "none");
    let waits =
        asked.iter().filter_map(|call| call.split_once("tasks-stopped")?.1.split_once("--tasks "));
    let waited: Vec<Vec<&str>> = waits.map(|(_, tasks)| tasks.split(' ').collect()).collect();
    assert!(waited.iter().all(|tasks| tasks.len() <= 100), "ECS describes at most 100: {waited:?}");
    let ended: BTreeSet<&str> = waited.into_iter().flatten().collect();
    assert!(ended.contains("task/before"), "{ended:?}");
    assert_eq!(ended.len(), RUNNING + 1, "{ended:?}");
}

#[test]
fn a_stack_whose_tasks_cannot_be_listed_or_stopped_is_not_deleted() {
    for fails in ["events disable-rule", "ecs list-tasks", "ecs stop-task", "ecs wait"] {
        let Run { output, asked } = run("delete-stack.sh", &["crew"], fails);
        assert!(!output.status.success(), "{fails}");
        assert!(!asked.iter().any(|call| call.contains("delete-stack")), "{fails}: {asked:?}");
    }
}
