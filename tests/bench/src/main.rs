#![doc = include_str!("../README.md")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a failed measurement is no measurement"
)]

mod measures;
mod samples;

use api_tests::{Model, Settings, World};
use samples::{Row, Samples};
use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    let World { owner, .. } = World::start().await;
    // Proposes the very command to measure.
    let model = Model::start().await;
    let directed = World::with(&model).await;
    let health = measures::health(&owner).await;
    let approved = measures::approve_to_output(&directed.owner).await;
    let cold = measures::start_to_ready(&owner, async || {}).await;
    let settings = Settings { pool_size: Some(1), ..Settings::default() };
    let warm = World::with_settings(settings).await;
    let filled = async || drop(warm.app.pooled(1).await);
    let pooled = measures::start_to_ready(&warm.owner, filled).await;
    let rows = [
        Row::new("first text of a chat reply", measures::first_text(&owner).await, Some(100.0)),
        Row::new("approve to first output", approved, Some(300.0)),
        Row::new("key to echo", measures::key_to_echo(&owner).await, Some(30.0)),
        Row::new("start to a sandbox that is ready", cold, None),
        Row::new("the same from the warm pool", pooled, None),
        Row::new("progress poll, unchanged", measures::poll(&owner).await, None),
    ];
    print(&health, &rows);
    if rows.iter().all(Row::holds) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn print(health: &Samples, rows: &[Row]) {
    println!("| what | median | p99 | samples | × health | target |");
    println!("|---|---|---|---|---|---|");
    println!("| GET /api/health | {} | – |", health.cells(health));
    for row in rows {
        println!("| {} | {} | {} |", row.what, row.samples.cells(health), row.target());
    }
}
