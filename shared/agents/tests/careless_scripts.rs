//! Tests models that write scripts and proofs carelessly: what would do nothing, or would prove nothing, goes back to
//! the model with the reason and reaches no person.

use crate::common::reply::{Protocol, reply};
use crate::common::world::World;
use domain::step::{Phase, Step, Track};
use serde_json::json;

const GOOD: (&str, &str) = ("mkdir -p app && echo 1 >app/a", "test -s app/a");

/// What the model hears about a script and its proof, and the step after the model has handed in a good one.
async fn handed_in(track: Track, script: &str, proof: &str) -> (Option<String>, Step) {
    let tool = if track == Track::Execution { "propose_command" } else { "propose_check" };
    let call = |id: &str, script: &str, proof: &str| {
        let mut given = json!({"step": 1, "script": script, "summary": "x"});
        if track == Track::Execution {
            given["proof"] = json!(proof);
        }
        reply().call(id, tool, given).into()
    };
    let good = if track == Track::Execution { GOOD.0 } else { GOOD.1 };
    let answers = [call("a", script, proof), call("b", good, GOOD.1)];
    let world = World::new(Protocol::OpenAi, answers).await;
    let (plan_id, run_id) = match track {
        Track::Execution => world.execution(1).await,
        _ => world.validation(1).await,
    };
    let step = agents::prepare_step(&world.agents, world.scope, track, &plan_id, 1, &run_id).await;
    let said = (world.fake.requests().len() > 1).then(|| world.fake.tool_results(1).remove(0));
    world.fake.discard_answers();
    (said, step.unwrap().unwrap())
}

/// Scripts that do not do what they seem to, with a word of the reason.
const SCRIPTS: [(&str, &str, &str); 42] = [
    (
        "a comment in a file stands for the rest of it",
        "cat >app.conf <<'EOF'\nport = 80\n# ... rest as before\nEOF",
        "left out",
    ),
    ("a comment stands for commands", "mkdir -p app\n# (remaining commands unchanged)", "left out"),
    ("a line of dots stands for commands", "mkdir -p app\n...\ntouch app/a", "left out"),
    (
        "a comment announces the code",
        "cat >app.py <<'EOF'\nimport os\n# Your code here\nEOF",
        "left out",
    ),
    (
        "the work is a note",
        "cat >deploy.sh <<'EOF'\n#!/bin/bash\n# TODO: implement the deployment\nEOF",
        "left out",
    ),
    (
        "a domain in angle brackets",
        "cat >site.conf <<'EOF'\nserver_name <your-domain>;\nEOF",
        "fill",
    ),
    ("an address in angle brackets", "curl -fsS http://<SERVER_IP>:8080/", "fill"),
    ("a value in capitals", "printf 'DOMAIN=YOUR_DOMAIN_HERE\\n' >.env", "fill"),
    ("a made-up path", "cp /path/to/your/app.conf app.conf", "fill"),
    ("a value to replace", "echo 'bucket = \"REPLACE_ME\"' >backend.hcl", "fill"),
    ("typographic quotation marks", "printf “%s\\n” ready >app.conf", "quotation"),
    ("a dash in place of an option", "ls –la app", "dash"),
    ("a space that does not separate", "mkdir\u{a0}app", "space"),
    ("line numbers", "1  mkdir -p app\n2  touch app/a", "bash"),
    ("line numbers with bars", "1 | mkdir -p app\n2 | touch app/a", "bash"),
    ("a diff", "--- a/setup.sh\n+++ b/setup.sh\n+mkdir -p app\n+touch app/a", "bash"),
    ("signs of a prompt", "$ mkdir -p app\n$ touch app/a", "bash"),
    ("PowerShell", "New-Item -ItemType Directory -Force app\nSet-Content app/a 1", "bash"),
    ("sentences", "First, create the folder app.\nThen write the file into it.", "bash"),
    ("JSON", "{\"command\": \"mkdir -p app\"}", "bash"),
    ("a task of Ansible", "- name: Make the folder\n  file: path=app state=directory", "bash"),
    ("an endless loop", "while true; do sleep 5; done", "never end"),
    ("an endless sleep", "mkdir -p app\nsleep infinity", "never end"),
    ("only a comment", "# Same script as in the step before", "no command"),
    ("points of a list", "* mkdir -p app\n* touch app/a", "bash"),
    ("points of a list, typographic", "• mkdir -p app\n• touch app/a", "bash"),
    ("a note before the commands", "Note: this needs no root\nmkdir -p app", "bash"),
    ("an introduction", "Here is the script:\nmkdir -p app", "bash"),
    ("an explanation after the commands", "mkdir -p app\nThis creates the folder.", "bash"),
    ("a prompt with its user", "deploy@shop:~$ mkdir -p app", "bash"),
    ("a prompt of Windows", "PS C:\\> mkdir app", "bash"),
    ("a Dockerfile", "FROM debian:13\nRUN mkdir -p app", "bash"),
    ("a word in angle brackets", "tar -xf <archive> -C app", "fill"),
    ("a host in angle brackets", "scp app.conf deploy@<host>:app.conf", "fill"),
    (
        "keeps a failed status for a message only",
        "ansible-playbook site.yml || rc=$?\necho \"ended with ${rc:-0}\"\nprintf done >app/a",
        "lost",
    ),
    (
        "tries three times and is content",
        "for n in 1 2 3; do\n  if ansible-playbook site.yml; then break; fi\n  sleep 1\ndone\ndate >app/a",
        "last try",
    ),
    (
        "does its work without `set -e`",
        "set +e\nansible-playbook site.yml\nset -e\ntouch app/a",
        "lost",
    ),
    ("ends well in a trap", "trap 'exit 0' EXIT\nterraform apply -auto-approve", "trap"),
    (
        "tells that it failed",
        "if terraform apply -auto-approve; then echo ok; else echo failed; fi\ntouch app/a",
        "continues",
    ),
    (
        "works in a function that a condition calls",
        "deploy() { docker compose up -d; echo ok; }\ndeploy || exit 1\ntouch app/a",
        "lost",
    ),
    (
        "works in a shell that goes on",
        "ssh server <<'EOF'\nsudo systemctl restart nginx\necho ok\nEOF\ntouch app/a",
        "lost",
    ),
    (
        "works in a message",
        "echo \"Result: $(terraform apply -auto-approve)\"\ntouch app/a",
        "$(…)",
    ),
];

