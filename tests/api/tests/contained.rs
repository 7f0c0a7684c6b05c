//! `--sandbox docker`: what a container can reach, and its limits. `cargo dev deploy-test` provides an engine and the
//! image.

use api_tests::{Actor, App, Project, Settings, Terminal};
use serde_json::{Value, json};
use std::process::Command;

async fn start() -> App {
    let image = std::env::var("SANDBOX_IMAGE").expect("the image under test");
    App::start(Settings { container_image: Some(image), ..Settings::default() }).await
}

async fn project(owner: &Actor, name: &str) -> (Project, Terminal) {
    let project = owner.project(name).await;
    project.sandbox_is_up().await;
    let mut terminal = project.terminal().await;
    terminal.attach().await;
    (project, terminal)
}

/// The output of a script in a terminal.
async fn prints(terminal: &mut Terminal, script: &str) -> String {
    let from = terminal.shown.len();
    terminal.types(&format!("{script}; echo e''nd\r")).await;
    terminal.shows("end\r\n").await;
    let printed = terminal.shown[from..].to_owned();
    terminal.shown.clear();
    printed
}

/// Whether a container gets an answer over HTTP; `$gateway` is this machine's address on its network.
async fn answers(terminal: &mut Terminal, host: &str, port: u16) -> bool {
    let ask = format!(
        "gateway=$(ip route | awk '/^default/ {{print $3}}'); \
         curl --silent --max-time 3 --output /dev/null http://{host}:{port}/; echo \"code $?\""
    );
    let printed = prints(terminal, &ask).await;
    // 7: refused, 28: no answer.
    let closed = ["code 7\r\n", "code 28\r\n"].iter().any(|code| printed.contains(code));
    assert!(closed || printed.contains("code 0\r\n"), "{printed}");
    !closed
}

fn port(address: &str) -> u16 {
    reqwest::Url::parse(address).unwrap().port().unwrap()
}

/// The port at which a container's agent finds this machine's socket for agents.
fn dialed(container: &Value) -> u16 {
    let variables = container["Config"]["Env"].as_array().unwrap();
    let name = "GROUNDCREW_WEBSOCKET_URL=";
    port(variables.iter().find_map(|it| it.as_str().unwrap().strip_prefix(name)).unwrap())
}

/// Docker's description of a project's container.
async fn inspected(project: &Project) -> Value {
    let arn = project.kept_sandbox().await.task_arn.unwrap();
    let name = format!("groundcrew-{}", arn.rsplit('/').next().unwrap());
    let said = Command::new("docker").args(["inspect", &name]).output().unwrap();
    serde_json::from_slice::<Value>(&said.stdout).unwrap()[0].clone()
}

#[tokio::test]
#[ignore = "needs Docker's engine and the sandbox image"]
async fn a_container_reaches_the_socket_for_agents_and_nothing_else_of_this_machine() {
    let app = start().await;
    let owner = Actor::signed_in(&app, "owner").await;
    let (project, mut terminal) = project(&owner, "Contained").await;
    let container = inspected(&project).await;
    let door = dialed(&container);
    assert!(answers(&mut terminal, "$gateway", door).await, "its socket for agents is there");
    for closed in [port(&app.engines()), port(&app.url(""))] {
        assert!(!answers(&mut terminal, "127.0.0.1", closed).await, "{closed}");
        // The system may have given the socket the same number, on the network's own address.
        if closed != door {
            assert!(!answers(&mut terminal, "$gateway", closed).await, "{closed}");
        }
    }

    let printed = prints(
        &mut terminal,
        "id -u; awk '/CapEff/ {print $2}' /proc/self/status; touch /planted; ls /sys/class/net",
    )
    .await;
    for wanted in ["1000\r\n", "\n0000000000000000\r\n", "Read-only file system", "eth0"] {
        assert!(printed.contains(wanted), "{wanted} in {printed}");
    }
    let host = &container["HostConfig"];
    assert_ne!(host["NetworkMode"], "host");
    let limits = [&host["Memory"], &host["PidsLimit"], &host["NanoCpus"]];
    assert!(limits.iter().all(|limit| limit.as_u64() > Some(0)), "{host}");
}

