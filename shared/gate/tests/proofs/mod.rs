//! Faults of proofs and checks: each would succeed although something in it failed.
//!
//! Bash confirms it: every fault here ends with 0 if the commands that it judges by fail, and every good proof ends
//! with another status. The gate must find the faults, and must report nothing for the good proofs.

use crate::ASKED;
use domain::script::with_proof;
use std::process::Command;

/// Kinds of faults, with a proof that has it.
const FAULTS: &[(&str, &str)] = &[
    ("idle", "command -v bash"),
    ("idle", "command -v grep >/dev/null"),
    ("idle", "type bash\nwhich ls"),
    ("idle", "bash --version | head -n 1"),
    ("idle", "test -d /etc/ssl\ntest -f \"$0\" || exit 0"),
    ("idle", "[[ -e /etc/hosts ]]"),
    ("idle", "date +%s\ndf -h / | tail -n 1"),
    ("idle", "seq 1 3 | head -n 1"),
    ("idle", "id root\ngetent passwd root"),
    ("idle", "diff notes notes"),
    ("idle", "[ -n \"$(date)\" ]"),
    ("idle", "[ -v HOME ]"),
    ("idle", "cd ~ && ls"),
    ("idle", "jq --version\ncommand -v python3 || exit 1"),
    ("and", "judge && grep -q ready state\necho proved"),
    ("and", "if true; then\n  judge && true\nfi\necho proved"),
    ("and", "for part in a b; do\n  judge && echo \"$part\"\ndone\necho proved"),
    ("and", "cat notes; judge &&\n  true\necho proved"),
    ("or", "judge || true\necho proved"),
    ("or", "judge || echo 'not ready'\necho proved"),
    ("or", "judge || { echo 'not ready' >&2; }"),
    ("or", "judge | cat || :"),
    ("not", "! true\necho proved"),
    ("not", "! true | cat\necho proved"),
    ("condition", "if judge; then echo ready; else echo 'not ready'; fi"),
    ("condition", "if judge; then\n  echo proved\nfi"),
    ("retries", "for attempt in 1 2; do\n  if judge; then break; fi\n  sleep 0\ndone\necho proved"),
    ("retries", "for attempt in 1 2; do judge && break; sleep 0; done"),
    (
        "retries",
        "n=0\nuntil judge; do\n  n=$((n + 1))\n  if ((n > 2)); then break; fi\ndone\necho proved",
    ),
    ("function", "ready() {\n  judge\n  echo ready\n}\nready || exit 1\necho proved"),
    ("function", "ready() { judge; true; }\nif ! ready; then exit 1; fi\necho proved"),
    ("function", "{ judge; true; } || exit 1\necho proved"),
    ("export", "export STATE=$(judge)\necho \"$STATE\""),
    ("export", "look() {\n  local state=$(judge)\n  echo \"$state\"\n}\nlook\ntrue"),
    ("silent", "[ -z \"$(judge)\" ]\necho 'nothing is wrong'"),
    ("silent", "[[ \"$(judge)\" != broken ]]"),
    ("silent", "test \"$(judge)\" = \"\""),
    (
        "silent",
        "if [[ -n $(judge) ]]; then\n  echo 'something listens' >&2\n  exit 1\nfi\necho proved",
    ),
    ("empty", "while read -r name; do test -e \"$name\"; done < <(judge)\necho proved"),
    ("empty", "for name in $(judge); do test -e \"$name\"; done\necho proved"),
    ("empty", "mapfile -t names < <(judge)\necho \"${#names[@]}\""),
    ("empty", "diff <(judge) <(judge)"),
    ("shell", "bash -c 'judge; true'\necho proved"),
    ("shell", "bash -s <<'E'\njudge\necho proved\nE"),
    ("shell", "set +e\njudge\necho proved"),
    ("nothing", "echo proved"),
    ("nothing", "printf 'state: %s\\n' \"$(judge)\""),
    ("nothing", "[ 1 -eq 1 ]"),
    ("nothing", "test -d / && [ -e \"$HOME\" ]"),
    ("nothing", "state=ready\n[ \"$state\" = ready ]"),
    ("nothing", "echo ready | grep -q ready"),
    ("nothing", "ls -la\nwhoami\nbash --version"),
    ("nothing", "look() { judge; }\necho ready"),
    ("nothing", "n=$(judge || true)\necho \"$n\""),
    ("nothing", "[ $? -eq 0 ] && test -n \"$PATH\""),
    ("nothing", "ps aux | grep judge"),
    ("fixed", "! false"),
    ("fixed", "let 1"),
    ("fixed", "(( 1 + 1 ))"),
    ("fixed", "grep -q '' notes"),
    ("fixed", "grep -q ready <<<ready"),
    ("fixed", "grep -q 'listen 443' <<'E'\nlisten 443\nE"),
    ("fixed", "! grep -q absent <<<ready"),
    ("fixed", "test \"$(echo one | wc -l)\" -eq 1"),
    ("fixed", "n=$(judge | wc -l || true)\n[ \"$n\" -ge 0 ]"),
    ("fixed", "grep -c . /etc/passwd"),
    ("fixed", "echo '{\"ok\": true}' | jq -e .ok"),
    ("fixed", "awk 'BEGIN { exit 0 }'"),
    ("fixed", "python3 -c 'assert True'"),
    ("early", "exit 0\njudge"),
    ("early", "judge || exit 0\necho proved"),
    ("early", "trap 'exit 0' EXIT\njudge"),
    ("background", "judge & wait"),
];

