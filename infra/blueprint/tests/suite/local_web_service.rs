//! Runs the web service's steps in order in an empty workspace, as a sandbox does.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::support::Project;

/// A workspace whose service is stopped at the end of the test, even if the test fails.
struct Workspace {
    folder: tempfile::TempDir,
    service: PathBuf,
}

impl Workspace {
    fn new(service: &str) -> Workspace {
        let folder = tempfile::tempdir().unwrap();
        for name in ["ssh", "terraform", "ansible"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        let service = folder.path().join(service);
        Workspace { folder, service }
    }

    /// Runs a script to its end. The output is read until the pipes are closed, so a service that keeps them open would
    /// make this hang.
    fn run(&self, script: &str) -> Output {
        let mut command = Command::new("bash");
        command.arg("-euo").arg("pipefail").arg("-c").arg(script);
        command.current_dir(self.folder.path()).stdin(Stdio::null()).output().unwrap()
    }

    fn must_run(&self, script: &str) -> String {
        let output = self.run(script);
        let text = format!("{}{}", text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{text}");
        text
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        let control = self.service.join("control.sh");
        if control.exists() {
            let _ = Command::new(control).arg("stop").output();
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A port of this suite's range that no other test gets until this test's process ends. The tests run in parallel
/// processes, and a service does not listen until some steps after its port was chosen. So a lock on a file named after
/// the port protects the choice.
fn free_port() -> u16 {
    let claims = std::env::temp_dir().join("groundcrew-test-ports");
    std::fs::create_dir_all(&claims).unwrap();
    for port in 3300..3400 {
        let claim = std::fs::File::create(claims.join(port.to_string())).unwrap();
        if claim.try_lock().is_ok() && std::net::TcpListener::bind(("127.0.0.1", port)).is_ok() {
            std::mem::forget(claim);
            return port;
        }
    }
    panic!("all ports from 3300 to 3399 are taken");
}

async fn project(port: u16) -> Project {
    let wish = format!(
        "A web service named orders on port {port} with its health check at /status that says \"It's here: welcome!\", use the defaults"
    );
    Project::planned(&wish).await
}

fn curl(port: u16, path: &str) -> String {
    let url = format!("http://127.0.0.1:{port}{path}");
    let output = Command::new("curl").args(["--silent", "--max-time", "5", &url]).output().unwrap();
    text(&output.stdout)
}

#[tokio::test]
async fn all_steps_run_and_run_again_and_the_service_answers() {
    let port = free_port();
    let project = project(port).await;
    let scripts = project.scripts().await;
    let workspace = Workspace::new("orders");
    let proofs = project.proofs().await;
    for round in 0..2 {
        for (script, proof) in scripts.iter().zip(&proofs) {
            workspace.must_run(script);
            assert!(workspace.must_run(proof).contains("Proved: "));
        }
        let health: serde_json::Value = serde_json::from_str(&curl(port, "/status")).unwrap();
        assert_eq!(
            (&health["status"], &health["service"]),
            (&"ok".into(), &"orders".into()),
            "round {round}"
        );
        assert!(curl(port, "/").contains("It&#x27;s here: welcome!"));
        assert!(curl(port, "/nothing").contains("not found"));
    }
    // Each step must also run separately while the service is running.
    for script in scripts.iter().rev() {
        workspace.must_run(script);
    }
    workspace.must_run("orders/control.sh stop");
    let status = workspace.run("orders/control.sh status");
    assert!(!status.status.success() && curl(port, "/status").is_empty(), "it still answers");
}

#[tokio::test]
async fn the_service_is_torn_down_and_the_checks_find_it_gone() {
    let port = free_port();
    let project = project(port).await;
    let removal = project.torn_down().await;
    let workspace = Workspace::new("orders");
    for script in project.scripts().await {
        workspace.must_run(&script);
    }
    let checks = removal.check_scripts().await;
    for check in &checks {
        assert!(!workspace.run(check).status.success(), "it passes too early: {check}");
    }
    let (scripts, proofs) = (removal.scripts().await, removal.proofs().await);
    assert!(!workspace.run(&proofs[0]).status.success(), "it succeeds too early");
    for _ in 0..2 {
        for (script, proof) in scripts.iter().zip(&proofs) {
            workspace.must_run(script);
            assert!(workspace.must_run(proof).contains("Proved: "));
        }
        for check in &checks {
            assert!(workspace.must_run(check).contains("Verified: "));
        }
    }
    assert!(curl(port, "/status").is_empty());
}

#[tokio::test]
async fn every_check_passes_on_the_built_service_and_reports_what_it_saw() {
    let project = project(free_port()).await;
    let workspace = Workspace::new("orders");
    for script in project.scripts().await {
        workspace.must_run(&script);
    }
    let checks = project.check_scripts().await;
    for round in 0..2 {
        for check in &checks {
            let said = workspace.must_run(check);
            let last = said.trim().lines().last().unwrap();
            assert!(last.starts_with("Verified: "), "round {round}: {said}");
        }
    }
}

/// Runs each check against a fault that it must find.
#[tokio::test]
async fn every_check_fails_on_the_fault_that_it_looks_for() {
    let project = project(free_port()).await;
    let checks = project.check_scripts().await;
    let broken = [
        "orders/control.sh stop",
        "sed -i 's/<h1>/<h2>/' orders/service.py && orders/control.sh restart",
        "sed -i 's/\"host\": \"127.0.0.1\"/\"host\": \"0.0.0.0\"/' orders/service.json && orders/control.sh restart",
        "sed -i 's/^    server.serve_forever/    sys.exit(1)\\n    server.serve_forever/' orders/service.py",
        // Another process with the same file among its arguments, which runs until the check ends.
        "(setsid bash -c 'sleep 30; :' other \"$PWD/orders/service.py\" </dev/null >/dev/null 2>&1 &)",
        "sed -i 's/def health/def health(:/' orders/service.py",
    ];
    assert_eq!(checks.len(), broken.len());
    for (number, (check, broken)) in checks.iter().zip(broken).enumerate() {
        let workspace = Workspace::new("orders");
        for script in project.scripts().await {
            workspace.must_run(&script);
        }
        workspace.run(broken);
        let shortened = "sed -i 's/attempts=20/attempts=2/' orders/check-health.sh";
        workspace.must_run(shortened);
        let output = workspace.run(check);
        assert!(!output.status.success(), "check {}: {}", number + 1, text(&output.stdout));
    }
}

/// Compares the written files with those of the catalogue, which have no placeholders except where listed.
#[tokio::test]
async fn files_are_written_byte_for_byte() {
    let project = project(free_port()).await;
    let workspace = Workspace::new("orders");
    for number in [1, 4] {
        workspace.must_run(&project.script(number).await);
    }
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalogue/local-web-service/files");
    for name in ["service.py", "control.sh", "check-health.sh"] {
        let written = std::fs::read_to_string(workspace.service.join(name)).unwrap();
        assert_eq!(written, std::fs::read_to_string(files.join(name)).unwrap(), "{name}");
    }
    let compose = std::fs::read_to_string(workspace.service.join("docker-compose.yml")).unwrap();
    assert!(compose.starts_with("# The same service in a container"));
}

#[tokio::test]
async fn the_health_check_fails_when_nothing_answers() {
    let project = project(free_port()).await;
    let workspace = Workspace::new("orders");
    workspace.must_run(&project.script(1).await);
    let output = workspace
        .run("sed -i 's/attempts=20/attempts=2/' orders/check-health.sh; orders/check-health.sh");
    assert!(!output.status.success());
    assert!(text(&output.stderr).contains("no healthy answer"));
}

#[tokio::test]
async fn a_port_that_is_in_use_is_reported() {
    let port = free_port();
    let project = project(port).await;
    let workspace = Workspace::new("orders");
    workspace.must_run(&project.script(1).await);
    let _taken = std::net::TcpListener::bind(("127.0.0.1", port)).unwrap();
    let output = workspace.run(&project.script(2).await);
    assert!(!output.status.success());
    assert!(text(&output.stderr).contains("Address already in use"), "{}", text(&output.stderr));
}

#[tokio::test]
async fn a_foreign_process_in_the_pid_file_is_not_stopped() {
    let project = project(free_port()).await;
    let workspace = Workspace::new("orders");
    workspace.must_run(&project.script(1).await);
    let mut stranger = Command::new("sleep").arg("60").spawn().unwrap();
    std::fs::write(workspace.service.join("service.pid"), stranger.id().to_string()).unwrap();
    workspace.must_run("orders/control.sh stop");
    assert!(stranger.try_wait().unwrap().is_none(), "the foreign process was stopped");
    stranger.kill().unwrap();
    stranger.wait().unwrap();
}
