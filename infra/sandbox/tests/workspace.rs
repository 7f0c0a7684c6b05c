//! The workspace on its way to a backup and back.
use std::io::{Cursor, Write};
use std::os::unix::fs::PermissionsExt;

use crate::support::{Agent, Gateway, order, sandbox};
use protocol::{
    Backup, FilesRequest, FromAgent, Outcome, RESTORE_FOUND_RUN, RestoreOrder, ToAgent,
};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

async fn uploaded(gateway: &mut Gateway, id: &str) -> (u64, Option<String>) {
    gateway
        .wait(|m| match m {
            FromAgent::WorkspaceUploaded { request_id, bytes, error, .. } if request_id == id => {
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
async fn a_workspace_beyond_its_limits_is_refused_at_once_and_its_size_is_reported() {
    let (mut gateway, agent) = sandbox().await;
    let reported = async |gateway: &mut Gateway, id: &str| {
        gateway.tell(ToAgent::WorkspaceUpload(backup(gateway, id)));
        gateway
            .wait(|m| match m {
                FromAgent::WorkspaceUploaded { request_id, error, workspace, .. }
                    if request_id == id =>
                {
                    Some((error.clone(), workspace.unwrap()))
                }
                _ => None,
            })
            .await
    };
    gateway.run("r1", "echo four > terraform/a; ln -s a terraform/b").await;
    let (error, small) = reported(&mut gateway, "b1").await;
    assert_eq!((error, small.bytes), (None, 5));
    assert!(small.files >= 3 && small.files < small.max_files);

    // A hole that a zip would have to fill byte by byte.
    gateway.run("r2", "truncate -s 60G terraform/hole").await;
    let (error, large) = reported(&mut gateway, "b2").await;
    let error = error.expect("a refusal");
    assert!(error.contains("64424509445 bytes") && error.contains("8 GiB"), "{error}");
    assert_eq!(large.bytes, 60 * 1024 * 1024 * 1024 + 5);
    assert!(large.bytes > large.max_bytes && gateway.object("b2").is_none());
    drop(agent);
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
    assert!(gateway.object("b1").is_some(), "a result is reported once the run's files are safe");
    let (bytes, error) = uploaded(&mut gateway, "b1").await;
    assert_eq!(error, None);
    assert_eq!(bytes, gateway.object("b1").unwrap().len() as u64);

    let mut second = Gateway::start().await;
    second.put("b1", gateway.object("b1").unwrap().to_vec());
    second.restore_from("b1");
    let agent = Agent::start(&second);
    second.hello().await;
    // The command was ordered before the workspace was filled, so it waits.
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
async fn a_backup_cannot_write_outside_the_workspace() {
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
async fn a_backup_requested_at_once_waits_for_the_restore() {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file("kept", SimpleFileOptions::default()).unwrap();
    // Large enough that the restore is still under way when the backup is requested.
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
async fn an_upload_can_be_requested_and_its_failure_is_reported() {
    let (mut gateway, _agent) = sandbox().await;
    gateway.tell(ToAgent::WorkspaceUpload(backup(&gateway, "u1")));
    assert_eq!(uploaded(&mut gateway, "u1").await.1, None);
    gateway.refuse_puts();
    gateway.tell(ToAgent::WorkspaceUpload(backup(&gateway, "u2")));
    let (_, error) = uploaded(&mut gateway, "u2").await;
    assert_eq!(error.unwrap(), "the address is no longer valid");
}

#[tokio::test]
async fn one_backup_too_many_is_refused_instead_of_dropped() {
    let (mut gateway, _agent) = sandbox().await;
    // Packing this takes longer than reading three requests.
    gateway.run("r1", "head -c 40M /dev/urandom > big").await;
    for id in ["u1", "u2", "u3"] {
        gateway.tell(ToAgent::WorkspaceUpload(backup(&gateway, id)));
    }
    let (bytes, error) = uploaded(&mut gateway, "u3").await;
    assert_eq!(
        (bytes, error.as_deref().unwrap_or_default().split('.').next()),
        (0, Some("Other backups are being made"))
    );
    assert_eq!(uploaded(&mut gateway, "u1").await.1, None);
    assert_eq!(uploaded(&mut gateway, "u2").await.1, None);
}

fn zip_of(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn restore(gateway: &Gateway, id: &str, from: &str) -> ToAgent {
    ToAgent::WorkspaceRestore(RestoreOrder {
        request_id: id.to_owned(),
        before: backup(gateway, &format!("before-{id}")),
        url: gateway.address(from),
    })
}

async fn restored(gateway: &mut Gateway, id: &str) -> (Option<u64>, Option<String>) {
    gateway
        .wait(|m| match m {
            FromAgent::WorkspaceRestored { request_id, bytes, error } if request_id == id => {
                Some((*bytes, error.clone()))
            }
            _ => None,
        })
        .await
}

#[tokio::test]
async fn a_backup_replaces_the_workspace_which_is_backed_up_first() {
    let (mut gateway, _agent) = sandbox().await;
    gateway.put("old", zip_of(&[("kept", b"old"), ("gone/again", b"old")]));
    gateway.run("r1", "echo new > kept; echo new > made; mkdir -m 500 locked").await;
    gateway.tell(restore(&gateway, "x", "old"));
    let (bytes, error) = restored(&mut gateway, "x").await;
    assert_eq!(error, None);
    let before = gateway.object("before-x").unwrap();
    assert_eq!(bytes, Some(before.len() as u64));
    assert_eq!(uploaded(&mut gateway, "before-x").await, (before.len() as u64, None));
    assert!(ZipArchive::new(Cursor::new(before)).unwrap().by_name("made").is_ok());
    let report = gateway.run("r2", "cat kept gone/again; ls -A").await;
    assert_eq!(report.head, "oldoldansible\ngone\nkept\nssh\nterraform\n");
}

#[tokio::test]
async fn a_restore_does_not_begin_during_a_run_nor_a_run_during_a_restore() {
    let (mut gateway, _agent) = sandbox().await;
    // Large enough that the restore is still under way when the next run is ordered.
    gateway.put("old", zip_of(&[("kept", &vec![b'x'; 8 << 20])]));
    gateway.tell(ToAgent::Run(order("r1", "echo begun; read -r _ < <(sleep 600)")));
    gateway.progress("r1", "begun").await;
    gateway.tell(restore(&gateway, "x", "old"));
    assert_eq!(restored(&mut gateway, "x").await, (None, Some(RESTORE_FOUND_RUN.to_owned())));
    assert!(gateway.object("before-x").is_none());
    gateway.tell(ToAgent::RunCancel { run_id: "r1".into() });
    gateway.report("r1").await;

    gateway.tell(restore(&gateway, "y", "old"));
    gateway.tell(restore(&gateway, "z", "old"));
    let (request, path) = ("l".to_owned(), String::new());
    let request = FilesRequest::List { request, path };
    gateway.tell(ToAgent::Files { connection: "b".into(), request });
    let report = gateway.run("r2", "stat -c %s kept").await;
    assert_eq!(report.head, format!("{}\n", 8 << 20), "the run waited for the files");
    assert_eq!(restored(&mut gateway, "y").await.1, None);
    assert!(restored(&mut gateway, "z").await.1.unwrap().contains("being restored already"));
    let refused = gateway.wait(|m| match m {
        FromAgent::Files { answer, .. } => Some(serde_json::to_value(answer).unwrap()),
        _ => None,
    });
    assert_eq!(refused.await["code"], "unavailable");
}

/// A sandbox with a restore under way that lasts until the test lets the address answer.
async fn restoring() -> (Gateway, Agent) {
    let (mut gateway, agent) = sandbox().await;
    gateway.put("old", zip_of(&[("kept", b"old")]));
    gateway.hold_fetches();
    gateway.tell(restore(&gateway, "x", "old"));
    assert_eq!(uploaded(&mut gateway, "before-x").await.1, None);
    (gateway, agent)
}

#[tokio::test]
async fn a_run_that_is_canceled_during_a_restore_never_begins_however_often_it_is_ordered() {
    let (mut gateway, agent) = restoring().await;
    let cancel = |gateway: &Gateway, id: &str| {
        gateway.tell(ToAgent::RunCancel { run_id: id.to_owned() });
    };
    gateway.tell(ToAgent::Run(order("waits", "touch waited")));
    cancel(&gateway, "waits");
    // A cancellation can overtake its order.
    cancel(&gateway, "late");
    for id in ["waits", "late"] {
        assert_eq!(gateway.report(id).await.outcome, Outcome::Cancelled);
        gateway.tell(ToAgent::Run(order(id, "touch waited")));
    }
    gateway.release_fetches();
    assert_eq!(restored(&mut gateway, "x").await.1, None);
    for id in ["waits", "late"] {
        let again = gateway.run(id, "touch waited").await;
        assert_eq!(again.outcome, Outcome::Cancelled, "the record answers the order");
    }
    assert_eq!(gateway.run("other", "ls kept").await.exit_code, Some(0));
    assert!(!agent.workspace().join("waited").exists());
}

#[tokio::test]
async fn a_run_that_waits_for_a_restore_is_forgotten_with_its_connection() {
    let (mut gateway, agent) = restoring().await;
    gateway.tell(ToAgent::Run(order("waits", "touch waited")));
    gateway.tell(ToAgent::Run(order("again", "touch again")));
    gateway.cut();
    gateway.hello().await;
    // Its owner canceled the first one while no message reached the agent, so the gateway orders only the other.
    gateway.tell(ToAgent::Run(order("again", "touch again")));
    gateway.release_fetches();
    assert_eq!(gateway.report("again").await.exit_code, Some(0));
    assert_eq!(gateway.run("other", "true").await.exit_code, Some(0));
    assert!(!agent.workspace().join("waited").exists());
}

#[tokio::test]
async fn a_restore_that_fails_leaves_everything_as_it_is() {
    let (mut gateway, _agent) = sandbox().await;
    gateway.put("torn", b"no zip".to_vec());
    gateway.run("r1", "echo mine > kept").await;
    for (id, from) in [("x", "missing"), ("y", "torn")] {
        gateway.tell(restore(&gateway, id, from));
        let (bytes, error) = restored(&mut gateway, id).await;
        assert!(bytes.is_some() && error.is_some(), "{error:?}");
        assert_eq!(gateway.run(&format!("after-{id}"), "cat kept").await.head, "mine\n");
    }
    gateway.refuse_puts();
    gateway.tell(restore(&gateway, "z", "torn"));
    let (bytes, error) = restored(&mut gateway, "z").await;
    assert_eq!(bytes, None, "what is there could not be saved, so nothing is replaced");
    assert!(error.unwrap().starts_with("The current files could not be backed up"));
    assert_eq!(gateway.run("last", "cat kept").await.head, "mine\n");
}

#[tokio::test]
async fn an_agent_that_has_to_end_backs_the_workspace_up_first() {
    let (mut gateway, mut agent) = sandbox().await;
    gateway.saves_the_last_of_it("last");
    gateway.run("r1", "echo kept > terraform/last.tf").await;
    // A command that is running when the signal comes is saved with its output so far.
    gateway.tell(ToAgent::Run(order("r2", "echo half > half; echo begun; sleep 1000")));
    gateway.progress("r2", "begun").await;
    assert!(agent.terminate().await.success());
    let (bytes, error) = uploaded(&mut gateway, "last").await;
    assert_eq!(error, None);
    let zip = gateway.object("last").expect("nothing was put");
    assert_eq!(zip.len() as u64, bytes);
    let zip = ZipArchive::new(Cursor::new(zip)).unwrap();
    let names: Vec<String> = zip.file_names().map(|name| name.unwrap().into_owned()).collect();
    let holds = |name: &str| names.iter().any(|held| held == name);
    assert!(holds("terraform/last.tf") && holds("half"), "{names:?}");
    // Then it ended like any stopped agent.
    assert_eq!(gateway.report("r2").await.outcome, Outcome::Cancelled);
}

#[tokio::test]
async fn an_agent_that_has_saved_everything_ends_at_once() {
    let (mut gateway, mut agent) = sandbox().await;
    gateway.saves_the_last_of_it("last");
    let mut run = order("r1", "echo kept > kept");
    run.backup = Some(backup(&gateway, "b1"));
    gateway.tell(ToAgent::Run(run));
    uploaded(&mut gateway, "b1").await;
    gateway.report("r1").await;
    assert!(agent.terminate().await.success());
    assert!(gateway.object("last").is_none(), "the same is saved twice");
}

#[tokio::test]
async fn a_backup_is_reported_until_it_is_recorded_even_by_an_agent_that_has_to_end() {
    let (mut gateway, mut agent) = sandbox().await;
    gateway.run("r1", "echo kept > kept").await;
    gateway.misses_a_report();
    gateway.tell(ToAgent::WorkspaceUpload(backup(&gateway, "b1")));
    uploaded(&mut gateway, "b1").await;
    agent.is_asked_to_end();
    // Nothing is left to save, but the gateway has not recorded that yet: the agent waits, and reports it on its next
    // connection.
    gateway.cut();
    gateway.hello().await;
    assert_eq!(uploaded(&mut gateway, "b1").await.1, None);
    assert!(agent.ended().await.success());
}

#[tokio::test]
async fn a_backup_that_the_store_refuses_does_not_keep_the_agent_alive() {
    let (mut gateway, mut agent) = sandbox().await;
    gateway.saves_the_last_of_it("last");
    gateway.run("r1", "echo lost > lost").await;
    gateway.refuse_puts();
    assert!(agent.terminate().await.success());
    assert!(uploaded(&mut gateway, "last").await.1.is_some());
}