/// Proofs that end with a status other than 0 if `judge` fails.
const GOOD: &[&str] = &[
    "judge && true",
    "true\njudge",
    "judge || exit 1\necho proved",
    "judge || {\n  echo 'not ready' >&2\n  cat notes || true\n  exit 1\n}\necho proved",
    "if ! judge; then\n  cat notes || true\n  echo 'not ready' >&2\n  exit 1\nfi\necho proved",
    "if judge; then echo ready; else echo 'not ready' >&2; exit 1; fi",
    "fail() {\n  echo \"$1\" >&2\n  exit 1\n}\njudge || fail 'not ready'\necho proved",
    "[ -e /nothing ] && exit 2\njudge",
    "[ -e /nothing ] && mode=strict\njudge",
    "state=$(judge)\n[ -z \"$state\" ]\necho proved",
    "[ \"$(judge)\" = ready ]\necho proved",
    "export STATE\nSTATE=$(judge)\necho \"$STATE\"",
    "ready() {\n  judge || return 1\n  echo ready\n}\nready || exit 1",
    "ready() {\n  judge\n  echo ready\n}\nready\necho proved",
    "names=$(judge)\nwhile read -r name; do echo \"$name\"; done <<<\"$names\"",
    "for attempt in 1 2; do\n  if judge; then break; fi\ndone\njudge",
    "for attempt in 1 2; do\n  if judge; then break; fi\n  if [ \"$attempt\" = 2 ]; then exit 1; fi\ndone",
    "for attempt in $(seq 2); do\n  judge && exit 0\n  echo \"$attempt\"\ndone\nexit 1",
    "bash -euo pipefail -c 'judge; true'\necho proved",
    "bash -s <<'E'\nset -euo pipefail\njudge\necho proved\nE",
    "(judge && true)\necho proved",
    "scratch=$(mktemp -d)\ntrap 'rm -rf \"$scratch\"' EXIT\njudge",
    "sleep 1 &\nhelper=$!\njudge\nkill \"$helper\"",
    "if [ -e /nothing ]; then\n  exit 0\nfi\njudge",
    "state=$(judge)\n[ \"$state\" = \"$state\" ]",
    "cat notes || true\njudge",
    "grep -q ready <<<\"$(judge)\"",
    "state=$(judge)\n(( state > 0 ))",
    "judge | grep -q .",
    "python3 -c 'import sys; sys.exit(1)'",
    "awk 'END { exit NR > 0 }' notes",
    "case $(uname) in\n  Linux) judge ;;\n  *) exit 1 ;;\nesac",
];

/// Proofs that show something to a reader and judge nothing.
const SHOWS: &[&str] = &[
    "ls -l terraform/main.tf",
    "cat ansible/site.yml\nls -la ansible",
    "docker ps",
    "docker ps --filter name=web --format '{{.Status}}' | head -n 1",
    "docker compose -f stack/compose.yaml ps >/dev/null",
    "systemctl list-units --type=service",
    "kubectl -n shop get pods",
    "terraform -chdir=terraform show",
    "terraform -chdir=terraform plan -input=false",
    "ssh -F ssh/config server 'sudo systemctl list-timers; docker ps'",
    "ssh -F ssh/config server bash -s <<'E'\nset -euo pipefail\nls /srv\ndocker images\nE",
    "docker exec db psql -U shop -l",
    "docker compose exec -T web sh -c 'ls -l /app && cat /app/version'",
    "kubectl exec deploy/web -- cat /etc/hosts",
    "ansible all -i hosts.ini -m ansible.builtin.command -a 'cat /etc/os-release'",
    "running=$(docker ps)\necho \"$running\"",
    "for name in web db; do\n  docker logs \"$name\"\ndone",
    "docker ps || exit 1",
    "if docker ps; then echo running; else echo 'not running' >&2; exit 1; fi",
    "aws ec2 describe-instances --output table",
    "journalctl -u shop -n 20 --no-pager | tail -n 5",
    "sudo ufw status verbose",
    "systemctl status nginx | head -n 5",
];

