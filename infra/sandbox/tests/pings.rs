//! Pings on the wire: each may be charged as two messages, so they are few.
//!
//! These tests count for a while. Load delays pings and never adds any, so it cannot make a test fail.
use std::time::{Duration, Instant};

use crate::support::sandbox;

/// How long the tests count pings.
const WATCHED: Duration = Duration::from_secs(12);

/// The shortest time between two pings.
const APART: Duration = Duration::from_secs(2);

/// How many pings fit into this time: one more than the pauses, plus one late ping.
fn most(elapsed: Duration) -> usize {
    usize::try_from(elapsed.as_secs() / APART.as_secs()).unwrap() + 2
}

#[tokio::test]
async fn a_terminal_that_keeps_printing_is_confirmed_at_most_every_other_second() {
    let (mut gateway, _agent) = sandbox().await;
    let mut screen = gateway.attach("c1", "main", 0);
    gateway.shows(&mut screen, "$ ").await;
    gateway.keys("c1", "main", 0, "while echo ti''ck; do sleep 0.05; done\r");
    gateway.shows(&mut screen, "tick\r\n").await;
    let (before, begun) = (gateway.pings(), Instant::now());
    // Output that no ping has confirmed would be sent again after each outage.
    while begun.elapsed() < WATCHED || gateway.pings() == before {
        gateway.shows(&mut screen, "tick\r\n").await;
    }
    let (sent, elapsed) = (gateway.pings() - before, begun.elapsed());
    assert!(sent <= most(elapsed), "{sent} pings in {elapsed:?}");
}

#[tokio::test]
async fn an_idle_connection_is_rarely_pinged() {
    let (mut gateway, _agent) = sandbox().await;
    let mut screen = gateway.attach("c1", "main", 0);
    gateway.shows(&mut screen, "$ ").await;
    // The ping that confirms the prompt is not counted.
    let confirmed = gateway.pings();
    while gateway.pings() == confirmed {
        gateway.wait_or(Duration::from_millis(50), |_| None::<()>).await;
    }
    let before = gateway.pings();
    gateway.wait_or(WATCHED, |_| None::<()>).await;
    // One each 20 s.
    let sent = gateway.pings() - before;
    assert!(sent <= 1, "{sent} pings in {WATCHED:?}");
}
