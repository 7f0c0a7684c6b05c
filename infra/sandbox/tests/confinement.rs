//! What a script can reach, and its limits.
use std::process::Stdio;

use crate::support::{Agent, Gateway, sandbox};
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;

#[tokio::test]
async fn a_script_finds_no_token_and_no_data_of_the_agent() {
    let (mut gateway, _agent) = sandbox().await;
    let script =
        "cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n' | grep -c -e secret -e GROUNDCREW
        env | grep -c GROUNDCREW
        cat /proc/1/environ /proc/1/maps /proc/1/mem 2>&1 | grep -vc 'Permission denied'
        ls /proc/1/fd 2>&1 | grep -vc 'Permission denied'
        ps -eo args | grep -c 'sandbox-agent$'";
    let report = gateway.run("r1", script).await;
    assert_eq!(report.head, "0\n0\n0\n0\n0\n");
}

#[tokio::test]
async fn a_script_sees_only_the_system_folders_of_the_host() {
    let (mut gateway, agent) = sandbox().await;
    let outside = agent.state().join("runs");
    let script = format!(
        "for path in /root /work {} /var/run/docker.sock /run/docker.sock /etc/shadow /etc/ssh /sys /boot /opt; do
            [ -e $path ] && echo \"sees $path\"; done
        (echo x > /usr/planted) 2>/dev/null && echo 'writes /usr'
        (echo x > /etc/planted) 2>/dev/null && echo 'writes /etc'
        [ -w /proc/sys/kernel/core_pattern ] && echo 'writes sysctl'
        grep -E '^Cap(Eff|Prm|Bnd)' /proc/self/status | grep -v 0000000000000000
        unshare -U true 2>/dev/null && echo 'makes namespaces'
        mount -t tmpfs none /tmp 2>/dev/null && echo 'mounts'
        ls / | grep -vE '^lib(32|x32)$' | tr '\\n' ' '; hostname; whoami",
        outside.display()
    );
    let report = gateway.run("r1", &script).await;
    assert_eq!(
        report.head,
        "bin dev etc home lib lib64 proc run sbin tmp usr var sandbox\nuser_4512_8841\n"
    );
}

#[tokio::test]
async fn the_table_of_mounts_names_the_agents_folder_and_program_and_no_other_path_of_the_host() {
    let (mut gateway, agent) = sandbox().await;
    // The fourth field is the path on the device: `/` for what is in memory.
    let report = gateway.run("r1", "awk '{print $4, $5}' /proc/self/mountinfo").await;
    let shown: Vec<_> = report.head.lines().filter_map(|line| line.split_once(' ')).collect();
    let own = |path: &str| agent.state().join("workspace").ends_with(&path[1..]);
    let unexpected: Vec<_> = shown
        .iter()
        // The system's own files, some of them behind links.
        .filter(|(path, _)| !path.starts_with("/usr/"))
        .filter(|(path, place)| match *place {
            "/" => *path != "/newroot",
            "/run/groundcrew/sandbox-agent" => !path.ends_with("/debug/sandbox-agent"),
            place if place.ends_with("/workspace") => !own(path),
            place if place.starts_with("/dev/") => *path != "/" && !place.ends_with(path),
            place if place.starts_with("/proc/") => *path != "/" && !place.ends_with(path),
            place if place.starts_with("/etc/") => {
                let made = path
                    .strip_suffix(place)
                    .is_some_and(|state| agent.state().ends_with(state.trim_start_matches('/')));
                *path != place && !made
            }
            place => *path != "/" && *path != place,
        })
        .collect();
    assert!(shown.len() > 10 && unexpected.is_empty(), "{unexpected:?} of {shown:?}");
}