/// The probes of the local confinement (`infra/sandbox/tests/confinement.rs`), for a container.
#[tokio::test]
#[ignore = "needs Docker's engine and the sandbox image"]
async fn a_command_finds_nothing_of_the_agent_and_no_way_out_of_its_container() {
    let app = start().await;
    let owner = Actor::signed_in(&app, "owner").await;
    let (_project, mut terminal) = project(&owner, "Escaping").await;
    let probes = [
        ("variables", "cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n' | grep -c GROUNDCREW", "0"),
        (
            "first",
            "cat /proc/1/environ /proc/1/maps /proc/1/mem 2>&1 | grep -vc 'Permission denied'",
            "0",
        ),
        ("state", "ls /var/lib/groundcrew 2>&1 | grep -vc 'Permission denied'", "0"),
        ("namespaces", "unshare -U true 2>/dev/null && echo made", ""),
        ("mounts", "mount -t tmpfs none /tmp 2>/dev/null && echo made", ""),
        ("engine", "ls /run/docker.sock /var/run/docker.sock 2>/dev/null", ""),
        ("setuid", "ls -l /usr/bin /usr/sbin | grep -e '^-..s' -e '^-.....s'", ""),
        ("disks", "ls /dev | grep -e '^[hsv]d' -e kvm -e mem", ""),
        ("kernel", "sh -c 'echo x >/proc/sys/kernel/core_pattern' 2>/dev/null && echo written", ""),
    ];
    for (what, probe, wanted) in probes {
        let printed = prints(&mut terminal, &format!("echo \"{what}=[$({probe})]\"")).await;
        assert!(printed.contains(&format!("{what}=[{wanted}]\r\n")), "{printed}");
    }
}

#[tokio::test]
#[ignore = "needs Docker's engine and the sandbox image"]
async fn two_projects_listen_on_one_port_and_neither_reaches_the_other() {
    let app = start().await;
    let owner = Actor::signed_in(&app, "owner").await;
    let (one, mut first) = project(&owner, "One").await;
    let (_, mut second) = project(&owner, "Other").await;
    for terminal in [&mut first, &mut second] {
        let serve = "python3 -m http.server 8080 >/dev/null 2>&1 & until curl --silent --output /dev/null http://127.0.0.1:8080/; \
                     do sleep 0.1; done; echo lis''tens";
        assert!(prints(terminal, serve).await.contains("listens"));
    }
    let networks = inspected(&one).await["NetworkSettings"]["Networks"].clone();
    let address = networks.as_object().unwrap().values().next().unwrap()["IPAddress"].clone();
    let address = address.as_str().unwrap();
    assert!(!answers(&mut second, address, 8080).await, "another project's");
    assert!(answers(&mut first, address, 8080).await, "its own is there");
}

#[tokio::test]
#[ignore = "needs Docker's engine and the sandbox image"]
async fn a_container_and_its_network_go_with_the_sandbox() {
    let app = start().await;
    let owner = Actor::signed_in(&app, "owner").await;
    let (project, _terminal) = project(&owner, "Gone").await;
    let arn = project.kept_sandbox().await.task_arn.unwrap();
    let name = format!("groundcrew-{}", arn.rsplit('/').next().unwrap());
    let there = || {
        let listed =
            Command::new("docker").args(["network", "ls", "--format", "{{.Name}}"]).output();
        String::from_utf8(listed.unwrap().stdout).unwrap().lines().any(|line| line == name)
    };
    assert!(there());
    project.post(&project.path("/sandbox/stop"), json!({})).await.is(200);
    api_tests::eventually("the network is gone", async || (!there()).then_some(())).await;
}