/// Proofs that start something and look at nothing that it does.
const STARTS: &[&str] = &[
    "docker compose up -d",
    "sudo systemctl restart nginx",
    "systemctl daemon-reload\nsystemctl enable --now shop.service\necho proved",
    "ssh -F ssh/config server 'sudo systemctl restart shop'",
];

/// Proofs that use what other commands show, and judge it.
const JUDGES: &[&str] = &[
    "docker ps --format '{{.Names}}' | grep -qx web",
    "test -n \"$(docker ps --quiet --filter name=web)\"",
    "ls terraform/main.tf >/dev/null",
    "kubectl get deployment web >/dev/null",
    "docker info >/dev/null",
    "terraform -chdir=terraform plan -detailed-exitcode -input=false",
    "terraform -chdir=terraform show -json | jq -e '.values.root_module' >/dev/null",
    "ssh -F ssh/config server 'docker ps; systemctl is-active shop'",
    "cat notes\nsystemctl is-active --quiet shop",
    "docker exec db pg_isready -U shop",
    "id deploy",
    "terraform version | awk '/v1/ { found = 1 } END { exit !found }'",
    "count=$(docker ps -q | wc -l)\n[ \"$count\" -eq 3 ]",
];

/// An earlier proof, a later one, and a word of what the later one requires less; empty if it requires as much.
const LATER: &[(&str, &str, &str)] = &[
    ("test -s a\ngrep -q b a", "test -s a", "in it: 1,"),
    ("test -s a\ngrep -q b a", "test -s a\ngrep -q b a || true", "in it: 1,"),
    ("judge", "judge || echo 'not yet'", "in it: 0,"),
    ("judge", "set +e\njudge", "in it: 0,"),
    ("judge", "docker ps", "in it: 0,"),
    ("for name in a b c; do test -s \"$name\"; done", "test -s a\ntest -s b", "in it: 2,"),
    ("curl -fsS http://a/ | grep -q Shop", "curl -fsS http://a/ >page", "in it: 1,"),
    (
        "ssh h 'systemctl is-active a; curl -fsS http://a/'",
        "ssh h 'systemctl is-active a'",
        "in it: 1,",
    ),
    ("grep -q 'listen 443' a.conf", "test -f a.conf", "whether something is there"),
    ("nginx -t\ngrep -q x a", "test -d b\ngrep -q x a", "whether something is there"),
    ("curl -fsS http://a/health", "grep -q health app.py", "only reads files"),
    ("docker ps | grep -q web", "grep -q web compose.yaml", "only reads files"),
    ("[ \"$(curl -s http://a/)\" = ok ]", "[ \"$(curl -s http://a/)\" != bad ]", "accepts more"),
    ("n=$(ls | wc -l)\n[ \"$n\" -eq 3 ]", "n=$(ls | wc -l)\n[ \"$n\" -ge 1 ]", "accepts more"),
    ("[[ $status == 200 ]]", "[[ $status == [2345]* ]]", "accepts more"),
    ("grep -q '^PermitRootLogin no$' a", "grep -q PermitRootLogin a", "finds more"),
    ("grep -qx ready a", "grep -q ready a", "finds more"),
    ("grep -q healthy a", "grep -Eq 'healthy|starting' a", "finds more"),
    ("systemctl is-active a", "systemctl is-active a || test -f a.log", "another command"),
    ("judge\ntest -s a", "judge\ntest -s a", ""),
    ("judge", "judge\ntest -s a", ""),
    ("judge && test -s a", "if ! judge; then\n  echo no >&2\n  exit 1\nfi\n[ -s a ]", ""),
    ("judge", "until judge; do\n  n=$((n + 1))\n  [ \"$n\" -lt 9 ] || exit 1\ndone", ""),
    ("test -s a\ntest -s b", "for name in a b; do\n  test -s \"$name\"\ndone", ""),
    ("curl -fsS http://a/ >/dev/null", "body=$(curl -fsS http://a/)\n[[ $body == *Shop* ]]", ""),
    ("test -f a", "grep -q b a", ""),
    ("docker ps\ntest -s a", "test -s a", ""),
    ("grep -q ready a", "grep -qx 'ready' a", ""),
    ("[ \"$n\" -ge 1 ]", "[ \"$n\" -eq 3 ]", ""),
    ("judge", "look() {\n  judge || return 1\n}\nlook", ""),
];

#[test]
fn a_proof_that_only_shows_something_is_found() {
    for proof in SHOWS {
        let text = with_proof("touch state", proof).unwrap();
        let context = gate::Context { asked: ASKED, ..gate::Context::default() };
        let found = gate::examine(text.as_str(), &context);
        assert!(found.iter().any(|one| one.message.contains("only shows")), "{proof}: {found:?}");
    }
    for proof in JUDGES {
        let text = with_proof("touch state", proof).unwrap();
        let found = gate::examine(text.as_str(), &gate::Context::default());
        let found: Vec<_> = found.iter().filter(|one| one.message.contains("nothing")).collect();
        assert!(found.is_empty(), "{proof}: {found:?}");
    }
}