#[tokio::test]
async fn the_hosts_loopback_is_not_reachable() {
    let (mut gateway, _agent) = sandbox().await;
    let host = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = host.local_addr().unwrap().port();
    // The host can reach it, so the listener works.
    assert!(tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_ok());
    host.accept().await.unwrap();
    let script = format!(
        "for address in 127.0.0.1 localhost 10.0.2.2 10.0.2.3 10.0.2.100; do
            curl -s --connect-timeout 1 -o /dev/null telnet://$address:{port} < /dev/null; echo $?; done"
    );
    let report = gateway.run("r1", &script).await;
    // Curl's exit codes: 7 means refused, 28 no answer.
    assert!(report.head.lines().all(|code| code == "7" || code == "28"), "{}", report.head);
    assert_eq!(report.head.lines().count(), 5);
}

#[tokio::test]
async fn the_usual_tools_work() {
    let (mut gateway, _agent) = sandbox().await;
    let script = "set -e
        terraform version | head -1; git --version; curl --version | head -1; jq -n 1; python3 -c 'print(2)'
        git init -q repository; ls -d ssh terraform ansible | tr '\\n' ' '";
    let report = gateway.run("r1", script).await;
    assert_eq!(report.exit_code, Some(0), "{}", report.head);
    assert!(report.head.ends_with("ansible ssh terraform "), "{}", report.head);
}

#[tokio::test]
async fn all_processes_of_a_sandbox_die_with_its_agent() {
    let (mut gateway, mut agent) = sandbox().await;
    // Locks a file in the workspace, so the host can tell whether the process lives.
    let script = "setsid flock lock -c 'echo held; sleep 1000' > held 2>&1 &
        until grep -q held held 2>/dev/null; do sleep 0.01; done";
    assert_eq!(gateway.run("r1", script).await.exit_code, Some(0));
    let lock = std::fs::File::open(agent.workspace().join("lock")).unwrap();
    assert!(lock.try_lock().is_err(), "the service holds its lock");
    agent.die().await;
    // Returns when the last process that holds the lock is gone.
    tokio::task::spawn_blocking(move || lock.lock().unwrap()).await.unwrap();
}

#[tokio::test]
async fn without_namespaces_all_processes_still_die_with_the_agent() {
    let mut gateway = Gateway::start().await;
    let mut agent = Agent::start_with(&gateway, &[("GROUNDCREW_CONFINEMENT", "none")]);
    gateway.hello().await;
    let script = "setsid flock lock -c 'echo held; sleep 1000' > held 2>&1 &
        until grep -q held held 2>/dev/null; do sleep 0.01; done; pwd";
    let report = gateway.run("r1", script).await;
    let workspace = std::path::PathBuf::from(report.head.trim_end());
    assert!(workspace.starts_with(agent.state()), "{}", workspace.display());
    let lock = std::fs::File::open(workspace.join("lock")).unwrap();
    assert!(lock.try_lock().is_err(), "the service holds its lock");
    agent.die().await;
    tokio::task::spawn_blocking(move || lock.lock().unwrap()).await.unwrap();
}

#[tokio::test]
async fn a_stopped_agent_sends_its_last_messages() {
    let (mut gateway, mut agent) = sandbox().await;
    gateway.tell(protocol::ToAgent::Run(crate::support::order("r1", "echo begun; sleep 1000")));
    gateway.progress("r1", "begun").await;
    assert!(agent.terminate().await.success());
    assert_eq!(gateway.report("r1").await.outcome, protocol::Outcome::Cancelled);
}

#[tokio::test]
async fn an_unavailable_confinement_is_explained() {
    let gateway = Gateway::start().await;
    let mut missing = Agent::start_with(&gateway, &[("PATH", "/nonexistent")]);
    assert!(!missing.ended().await.success());
    let text = explain(&[("PATH", "/nonexistent")]).await;
    assert!(text.contains("apt-get install bubblewrap"), "{text}");
}

