//! Runs execute once, keep their output, end within their time, and are never forgotten.
use crate::support::{order, sandbox};
use protocol::{FromAgent, Outcome, RunKind, ToAgent};

#[tokio::test]
async fn a_script_runs_and_its_output_exit_code_and_duration_are_reported() {
    let (mut gateway, _agent) = sandbox().await;
    let script = "echo one; echo two >&2; echo three; pwd; touch made; sleep 0.05; exit 7";
    gateway.tell(ToAgent::Run(order("r1", script)));
    gateway
        .wait(|m| {
            matches!(m, FromAgent::RunAccepted { run_id, .. } if run_id == "r1").then_some(())
        })
        .await;
    let report = gateway.report("r1").await;

    assert_eq!(report.outcome, Outcome::Exited);
    assert_eq!(report.exit_code, Some(7));
    assert!(report.duration_ms >= 50, "{}", report.duration_ms);
    assert_eq!(report.head, "one\ntwo\nthree\n/home/user_4512_8841/workspace\n");
    assert_eq!((report.tail.as_str(), report.bytes), ("", report.head.len() as u64));
    assert!(report.files.iter().any(|file| file.path == "made"));
}

#[tokio::test]
async fn credentials_belong_to_one_run_and_are_masked_in_all_that_it_leaves() {
    let (mut gateway, _agent) = sandbox().await;
    let secret = "s3cr3t/Val+ue";
    let script = "echo \"[${#TOKEN}] $TOKEN\"; echo -n \"${TOKEN:0:4}\"; sleep 0.05; echo \"${TOKEN:4}\"
        printf %s \"$TOKEN\" | base64; touch \"was-${TOKEN/\\//}\"; touch \"$(printf %s \"$TOKEN\" | base64)\"";
    let mut with = order("r1", script);
    with.env = [("TOKEN".to_owned(), secret.to_owned())].into();
    gateway.tell(ToAgent::Run(with));
    let report = gateway.report("r1").await;
    assert_eq!(report.head, "[13] ***\n***\n***\n", "{:?}", report.detail);
    let files: Vec<_> = report.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(files, ["***", "was-s3cr3tVal+ue"]);

    let other = gateway.run("r2", "echo \"[${TOKEN:-}]\"").await;
    assert_eq!(other.head, "[]\n");
}

#[tokio::test]
async fn output_is_seen_while_the_script_still_runs() {
    let (mut gateway, _agent) = sandbox().await;
    gateway.tell(ToAgent::Run(order("r1", "echo begun; until [ -e go ]; do sleep 0.01; done")));
    gateway.progress("r1", "begun").await;
    assert_eq!(gateway.run("r2", "touch go").await.exit_code, Some(0));
    assert_eq!(gateway.report("r1").await.exit_code, Some(0));
}

#[tokio::test]
async fn a_run_that_is_delivered_again_never_runs_twice() {
    let (mut gateway, mut agent) = sandbox().await;
    let script = "echo ran >> count; wc -l < count";
    assert_eq!(gateway.run("once", script).await.head, "1\n");
    assert_eq!(gateway.run("once", script).await.head, "1\n");
    agent.die_and_start_again(&gateway, 1).await;
    gateway.hello().await;
    let again = gateway.run("once", script).await;
    assert_eq!((again.outcome, again.head.as_str()), (Outcome::Exited, "1\n"));
    assert_eq!(gateway.run("other", script).await.head, "2\n");
}

