//! What a command without approval can reach, even if its shape was misjudged.
use crate::support::{Agent, Gateway, order, sandbox};
use protocol::{Outcome, Reach, ReadOrder, RunReport, ToAgent};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// The text that no reading may show.
const CANARY: &str = "canary-7f3a";

async fn read(gateway: &mut Gateway, run_id: &str, script: &str, reach: Reach) -> RunReport {
    read_hiding(gateway, run_id, script, reach, &[]).await
}

/// A reading in a project with these credentials.
async fn read_hiding(
    gateway: &mut Gateway,
    run_id: &str,
    script: &str,
    reach: Reach,
    hidden: &[&str],
) -> RunReport {
    let order = order(run_id, script);
    gateway.tell(ToAgent::Read(ReadOrder {
        run_id: order.run_id,
        script: order.script,
        sha256: order.sha256,
        deadline_ms: order.deadline_ms,
        reach,
        hidden: hidden.iter().map(|value| (*value).to_owned()).collect(),
        log_url: None,
    }));
    gateway.report(run_id).await
}

fn wide() -> Reach {
    Reach { loopback_port: Some(8), ..Reach::default() }
}

/// Everything that a reading may reach beside the workspace.
fn processes() -> Reach {
    Reach { processes: true, ..Reach::default() }
}