#[tokio::test]
async fn a_host_without_user_namespaces_gets_instructions() {
    // A bwrap that fails as it does on a host that forbids user namespaces.
    let folder = tempfile::tempdir().unwrap();
    let bwrap = folder.path().join("bwrap");
    std::fs::write(
        &bwrap,
        "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n",
    )
    .unwrap();
    use std::os::unix::fs::PermissionsExt;
    for path in [folder.path(), &bwrap] {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = format!("{}:/usr/bin:/bin", folder.path().display());
    let text = explain(&[("PATH", &path)]).await;
    assert!(text.contains("needs user namespaces"), "{text}");
    assert!(text.contains("No permissions to create new namespace"), "{text}");
}

#[tokio::test]
async fn a_sandbox_takes_no_more_of_the_machine_than_its_share() {
    let (mut gateway, _agent) = sandbox().await;
    let script = "python3 -c '
import os
made = 0
children = []
try:
    while made < 3000:
        child = os.fork()
        if child == 0: os.execvp(\"sleep\", [\"sleep\", \"1000\"])
        children.append(child)
        made += 1
except OSError: pass
print(800 < made < 1024)
for child in children: os.kill(child, 9)
for child in children: os.waitpid(child, 0)'
        python3 -c 'x = bytearray(5 * 1024**3)' 2>&1 | tail -1
        head -c 300M /dev/zero > /dev/shm/big 2>/dev/null; stat -c %s /dev/shm/big; rm /dev/shm/big; (echo x > /dev/big) 2>/dev/null || echo closed
        ulimit -c; ulimit -n";
    let report = gateway.run("r1", script).await;
    assert_eq!(report.head, "True\nMemoryError\n268435456\nclosed\n0\n8192\n", "{}", report.tail);
}

#[tokio::test]
async fn sockets_outside_network_namespaces_cannot_be_made() {
    let (mut gateway, _agent) = sandbox().await;
    let script = "python3 -c 'import socket
for family in (socket.AF_VSOCK, socket.AF_ALG, socket.AF_INET, socket.AF_UNIX, socket.AF_NETLINK):
    try: socket.socket(family, socket.SOCK_STREAM if family != socket.AF_NETLINK else socket.SOCK_RAW); print(\"made\")
    except OSError as error: print(error.errno)'";
    assert_eq!(gateway.run("r1", script).await.head, "1\n1\nmade\nmade\nmade\n");
}

#[tokio::test]
async fn no_route_leads_to_this_machine_or_its_link_local_neighbors() {
    let (mut gateway, _agent) = sandbox().await;
    let table = std::fs::read_to_string("/proc/net/fib_trie").unwrap();
    let lines: Vec<_> = table.lines().map(str::trim).collect();
    let own = lines.windows(2).filter(|pair| pair[1] == "/32 host LOCAL");
    let own: Vec<_> = own
        .map(|pair| pair[0].trim_start_matches("|-- "))
        .filter(|own| !own.starts_with("127."))
        .collect();
    assert!(!own.is_empty(), "this machine has an address");
    let mut script = String::from("ip route");
    for address in own.iter().chain(&["169.254.169.254"]) {
        script += &format!(
            "; ip route get {address} 2>&1; ip route del unreachable {address} 2>/dev/null && echo opened"
        );
    }
    let report = gateway.run("r1", &script).await;
    assert!(report.head.contains("unreachable 169.254.0.0/16"), "{}", report.head);
    for address in &own {
        assert!(
            report.head.contains(&format!("unreachable {address}")),
            "{address}: {}",
            report.head
        );
    }
    assert_eq!(report.head.matches("No route to host").count(), own.len() + 1, "{}", report.head);
    assert!(!report.head.contains("opened"), "{}", report.head);
}

/// The error message of an agent that cannot start.
async fn explain(environment: &[(&str, &str)]) -> String {
    let state = tempfile::tempdir().unwrap();
    let mut child = tokio::process::Command::new(env!("CARGO_BIN_EXE_sandbox-agent"))
        .env("GROUNDCREW_WEBSOCKET_URL", "ws://127.0.0.1:1/ws")
        .env("GROUNDCREW_TOKEN", "secret")
        .env("GROUNDCREW_USER", "user_1_2")
        .env("GROUNDCREW_CONFINEMENT", "bubblewrap")
        .env("GROUNDCREW_STATE_DIR", state.path())
        .envs(environment.iter().copied())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut text = String::new();
    child.stderr.take().unwrap().read_to_string(&mut text).await.unwrap();
    assert!(!child.wait().await.unwrap().success());
    text
}