#[test]
fn a_proof_that_only_starts_something_is_found() {
    let found = |proof: &str| {
        let text = with_proof("touch state", proof).unwrap();
        let found = gate::examine(&text, &gate::Context { asked: ASKED, ..Default::default() });
        found.into_iter().filter(|one| one.message.contains("only starts")).count()
    };
    for proof in STARTS {
        assert_eq!(found(proof), 1, "{proof}");
        assert_eq!(found(&format!("{proof}\ncurl -fsS http://localhost/")), 0, "{proof}");
    }
    assert_eq!(found("docker compose up -d --wait"), 0);
}

#[test]
fn an_answer_that_is_only_shown_may_be_an_error() {
    let notices = |proof: &str| {
        let text = with_proof("touch state", proof).unwrap();
        let found = gate::examine(&text, &gate::Context { asked: ASKED, ..Default::default() });
        found.iter().any(|one| one.message.contains("answers with an error"))
    };
    for proof in [
        "curl -s http://localhost/ | head -n 1",
        "curl -sI http://a.test/ | cat | tail -n 3",
        "code=$(curl -s -o /dev/null -w '%{http_code}' http://a.test/)\necho \"status: $code\"",
    ] {
        assert!(notices(proof), "{proof}");
    }
    for proof in [
        "curl -fsS http://localhost/ | head -n 1",
        "curl -sI http://a.test/ | grep -q 200",
        "code=$(curl -s -o /dev/null -w '%{http_code}' http://a.test/)\n[ \"$code\" = 200 ] || { echo \"$code\"; exit 1; }",
    ] {
        assert!(!notices(proof), "{proof}");
    }
}

#[test]
fn a_proof_that_requires_less_than_the_one_before_it_is_noticed() {
    let mut wrong = Vec::new();
    for (before, after, sign) in LATER {
        let steps = [before, after].map(|proof| with_proof("touch state", proof).unwrap());
        let checks = [before, after].map(|proof| format!("{proof}\n"));
        for [before, after] in [steps, checks] {
            let found = gate::weakened(&before, &after).map(|found| found.message);
            let fits = found
                .as_ref()
                .map_or(sign.is_empty(), |found| !sign.is_empty() && found.contains(sign));
            if !fits {
                wrong.push(format!("{before}\n---\n{after}\n--- {sign}: {found:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Whether the gate finds something in a proof, and in the same text as a check.
fn found(proof: &str) -> [bool; 2] {
    let text = with_proof("#!/usr/bin/env bash\nset -euo pipefail\ntouch state", proof).unwrap();
    let finds = |text: &str, check| {
        let context = gate::Context { asked: ASKED, check, ..gate::Context::default() };
        let found = gate::examine(text, &context);
        assert!(found.iter().all(|found| found.line.is_some()), "{found:?}");
        found.iter().any(domain::gate::Finding::is_error)
    };
    [finds(&text, false), finds(&format!("set -euo pipefail\n{proof}"), true)]
}

/// Whether a proof succeeds, run as the sandbox runs it, if `judge` fails silently.
fn ends_well(proof: &str) -> bool {
    let judge = "judge() { return 1; }; export -f judge; cd \"$(mktemp -d)\"; echo note >notes\n";
    let mut bash = Command::new("bash");
    bash.args(["-euo", "pipefail", "-O", "inherit_errexit", "-c"]);
    bash.arg(format!("{judge}{proof}")).output().unwrap().status.success()
}

#[test]
fn each_fault_of_a_proof_lets_bash_succeed_and_is_found() {
    for (kind, proof) in FAULTS {
        assert!(ends_well(proof), "bash itself finds this fault: {kind}: {proof}");
        assert_eq!(found(proof), [true, true], "{kind}: {proof}");
    }
}

#[test]
fn good_proofs_fail_and_have_no_findings() {
    for proof in GOOD {
        assert!(!ends_well(proof), "no good proof: {proof}");
        assert_eq!(found(proof), [false, false], "{proof}");
    }
}

#[test]
fn a_finding_names_the_line_of_the_whole_text() {
    let text = with_proof("touch state\n", "true\ntest -e state && test -e other\necho proved");
    let text = text.unwrap();
    let found = gate::examine(&text, &gate::Context::default());
    let at = text.lines().position(|line| line.contains("other")).unwrap() + 1;
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].line, u32::try_from(at).ok());
    assert!(found[0].message.contains("`&&`"), "{}", found[0].message);
}
