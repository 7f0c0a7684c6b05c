//! What happens to a project when something fails.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod cancellations;
mod chance;
mod kills;
mod late;
mod once;
mod outages;
mod pool;
mod races;
mod reports;
mod welcomes;
