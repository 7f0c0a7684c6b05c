//! The workspace on its way to a backup and back.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::io::{Cursor, Write};
use std::os::unix::fs::PermissionsExt;

use protocol::{Backup, FromAgent, ToAgent};
use support::{Agent, Gateway, order, sandbox};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

async fn uploaded(gateway: &mut Gateway, id: &str) -> (u64, Option<String>) {
    gateway
        .wait(|m| match m {
            FromAgent::WorkspaceUploaded { request_id, bytes, error } if request_id == id => {
                Some((*bytes, error.clone()))
            }
            _ => None,
        })
        .await
}

fn backup(gateway: &Gateway, id: &str) -> Backup {
    Backup { request_id: id.to_owned(), url: gateway.address(id) }
}

#[tokio::test]
async fn a_workspace_is_backed_up_after_a_run_and_restored_in_another_sandbox() {
    let (mut gateway, _agent) = sandbox().await;
    let script = "echo 'resource {}' > terraform/main.tf; echo run > deploy.sh; chmod 750 deploy.sh
        ln -s ../deploy.sh terraform/run; mkdir -p empty/folder; ln -s /etc/passwd outside";
    let mut run = order("r1", script);
    run.backup = Some(backup(&gateway, "b1"));
    gateway.tell(ToAgent::Run(run));
    assert_eq!(gateway.report("r1").await.exit_code, Some(0));
    assert!(gateway.object("b1").is_some(), "a result is told when what the run wrote is safe");
    let (bytes, error) = uploaded(&mut gateway, "b1").await;
    assert_eq!(error, None);
    assert_eq!(bytes, gateway.object("b1").unwrap().len() as u64);

    let mut second = Gateway::start().await;
    second.put("b1", gateway.object("b1").unwrap().to_vec());
    second.restore_from("b1");
    let agent = Agent::start(&second);
    second.hello().await;
    // Ordered before the workspace is there, it waits for it.
    let report = second
        .run(
            "r2",
            "cat terraform/main.tf terraform/run; readlink terraform/run; ls -d empty/folder",
        )
        .await;
    assert_eq!(report.head, "resource {}\nrun\n../deploy.sh\nempty/folder\n");
    let mode = std::fs::metadata(agent.workspace().join("deploy.sh")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o750);
    assert!(!agent.workspace().join("outside").is_symlink(), "a link that leaves is refused");
}

#[tokio::test]
async fn a_backup_that_would_leave_the_workspace_does_not() {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for name in ["../../escaped", "/tmp/escaped", "good"] {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(b"x").unwrap();
    }
    let mut gateway = Gateway::start().await;
    gateway.put("bad", zip.finish().unwrap().into_inner());
    gateway.restore_from("bad");
    let _agent = Agent::start(&gateway);
    gateway.hello().await;
    let report =
        gateway.run("r1", "ls; ls /home/*/escaped /tmp/escaped /home/escaped 2>/dev/null").await;
    assert_eq!(report.head, "ansible\ngood\nssh\nterraform\n");
}

#[tokio::test]
async fn a_backup_that_is_asked_for_at_once_waits_for_what_is_restored() {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file("kept", SimpleFileOptions::default()).unwrap();
    // Large enough that it is still on its way when the backup is asked for.
    zip.write_all(&vec![b'x'; 8 << 20]).unwrap();
    let mut gateway = Gateway::start().await;
    gateway.put("b1", zip.finish().unwrap().into_inner());
    gateway.restore_from("b1");
    let _agent = Agent::start(&gateway);
    gateway.hello().await;
    gateway.tell(ToAgent::WorkspaceUpload(backup(&gateway, "b2")));
    assert_eq!(uploaded(&mut gateway, "b2").await.1, None);
    let mut zip = ZipArchive::new(Cursor::new(gateway.object("b2").unwrap())).unwrap();
    assert_eq!(zip.by_name("kept").unwrap().size(), 8 << 20);
}

#[tokio::test]
async fn a_restart_keeps_newer_files_than_the_backup() {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file("file", SimpleFileOptions::default()).unwrap();
    zip.write_all(b"old").unwrap();
    let mut gateway = Gateway::start().await;
    gateway.put("b", zip.finish().unwrap().into_inner());
    gateway.restore_from("b");
    let mut agent = Agent::start(&gateway);
    gateway.hello().await;
    assert_eq!(gateway.run("r1", "cat file; printf new > file").await.head, "old");
    agent.die_and_start_again(&gateway, 1).await;
    gateway.hello().await;
    assert_eq!(gateway.run("r2", "cat file").await.head, "new");
}

#[tokio::test]
async fn a_backup_that_cannot_be_fetched_stops_the_agent_before_it_runs_anything() {
    let mut gateway = Gateway::start().await;
    gateway.restore_from("missing");
    let mut agent = Agent::start(&gateway);
    gateway.hello().await;
    gateway.tell(ToAgent::Run(order("r1", "touch ran")));
    assert!(!agent.ended().await.success());
    assert!(!agent.workspace().join("ran").exists());
}

#[tokio::test]
async fn an_upload_can_be_asked_for_and_its_failure_is_told() {
    let (mut gateway, _agent) = sandbox().await;
    gateway.tell(ToAgent::WorkspaceUpload(backup(&gateway, "u1")));
    assert_eq!(uploaded(&mut gateway, "u1").await.1, None);
    gateway.refuse_puts();
    gateway.tell(ToAgent::WorkspaceUpload(backup(&gateway, "u2")));
    let (_, error) = uploaded(&mut gateway, "u2").await;
    assert_eq!(error.unwrap(), "the address is no longer valid");
}
