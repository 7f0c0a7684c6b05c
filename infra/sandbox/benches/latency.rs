//! Measures latencies that a user notices in a bubblewrap sandbox: from an ordered run to its first output, and from a
//! key to its echo.
//!
//! `cargo bench -p sandbox-agent`. Each line gives the median, the 99th percentile and the worst of its samples.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "../tests/support/mod.rs"]
mod support;

use std::time::{Duration, Instant};

use protocol::{FromAgent, ToAgent};
use support::{Gateway, order, sandbox};

const RUNS: usize = 100;
const KEYS: u64 = 500;
const PROMPT: &str = "workspace\u{1b}[0m$ ";

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let began = Instant::now();
    let (mut gateway, agent) = sandbox().await;
    println!("agent start to welcome: {:.1} ms", ms(began.elapsed()));

    let mut first = Vec::new();
    let mut whole = Vec::new();
    for n in 0..RUNS {
        let run_id = format!("r{n}");
        let ordered = Instant::now();
        gateway.tell(ToAgent::Run(order(&run_id, "echo hello")));
        gateway
            .wait(|m| {
                matches!(m, FromAgent::RunProgress { .. } | FromAgent::RunFinished(_)).then_some(())
            })
            .await;
        first.push(ordered.elapsed());
        gateway.report(&run_id).await;
        whole.push(ordered.elapsed());
    }
    show("run to first output", first);
    show("run to result and confirmation", whole);

    echo(&mut gateway, "key to echo, quiet").await;

    let mut flooded = gateway.attach("flood", "flood", 0);
    gateway.keys("flood", "flood", 0, "yes\r");
    gateway.shows(&mut flooded, "y\r\ny\r\n").await;
    gateway.ignore("flood");
    echo(&mut gateway, "key to echo, another terminal floods").await;

    gateway.tell(ToAgent::Run(order("flood", "yes")));
    gateway.progress("flood", "y").await;
    echo(&mut gateway, "key to echo, a terminal and a run flood").await;

    gateway.tell(ToAgent::RunCancel { run_id: "flood".into() });
    gateway.report("flood").await;
    gateway.keys("flood", "flood", 1, "\u{3}");

    let mut stopped = gateway.attach("stopped", "stopped", 0);
    gateway.shows(&mut stopped, PROMPT).await;
    let mut pressed = Vec::new();
    for n in 0..20 {
        gateway.keys("stopped", "stopped", 2 * n, "yes\r");
        gateway.shows(&mut stopped, &"y\r\n".repeat(10_000)).await;
        let at = Instant::now();
        gateway.keys("stopped", "stopped", 2 * n + 1, "\u{3}");
        gateway.shows(&mut stopped, PROMPT).await;
        pressed.push(at.elapsed());
    }
    show("ctrl-c in a flood to prompt", pressed);
    let status = std::fs::read_to_string(format!("/proc/{}/status", agent.pid())).unwrap();
    println!("agent's memory: {}", status.lines().find(|l| l.starts_with("VmRSS")).unwrap());
}

/// Types keys one at a time, each after the previous one was echoed.
async fn echo(gateway: &mut Gateway, name: &str) {
    let mut screen = gateway.attach(name, name, 0);
    gateway.shows(&mut screen, PROMPT).await;
    let mut samples = Vec::new();
    for n in 0..KEYS {
        let at = Instant::now();
        let key = char::from(b'a' + (n % 26) as u8).to_string();
        gateway.keys(name, name, n, &key);
        gateway.shows(&mut screen, &key).await;
        samples.push(at.elapsed());
        // A quick typist, slower than the frame cadence.
        tokio::time::sleep(Duration::from_millis(17)).await;
    }
    show(name, samples);
}

fn show(name: &str, mut samples: Vec<Duration>) {
    samples.sort();
    let at = |share: f64| ms(samples[((samples.len() - 1) as f64 * share) as usize]);
    println!("{name}: p50 {:.2} ms, p99 {:.2} ms, worst {:.2} ms", at(0.5), at(0.99), at(1.0));
}

fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}
