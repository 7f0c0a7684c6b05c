//! Files of the workspace, viewed and edited from a browser.
use std::os::unix::fs::PermissionsExt;

use crate::support::{Agent, Gateway, sandbox};
use protocol::{
    FILE_BYTES, FILE_END_BYTES, FILE_PART_BYTES, FileFailure, FileKind, FilesAnswer, FilesRequest,
    FromAgent, ToAgent,
};
use sha2::{Digest, Sha256};

fn ask(gateway: &Gateway, request: FilesRequest) {
    gateway.tell(ToAgent::Files { connection: "b1".into(), request });
}

async fn answer(gateway: &mut Gateway, id: &str) -> FilesAnswer {
    gateway
        .wait(|message| match message {
            FromAgent::Files { connection, answer } if connection == "b1" => {
                let (FilesAnswer::Listed { request, .. }
                | FilesAnswer::Content { request, .. }
                | FilesAnswer::Written { request, .. }
                | FilesAnswer::Failed { request, .. }) = answer;
                (request == id).then(|| answer.clone())
            }
            _ => None,
        })
        .await
}

async fn failure(gateway: &mut Gateway, id: &str) -> FileFailure {
    match answer(gateway, id).await {
        FilesAnswer::Failed { code, .. } => code,
        other => panic!("it did not fail: {other:?}"),
    }
}

async fn text(gateway: &mut Gateway, id: &str) -> (String, String) {
    let (mut pieces, mut whole) = (std::collections::BTreeMap::new(), None);
    while whole.as_ref().is_none_or(|(parts, _)| pieces.len() < *parts) {
        let FilesAnswer::Content { content, sha256, part, parts, .. } = answer(gateway, id).await
        else {
            panic!("no content");
        };
        pieces.insert(part, content);
        whole = Some((parts as usize, sha256));
    }
    (pieces.into_values().collect(), whole.unwrap().1)
}

fn read(id: &str, path: &str) -> FilesRequest {
    FilesRequest::Read { request: id.into(), path: path.into(), offset: 0, end: false }
}

fn write(id: &str, path: &str, base: Option<&str>, content: &str) -> FilesRequest {
    FilesRequest::Write {
        request: id.into(),
        path: path.into(),
        base_sha256: base.map(|text| hex::encode(Sha256::digest(text))),
        content: content.into(),
        part: 1,
        parts: 1,
    }
}

#[tokio::test]
async fn a_file_is_listed_read_and_changed_and_a_run_sees_the_change() {
    let (mut gateway, agent) = sandbox().await;
    gateway.run("r1", "printf 'a = 1\n' > terraform/main.tf; chmod 640 terraform/main.tf").await;
    let (request, path) = ("l".to_owned(), "terraform".to_owned());
    ask(&gateway, FilesRequest::List { request, path });
    let FilesAnswer::Listed { entries, truncated, part, parts, .. } =
        answer(&mut gateway, "l").await
    else {
        panic!("no listing");
    };
    assert_eq!((truncated, part, parts), (false, 1, 1));
    let found = (&*entries[0].name, entries[0].kind, entries[0].bytes, entries[0].editable);
    assert_eq!(found, ("main.tf", FileKind::File, 6, true));

    ask(&gateway, read("r", "terraform/main.tf"));
    let (content, sha256) = text(&mut gateway, "r").await;
    assert_eq!(content, "a = 1\n");
    assert_eq!(sha256, hex::encode(Sha256::digest("a = 1\n")));
    ask(&gateway, write("w", "terraform/main.tf", Some("a = 1\n"), "a = 2\n"));
    let FilesAnswer::Written { sha256, bytes, .. } = answer(&mut gateway, "w").await else {
        panic!("not written");
    };
    assert_eq!((&*sha256, bytes), (&*hex::encode(Sha256::digest("a = 2\n")), 6));
    assert_eq!(gateway.run("r2", "cat terraform/main.tf").await.head, "a = 2\n");
    let file = agent.workspace().join("terraform/main.tf");
    assert_eq!(std::fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o640);
}

#[tokio::test]
async fn a_concurrent_change_by_a_run_is_not_overwritten() {
    let (mut gateway, _agent) = sandbox().await;
    gateway.run("r1", "printf theirs > f").await;
    ask(&gateway, write("w1", "f", Some("old"), "mine"));
    assert_eq!(failure(&mut gateway, "w1").await, FileFailure::Conflict);
    ask(&gateway, write("w2", "f", None, "mine"));
    assert_eq!(failure(&mut gateway, "w2").await, FileFailure::Conflict);
    assert_eq!(gateway.run("r2", "cat f").await.head, "theirs");
}

