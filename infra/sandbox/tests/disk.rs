//! The limit on how much of the disk the workspace takes.
use std::os::unix::fs::MetadataExt;

use crate::support::{Agent, Gateway};
use protocol::Outcome;

const MIB: u64 = 1024 * 1024;

/// A bound that is reached quickly.
const BOUND: (&str, &str) = ("GROUNDCREW_WORKSPACE_BYTES", "67108864");

/// Writes far beyond the bound, 8 MiB at a time, but not more than a machine can take if the bound does not hold.
const WRITES: &str = "for n in {1..150}; do head -c 8388608 /dev/zero >> big; sleep 0.02; done";

async fn bounded(confinement: &str) -> (Gateway, Agent) {
    let mut gateway = Gateway::start().await;
    let agent = Agent::start_with(&gateway, &[BOUND, ("GROUNDCREW_CONFINEMENT", confinement)]);
    gateway.hello().await;
    (gateway, agent)
}

#[tokio::test]
async fn a_script_that_fills_the_disk_is_ended_with_a_reason() {
    for confinement in ["bubblewrap", "none"] {
        let (mut gateway, _agent) = bounded(confinement).await;
        let report = gateway.run("r1", WRITES).await;
        assert_eq!((report.outcome, report.exit_code), (Outcome::Exited, None), "{report:?}");
        let detail = report.detail.unwrap();
        assert!(detail.contains("more than the 64 MiB that it may"), "{detail}");
        // Reading and deleting still work above the bound.
        let size = gateway.run("r2", "stat -c %s big; rm big; echo gone").await;
        assert_eq!(size.exit_code, Some(0), "{size:?}");
        let bytes: u64 = size.head.lines().next().unwrap().parse().unwrap();
        // The file's folder counts as well, so eight writes are enough.
        assert!(bytes >= 64 * MIB, "{bytes}");
        let report = gateway.run("r3", "head -c 40M /dev/zero > small; echo fits").await;
        assert_eq!(report.head, "fits\n");
    }
}

#[tokio::test]
async fn a_background_process_without_a_run_or_a_name_for_its_file_is_ended_too() {
    let (mut gateway, agent) = bounded("bubblewrap").await;
    // It holds a lock, so the host can tell that it has ended.
    let script = "setsid flock lock python3 -c '
import os, time
file = open(\"nameless\", \"wb\"); os.unlink(\"nameless\"); open(\"begun\", \"w\").close()
for n in range(150): file.write(bytes(8 << 20)); file.flush(); time.sleep(0.02)
open(\"survived\", \"w\").close()' > /dev/null 2>&1 &
        until [ -e begun ]; do sleep 0.01; done";
    assert_eq!(gateway.run("r1", script).await.exit_code, Some(0));
    let lock = std::fs::File::open(agent.workspace().join("lock")).unwrap();
    tokio::task::spawn_blocking(move || lock.lock().unwrap()).await.unwrap();
    assert_eq!(
        gateway.run("r2", "ls survived 2>&1 || echo up").await.head.lines().last(),
        Some("up")
    );
}

#[tokio::test]
async fn a_sparse_file_takes_no_space() {
    let (mut gateway, agent) = bounded("bubblewrap").await;
    let report = gateway.run("r1", "truncate -s 60G hole; sleep 0.5; echo there").await;
    assert_eq!(report.head, "there\n");
    let hole = std::fs::metadata(agent.workspace().join("hole")).unwrap();
    assert_eq!((hole.len(), hole.blocks()), (60 << 30, 0));
}