#[tokio::test]
async fn a_result_is_repeated_on_each_connection_until_it_is_recorded() {
    let (mut gateway, _agent) = sandbox().await;
    gateway.tell(ToAgent::Run(order("r1", "echo kept")));
    let finished = |m: &FromAgent| match m {
        FromAgent::RunFinished(report) => Some(report.seq),
        _ => None,
    };
    let first = gateway.wait(finished).await;
    gateway.cut();
    assert_eq!(gateway.hello().await, ["r1"]);
    let second = gateway.wait(finished).await;
    assert!(second > first);
    gateway.tell(ToAgent::RunRecorded { run_id: "r1".into() });
    // A later order is answered only after the confirmation has arrived.
    gateway.run("r2", "true").await;
    gateway.cut();
    assert_eq!(gateway.hello().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_script_other_than_the_approved_one_is_refused() {
    let (mut gateway, agent) = sandbox().await;
    let mut changed = order("r1", "touch approved");
    changed.script = "touch changed".into();
    gateway.tell(ToAgent::Run(changed));
    let report = gateway.report("r1").await;
    assert_eq!(report.outcome, Outcome::Refused);
    assert!(report.detail.unwrap().contains("approved"));
    assert!(!agent.workspace().join("changed").exists());
}

/// Runs a script as strictly as a check or a step.
pub async fn check(gateway: &mut crate::support::Gateway, script: &str) -> protocol::RunReport {
    let mut check = order("r1", script);
    check.kind = RunKind::Check;
    gateway.tell(ToAgent::Run(check));
    gateway.report("r1").await
}

/// Runs a script that must fail; returns the report's exit code, output and reason.
pub async fn fails(script: &str) -> (i32, String, String) {
    let (mut gateway, _agent) = sandbox().await;
    let report = check(&mut gateway, script).await;
    assert_eq!(report.outcome, Outcome::Exited, "{script}: {report:?}");
    let code = report.exit_code.unwrap();
    assert_ne!(code, 0, "{script}: {report:?}");
    (code, report.head, report.detail.unwrap_or_default())
}

#[tokio::test]
async fn a_failed_command_ends_the_script_in_any_position() {
    for script in [
        "terraform apply; echo applied",
        "echo begun; false; echo green",
        "false | cat; echo green",
        "found=$(false; echo green); echo $found",
        "echo $undefined; echo green",
    ] {
        let (_, output, _) = fails(&format!("terraform() {{ return 1; }}\n{script}")).await;
        assert!(!output.contains("green") && !output.contains("applied"), "{script}: {output}");
    }
}

#[tokio::test]
async fn a_question_is_an_error_and_not_an_empty_answer() {
    for script in [
        "read -rp 'Really? ' answer; echo green",
        "answer=$(cat); echo green",
        "python3 -c 'input(); print(\"green\")'",
        "python3 -c 'import sys; sys.stdin.read(); print(\"green\")'",
    ] {
        let (_, output, _) = fails(script).await;
        assert!(!output.contains("green"), "{script}: {output}");
    }
    let (mut gateway, _agent) = sandbox().await;
    let report = check(&mut gateway, "cat <<< told; echo piped | cat; cat </dev/null").await;
    assert_eq!((report.exit_code, report.head.as_str()), (Some(0), "told\npiped\n"));
}

#[tokio::test]
async fn no_part_of_a_script_with_a_syntax_error_runs() {
    for script in
        ["touch made\nif true; then\n", "touch made\ncat <<EOF >file\nhalf", "touch made; )"]
    {
        let (mut gateway, agent) = sandbox().await;
        let report = check(&mut gateway, script).await;
        assert_eq!(report.exit_code, Some(2), "{script}");
        assert!(report.detail.unwrap().contains("syntax error"), "{script}");
        assert!(!agent.workspace().join("made").exists(), "{script}");
    }
    let (mut gateway, _agent) = sandbox().await;
    let extended = "shopt -s extglob\ncase abc in a!(x)c) echo matched ;; esac";
    assert_eq!(check(&mut gateway, extended).await.head, "matched\n");
}

#[tokio::test]
async fn a_command_of_the_helper_continues_as_at_a_prompt() {
    let (mut gateway, _agent) = sandbox().await;
    let report = gateway.run("r1", "ls nowhere; echo \"[$UNSET]\"").await;
    assert_eq!(report.exit_code, Some(0), "{report:?}");
    assert!(report.head.ends_with("[]\n"), "{report:?}");
}

/// A script with its proof, as a step has them.
fn step(run_id: &str, script: &str, proof: &str) -> protocol::RunOrder {
    let mut order = order(run_id, &protocol::with_proof(script, proof).unwrap());
    order.kind = RunKind::Step;
    order
}

#[tokio::test]
async fn a_step_succeeds_when_its_proof_does() {
    let (mut gateway, _agent) = sandbox().await;
    gateway.tell(ToAgent::Run(step("good", "echo hi >made; cd /", "cat made; echo seen")));
    let report = gateway.report("good").await;
    assert_eq!((report.exit_code, report.head.as_str()), (Some(0), "hi\nseen\n"));

    gateway.tell(ToAgent::Run(step("bad", "exit 0", "test -e never-made")));
    let report = gateway.report("bad").await;
    assert_eq!(report.exit_code, Some(1));
    let reason = report.detail.unwrap();
    assert_eq!(reason, "The script ended without an error, but its proof failed with exit code 1.");

    gateway.tell(ToAgent::Run(step("ended", "exit 4", "touch proof-ran")));
    let report = gateway.report("ended").await;
    assert_eq!((report.exit_code, report.detail), (Some(4), None));
    assert!(!report.files.iter().any(|file| file.path == "proof-ran"));

    gateway.tell(ToAgent::Run(step("typo", "touch script-ran", "if true; then")));
    let report = gateway.report("typo").await;
    assert!(report.detail.unwrap().contains("The proof has a syntax error"));
    assert!(!report.files.iter().any(|file| file.path == "script-ran"));
}

#[tokio::test]
async fn a_last_line_that_fails_before_and_is_a_failure() {
    let (mut gateway, _agent) = sandbox().await;
    let fails = "test -e missing && cat missing";
    for (id, script, proof) in [("script", fails, "touch proof-ran"), ("proof", "true", fails)] {
        gateway.tell(ToAgent::Run(step(id, script, proof)));
        let report = gateway.report(id).await;
        assert_eq!(report.exit_code, Some(1), "{id}: {report:?}");
        assert!(!report.files.iter().any(|file| file.path == "proof-ran"));
    }
    let typed = gateway.run("typed", "cd /; echo looked; false").await;
    assert_eq!((typed.exit_code, typed.head.as_str()), (Some(1), "looked\n"));
}

#[tokio::test]
async fn however_a_script_ends_well_its_proof_decides() {
    let (mut gateway, _agent) = sandbox().await;
    for (id, script) in [
        ("trap", "trap 'exit 0' EXIT\nfalse\ntouch made"),
        ("early", "exit 0\ntouch made"),
        ("replaced", "exec true\ntouch made"),
        ("tolerant", "set +e\nfalse\ntouch nowhere/made\ntrue"),
        ("option", "shopt -u inherit_errexit\nmade=$(false; echo made)\necho \"$made\""),
        ("hidden", "touch nowhere/made || :"),
        ("later", "(sleep 1; exit 7) >/dev/null 2>&1 &"),
        ("function", "test() { true; }\nexport -f test\ntest -e made"),
        ("words", "echo 'Deployment completed successfully'"),
        ("elsewhere", "cd \"$(mktemp -d)\"\ntouch made"),
    ] {
        gateway.tell(ToAgent::Run(step(id, script, "test -e made")));
        let report = gateway.report(id).await;
        assert_eq!(report.exit_code, Some(1), "{id}: {report:?}");
        assert!(report.detail.unwrap().contains("its proof failed"), "{id}");
    }
}

#[tokio::test]
async fn a_step_without_a_proof_is_not_run() {
    for script in ["touch made".to_owned(), format!("touch made\n{}\n \n", protocol::PROOF_LINE)] {
        let (mut gateway, agent) = sandbox().await;
        let mut bare = order("r1", &script);
        bare.kind = RunKind::Step;
        gateway.tell(ToAgent::Run(bare));
        let report = gateway.report("r1").await;
        assert_eq!(report.outcome, Outcome::Refused);
        assert!(report.detail.unwrap().contains("no proof"));
        assert!(!agent.workspace().join("made").exists());
    }
}

#[tokio::test]
async fn no_variable_changes_how_a_script_is_read() {
    let (mut gateway, _agent) = sandbox().await;
    for (name, value) in
        [("SHELLOPTS", "noexec"), ("BASH_ENV", "/dev/stdin"), ("POSIXLY_CORRECT", "1")]
    {
        let mut run = order(name, "echo ran; exit 5");
        run.env = [(name.to_owned(), value.to_owned())].into();
        gateway.tell(ToAgent::Run(run));
        let report = gateway.report(name).await;
        assert_eq!((report.exit_code, report.head.as_str()), (Some(5), "ran\n"), "{name}");
    }
}

#[tokio::test]
async fn the_deadline_ends_the_script_and_its_whole_group() {
    let (mut gateway, _agent) = sandbox().await;
    let mut late = order("late", "echo $$ > pid; (trap '' TERM; sleep 777) & sleep 777");
    late.deadline_ms = 300;
    gateway.tell(ToAgent::Run(late));
    let report = gateway.report("late").await;
    assert_eq!((report.outcome, report.exit_code), (Outcome::TimedOut, None));
    assert!(report.duration_ms >= 300);
    let left = gateway.run("look", "pgrep -f 'sleep 77[7]' || echo none").await;
    assert_eq!(left.head, "none\n");
}

#[tokio::test]
async fn a_run_can_be_canceled() {
    let (mut gateway, _agent) = sandbox().await;
    gateway.tell(ToAgent::Run(order("r1", "echo begun; sleep 1000")));
    gateway.progress("r1", "begun").await;
    gateway.tell(ToAgent::RunCancel { run_id: "r1".into() });
    let report = gateway.report("r1").await;
    assert_eq!((report.outcome, report.head.as_str()), (Outcome::Cancelled, "begun\n"));
}

#[tokio::test]
async fn a_service_started_in_one_step_answers_in_the_next() {
    let (mut gateway, _agent) = sandbox().await;
    let start = "echo hello > page
        setsid python3 -m http.server 3201 --bind 127.0.0.1 > server.log 2>&1 &
        for _ in $(seq 500); do curl -sf localhost:3201/page && exit 0; sleep 0.02; done; exit 1";
    let started = gateway.run("start", start).await;
    assert_eq!(started.exit_code, Some(0), "{}", started.head);
    let checked = gateway.run("check", "curl -sf http://localhost:3201/page").await;
    assert_eq!((checked.exit_code, checked.head.as_str()), (Some(0), "hello\n"));
}

#[tokio::test]
async fn a_run_that_was_running_when_the_agent_was_killed_is_lost() {
    let (mut gateway, mut agent) = sandbox().await;
    gateway.tell(ToAgent::Run(order("r1", "echo so far; sleep 1000")));
    gateway.progress("r1", "so far").await;
    agent.die_and_start_again(&gateway, 1).await;
    assert_eq!(gateway.hello().await, ["r1"]);
    let report = gateway.report("r1").await;
    assert_eq!((report.outcome, report.exit_code), (Outcome::Lost, None));
    assert_eq!(report.head, "so far\n");
    // When it is delivered again, it is still lost and does not run.
    gateway.tell(ToAgent::Run(order("r1", "echo so far; sleep 1000")));
    assert_eq!(gateway.report("r1").await.outcome, Outcome::Lost);
}

#[tokio::test]
async fn long_output_keeps_its_ends_in_the_report_and_all_of_it_in_the_log() {
    let (mut gateway, _agent) = sandbox().await;
    let mut long = order("r1", "seq 1 200000");
    long.log_url = Some(gateway.address("log"));
    gateway.tell(ToAgent::Run(long));
    let report = gateway.report("r1").await;
    let all: String = (1..=200_000).map(|n| format!("{n}\n")).collect();
    assert_eq!(report.bytes, all.len() as u64);
    assert!(all.starts_with(&report.head) && all.ends_with(&report.tail));
    assert_eq!((report.head.len(), report.tail.len()), (4096, 4096));
    assert_eq!(gateway.object("log").unwrap(), all.as_bytes());
}

#[tokio::test]
async fn a_log_that_cannot_be_stored_does_not_cost_the_result() {
    let (mut gateway, _agent) = sandbox().await;
    gateway.refuse_puts();
    let mut run = order("r1", "echo still here");
    run.log_url = Some(gateway.address("log"));
    gateway.tell(ToAgent::Run(run));
    assert_eq!(gateway.report("r1").await.head, "still here\n");
}

#[tokio::test]
async fn characters_that_arrive_in_halves_and_control_characters_fit_their_frames() {
    let (mut gateway, _agent) = sandbox().await;
    let script = r"printf '\xe2'; sleep 0.05; printf '\x82\xac'; printf '\x01%.0s' $(seq 9000); printf '\xff\xe2'";
    let report = gateway.run("r1", script).await;
    assert!(report.head.starts_with("€\u{1}"));
    assert!(report.tail.ends_with("\u{1}\u{fffd}\u{fffd}"), "{:?}", report.tail);
    assert_eq!(report.bytes, 3 + 9000 + 6);
}
