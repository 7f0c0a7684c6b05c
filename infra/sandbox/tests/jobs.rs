//! A background job that fails fails its script, unless the script notices it.
use crate::runs::{check, fails};
use crate::support::sandbox;

#[tokio::test]
async fn a_background_job_that_failed_unnoticed_fails_the_script() {
    for script in [
        "(exit 3) &\nsleep 0.2\necho done",
        "(exit 3) &\nsleep 0.2\nexit 0",
        "finish() { exit; }\n(exit 3) &\nsleep 0.2\nfinish",
        "trap 'echo cleanup' EXIT\n(exit 3) &\nsleep 0.2",
        "sh -c 'exit 3' | cat &\nsleep 0.2",
        "(exit 3) &\nsleep 0.2\ntrue &",
        "(exit 3) &\nsleep 0.2\nsleep 0.1 &\nwait $!",
        "f() { (exit 3) & sleep 0.2; true & sleep 0.1; }\nf",
        "IFS=,\nset -C\n(exit 3) & true & sleep 0.2",
    ] {
        let (code, _, reason) = fails(script).await;
        assert_eq!(code, 3, "{script}");
        assert!(
            reason.contains("background job") && reason.contains("exit 3"),
            "{script}: {reason}"
        );
    }
    for fine in [
        "sleep 1000 &",
        "(exit 3) & wait $! || echo noticed",
        "sleep 1000 &\nkill $!\nsleep 0.1",
        "(exit 0) & sleep 0.1",
        "false & job=$!\nsleep 0.1\ntrue &\nwait $job || echo noticed",
    ] {
        let (mut gateway, _agent) = sandbox().await;
        let report = check(&mut gateway, fine).await;
        assert_eq!(report.exit_code, Some(0), "{fine}: {report:?}");
    }
}

#[tokio::test]
async fn waiting_for_every_job_fails_if_one_of_them_did() {
    for script in [
        "(exit 3) &\n(exit 4) &\nwait\necho green",
        "for i in 0 3 0; do (sleep 0.$i; exit $i) & done\nwait; echo green",
        "(exit 3) &\nsleep 0.2\ntrue &\nwait\necho green",
        "sh -c 'exit 3' | cat &\nwait\necho green",
        "( (exit 3) & wait; echo green)",
        "found=$( (exit 3) & wait; echo green)\necho $found",
    ] {
        let (code, output, _) = fails(script).await;
        assert_eq!(code, 3, "{script}");
        assert!(output.contains("a background job failed with exit code 3"), "{script}: {output}");
        assert!(!output.contains("green"), "{script}: {output}");
    }
    for fine in [
        "sleep 1000 &\nkill $!\nwait",
        "(exit 3) & wait || echo noticed",
        "true & sleep 0.1; wait %1",
        "(exit 3) & (sleep 1) & wait -n || echo noticed",
        "wait",
        "set -x; true & wait",
    ] {
        let (mut gateway, _agent) = sandbox().await;
        let report = check(&mut gateway, fine).await;
        assert_eq!(report.exit_code, Some(0), "{fine}: {report:?}");
    }
}