/// Proofs that pass although the work was not done, with a word of the reason.
const PROOFS: [(&str, &str, &str); 29] = [
    ("compares numbers of its own", "[ 1 -eq 1 ]", "proves nothing"),
    ("looks at words of its own", "test -n \"done\"", "proves nothing"),
    ("compares words of its own", "status=ok\n[ \"$status\" = ok ]", "proves nothing"),
    ("searches its own words", "echo ready | grep -q ready", "proves nothing"),
    ("looks at the root folder", "test -d /", "proves nothing"),
    ("looks at its own folder", "[ -d \"$HOME\" ] && test -e .", "proves nothing"),
    ("looks at a system file", "grep -q root /etc/passwd", "proves nothing"),
    ("only lists", "ls -la", "proves nothing"),
    ("only asks for a version", "bash --version", "proves nothing"),
    ("asks who and when", "whoami\ndate", "proves nothing"),
    ("makes what it looks for", "mkdir -p app\ntest -d app", "changes"),
    ("writes what it reads", "echo ok >result.txt\ngrep -q ok result.txt", "changes"),
    ("leaves before it looks", "exit 0\ntest -d app", "runs"),
    ("leaves well in either case", "test -d app || exit 0", "lost"),
    ("ends well in any case", "trap 'exit 0' EXIT\ntest -d app", "trap"),
    ("waits for nothing in particular", "test -d app &\nwait", "background"),
    (
        "leaves its look in the background",
        "curl -fsS http://localhost:8080/ >/dev/null &",
        "background",
    ),
    ("defines a look and does not look", "check() { test -d app; }\necho ready", "proves nothing"),
    ("counts whatever there is", "n=$(grep -c x app/a || true)\necho \"$n\"", "proves nothing"),
    ("prints from another language", "python3 -c 'print(\"ok\")'", "proves nothing"),
    ("asks how nothing ended", "[ $? -eq 0 ]", "proves nothing"),
    ("looks at a variable of any shell", "test -n \"$PATH\"", "proves nothing"),
    ("finds its own search", "ps aux | grep nginx", "proves nothing"),
    ("lists ports", "ss -ltn", "proves nothing"),
    ("makes it if it is missing", "test -d app || mkdir app", "changes"),
    ("tells either result", "[[ -s app/a ]] && echo ok || echo missing", "lost"),
    ("waits and is content", "sleep 5\necho 'Service is up'", "proves nothing"),
    ("leaves its function well", "look() { test -d app || return 0; }\nlook", "lost"),
    ("looks into nothing", "cat /dev/null\ntrue", "proves nothing"),
];