/// A workspace with secrets in their usual places, and copies elsewhere.
const SECRETS: &str = "set -e
mkdir -p terraform orders .git
key='-----BEGIN OPENSSH PRIVATE KEY-----'
printf '%s\\ncanary-7f3a\\n' \"$key\" > ssh/deploy
printf '%s\\ncanary-7f3a\\n' \"$key\" > notes.txt
{ head -c 3000000 /dev/zero; printf '%s\\ncanary-7f3a\\n' \"$key\"; } > large.log
ln ssh/deploy hard.txt; ln -s ssh/deploy soft.txt; ln -s \"$HOME/.netrc\" link.txt; ln -s /proc/1/environ process.txt
for file in .env prod.env terraform/terraform.tfstate terraform/a.tfvars .git/config tls.pem \"$HOME/.netrc\" \"$HOME/plain\" /tmp/plain; do
    echo canary-7f3a > \"$file\"; done
echo harmless > orders/service.json; echo 'ssh-ed25519 AAAA' > ssh/deploy.pub";

#[tokio::test]
async fn a_reader_reads_the_workspace_and_none_of_its_secrets() {
    let (mut gateway, _agent) = sandbox().await;
    assert_eq!(gateway.run("r1", SECRETS).await.exit_code, Some(0));
    let script = "cat orders/service.json ssh/deploy.pub; ls ssh; wc -l < /etc/os-release > /dev/null && echo read";
    let report = read(&mut gateway, "r2", script, Reach::default()).await;
    assert_eq!(report.head, "harmless\nssh-ed25519 AAAA\ndeploy\ndeploy.pub\nread\n");
    let script = "shopt -s dotglob globstar; cat ** ~/../*/.netrc /home/*/.netrc /home/*/plain /tmp/* /tmp/*/* /proc/*/environ 2>&1 | tr -d '\\0'";
    let report = read(&mut gateway, "r3", script, wide()).await;
    assert!(
        report.head.contains("harmless") && report.head.contains("Permission denied"),
        "{}",
        report.head
    );
    assert!(!report.head.contains(CANARY) && !report.tail.contains(CANARY), "{}", report.head);
    let environments = "cat /proc/*/environ 2>&1 | tr -d '\\0'";
    let report = read(&mut gateway, "r5", environments, processes()).await;
    assert!(report.head.contains("Permission denied"), "{}", report.head);
    assert!(!report.head.contains(CANARY), "{}", report.head);
    // With approval the same command shows all of it, so the canaries are in place.
    let report =
        gateway.run("r4", "cat notes.txt hard.txt soft.txt link.txt .env terraform/*").await;
    assert_eq!(report.head.matches(CANARY).count(), 7, "{}", report.head);
}

#[tokio::test]
async fn a_reader_of_processes_sees_nothing_of_the_workspace() {
    let (mut gateway, agent) = sandbox().await;
    let plant = "echo words > a.txt; python3 -c 'import time; time.sleep(1000)' canary-7f3a > /dev/null 2>&1 &
        echo $! > pid; ln -s /proc/$!/cmdline link.txt; ln -s /proc procs
        until grep -q canary link.txt; do sleep 0.01; done; cat link.txt | tr '\\0' ' '";
    let report = gateway.run("r1", plant).await;
    assert!(report.head.contains(CANARY), "an approved command follows the link: {}", report.head);
    let workspace = agent.workspace();
    let pid = std::fs::read_to_string(workspace.join("pid")).unwrap();
    let files = format!(
        "cat a.txt link.txt; ls; pwd; cat procs/{}/cmdline; cat {}/a.txt",
        pid.trim(),
        workspace.display()
    );
    let report =
        read(&mut gateway, "r2", &format!("{files}; ps -eo comm | grep -c python3"), processes())
            .await;
    assert!(
        report.head.ends_with("\n1\n") && report.head.contains("/tmp/reader-"),
        "{}",
        report.head
    );
    assert!(!report.head.contains(CANARY) && !report.head.contains("words"), "{}", report.head);
    let report = read(&mut gateway, "r3", &files, Reach::default()).await;
    assert!(report.head.contains("words") && !report.head.contains(CANARY), "{}", report.head);
}

#[tokio::test]
async fn without_the_list_of_processes_a_reader_still_sees_ports_and_free_space() {
    let (mut gateway, _agent) = sandbox().await;
    let service = "python3 -u -c 'import socket, time
s = socket.create_server((\"127.0.0.1\", 0)); open(\"port\", \"w\").write(str(s.getsockname()[1])); time.sleep(1000)' > /dev/null 2>&1 &
        until [ -s port ]; do sleep 0.01; done; cat port";
    let port = gateway.run("r1", service).await.head;
    let report =
        read(&mut gateway, "r2", "ss -tlnH; df -h . 2>/dev/null | wc -l", Reach::default()).await;
    assert!(report.head.contains(&format!("127.0.0.1:{port} ")), "{}", report.head);
    assert!(report.head.ends_with("\n2\n"), "{}", report.head);
}

#[tokio::test]
async fn parts_of_lines_come_only_from_files_without_any_secret() {
    const SEALED: &str = "zebra quartz mill";
    let (mut gateway, _agent) = sandbox().await;
    let plant = format!(
        "echo '{SEALED}' > settings.txt; echo '{{\"password\": \"Tr0ub4dor&3\"}}' > app.json; echo {} > manifest.txt
        ln -s settings.txt other.txt; printf 'a b\\nc d\\n' > table.txt",
        "emVicmEgcXVhcnR6IG1pbGw="
    );
    assert_eq!(gateway.run("r1", &plant).await.exit_code, Some(0));
    let parts = Reach { parts: true, ..Reach::default() };
    for (number, script) in [
        "cut -c1-5 settings.txt",
        "cut -c6-11 other.txt",
        "head -c 5 settings.txt",
        "cat settings.txt | awk '{print $2}'",
        "cmp -l settings.txt table.txt",
        "jq -r .password app.json",
        "cut -c1-8 manifest.txt",
        // A file of whose name the script contains only pieces.
        "f=settings; cut -c1-5 $f.txt",
    ]
    .into_iter()
    .enumerate()
    {
        let run_id = format!("parts-{number}");
        let report = read_hiding(&mut gateway, &run_id, script, parts.clone(), &[SEALED]).await;
        assert!(report.head.contains("Permission denied"), "{script}: {}", report.head);
        let shown = report.head.replace(script, "");
        for part in ["zebra", "quart", "mill", "Tr0ub", "emVic", "1 172"] {
            assert!(!shown.contains(part), "{script}: {shown}");
        }
    }
    let whole = "cat settings.txt manifest.txt";
    let report = read_hiding(&mut gateway, "whole", whole, Reach::default(), &[SEALED]).await;
    assert_eq!(report.head, "***\n***\n", "whole lines are masked");
    let script = "cut -c1 table.txt; awk '{print $2}' table.txt";
    let report = read_hiding(&mut gateway, "open", script, parts, &[SEALED]).await;
    assert_eq!(report.head, "a\nc\nb\nd\n", "other files are shown");
}

#[tokio::test]
async fn a_reader_changes_nothing() {
    let (mut gateway, agent) = sandbox().await;
    assert_eq!(
        gateway.run("r1", "echo old > file; chmod 600 file; touch -d @0 file").await.exit_code,
        Some(0)
    );
    let script = "echo new > file; echo x >> file; rm -f file; mv file other; ln file other; ln -s file other; mkdir made; touch file
        chmod 777 file; chown 1000:1000 file; truncate -s 0 file; cp file other; touch -d @9 file; setfattr -n user.x -v y file
        echo x > /tmp/planted; echo x > ~/planted; mkfifo pipe; echo x > /dev/pts/0; echo x > /dev/shm/planted
        python3 -c 'import os; os.utime(\"file\"); ' ; python3 -c 'import os; os.chmod(\"file\", 0o777)'
        python3 -c 'import os; os.open(\"file\", os.O_WRONLY|os.O_TRUNC)'; ls -l /tmp/planted ~/planted; stat -c '%a %Y %s' file; ls";
    let report = read(&mut gateway, "r2", script, wide()).await;
    assert!(
        report.head.ends_with("600 0 4\nansible\nfile\nssh\nterraform\n"),
        "{}{}",
        report.head,
        report.tail
    );
    assert!(!report.head.contains("/planted\n"), "{}", report.head);
    assert_eq!(std::fs::read_to_string(agent.workspace().join("file")).unwrap(), "old\n");
}

#[tokio::test]
async fn a_reader_touches_no_other_process() {
    let (mut gateway, _agent) = sandbox().await;
    let mut victim = order("r1", "exec 3<ssh; sleep 1000");
    victim.env.insert("TOKEN".to_owned(), CANARY.to_owned());
    gateway.tell(ToAgent::Run(victim));
    let script = "until pid=$(pgrep -x sleep); do :; done; kill $pid; kill -9 -1; kill -0 $pid
        for file in environ mem maps cwd/ssh root/etc/passwd fd/3 exe io; do cat /proc/$pid/$file && echo \"sees $file\"; done
        readlink /proc/$pid/fd/3 && echo 'sees descriptors'; renice 19 $pid; prlimit --pid $pid --nofile=1
        python3 -c \"import os; os.pidfd_open($pid)\"; ps -eo comm | grep -c sleep";
    let report = read(&mut gateway, "r2", script, processes()).await;
    assert!(report.head.ends_with("\n1\n") && !report.head.contains("sees "), "{}", report.head);
    assert!(!report.head.contains(CANARY), "{}", report.head);
    gateway.tell(ToAgent::RunCancel { run_id: "r1".into() });
    assert_eq!(gateway.report("r1").await.outcome, Outcome::Cancelled, "it ran until now");
}

#[tokio::test]
async fn a_long_listing_says_nothing_about_attributes_that_a_reader_may_not_read() {
    let (mut gateway, _agent) = sandbox().await;
    assert_eq!(gateway.run("r1", "mkdir -p orders; touch orders/a.json").await.exit_code, Some(0));
    let report = read(&mut gateway, "r2", "ls -la . orders", Reach::default()).await;
    assert_eq!(report.exit_code, Some(0), "{}", report.head);
    assert!(report.head.contains("a.json"), "{}", report.head);
    assert!(!report.head.contains("ls: "), "{}", report.head);
}

#[tokio::test]
async fn a_reader_has_no_network_except_the_one_port_that_it_may_reach() {
    let (mut gateway, _agent) = sandbox().await;
    let service = "python3 -u -c 'import http.server as h; s = h.HTTPServer((\"127.0.0.1\", 0), h.SimpleHTTPRequestHandler)
open(\"port\", \"w\").write(str(s.server_port)); s.serve_forever()' > /dev/null 2>&1 &
        until [ -s port ]; do sleep 0.01; done; cat port";
    let port: u16 = gateway.run("r1", service).await.head.parse().unwrap();
    // A listener on every address of this machine, which must receive nothing.
    let outside = TcpListener::bind("0.0.0.0:0").await.unwrap();
    let heard = outside.local_addr().unwrap().port();
    let reach = Reach { loopback_port: Some(port), ..Reach::default() };
    let asked = format!("curl -sS http://127.0.0.1:{port}/port");
    let report = read(&mut gateway, "r2", &asked, reach.clone()).await;
    assert_eq!((report.head.as_str(), report.exit_code), (port.to_string().as_str(), Some(0)));
    // Curl reaches that port under any address, and nothing else is reachable.
    let script = format!(
        "curl -s http://169.254.169.254/port; for host in 127.0.0.1 $(hostname -I) 10.0.2.2 1.1.1.1; do
            (echo x > /dev/tcp/$host/{heard}) 2>/dev/null && echo tcp; (echo x > /dev/udp/$host/{heard}) 2>/dev/null && echo udp; done
        python3 -c 'import socket
for family in (socket.AF_INET, socket.AF_INET6, 40, socket.AF_PACKET):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):
        try: socket.socket(family, kind); print(\"made\", family, kind)
        except OSError: pass'
        getent hosts example.com && echo name; curl -q -s http://127.0.0.1:{port}/port && echo direct; true"
    );
    let report = read(&mut gateway, "r3", &script, reach).await;
    assert_eq!(report.head, port.to_string());
    let report = read(&mut gateway, "r4", &asked, Reach::default()).await;
    assert_ne!(report.exit_code, Some(0), "no port was named: {}", report.head);
    let silent = tokio::time::timeout(std::time::Duration::ZERO, outside.accept()).await;
    assert!(silent.is_err(), "something connected");
}

#[tokio::test]
async fn a_service_answers_a_script_that_shows_parts_of_lines_only_without_secrets() {
    let (mut gateway, _agent) = sandbox().await;
    let service = "echo '{\"state\": \"ready\"}' > open.json; echo '{\"hunter\": \"canary-of-a-password\"}' > shut.json
        python3 -u -c 'import http.server as h
class Handler(h.SimpleHTTPRequestHandler): protocol_version = \"HTTP/1.1\"
s = h.HTTPServer((\"127.0.0.1\", 0), Handler)
open(\"port\", \"w\").write(str(s.server_port)); s.serve_forever()' > /dev/null 2>&1 &
        until [ -s port ]; do sleep 0.01; done; cat port";
    let port: u16 = gateway.run("r1", service).await.head.parse().unwrap();
    let asks = |name: &str| format!("curl -sS http://127.0.0.1:{port}/{name} | cut -c3-9");
    let reach = Reach { loopback_port: Some(port), parts: true, ..Reach::default() };
    let report = read(&mut gateway, "r2", &asks("open.json"), reach.clone()).await;
    assert_eq!(report.head, "state\":\n");
    let hidden = ["canary-of-a-password"];
    let report = read_hiding(&mut gateway, "r3", &asks("shut.json"), reach, &hidden).await;
    assert!(
        !report.head.contains("hunter") && report.head.contains("Empty reply"),
        "{}",
        report.head
    );
}

#[tokio::test]
async fn a_reader_ignores_planted_configuration() {
    let (mut gateway, _agent) = sandbox().await;
    let plant = "mkdir -p ~/.local/bin; printf '#!/bin/sh\\necho planted' > ~/.local/bin/ls; chmod +x ~/.local/bin/ls
        echo 'write-out = planted' > ~/.curlrc; echo 'echo planted' | tee -a ~/.bashrc ~/.bash_profile ~/.profile > /dev/null
        echo 'def keys: \"planted\";' > ~/.jq; echo '{\"a\":1}' > a.json; ls";
    assert_eq!(gateway.run("r1", plant).await.head, "planted\n", "an approved command finds it");
    let script = "ls; command -v ls; jq -c keys a.json; echo $HOME; ls -A ~ | wc -l; env | cut -d= -f1 | sort | tr '\\n' ' '";
    let report = read(&mut gateway, "r2", script, Reach::default()).await;
    assert!(!report.head.contains("planted"), "{}", report.head);
    assert!(report.head.contains("/usr/bin/ls\n[\"a\"]\n/tmp/reader-"), "{}", report.head);
    let names = "\n0\nCHECKPOINT_DISABLE CURL_HOME HOME LANG PAGER PATH PWD SHLVL TERM USER _ ";
    assert!(report.head.ends_with(names), "{}", report.head);
}

#[tokio::test]
async fn a_reader_makes_no_namespaces_and_keeps_its_limits() {
    let (mut gateway, _agent) = sandbox().await;
    let script = "unshare -U true && echo namespaces; unshare -r true && echo namespaces; mount -t tmpfs x /tmp && echo mounts
        ulimit -f; ulimit -t; ulimit -c; python3 -c 'x = bytearray(3 * 1024**3)' 2>&1 | tail -1";
    let report = read(&mut gateway, "r1", script, wide()).await;
    assert!(report.head.ends_with("0\n60\n0\nMemoryError\n"), "{}", report.head);
    assert!(
        !report.head.contains("namespaces\n") && !report.head.contains("mounts\n"),
        "{}",
        report.head
    );
}

#[tokio::test]
async fn the_agent_says_whether_its_kernel_confines_a_reader() {
    let mut gateway = Gateway::start().await;
    let _agent = Agent::start(&gateway);
    let said = gateway
        .wait(|message| match message {
            protocol::FromAgent::Hello { reader, .. } => Some(*reader),
            _ => None,
        })
        .await;
    assert!(said, "this kernel has Landlock");
}

#[tokio::test]
async fn without_namespaces_a_reader_is_still_confined() {
    let mut gateway = Gateway::start().await;
    let _agent = Agent::start_with(&gateway, &[("GROUNDCREW_CONFINEMENT", "none")]);
    gateway.hello().await;
    assert_eq!(
        gateway.run("r1", "echo canary-7f3a > .env; echo fine > a.txt").await.exit_code,
        Some(0)
    );
    let host = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = host.local_addr().unwrap().port();
    let script = format!(
        "cat .env a.txt; echo x > b.txt; (echo x > /dev/tcp/127.0.0.1/{port}) && echo out; ls; cat /root/.bashrc && echo root"
    );
    let report = read(&mut gateway, "r2", &script, Reach::default()).await;
    assert!(
        report.head.contains("\nfine\n") && report.head.contains("a.txt\nansible\nssh\n"),
        "{}",
        report.head
    );
    assert!(
        !report.head.contains(CANARY)
            && !report.head.contains("out\n")
            && !report.head.ends_with("root\n"),
        "{}",
        report.head
    );
    // The listener accepts other connections, so the reader's were blocked.
    let mut seen = tokio::net::TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    seen.write_all(b"x").await.unwrap();
    let (mut heard, _) = host.accept().await.unwrap();
    assert_eq!(heard.read_u8().await.unwrap(), b'x');
}

#[tokio::test]
async fn a_reading_that_cannot_be_confined_does_not_run_and_says_so_without_its_words() {
    let (mut gateway, _agent) = sandbox().await;
    let confined = read(&mut gateway, "r1", "echo ran; exit 125", Reach::default()).await;
    // The code alone means nothing, and neither does what a script writes to any descriptor.
    assert_eq!((confined.outcome, confined.exit_code), (Outcome::Exited, Some(125)));
    let script = "{ for fd in 0 3 4 5 6 7 8 9; do echo forged >&$fd; done; } 2> /dev/null; true";
    let confined = read(&mut gateway, "r2", script, Reach::default()).await;
    assert_eq!((confined.outcome, confined.exit_code), (Outcome::Exited, Some(0)));

    let mut gateway = Gateway::start().await;
    let _agent = Agent::start_without_time(&gateway);
    assert!(gateway.hello_promises_reader().await, "the kernel can confine");
    let report = read(&mut gateway, "r3", "echo ran", Reach::default()).await;
    assert_eq!((report.outcome, report.exit_code), (Outcome::NotConfined, None), "{report:?}");
    assert_eq!((report.head.as_str(), report.bytes), ("", 0));
    let why = report.detail.unwrap();
    assert!(
        why.starts_with("The sandbox could not confine this command, so it was not run. ("),
        "{why}"
    );
    // An approved command still runs, and the next hello no longer promises a reader.
    assert_eq!(gateway.run("r4", "echo ran").await.head, "ran\n");
    gateway.cut();
    assert!(!gateway.hello_promises_reader().await);
}
