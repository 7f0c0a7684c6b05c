//! The time from a key to the screen in Chromium, as a person at the terminal experiences it.
//!
//! `tests/browser/keys.ts` drives the page; the browser tests check that script on their own stack.

use crate::Bench;
use crate::figure::Figure;
use crate::report::Report;
use crate::samples::Samples;
use api_tests::binaries;
use serde::Deserialize;
use std::process::Stdio;
use tokio::process::Command;

/// The script's output for a round, in milliseconds.
#[derive(Deserialize)]
struct Round {
    idle: Vec<f64>,
    flood: Vec<f64>,
}

/// Measures a key alone and during a flood of output.
pub async fn measure(bench: &Bench, report: &mut Report) {
    let rounds = match rounds(bench.rounds).await {
        Ok(rounds) => rounds,
        Err(why) => return report.skip("screen: key to screen", &why),
    };
    let (idle, flood): (Vec<_>, Vec<_>) = rounds
        .into_iter()
        .map(|round| (Samples::new(round.idle), Samples::new(round.flood)))
        .unzip();
    for (when, rounds) in [("", idle), (" in a flood", flood)] {
        for (share, name, most) in [(0.5, "p50", 8.0), (0.99, "p99", 25.0)] {
            let what = format!("screen: key to painted frame{when}, {name}");
            report.add(Figure::quantile(what, share, &rounds).at_most(most));
        }
    }
}

/// Runs the script, or says what is missing for it.
async fn rounds(count: usize) -> Result<Vec<Round>, String> {
    let root = binaries::repository();
    for (what, made_by) in [
        ("web/dist/index.html", "npm run build, in web"),
        ("tests/browser/node_modules", "npm ci, in tests/browser"),
    ] {
        if !root.join(what).exists() {
            return Err(format!("{what} is missing, which {made_by} makes"));
        }
    }
    let mut script = Command::new("node");
    script
        .current_dir(root.join("tests/browser"))
        .args(["--import=ts-blank-space/register", "keys.ts"])
        .arg(count.to_string());
    script.env("GROUNDCREW_LOCAL_STACK", binaries::program("local-stack"));
    script.env("GROUNDCREW_SANDBOX_AGENT", binaries::program("sandbox-agent"));
    let ended =
        script.stdin(Stdio::null()).stderr(Stdio::inherit()).kill_on_drop(true).output().await;
    let ended = ended.map_err(|error| format!("node: {error}"))?;
    if !ended.status.success() {
        return Err(format!("tests/browser/keys.ts failed: {}", ended.status));
    }
    let printed = String::from_utf8_lossy(&ended.stdout);
    printed
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()
        .map_err(|error| error.to_string())
}
