//! What becomes of a project when things break.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod chance;
mod kills;
mod once;
mod outages;
mod pool;
mod races;
mod reports;
