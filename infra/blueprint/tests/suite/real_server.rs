//! Runs what the model writes on a real server: Debian with systemd and OpenSSH, in a container.
//!
//! The test needs root and Docker. If either is missing, it prints that and ends. Only Terraform is a stub, which
//! returns the server's address. The image contains Redis's package, because the container may have no network.

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::stubs::{must_run, stub};
use crate::support::Project;
use crate::tools;

/// Packages that the steps and checks need or install.
const PACKAGES: &[&str] = &["python3", "python3-apt", "iproute2", "procps", "redis-server"];

/// The login that the steps use. It skips the update of the package index.
const LOGIN: &str = r"
useradd --create-home --shell /bin/bash deploy
echo 'deploy ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/deploy
mkdir -p /var/lib/apt/periodic && touch /var/lib/apt/lists /var/lib/apt/periodic/update-success-stamp
";

/// Setup for a container, where systemd may create fewer namespaces than on a server.
pub const PREPARE: &str = r"
mkdir -p /etc/systemd/system/redis-server.service.d
cat >/etc/systemd/system/redis-server.service.d/container.conf <<'UNIT'
[Service]
PrivateUsers=no
PrivateDevices=no
ProtectKernelTunables=no
ProtectControlGroups=no
ProtectHostname=no
ProtectProc=default
ProtectSystem=no
NoExecPaths=
ExecPaths=
UNIT
systemctl daemon-reload
systemctl reset-failed
systemctl restart redis-server
";

/// Commands that show the state of the server when a test on it fails.
const STATE: &str = "uptime; systemctl --no-pager list-jobs; systemctl --no-pager --failed; ip -brief address; \
    ss -ltn; journalctl --no-pager --boot --lines 200";

/// The container shares the host's kernel, so the test must not change the kernel's parameter: a file replaces it until
/// the container restarts.
const OWN_PARAMETER: &str =
    "echo 0 >/run/overcommit && mount --bind /run/overcommit /proc/sys/vm/overcommit_memory";

pub struct Server {
    child: Child,
    input: Option<ChildStdin>,
    lines: Lines<BufReader<ChildStdout>>,
    address: String,
}

impl Server {
    /// Starts a server with these packages. If that is impossible, it prints the reason and returns `None`.
    pub fn start(packages: &[&str]) -> Option<Server> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut command = Command::new("python3");
        command.arg(root.join("tests/counterparts/server.py")).args(packages);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let input = child.stdin.take();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut server = Server { child, input, lines, address: String::new() };
        let said = server.next_line();
        let Some(address) = said["address"].as_str() else {
            assert!(std::env::var_os("CI").is_none(), "CI needs a server: {}", said["skipped"]);
            println!("no server, so nothing was run on one: {}", said["skipped"]);
            return None;
        };
        server.address = address.to_string();
        Some(server)
    }

    fn next_line(&mut self) -> Value {
        let line = self.lines.next().expect("server.py ended; its output is above").unwrap();
        serde_json::from_str(&line).unwrap()
    }

    fn ask(&mut self, order: &Value) -> Value {
        writeln!(self.input.as_mut().unwrap(), "{order}").unwrap();
        self.next_line()
    }

    fn order(&mut self, order: Value) -> String {
        let said = self.ask(&order);
        assert_eq!(said["code"], 0, "{order}: {}", said["output"]);
        said["output"].as_str().unwrap().to_string()
    }

    /// Runs a command as root and returns its output.
    pub fn run(&mut self, command: &str) -> String {
        self.order(json!(command))
    }

    /// Restarts the server and waits until it runs.
    pub fn restart(&mut self) {
        self.order(Value::Null);
        self.run(OWN_PARAMETER);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if std::thread::panicking() && matches!(self.child.try_wait(), Ok(None)) {
            eprintln!("{}", self.ask(&json!(STATE))["output"].as_str().unwrap_or_default());
        }
        // The process ends when its input ends, and the container ends with it.
        drop(self.input.take());
        let _ = self.child.wait();
    }
}