#[tokio::test]
async fn a_script_that_does_not_do_what_it_seems_to_goes_back() {
    let mut missed = Vec::new();
    for (name, script, sign) in SCRIPTS {
        let (said, step) = handed_in(Track::Execution, script, GOOD.1).await;
        assert_eq!(step.phase, Phase::WaitingApproval, "{name}");
        if !said.as_deref().is_some_and(|said| said.contains(sign)) {
            missed.push(format!("{name}: {said:?}"));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[tokio::test]
async fn a_proof_that_passes_whatever_was_done_goes_back() {
    let mut missed = Vec::new();
    for (name, proof, sign) in PROOFS {
        for (track, script) in [(Track::Execution, GOOD.0), (Track::Validation, proof)] {
            let (said, step) = handed_in(track, script, proof).await;
            assert_eq!(step.phase, Phase::WaitingApproval, "{name}");
            // What a check may not do has separate texts.
            let fits = |said: &str| said.contains(sign) || track == Track::Validation;
            if !said.as_deref().is_some_and(fits) {
                missed.push(format!("{name} ({track:?}): {said:?}"));
            }
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[tokio::test]
async fn careful_scripts_and_proofs_do_not_go_back() {
    let mut wrong = Vec::new();
    for (script, proof) in [
        ("mkdir -p app\nprintf '%s\\n' '“Grüße” – der Rest bleibt' >app/a", "grep -q Rest app/a"),
        ("# The rest of the files is written by step 4.\nmkdir -p app", "test -d app"),
        (
            "cat >app/README.md <<'EOF'\nUsage: shop <file> [options]...\nThe rest is as before.\nEOF",
            "test -s app/README.md",
        ),
        ("if [ -e app ]; then exit 0; fi\nmkdir app", "test -d app"),
        (
            "for n in 1 2 3; do curl -fsS http://localhost:80$n/ && break; sleep 1; done",
            "ls app/a >/dev/null",
        ),
        ("while true; do test -e app && break; sleep 1; done", "test -d app"),
        ("echo 'Nothing is to do on this system.'", "test -d app"),
        (
            "ssh -F ssh/config server 'bash -euo pipefail -s' <<'EOF'\nsudo systemctl restart shop\nEOF",
            "ssh -F ssh/config server systemctl is-active shop",
        ),
        (
            "mkdir -p app",
            "scratch=$(mktemp -d)\ntrap 'rm -rf \"$scratch\"' EXIT\ncurl -fsS http://localhost:8080/ >\"$scratch/page\"\ngrep -q Shop \"$scratch/page\"",
        ),
        ("mkdir -p app", "version=$(terraform version)\n[[ $version == *v1.11* ]]\nls -l app/a"),
        ("mkdir -p app", "diff app/a /etc/hosts"),
        ("mkdir -p app", "id deploy"),
        ("mkdir -p app", "docker info >/dev/null"),
        ("mkdir -p app", "ps aux | grep '[n]ginx'"),
        ("mkdir -p app", "ps -eo comm | grep -qx nginx"),
        ("mkdir -p app", "ss -ltn | grep -q :8080"),
        ("tar -xf <(curl -fsS https://example.org/a.tar) -C app", "test -s app/a"),
        ("sort <list >sorted", "test -s sorted"),
        ("mkdir -p app", "[ \"$(hostname)\" = shop ]"),
        ("awk '{print $1}' app/a >app/b\nprintf '$ %s\\n' done", "test -s app/b"),
        ("./setup.sh\n7z x app.7z", "test -d app"),
    ] {
        let (said, _) = handed_in(Track::Execution, script, proof).await;
        if let Some(said) = said {
            wrong.push(format!("{script}\n{proof}\n{said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n---\n"));
}
