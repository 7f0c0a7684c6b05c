//! Releases and the balancer's application as programs: what they answer while they leave, and how a release is switched
//! and taken back. The programs are the real ones; stubs replace systemd.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use crate::stubs::{must_run, run, stub, text};

fn catalogue(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("catalogue").join(file)
}

/// A program that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Running {
    fn ask_to_end(&self) {
        let told = Command::new("kill").arg(self.0.id().to_string()).status().unwrap();
        assert!(told.success());
    }
}

fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// The status that the address answers, or nothing.
fn status(address: &str) -> String {
    let curl = ["--silent", "--output", "/dev/null", "--write-out", "%{http_code}", address];
    String::from_utf8(Command::new("curl").args(curl).output().unwrap().stdout).unwrap()
}

fn wait_for(address: &str, wanted: &str) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while status(address) != wanted {
        assert!(Instant::now() < deadline, "{address} does not answer {wanted}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn an_application_server_that_leaves_says_so_and_loses_no_request() {
    let folder = tempfile::tempdir().unwrap();
    let port = free_port();
    let code = std::fs::read_to_string(catalogue("haproxy/files/app.py")).unwrap();
    let code = code.replace("PORT = 8080", &format!("PORT = {port}"));
    std::fs::write(folder.path().join("app.py"), code).unwrap();
    let started = Command::new("python3").arg(folder.path().join("app.py")).spawn().unwrap();
    let mut running = Running(started);
    let (page, health) =
        (format!("http://127.0.0.1:{port}/"), format!("http://127.0.0.1:{port}/health"));
    wait_for(&health, "200");
    let often = catalogue("parts/traffic/files/ask-often.py");
    let visitors = Command::new("python3").arg(&often).args(["3", &page, "GET", "POST"]).output();
    running.ask_to_end();
    wait_for(&health, "503");
    assert_eq!(status(&page), "200", "it answers until the balancer has noticed");
    let counted = text(&visitors.unwrap());
    assert!(counted.contains(", lost: 0"), "{counted}");
    assert!(running.0.wait().unwrap().success());
    // Afterward, each request is lost, and the program that counts says so.
    let gone = Command::new("python3").arg(&often).args(["1", &page]).output().unwrap();
    assert!(!gone.status.success() && !text(&gone).contains("lost 0"), "{}", text(&gone));
}

/// Takes the connections as systemd does: the socket is file descriptor 3.
const HOLD: &str = r"
import os, socket, sys
held = socket.create_server(('127.0.0.1', int(sys.argv[1])), backlog=128)
os.dup2(held.fileno(), 3)
os.set_inheritable(3, True)
for program in sys.argv[2:]:
    child = os.fork()
    if not child:
        os.environ['LISTEN_FDS'] = '1'
        os.execv(program, [program])
    _, code = os.waitpid(child, 0)
    print(program, code, flush=True)
";

#[test]
fn connections_wait_in_the_socket_between_two_releases() {
    let folder = tempfile::tempdir().unwrap();
    let releases = ["first", "second"].map(|name| {
        let release = folder.path().join(name);
        std::fs::create_dir(&release).unwrap();
        std::fs::copy(catalogue("releases/files/run.py"), release.join("run")).unwrap();
        let mode = PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(release.join("run"), mode).unwrap();
        release.join("run")
    });
    let port = free_port();
    let mut holds = Command::new("python3");
    holds.args(["-c", HOLD, &port.to_string()]).args(&releases);
    let running = Running(holds.spawn().unwrap());
    let page = format!("http://127.0.0.1:{port}/");
    wait_for(&page, "200");
    let often = catalogue("parts/traffic/files/ask-often.py");
    let mut visitors = Command::new("python3");
    visitors.arg(&often).args(["6", &page, "GET", "POST"]);
    let visitors = visitors.stdout(std::process::Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(3));
    let children = format!("pkill --parent {}", running.0.id());
    must_run(folder.path(), &children, &[]);
    let counted = text(&visitors.wait_with_output().unwrap());
    must_run(folder.path(), &children, &[]);
    assert!(counted.contains(", lost: 0"), "{counted}");
    for release in ["first", "second"] {
        assert!(counted.contains(&format!("times: Release {release}")), "{counted}");
    }
}

/// The program that switches releases, in a folder of its own. A release answers if its file `run` says so.
fn switcher() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let code = std::fs::read_to_string(catalogue("releases/files/release.sh")).unwrap();
    let code = code.replace("home=/srv/app", &format!("home={}", path.join("app").display()));
    let lock = path.join("lock").display().to_string();
    let code = code.replace("/run/lock/release", &lock).replace("patience=20", "patience=1");
    std::fs::write(path.join("release"), code).unwrap();
    std::fs::create_dir_all(path.join("app/releases")).unwrap();
    stub(path, "systemctl", "echo \"$*\" >>asked");
    stub(path, "journalctl", "");
    stub(path, "logger", "echo \"${@: -1}\" >&2");
    // The trial is at port 8081, the current release at port 80.
    let curl = r#"
case "${@: -1}" in *:8081/*) link=trial ;; *) link=current ;; esac
grep --quiet healthy app/$link/run || exit 22
if grep --quiet only-in-trial app/$link/run && [[ $link == current ]]; then exit 22; fi
printf '{"status": "ok", "release": "%s"}' "$(basename "$(readlink app/$link)")"
"#;
    stub(path, "curl", curl);
    folder
}

fn release(folder: &Path, name: &str, code: &str) -> std::process::Output {
    let made = format!(
        "rm -rf new && mkdir --mode 700 new && printf '%s' '{code}' >new/run && chmod 755 new/run && tar -C new -c . | bash release new {name}"
    );
    run(folder, &made, &[])
}

fn current(folder: &Path) -> String {
    let link = std::fs::read_link(folder.join("app/current")).unwrap();
    link.file_name().unwrap().to_str().unwrap().to_owned()
}

#[test]
fn a_release_is_tried_switched_and_taken_back_and_a_broken_one_changes_nothing() {
    let folder = switcher();
    let folder = folder.path();
    for (name, code) in [("first", "healthy"), ("second", "healthy too")] {
        let said = release(folder, name, code);
        assert!(said.status.success(), "{}", text(&said));
        assert_eq!(current(folder), name);
        // The folder that was packed is private, and the application's user has to read the release.
        let made = std::fs::metadata(folder.join("app/releases").join(name)).unwrap();
        assert_eq!(made.permissions().mode() & 0o777, 0o755);
    }
    let asked = std::fs::read_to_string(folder.join("asked")).unwrap();
    assert!(asked.contains("start app-trial.socket") && asked.contains("restart app.service"));
    assert!(!asked.contains("stop app.socket"), "the socket stays open: {asked}");

    // One is refused in its trial. The other answers there, and not after the switch, which is taken back.
    for (name, code) in [("broken", "ill"), ("fickle", "healthy only-in-trial")] {
        let said = release(folder, name, code);
        assert!(
            !said.status.success() && text(&said).contains("is not healthy"),
            "{}",
            text(&said)
        );
        assert_eq!(current(folder), "second", "{}", text(&said));
        assert!(!folder.join("app/releases").join(name).exists(), "a refused release is not kept");
        assert!(!folder.join("app/trial").is_symlink());
    }
    must_run(folder, "bash release back", &[]);
    assert_eq!(current(folder), "first");
    let list = must_run(folder, "bash release list", &[]);
    assert!(list.contains("first (current)") && list.contains("second (the way back)"), "{list}");
    must_run(folder, "bash release back", &[]);
    assert_eq!(current(folder), "second", "the way back leads forward again");
}

#[test]
fn five_releases_are_kept_and_the_same_files_are_released_once() {
    let folder = switcher();
    let folder = folder.path();
    for number in 1..=7 {
        let said = release(folder, &format!("release{number}"), "healthy");
        assert!(said.status.success(), "{}", text(&said));
    }
    let kept = std::fs::read_dir(folder.join("app/releases")).unwrap().count();
    assert_eq!(kept, 5);
    std::fs::write(folder.join("asked"), "").unwrap();
    let again = release(folder, "release7", "healthy");
    assert!(text(&again).contains("is current already"), "{}", text(&again));
    assert_eq!(std::fs::read_to_string(folder.join("asked")).unwrap(), "");
    for hostile in ["../etc", "a b", "x", "A;id", ""] {
        let said = run(folder, &format!("bash release new '{hostile}' </dev/null"), &[]);
        assert_eq!(said.status.code(), Some(2), "{hostile}: {}", text(&said));
    }
    let said = run(folder, "mkdir none && tar -C none -c . | bash release new empty", &[]);
    assert!(!said.status.success() && text(&said).contains("no executable file run"));
    assert_eq!(current(folder), "release7");
}