/// A workspace whose scripts for the first login and the playbook have run, after root has run `prepare` on the server.
pub async fn workspace(server: &mut Server, project: &Project, prepare: &str) -> tempfile::TempDir {
    const KEY: usize = 1;
    const TEST_SSH: usize = 6;
    const WRITE_PLAYBOOK: usize = 7;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    must_run(path, &project.script(KEY).await, &[]);
    let key = std::fs::read_to_string(path.join("ssh/web_ed25519.pub")).unwrap();
    server.run(LOGIN);
    server.run(prepare);
    server.run(&format!(
        "install -d -m 700 -o deploy ~deploy/.ssh && echo '{}' >~deploy/.ssh/authorized_keys \
         && chown deploy ~deploy/.ssh/authorized_keys",
        key.trim()
    ));
    let outputs = format!(
        "case \"$*\" in *public_ip*) echo {} ;; *ssh_user*) echo deploy ;; esac",
        server.address
    );
    stub(path, "terraform", &outputs);
    for program in ["ansible", "ansible-playbook"] {
        let real = tools::programs().join(program);
        stub(path, program, &format!("exec {} \"$@\"", real.display()));
    }
    must_run(path, &project.script(WRITE_PLAYBOOK).await, &[]);
    must_run(path, &project.script(TEST_SSH).await, &[]);
    folder
}

async fn must_prove(folder: &Path, project: &Project, number: usize, more: &[(&str, &str)]) {
    let (script, proof) = project.proved_script(number).await;
    must_run(folder, &script, more);
    assert!(must_run(folder, &proof, more).contains("Proved: "));
}

#[tokio::test]
#[ignore = "makes a container with Redis"]
async fn redis_is_added_kept_over_a_restart_and_removed_again() {
    let Some(mut server) = Server::start(PACKAGES) else { return };
    let before = Project::planned("A VPS named web in Helsinki, use the defaults").await;
    let with = before.changed("also add Redis, give Redis 64 MB").await;
    let folder = workspace(&mut server, &before, PREPARE).await;
    server.run(OWN_PARAMETER);
    let folder = folder.path();
    let packages =
        |server: &mut Server| server.run("dpkg-query --show --showformat '${Package}\\n'");
    let had = packages(&mut server);

    let checks = with.check_scripts().await;
    let own = &checks[checks.len() - 3..];
    for password in ["it's a \"pass\" $word #1", "another-password"] {
        let environment = [("REDIS_PASSWORD", password)];
        for number in [1, 2] {
            must_prove(folder, &with, number, &environment).await;
        }
        for check in own {
            let said = must_run(folder, check, &environment);
            assert!(said.contains("Verified: ") && !said.contains(password), "{said}");
        }
    }
    // Redis keeps its data over a restart of the server.
    let ask = |more: &str| format!("REDISCLI_AUTH=another-password redis-cli -h 127.0.0.1 {more}");
    server.run(&ask("set kept yes"));
    server.run("sleep 2");
    server.restart();
    let ready = format!("until {} | grep -q PONG; do sleep 1; done", ask("ping"));
    server.run(&format!("timeout 60 bash -c '{ready}'"));
    assert_eq!(server.run(&ask("get kept")).trim(), "yes");

    let without = with.changed("Undo change 2").await;
    // The rollback of the change removes Redis, so undoing the change has nothing left to do.
    let took_back = must_run(folder, &with.rollback(&before).await, &[]);
    assert!(took_back.contains("Proved: "), "{took_back}");
    must_prove(folder, &without, 1, &[]).await;
    let has = packages(&mut server);
    // These libraries were installed with Redis, and no other package needs them.
    let redis = ["redis-server", "redis-tools", "libatomic1", "libjemalloc2", "liblzf1"];
    let left: Vec<&str> = had.lines().filter(|name| !redis.contains(name)).collect();
    assert_eq!(has.lines().collect::<Vec<_>>(), left);
    assert_eq!(server.run("cat /proc/sys/vm/overcommit_memory").trim(), "0");
    assert!(folder.join("ansible/site.yml").exists() && !folder.join("ansible/redis.yml").exists());
}