#[tokio::test]
async fn only_one_of_many_replacements_of_the_same_text_succeeds() {
    let (mut gateway, _agent) = sandbox().await;
    gateway.run("r1", "printf base > f").await;
    for n in 0..20 {
        ask(&gateway, write(&format!("w{n}"), "f", Some("base"), &format!("text {n}")));
    }
    let mut written = Vec::new();
    for n in 0..20 {
        match answer(&mut gateway, &format!("w{n}")).await {
            FilesAnswer::Written { .. } => written.push(format!("text {n}")),
            FilesAnswer::Failed { code: FileFailure::Conflict, .. } => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(written.len(), 1, "{written:?}");
    assert_eq!(
        gateway.run("r2", "cat f; ls -A").await.head,
        format!("{}ansible\nf\nssh\nterraform\n", written[0])
    );
}

#[tokio::test]
async fn no_path_and_no_link_leads_out_and_no_key_is_shown() {
    let (mut gateway, agent) = sandbox().await;
    std::fs::write(agent.state().join("beside"), "the agent's own").unwrap();
    let script = "ln -s /etc etc; ln -s ../beside up; ln -s /proc/self/environ env
        echo '-----BEGIN PRIVATE KEY-----' > ssh/id; ln -s ssh/id key";
    gateway.run("r1", script).await;
    for path in ["../beside", "/etc/passwd", "etc/passwd", "up", "env"] {
        ask(&gateway, read(path, path));
        assert_eq!(failure(&mut gateway, path).await, FileFailure::Outside, "{path}");
    }
    for path in ["ssh/id", "key"] {
        ask(&gateway, read(path, path));
        assert_eq!(failure(&mut gateway, path).await, FileFailure::Denied, "{path}");
    }
    ask(&gateway, write("w", "etc/groundcrew", None, "x"));
    assert_eq!(failure(&mut gateway, "w").await, FileFailure::Outside);
}

#[tokio::test]
async fn a_file_of_the_largest_size_travels_both_ways_in_parts_that_overtake_each_other() {
    let (mut gateway, _agent) = sandbox().await;
    // An escaped line end takes two bytes.
    let content: String = (0..FILE_BYTES / 8).map(|n| format!("{n:07}\n")).collect();
    let pieces: Vec<_> = content.as_bytes().chunks(FILE_PART_BYTES / 2).collect();
    for (n, piece) in pieces.iter().enumerate().rev() {
        let FilesRequest::Write { request, path, base_sha256, .. } = write("w", "large", None, "")
        else {
            unreachable!();
        };
        ask(
            &gateway,
            FilesRequest::Write {
                request,
                path,
                base_sha256,
                content: String::from_utf8(piece.to_vec()).unwrap(),
                part: n as u32 + 1,
                parts: pieces.len() as u32,
            },
        );
    }
    let FilesAnswer::Written { bytes, .. } = answer(&mut gateway, "w").await else {
        panic!("not written");
    };
    assert_eq!(bytes, FILE_BYTES as u64);
    ask(&gateway, read("r", "large"));
    assert!(text(&mut gateway, "r").await.0 == content);
    gateway.run("r1", "echo >> large").await;
    ask(&gateway, read("r2", "large"));
    assert_eq!(failure(&mut gateway, "r2").await, FileFailure::TooLarge);
    let (request, path) = ("r3".into(), "large".into());
    ask(&gateway, FilesRequest::Read { request, path, offset: 0, end: true });
    let (end, sha256) = text(&mut gateway, "r3").await;
    assert!(format!("{content}\n").ends_with(&end), "its last lines can be read");
    assert!((FILE_END_BYTES - 8..=FILE_END_BYTES).contains(&end.len()), "{}", end.len());
    assert_eq!(sha256, hex::encode(Sha256::digest(&end)));
}

#[tokio::test]
async fn a_request_that_the_sandboxs_processes_cut_short_is_answered() {
    let (mut gateway, agent) = sandbox().await;
    gateway.run("r1", "echo kept > f").await;
    // Stops the supervisor before it can answer, and then kills it: the only child of the agent's bubblewrap.
    let inside = supervisor(&agent);
    signal(inside, rustix::process::Signal::STOP);
    ask(&gateway, read("r", "f"));
    ask(&gateway, FilesRequest::List { request: "late".into(), path: "x".repeat(5000) });
    assert_eq!(failure(&mut gateway, "late").await, FileFailure::NotFound);
    signal(inside, rustix::process::Signal::KILL);
    assert_eq!(failure(&mut gateway, "r").await, FileFailure::Unavailable);
    ask(&gateway, read("again", "f"));
    assert_eq!(text(&mut gateway, "again").await.0, "kept\n");
}

/// The innermost process named after the agent: the descendant that has no such child.
fn supervisor(agent: &Agent) -> i32 {
    let mut pid = agent.pid().cast_signed();
    loop {
        let children = format!("/proc/{pid}/task/{pid}/children");
        let children = std::fs::read_to_string(children).unwrap_or_default();
        let next =
            children.split_whitespace().filter_map(|child| child.parse().ok()).find(|child| {
                let name =
                    std::fs::read_to_string(format!("/proc/{child}/comm")).unwrap_or_default();
                matches!(name.trim(), "bwrap" | "sandbox-agent" | "unshare")
            });
        match next {
            Some(child) => pid = child,
            None => return pid,
        }
    }
}

fn signal(pid: i32, signal: rustix::process::Signal) {
    let pid = rustix::process::Pid::from_raw(pid).unwrap();
    rustix::process::kill_process(pid, signal).unwrap();
}
